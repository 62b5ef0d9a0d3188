"""Ties this process to the one that started it, so that nothing outlives a run."""

import os
import signal

from .native import ask_for_signal_at_parents_end


def die_with(parent_pid):
    """Has the kernel kill this process when its parent ends, and ends it if it has already."""
    ask_for_signal_at_parents_end(signal.SIGKILL)
    if os.getppid() != parent_pid:
        os._exit(1)


class Outlived:
    """Lets this process live on for a while after its parent, to end what it has started itself.

    Killed, it could not kill the process group of a case. That its parent is gone it learns from
    the end of the stream of requests.
    """

    def __enter__(self):
        self.parent_pid = os.getppid()
        ask_for_signal_at_parents_end(0)

    def __exit__(self, *_):
        die_with(self.parent_pid)
