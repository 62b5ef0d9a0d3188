"""A test that writes its own suites, and words about processes."""

import os
import tempfile
import textwrap
import time
import unittest

from .conversation import Conversation


class InFolder(unittest.TestCase):
    """A test with a folder to write suites to."""

    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.folder = self.place.name

    def write(self, path, text=""):
        path = os.path.join(self.folder, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(textwrap.dedent(text))
        return path

    def suite(self, **modules):
        for name, text in dict(modules, __init__="").items():
            self.write("bench/%s.py" % name, text)
        return os.path.join(self.folder, "bench")

    def start(self, **options):
        runner = Conversation(**options)
        self.addCleanup(runner.close)
        return runner


def wait_until(condition, patience_s=10):
    deadline = time.monotonic() + patience_s
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)


def is_alive(pid):
    """Tells whether a process runs; one that nobody has reaped yet does not."""
    try:
        with open("/proc/%d/stat" % pid) as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
