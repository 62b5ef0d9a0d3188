"""Stands for tensorflow: that it is loaded is all that counts."""
