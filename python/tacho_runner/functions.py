"""Questions about functions and classes, answered without the weight of `inspect`.

What this interpreter has loaded, each forked process has to carry, and the measured code finds it loaded.
"""

import functools
import types

# Py_TPFLAGS_IS_ABSTRACT and CO_COROUTINE of CPython; `inspect` has the same numbers.
ABSTRACT = 1 << 20
COROUTINE = 1 << 7


def is_class(value):
    return isinstance(value, type)


def is_function(value):
    return isinstance(value, types.FunctionType)


def is_method(value):
    return isinstance(value, types.MethodType)


def is_abstract(klass):
    return bool(klass.__flags__ & ABSTRACT)


def members(klass):
    """Yields the names and values of a class's attributes, in the order of the names."""
    for name in sorted(dir(klass)):
        try:
            yield name, getattr(klass, name)
        except AttributeError:
            # Listed and not there, as an abstract class's own methods may be.
            continue


def is_async(function):
    """Tells whether a function, or the innermost one that decorators have wrapped, is `async`."""
    inner = innermost(function)
    if is_coroutine_function(function):
        return True
    return inner is not function and is_coroutine_function(inner)


def innermost(function):
    seen = set()
    while hasattr(function, "__wrapped__") and id(function) not in seen:
        seen.add(id(function))
        function = function.__wrapped__
    return function


def is_coroutine_function(function):
    while isinstance(function, (types.MethodType, functools.partial)):
        function = function.__func__ if is_method(function) else function.func
    if hasattr(function, "_is_coroutine_marker"):
        # Whoever has marked it has loaded this.
        import inspect

        return inspect.iscoroutinefunction(function)
    code = getattr(function, "__code__", None)
    return isinstance(code, types.CodeType) and bool(code.co_flags & COROUTINE)
