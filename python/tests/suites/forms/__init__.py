"""Every form in which asv lets a benchmark be defined."""


def time_at_the_root():
    pass
