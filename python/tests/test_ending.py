"""Nothing that the runner started outlives it, and it does not outlive who started it."""

import json
import os
import signal
import subprocess
import sys
import unittest

from .check import check
from .conversation import TESTS
from .in_folder import InFolder, is_alive, wait_until

ENDLESS = """
import os, subprocess, sys, time
def track_quick():
    return 1
def note(*pids):
    with open("pids.new", "w") as file:
        file.write(" ".join(map(str, pids)))
    os.replace("pids.new", "pids")
def track_endless():
    note(os.getpid())
    time.sleep(600)
def track_with_child():
    note(os.getpid(), subprocess.Popen(["sleep", "1234"]).pid)
    time.sleep(600)
class Endless:
    def __init__(self):
        note(os.getpid(), subprocess.Popen(["sleep", "1234"]).pid)
        time.sleep(600)
    def track_it(self):
        pass
"""

# Starts a runner as `tacho` does, which forks a case first, leaves it with a request, and waits.
STARTER = """
import json, os, sys, time
from tests.conversation import Conversation
runner = Conversation()
runner.load(sys.argv[1])
assert runner.run("one.track_quick", "/")["values"] == [1]
runner.send_line(sys.argv[2].encode())
print(runner.process.pid, flush=True)
time.sleep(600)
"""


class InEndlessSuite(InFolder):
    def request(self, op="run", **fields):
        common = {"id": 99, "isolation": "fork", "method": "asv/2", "case": 0, "dir": self.folder}
        return json.dumps(dict(common, op=op, **fields))

    def pids(self):
        """Returns the processes that the endless case has noted, waiting for it to do so."""
        path = os.path.join(self.folder, "pids")
        wait_until(lambda: os.path.exists(path))
        with open(path) as file:
            return [int(pid) for pid in file.read().split()]

    def start_endless(self, *args, **fields):
        runner = self.start(cwd=self.folder)
        runner.load(self.suite(one=ENDLESS))
        runner.send_line(self.request(*args, **fields).encode("utf-8"))
        return runner, self.pids()

    def all_end(self, pids):
        wait_until(lambda: not any(map(is_alive, pids)))


class Ending(InEndlessSuite):
    def test_stream_ends_during_a_case(self):
        runner, pids = self.start_endless(benchmark="one.track_endless")
        check(runner.close(), 1)
        self.all_end(pids)

    def test_stream_ends_during_a_case_with_a_child(self):
        runner, pids = self.start_endless(benchmark="one.track_with_child")
        check(len(pids), 2)
        check(runner.close(), 1)
        self.all_end(pids)

    def test_stream_ends_during_a_description(self):
        runner, pids = self.start_endless("discover")
        check(runner.close(), 1)
        self.all_end(pids)

    def test_runner_is_killed_during_a_case(self):
        runner, pids = self.start_endless(benchmark="one.track_endless")
        runner.process.send_signal(signal.SIGKILL)
        self.all_end(pids)

    def test_stream_ends_between_requests(self):
        runner = self.start()
        runner.ask("hello", protocol=1)
        check(runner.close(), 0)
        check(runner.printed, "")


@unittest.skipUnless(sys.platform == "linux", "only Linux tells a process of its parent's end")
class Orphans(InEndlessSuite):
    """Whoever started the runner is killed."""

    def orphan(self, **fields):
        """Kills the starter during a case; returns the runner's process and the case's."""
        root = self.suite(one=ENDLESS)
        starter = subprocess.Popen(
            [sys.executable, "-c", STARTER, root, self.request(**fields)],
            cwd=os.path.dirname(TESTS),
            stdout=subprocess.PIPE,
        )
        self.addCleanup(starter.wait)
        self.addCleanup(starter.stdout.close)
        self.addCleanup(starter.kill)
        runner_pid = int(starter.stdout.readline())
        pids = self.pids()
        starter.kill()
        return [runner_pid] + pids

    def test_during_a_case_in_the_interpreter_itself(self):
        self.all_end(self.orphan(benchmark="one.track_endless", isolation="self"))

    def test_during_a_forked_case(self):
        self.all_end(self.orphan(benchmark="one.track_with_child"))


class Orphaned(unittest.TestCase):
    def test_before_it_could_ask_for_a_signal(self):
        code = "from tacho_runner import parent; parent.die_with(-1); print('alive')"
        ended = subprocess.run(
            [sys.executable, "-c", code], cwd=os.path.dirname(TESTS), stdout=subprocess.PIPE
        )
        check((ended.returncode, ended.stdout), (1, b""))


if __name__ == "__main__":
    unittest.main()
