"""The modules of a folder are those that `pkgutil` lists, in its order."""

import importlib
import importlib.machinery
import os
import pkgutil
import unittest

from .check import check
from .conversation import load_runner
from .in_folder import InFolder

load_runner()
submodules = importlib.import_module("tacho_runner.submodules")

EXTENSION = importlib.machinery.EXTENSION_SUFFIXES[0]

FILES = (
    "__init__.py",
    "b.py",
    "a.py",
    "a.pyc",
    "data.txt",
    "not.a.module.py",
    "fast" + EXTENSION,
    "package/__init__.py",
    "package/inner.py",
    "compiled/__init__" + EXTENSION,
    "both/__init__.py",
    "both.py",
    "folder/module.py",
    "with.dot/__init__.py",
    "__pycache__/a.cpython-311.pyc",
)


class Listing(InFolder):
    def test_like_pkgutil(self):
        for name in FILES:
            self.write(os.path.join("suite", name), "")
        folders = [os.path.join(self.folder, "suite"), os.path.join(self.folder, "missing")]
        known = [
            (os.path.join(found.module_finder.path, found.name), found.ispkg)
            for found in pkgutil.iter_modules(folders)
        ]
        check(list(submodules.listed(folders)), known)
        names = [os.path.basename(path) for path, _ in known]
        check(names, ["a", "b", "both", "compiled", "fast", "package"])


if __name__ == "__main__":
    unittest.main()
