"""Finds what is wrong with a suite's benchmarks, or looks like a mistake, without running them."""

import inspect
import os

from . import declarations, redefinition
from .wire import clean

ERROR = "error"
NOTE = "note"


def of_suite(suite, catalogue):
    """Returns the findings that are of no single benchmark's definition."""
    findings = [twin(one, other) for one, other in catalogue.twins]
    for module in suite.modules:
        findings.extend(redefined(suite, module))
    return findings


def twin(kept, lost):
    """Returns the finding for two benchmarks of one name, of which only the first is measured."""
    here, there = place_of(kept.function), place_of(lost.function)
    text = "two benchmarks have this name, and only the one %s is measured" % at(here)
    return finding(lost.module, kept.name, ERROR, text, there)


def redefined(suite, module):
    """Returns the findings for definitions that a later one of the same name replaces."""
    below = suite.below_root(module.__name__)
    file = getattr(module, "__file__", None)
    prefix = [below] if below else []
    return [
        finding(
            below,
            ".".join(prefix + [name]),
            ERROR,
            "it is defined again in line %d, and this one is lost" % again,
            (file, line),
        )
        for name, line, again in redefinition.of_file(file)
    ]


def inspect_each(candidates, send):
    """Sends exactly one message for each candidate, with its findings."""
    # What a class or a module declares is told with the first of its benchmarks.
    seen = set()
    for candidate in candidates:
        try:
            findings = of_candidate(candidate, seen)
        except BaseException:
            # Whoever describes it tells of that.
            findings = []
        send({"findings": findings})


def of_candidate(candidate, seen):
    definition = candidate.define()
    place = place_of(candidate.function)
    told = [(ERROR, text) for text in declarations.errors(definition)]
    told += [(NOTE, text) for text in declarations.notes(definition)]
    told += [
        (NOTE, "`%s` is nothing that is read: is `%s` meant?" % (name, meant))
        for name, meant in declarations.misspelt(owners(candidate), seen)
    ]
    return [finding(candidate.module, candidate.name, level, text, place) for level, text in told]


def owners(candidate):
    """Returns (name, attributes) of what a benchmark's attributes are looked for in."""
    yield candidate.attribute, id(candidate.function), getattr(candidate.function, "__dict__", {})
    for klass in inspect.getmro(candidate.klass)[:-1] if candidate.klass else ():
        yield klass.__name__, id(klass), vars(klass)
    yield "", id(candidate.python_module), vars(candidate.python_module)


def place_of(function):
    """Returns the file and the line in which a function was written, each None if not known."""
    try:
        function = inspect.unwrap(function)
    except ValueError:
        # It wraps itself.
        pass
    code = getattr(function, "__code__", None)
    return getattr(code, "co_filename", None), getattr(code, "co_firstlineno", None)


def at(place):
    file, line = place
    return "of %s, line %s" % (os.path.basename(file), line) if file else "found first"


def finding(module, name, level, text, place):
    file, line = place
    return {
        "module": module,
        "name": name,
        "level": level,
        "text": clean(text),
        "file": file,
        "line": line,
    }
