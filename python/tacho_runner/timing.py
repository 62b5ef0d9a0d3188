"""Times a function called in this process."""

import gc
import itertools
import timeit

from . import attributes, limits
from .clock import Clock
from .kind import Kind
from .sampling import take_samples
from .settings import DEFAULTS, Plan, declared


class Timing(Kind):
    """`time_`: seconds of a call."""

    name = "time"
    fixed_unit = "seconds"
    defaults = DEFAULTS

    def method(self, requested):
        return requested

    def settings(self, definition):
        return declared(definition.sources, self.defaults)

    def starts_cold(self, sources):
        return attributes.first(sources, "warmup_time", self.defaults["warmup_time"]) == 0

    def measure(self, case, method):
        settings = declared(case.sources, self.defaults)
        plan = Plan(settings, limits.seconds(attributes.first(case.sources, "timeout")))
        sampler = self.sampler(case, method, plan)
        samples, number = take_samples(sampler, plan)
        if not samples:
            raise ValueError("no sample was taken: repeat is %r" % (settings["repeat"],))
        return {"method": method, "number": number, "samples_ns": samples, "values": None}

    def sampler(self, case, method, plan):
        """Returns what takes a sample; with `asv/2` every timed call finds a fresh set-up."""
        renews_each_call = method == "asv/2" and bool(case.definition.setups)
        if renews_each_call and plan.number == 0:
            plan.number = 1
        clock = Clock(attributes.first(case.sources, "timer", timeit.default_timer))
        if renews_each_call and plan.number > 1:
            return CallSampler(case, clock, renews_each_call)
        return LoopSampler(case, clock, renews_each_call)


class LoopSampler:
    """Takes a sample by one loop of calls, after one set-up."""

    def __init__(self, case, clock, renews_in_warmup):
        self.case = case
        self.clock = clock
        self.renews_in_warmup = renews_in_warmup
        self.is_async = case.definition.is_async
        self.call = bound_call(case)

    def sample(self, number):
        """Returns the nanoseconds of a sample, garbage collection being off throughout."""
        collecting = gc.isenabled()
        gc.disable()
        try:
            return self.clock.ns(self.elapsed(number))
        finally:
            if collecting:
                gc.enable()

    def elapsed(self, number):
        self.case.renew()
        if self.is_async:
            return self.case.wait_for(time_awaits(self.call, number, self.clock.read))
        return time_calls(self.call, number, self.clock.read)

    def keep_state(self):
        """Lets the next sample use the set-up as it is."""
        self.case.is_fresh = True


class CallSampler(LoopSampler):
    """Takes a sample by calls timed one by one, each after its own set-up."""

    def elapsed(self, number):
        total = 0
        for _ in range(number):
            self.case.renew()
            total += self.elapsed_once()
        return total

    def elapsed_once(self):
        if self.is_async:
            return self.case.wait_for(time_awaits(self.call, 1, self.clock.read))
        return time_call(self.call, self.clock.read)


def bound_call(case):
    """Returns a function of no arguments that calls the benchmark.

    A benchmark without arguments is called directly, one with arguments through one more function
    that looks it up: that is part of the sample, as it always was in asv, and histories depend on
    it (some 50 ns).
    """
    definition = case.definition
    arguments = case.arguments
    if not arguments:
        return definition.function

    def call():
        definition.function(*arguments)

    async def call_async():
        await definition.function(*arguments)

    return call_async if definition.is_async else call


def time_calls(call, number, read):
    calls = itertools.repeat(None, number)
    start = read()
    for _ in calls:
        call()
    return read() - start


def time_call(call, read):
    start = read()
    call()
    return read() - start


async def time_awaits(call, number, read):
    """Times calls inside the running event loop, so that its start and end are outside."""
    calls = itertools.repeat(None, number)
    start = read()
    for _ in calls:
        await call()
    return read() - start
