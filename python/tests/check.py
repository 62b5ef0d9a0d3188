"""The one assertion of these tests: two values are alike, with placeholders for what may differ."""

import json

ANY = "$ANY"


def check(actual, expected, what=""):
    """Fails with both values unless they are alike; `"$ANY"` is like everything that is there."""
    difference = first_difference(actual, expected, what or "value")
    if difference:
        shown = json.dumps(actual, indent=1, ensure_ascii=False, default=repr)
        raise AssertionError("%s\nin %s" % (difference, shown[:4000]))


def first_difference(actual, expected, where):
    """Returns where and how the values differ first, or None."""
    if expected == ANY:
        return None
    if isinstance(expected, dict) and isinstance(actual, dict):
        for key in sorted(set(expected) | set(actual), key=str):
            if key not in actual:
                return "%s.%s is missing" % (where, key)
            if key not in expected:
                return "%s.%s is unexpected: %r" % (where, key, actual[key])
            difference = first_difference(actual[key], expected[key], "%s.%s" % (where, key))
            if difference:
                return difference
        return None
    if isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        for position, (one, other) in enumerate(zip(actual, expected)):
            difference = first_difference(one, other, "%s[%d]" % (where, position))
            if difference:
                return difference
        return None
    if actual == expected and isinstance(actual, bool) == isinstance(expected, bool):
        return None
    return "%s is %r, not %r" % (where, actual, expected)
