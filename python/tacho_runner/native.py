"""Calls into the C library that Python does not offer, or not in all its versions."""

import os
import signal
import sys

try:
    import ctypes

    _library = ctypes.CDLL(None)
except Exception:  # An interpreter without ctypes measures all the same.
    _library = None

# From linux/prctl.h.
PR_SET_PDEATHSIG = 1
# The number of pidfd_open on every architecture; Python has the call since 3.9.
SYS_PIDFD_OPEN = 434


def die_with_parent(parent_pid):
    """Has the kernel kill this process when its parent ends, so that no case outlives a run."""
    if _library is not None and sys.platform.startswith("linux"):
        _library.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent_pid:
        os._exit(1)


def flush_c_streams():
    if _library is not None and os.name == "posix":
        _library.fflush(None)


def open_pid(pid):
    """Returns a descriptor that becomes readable when the process ends, or None."""
    if hasattr(os, "pidfd_open"):
        try:
            return os.pidfd_open(pid)
        except OSError:
            return None
    if _library is None or not sys.platform.startswith("linux"):
        return None
    fd = _library.syscall(SYS_PIDFD_OPEN, pid, 0)
    return fd if fd >= 0 else None


def advise_memory(start, length, advice):
    """Tells the kernel how a range of memory will be used; it may decline."""
    if _library is not None:
        _library.madvise(ctypes.c_void_p(start), ctypes.c_size_t(length), advice)
