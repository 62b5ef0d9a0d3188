"""Benchmarks that another module wrote."""

from .classes import Base, Child as Renamed
from .functions import time_plain
from .functions import time_plain as time_alias
from .functions import timeraw_text as time_other_kind
