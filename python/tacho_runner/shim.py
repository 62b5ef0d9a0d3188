"""Offers asv_runner's names to a suite when the real package is not installed."""

import importlib.machinery
import sys

from . import marks

MODULES = ("asv_runner", "asv_runner.benchmarks", "asv_runner.benchmarks.mark")


class Shim:
    """A finder for the end of `sys.meta_path`, asked only after the real import has failed."""

    def find_spec(self, fullname, path=None, target=None):
        parent = fullname.rpartition(".")[0]
        if fullname not in MODULES or (parent and not self.owns(parent)):
            return None
        is_package = fullname != MODULES[-1]
        return importlib.machinery.ModuleSpec(fullname, self, is_package=is_package)

    def owns(self, name):
        """Tells whether a loaded module is the shim's: a real package is never completed."""
        spec = getattr(sys.modules.get(name), "__spec__", None)
        return spec is not None and spec.loader is self

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        if module.__name__ == MODULES[-1]:
            module.__all__ = list(marks.__all__)
            for name in marks.__all__:
                setattr(module, name, getattr(marks, name))


def install():
    sys.meta_path.append(Shim())
