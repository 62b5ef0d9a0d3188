"""Replays the golden transcripts of the protocol against a real runner, and records them anew.

`python -m tests.golden NAME...`, run in the folder `python`, asks a runner again what the
transcripts of those names ask, and writes its answers into them, with placeholders for what
differs between machines. Read the difference before you keep it: the transcripts are the contract.
"""

import json
import os
import sys
import tempfile

from .check import ANY, check
from .conversation import INTERMEDIATE, SUITES, TESTS, Conversation

FOLDER = os.path.normpath(os.path.join(TESTS, "..", "..", "protocol", "golden"))

# Fields of replies whose values no two machines or versions of Python share.
DIFFERING = {
    "build",
    "duration_ns",
    "executable",
    "implementation",
    "observed",
    "packages",
    "pid",
    "prefix",
    "samples_ns",
    "started_at_s",
    "traceback",
}
DIFFERING_IN = {"hello": {"version"}}


def names():
    return sorted(name[:-6] for name in os.listdir(FOLDER) if name.endswith(".jsonl"))


def read(name):
    """Returns the suite and the lines of a transcript."""
    with open(os.path.join(FOLDER, name + ".jsonl"), encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    return lines[0]["suite"], lines[1:]


def replaced(value, old, new):
    """Returns the value with a text replaced in all strings within."""
    if isinstance(value, str):
        return value.replace(old, new)
    if isinstance(value, list):
        return [replaced(item, old, new) for item in value]
    if isinstance(value, dict):
        return {key: replaced(item, old, new) for key, item in value.items()}
    return value


class Replay:
    """A transcript's placeholders for the folders of one replay."""

    def __init__(self, suite, folder):
        self.places = [("$SUITE", os.path.join(SUITES, suite)), ("$DIR", folder)]

    def fill(self, value):
        for mark, place in self.places:
            value = replaced(value, mark, place)
        return value

    def hide(self, value):
        for mark, place in self.places:
            value = replaced(value, place, mark)
        return value


def replay(name):
    """Sends what `tacho` says in a transcript and checks that the runner answers as it does."""
    suite, lines = read(name)
    with tempfile.TemporaryDirectory() as folder, Conversation() as runner:
        marks = Replay(suite, folder)
        for number, line in enumerate(lines, start=2):
            if line["from"] == "tacho":
                runner.send_line(json.dumps(marks.fill(line["line"])).encode("utf-8"))
            else:
                reply = marks.hide(runner.read_reply())
                check(reply, line["line"], "%s.jsonl, line %d" % (name, number))
        check(runner.close(), 0, "exit status")


def record(name):
    suite, lines = read(name)
    written = [{"suite": suite}]
    with tempfile.TemporaryDirectory() as folder, Conversation() as runner:
        marks = Replay(suite, folder)
        for line in lines:
            if line["from"] != "tacho":
                continue
            written.append(line)
            runner.send_line(json.dumps(marks.fill(line["line"])).encode("utf-8"))
            reply = {"reply": "benchmark"}
            while reply["reply"] in INTERMEDIATE:
                reply = marks.hide(runner.read_reply())
                written.append({"from": "runner", "line": general(reply, reply["reply"])})
    with open(os.path.join(FOLDER, name + ".jsonl"), "w", encoding="utf-8") as file:
        for line in written:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")


def general(value, kind):
    """Returns a reply with placeholders for what differs."""
    if isinstance(value, list):
        return [general(item, kind) for item in value]
    if not isinstance(value, dict):
        return value
    result = {key: general(item, kind) for key, item in value.items()}
    for key, item in value.items():
        # A null says that the field does not apply, which is the same everywhere.
        if key in DIFFERING | DIFFERING_IN.get(kind, set()) and item is not None:
            result[key] = [ANY] * len(item) if key == "samples_ns" else ANY
    if "SyntaxError" in str(value.get("error")):
        result["error"] = ANY
    return result


if __name__ == "__main__":
    for chosen in sys.argv[1:] or names():
        record(chosen)
