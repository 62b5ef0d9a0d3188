"""Modules that cannot be imported, beside one that can."""
