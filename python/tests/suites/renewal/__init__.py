"""Benchmarks that print a letter each time one of their parts runs."""
