"""Imports a suite: a package found only by its own name, or a single file."""

import importlib
import importlib.machinery
import os
import sys

from . import errors, submodules
from .errors import RequestError


class RootFinder:
    """Finds the suite's package without its parent folder being on `sys.path`.

    That folder may hold anything, such as the uninstalled sources of the measured project.
    """

    def __init__(self, name, parent):
        self.name = name
        self.parent = parent

    def find_spec(self, fullname, path=None, target=None):
        if fullname != self.name:
            return None
        return importlib.machinery.PathFinder.find_spec(fullname, [self.parent], target)


class Suite:
    """The modules of a suite that could be imported, and the problems of those that could not."""

    def __init__(self, name, is_file, skip, announce):
        self.name = name
        self.is_file = is_file
        self.skip = skip
        self.announce = announce
        self.modules = []
        self.problems = []

    def below_root(self, module_name):
        """Returns a module's name below the root, or None where it is not of this suite."""
        if self.is_file:
            return module_name if module_name == self.name else None
        if module_name == self.name:
            return ""
        prefix = self.name + "."
        return module_name[len(prefix):] if module_name.startswith(prefix) else None

    def is_skipped(self, module_name):
        """Tells whether a module, or a package it is in, is not to be imported."""
        above = self.below_root(module_name)
        while above and above not in self.skip:
            above = above.rpartition(".")[0]
        # The root has no name, and above is empty also where nothing but it is left.
        return above in self.skip

    def attempt(self, module_name, file, load):
        """Imports one module unless it is skipped, keeping its failure as a problem."""
        if self.is_skipped(module_name):
            return None
        try:
            module = load()
        except errors.HangUp:
            raise
        except BaseException as error:
            # Not only Exception: modules have been seen to exit or to raise a test library's skip.
            self.problems.append(
                errors.problem(
                    error,
                    module=self.below_root(module_name),
                    file=file,
                    line=errors.line_of(error, file),
                )
            )
            return None
        self.modules.append(module)
        return module


def load(request, only, skip, announce):
    """Imports the suite that the request describes.

    `skip` names modules below the root that are left out with all that is in them; `announce` is
    told the name of each module before it is imported.
    """
    kind = request.get("kind")
    if kind == "package":
        return load_package(os.path.abspath(text(request, "root")), only, skip, announce)
    if kind == "file":
        return load_file(os.path.abspath(text(request, "path")), skip, announce)
    raise RequestError("no suite of kind `%s`" % kind)


def text(request, field):
    value = request.get(field)
    if not isinstance(value, str):
        raise RequestError("the suite has no `%s`" % field)
    return value


def load_package(root, only, skip, announce):
    if not os.path.isfile(os.path.join(root, "__init__.py")):
        raise RequestError("no package at %s: it has no __init__.py" % root)
    parent, name = os.path.split(root)
    refuse_taken(name)
    suite = Suite(name, False, skip, announce)
    sys.meta_path.insert(0, RootFinder(name, parent))
    if only is None:
        import_tree(suite, name, root)
    else:
        import_one(suite, name + "." + only if only else name)
    return suite


def load_file(path, skip, announce):
    if not os.path.isfile(path):
        raise RequestError("no file at %s" % path)
    name = os.path.splitext(os.path.basename(path))[0]
    refuse_taken(name)
    suite = Suite(name, True, skip, announce)
    suite.attempt(name, path, lambda: execute(suite, name, path))
    return suite


def refuse_taken(name):
    if name in sys.modules:
        raise RequestError("the suite cannot be called `%s`: a loaded module is" % name)


def execute(suite, name, path):
    suite.announce(suite.below_root(name))
    # Here, as it loads `threading` in newer versions, which every forked process then pays for.
    import importlib.util

    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None:
        raise ImportError("%s is not a Python file" % path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def import_tree(suite, module_name, folder):
    """Imports a package and all that is below it, in the order of the names."""
    init = os.path.join(folder, "__init__.py")
    package = suite.attempt(module_name, init, lambda: import_announced(suite, module_name))
    if package is None:
        return
    for path, is_package in submodules.listed(package.__path__):
        name = module_name + "." + os.path.basename(path)
        if is_package:
            refuse_twin(suite, name, path)
            import_tree(suite, name, path)
        else:
            import_one(suite, name)


def refuse_twin(suite, name, path):
    """Notes a module that is both a file and a folder: one of them would silently be left out."""
    if os.path.isfile(path + ".py"):
        below = suite.below_root(name)
        twin = ImportError("both a folder and a file are called `%s`" % below)
        suite.problems.append(errors.problem(twin, module=below, file=path + ".py", line=None))


def import_one(suite, name):
    suite.attempt(name, file_of(name), lambda: import_announced(suite, name))


def import_announced(suite, name):
    """Imports a module and the packages it is in, each announced if it is not there yet."""
    parts = name.split(".")
    for n_parts in range(1, len(parts) + 1):
        module_name = ".".join(parts[:n_parts])
        if module_name not in sys.modules:
            suite.announce(suite.below_root(module_name))
        module = importlib.import_module(module_name)
    return module


def file_of(name):
    """Returns the file of a module that is not imported yet, or None."""
    parent, _, stem = name.rpartition(".")
    for folder in getattr(sys.modules.get(parent), "__path__", ()):
        for candidate in (stem + ".py", os.path.join(stem, "__init__.py")):
            path = os.path.join(folder, candidate)
            if os.path.isfile(path):
                return path
    return None
