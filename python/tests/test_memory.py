"""Sizes of objects, with and without pympler."""

import importlib
import sys
import tempfile
import unittest

from .check import check
from .conversation import Conversation, load_runner

load_runner()
memory = importlib.import_module("tacho_runner.memory")


class Slotted:
    __slots__ = ("a", "__dict__")

    def __init__(self):
        self.a = bytes(1000)
        self.b = bytes(2000)


class Walking(unittest.TestCase):
    def test_everything_once(self):
        data = bytes(10_000)
        once, twice = memory.walk([data]), memory.walk([data, data])
        assert 10_000 < once < 10_200, once
        assert twice - once < 20, (once, twice)

    def test_inside_of_objects(self):
        assert 3_000 < memory.walk(Slotted()) < 4_500, memory.walk(Slotted())
        assert memory.walk({"key": [(b"x" * 5000,)]}) > 5_000

    def test_shared_things_do_not_count(self):
        assert memory.walk([memory, int, len, check]) < 200

    def test_cycles(self):
        loop = []
        loop.append(loop)
        assert memory.walk(loop) < 200


class Measuring(unittest.TestCase):
    def test_kinds(self):
        with tempfile.TemporaryDirectory() as folder, Conversation() as runner:
            runner.load("forms", only="functions")
            reply = runner.run("functions.mem_list", folder)
            assert reply["method"] in ("walker/1", "pympler/1"), reply
            # The list of a thousand references; its elements are shared with the copy.
            assert 8_000 <= reply["values"][0] <= 8_200, reply
            for isolation in ("fork", "self"):
                reply = runner.run("functions.peakmem_list", folder, isolation=isolation)
                check(reply["method"], "peak_rss/1")
                assert 5e6 < reply["values"][0] < 5e8, reply

    @unittest.skipUnless(sys.platform == "linux", "elsewhere the starter is not counted")
    def test_a_large_starter_does_not_count(self):
        starter = bytearray(b"x") * 300_000_000
        with tempfile.TemporaryDirectory() as folder, Conversation() as runner:
            runner.load("forms", only="functions")
            reply = runner.run("functions.peakmem_list", folder, isolation="self")
            assert reply["values"][0] < 100e6, reply
        assert len(starter) == 300_000_000


if __name__ == "__main__":
    unittest.main()
