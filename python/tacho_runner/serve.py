"""Answers requests, one after the other, until the stream of requests ends."""

import faulthandler
import os
import sys

from . import child, operations, parent, shim
from .errors import HangUp, RequestError, message_of, traceback_of
from .wire import Wire, decode

USAGE = "usage: __main__.py --request-fd N --reply-fd N"

# The id of an answer to what has none.
UNREADABLE_ID = 0


def main(arguments):
    """Runs the conversation on the two descriptors named on the command line."""
    descriptors = parse(arguments)
    if descriptors is None:
        print(USAGE, file=sys.stderr)
        return 2
    # A parent that has ended even before this has left a stream of requests that is at its end.
    parent.die_with(os.getppid())
    enable_crash_dumps()
    shim.install()
    channel = Wire(*descriptors)
    try:
        serve(channel)
    except (BrokenPipeError, HangUp, KeyboardInterrupt):
        return 1
    return 0


def parse(arguments):
    """Returns the two descriptors, or None.

    By hand, as argparse would add a third to the time in which the runner starts.
    """
    options = dict(zip(arguments[::2], arguments[1::2]))
    try:
        return int(options["--request-fd"]), int(options["--reply-fd"])
    except (KeyError, ValueError):
        return None


def enable_crash_dumps():
    """Has stacks shown on a crash, and when somebody asks because a case or an import takes too long."""
    try:
        faulthandler.enable(2)
        if child.DUMP_SIGNAL is not None:
            faulthandler.register(child.DUMP_SIGNAL, 2, all_threads=True, chain=False)
    except (OSError, ValueError, RuntimeError):
        # Started without standard error.
        pass


def serve(channel):
    session = operations.Session(channel)
    for line in channel.requests():
        if line.strip():
            answer(session, line)
        if session.is_over:
            return


def answer(session, line):
    """Answers one request; only the end of the conversation gets past it."""
    request = decode(line)
    request_id = request.get("id") if request else None
    if type(request_id) is not int:
        session.refuse(UNREADABLE_ID, "this is no request: no JSON, or no `id`")
        return
    try:
        session.perform(request_id, request)
    except RequestError as error:
        session.refuse(request_id, str(error))
    except Exception as error:
        if isinstance(error, operations.FINAL):
            raise
        print(traceback_of(error), file=sys.stderr)
        session.refuse(request_id, "the runner failed: " + message_of(error))
