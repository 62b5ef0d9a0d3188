"""Caches that a suite prepares once for many cases, kept as a pickled file."""

import os

from . import functions

FILE = "cache.pickle"


def fill(definition, call):
    """Runs the cache function and leaves what it returned in the working folder."""
    for setup in definition.setups:
        if is_parameter_free(setup):
            call(setup)
    import pickle

    cache = call(definition.setup_cache)
    unfinished = FILE + ".unfinished"
    with open(unfinished, "wb") as file:
        pickle.dump(cache, file, protocol=pickle.HIGHEST_PROTOCOL)
    os.replace(unfinished, FILE)


def read(folder):
    import pickle

    with open(os.path.join(folder, FILE), "rb") as file:
        return pickle.load(file)


def is_parameter_free(setup):
    """Tells whether a set-up may run before any case: a function that needs no arguments.

    Methods prepare an instance for its parameters and wait for them.
    """
    if functions.is_method(setup):
        return False
    import inspect

    try:
        inspect.signature(setup).bind()
    except (TypeError, ValueError):
        return False
    return True
