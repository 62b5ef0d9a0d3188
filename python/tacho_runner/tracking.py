"""Records a number that the benchmark itself computes."""

import math

from . import attributes
from .errors import Skipped
from .kind import Kind, values_reading
from .number import number_of, shown


class Tracking(Kind):
    """`track_`: what the function returns."""

    name = "track"
    fixed_method = "call/1"

    def unit(self, definition):
        return attributes.first(definition.sources, "unit", "unit")

    def measure(self, case, method):
        return values_reading("call/1", [finite_number(case.call_benchmark())])


def finite_number(value):
    """Returns the value as a finite number; NaN is asv's word for a skip."""
    number = number_of(value)
    if isinstance(number, float) and math.isnan(number):
        raise Skipped("the benchmark returned NaN")
    if number is None or math.isinf(number):
        raise ValueError("no finite number was returned: " + shown(value))
    return number
