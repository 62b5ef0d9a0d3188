"""Methods of classes: inheritance, parameters, hooks."""

import abc
import enum
import functools


class Colour(enum.Enum):
    RED = 1


class Point:
    """Reads like any object without a `repr`."""


class Wordy:
    def __repr__(self):
        return "Wordy(\n  lines\n)"


class Located:
    def __repr__(self):
        return "<Located at 0x7f00>"


def square(x):
    return x * x


def setup(*args, **kwargs):
    """Runs before every benchmark of the module."""


class Base:
    params = [1, 2]
    timeout = 5

    def setup(self, n):
        self.n = n

    def time_inherited(self, n):
        pass

    def teardown(self, n):
        del self.n


class Child(Base):
    param_names = ["size"]

    def time_own(self, n):
        pass


class Overriding(Child):
    params = []
    number = 7

    def setup(self):
        """Another set-up."""

    def teardown(self):
        pass

    def time_own(self):
        pass


class Mixin:
    def time_mixed(self):
        pass


class Mixed(Mixin):
    version = "by hand"


class Abstract(abc.ABC):
    @abc.abstractmethod
    def work(self):
        pass

    def time_never(self):
        pass


class Concrete(Abstract):
    def work(self):
        pass

    @staticmethod
    def time_static():
        pass

    @classmethod
    def time_of_class(cls):
        pass


class Parameters:
    params = [
        [1, 1.5, 1e-05, True, None, "it's", "line\nbreak", b"bytes", (1, 2), [3], {"k": 0}],
        [square, Point, Point(), len, functools.partial(square, 2), Colour.RED, Wordy(), Located()],
        ["same", "same", "other", "same"],
    ]
    param_names = ["literal", None]

    def track_parameters(self, a, b, c):
        return 0


Parameters.params[1].pop(4)


class Flat:
    params = ("a", "b")
    param_names = ["letter", "too", "many"]

    def time_flat(self, letter):
        pass

    def time_with_own(self, number):
        pass

    time_with_own.params = [[10, 20], range(3)]
    time_with_own.param_names = ["tens"]


class Twice:
    params = ([Point(), Point()], [0.1, 0.1])

    def time_twice(self, a, b):
        pass


class Borrowed:
    time_borrowed = Mixin.time_mixed
    time_function = square


class Outer:
    class Inner:
        """Not found: only a module's own attributes are looked at."""

        def time_inner(self):
            pass

    def TimeMethod(self):
        pass

    async def setup(self):
        pass

    async def time_awaited(self):
        pass


class LoudSetup:
    def Setup(self):
        pass

    def TearDown(self):
        pass

    def time_loud(self):
        pass

    def time_own_hooks(self):
        pass

    time_own_hooks.setup = lambda self=None: None
