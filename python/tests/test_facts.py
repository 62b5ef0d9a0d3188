"""Distributions are read from their folders as `importlib.metadata` reads them."""

import importlib
import importlib.metadata
import os
import platform
import sys
import unittest
import zipfile

from .check import check
from .conversation import load_runner
from .in_folder import InFolder

load_runner()
facts = importlib.import_module("tacho_runner.facts")

METADATA = "Metadata-Version: 2.1\nName: %s\nVersion: %s\nSummary: Name: other\n\nName: body\n"


class Packages(InFolder):
    def on_path(self, *names):
        path = sys.path
        self.addCleanup(setattr, sys, "path", path)
        # What is there already stays: modules may still be imported from it.
        sys.path = [os.path.join(self.folder, name) for name in names] + path

    def check_like_importlib(self):
        found = {}
        for name, version in facts.in_general():
            if name and version:
                found.setdefault(name, version)
        check(facts.packages(), found)
        return found

    def test_here(self):
        self.check_like_importlib()

    def test_every_form(self):
        self.write("site/One.Two-1.0.dist-info/METADATA", METADATA % ("One.Two", "1.0"))
        self.write("site/egg-2.0.egg-info/PKG-INFO", METADATA % ("egg", "2.0"))
        self.write("site/file-3.0.egg-info", METADATA % ("file", "3.0"))
        self.write("site/nameless-4.0.dist-info/METADATA", "Version: 4.0\n\n")
        self.write("site/empty-5.0.dist-info/RECORD", "")
        self.write("site/lower-6.0.dist-info/METADATA", "name:lower\nVERSION:  6.0  \n")
        self.write("site/package/METADATA", METADATA % ("no-distribution", "7.0"))
        self.write("later/one.two-9.0.dist-info/METADATA", METADATA % ("One.Two", "9.0"))
        self.write("old.egg/EGG-INFO/PKG-INFO", METADATA % ("old", "8.0"))
        with zipfile.ZipFile(os.path.join(self.folder, "archive.zip"), "w") as archive:
            archive.writestr("zipped-1.5.dist-info/METADATA", METADATA % ("zipped", "1.5"))
        self.on_path("site", "later", "old.egg", "archive.zip", "missing")
        found = self.check_like_importlib()
        known = {
            "One.Two": "1.0",
            "egg": "2.0",
            "file": "3.0",
            "lower": "6.0  ",
            "old": "8.0",
            "zipped": "1.5",
        }
        check({name: found.get(name) for name in known}, known)
        check([name for name in found if name in ("body", "empty", "other", "no-distribution")], [])

    def test_finders_of_others_are_asked(self):
        class Finder:
            def find_spec(self, fullname, path=None, target=None):
                return None

            def find_distributions(self, context=None):
                return [Own()]

        class Own(importlib.metadata.Distribution):
            def read_text(self, filename):
                return METADATA % ("own", "1") if filename == "METADATA" else None

            def locate_file(self, path):
                return path

        finder = Finder()
        sys.meta_path.append(finder)
        self.addCleanup(sys.meta_path.remove, finder)
        check(facts.packages()["own"], "1")

    def test_compiler(self):
        check(facts.build(), {"cc": platform.python_compiler()})


if __name__ == "__main__":
    unittest.main()
