"""Starts the runner by path, leaving no trace of it where the measured code looks for modules."""

import os
import sys
import types


def load_package(folder):
    """Imports the runner's package from its folder without putting anything on `sys.path`."""
    import importlib.util

    name = os.path.basename(folder)
    location = os.path.join(folder, "__init__.py")
    spec = importlib.util.spec_from_file_location(
        name, location, submodule_search_locations=[folder]
    )
    package = importlib.util.module_from_spec(spec)
    sys.modules[name] = package
    spec.loader.exec_module(package)
    # Whatever is asked for the measured code: to compile the runner at each start would double
    # the time that takes.
    wanted, sys.dont_write_bytecode = sys.dont_write_bytecode, False
    try:
        return importlib.import_module(name + ".serve")
    finally:
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
