"""A suite that handles the ends of its own children does not lose those of its cases."""

import unittest

from .check import check
from .in_folder import InFolder

IGNORING = """
import signal
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
def track_handling():
    return signal.getsignal(signal.SIGCHLD) == signal.SIG_IGN
"""

REAPING = """
import os, signal
def reap(*_):
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass
signal.signal(signal.SIGCHLD, reap)
def track_handling():
    return signal.getsignal(signal.SIGCHLD) is reap
"""


class ChildSignal(InFolder):
    def each_case_is_measured(self, suite):
        runner = self.start(cwd=self.folder)
        runner.load(self.suite(one=suite))
        check(runner.ask("discover", isolation="fork")[0]["problems"], [])
        for _ in range(3):
            reply = runner.run("one.track_handling", self.folder)
            check((reply["state"], reply["values"]), ("measured", [1]))

    def test_ignored(self):
        self.each_case_is_measured(IGNORING)

    def test_handled(self):
        self.each_case_is_measured(REAPING)


if __name__ == "__main__":
    unittest.main()
