"""Sums of numbers, timed in every way that has its own rule."""


def time_sum():
    sum(range(100))


def time_hash():
    hash("tacho")


time_hash.number = 10
time_hash.repeat = 3
time_hash.warmup_time = 0


class Lists:
    params = ([10, 100], ["'", "l2"])
    param_names = ["n", "kind"]

    def setup(self, n, kind):
        self.numbers = list(range(n))

    def time_total(self, n, kind):
        sum(self.numbers)

    def time_sorted(self, n, kind):
        sorted(self.numbers)

    time_sorted.timeout = 30


def timeraw_import():
    return "import decimal"


timeraw_import.repeat = 1
timeraw_import.warmup_time = 0
