"""Gives a forked process open files of its own.

A file that the suite opened at its import is shared with every process forked since: what one case
reads or seeks, the next would miss. Opened anew, at the place where the interpreter has it, it is
each case's own.
"""

import functools
import os
import stat

try:
    import fcntl
except ImportError:  # Not a POSIX system, where nothing is forked either.
    fcntl = None

DESCRIPTORS = "/proc/self/fd"

# Where the standard streams lead to a file they share their place in it: what is printed adds up.
LAST_STREAM = 2

# What a file was opened with and is to be opened with again; to create or empty it is not part of it.
KEPT_FLAGS = os.O_RDONLY | os.O_WRONLY | os.O_RDWR | os.O_APPEND | getattr(os, "O_NONBLOCK", 0)


def take_over(descriptors):
    """Opens each file anew under its number; one that cannot be stays shared."""
    for descriptor in descriptors:
        try:
            open_anew(descriptor)
        except OSError:
            pass


@functools.lru_cache(maxsize=1)
def of_suite():
    """Returns the descriptors of the files that are open after the import of the suite.

    Looked for once: the interpreter that forks opens no others, and few suites have any.
    """
    try:
        descriptors = [int(name) for name in os.listdir(DESCRIPTORS)]
    except OSError:
        # No such list on this system.
        return []
    return [number for number in descriptors if number > LAST_STREAM and is_regular(number)]


def is_regular(descriptor):
    try:
        return stat.S_ISREG(os.fstat(descriptor).st_mode)
    except OSError:
        # That of the list itself, which is closed again.
        return False


def open_anew(descriptor):
    flags = fcntl.fcntl(descriptor, fcntl.F_GETFL) & KEPT_FLAGS
    position = os.lseek(descriptor, 0, os.SEEK_CUR)
    # The link leads to the file even where that has been renamed or removed since.
    fresh = os.open("%s/%d" % (DESCRIPTORS, descriptor), flags)
    try:
        os.lseek(fresh, position, os.SEEK_SET)
        os.dup2(fresh, descriptor, os.get_inheritable(descriptor))
    finally:
        os.close(fresh)
