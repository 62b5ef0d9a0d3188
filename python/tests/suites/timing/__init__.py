"""Timed benchmarks that are measured in every test run."""
