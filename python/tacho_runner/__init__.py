"""The Python runner of tacho: loads a suite of benchmarks and measures one case at a time."""

RUNNER = "tacho_runner/1"
PROTOCOL = 1
