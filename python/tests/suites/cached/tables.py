"""Caches that work, that are empty, and that fail."""

import os


def setup(*args):
    with open("set-up.txt", "a") as file:
        file.write("x")


class Table:
    params = [2, 3]

    def setup_cache(self):
        print("filling the cache")
        assert os.path.exists("set-up.txt")
        return list(range(10))

    setup_cache.timeout = 30

    def setup(self, table, n):
        self.part = table[:n]

    def track_sum(self, table, n):
        return sum(self.part)

    def track_folder(self, table, n):
        return os.path.exists("cache.pickle") + 0


class Empty:
    def setup_cache(self):
        return 0

    def track_zero(self, cache):
        return cache


class Nothing:
    def setup_cache(self):
        pass

    def track_no_argument(self):
        return 1


class Failing:
    def setup_cache(self):
        raise ValueError("no table today")

    def track_never(self, cache):
        return 1


class Unpicklable:
    def setup_cache(self):
        return lambda: None

    def track_never(self, cache):
        return 1


class NotHere:
    def setup_cache(self):
        raise NotImplementedError("no tables here")

    def track_never(self, cache):
        return 1
