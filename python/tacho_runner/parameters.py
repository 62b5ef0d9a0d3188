"""The parameters of a benchmark: values, names and texts, and which case a request means."""

import functools
import operator
import re

from . import attributes, identity, wire
from .errors import Misfit
from .number import shown

# What tells values apart that read alike.
DUPLICATE = re.compile(r" \(\d+\)")


class NoSuchCase(Exception):
    """There is no case of that index or of those texts; the text says what there is."""


class Parameters:
    """All values of each parameter; a case is one combination of them."""

    def __init__(self, sources):
        declared = as_sequence("param_names", attributes.first(sources, "param_names", []))
        names = [wire.clean(str(name)) for name in declared]
        self.values = listed(attributes.first(sources, "params", []))
        padding = ["param%d" % (position + 1) for position in range(len(self.values))]
        self.names = names[: len(self.values)] + padding[len(names):]

    @functools.cached_property
    def texts(self):
        """The texts of all values: too much work for a process that runs one case of many."""
        return identity.parameter_texts(self.values)

    def case(self, index, texts=None):
        """Returns the values of the case at that index, or of the case that reads like `texts`.

        Texts say which case is meant even where the order of the values depends on the process,
        as it does for the elements of a set. A text that no value of this process has is of a value
        that reads differently in each, such as a random one: then the index decides, as in asv.
        """
        if not self.values and index == 0 and not texts:
            return ()
        n_cases = functools.reduce(operator.mul, map(len, self.values), 1)
        if not 0 <= index < n_cases:
            raise NoSuchCase("no case %d: it has %d" % (index, n_cases))
        values = nth_product(self.values, index)
        if texts is None or read_like(values, texts):
            return values
        return self.case_of(index, texts)

    def case_of(self, index, texts):
        if len(texts) != len(self.values):
            raise NoSuchCase(
                "no case with the parameters (%s): case %d has (%s)"
                % (", ".join(texts), index, ", ".join(nth_product(self.texts, index)))
            )
        places = nth_places(self.values, index)
        for axis, (own, text) in enumerate(zip(self.texts, texts)):
            if text in own:
                places[axis] = own.index(text)
        return tuple(own[place] for own, place in zip(self.values, places))


def listed(params):
    """Returns the values of each parameter as sequences, copying none that is one."""
    values = as_sequence("params", params)
    if values and not isinstance(values[0], (tuple, list)):
        # A flat list is the values of a single parameter.
        return [values]
    return [as_sequence("params", entry, "has") for entry in values]


def as_sequence(name, values, verb="is"):
    if isinstance(values, (tuple, list)):
        return values
    try:
        iterator = iter(values)
    except TypeError:
        raise Misfit("its %s %s %s, not a list" % (name, verb, shown(values))) from None
    return list(iterator)


def read_like(values, texts):
    """Tells whether the values of a case have those texts, whichever numbers duplicates have.

    To know these, all values would have to be read, and at the index asked for they are right.
    """
    if len(values) != len(texts):
        return False
    pairs = zip(map(identity.text_of_value, values), texts)
    return all(
        text == own or (text.startswith(own) and DUPLICATE.fullmatch(text, len(own)))
        for own, text in pairs
    )


def nth_places(choices, index):
    """Returns the places of the combination at that index, the last choice changing fastest."""
    places = []
    for choice in reversed(choices):
        index, place = divmod(index, len(choice))
        places.append(place)
    places.reverse()
    return places


def nth_product(choices, index):
    """Returns the combination at that index of the product, the last choice changing fastest."""
    return tuple(own[place] for own, place in zip(choices, nth_places(choices, index)))
