"""The sampling loop follows asv's rules, with a clock and a benchmark made for the purpose."""

import importlib
import tempfile
import time
import timeit
import unittest

from .check import check
from .conversation import Conversation, load_runner

load_runner()
clock = importlib.import_module("tacho_runner.clock")
raw_timing = importlib.import_module("tacho_runner.raw_timing")
sampling = importlib.import_module("tacho_runner.sampling")
settings = importlib.import_module("tacho_runner.settings")


def plan(timeout=None, **own):
    return settings.Plan(dict(settings.DEFAULTS, **own), timeout)


class FakeWall:
    """A wall clock that only the sampler moves."""

    def __init__(self, test):
        self.now_ns = 0
        original = sampling.wall_ns
        test.addCleanup(setattr, sampling, "wall_ns", original)
        sampling.wall_ns = lambda: self.now_ns


class FakeSampler:
    """Takes samples of calls that always cost the same; the wall may go on alone."""

    renews_in_warmup = False

    def __init__(self, wall, call_ns, shown=1.0):
        self.wall = wall
        self.call_ns = call_ns
        self.shown = shown
        self.numbers = []
        self.kept = 0

    def keep_state(self):
        self.kept += 1

    def sample(self, number):
        self.numbers.append(number)
        self.wall.now_ns += number * self.call_ns
        return int(number * self.call_ns * self.shown)


class Sampling(unittest.TestCase):
    def take(self, call_ns, shown=1.0, **own):
        sampler = FakeSampler(FakeWall(self), call_ns, shown)
        samples, number = sampling.take_samples(sampler, plan(**own))
        return sampler, samples, number

    def test_automatic_number_fills_the_sample_time(self):
        _, samples, number = self.take(call_ns=1000)
        check(number, 10000)
        check(samples, [10_000_000] * 5)

    def test_calibration_is_the_warm_up(self):
        sampler, samples, _ = self.take(call_ns=1000, warmup_time=1.0)
        calibrating = len(sampler.numbers) - len(samples)
        check(sampler.numbers[:5], [1, 10, 100, 1000, 10000])
        check(sampler.kept, calibrating)
        assert sum(sampler.numbers[:calibrating]) * 1000 > 1_000_000_000

    def test_slow_benchmark_keeps_its_first_sample(self):
        sampler, samples, number = self.take(call_ns=30_000_000_000)
        # One call is fewer than `min_run_count`, so that one more is made.
        check((samples, number), ([30_000_000_000], 1))
        check(sampler.numbers, [1, 1])
        sampler, samples, _ = self.take(call_ns=30_000_000_000, min_run_count=1)
        check((samples, sampler.numbers), ([30_000_000_000], [1]))

    def test_quick_is_one_call(self):
        sampler, samples, number = self.take(call_ns=5, number=1, repeat=1, warmup_time=0)
        check((sampler.numbers, samples, number), ([1], [5], 1))

    def test_given_number_warms_up_by_samples(self):
        sampler, samples, number = self.take(call_ns=30_000_000, number=1, repeat=2)
        check((len(sampler.numbers), len(samples)), (4 + 2, 2))

    def test_a_timer_that_stands_still(self):
        _, samples, number = self.take(call_ns=1000, shown=0.0)
        check((samples, number), ([0] * 5, 10000))

    def test_repeat(self):
        check(settings.repeat_range(0, 2, None), (1, 5, 10.0))
        check(settings.repeat_range(0, 1, None), (1, 10, 20.0))
        check(settings.repeat_range(7, 2, None), (7, 7, 60.0))
        check(settings.repeat_range(7, 2, 3), (7, 7, 3))
        check(settings.repeat_range((1, 2, 3.0), 2, None), (1, 2, 3.0))
        _, samples, _ = self.take(call_ns=1_000_000_000, repeat=(2, 100, 5.0), number=1)
        # The warm-up of 0.1 s takes one sample, and the time is over after five more.
        check(len(samples), 5)

    def test_clocks(self):
        assert clock.Clock(timeit.default_timer).read is time.perf_counter_ns
        assert clock.Clock(time.process_time).read is time.process_time_ns
        own = clock.Clock(lambda: 0.0)
        check([own.ns(1.5e-9), own.ns(-1.0), own.ns(2)], [2, 0, 2_000_000_000])


