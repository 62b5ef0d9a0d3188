"""Words for exceptions: a one-line message, and a traceback without the runner's own frames."""

import importlib
import os

RUNNER_FOLDER = os.path.dirname(os.path.abspath(__file__))
# Frames that say nothing of the suite.
OWN_FILES = (RUNNER_FOLDER + os.sep, "<frozen importlib", importlib.__file__)
LONGEST_MESSAGE = 2000
LONGEST_TRACEBACK = 60000


class Skipped(Exception):
    """The case does not apply, for the reason given."""


class Misfit(Exception):
    """A benchmark cannot be what its author means; the text says why."""


class RequestError(Exception):
    """The request cannot be answered; the text is for its sender."""


class HangUp(Exception):
    """The requesting side is gone: nobody waits for the answer."""


def is_skip(error):
    """Tells whether an exception is a `SkipNotImplemented`, whichever library defined it."""
    names = [klass.__name__ for klass in type(error).__mro__]
    return isinstance(error, Skipped) or "SkipNotImplemented" in names


def message_of(error):
    """Returns the exception and its text on one line."""
    name = type(error).__name__
    text = text_of(error)
    return shorten(name + ": " + text if text else name, LONGEST_MESSAGE)


def text_of(error):
    """Returns the exception's own text on one line, even where `str` itself fails."""
    try:
        text = str(error)
    except BaseException as failure:
        text = "(its text cannot be shown: str() raised %s)" % type(failure).__name__
    return " ".join(text.split())


def traceback_of(error):
    """Returns the traceback as Python prints it, frames of the runner and of imports left out."""
    try:
        # Here, as most processes have no failure to tell of.
        import traceback

        shown = traceback.TracebackException(type(error), error, error.__traceback__)
        drop_own_frames(shown, set())
        text = "".join(shown.format())
    except BaseException:
        # An exception may break the machinery that shows it.
        text = message_of(error)
    return shorten(text.rstrip("\n"), LONGEST_TRACEBACK)


def drop_own_frames(shown, seen):
    if shown is None or id(shown) in seen:
        return
    seen.add(id(shown))
    shown.stack[:] = [frame for frame in shown.stack if not is_own_frame(frame.filename)]
    drop_own_frames(shown.__cause__, seen)
    drop_own_frames(shown.__context__, seen)
    for member in getattr(shown, "exceptions", None) or ():
        drop_own_frames(member, seen)


def is_own_frame(filename):
    return filename.startswith(OWN_FILES)


def clear_frames(error):
    """Lets go of what the functions that an exception passed through still hold."""
    step = error.__traceback__
    while step is not None:
        try:
            step.tb_frame.clear()
        except RuntimeError:
            # It is still running.
            pass
        step = step.tb_next


def line_of(error, filename):
    """Returns the last line of `filename` that the exception passed through, or None."""
    if isinstance(error, SyntaxError) and error.filename == filename:
        return error.lineno
    line = None
    step = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == filename:
            line = step.tb_lineno
        step = step.tb_next
    return line


def problem(error, **where):
    """Returns an entry of a reply's `problems`."""
    if isinstance(error, Misfit):
        return dict(where, error=text_of(error), traceback=None)
    return dict(where, error=message_of(error), traceback=traceback_of(error))


def shorten(text, limit):
    if len(text) <= limit:
        return text
    half = limit // 2
    return "%s … %s" % (text[:half], text[-half:])
