"""What a forked case leaves behind is gone before the next begins, and nothing else is."""

import importlib
import os
import subprocess
import sys
import unittest

from .check import check
from .conversation import load_runner
from .in_folder import InFolder, is_alive, wait_until

load_runner()
leftovers = importlib.import_module("tacho_runner.leftovers")

SUITE = """
import os, signal, subprocess, time

SERVER = subprocess.Popen(["sleep", "1234"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

def leave(name, *steps):
    "Starts a process that does the steps, tells its number and stays."
    reader, writer = os.pipe()
    if os.fork() == 0:
        for step in steps:
            step()
        os.write(writer, b"%d" % os.getpid())
        time.sleep(1234)
        os._exit(0)
    with open(name, "a") as file:
        file.write(os.read(reader, 20).decode() + " ")

def fork():
    if os.fork():
        os._exit(0)

def ignore():
    for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)

def leave_all(name):
    leave(name)
    leave(name, lambda: os.setpgid(0, 0))
    leave(name, os.setsid)
    leave(name, os.setsid, fork, ignore)
    leave(name, fork, os.setsid, fork)

def track_nothing():
    return 1

def track_leaving():
    leave_all("left")
    return 1

def track_leaving_and_crashing():
    leave_all("left")
    os.abort()

def track_leaving_and_staying():
    leave_all("left")
    time.sleep(600)

def track_server_pid():
    return SERVER.pid

class Leaving:
    def __init__(self):
        leave_all(os.environ["LEFT"])
    def track_it(self):
        return 1

class Cached:
    def setup_cache(self):
        leave_all("left")
        return 1
    def track_it(self, cache):
        return cache
"""

N_LEFT = 5
N_LEFT_OUTSIDE = 4


@unittest.skipUnless(sys.platform == "linux", "only Linux knows subreapers")
class Leftovers(InFolder):
    def setUp(self):
        super().setUp()
        self.left = os.path.join(self.folder, "left")
        self.runner = self.start(cwd=self.folder, env=dict(os.environ, LEFT=self.left))
        self.runner.load(self.suite(one=SUITE))
        self.server_pid = self.runner.run("one.track_server_pid", self.folder)["values"][0]
        self.addCleanup(os.kill, self.server_pid, 9)

    def pids(self):
        with open(self.left) as file:
            return [int(pid) for pid in file.read().split()]

    def is_gone(self):
        """Checks that all processes that were left are gone, and forgets them."""
        pids = self.pids()
        check(len(pids), N_LEFT)
        check([pid for pid in pids if is_alive(pid)], [])
        os.remove(self.left)

    def test_after_a_case(self):
        for name, state in [("leaving", "measured"), ("leaving_and_crashing", "killed")]:
            reply = self.runner.run("one.track_" + name, self.folder)
            check(reply["state"], state, name)
            check(reply["observed"]["leftover_processes"], N_LEFT_OUTSIDE, name)
            self.is_gone()
        reply = self.runner.run("one.track_nothing", self.folder)
        assert "leftover_processes" not in reply["observed"], reply

    def test_after_a_case_that_is_killed(self):
        reply = self.runner.run("one.track_leaving_and_staying", self.folder, timeout_s=1.0)
        check(reply["state"], "timed_out")
        self.is_gone()

    def test_what_the_suite_started_stays(self):
        self.runner.run("one.track_leaving", self.folder)
        self.is_gone()
        assert is_alive(self.server_pid)

    def test_after_a_cache(self):
        request = dict(isolation="fork", dir=self.folder, timeout_s=20.0, affinity=None)
        reply = self.runner.ask("setup_cache", benchmark="one.Cached.track_it", **request)[0]
        check(reply["state"], "measured")
        self.is_gone()

    def test_after_a_description(self):
        check(self.runner.ask("discover", isolation="fork")[0]["problems"], [])
        self.is_gone()

    def test_when_the_requests_end(self):
        request = '{"op":"run","id":9,"benchmark":"one.track_leaving_and_staying","case":0,'
        request += '"isolation":"fork","method":"asv/2","dir":"%s"}' % self.folder
        self.runner.send_line(request.encode())
        wait_until(lambda: os.path.exists(self.left) and len(self.pids()) == N_LEFT)
        self.runner.close()
        self.is_gone()


class Children(unittest.TestCase):
    def test_both_ways_find_a_child(self):
        child = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE)
        assert leftovers.has_children()
        if sys.platform == "linux":
            assert child.pid in leftovers.children()
            assert child.pid in leftovers.processes()
            check(leftovers.parent_of(child.pid), os.getpid())
        child.communicate()
        assert child.pid not in leftovers.children()
        check(leftovers.parent_of(2 ** 30), None)


if __name__ == "__main__":
    unittest.main()
