"""Numbers that are neither an int nor a float."""

from decimal import Decimal


class Scalar:
    """A scalar as numeric libraries have them: with a copy of its own, and without a dictionary."""

    __slots__ = ("value",)
    ndim = 0

    def __init__(self, value):
        self.value = value

    def __float__(self):
        return self.value


def track_truth():
    return True


def track_decimal():
    return Decimal("1.5")


def track_huge():
    return 10**5000


def mem_decimal():
    return Decimal("1.5")


def mem_scalar():
    return Scalar(1.5)


def mem_huge():
    return 10**400
