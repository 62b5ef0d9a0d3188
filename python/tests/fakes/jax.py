"""Stands for jax: that it is loaded is all that counts."""
