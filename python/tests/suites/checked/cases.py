"""Cases that can be set up, and others that cannot."""

import os
import time


class Ready:
    params = [1, 2]
    param_names = ["n"]

    def setup(self, n):
        print("set up", n)

    def teardown(self, n):
        print("torn down", n)

    def time_never_called(self, n):
        os._exit(3)


class Failing:
    params = ["setup", "teardown", "skip", "exit", "endless"]
    param_names = ["where"]

    def setup(self, where):
        if where == "setup":
            raise ValueError("no data")
        if where == "skip":
            raise NotImplementedError("not here")
        if where == "exit":
            os._exit(7)
        while where == "endless":
            time.sleep(60)

    def teardown(self, where):
        if where == "teardown":
            raise OSError("cannot remove it")

    def track_where(self, where):
        return 1


class Misfits:
    params = [1]
    param_names = ["n"]

    def track_too_many(self, n, m):
        return 1

    def track_too_few(self):
        return 1

    def track_default(self, n, m=3):
        return 1


class SetupMisfit:
    def setup(self, n):
        raise AssertionError("never called with what it does not take")

    def track_one(self):
        return 1


class Cached:
    def setup_cache(self):
        return {"n": 3}

    def track_without(self):
        return 1

    def track_with(self, cache):
        return cache["n"]


def track_hook():
    return 1


track_hook.setup = "prepare"
