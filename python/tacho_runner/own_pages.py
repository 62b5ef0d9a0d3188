"""Gives a forked process memory of its own before a first call is timed in it.

After a fork every page is shared until it is written to, and pages of libraries are not mapped
until they are read. A first call pays for both, bit by bit, and reads two or three times as slow
as in a fresh interpreter (measured with NumPy's and PyWavelets' suites). Paid up front it takes a
few milliseconds. A warm-up makes it needless.
"""

import array
import functools
import mmap

from . import native

# From linux/mman.h, since Linux 5.14. An older kernel refuses, and the case runs as it is.
MADV_POPULATE_READ = 22
MADV_POPULATE_WRITE = 23

ENTRY_BYTES = 8
# Set in an entry of /proc/self/pagemap where the page is in memory.
PRESENT = 1 << 63
# Pages between two ranges that are cheaper to take along than to leave out.
BRIDGE = {MADV_POPULATE_READ: 16, MADV_POPULATE_WRITE: 1}
# Beyond this the copies would cost more than they save, and memory besides.
LARGEST_TOTAL_BYTES = 512 << 20


def take_over(ranges):
    """Maps what is shared with others for reading, and copies what is this process's own."""
    for start, length, advice in ranges:
        native.advise_memory(start, length, advice)


@functools.lru_cache(maxsize=1)
def ranges_in_use():
    """Returns (start, length, advice) of the memory that this process has in use by now."""
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
    page = mmap.PAGESIZE
    pagemap.seek(start // page * ENTRY_BYTES)
    entries = array.array("Q", pagemap.read((end - start) // page * ENTRY_BYTES))
    first = last = None
    for number, entry in enumerate(entries):
        if not entry & PRESENT:
            continue
        if last is not None and number - last > BRIDGE[advice]:
            yield start + first * page, (last + 1 - first) * page, advice
            first = None
        first = number if first is None else first
        last = number
    if first is not None:
        yield start + first * page, (last + 1 - first) * page, advice
