"""Imports what is not installed."""

import a_module_that_nobody_has


def time_never():
    pass
