"""Lists the modules of a package's folder as `pkgutil` does, which loads much more than that takes."""

import importlib.machinery
import os

# The longest first: `.cpython-311-x86_64-linux-gnu.so` ends in `.so`, too.
SUFFIXES = sorted(importlib.machinery.all_suffixes(), key=len, reverse=True)


def listed(folders):
    """Yields (path without suffix, whether it is a package) of each module, in the order of the names."""
    for folder in folders:
        seen = set()
        for entry in sorted(entries(folder)):
            name = module_name(entry)
            path = os.path.join(folder, entry)
            is_package = name is None and is_a_package(path)
            name = entry if is_package else name
            if name and "." not in name and name != "__init__" and name not in seen:
                seen.add(name)
                yield os.path.join(folder, name), is_package


def entries(folder):
    try:
        return os.listdir(folder)
    except OSError:
        return []


def module_name(entry):
    """Returns the name of the module that a file holds, or None."""
    for suffix in SUFFIXES:
        if entry.endswith(suffix):
            return entry[: -len(suffix)]
    return None


def is_a_package(path):
    return any(module_name(entry) == "__init__" for entry in entries(path))
