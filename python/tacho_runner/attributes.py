"""Looks up a benchmark's attributes where asv does: its function, then instance, then module."""

import functools
import types


def every(sources, name):
    """Returns the attribute's values of all sources that have one; None does not count."""
    values = [getattr(source, name, None) for source in sources]
    return [value for value in values if value is not None]


def first(sources, name, default=None):
    """Returns the attribute of the first source that has one."""
    for source in sources:
        own = vars(source) if type(source) is types.ModuleType else ()
        # A module that lacks a name makes a long way to say so, unless it has its own.
        if own and name not in own and "__getattr__" not in own:
            continue
        value = getattr(source, name, None)
        if value is not None:
            return value
    return default


def hooks(sources, name):
    """Returns the hooks of that name, however their letters are cased."""
    return [hook for source in sources for hook in hook_of(source, name)]


def hook_of(source, name):
    find = spellings_in_module if isinstance(source, types.ModuleType) else spellings
    found = find(source, name)
    if len(found) > 1:
        raise ValueError("several spellings of %s: %s" % (name, ", ".join(found)))
    return every([source], found[0]) if found else []


def spellings(source, name):
    return [key for key in names_in(source) if key.lower() == name]


def names_in(source):
    """Returns the names of a source's attributes, of a function's only those it was given."""
    function = getattr(source, "__func__", source)
    return vars(function) if isinstance(function, types.FunctionType) else dir(source)


# To look through all names of a large module in each forked process would copy most of its pages.
spellings_in_module = functools.lru_cache(maxsize=None)(spellings)


def prepare(module):
    """Looks for a module's hooks ahead of the processes that will ask for them."""
    try:
        for name in ("setup", "teardown"):
            spellings_in_module(module, name)
    except Exception:
        # A module may say itself which names it has, and fail at it: each benchmark will tell of that.
        pass
