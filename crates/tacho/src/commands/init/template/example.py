"""A first suite: copy from it, then delete it.

A benchmark is a function or a method whose name begins with what is measured:

    time_      how long a call takes
    timeraw_   how long code takes in a fresh interpreter
    mem_       the size of the object that is returned
    peakmem_   the most memory that the process needed
    track_     the number that is returned

The package under test is imported as it is installed in the interpreter that measures.
"""

import random


def time_join():
    "".join(str(number) for number in range(1000))


class Sorting:
    """Each combination of the parameters is a case of its own."""

    params = [[100, 10_000], ["shuffled", "sorted"]]
    param_names = ["n", "order"]

    def setup(self, n, order):
        """Prepares a case; its time does not count."""
        self.numbers = list(range(n))
        if order == "shuffled":
            random.Random(0).shuffle(self.numbers)

    def time_sort(self, n, order):
        sorted(self.numbers)

    def track_bytes(self, n, order):
        return self.numbers.__sizeof__()

    track_bytes.unit = "bytes"
