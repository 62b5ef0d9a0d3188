"""Benchmarks that return numbers of many kinds."""
