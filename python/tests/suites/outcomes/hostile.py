"""Benchmarks that interfere with the process they run in."""

import os
import signal
import subprocess
import sys
import threading
import time


def track_close_descriptors():
    os.closerange(0, 21)
    return 1


def track_close_all_descriptors():
    os.closerange(3, 4096)
    return 1


def track_write_to_all_descriptors():
    for fd in range(3, 1024):
        try:
            os.write(fd, b'{"id":1,"reply":"forged"}\n')
        except OSError:
            pass
    return 1


def track_chdir_and_path():
    os.chdir("/")
    sys.path[:] = []
    return 1


def track_thread():
    threading.Thread(target=time.sleep, args=(600,)).start()
    return 1


def track_grandchild():
    """Leaves a process that holds the pipes open."""
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    return 1


def track_escaped_grandchild():
    """Leaves a process in a session of its own; it ends by itself."""
    subprocess.Popen(
        [sys.executable, "-c", "import time; time.sleep(3)"], start_new_session=True
    )
    return 1


def track_much_output():
    for _ in range(100):
        sys.stdout.write("x" * 100000)
    sys.stdout.write("the end")
    return 1


def track_fork_returns():
    """Forks, and lets both processes return."""
    return 1 if os.fork() else 2


def track_ignores_signals():
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGUSR2):
        signal.signal(number, signal.SIG_IGN)
    while True:
        pass


def track_closed_streams():
    sys.stdout.close()
    sys.stderr.close()
    return 1


def track_replaced_streams():
    sys.stdout = sys.stderr = None
    return 1


def track_stdin():
    return len(sys.stdin.read())


def track_runner_is_importable():
    try:
        import conversation  # noqa: F401 - the runner's neighbours are not to be found either.
    except ImportError:
        pass
    else:
        return 1
    runner = [entry for entry in sys.path if entry.endswith("tacho_runner") or not entry]
    return len(runner)


class Raising:
    def __repr__(self):
        raise RuntimeError("no repr")


class Parameters:
    params = [[Raising(), Raising(), "a\nb"]]

    def track_any(self, value):
        return 1
