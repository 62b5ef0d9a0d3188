"""Times source text in a fresh interpreter for each sample."""

import os
import sys

from . import attributes
from .settings import DEFAULTS
from .timing import Timing

# Runs in the fresh interpreter. What the timed text prints goes to standard error, so that
# standard output carries nothing but the reading.
PROGRAM = """\
import os
reading = os.dup(1)
os.dup2(2, 1)
from time import perf_counter_ns
from timeit import timeit
elapsed = timeit(stmt=%r, setup=%r, number=%d, timer=perf_counter_ns)
os.write(reading, b"%%d" %% elapsed)
"""


class RawTiming(Timing):
    """`timeraw_`: seconds of a piece of source text that the benchmark returns."""

    name = "timeraw"
    defaults = dict(DEFAULTS, number=1)

    def version_suffix(self, definition):
        env = variables(definition.sources)
        return "\n# timeraw_env\n%r" % sorted(env.items()) if env else ""

    def starts_cold(self, sources):
        return False

    def sampler(self, case, method, plan):
        return ProcessSampler(case)


class ProcessSampler:
    """Takes a sample in a new process; set-up has run once, before the first."""

    renews_in_warmup = False

    def __init__(self, case):
        self.case = case
        self.env = dict(os.environ, **variables(case.sources))

    def keep_state(self):
        pass

    def sample(self, number):
        text = self.case.call_benchmark()
        statement, setup = text if isinstance(text, tuple) else (text, "")
        program = PROGRAM % (as_literal(statement), as_literal(setup), number)
        return run(program, self.env)


def run(program, env):
    """Returns the nanoseconds that the program reads."""
    import subprocess

    process = subprocess.run(
        [sys.executable, "-c", "import sys; exec(sys.stdin.read())"],
        input=program.encode("utf-8"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=env,
    )
    errors = process.stderr.decode("utf-8", "replace")
    sys.stderr.write(errors)
    if process.returncode != 0:
        lines = errors.strip().splitlines() or ["no message"]
        raise RuntimeError(
            "the timed process ended with status %d: %s" % (process.returncode, lines[-1])
        )
    return int(process.stdout)


def as_literal(text):
    """Returns the text as asv's runner reads it: as the inside of a triple-quoted literal.

    Suites were written against that, with backslashes doubled where it matters. Text that is no
    such literal is taken as it is.
    """
    # Here, as only a spawned process has need of them.
    import ast
    import textwrap
    import warnings

    text = textwrap.dedent(text)
    with warnings.catch_warnings():
        # Backslashes that mean nothing stay as they are.
        warnings.simplefilter("ignore")
        try:
            return ast.literal_eval('"""%s"""' % text.replace('"""', r"\"\"\""))
        except (SyntaxError, ValueError):
            return text


def variables(sources):
    """Returns the environment variables that the benchmark sets for the timed process."""
    env = attributes.first(sources, "env")
    if env is None:
        return {}
    if not isinstance(env, dict):
        raise TypeError("`env` must be a dict, not %s" % type(env).__name__)
    for name, value in env.items():
        if value is None:
            raise TypeError("`env` cannot unset %s: its value is None" % name)
    return {str(name): str(value) for name, value in env.items()}
