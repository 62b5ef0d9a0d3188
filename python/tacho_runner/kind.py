"""What every kind of benchmark has: a name, a unit, and a way to take a reading."""


class Kind:
    """A kind of benchmark; the subclasses measure."""

    name = None
    # The unit of the readings, and the method that takes them, where they are always the same.
    fixed_unit = None
    fixed_method = None

    def unit(self, definition):
        return self.fixed_unit

    def method(self, requested):
        """Returns the name of the measuring method, or None where only a reading can tell."""
        return self.fixed_method

    def settings(self, definition):
        """Returns the settings of a kind that times."""
        return {}

    def version_suffix(self, definition):
        """Returns what belongs to the benchmark's version beside its code."""
        return ""

    def starts_cold(self, sources):
        """Tells whether the first call in this process is one that counts."""
        return False

    def measure(self, case, method):
        """Returns the fields of the reply that hold the reading."""
        raise NotImplementedError


def values_reading(method, values):
    return {"method": method, "number": None, "samples_ns": None, "values": values}
