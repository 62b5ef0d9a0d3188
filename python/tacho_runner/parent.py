"""Ties this process to the one that started it, so that nothing outlives a run."""

import os
import signal

from .native import ask_for_signal_at_parents_end


def die_with(parent_pid):
    """Has the kernel kill this process when its parent ends, and ends it if it has already."""
    ask_for_signal_at_parents_end(signal.SIGKILL)
    if os.getppid() != parent_pid:
        os._exit(1)


class Tie:
    """Whether this process is to end with the one that started it."""

    def __init__(self):
        self.holds = True
        self.starter_pid = os.getppid()

    def loosen(self):
        """Lets this process live on after its parent, to end what it starts itself.

        Killed, it could not kill the process group of a case. That its parent is gone it learns
        from the end of the stream of requests.
        """
        if self.holds:
            ask_for_signal_at_parents_end(0)
            self.holds = False

    def fasten(self):
        """Ties this process again, as it can end nothing while a case runs in itself."""
        if not self.holds:
            die_with(self.starter_pid)
            self.holds = True


TIE = Tie()
