"""Descriptions come many at a time, and yet the benchmark that ends their process is known."""

import unittest

from .check import check
from .in_folder import InFolder

CLASS = """
import os

class C%03d:
    def __init__(self):
        %s
    def track_it(self):
        pass
"""

N_CLASSES = 130
# In the middle of a batch, next to each other, and the last of all.
DEADLY = {20: "os._exit(3)", 75: "os.abort()", 76: "os._exit(0)", 129: "os.abort()"}


class Describing(InFolder):
    def test_the_others_are_described_once_each(self):
        numbers = range(N_CLASSES)
        source = "".join(CLASS % (number, DEADLY.get(number, "pass")) for number in numbers)
        runner = self.start()
        runner.load(self.suite(one=source))
        reply, found = runner.ask("discover", isolation="fork")
        names = ["one.C%03d.track_it" % number for number in numbers]
        check([one["name"] for one in found], [name for n, name in enumerate(names) if n not in DEADLY])
        check(reply["n"], N_CLASSES - len(DEADLY))
        ends = ["exited with status 3", "ended by SIGABRT", "exited with status 0", "ended by SIGABRT"]
        told = [(problem["name"], problem["error"]) for problem in reply["problems"]]
        check(told, [(names[n], end + " while it was described") for n, end in zip(DEADLY, ends)])


if __name__ == "__main__":
    unittest.main()
