"""A benchmark as its author defined it: the function, its hooks, parameters and attributes."""

import functools
import inspect
import itertools
import operator

from . import attributes, identity, wire
from .errors import RequestError

# Attributes that mean something to a runner; the others of a function are the user's own.
KNOWN = frozenset(
    "benchmark_name better code env func goal_time max_time min_run_count name number param_names "
    "params pretty_name pretty_source processes repeat rounds sample_time setup setup_cache "
    "setup_cache_key setup_cache_timeout skip_benchmark skip_params teardown timeout timer type "
    "unit version version_alts warmup_time".split()
)


class Definition:
    """One benchmark, ready to be described or measured."""

    def __init__(self, name, module, kind, function, sources, suite_module):
        self.name = name
        self.module = module
        self.kind = kind
        self.function = function
        self.sources = sources
        # Set-up goes from the module inwards, tear-down outwards.
        self.setups = attributes.hooks(sources, "setup")[::-1]
        self.teardowns = attributes.hooks(sources, "teardown")
        self.setup_cache = attributes.first(sources, "setup_cache")
        self.cache_key = None
        if self.setup_cache is not None:
            self.cache_key = identity.cache_key(self.setup_cache, suite_module)
        self.timeout = attributes.first(sources, "timeout")
        self.skipped_values = attributes.first(sources, "skip_params", [])
        self.values, self.param_names = parameters(sources)
        self.params = identity.parameter_texts(self.values)

    @property
    def is_async(self):
        # Decorators hide an `async def` behind an ordinary wrapper.
        return any(
            inspect.iscoroutinefunction(function)
            for function in (self.function, inspect.unwrap(self.function))
        )

    @functools.cached_property
    def code(self):
        return identity.code_of([self.function] + self.setups + [self.setup_cache])

    @property
    def version(self):
        declared = attributes.first(self.sources, "version")
        if declared is not None:
            return wire.clean(str(declared))
        return identity.version_of(self.code + self.kind.version_suffix(self))

    def case(self, index, texts=None):
        """Returns the values of the case at that index, or of the case that reads like `texts`.

        Texts say which case is meant even where the order of the values depends on the process,
        as it does for the elements of a set.
        """
        n_cases = functools.reduce(operator.mul, map(len, self.values), 1)
        if not 0 <= index < n_cases:
            raise RequestError("`%s` has no case %d: it has %d" % (self.name, index, n_cases))
        if texts is None or texts == list(nth_product(self.params, index)):
            return nth_product(self.values, index)
        return self.case_of(index, texts)

    def case_of(self, index, texts):
        try:
            places = [own.index(text) for own, text in zip(self.params, texts)]
            if len(texts) == len(self.params):
                return tuple(own[place] for own, place in zip(self.values, places))
        except ValueError:
            pass
        raise RequestError(
            "`%s` has no case with the parameters (%s): case %d has (%s)"
            % (self.name, ", ".join(texts), index, ", ".join(nth_product(self.params, index)))
        )

    def describe(self):
        """Returns the body of a `benchmark` reply."""
        better = attributes.first(self.sources, "better")
        pretty_name = getattr(self.function, "pretty_name", None)
        return {
            "name": self.name,
            "module": self.module,
            "kind": self.kind.name,
            "unit": wire.clean(str(self.kind.unit(self))),
            "version": self.version,
            "code": self.code,
            "params": self.params,
            "param_names": self.param_names,
            "timeout_s": seconds(self.timeout),
            "settings": wire.plain(self.kind.settings(self)),
            "setup_cache": self.describe_cache(),
            "pretty_name": None if pretty_name is None else str(pretty_name),
            "better": better if better in ("lower", "higher") else None,
            "extra": extra(self.function),
        }

    def describe_cache(self):
        if self.cache_key is None:
            return None
        timeout = getattr(self.setup_cache, "timeout", None)
        return {"key": self.cache_key, "timeout_s": seconds(timeout)}


def parameters(sources):
    """Returns the values of each parameter and as many names."""
    names = [wire.clean(str(name)) for name in attributes.first(sources, "param_names", [])]
    values = list(attributes.first(sources, "params", []))
    if values and not isinstance(values[0], (tuple, list)):
        # A flat list is the values of a single parameter.
        values = [values]
    values = [list(entry) for entry in values]
    padding = ["param%d" % (position + 1) for position in range(len(values))]
    return values, names[: len(values)] + padding[len(names):]


def nth_product(choices, index):
    """Returns the combination at that index of the product, the last choice changing fastest."""
    return next(itertools.islice(itertools.product(*choices), index, None))


def seconds(value):
    return None if value is None else wire.plain(float(value))


def extra(function):
    """Returns the user's own attributes of the function, those that JSON can carry."""
    own = {}
    for name, value in getattr(function, "__dict__", {}).items():
        if name.startswith("_") or name in KNOWN or callable(value):
            continue
        try:
            own[name] = wire.plain(value)
        except (TypeError, RecursionError):
            continue
    return own
