"""What is asked of functions and classes is answered as `inspect` does."""

import abc
import asyncio
import functools
import importlib
import inspect
import unittest

from .check import check
from .conversation import load_runner

load_runner()
functions = importlib.import_module("tacho_runner.functions")


def plain():
    pass


async def coroutine():
    pass


async def generator():
    yield


@functools.wraps(coroutine)
def decorated():
    return asyncio.run(coroutine())


@functools.wraps(decorated)
def twice_decorated():
    return decorated()


class Abstract(abc.ABC):
    @abc.abstractmethod
    def method(self):
        pass


class Concrete(Abstract):
    value = 1

    def method(self):
        pass

    async def async_method(self):
        pass

    @classmethod
    def class_method(cls):
        pass

    @staticmethod
    def static_method():
        pass

    @property
    def property(self):
        pass


def wraps_itself():
    pass


wraps_itself.__wrapped__ = wraps_itself


class Functions(unittest.TestCase):
    def test_async(self):
        for function in (
            plain,
            coroutine,
            generator,
            decorated,
            twice_decorated,
            functools.partial(coroutine),
            functools.partial(functools.partial(plain)),
            Concrete().method,
            Concrete().async_method,
            len,
            Concrete,
        ):
            known = any(map(inspect.iscoroutinefunction, (function, inspect.unwrap(function))))
            check(functions.is_async(function), known, str(function))
        check(functions.is_async(wraps_itself), False)

    @unittest.skipUnless(hasattr(inspect, "markcoroutinefunction"), "since Python 3.12")
    def test_marked_as_async(self):
        def marked():
            return coroutine()

        check(functions.is_async(marked), False)
        inspect.markcoroutinefunction(marked)
        check(functions.is_async(marked), True)

    def test_abstract(self):
        check([functions.is_abstract(Abstract), functions.is_abstract(Concrete)], [True, False])

    def test_members(self):
        for klass in (Concrete, Abstract, int):
            known = [(name, value) for name, value in inspect.getmembers(klass)]
            found = list(functions.members(klass))
            # A method is made anew each time it is asked for, and the same is equal.
            check([name for name, _ in found], [name for name, _ in known])
            check(all(mine == its for (_, mine), (_, its) in zip(found, known)), True)


if __name__ == "__main__":
    unittest.main()
