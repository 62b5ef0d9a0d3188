"""Runs work in a forked child: starts it, listens to it, ends it in time, tells how it ended."""

import os
import select
import signal
import sys
import time

from . import child, leftovers, native, parent, wire
from .errors import HangUp

# How often to look after the child where the kernel cannot say when it has ended.
POLL_S = 0.02
# How long a child past its limit may take to say where it is.
DUMP_GRACE_S = 0.2
CHUNK_BYTES = 65536
# What is read at most from a pipe after its child has ended, should others still write to it.
LAST_CHUNKS = 64


class Ending:
    """How a child ended, and what it left."""

    def __init__(self, status, usage, timed_out, output):
        self.signal = signal_name(status) if os.WIFSIGNALED(status) else None
        self.exit_status = os.WEXITSTATUS(status) if os.WIFEXITED(status) else None
        self.usage = usage
        self.timed_out = timed_out
        self.output = output
        self.duration_ns = None
        # Processes that had left the child's group and were killed.
        self.leftover_processes = 0

    def words(self):
        """Returns how a child ended."""
        if self.signal:
            return "ended by " + self.signal
        return "exited with status %s" % self.exit_status


class Tail:
    """The last bytes of a stream."""

    def __init__(self, limit):
        self.limit = limit
        self.data = b""

    def add(self, data):
        self.data = (self.data + data)[-self.limit:] if self.limit > 0 else b""

    def text(self):
        return self.data.decode("utf-8", "replace")


def run_forked(work, receive, channel, timeout_s=None, output_limit=None):
    """Runs `work(send)` in a child; `receive` gets each message that the child sends.

    Without an output limit the child prints where this process does.
    """
    started_ns = time.perf_counter_ns()
    parent.TIE.loosen()
    ending = run_watched(work, receive, channel, timeout_s, output_limit)
    ending.duration_ns = time.perf_counter_ns() - started_ns
    return ending


def run_watched(work, receive, channel, timeout_s, output_limit):
    known = leftovers.begin()
    pid, streams = start(work, channel, receive, output_limit)
    watch = Watch(pid, streams, channel.request_fd)
    try:
        timed_out = watch.until_end(timeout_s)
    except BaseException:
        kill(pid)
        watch.reap()
        leftovers.end(known, pid)
        watch.close()
        raise
    # Stragglers of the group are killed before the group's number can belong to others.
    kill(pid)
    status, usage = watch.reap()
    n_leftovers = leftovers.end(known, pid)
    watch.read_rest()
    watch.close()
    output = "".join(sink.text() for sink in streams.values() if isinstance(sink, Tail))
    ending = Ending(status, usage, timed_out, output)
    ending.leftover_processes = n_leftovers
    return ending


def start(work, channel, receive, output_limit):
    """Forks; returns the child's number and {descriptor: what collects from it}."""
    results_read, results_write = wire.high_pipe()
    output_read = output_write = None
    if output_limit is not None:
        output_read, output_write = wire.high_pipe()
    # A buffer that is not empty would be written twice.
    child.flush()
    child.prepare()
    parent_pid = os.getpid()
    pid = fork()
    if pid == 0:
        private = [fd for fd in (results_read, output_read) if fd is not None]
        forbidden = private + list(channel.descriptors())
        finish_child(work, (parent_pid, results_write, output_write, forbidden))
    streams = {results_read: wire.Lines(receive)}
    os.close(results_write)
    if output_read is not None:
        os.close(output_write)
        streams[output_read] = Tail(output_limit)
    return pid, streams


def fork():
    if sys.version_info < (3, 12):
        return os.fork()
    import warnings

    with warnings.catch_warnings():
        # Whether threads make this unsafe has been judged already, with better knowledge.
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def finish_child(work, identity):
    """Does the work and leaves, whatever happens, without returning to the parent's code."""
    status = 70
    try:
        answers = child.become(*identity)
        work(answers.send)
        status = 0
    except BaseException:
        sys.__excepthook__(*sys.exc_info())
    finally:
        child.flush()
        os._exit(status)


