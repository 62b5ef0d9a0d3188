"""Benchmarks that share a cache."""
