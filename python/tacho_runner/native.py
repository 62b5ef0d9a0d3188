"""Calls into the C library that Python does not offer, or not in all its versions."""

import functools
import os
import sys

# From linux/prctl.h.
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
# The number of pidfd_open on every architecture; Python has the call since 3.9.
SYS_PIDFD_OPEN = 434


@functools.lru_cache(maxsize=1)
def library():
    """Returns the C library; an interpreter without ctypes measures all the same."""
    try:
        import ctypes

        return ctypes.CDLL(None) if os.name == "posix" else None
    except Exception:
        return None


def ask_for_signal_at_parents_end(number):
    """Has the kernel send this process a signal when its parent ends; 0 is none."""
    if library() is not None and sys.platform.startswith("linux"):
        library().prctl(PR_SET_PDEATHSIG, number, 0, 0, 0)


@functools.lru_cache(maxsize=1)
def become_subreaper():
    """Has the kernel hand orphans among this process's descendants to it, where it can."""
    if library() is not None and sys.platform.startswith("linux"):
        library().prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def flush_c_streams():
    if library() is not None:
        library().fflush(None)


def open_pid(pid):
    """Returns a descriptor that becomes readable when the process ends, or None."""
    if hasattr(os, "pidfd_open"):
        try:
            return os.pidfd_open(pid)
        except OSError:
            return None
    if library() is None or not sys.platform.startswith("linux"):
        return None
    fd = library().syscall(SYS_PIDFD_OPEN, pid, 0)
    return fd if fd >= 0 else None


def advise_memory(ranges):
    """Tells the kernel how ranges of memory, (start, length, advice), will be used; it may decline."""
    call = memory_adviser()
    for start, length, advice in ranges if call else ():
        call(start, length, advice)


@functools.lru_cache(maxsize=1)
def memory_adviser():
    """Returns the C library's `madvise`, told its types once rather than at each call, or None."""
    if library() is None:
        return None
    import ctypes

    call = library().madvise
    call.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    return call
