"""A forked process takes over what its suite can reach, or everything where that is not known."""

import importlib
import os
import sys
import types
import unittest

from .check import check
from .conversation import load_runner
from .in_folder import InFolder

load_runner()
own_pages = importlib.import_module("tacho_runner.own_pages")
reach = importlib.import_module("tacho_runner.reach")

MODULE = """
import statistics
from os.path import join

CONSTANT = ["a", "list"]

def helper():
    import fractions
    return CONSTANT

def time_one():
    return helper(), ("of its", "own")

def time_other():
    return "other"
"""


class Reaching(unittest.TestCase):
    def setUp(self):
        importlib.import_module("fractions")
        self.module = types.ModuleType("suite_of_reach.one")
        exec(compile(MODULE, "one.py", "exec"), vars(self.module))
        for module in (types.ModuleType("suite_of_reach"), self.module):
            sys.modules[module.__name__] = module
            self.addCleanup(sys.modules.pop, module.__name__)

    def reached(self, without=()):
        roots = reach.modules_of("suite_of_reach")
        check([module.__name__ for module in roots], ["suite_of_reach", "suite_of_reach.one"])
        return set(map(id, reach.reachable(roots, reach.left_out() + list(without))))

    def test_what_is_referred_to_however_far(self):
        module = self.module
        inside = [
            module.CONSTANT,
            module.helper.__code__,
            module.time_one.__code__.co_consts[-1],
            module.statistics.stdev,
            module.join,
            # By its name only, in a function that imports it.
            sys.modules["fractions"].Fraction,
        ]
        reached = self.reached()
        check([id(value) in reached for value in inside], [True] * len(inside))
        outside = [sys.modules, vars(sys), __builtins__, self, unittest.TestCase]
        check([id(value) in reached for value in outside], [False] * len(outside))

    def test_other_benchmarks_are_left_out(self):
        module = self.module
        reached = self.reached(without=[module.time_one, module.time_other])
        check(id(module.time_other.__code__) in reached, False)
        check(id(module.helper.__code__) in reached, True)
        own = set(map(id, reach.own_parts(module.time_one)))
        check([id(part) in own for part in module.time_one.__code__.co_consts], [True] * 2)

    def test_pages(self):
        numbers = reach.pages("suite_of_reach", [])
        check(numbers, sorted(set(numbers)))
        code = self.module.helper.__code__
        first = id(code) // reach.PAGE_BYTES
        last = (id(code) + code.__sizeof__() - 1) // reach.PAGE_BYTES
        check(set(range(first, last + 1)) <= set(numbers), True)


class Ranges(unittest.TestCase):
    def test_spans(self):
        for numbers, bridge, spans in [
            ([], 1, []),
            ([3], 1, [(3, 3)]),
            ([3, 4, 5, 7], 1, [(3, 5), (7, 7)]),
            ([3, 4, 6, 9], 2, [(3, 6), (9, 9)]),
        ]:
            check(list(own_pages.spans(numbers, bridge)), spans)

    @unittest.skipUnless(sys.platform == "linux", "only Linux tells what is loaded")
    def test_libraries_of_others_may_write_to_anything(self):
        memory = own_pages.OwnMemory()
        cpython = sys.implementation.name == "cpython"
        check(memory.is_extended(), not cpython)
        memory.libraries = {path for path in memory.libraries if "/libc" not in path}
        check(memory.is_extended(), True)

    @unittest.skipUnless(sys.platform == "linux", "only Linux tells what is in memory")
    def test_everything_in_use(self):
        ranges = own_pages.ranges_in_use()

        def held(value):
            return any(
                start <= id(value) < start + length and advice == own_pages.MADV_POPULATE_WRITE
                for start, length, advice in ranges
            )

        check([held(value) for value in (self, ranges, object)], [True] * 3)


SUITE = """
import os
from time import perf_counter_ns

VALUES = ["value %d" % k for k in range(20_000)]

def time_values():
    for value in VALUES:
        pass

time_values.warmup_time = 0

def time_unlike():
    pass
"""


def has_the_advice():
    if sys.platform != "linux":
        return False
    return tuple(map(int, os.uname().release.split(".")[:2])) >= (5, 14)


@unittest.skipUnless(has_the_advice(), "only Linux has the advice, since 5.14")
class Taking(InFolder):
    def test_it_is_done_where_the_first_call_counts(self):
        """The pages of the values are the case's own before it counts references to each."""
        runner = self.start()
        runner.load(self.suite(one=SUITE))

        def faults(name, **settings):
            settings.update(number=1, repeat=1)
            reply = runner.run("one.time_" + name, self.folder, settings=settings)
            check(reply["state"], "measured", str(reply["message"]))
            return reply["observed"]["minor_faults"]

        n_pages = 20_000 * 48 // reach.PAGE_BYTES
        cold, warm = faults("unlike", warmup_time=0), faults("unlike", warmup_time=0.001)
        assert cold - warm > n_pages // 2, (cold, warm, n_pages)
        assert faults("values") > n_pages, "declared by the benchmark itself"


if __name__ == "__main__":
    unittest.main()
