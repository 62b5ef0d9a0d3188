"""A module two levels down, with attributes of its own."""

from ..classes import Mixin

timeout = 8
number = 2
params = ["x", "y"]


def time_deep(letter):
    pass


class Deep(Mixin):
    params = []
    number = 4
