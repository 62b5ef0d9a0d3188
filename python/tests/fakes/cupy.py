"""Stands for cupy: that it is loaded is all that counts."""
