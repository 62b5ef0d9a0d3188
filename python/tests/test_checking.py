"""Suites are looked at and set up without being measured."""

import unittest

from .check import ANY, check
from .conversation import Conversation
from .in_folder import InFolder


class Looking(InFolder):
    def findings(self, isolation="fork", **modules):
        runner = self.start()
        runner.load(self.suite(**modules))
        return runner.ask("inspect", isolation=isolation)[0]["findings"]

    def texts(self, **modules):
        return [(found["level"], found["text"]) for found in self.findings(**modules)]

    def test_self_and_fork_agree(self):
        replies = []
        for isolation in ("fork", "self"):
            with Conversation() as runner:
                runner.load("checked")
                replies.append(runner.ask("inspect", isolation=isolation)[0]["findings"])
        check(*replies)

    def test_nothing_is_loaded(self):
        check(self.start().ask("inspect", isolation="fork")[0]["message"], "no suite is loaded")

    def test_a_crash_costs_its_own_findings(self):
        texts = self.texts(
            one="""
            import os
            class A:
                def __init__(self): os._exit(3)
                def time_a(self): pass
            def time_b(): pass
            time_b.time_out = 5
            """
        )
        check(texts, [("note", "`time_b.time_out` is nothing that is read: is `timeout` meant?")])

    def test_what_is_right_is_not_told_of(self):
        texts = self.texts(
            one="""
            import time
            from itertools import product as params_of
            import functools
            PARAMS = [1, 2]
            TIMEOUT = 3
            setup_count = 0
            def helper(): pass
            class Base:
                def Setup(self, *values): pass
                def tearDown(self, *values): pass
            class Times(Base):
                params = PARAMS
                param_names = ["n"]
                timeout = TIMEOUT
                version = 2
                number, repeat, rounds = 1, 0, 2
                warmup_time = -1
                data = {}
                def time_a(self, n): pass
                time_a.skip_params = [(1,)]
                def track_b(self, n): return 1
                track_b.unit = "MB"
                track_b.better = "higher"
            Same = Times
            class Others(Base):
                def time_a(self): pass
            if helper:
                def time_c(): pass
            else:
                def time_c(): pass
            time_d = time_c
            """,
            two="from .one import Times, time_c",
        )
        check(texts, [])

    def test_benchmarks_that_hide_each_other(self):
        found = self.findings(
            one="""
            import functools
            def time_a(): pass
            @functools.wraps(time_a)
            def wrapped(): time_a()
            time_b = wrapped
            """
        )
        text = "two benchmarks have this name, and only the one of one.py, line 3 is measured"
        check([(one["name"], one["text"]) for one in found], [("one.time_a", text)] * len(found))
        assert found


class Describing(InFolder):
    def test_what_is_no_list_or_number_is_told_by_its_name(self):
        root = self.suite(
            one="""
            def time_a(n): pass
            time_a.params = 5
            def time_b(n, m): pass
            time_b.params = ([1], 5)
            def time_c(n): pass
            time_c.param_names = 5
            def time_d(): pass
            time_d.rounds = "many"
            """
        )
        runner = self.start()
        runner.load(root)
        problems = runner.ask("discover", isolation="fork")[0]["problems"]
        texts = [
            "its params is 5, not a list",
            "its params has 5, not a list",
            "its param_names is 5, not a list",
            "its rounds is 'many', no whole number",
        ]
        check([(one["error"], one["traceback"]) for one in problems], [(text, None) for text in texts])


class SettingUp(InFolder):
    def check_case(self, runner, name, case, **fields):
        request = dict(isolation="fork", params=None, timeout_s=20.0, dir=self.folder, cache=None)
        request.update(fields)
        return runner.ask("check", benchmark=name, case=case, affinity=None, **request)[0]

    def test_a_limit_holds(self):
        runner = self.start()
        runner.load("checked")
        reply = self.check_case(runner, "cases.Failing.track_where", 4, timeout_s=0.3)
        check(reply["state"], "timed_out")
        check(reply["message"], "ran longer than its limit of 0.3 s")
        assert "in setup" in reply["output"], reply

    def test_in_the_process_itself(self):
        runner = self.start()
        runner.load("checked", only="cases")
        reply = self.check_case(runner, "cases.Ready.time_never_called", 0, isolation="self")
        check((reply["state"], reply["output"]), ("measured", ""))

    def test_a_wrapper_takes_what_it_takes(self):
        root = self.suite(
            one="""
            import functools
            def with_more(function):
                @functools.wraps(function)
                def wrapper(*values):
                    return function(*values, "more")
                return wrapper
            @with_more
            def track_a(n, more): return 1
            track_a.params = [1]
            """
        )
        runner = self.start()
        runner.load(root)
        check(self.check_case(runner, "one.track_a", 0)["state"], "measured")

    def test_a_traceback_has_only_the_suite(self):
        runner = self.start()
        runner.load("checked")
        reply = self.check_case(runner, "cases.Failing.track_where", 0)
        assert reply["traceback"].count("File ") == 1, reply["traceback"]
        check(reply, dict(reply, phase="setup", message="ValueError: no data", duration_ns=ANY))


if __name__ == "__main__":
    unittest.main()
