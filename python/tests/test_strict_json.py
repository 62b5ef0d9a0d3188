"""Whatever a suite holds, every reply is JSON to the strictest reader: `conversation.strictly`."""

import importlib
import unittest

from .check import check
from .conversation import load_runner, strictly
from .in_folder import InFolder

load_runner()
wire = importlib.import_module("tacho_runner.wire")

SUITE = r"""
import sys
HALF = chr(0xD800)

def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value

class Shown:
    def __repr__(self):
        return "<" + HALF + ">"

class Raising:
    def __index__(self):
        raise OSError("not today")

class Hard:
    params = [[Shown(), HALF, float("nan")]]
    param_names = [HALF]
    unit = HALF
    version = HALF
    def track_it(self, value):
        sys.stdout.buffer.write(b"\xed\xa0\x80\xff")
        return 1
    def track_failing(self, value):
        raise ValueError(HALF + " and a\x00zero")

def track_named():
    return 1
track_named.benchmark_name = "track_" + HALF
track_named.pretty_name = HALF
track_named.pretty_source = "# " + HALF
track_named.sample = float("nan")
track_named.numbers = [float("inf"), -float("inf"), {HALF: HALF, 1.5: {"deep": float("nan")}}]
track_named.nested = nested(500)
track_named.flat = nested(50)
track_named.raising = Raising()
track_named.unsaid = {1, 2}
loop = track_named.loop = []
loop.append(loop)

def time_set():
    pass
time_set.sample_time = float("inf")
time_set.warmup_time = float("nan")
time_set.repeat = (1, 2, float("inf"))

def time_clock():
    pass
time_clock.timer = iter([0.0, 1e200, 0.0, 1e200]).__next__
"""


class Strict(InFolder):
    def setUp(self):
        super().setUp()
        self.runner = self.start()
        self.runner.load(self.suite(one=SUITE))

    def test_descriptions(self):
        for isolation in ("fork", "self"):
            reply, found = self.runner.ask("discover", isolation=isolation)
            check(reply["problems"], [])
            found = {one["name"]: one for one in found}
            hard = found["one.Hard.track_it"]
            check(hard["params"], [["<?>", "'\\ud800'", "nan"]])
            check((hard["param_names"], hard["unit"], hard["version"]), (["?"], "?", "?"))
            named = found["track_?"]
            check((named["pretty_name"], named["code"]), ("?", "# ?"))
            extra = named["extra"]
            check(sorted(extra), ["flat", "numbers", "sample"])
            check(extra["sample"], None)
            check(extra["numbers"], [None, None, {"?": "?", "1.5": {"deep": None}}])
            check(found["one.time_set"]["settings"]["warmup_time"], None)
            check(found["one.time_set"]["settings"]["repeat"], [1, 2, None])

    def test_rounds(self):
        for isolation in ("fork", "self"):
            reply = self.runner.run("track_?", self.folder, isolation=isolation)
            check((reply["message"], reply["values"]), (None, [1]))
            for case, text in enumerate(["<?>", "'\\ud800'", "nan"]):
                how = {"case": case, "params": [text], "isolation": isolation}
                check(self.runner.run("one.Hard.track_it", self.folder, **how)["values"], [1])
                reply = self.runner.run("one.Hard.track_failing", self.folder, **how)
                check(reply["message"], "ValueError: ? and a\x00zero")

    def test_output(self):
        reply = self.runner.run("one.Hard.track_it", self.folder)
        check(reply["output"], "\ufffd" * 4)

    def test_a_timer_out_of_its_mind(self):
        reply = self.runner.run("one.time_clock", self.folder)
        check(reply["state"], "failed")
        check(reply["message"], "ValueError: the timer went too far: by 1e+200")

    def test_requests_that_say_half_a_character(self):
        check(self.runner.ask("\ud800")[0]["message"], "no operation `?`")
        check(self.runner.run("\ud800", self.folder)["message"], "no benchmark `?` in this suite")


class Encoding(unittest.TestCase):
    def test_whatever_is_left(self):
        """What no caller should send is still a line that can be read."""
        message = {"a": float("nan"), "b": [float("-inf"), "\ud83d\ude00"]}
        check(strictly(wire.encode(message)), {"a": None, "b": [None, "??"]})


if __name__ == "__main__":
    unittest.main()
