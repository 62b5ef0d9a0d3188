"""The one that can be imported; one of its classes cannot be instantiated."""

import os
import signal


def track_one():
    return 1


class Refusing:
    def __init__(self):
        raise RuntimeError("no instance today")

    def time_never(self):
        pass


class Crashing:
    def __init__(self):
        os.kill(os.getpid(), signal.SIGKILL)

    def time_never(self):
        pass


class SpelledTwice:
    def setup(self):
        pass

    def Setup(self):
        pass

    def time_never(self):
        pass


def track_two():
    return 2
