"""Functions of a module: names, kinds and attributes."""

import timeit


def Set_Up():
    """A name that is nobody's hook."""


def Setup():
    """The module's set-up, found whatever the case of its letters."""


def teardown():
    pass


def time_plain():
    pass


def TimePascal():
    pass


def Time_underscore():
    pass


def Timelower():
    """No benchmark: a capital letter or an underscore is missing."""


def time_():
    """No benchmark: nothing follows the prefix."""


def _time_private():
    pass


def time_attributes():
    pass  # Trailing spaces follow.   


time_attributes.number = 3
time_attributes.repeat = (1, 3, 5.0)
time_attributes.processes = 4
time_attributes.sample_time = 0.1
time_attributes.warmup_time = 0
time_attributes.min_run_count = 1
time_attributes.timer = timeit.default_timer
time_attributes.timeout = 12.5
time_attributes.pretty_name = "Attributes, all of them"
time_attributes.better = "higher"
time_attributes.ticket = 17
time_attributes.tags = ["a", ("b", None)]
time_attributes.not_json = object()
time_attributes._private = 1


def time_versioned():
    pass


time_versioned.version = 2


def setup_of_one():
    return 1


def time_own_setup():
    pass


time_own_setup.setup = setup_of_one


def time_named():
    pass


time_named.benchmark_name = "elsewhere.Group.time_renamed"


def helper_with_a_benchmark_name():
    pass


helper_with_a_benchmark_name.benchmark_name = "track_made"


def time_shown_otherwise():
    pass


time_shown_otherwise.pretty_source = """
    for letter in "ünïcode":
        pass
"""


def timeraw_text():
    return "import os"


def timeraw_pair():
    return "x + 1", "x = 1"


timeraw_pair.env = {"B": 2, "A": "1\nB=3"}


def TimerawPascal():
    return "pass"


def mem_list():
    return [0] * 1000


def MemDict():
    return dict.fromkeys(range(10))


def peakmem_list():
    return [0] * 1000


def PeakMemList():
    return [0] * 1000


def track_number():
    return 42


track_number.unit = "answers"
track_number.type = "track"


def TrackPascal():
    return 1.5


def make(n):
    def time_made():
        return n

    return time_made


time_from_factory = make(3)
time_lambda = lambda: None  # noqa: E731


def time_many_lines(
    first=1,
    # A comment inside.
    second="""a
  string""",
):

    if first:
        return second


async def time_awaited():
    pass
