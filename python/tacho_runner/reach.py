"""Finds the memory of all objects that the code of a suite can reach.

A first call writes to the objects it uses, as it counts references to them. Which ones it will use
nobody knows; but it can only use what its module refers to, directly or by way of other modules.
"""

import gc
import os
import sys
import types

PAGE_BYTES = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def pages(package, benchmarks):
    """Returns the numbers of the pages that hold what the modules of a package reach, sorted.

    The functions that are benchmarks are left out: they seldom call each other, and a suite has many.
    """
    found = set()
    for value in reachable(modules_of(package), left_out() + benchmarks):
        first = id(value)
        last = first + bytes_written(value) - 1
        found.update(range(first // PAGE_BYTES, last // PAGE_BYTES + 1))
    return sorted(found)


def modules_of(package):
    prefix = package + "."
    return [sys.modules[name] for name in sorted(sys.modules) if (name + ".").startswith(prefix)]


def left_out():
    """Returns objects that lead to all others, or to those that only imports have need of."""
    builtins = sys.modules["builtins"]
    found = [sys.modules, sys, vars(sys), builtins, vars(builtins)]
    for module in list(sys.modules.values()):
        own = getattr(module, "__dict__", {})
        found += [own.get("__loader__"), own.get("__spec__")]
    return found


def reachable(roots, without):
    """Returns all objects that can be reached from the roots, but not by way of those left out."""
    seen = set(map(id, without))
    found = []
    pending = roots
    while pending:
        new = []
        for value in pending:
            if id(value) not in seen:
                seen.add(id(value))
                new.append(value)
        found += new
        pending = gc.get_referents(*new)
        for value in new:
            if type(value) is types.CodeType:
                pending += parts_of(value)
    return found


def parts_of(code):
    """Returns the constants of code, of which the collector knows nothing, and what it may import."""
    imported = [sys.modules[name] for name in code.co_names if name in sys.modules]
    return imported + list(code.co_consts)


def own_parts(function):
    """Returns what a function consists of; to have them in a list is to have written to them."""
    found = [function]
    for value in found:
        code = getattr(value, "__code__", value)
        if type(code) is types.CodeType:
            found += code.co_consts
    return found


def bytes_written(value):
    """Returns how much of an object, from its beginning, is written to while it is used."""
    if type(value) is types.CodeType:
        # Bytecode adapts itself to what it meets.
        return value.__sizeof__()
    return type.__sizeof__(value) if isinstance(value, type) else 1
