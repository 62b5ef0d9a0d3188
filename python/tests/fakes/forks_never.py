"""Stands still in every fork before it has even begun."""

import os
import time

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=lambda: time.sleep(1000))


def double(value):
    return value * 2
