"""What a forked process does to itself before and after it measures a case."""

import faulthandler
import functools
import os
import signal
import sys

from . import own_files, parent, wire
from .native import flush_c_streams

# Asks a process that ran out of time where it is; its answer goes to standard error.
DUMP_SIGNAL = getattr(signal, "SIGUSR2", None)

# Who ignores it, or has a handler that reaps all children, takes the ends of cases from us.
ENDED_SIGNAL = getattr(signal, "SIGCHLD", None)


def become(parent_pid, results, output, forbidden):
    """Makes the forked process a group of its own, with its own standard streams."""
    os.setsid()
    parent.die_with(parent_pid)
    for fd in forbidden:
        os.close(fd)
    if output is not None:
        os.dup2(output, 1)
        os.dup2(output, 2)
        os.close(output)
    own_files.take_over(own_files.of_suite())
    if prepare() is not None:
        signal.signal(ENDED_SIGNAL, prepare())
    return Answers(results)


@functools.lru_cache(maxsize=1)
def prepare():
    """Sets up in this process what all processes that it forks are to inherit.

    Once, after the suite is imported, which may have done otherwise: each of them would pay for it.
    Returns how the suite handles the ends of children, if it does: each of them gets that back.
    """
    own_files.of_suite()
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    if null > 0:
        os.close(null)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.set_wakeup_fd(-1)
    faulthandler.enable(2, all_threads=True)
    if DUMP_SIGNAL is not None:
        faulthandler.register(DUMP_SIGNAL, 2, all_threads=True, chain=False)
    if ENDED_SIGNAL is None or signal.getsignal(ENDED_SIGNAL) in (None, signal.SIG_DFL):
        return None
    return signal.signal(ENDED_SIGNAL, signal.SIG_DFL)


class Answers:
    """The pipe on which the process sends what it has measured."""

    def __init__(self, fd):
        self.fd = fd
        self.pid = os.getpid()
        self.identity = wire.identity_of(fd)

    def send(self, message):
        """Sends a message; ends the process where the benchmark has closed or replaced the pipe."""
        if os.getpid() != self.pid:
            # The benchmark forked and its copy came back: only the original may answer.
            os._exit(0)
        if wire.identity_of(self.fd) != self.identity:
            flush()
            wire.complain_of_closed()
            os._exit(1)
        wire.write_all(self.fd, wire.encode(message))


def flush():
    """Writes out what the benchmark has printed: the process ends without doing it."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BaseException:
            # The benchmark may have closed or replaced its streams.
            pass
    flush_c_streams()
