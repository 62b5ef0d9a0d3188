"""Records a number that the benchmark itself computes."""

import math

from . import attributes
from .errors import Skipped, shorten
from .kind import Kind, values_reading


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
    number = as_number(value)
    if isinstance(number, float) and math.isnan(number):
        raise Skipped("the benchmark returned NaN")
    if number is None or math.isinf(number):
        raise ValueError("no finite number was returned: " + shown(value))
    return number


def as_number(value):
    """Returns an int or a float, or None where the value is neither."""
    if getattr(value, "ndim", 0) or isinstance(value, complex):
        return None
    for convert, protocol in ((int, "__index__"), (float, "__float__")):
        if hasattr(type(value), protocol):
            try:
                number = convert(value)
                # Beyond 64 bits a reader keeps a float of it anyway.
                return number if abs(number) < 2**63 else float(number)
            except (TypeError, ValueError, OverflowError):
                return None
    return None


def shown(value):
    try:
        return shorten(repr(value), 200)
    except Exception:
        return "an object of type %s" % type(value).__name__
