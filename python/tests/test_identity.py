"""Names, versions, parameters and attributes are those that asv_runner gives."""

import json
import os
import unittest

from .check import check
from .conversation import TESTS, Conversation

FIELDS = ("version", "code", "params", "param_names", "timeout_s", "unit", "pretty_name")

def recorded():
    with open(os.path.join(TESTS, "recorded", "forms.json"), encoding="utf-8") as file:
        return json.load(file)["benchmarks"]


class Identity(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with Conversation() as runner:
            cls.loaded = runner.load("forms")
            cls.discovered, found = runner.ask("discover", isolation="fork")
        cls.found = {benchmark["name"]: benchmark for benchmark in found}

    def test_everything_is_found(self):
        check(self.loaded["problems"], [])
        check(self.discovered["problems"], [])
        check(sorted(self.found), sorted(recorded()))

    def test_fields_are_equal(self):
        for name, theirs in recorded().items():
            ours = self.found[name]
            for field in FIELDS:
                check(ours[field], theirs[field], name + " " + field)

    def test_settings_are_equal(self):
        for name, theirs in recorded().items():
            check(self.found[name]["settings"], theirs["settings"], name)

    def test_caches_are_equal(self):
        for name, theirs in recorded().items():
            cache = self.found[name]["setup_cache"]
            check(cache and cache["key"], theirs["setup_cache_key"], name)
            timeout = cache and cache["timeout_s"]
            check(timeout, theirs["setup_cache_timeout_s"], name)

    def test_own_attributes(self):
        attributes = self.found["functions.time_attributes"]
        check(attributes["extra"], {"ticket": 17, "tags": ["a", ["b", None]]})
        check(attributes["better"], "higher")
