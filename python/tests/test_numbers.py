"""What a benchmark may return as a number: stand-ins for the scalars of numeric libraries."""

import importlib
import tempfile
import unittest
from decimal import Decimal
from fractions import Fraction

from .check import check
from .conversation import Conversation, load_runner

load_runner()
errors = importlib.import_module("tacho_runner.errors")
tracking = importlib.import_module("tacho_runner.tracking")


class Float:
    """Like `numpy.float32`: no float, but it becomes one."""

    ndim = 0

    def __init__(self, value):
        self.value = value

    def __float__(self):
        return self.value


class Whole(Float):
    """Like `numpy.int64`: both an integer and, less exactly, a float."""

    def __index__(self):
        return self.value

    def __int__(self):
        raise AssertionError("rounds")


class Truth(Float):
    """Like `numpy.bool_`: it may have an `__index__` that refuses."""

    def __index__(self):
        raise TypeError("no index")

    def __float__(self):
        return float(self.value)


class DoubleFloat(float):
    """Like `numpy.float64`: a float of its own kind."""


class Array(Float):
    ndim = 1


class Failing:
    def __float__(self):
        raise OSError("the device is gone")


class Numbers(unittest.TestCase):
    def test_taken(self):
        for value, expected in [
            (True, 1),
            (False, 0),
            (-(2**63) + 1, -(2**63) + 1),
            (2**70, float(2**70)),
            (1.5, 1.5),
            (Float(1.5), 1.5),
            (Whole(2**53 + 1), 2**53 + 1),
            (Truth(True), 1.0),
            (DoubleFloat(1.5), 1.5),
            (Decimal("1.25"), 1.25),
            (Fraction(3, 4), 0.75),
        ]:
            number = tracking.finite_number(value)
            check((type(number), number), (type(expected), expected), repr(value))

    def test_not_taken(self):
        for value, shown in [
            (None, "None"),
            ("1.5", "'1.5'"),
            (b"1", "b'1'"),
            (1j, "1j"),
            ([1], "[1]"),
            (float("-inf"), "-inf"),
            (Float(float("inf")), ""),
            (Decimal("Infinity"), "Decimal('Infinity')"),
            (Decimal("sNaN"), "Decimal('sNaN')"),
            (Fraction(10**400), "Fraction(1000"),
            (10**400, "1000"),
            (-(10**5000), ""),
            (Array(1.5), ""),
        ]:
            with self.assertRaises(ValueError) as caught:
                tracking.finite_number(value)
            message = errors.message_of(caught.exception)
            start = "ValueError: no finite number was returned: " + shown
            check(message[: len(start)], start)
            assert len(message) < 300 and "\n" not in message, message

    def test_not_a_number_is_a_skip(self):
        for value in (float("nan"), Float(float("nan")), Decimal("NaN")):
            with self.assertRaises(errors.Skipped):
                tracking.finite_number(value)

    def test_its_own_failure_is_told(self):
        with self.assertRaises(OSError):
            tracking.finite_number(Failing())


class OverTheWire(unittest.TestCase):
    def test_returned(self):
        with tempfile.TemporaryDirectory() as folder, Conversation() as runner:
            runner.load("returned")
            found = runner.ask("discover", isolation="fork")[1]
            for name, state, values in [
                ("track_truth", "measured", [1]),
                ("track_decimal", "measured", [1.5]),
                ("track_huge", "failed", None),
                ("mem_decimal", "measured", None),
                ("mem_scalar", "measured", None),
                ("mem_huge", "measured", None),
            ]:
                reply = runner.run("scalars." + name, folder)
                check(reply["state"], state, "%s: %s" % (name, reply["message"]))
                if values:
                    check(reply["values"], values, name)
                elif state == "measured":
                    check(type(reply["values"][0]), int, name)
            check(len(found), 6)


if __name__ == "__main__":
    unittest.main()
