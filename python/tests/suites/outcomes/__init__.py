"""Benchmarks that end in every way a process can."""
