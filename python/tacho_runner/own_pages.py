"""Gives a forked process memory of its own before a first call is timed in it.

After a fork every page is shared until it is written to, and pages of libraries are not mapped
until they are read. A first call pays for both, bit by bit, and reads two or three times as slow
as in a fresh interpreter (measured with NumPy's and PyWavelets' suites, and with first calls of
the standard library). Paid up front it takes a few milliseconds where libraries of others are loaded,
which may write to anything, and a few tenths of one for what a suite in plain Python can reach.
A warm-up makes it needless.
"""

import os
import sys
import time

from . import isolation, native, reach
from .timing import time_calls

# From linux/mman.h, since Linux 5.14. An older kernel refuses, and the case runs as it is.
MADV_POPULATE_READ = 22
MADV_POPULATE_WRITE = 23

PAGE_BYTES = reach.PAGE_BYTES
ENTRY_BYTES = 8
# Set in an entry of /proc/self/pagemap where the page is in memory.
PRESENT = 1 << 63
# Pages between two ranges that are cheaper to take along than to leave out.
BRIDGE = {MADV_POPULATE_READ: 16, MADV_POPULATE_WRITE: 1}
# Beyond this the copies would cost more than they save, and memory besides.
LARGEST_TOTAL_BYTES = 512 << 20

EXTENSIONS = os.path.realpath(os.path.join(os.path.dirname(os.__file__), "lib-dynload"))


class OwnMemory:
    """The memory that matters to a suite. Made before the suite is imported."""

    def __init__(self):
        self.libraries = libraries()
        self.ranges = None

    def find(self, catalogue, channel):
        """Finds the ranges, once."""
        if self.ranges is None:
            numbers = None if self.is_extended() else reached_pages(catalogue, channel)
            self.ranges = ranges_in_use() if numbers is None else ranges_of(numbers)
            native.memory_adviser()
        return self

    def is_extended(self):
        """Tells whether there is more to write to than objects: other libraries, or another Python."""
        new = libraries() - self.libraries
        foreign = any(os.path.dirname(path) != EXTENSIONS for path in new)
        return foreign or sys.implementation.name != "cpython"

    def take_over(self, function):
        """Maps what is shared with others for reading, and copies what is this process's own."""
        # What only the clock's own loop touches is no part of a reading either. Before the rest, which
        # leaves the processor's caches as cold as a fresh interpreter finds them.
        time_calls(nothing, 1, time.perf_counter_ns)
        native.advise_memory(self.ranges)
        reach.own_parts(function)


def nothing():
    pass


def libraries():
    """Returns the files of the programs and libraries that are loaded."""
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
            fields = [line.split(None, 5) for line in maps]
    except OSError:
        return set()
    return {entry[5].rstrip("\n") for entry in fields if "x" in entry[1] and len(entry) > 5}


def reached_pages(catalogue, channel):
    """Returns the pages of what a suite can reach, or None; a process of its own looks for them."""

    def work(send):
        benchmarks = [candidate.function for candidate in catalogue.by_name.values()]
        send({"pages": reach.pages(catalogue.package, benchmarks)})

    answers = []
    isolation.run_forked(work, answers.append, channel)
    return answers[-1]["pages"] if answers else None


def ranges_of(numbers):
    """Returns (start, length, advice) of pages to be written to, small gaps closed."""
    advice = MADV_POPULATE_WRITE
    return [
        (first * PAGE_BYTES, (last + 1 - first) * PAGE_BYTES, advice)
        for first, last in spans(numbers, BRIDGE[advice])
    ]


def ranges_in_use():
    """Returns (start, length, advice) of all memory that this process has in use by now."""
    found = []
    try:
        with open("/proc/self/pagemap", "rb", buffering=0) as pagemap:
            for start, end, advice in mappings():
                found.extend(present_ranges(pagemap, start, end, advice))
    except (OSError, ValueError):
        return []
    return found if sum(length for _, length, _ in found) <= LARGEST_TOTAL_BYTES else []


def mappings():
    """Yields (start, end, advice) of each mapping that a fork leaves to be faulted in."""
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
        for line in maps.readlines():
            fields = line.split(None, 5)
            start, end = (int(address, 16) for address in fields[0].split("-"))
            if end - start > LARGEST_TOTAL_BYTES:
                continue
            is_file = len(fields) > 5 and fields[5].startswith("/")
            if fields[1].startswith("rw") and fields[1].endswith("p"):
                yield start, end, MADV_POPULATE_WRITE
            elif is_file and fields[1].startswith("r"):
                yield start, end, MADV_POPULATE_READ


def present_ranges(pagemap, start, end, advice):
    """Yields the parts of a mapping that are in memory, small gaps closed."""
    pagemap.seek(start // PAGE_BYTES * ENTRY_BYTES)
    entries = pagemap.read((end - start) // PAGE_BYTES * ENTRY_BYTES)
    entries = memoryview(entries[: len(entries) // ENTRY_BYTES * ENTRY_BYTES]).cast("Q")
    numbers = (number for number, entry in enumerate(entries) if entry & PRESENT)
    for first, last in spans(numbers, BRIDGE[advice]):
        yield start + first * PAGE_BYTES, (last + 1 - first) * PAGE_BYTES, advice


def spans(numbers, bridge):
    """Yields the first and the last of numbers that follow each other, gaps up to `bridge` closed."""
    first = last = None
    for number in numbers:
        if last is not None and number - last > bridge:
            yield first, last
            first = None
        first = number if first is None else first
        last = number
    if first is not None:
        yield first, last
