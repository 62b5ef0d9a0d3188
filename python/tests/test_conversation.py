"""The conversation itself: what is refused, what is found, and what stays out of sight."""

import os
import unittest

from .check import ANY, check
from .conversation import Conversation
from .in_folder import InFolder


class Refusals(InFolder):
    def test_unreadable_lines(self):
        runner = self.start()
        for line in [b"not json", b"[1]", b'{"op":"hello"}', b'{"op":"hello","id":"x"}', b"\xff"]:
            runner.send_line(line)
            check(runner.read_reply(), {"id": 0, "reply": "error", "message": ANY}, str(line))
        check(runner.ask("hello", protocol=1)[0]["protocol"], 1)

    def test_incomplete_requests(self):
        runner = self.start()
        for op, fields, message in [
            ("load", {}, "the request has no `suite`"),
            ("load", {"suite": {"kind": "zip"}}, "no suite of kind `zip`"),
            ("load", {"suite": {"kind": "package"}}, "the suite has no `root`"),
            ("load", {"suite": {"kind": "file", "path": "/nowhere.py"}}, "no file at /nowhere.py"),
            ("run", {}, "no suite is loaded"),
            ("discover", {"isolation": "fork"}, "no suite is loaded"),
            ("nonsense", {}, "no operation `nonsense`"),
        ]:
            check(runner.ask(op, **fields)[0]["message"], message, op)

    def test_a_folder_that_is_no_package(self):
        os.mkdir(os.path.join(self.folder, "empty"))
        reply = self.start().load(os.path.join(self.folder, "empty"))
        assert reply["message"].startswith("no package at "), reply

    def test_a_name_that_is_taken(self):
        self.write("json/__init__.py")
        reply = self.start().load(os.path.join(self.folder, "json"))
        check(reply["message"], "the suite cannot be called `json`: a loaded module is")

    def test_another_version(self):
        runner = self.start()
        check(runner.ask("hello", protocol=9)[0]["protocol"], 1)
        check(runner.ask("facts")[0]["reply"], "error")
        check(runner.ask("stop")[0]["reply"], "stopped")
        check(runner.close(), 0)


class Discovering(InFolder):
    def test_self_and_fork_agree(self):
        with Conversation() as one, Conversation() as other:
            one.load("forms")
            other.load("forms")
            forked, here = (
                runner.ask("discover", isolation=isolation)[1]
                for runner, isolation in [(one, "fork"), (other, "self")]
            )
            check(forked, here)

    def test_it_leaves_the_interpreter_as_it_was(self):
        root = self.suite(
            one="""
            made = []
            class A:
                def __init__(self):
                    made.append(self)
                def track_it(self):
                    return len(made)
            """
        )
        runner = self.start()
        runner.load(root)
        runner.ask("discover", isolation="fork")
        check(runner.run("one.A.track_it", self.folder)["values"], [1])

    def test_surrogates_and_numbers(self):
        root = self.suite(
            one="""
            def track_it():
                return 1
            track_it.unit = "\\udc80"
            track_it.big = 10 ** 400
            track_it.large = 2 ** 70
            track_it.infinite = float("inf")
            """
        )
        runner = self.start()
        runner.load(root)
        found = runner.ask("discover", isolation="fork")[1][0]
        check(found["unit"], "?")
        check(found["extra"], {"big": None, "large": float(2**70), "infinite": None})


class OutOfSight(InFolder):
    def test_own_process_is_left_alone(self):
        root = self.suite(
            one="""
            import multiprocessing, os, sys
            def track_spawn():
                context = multiprocessing.get_context("spawn")
                process = context.Process(target=print, args=("spawned",))
                process.start()
                process.join()
                return process.exitcode
            def track_main():
                return len([key for key in vars(sys.modules["__main__"]) if key[0] != "_"])
            """
        )
        runner = self.start()
        runner.load(root)
        reply = runner.run("one.track_spawn", self.folder)
        check((reply["values"], reply["output"]), ([0], "spawned\n"))
        check(runner.run("one.track_main", self.folder)["values"], [0])

    def test_no_descriptor_of_the_protocol_is_inherited(self):
        root = self.suite(
            one="""
            import os, subprocess, sys
            def track_inherited():
                code = "import os; print(len(os.listdir('/proc/self/fd')))"
                output = subprocess.run(
                    [sys.executable, "-c", code], stdout=subprocess.PIPE, close_fds=False
                ).stdout
                return int(output)
            """
        )
        runner = self.start()
        runner.load(root)
        # Three standard streams and the folder being listed.
        check(runner.run("one.track_inherited", self.folder)["values"], [4])
        check(runner.run("one.track_inherited", self.folder, isolation="self")["values"], [4])

    def test_self_survives_closed_descriptors(self):
        runner = self.start()
        runner.load("outcomes", only="hostile")
        reply = runner.run("hostile.track_close_descriptors", self.folder, isolation="self")
        check(reply["values"], [1])
        check(runner.ask("stop")[0]["reply"], "stopped")

    def test_self_survives_a_fork_that_returns(self):
        runner = self.start()
        runner.load("outcomes", only="hostile")
        reply = runner.run("hostile.track_fork_returns", self.folder, isolation="self")
        assert reply["values"] in ([1], [2]), reply
        check(runner.ask("stop")[0]["reply"], "stopped")


if __name__ == "__main__":
    unittest.main()
