"""What keeps a history together: versions of benchmarks, texts of parameters, keys of caches.

All three are exactly asv's, so that results measured by asv continue; tests hold them against
values recorded from asv_runner.
"""

import collections
import functools
import importlib
import os
import re

from . import functions
from .wire import clean

ADDRESS = re.compile(r"^(<.*) at (0x[\da-fA-F]*)>$")


def version_of(text):
    return digest_function()(text.encode("utf-8", "surrogatepass")).hexdigest()


@functools.lru_cache(maxsize=1)
def digest_function():
    """Returns SHA-256, of CPython's own where it is: `hashlib` would load OpenSSL for it."""
    for name in ("_sha2", "_sha256"):
        try:
            return importlib.import_module(name).sha256
        except (ImportError, AttributeError):
            continue
    import hashlib

    return hashlib.sha256


def code_of(functions):
    """Returns the source text of the functions, methods shown inside their classes; None has none."""
    blocks = []
    previous_class = None
    for function in functions:
        source = None if function is None else source_of(function)
        if source is None:
            continue
        class_name = class_of(function)
        if class_name:
            source = "    " + source.replace("\n", "\n    ")
            if class_name != previous_class:
                source = "class %s:\n%s" % (class_name, source)
        blocks.append(source)
        previous_class = class_name
    return "\n\n".join(blocks).rstrip()


def source_of(function):
    """Returns the function's source without its indentation, or None where it has none."""
    # Here, as only a description has need of them, and it is given by a process of its own.
    import inspect
    import textwrap

    if hasattr(function, "pretty_source"):
        return textwrap.dedent(function.pretty_source).lstrip()
    try:
        lines = inspect.getsourcelines(function)[0]
    except (TypeError, OSError):
        return None
    if not lines:
        return None
    text = "\n".join(line.rstrip() for line in lines)
    # Where the first line is not indented there is nothing to take off.
    return textwrap.dedent(text) if text[:1].isspace() else text


def class_of(function):
    """Returns the name of the class in which a bound method was written, else None."""
    if not functions.is_method(function):
        return None
    parts = getattr(function, "__qualname__", "").split(".")
    return parts[-2] if len(parts) > 1 else None


def parameter_texts(values_of_each):
    """Returns the texts of all values; values of one parameter that read alike are numbered."""
    return [numbered([text_of_value(value) for value in values]) for values in values_of_each]


def numbered(texts):
    counts = collections.Counter(texts)
    seen = collections.Counter()
    result = []
    for text in texts:
        result.append("%s (%d)" % (text, seen[text]) if counts[text] > 1 else text)
        seen[text] += 1
    return result


def text_of_value(value):
    """Returns the value's `repr`, without the object's address where it shows the default one."""
    try:
        text = clean(repr(value))
    except Exception:
        return "<%s>" % type(value).__name__
    shown = ADDRESS.match(text)
    own = ADDRESS.match(object.__repr__(value)) if shown else None
    # An address that is not the object's own is part of what it says.
    if own and own.group(2) == shown.group(2):
        return shown.group(1) + ">"
    return text


def cache_key(function, suite_module):
    """Returns `module:line` of a cache function, the module named as below the suite's root."""
    import inspect

    try:
        line = inspect.getsourcelines(function)[1]
    except (TypeError, OSError):
        line = getattr(function, "__qualname__", "setup_cache")
    return "%s:%s" % (module_below_root(function, suite_module), line)


def module_below_root(function, suite_module):
    import inspect

    module = inspect.getmodule(function)
    name = getattr(module, "__name__", "")
    below = suite_module(name) if suite_module(name) is not None else name.partition(".")[2]
    # Modules without a package are named by their file, which no dotted name can equal.
    return below or os.path.basename(getattr(module, "__file__", None) or name)
