"""Finds and ends the processes that a forked case leaves behind, however far they went.

Where the kernel knows subreapers (Linux), it hands each process of a case whose parent ends to this
interpreter, even one in another process group or session. So what is left of a case is what this
interpreter has for children after it and did not have before.
"""

import os
import signal
import time

from . import native

# How long the end of what was killed is waited for; some processes may not be killed at all.
PATIENCE_S = 5.0
PAUSE_S = 0.0002


def begin():
    """Has this process get the orphans of the case to come; returns the children that it has already."""
    native.become_subreaper()
    return children() if has_children() else frozenset()


def end(known, group):
    """Kills and reaps all children but the known ones, and what these hand on when they end.

    Returns how many there were that had left the group of the case, which has been killed before.
    """
    outside = set()
    deadline = time.monotonic() + PATIENCE_S
    while has_children():
        left = children() - known
        if not left or time.monotonic() > deadline:
            break
        for pid in left:
            if end_one(pid, group):
                outside.add(pid)
        time.sleep(PAUSE_S)
    return len(outside)


def end_one(pid, group):
    """Kills a child, or reaps one that has ended; tells whether it lived outside of the group."""
    try:
        if os.waitpid(pid, os.WNOHANG)[0] == pid:
            return False
        is_outside = os.getpgid(pid) != group
        os.kill(pid, signal.SIGKILL)
    except (ChildProcessError, ProcessLookupError, PermissionError):
        return False
    return is_outside


def has_children():
    """Tells whether there is any child, alive or to be reaped: one call, where a list takes many."""
    if not hasattr(os, "waitid"):
        return True
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def children():
    """Returns the children of the main thread: orphans are handed to that, and no others are ours."""
    try:
        with open("/proc/self/task/%d/children" % os.getpid(), encoding="ascii") as listed:
            return frozenset(map(int, listed.read().split()))
    except OSError:
        # Not every kernel is built with that file.
        return frozenset(pid for pid in processes() if parent_of(pid) == os.getpid())


def processes():
    try:
        return [int(name) for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        return []


def parent_of(pid):
    try:
        with open("/proc/%d/stat" % pid, "rb") as stat:
            # The name before it is in parentheses and may hold anything: the state, then the parent.
            return int(stat.read().rpartition(b")")[2].split()[1])
    except (OSError, IndexError, ValueError):
        return None
