"""Has a lock that is held in every fork, as one that a thread unknown to Python held at that moment."""

import os
import threading

_lock = threading.Lock()

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_lock.acquire)


def double(value):
    with _lock:
        return value * 2
