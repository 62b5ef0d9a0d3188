"""Caches of a module, of classes, and of a function."""


def setup_cache():
    return {"numbers": [1, 2, 3]}


setup_cache.timeout = 90


def time_with_the_module_cache(cache):
    pass


class Own:
    def setup_cache(self):
        return 0

    def setup(self, cache):
        pass

    def track_cache(self, cache):
        return cache


class Inherited(Own):
    pass


class None_(Own):
    def setup_cache(self):
        return None

    def track_cache(self):
        return 1
