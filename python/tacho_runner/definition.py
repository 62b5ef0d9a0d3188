"""A benchmark as its author defined it: the function, its hooks, parameters and attributes."""

import functools

from . import attributes, functions, identity, limits, wire
from .errors import RequestError
from .number import shown
from .parameters import NoSuchCase, Parameters

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
        self.suite_module = suite_module
        # Set-up goes from the module inwards, tear-down outwards.
        self.setups = attributes.hooks(sources, "setup")[::-1]
        self.teardowns = attributes.hooks(sources, "teardown")
        self.setup_cache = attributes.first(sources, "setup_cache")
        self.timeout = attributes.first(sources, "timeout")
        self.skipped_values = attributes.first(sources, "skip_params", [])
        self.parameters = Parameters(sources)

    @property
    def is_async(self):
        # Decorators hide an `async def` behind an ordinary wrapper.
        return functions.is_async(self.function)

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
        """Returns the values of the case at that index, or of the case that reads like `texts`."""
        try:
            return self.parameters.case(index, texts)
        except NoSuchCase as none:
            raise RequestError("`%s` has %s" % (self.name, none)) from None

    def complaints(self):
        """Returns what is wrong with the benchmark although it can be measured."""
        limits_of = [("its timeout", self.timeout)]
        if self.setup_cache is not None:
            limits_of.append(("the timeout of its setup_cache", cache_timeout(self)))
        return [
            "%s is %s" % (name, wire.clean(shown(declared)))
            for name, declared in limits_of
            if limits.is_nonsense(declared)
        ]

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
            "params": self.parameters.texts,
            "param_names": self.parameters.names,
            "timeout_s": limits.seconds(self.timeout),
            "settings": wire.plain(self.kind.settings(self)),
            "setup_cache": self.describe_cache(),
            "pretty_name": None if pretty_name is None else str(pretty_name),
            "better": better if better in ("lower", "higher") else None,
            "extra": extra(self.function),
        }

    def describe_cache(self):
        if self.setup_cache is None:
            return None
        key = identity.cache_key(self.setup_cache, self.suite_module)
        return {"key": key, "timeout_s": limits.seconds(cache_timeout(self))}


def cache_timeout(definition):
    return getattr(definition.setup_cache, "timeout", None)


def extra(function):
    """Returns the user's own attributes of the function, those that JSON can carry."""
    own = {}
    for name, value in getattr(function, "__dict__", {}).items():
        if name.startswith("_") or name in KNOWN or callable(value):
            continue
        try:
            own[name] = wire.plain(value)
        except Exception:
            # JSON cannot carry it, or it fails when it is looked at.
            continue
    return own
