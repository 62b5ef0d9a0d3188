"""What is imported, in which order, and what is told about it."""

import json
import os
import unittest

from .check import check
from .in_folder import InFolder


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

    def test_a_module_that_fails_to_list_its_names(self):
        source = "def __dir__():\n    raise OSError('no names')\n\ndef track_it():\n    return 1\n"
        runner = self.start()
        check(runner.load(self.suite(one=source, two="def track_it():\n    return 2\n"))["problems"], [])
        reply, found = runner.ask("discover", isolation="fork")
        check([one["name"] for one in found], ["two.track_it"])
        problem = {"module": "one", "name": "one.track_it", "error": "OSError: no names"}
        check(reply["problems"], [dict(problem, traceback="$ANY")])

    def test_attributes_that_a_module_makes_up(self):
        source = "def __getattr__(name):\n    if name == 'timeout':\n        return 7\n"
        source += "    raise AttributeError(name)\n\ndef track_it():\n    return 1\n"
        runner = self.start()
        runner.load(self.suite(one=source, two="timeout = 8\ndef track_it():\n    return 2\n"))
        found = runner.ask("discover", isolation="fork")[1]
        check([(one["name"], one["timeout_s"]) for one in found], [("one.track_it", 7), ("two.track_it", 8)])

    def test_hooks_are_found_however_they_are_spelt(self):
        module = "SETUP = lambda: print('module')\n"
        function = "def track_it():\n    return 1\ntrack_it.Setup = lambda: print('function')\n"
        method = "class A:\n    def sEtUp(self):\n        print('class')\n    def track_it(self):\n        return 2\n"
        runner = self.start()
        runner.load(self.suite(one=module + function + method))
        for name, printed in [("track_it", "module\nfunction\n"), ("A.track_it", "module\nclass\n")]:
            check(runner.run("one." + name, self.folder)["output"], printed)

    def test_facts_survive_broken_metadata(self):
        self.write("lib/broken-1.0.dist-info/METADATA", "")
        self.write("lib/whole-1.0.dist-info/METADATA", "Name: Whole\nVersion: 1.0\n")
        env = dict(os.environ, PYTHONPATH=os.path.join(self.folder, "lib"))
        packages = self.start(env=env).ask("facts")[0]["packages"]
        check(packages.get("Whole"), "1.0")
        assert "broken" not in packages and "" not in packages, packages


class Announcing(InFolder):
    """The caller knows which module is imported, and can leave modules out."""

    def modules(self, replies):
        check({reply["reply"] for reply in replies} <= {"importing"}, True)
        return [reply["module"] for reply in replies]

    def two_levels(self):
        root = self.suite(one="def track_it():\n    return 1\n", two="")
        self.write("bench/group/__init__.py")
        self.write("bench/group/deep.py")
        return root

    def test_every_module_is_announced(self):
        loaded, announced = self.start().load_all(self.two_levels())
        check(loaded["modules"], 5)
        check(self.modules(announced), ["", "group", "group.deep", "one", "two"])

    def test_a_file_is_announced_by_its_stem(self):
        announced = self.start().load_all(self.write("lonely.py"))[1]
        check(self.modules(announced), ["lonely"])

    def test_one_module_is_announced_after_its_packages(self):
        loaded, announced = self.start().load_all(self.two_levels(), only="group.deep")
        check(loaded["modules"], 1)
        check(self.modules(announced), ["", "group", "group.deep"])

    def test_the_last_announcement_is_the_module_that_ends_the_interpreter(self):
        runner = self.start()
        root = self.suite(one="", two="import os\nos._exit(9)\n", three="")
        request = {"op": "load", "id": 1, "suite": {"kind": "package", "root": root}}
        runner.send_line(json.dumps(request).encode("utf-8"))
        announced = []
        with self.assertRaises(EOFError):
            while True:
                announced.append(runner.read_reply())
        check(self.modules(announced), ["", "one", "three", "two"])
        check(runner.close(), 9)

    def test_nobody_listens(self):
        """What cannot be announced is not imported, and is no failure of the module."""
        marker = os.path.join(self.folder, "imported")
        root = self.suite(one="open(%r, 'w').close()\n" % marker)
        runner = self.start()
        request = {"op": "load", "id": 1, "suite": {"kind": "package", "root": root}}
        runner.send_line(json.dumps(request).encode("utf-8"))
        check(runner.close(), 1)
        check(os.path.exists(marker), False)

    def test_skipped_modules(self):
        root = self.two_levels()
        loaded, announced = self.start().load_all(root, skip=["two", "group"])
        check((loaded["modules"], loaded["problems"]), (2, []))
        check(self.modules(announced), ["", "one"])
        loaded, announced = self.start().load_all(root, skip=["group.deep", "nowhere"])
        check(self.modules(announced), ["", "group", "one", "two"])

    def test_skipped_by_name_not_by_beginning(self):
        root = self.suite(one="", one_more="")
        check(self.modules(self.start().load_all(root, skip=["one"])[1]), ["", "one_more"])

    def test_skipped_altogether(self):
        for options in ({"skip": [""]}, {"only": "group.deep", "skip": ["group"]}):
            loaded, announced = self.start().load_all(self.two_levels(), **options)
            check((loaded["modules"], announced, loaded["problems"]), (0, [], []))
        path = self.write("lonely.py")
        loaded, announced = self.start().load_all(path, skip=["lonely"])
        check((loaded["modules"], announced), (0, []))

    def test_what_is_no_list_of_names(self):
        for skip in ("one", [1], {"one": 1}):
            reply = self.start().load(self.two_levels(), skip=skip)
            check(reply["message"], "`skip` is no list of names")
        check(self.start().load(self.two_levels(), skip=None)["modules"], 5)


if __name__ == "__main__":
    unittest.main()
