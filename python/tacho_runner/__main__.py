"""Starts the runner by path, leaving no trace of it where the measured code looks for modules."""

import os
import sys
import types


class Finder:
    """Finds the runner's package, and nothing else, in its folder."""

    def __init__(self, folder):
        from importlib.machinery import ModuleSpec, SourceFileLoader

        name = os.path.basename(folder)
        location = os.path.join(folder, "__init__.py")
        loader = SourceFileLoader(name, location)
        self.spec = ModuleSpec(name, loader, origin=location, is_package=True)
        self.spec.submodule_search_locations.append(folder)
        self.spec.has_location = True

    def find_spec(self, fullname, path=None, target=None):
        return self.spec if fullname == self.spec.name else None


def load_package(folder):
    """Imports the runner's package from its folder without putting anything on `sys.path`."""
    import importlib

    finder = Finder(folder)
    # Whatever is asked for the measured code: to compile the runner at each start would double
    # the time that takes.
    wanted, sys.dont_write_bytecode = sys.dont_write_bytecode, False
    sys.meta_path.insert(0, finder)
    try:
        return importlib.import_module(finder.spec.name + ".serve")
    finally:
        sys.meta_path.remove(finder)
        sys.dont_write_bytecode = wanted


def hide(folder):
    """Takes the runner's and the working folder off `sys.path`, and this script off `__main__`.

    `multiprocessing` runs the file of `__main__` again in processes that it spawns; an empty
    module in its place keeps the runner out of them.
    """
    hidden = ("", folder)
    sys.path[:] = [entry for entry in sys.path if entry not in hidden]
    sys.modules["__main__"] = types.ModuleType("__main__")


OLDEST = (3, 8)


def main():
    if sys.version_info < OLDEST:
        # Before anything else is imported, and in words that the oldest Python reads.
        found = ".".join(str(part) for part in sys.version_info[:3])
        sys.stderr.write("Python 3.8 or newer is needed; this is %s\n" % found)
        return 1
    folder = os.path.dirname(os.path.abspath(__file__))
    arguments = sys.argv[1:]
    script_folder = sys.path[0] if sys.path else ""
    hide(folder)
    # The interpreter may have written the folder differently, through a symbolic link.
    if script_folder in sys.path and os.path.realpath(script_folder) == os.path.realpath(folder):
        sys.path.remove(script_folder)
    serve = load_package(folder)
    sys.argv[:] = [""]
    return serve.main(arguments)


if __name__ == "__main__":
    sys.exit(main())