class RawText(unittest.TestCase):
    def test_text_is_read_as_the_inside_of_a_literal(self):
        for text, read in [
            ("x = 1", "x = 1"),
            ("  a\n  b", "a\nb"),
            (r"print('a\\n')", r"print('a\n')"),
            (r"re.match('\d', x)", r"re.match('\d', x)"),
            ('"""doc"""', '"""doc"""'),
            ('x = "end"', 'x = "end"'),
        ]:
            check(raw_timing.as_literal(text), read)


class Renewal(unittest.TestCase):
    """How often set-up runs, counted by a suite in a real process."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.runner = Conversation()
        cls.runner.load("renewal")

    @classmethod
    def tearDownClass(cls):
        cls.runner.close()
        cls.folder.cleanup()

    def calls(self, name, method="asv/2", **own):
        own.setdefault("warmup_time", 0)
        reply = self.runner.run(name, self.folder.name, method=method, settings=own)
        check(reply["state"], "measured", str(reply["message"]))
        return reply, reply["output"]

    def test_every_call_finds_a_fresh_set_up(self):
        reply, calls = self.calls("hooks.Counted.time_it", number=2, repeat=2)
        check(calls, "SBTSBTSBTSBT")
        check((reply["method"], reply["number"], len(reply["samples_ns"])), ("asv/2", 2, 2))

    def test_once_for_each_sample_as_before(self):
        reply, calls = self.calls("hooks.Counted.time_it", method="asv/1", number=2, repeat=2)
        check(calls, "SBBTSBBT")
        check(reply["method"], "asv/1")

    def test_automatic_number_is_one_with_set_up(self):
        reply, calls = self.calls("hooks.Counted.time_it", repeat=2)
        check((reply["number"], calls), (1, "SBTSBT"))

    def test_warm_up_keeps_set_up_where_asv_did(self):
        own = {"repeat": 1, "number": 1, "warmup_time": 0.1}
        _, calls = self.calls("hooks.Counted.time_slow", method="asv/1", **own)
        check(calls, "SBBTSBT")
        _, calls = self.calls("hooks.Counted.time_slow", **own)
        check(calls, "SBTSBTSBT")

    def test_tear_down_alone_runs_between_samples(self):
        _, calls = self.calls("hooks.OnlyTeardown.time_it", repeat=2, number=2)
        check(calls, "BBTBBT")

    def test_set_up_may_choose_settings(self):
        reply, calls = self.calls("hooks.Choosing.time_it")
        check((reply["number"], len(reply["samples_ns"]), calls), (3, 2, "BBBBBB"))
        reply, calls = self.calls("hooks.Choosing.time_it", number=1, repeat=1)
        check((reply["number"], len(reply["samples_ns"]), calls), (1, 1, "B"))

    def test_order_of_hooks(self):
        _, calls = self.calls("levels.Ordered.time_it", number=1, repeat=1)
        check(calls, "mcfBFCM")

    def test_async(self):
        reply, calls = self.calls("hooks.Asynchronous.time_it", number=1, repeat=2)
        check(calls, "SBTSBT")
        assert all(10_000_000 <= sample < 2_000_000_000 for sample in reply["samples_ns"]), reply
        reply, calls = self.calls("hooks.Asynchronous.track_it")
        check((calls, reply["values"]), ("ST", [5]))
        reply, calls = self.calls("hooks.time_decorated_async", number=3, repeat=1)
        check(calls, "BBB")

    def test_custom_timer(self):
        reply, _ = self.calls("hooks.time_with_steps", number=5, repeat=2)
        check(reply["samples_ns"], [250_000_000, 250_000_000])

    def test_garbage_is_not_collected_while_timing(self):
        _, calls = self.calls("hooks.time_collecting", number=1, repeat=1)
        check(calls, "off")

    def test_raw(self):
        reply, calls = self.calls("hooks.timeraw_env", repeat=1)
        check(calls, "env 7\n")
        assert 50_000_000 <= reply["samples_ns"][0] < 5_000_000_000
        reply = self.runner.run("hooks.timeraw_failing", self.folder.name)
        check(reply["state"], "failed")
        assert reply["message"].endswith("ZeroDivisionError: division by zero"), reply["message"]


if __name__ == "__main__":
    unittest.main()
