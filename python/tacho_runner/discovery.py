"""Finds the benchmarks in imported modules by asv's rules, instantiating nothing until asked."""

from . import attributes, errors, functions, kinds
from .definition import Definition
from .wire import clean


class Candidate:
    """A function of a module or class whose name says that it is a benchmark."""

    def __init__(self, suite, module, klass, attribute, function):
        self.suite = suite
        self.module = suite.below_root(module.__name__)
        self.python_module = module
        self.klass = klass
        self.attribute = attribute
        self.function = function
        named = getattr(function, "benchmark_name", None)
        self.kind = kinds.kind_of(str(named).split(".")[-1] if named else attribute)
        # As a request will name it.
        self.name = clean(str(named) if named else self.dotted_name())

    def dotted_name(self):
        parts = [self.module] if self.module else []
        if self.klass is None:
            # An imported function keeps the name under which it was written.
            return ".".join(parts + [self.function.__name__])
        return ".".join(parts + [self.klass.__name__, self.attribute])

    def sources(self):
        """Returns what declares its attributes, as far as that is there without an instance."""
        return [source for source in (self.function, self.klass, self.python_module) if source is not None]

    def define(self):
        """Returns the definition, instantiating the class if there is one."""
        if self.klass is None:
            function = self.function
            sources = [function, self.python_module]
        else:
            instance = self.klass()
            function = getattr(instance, self.attribute)
            sources = [function, instance, self.python_module]
        below_root = self.suite.below_root
        return Definition(self.name, self.module, self.kind, function, sources, below_root)


class Catalogue:
    """The candidates of a suite by name, in the order of discovery."""

    def __init__(self, suite):
        self.package = suite.name
        self.problems = []
        self.by_name = {}
        # Pairs of different benchmarks with one name: the first is kept.
        self.twins = []
        for module in suite.modules:
            self.add_module(suite, module)

    def add_module(self, suite, module):
        attributes.prepare(module)
        for attribute, value in list(vars(module).items()):
            if attribute.startswith("_"):
                continue
            try:
                for candidate in candidates(suite, module, attribute, value):
                    self.add(candidate)
            except Exception as error:
                self.add_problem(error, suite.below_root(module.__name__), attribute)

    def add(self, candidate):
        kept = self.by_name.setdefault(candidate.name, candidate)
        # One function found again under another name is still one benchmark.
        if (kept.klass, kept.function) != (candidate.klass, candidate.function):
            self.twins.append((kept, candidate))

    def add_problem(self, error, module, name):
        self.problems.append(errors.problem(error, module=module, name=name))


def candidates(suite, module, attribute, value):
    """Yields the candidates that one attribute of a module holds."""
    if functions.is_class(value):
        if not functions.is_abstract(value):
            for name, member in functions.members(value):
                if functions.is_function(member) or functions.is_method(member):
                    yield from if_benchmark(Candidate(suite, module, value, name, member))
    elif functions.is_function(value):
        yield from if_benchmark(Candidate(suite, module, None, attribute, value))


def if_benchmark(candidate):
    skipped = getattr(candidate.function, "skip_benchmark", False)
    return [candidate] if candidate.kind is not None and not skipped else []
