"""Hooks at all three levels: m, c, f for set-up, capitals for tear-down."""

from .hooks import say


def setup():
    say("m")


def teardown():
    say("M")


class Ordered:
    def setup(self):
        say("c")

    def teardown(self):
        say("C")

    def time_it(self):
        say("B")

    time_it.setup = lambda: say("f")
    time_it.teardown = lambda: say("F")
