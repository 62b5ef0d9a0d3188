"""Declarations that are wrong, and some that are hardly meant."""


def time_settings():
    pass


time_settings.repeat = "often"
time_settings.sample_time = "1 ms"
time_settings.rounds = 0
time_settings.timer = "clock"


def time_fine():
    pass


time_fine.repeat = (1, 3, 10.0)
time_fine.number = 2
time_fine.rounds = 3
time_fine.version = "1"


def time_unreadable():
    pass


time_unreadable.number = "many"


class Odd:
    param_names = ["one", "two"]
    params = [1, 2]
    skip_params = [1]
    better = "more"
    time_out = 5
    rounds_ = 2
    repeats = 3

    def set_up(self, n):
        pass

    def time_odd(self, n):
        pass


def time_text(letter):
    pass


time_text.params = "abc"
time_text.param_names = "letter"


def time_none(n):
    pass


time_none.params = [[]]


def time_generator():
    yield 1


def time_twice():
    pass


def time_twice():  # noqa: F811
    pass


class Twice:
    def setup(self):
        pass

    def setup(self):  # noqa: F811
        pass

    def time_one(self):
        pass


def made(n):
    class Made:
        def time_made(self):
            return n

    return Made


One = made(1)
Two = made(2)
Again = One
