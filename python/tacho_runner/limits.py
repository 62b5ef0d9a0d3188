"""Time limits that suites declare."""

from .number import number_of

# What a suite means by more is no limit at all.
LONGEST_S = 1e9


def seconds(declared):
    """Returns a declared limit in seconds, or None where it is none or no length of time."""
    if declared is None:
        return None
    try:
        number = number_of(declared)
    except Exception:
        return None
    # Written so that NaN is no length of time either.
    return min(float(number), LONGEST_S) if number is not None and number > 0 else None


def is_nonsense(declared):
    """Tells whether a limit was declared that is none; None means the default."""
    return declared is not None and seconds(declared) is None
