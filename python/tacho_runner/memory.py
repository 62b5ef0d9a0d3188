"""Measures memory: the size of a returned object, or the peak of the whole process."""

import gc
import sys
import types

from .kind import Kind, values_reading

# Shared by all objects rather than part of one.
SHARED = (
    type,
    types.ModuleType,
    types.FunctionType,
    types.BuiltinFunctionType,
    types.CodeType,
    types.FrameType,
)


class Memory(Kind):
    """`mem_`: the size of the object that the benchmark returns."""

    name = "mem"
    fixed_unit = "bytes"

    def measure(self, case, method):
        import copy

        value = case.call_benchmark()
        method, size = sizer()
        # What a copy adds to a list is the object without what it shares with others.
        alone = size([value, value])
        return values_reading(method, [size([value, copy.copy(value)]) - alone])


class PeakMemory(Kind):
    """`peakmem_`: the largest resident size the process has had, imports and set-up included."""

    name = "peakmem"
    fixed_unit = "bytes"
    fixed_method = "peak_rss/1"

    def measure(self, case, method):
        case.call_benchmark()
        return values_reading("peak_rss/1", [peak_rss_bytes()])


def sizer():
    """Returns the method and the function that sizes an object graph."""
    try:
        from pympler.asizeof import asizeof
    except ImportError:
        return "walker/1", walk
    return "pympler/1", asizeof


def walk(root):
    """Returns the bytes of all objects that can be reached from the root, each counted once."""
    total = 0
    seen = set()
    pending = [root]
    while pending:
        value = pending.pop()
        if id(value) in seen or isinstance(value, SHARED):
            continue
        seen.add(id(value))
        total += sys.getsizeof(value, 0)
        pending.extend(gc.get_referents(value))
        # Since Python 3.11 an object may have no dictionary until somebody looks.
        own = getattr(value, "__dict__", None)
        if type(own) is dict:
            pending.append(own)
    return total


def peak_rss_bytes():
    """Returns the highest resident memory of this program.

    `ru_maxrss` also counts what the process was before it became this program: a copy of its
    starter, which may be larger. Linux keeps the figure of the program alone as VmHWM.
    """
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as status:
            for line in status:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
