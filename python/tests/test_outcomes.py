"""Every way in which a case can end is told as what it is."""

import tempfile
import time
import unittest

from .check import ANY, check
from .conversation import Conversation


class OneSuite(unittest.TestCase):
    """A runner that has loaded the suite `outcomes`."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.runner = Conversation()
        cls.loaded = cls.runner.load("outcomes")

    @classmethod
    def tearDownClass(cls):
        cls.runner.close()
        cls.folder.cleanup()

    def run_case(self, name, **fields):
        return self.runner.run(name, self.folder.name, **fields)


class Outcomes(OneSuite):
    def ends(self, name, state, message=None, case=0, **expected):
        """Runs a case and checks how it ended."""
        limit_s = expected.pop("limit_s", 20.0)
        reply = self.run_case("ends." + name, case=case, timeout_s=limit_s)
        common = {"state": state, "message": message, "signal": None, "exit_status": None}
        common.update(expected)
        check({key: reply[key] for key in common}, common, name)
        return reply

    def test_loaded_safely(self):
        check(self.loaded["fork"], {"safe": True, "reasons": []})

    def test_measured(self):
        reply = self.ends("track_fine", "measured", values=[7], method="call/1", number=None)
        check(reply["output"], "printed by a case\n")
        observed = reply["observed"]
        assert observed["max_rss_bytes"] > 1_000_000 and observed["minor_faults"] > 0, observed

    def test_failures(self):
        self.ends("time_raising", "failed", "ValueError: first line second line", method="asv/2")
        self.ends("track_exit", "failed", "SystemExit: 3")
        self.ends("track_interrupt", "failed", "KeyboardInterrupt")
        self.ends("track_not_implemented", "failed", ANY)
        self.ends("track_recursion", "failed", ANY)
        self.ends("track_unprintable", "failed", ANY)
        self.ends("track_surrogate", "failed", "ValueError: a lone surrogate: ?")
        self.ends("FailingLate.track_fine", "failed", "OSError: teardown failed", values=None)

    def test_traceback_has_only_the_suite(self):
        reply = self.run_case("ends.track_chained")
        assert "KeyError: 'key'" in reply["traceback"], reply["traceback"]
        assert "direct cause" in reply["traceback"], reply["traceback"]
        assert "ends.py" in reply["traceback"], reply["traceback"]
        assert "tacho_runner" not in reply["traceback"], reply["traceback"]

    def test_values_that_are_none(self):
        self.ends("track_nan", "skipped", "the benchmark returned NaN")
        for name, shown in [("infinite", "inf"), ("text", "'fast'"), ("none", "None")]:
            message = "ValueError: no finite number was returned: " + shown
            self.ends("track_" + name, "failed", message)

    def test_skips(self):
        self.ends("track_skip", "skipped", "not on this machine", traceback=None)
        self.ends("Skips.track_number", "skipped", "one is not supported")
        self.ends("Skips.track_number", "skipped", ANY, case=1)
        self.ends("Skips.track_number", "measured", case=2, values=[3])

    def test_exit_without_an_answer(self):
        message = "exited with status 123 before it answered"
        self.ends("track_hard_exit", "failed", message, exit_status=123)

    def test_signals(self):
        message = "ended by SIGKILL"
        reply = self.ends("track_signal", "killed", message, signal="SIGKILL")
        check(reply["output"], "before the signal\n")
        message = "ended by SIGSEGV"
        reply = self.ends("track_segfault", "killed", message, signal="SIGSEGV")
        assert "Segmentation fault" in reply["output"], reply["output"]
        assert "track_segfault" in reply["output"], reply["output"]

    def test_time_limit(self):
        started = time.monotonic()
        message = "ran longer than its limit of 0.3 s"
        reply = self.ends("track_endless", "timed_out", message, limit_s=0.3)
        assert time.monotonic() - started < 5
        # Where it was is told.
        assert "track_endless" in reply["output"], reply["output"]

    def test_wrong_parameters(self):
        reply = self.run_case("ends.Skips.track_number", case=2, params=["4", "5"])
        check(reply["state"], "failed")
        assert "(4, 5)" in reply["message"] and "(3)" in reply["message"], reply["message"]
        reply = self.run_case("ends.Skips.track_number", case=3)
        check(reply["message"], "`ends.Skips.track_number` has no case 3: it has 3")

    def test_parameters_decide_where_the_order_does_not(self):
        reply = self.run_case("ends.Skips.track_number", case=0, params=["3"])
        check(reply["values"], [3])

    def test_a_processor_that_is_not_there(self):
        reply = self.run_case("ends.track_fine", affinity=[4095])
        check(reply["state"], "failed")
        assert reply["message"].startswith("cannot restrict the case to processors [4095]")
        check(self.run_case("ends.track_fine", affinity=[0])["state"], "measured")


class Hostile(OneSuite):
    """Benchmarks that interfere with their process harm nobody else."""

    def test_answers(self):
        for name in [
            "close_descriptors",
            "write_to_all_descriptors",
            "chdir_and_path",
            "thread",
            "grandchild",
            "escaped_grandchild",
            "fork_returns",
            "closed_streams",
            "replaced_streams",
        ]:
            started = time.monotonic()
            reply = self.run_case("hostile.track_" + name)
            check((reply["state"], reply["values"]), ("measured", [1]), name)
            assert time.monotonic() - started < 2.5, name

    def test_nothing_to_see(self):
        check(self.run_case("hostile.track_stdin")["values"], [0])
        check(self.run_case("hostile.track_runner_is_importable")["values"], [0])

    def test_closing_everything(self):
        reply = self.run_case("hostile.track_close_all_descriptors")
        check((reply["state"], reply["exit_status"]), ("failed", 1))
        assert reply["output"].startswith("The benchmark has closed or replaced"), reply

    def test_much_output(self):
        reply = self.run_case("hostile.track_much_output", output_limit_bytes=1000)
        check(reply["values"], [1])
        check(len(reply["output"]), 1000)
        assert reply["output"].endswith("xthe end")
        check(self.run_case("hostile.track_much_output", output_limit_bytes=0)["output"], "")

    def test_deaf_to_signals(self):
        check(self.run_case("hostile.track_ignores_signals", timeout_s=0.2)["state"], "timed_out")

    def test_unprintable_parameters(self):
        found = {one["name"]: one for one in self.runner.ask("discover", isolation="fork")[1]}
        texts = found["hostile.Parameters.track_any"]["params"]
        check(texts, [["<Raising> (0)", "<Raising> (1)", "'a\\nb'"]])
        reply = self.run_case("hostile.Parameters.track_any", case=1, params=["<Raising> (1)"])
        check(reply["values"], [1])


if __name__ == "__main__":
    unittest.main()
