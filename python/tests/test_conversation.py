"""The conversation itself: what is loaded, what is refused, and what stays out of sight."""

import json
import os
import signal
import tempfile
import textwrap
import time
import unittest

from .check import ANY, check
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


class Loading(InFolder):
    def test_a_single_file(self):
        path = self.write("lonely.py", "class A:\n    def track_it(self):\n        return 4\n")
        runner = self.start()
        check(runner.load(path)["modules"], 1)
        found = runner.ask("discover", isolation="fork")[1]
        check([(one["name"], one["module"]) for one in found], [("lonely.A.track_it", "lonely")])
        check(runner.run("lonely.A.track_it", self.folder)["values"], [4])

    def test_one_module_only(self):
        root = self.suite(wanted="def track_it():\n    return 1\n", unwanted="raise OSError\n")
        runner = self.start()
        reply = runner.load(root, only="wanted")
        check((reply["modules"], reply["problems"]), (1, []))
        check(runner.run("wanted.track_it", self.folder)["values"], [1])

    def test_one_module_that_is_not_there(self):
        reply = self.start().load(self.suite(), only="nowhere")
        check([problem["module"] for problem in reply["problems"]], ["nowhere"])

    def test_the_root_fails(self):
        root = self.suite()
        self.write("bench/__init__.py", "import nothing_of_that_name\n")
        reply = self.start().load(root)
        problem = reply["problems"][0]
        check((reply["modules"], problem["module"], problem["line"]), (0, "", 1))

    def test_the_parent_of_the_suite_is_not_importable(self):
        self.write("neighbour.py", "")
        root = self.suite(one="import neighbour\n")
        reply = self.start(cwd=self.folder).load(root)
        check(len(reply["problems"]), 1)

    def test_prints_at_import(self):
        runner = self.start()
        root = self.suite(
            one="print('imported')\ndef track_it():\n    print('run')\n    return 1\n"
        )
        runner.load(root)
        check(runner.run("one.track_it", self.folder)["output"], "run\n")
        runner.close()
        check(runner.printed, "imported\n")

    def test_real_package_comes_first(self):
        self.write("lib/asv_runner/__init__.py")
        self.write("lib/asv_runner/benchmarks/__init__.py")
        self.write(
            "lib/asv_runner/benchmarks/mark.py",
            "class SkipNotImplemented(NotImplementedError):\n    here = True\n",
        )
        root = self.suite(
            one="""
            from asv_runner.benchmarks.mark import SkipNotImplemented
            def track_it():
                assert SkipNotImplemented.here
                raise SkipNotImplemented("from the real one")
            def track_completed():
                from asv_runner.benchmarks.mark import skip_benchmark
            """
        )
        env = dict(os.environ, PYTHONPATH=os.path.join(self.folder, "lib"))
        runner = self.start(env=env)
        check(runner.load(root)["problems"], [])
        reply = runner.run("one.track_it", self.folder)
        check((reply["state"], reply["message"]), ("skipped", "from the real one"))
        check(runner.run("one.track_completed", self.folder)["state"], "failed")

    def test_fork_safety(self):
        cases = {
            "import threading, time\n"
            "threading.Thread(target=time.sleep, args=(60,), daemon=True).start()": [
                "2 Python threads are running"
            ],
            "import sys\nsys.modules['jax'] = sys": ["jax is loaded"],
            "import sys, types\ntorch = sys.modules['torch'] = types.ModuleType('torch')\n"
            "torch.cuda = types.SimpleNamespace(is_initialized=lambda: True)": [
                "torch has initialised CUDA"
            ],
        }
        for number, (text, reasons) in enumerate(cases.items()):
            path = self.write("suite%d.py" % number, text)
            check(self.start().load(path)["fork"], {"safe": False, "reasons": reasons})

    def test_facts_survive_broken_metadata(self):
        self.write("lib/broken-1.0.dist-info/METADATA", "")
        self.write("lib/whole-1.0.dist-info/METADATA", "Name: Whole\nVersion: 1.0\n")
        env = dict(os.environ, PYTHONPATH=os.path.join(self.folder, "lib"))
        packages = self.start(env=env).ask("facts")[0]["packages"]
        check(packages.get("Whole"), "1.0")
        assert "broken" not in packages and "" not in packages, packages


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


class Ending(InFolder):
    def start_endless_case(self):
        runner = self.start()
        root = self.suite(
            one="""
            import os, sys, time
            def track_endless():
                with open("pid", "w") as file:
                    file.write(str(os.getpid()))
                time.sleep(600)
            """
        )
        runner.load(root)
        request = {"op": "run", "id": 99, "benchmark": "one.track_endless", "case": 0}
        request.update(isolation="fork", method="asv/2", dir=self.folder)
        runner.send_line(json.dumps(request).encode("utf-8"))
        path = os.path.join(self.folder, "pid")
        wait_until(lambda: os.path.exists(path) and os.path.getsize(path))
        with open(path) as file:
            return runner, int(file.read())

    def test_stream_ends_during_a_case(self):
        runner, pid = self.start_endless_case()
        check(runner.close(), 1)
        wait_until(lambda: not is_alive(pid))

    def test_runner_is_killed_during_a_case(self):
        runner, pid = self.start_endless_case()
        runner.process.send_signal(signal.SIGKILL)
        wait_until(lambda: not is_alive(pid))

    def test_stream_ends_between_requests(self):
        runner = self.start()
        runner.ask("hello", protocol=1)
        check(runner.close(), 0)
        check(runner.printed, "")


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


if __name__ == "__main__":
    unittest.main()
