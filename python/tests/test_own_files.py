"""A file that the suite opened at its import is each forked case's own."""

import importlib
import os
import sys
import unittest

from .check import check
from .conversation import load_runner
from .in_folder import InFolder

load_runner()
own_files = importlib.import_module("tacho_runner.own_files")

SUITE = """
import os

TEXT = open(os.environ["DATA"])
TEXT.read(5)
LOG = open(os.environ["DATA"] + ".log", "ab", buffering=0)
os.remove(os.environ["DATA"])

def track_rest():
    return len(TEXT.read())

def track_position():
    return os.lseek(TEXT.fileno(), 0, os.SEEK_CUR)

def track_log():
    LOG.write(b"x")
    return os.stat(LOG.fileno()).st_size

def track_inheritable():
    return int(os.get_inheritable(TEXT.fileno()))
"""


@unittest.skipUnless(sys.platform == "linux", "elsewhere there is no list of descriptors")
class Cases(InFolder):
    def test_nobody_sees_what_others_read(self):
        data = self.write("data", "x" * 100_000)
        runner = self.start(env=dict(os.environ, DATA=data))
        runner.load(self.suite(one=SUITE))

        def value(name):
            return runner.run("one.track_" + name, self.folder)["values"][0]

        first = value("position")
        check([value("rest"), value("rest"), value("position")], [99_995, 99_995, first])
        # What is written adds up: to share a file is what it is for.
        check([value("log"), value("log"), value("inheritable")], [1, 2, 0])


class Opening(InFolder):
    def test_it_leads_to_the_same_place(self):
        path = self.write("file", "0123456789")
        for flags in (os.O_RDONLY, os.O_RDWR, os.O_WRONLY | os.O_APPEND):
            fd = os.open(path, flags | os.O_CREAT)
            self.addCleanup(os.close, fd)
            os.lseek(fd, 3, os.SEEK_SET)
            twin = os.dup(fd)
            self.addCleanup(os.close, twin)
            own_files.open_anew(fd)
            os.lseek(twin, 7, os.SEEK_SET)
            check(os.lseek(fd, 0, os.SEEK_CUR), 3)
            check(os.fstat(fd).st_ino, os.fstat(twin).st_ino)
        check(os.path.getsize(path), 10)


if __name__ == "__main__":
    unittest.main()
