"""Settings of a timed benchmark, and asv's rules for what is left automatic."""

import sys

from . import attributes
from .errors import Misfit
from .number import shown

# What a benchmark has where neither it nor a request says otherwise. 0 and -1 mean automatic.
DEFAULTS = {
    "number": 0,
    "repeat": 0,
    "rounds": 2,
    "sample_time": 0.01,
    "warmup_time": -1,
    "min_run_count": 2,
}

# Seconds that an automatic warm-up takes: compilers that learn while running need longer.
WARMUP_S = 0.1
WARMUP_OF_COMPILERS_S = {"__pypy__": 1.0, "__graalpython__": 5.0}

# Seconds for all samples where the number of repeats is given and the benchmark has no limit.
DEFAULT_LIMIT_S = 60.0


def declared(sources, defaults):
    """Returns the settings as the sources declare them at this moment."""
    values = {name: attributes.first(sources, name, value) for name, value in defaults.items()}
    values["number"] = whole("number", values["number"])
    # `processes` is the old name of `rounds`.
    old_rounds = attributes.first(sources, "processes", defaults["rounds"])
    values["rounds"] = whole("rounds", attributes.first(sources, "rounds", old_rounds))
    return values


def whole(name, value):
    try:
        return int(value)
    except (TypeError, ValueError, OverflowError):
        raise Misfit("its %s is %s, no whole number" % (name, shown(value))) from None


class Plan:
    """What the sampling loop needs to know, nothing automatic any more but `number` 0."""

    def __init__(self, settings, timeout):
        self.number = settings["number"]
        self.sample_time_s = settings["sample_time"]
        self.min_run_count = settings["min_run_count"]
        self.warmup_s = warmup_s(settings["warmup_time"])
        repeats = repeat_range(settings["repeat"], settings["rounds"], timeout)
        self.min_repeat, self.max_repeat = int(repeats[0]), int(repeats[1])
        self.max_time_s = float(repeats[2])


def warmup_s(declared_s):
    if declared_s >= 0:
        return declared_s
    for marker, seconds in WARMUP_OF_COMPILERS_S.items():
        if marker in sys.modules:
            return seconds
    return WARMUP_S


def repeat_range(repeat, rounds, timeout):
    """Returns the least and the largest number of samples, and the seconds after which to stop."""
    try:
        least, most, seconds = repeat
    except (TypeError, ValueError):
        if repeat == 0:
            return (1, 5, 10.0) if rounds > 1 else (1, 10, 20.0)
        return repeat, repeat, DEFAULT_LIMIT_S if timeout is None else timeout
    return least, most, seconds


class Overrides:
    """The settings of a request, asked before the benchmark's own sources."""

    def __init__(self, settings):
        for name, value in (settings or {}).items():
            setattr(self, name, tuple(value) if isinstance(value, list) else value)
