"""Failures, skips, limits, signals and exits."""

import os
import signal
import sys
import time

from asv_runner.benchmarks.mark import SkipNotImplemented, skip_for_params


def track_fine():
    print("printed by a case")
    return 7


def time_raising():
    raise ValueError("first line\nsecond line")


def track_exit():
    sys.exit(3)


def track_hard_exit():
    os._exit(123)


def track_interrupt():
    raise KeyboardInterrupt


def track_endless():
    while True:
        time.sleep(60)


def track_signal():
    print("before the signal", flush=True)
    os.kill(os.getpid(), signal.SIGKILL)


def track_segfault():
    os.kill(os.getpid(), signal.SIGSEGV)


def track_nan():
    return float("nan")


def track_infinite():
    return float("inf")


def track_text():
    return "fast"


def track_none():
    return None


def track_skip():
    raise SkipNotImplemented("not on this machine")


def track_not_implemented():
    raise NotImplementedError("in the benchmark, so it is a failure")


class Skips:
    params = [1, 2, 3]

    def setup(self, n):
        if n == 1:
            raise NotImplementedError("one is not supported")
        self.ready = True

    @skip_for_params([(2,)])
    def track_number(self, n):
        return n

    def teardown(self, n):
        # Fails where set-up was skipped.
        assert self.ready


class FailingLate:
    def track_fine(self):
        return 1

    def teardown(self):
        raise OSError("teardown failed")


def track_recursion():
    return track_recursion()


class Unprintable(Exception):
    def __str__(self):
        raise RuntimeError("no text")


def track_unprintable():
    raise Unprintable


def track_surrogate():
    raise ValueError("a lone surrogate: \udc80")


def track_chained():
    try:
        {}["key"]
    except KeyError as error:
        raise RuntimeError("while looking") from error
