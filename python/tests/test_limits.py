"""Time limits that suites declare: what is no length of time is told, and harms nobody."""

import unittest

from .check import check
from .in_folder import InFolder

SUITE = """
from decimal import Decimal

class Index:
    def __index__(self):
        return 3

class Raising:
    def __float__(self):
        raise ZeroDivisionError
    def __repr__(self):
        raise ZeroDivisionError

LIMITS = {
    "none": None, "whole": 7, "half": 0.5, "decimal": Decimal("1.5"), "index": Index(),
    "true": True, "longest": 1e9, "infinite": float("inf"), "long": 1e20, "huge": 10 ** 400,
    "negative": -1, "zero": 0, "false": False, "nan": float("nan"), "minus": -float("inf"),
    "text": "30", "list": [1], "raising": Raising(),
}

def make(name, limit):
    def setup_cache():
        return 1
    setup_cache.timeout = limit
    def track_limit(cache):
        return 1
    track_limit.benchmark_name = "track_" + name
    track_limit.timeout = limit
    track_limit.setup_cache = setup_cache
    def time_limit():
        pass
    time_limit.benchmark_name = "time_" + name
    time_limit.timeout = limit
    time_limit.repeat = 2
    return track_limit, time_limit

for number, (name, limit) in enumerate(LIMITS.items()):
    globals()["track_%d" % number], globals()["time_%d" % number] = make(name, limit)
"""

USABLE = {
    "none": None,
    "whole": 7.0,
    "half": 0.5,
    "decimal": 1.5,
    "index": 3.0,
    "true": 1.0,
    "longest": 1e9,
    "infinite": 1e9,
    "long": 1e9,
    "huge": 1e9,
}

UNUSABLE = {
    "negative": "-1",
    "zero": "0",
    "false": "False",
    "nan": "nan",
    "minus": "-inf",
    "text": "'30'",
    "list": "[1]",
    "raising": "an object of type Raising",
}


class Limits(InFolder):
    def setUp(self):
        super().setUp()
        self.runner = self.start()
        self.runner.load(self.suite(one=SUITE))

    def discovered(self, isolation):
        reply, found = self.runner.ask("discover", isolation=isolation)
        return reply, {one["name"]: one for one in found}

    def test_listed_with_a_limit_or_none(self):
        reply, found = self.discovered("fork")
        check(reply["n"], 2 * len(USABLE) + 2 * len(UNUSABLE))
        for name, limit_s in dict(USABLE, **dict.fromkeys(UNUSABLE)).items():
            for kind in ("track_", "time_"):
                check(found[kind + name]["timeout_s"], limit_s, kind + name)
            check(found["track_" + name]["setup_cache"]["timeout_s"], limit_s, name)

    def test_told_as_problems(self):
        for isolation in ("fork", "self"):
            problems = self.discovered(isolation)[0]["problems"]
            told = {(one["name"], one["error"]) for one in problems}
            expected = set()
            for name, shown in UNUSABLE.items():
                expected.add(("track_" + name, "its timeout is " + shown))
                expected.add(("track_" + name, "the timeout of its setup_cache is " + shown))
                expected.add(("time_" + name, "its timeout is " + shown))
            check(sorted(told), sorted(expected))
            check({(one["module"], one["traceback"]) for one in problems}, {("one", None)})

    def test_measured_all_the_same(self):
        for name in list(USABLE) + list(UNUSABLE):
            reply = self.runner.run(
                "time_" + name, self.folder, settings={"number": 1, "warmup_time": 0}
            )
            check((reply["message"], len(reply["samples_ns"] or ())), (None, 2), name)


if __name__ == "__main__":
    unittest.main()
