"""Benchmarks to be looked at and set up, never called."""
