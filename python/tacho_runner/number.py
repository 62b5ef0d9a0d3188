"""Numbers as suites have them: of Python, of a numeric library, or nothing of the kind."""

import math
import operator
import sys

from .errors import shorten

# Beyond 64 bits a reader keeps a float of an integer anyway.
LARGEST_INTEGER = 2**63


def number_of(value):
    """Returns an int or a float, perhaps no finite one, or None where the value is no number."""
    if isinstance(value, (str, bytes)) or is_complex(value) or getattr(value, "ndim", 0):
        return None
    for convert, protocol in ((operator.index, "__index__"), (float, "__float__")):
        if hasattr(type(value), protocol):
            try:
                return within_64_bits(convert(value))
            except OverflowError:
                return -math.inf if value < 0 else math.inf
            except (TypeError, ValueError):
                # A type may have the method only to refuse, as some truth values do.
                continue
    return None


def within_64_bits(number):
    if isinstance(number, float):
        return number
    return int(number) if abs(number) < LARGEST_INTEGER else float(number)


def is_complex(value):
    """Tells whether a value has an imaginary part, which some types drop to become a float."""
    # Libraries register their types there; before it is loaded none can have done so.
    numbers = sys.modules.get("numbers")
    if isinstance(value, complex) or numbers is None:
        return isinstance(value, complex)
    return isinstance(value, numbers.Complex) and not isinstance(value, numbers.Real)


def shown(value):
    """Returns the value's `repr` on one line, as far as it has one."""
    try:
        return " ".join(shorten(repr(value), 200).split())
    except Exception:
        return "an object of type %s" % type(value).__name__
