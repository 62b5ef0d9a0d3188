"""Clocks in integer nanoseconds, whatever timer a benchmark brings."""

import time
import timeit

# Timers of the standard library that have an exact twin in integers.
TWINS = (
    (timeit.default_timer, time.perf_counter_ns),
    (time.perf_counter, time.perf_counter_ns),
    (time.process_time, time.process_time_ns),
    (time.monotonic, time.monotonic_ns),
    (time.time, time.time_ns),
)

# Some 290 years: what 64 bits can count.
LONGEST_NS = 2**63


class Clock:
    """A function to read, and the conversion of a difference of two readings."""

    def __init__(self, timer):
        twins = [twin for known, twin in TWINS if timer is known]
        self.read = twins[0] if twins else timer
        self.unit_ns = 1 if twins else 1_000_000_000

    def ns(self, elapsed):
        """Returns the nanoseconds of a difference; a clock that was set back gives none."""
        elapsed_ns = elapsed * self.unit_ns
        # Written so that NaN is refused, too.
        if not -LONGEST_NS < elapsed_ns < LONGEST_NS:
            raise ValueError("the timer went too far: by %s" % elapsed)
        return max(0, round(elapsed_ns))