class Watch:
    """Waits for the end of a child while reading what it sends and prints."""

    def __init__(self, pid, streams, request_fd):
        self.pid = pid
        self.streams = streams
        self.request_fd = request_fd
        self.reaped = None
        self.at_end = set()
        self.poll = select.poll()
        for fd in streams:
            os.set_blocking(fd, False)
            self.poll.register(fd, select.POLLIN)
        # No event is asked for, but the end of the stream is always told.
        self.poll.register(request_fd, 0)
        self.pid_fd = native.open_pid(pid)
        if self.pid_fd is not None:
            self.poll.register(self.pid_fd, select.POLLIN)

    def until_end(self, timeout_s):
        """Returns once the child has ended, by itself or killed; tells whether its time ran out."""
        if self.wait(None if timeout_s is None else time.monotonic() + timeout_s):
            return False
        if child.DUMP_SIGNAL is not None:
            os.kill(self.pid, child.DUMP_SIGNAL)
            self.wait(time.monotonic() + DUMP_GRACE_S)
        kill(self.pid)
        self.wait(None)
        return True

    def wait(self, deadline):
        """Reads until the child has ended (true) or the deadline has come (false)."""
        while True:
            left_s = None if deadline is None else deadline - time.monotonic()
            if left_s is not None and left_s <= 0:
                return self.has_ended()
            ready = [fd for fd, _ in self.poll.poll(self.patience_ms(left_s))]
            if self.request_fd in ready:
                raise HangUp()
            for fd in ready:
                if fd in self.streams and not self.read(fd):
                    self.poll.unregister(fd)
            if self.pid_fd in ready or self.pid_fd is None and self.has_ended():
                return True

    def patience_ms(self, left_s):
        if self.pid_fd is None:
            left_s = POLL_S if left_s is None else min(left_s, POLL_S)
        # An hour at most: poll takes no more than fits a C int, and asks again.
        return None if left_s is None else min(max(1, left_s * 1000), 3_600_000)

    def has_ended(self):
        """Tells whether the child has ended, if possible without reaping it.

        Until it is reaped, no other process can get its number.
        """
        if hasattr(os, "waitid"):
            options = os.WEXITED | os.WNOHANG | os.WNOWAIT
            return os.waitid(os.P_PID, self.pid, options) is not None
        if self.reaped is None:
            pid, status, usage = os.wait4(self.pid, os.WNOHANG)
            self.reaped = (status, usage) if pid else None
        return self.reaped is not None

    def reap(self):
        """Waits for the child to end; returns its status and usage."""
        if self.reaped is None:
            self.reaped = os.wait4(self.pid, 0)[1:]
        return self.reaped

    def read(self, fd):
        """Reads what is there; returns false at the end of the stream."""
        try:
            data = os.read(fd, CHUNK_BYTES)
        except BlockingIOError:
            return True
        self.streams[fd].add(data)
        if not data:
            self.at_end.add(fd)
        return bool(data)

    def read_rest(self):
        """Reads what is left in the pipes, without waiting for others who hold them open."""
        for fd in set(self.streams) - self.at_end:
            for _ in range(LAST_CHUNKS):
                try:
                    data = os.read(fd, CHUNK_BYTES)
                except BlockingIOError:
                    break
                self.streams[fd].add(data)
                if not data:
                    break

    def close(self):
        for fd in list(self.streams) + [self.pid_fd]:
            if fd is not None:
                os.close(fd)


def kill(pid):
    """Kills a child and its process group, neither of which need exist any more."""
    for send in (os.kill, os.killpg):
        try:
            send(pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass


def signal_name(status):
    number = os.WTERMSIG(status)
    try:
        return signal.Signals(number).name
    except ValueError:
        return "signal %d" % number
