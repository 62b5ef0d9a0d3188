"""The kinds of benchmarks, and the names by which a function says which kind it is."""

import re

from .memory import Memory, PeakMemory
from .raw_timing import RawTiming
from .timing import Timing
from .tracking import Tracking

# In the order in which asv tries them.
KINDS = (
    (re.compile(r"(Mem[A-Z_]|mem_)."), Memory()),
    (re.compile(r"(PeakMem[A-Z_]|peakmem_)."), PeakMemory()),
    (re.compile(r"(Time[A-Z_]|time_)."), Timing()),
    (re.compile(r"(Timeraw[A-Z_]|timeraw_)."), RawTiming()),
    (re.compile(r"(Track[A-Z_]|track_)."), Tracking()),
)


def kind_of(function_name):
    """Returns the kind that a function's name asks for, or None."""
    for pattern, kind in KINDS:
        if pattern.match(function_name):
            return kind
    return None
