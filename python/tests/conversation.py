"""Talks to a real runner in a process of its own, as `tacho` does."""

import json
import os
import select
import subprocess
import sys

TESTS = os.path.dirname(os.path.abspath(__file__))
RUNNER = os.path.join(os.path.dirname(TESTS), "tacho_runner", "__main__.py")
SUITES = os.path.join(TESTS, "suites")

# No request of a test takes longer.
PATIENCE_S = 60

# Replies that are followed by another one to the same request.
INTERMEDIATE = ("benchmark", "importing")

# Readers of JSON refuse deeper ones.
DEEPEST = 128


class Conversation:
    """A runner that has been started, and the two ends of its pipes."""

    def __init__(self, python=sys.executable, cwd=None, env=None):
        request_read, self.request_fd = os.pipe()
        self.reply_fd, reply_write = os.pipe()
        self.process = subprocess.Popen(
            [python, RUNNER, "--request-fd", str(request_read), "--reply-fd", str(reply_write)],
            pass_fds=(request_read, reply_write),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=cwd,
            env=env,
        )
        os.close(request_read)
        os.close(reply_write)
        self.pending = b""
        self.last_id = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends the stream of requests; returns the exit status and what was printed."""
        if self.request_fd is not None:
            os.close(self.request_fd)
            os.close(self.reply_fd)
            self.request_fd = None
        try:
            printed = self.process.communicate(timeout=PATIENCE_S)[0]
            self.printed = printed.decode("utf-8", "replace")
        except ValueError:
            pass
        return self.process.returncode

    def send_line(self, line):
        os.write(self.request_fd, line + b"\n")

    def read_reply(self):
        """Returns the next reply; empty lines are none."""
        line = b""
        while not line:
            line = self.read_line()
        return strictly(line)

    def read_line(self):
        while b"\n" not in self.pending:
            if not select.select([self.reply_fd], [], [], PATIENCE_S)[0]:
                self.process.kill()
                raise AssertionError("no reply came")
            data = os.read(self.reply_fd, 65536)
            if not data:
                raise EOFError("the runner has ended")
            self.pending += data
        line, _, self.pending = self.pending.partition(b"\n")
        return line

    def ask(self, op, **fields):
        """Sends a request; returns its final reply and the intermediate ones."""
        self.last_id += 1
        message = dict(fields, op=op, id=self.last_id)
        self.send_line(json.dumps(message).encode("utf-8"))
        replies = [self.read_reply()]
        while replies[-1]["reply"] in INTERMEDIATE:
            replies.append(self.read_reply())
        assert all(reply["id"] == self.last_id for reply in replies), replies
        return replies[-1], replies[:-1]

    def load(self, suite, only=None, **fields):
        return self.load_all(suite, only=only, **fields)[0]

    def load_all(self, suite, only=None, **fields):
        """Loads a suite; returns the final reply and the intermediate ones."""
        root = suite if os.path.isabs(suite) else os.path.join(SUITES, suite)
        kind = {"kind": "file", "path": root} if root.endswith(".py") else {
            "kind": "package",
            "root": root,
        }
        return self.ask("load", suite=kind, only=only, **fields)

    def run(self, benchmark, folder, case=0, **fields):
        request = dict(
            params=None,
            isolation="fork",
            method="asv/2",
            settings={"number": 1, "repeat": 1, "warmup_time": 0},
            timeout_s=20.0,
            dir=folder,
            cache=None,
            affinity=None,
            output_limit_bytes=65536,
        )
        request.update(fields)
        return self.ask("run", benchmark=benchmark, case=case, **request)[0]


def strictly(line):
    """Returns the object on a line, refusing what only Python takes for JSON."""
    value = json.loads(line.decode("utf-8"), parse_constant=refuse)
    # Fails where an escape is one half of a surrogate pair.
    json.dumps(value, ensure_ascii=False).encode("utf-8")
    assert depth(value) < DEEPEST, "nested too deep"
    return value


def refuse(constant):
    raise ValueError("%s is no JSON" % constant)


def depth(value):
    if isinstance(value, dict):
        value = list(value.values())
    return 1 + max(map(depth, value), default=0) if isinstance(value, list) else 0


def load_runner():
    """Makes the modules of the runner importable in this process, for tests of single ones."""
    folder = os.path.dirname(os.path.dirname(RUNNER))
    if folder not in sys.path:
        sys.path.insert(0, folder)
