"""Ends the interpreter, were it let."""

import sys

print("leaving says this while it is imported")
sys.exit(5)
