"""S, B, T: set-up, benchmark, tear-down."""

import asyncio
import gc
import sys
import time

from asv_runner.benchmarks.mark import timeout_at


def say(letter):
    sys.stdout.write(letter)


class Counted:
    def setup(self):
        say("S")

    def time_it(self):
        say("B")

    def time_slow(self):
        say("B")
        time.sleep(0.06)

    def teardown(self):
        say("T")


class OnlyTeardown:
    def time_it(self):
        say("B")

    def teardown(self):
        say("T")


class Choosing:
    """Its constructor, unlike a set-up hook, does not make every call need a fresh state."""

    def __init__(self):
        self.number = 3
        self.repeat = 2

    def time_it(self):
        say("B")


class Asynchronous:
    async def setup(self):
        say("S")
        await asyncio.sleep(0)

    async def time_it(self):
        say("B")
        await asyncio.sleep(0.01)

    async def track_it(self):
        return 5

    async def teardown(self):
        say("T")


@timeout_at(5)
async def time_decorated_async():
    say("B")
    await asyncio.sleep(0)


STEPS = iter(range(10**6))


def time_with_steps():
    pass


time_with_steps.timer = lambda: next(STEPS) * 0.25


def time_collecting():
    say("on" if gc.isenabled() else "off")


def timeraw_env():
    return "import os, sys, time; time.sleep(0.05); print('env', os.environ['SEVEN'])"


timeraw_env.env = {"SEVEN": 7}


def timeraw_failing():
    return "1 / 0"
