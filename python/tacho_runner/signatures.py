"""Tells whether a benchmark's functions take the arguments that they are called with."""

import inspect

from .errors import Misfit
from .number import shown


def refuse_misfits(case):
    """Raises `Misfit` where one of the case's functions cannot be called with its arguments."""
    definition = case.definition
    names = list(definition.parameters.names)
    if len(case.arguments) > len(case.values):
        names.insert(0, "what setup_cache returned")
    roles = [("setup", setup) for setup in definition.setups]
    roles += [("the benchmark", definition.function)]
    roles += [("teardown", teardown) for teardown in definition.teardowns]
    for role, function in roles:
        refuse_misfit(role, function, case.arguments, names)


def refuse_misfit(role, function, arguments, names):
    if not callable(function):
        raise Misfit("%s is %s, which is no function" % (role, shown(function)))
    try:
        # A decorator's wrapper takes what it takes, whatever the function in it asks for.
        signature = inspect.signature(function, follow_wrapped=False)
    except (TypeError, ValueError):
        # Functions written in C do not always tell.
        return
    try:
        signature.bind(*arguments)
    except TypeError as error:
        called = "without arguments" if not names else "with (%s)" % ", ".join(names)
        raise Misfit("`%s` is called %s: %s" % (heading(function, signature), called, error))


def heading(function, signature):
    """Returns the function's name with the names of what it takes: defaults may be of any length."""
    marks = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    taken = [
        marks.get(parameter.kind, "")
        + name
        + ("" if parameter.default is inspect.Parameter.empty else "=…")
        for name, parameter in signature.parameters.items()
    ]
    name = getattr(function, "__name__", type(function).__name__)
    return "%s(%s)" % (name, ", ".join(taken))
