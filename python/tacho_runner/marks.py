"""The decorators that suites import from `asv_runner.benchmarks.mark`, for where it is missing.

Each decorator of a function returns a thin wrapper, as asv_runner's do: the wrapper is part of
what is timed, so that readings stay comparable with those taken beside the real package.
"""

import functools

from .functions import is_class

# What `benchmark` accepts; a misspelt attribute is better refused than ignored.
KNOWN_ATTRIBUTES = frozenset(
    "better env goal_time max_time min_run_count number param_names params pretty_name processes "
    "repeat rounds sample_time setup_cache_timeout skip_benchmark skip_params timeout timer unit "
    "version warmup_time".split()
)

__all__ = [
    "SkipNotImplemented",
    "benchmark",
    "parameterize",
    "parameterize_class_with",
    "parameterize_func_with",
    "skip_benchmark",
    "skip_benchmark_if",
    "skip_for_params",
    "skip_params_if",
    "timeout_at",
    "timeout_class_at",
    "timeout_func_at",
]


class SkipNotImplemented(NotImplementedError):
    """Raised by a benchmark to skip the case at hand."""

    def __init__(self, message=""):
        super().__init__(message)
        self.message = message


def wrapped(function, **attributes):
    """Returns a wrapper of the function that carries the attributes."""

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return marked(wrapper, attributes)


def marked(target, attributes):
    for name, value in attributes.items():
        setattr(target, name, value)
    return target


def skip_benchmark(function):
    """Leaves the function out of the suite."""
    return wrapped(function, skip_benchmark=True)


def skip_benchmark_if(condition):
    """Leaves the function out of the suite where the condition holds."""
    marks = {"skip_benchmark": True} if condition else {}
    return lambda function: wrapped(function, **marks)


def skip_for_params(skip_params_list):
    """Skips the listed combinations of parameters, without running their set-up."""
    return lambda function: wrapped(function, skip_params=skip_params_list)


def skip_params_if(skip_params_list, condition):
    """Skips the listed combinations of parameters where the condition holds."""
    marks = {"skip_params": skip_params_list} if condition else {}
    return lambda function: wrapped(function, **marks)


def parameters_of(param_dict):
    """Returns the attributes for a mapping of names to values; one parameter is a flat list."""
    values = list(param_dict.values())
    return {
        "params": values if len(values) > 1 else values[0],
        "param_names": list(param_dict),
    }


def parameterize_class_with(param_dict):
    """Gives a class its parameters."""
    return only_for(True, lambda target: marked(target, parameters_of(param_dict)))


def parameterize_func_with(param_dict):
    """Gives a function its parameters; the function itself is marked, without a wrapper."""
    return only_for(False, lambda target: marked(target, parameters_of(param_dict)))


def parameterize(param_dict):
    """Gives a class or a function its parameters."""
    return lambda target: marked(checked(target), parameters_of(param_dict))


def timeout_class_at(seconds):
    """Limits the time of every benchmark of a class."""
    return only_for(True, lambda target: marked(target, {"timeout": seconds}))


def timeout_func_at(seconds):
    """Limits the time of a function."""
    return only_for(False, lambda target: wrapped(target, timeout=seconds))


def timeout_at(seconds):
    """Limits the time of a function or of every benchmark of a class."""
    return benchmark(timeout=seconds)


def benchmark(**attributes):
    """Sets attributes of a benchmark."""
    unknown = sorted(set(attributes) - KNOWN_ATTRIBUTES)
    if unknown:
        raise TypeError("no such attribute of a benchmark: " + ", ".join(unknown))

    def decorate(target):
        if is_class(checked(target)):
            return marked(target, attributes)
        return wrapped(target, **attributes)

    return decorate


def only_for(classes, decorate):
    """Returns the decorator, refusing classes or everything else."""

    def decorator(target):
        if is_class(checked(target)) is not classes:
            raise TypeError("decorates %s only" % ("classes" if classes else "functions"))
        return decorate(target)

    return decorator


def checked(target):
    if not callable(target):
        raise TypeError("decorates functions and classes only")
    return target
