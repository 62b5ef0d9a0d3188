"""What a benchmark declares about itself, held against what is read of it."""

import inspect

from . import attributes, kinds
from .number import number_of, shown
from .settings import repeat_range

# The attributes that authors set.
MEANT = (
    "better min_run_count number param_names params pretty_name repeat rounds sample_time setup "
    "setup_cache skip_params teardown timeout timer unit version warmup_time"
).split()

# How much of a name has to agree for it to be another one misspelt.
LIKENESS = 0.88
# Shorter names are like many.
SHORTEST = 5


def errors(definition):
    """Yields what keeps the benchmark from being measured as it is declared."""
    for setting, declared in definition.kind.settings(definition).items():
        problem = problem_with(setting, declared)
        if problem:
            yield "its %s is %s, %s" % (setting, shown(declared), problem)
    timer = attributes.first(definition.sources, "timer")
    if timer is not None and not callable(timer):
        yield "its timer is %s, which is no function" % shown(timer)
    if not isinstance(definition.skipped_values, (list, tuple, set, frozenset)):
        yield "its skip_params is %s, not a list of tuples" % shown(definition.skipped_values)


def problem_with(setting, declared):
    """Returns what is wrong with the value of a setting, or None."""
    if setting == "repeat":
        if is_repeat(declared):
            return None
        return "neither a number nor (least, most, seconds)"
    number = number_of(declared)
    if number is None:
        return "no number"
    least = {"rounds": 1, "number": 0, "min_run_count": 0, "sample_time": 0}.get(setting)
    return "less than %d" % least if least is not None and number < least else None


def is_repeat(declared):
    if number_of(declared) is not None:
        return number_of(declared) >= 0
    try:
        least, most, seconds = (number_of(part) for part in repeat_range(declared, 2, None))
    except (TypeError, ValueError):
        return False
    return None not in (least, most, seconds) and 0 < least <= most and seconds > 0


def notes(definition):
    """Yields what can be measured and is hardly meant."""
    sources, parameters = definition.sources, definition.parameters
    names = attributes.first(sources, "param_names", [])
    if isinstance(names, str):
        yield "its param_names is the text %s, not a list of names" % shown(names)
    elif len(list(names)) not in (0, len(parameters.values)):
        n_axes = len(parameters.values)
        plural = "" if n_axes == 1 else "s"
        yield "it has %d param_names for %d parameter%s" % (len(list(names)), n_axes, plural)
    for name, values in zip(parameters.names, parameters.values):
        if not len(values):
            yield "its parameter %s has no values, so that it has no cases" % name
    yield from odd_params(attributes.first(sources, "params", []))
    yield from odd_skips(definition.skipped_values, len(parameters.values))
    better = attributes.first(sources, "better")
    if better not in (None, "lower", "higher", "none"):
        yield "its better is %s, which is not lower, higher or none" % shown(better)
    for role, function in functions(definition):
        if inspect.isgeneratorfunction(function):
            yield "%s has a `yield`: to call it runs none of its code" % role


def odd_params(params):
    """Yields the texts among parameters' values that stand for their characters."""
    if isinstance(params, str):
        yield "its params is the text %s, whose characters are the values" % shown(params)
    elif isinstance(params, (tuple, list)) and params and isinstance(params[0], (tuple, list)):
        for values in params:
            if isinstance(values, str):
                yield "its params has the text %s, whose characters are values" % shown(values)


def odd_skips(skipped, n_values):
    """Yields what no case can be equal to."""
    for entry in skipped if isinstance(skipped, (list, tuple, set, frozenset)) else ():
        if not isinstance(entry, tuple) or len(entry) != n_values:
            yield "its skip_params has %s, not a tuple with a value of each parameter" % shown(entry)


def functions(definition):
    yield "it", definition.function
    for role, hooks in (("its setup", definition.setups), ("its teardown", definition.teardowns)):
        for hook in hooks:
            yield role, hook


def misspelt(owners, seen):
    """Yields (attribute, what it looks like) of each owner, an attribute's only once."""
    for owner, identity, own in owners:
        if identity in seen:
            continue
        seen.add(identity)
        for name in sorted(own):
            meant = meant_by(name)
            if meant is not None and may_be_attribute(name, own[name]):
                yield (owner + "." if owner else "") + name, meant


def may_be_attribute(name, value):
    """Tells whether this could be meant as an attribute: it is no benchmark and nothing imported."""
    is_benchmark = kinds.kind_of(name) is not None and inspect.isfunction(value)
    return not (is_benchmark or inspect.ismodule(value) or inspect.isclass(value))


def meant_by(name):
    """Returns the attribute that a name looks like, or None where it is one or like none."""
    plain = name.lower().replace("_", "")
    if name.startswith("_") or name.isupper() or name.lower() in MEANT:
        return None
    for meant in MEANT:
        if plain == meant.replace("_", ""):
            return meant
    if len(plain) < SHORTEST:
        return None
    import difflib

    near = difflib.get_close_matches(plain, MEANT, 1, LIKENESS)
    return near[0] if near else None
