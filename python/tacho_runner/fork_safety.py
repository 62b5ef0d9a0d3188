"""Judges whether this interpreter may be forked after it has imported a suite."""

import os
import sys

# Libraries that start threads or talk to a device as soon as they are imported.
UNSAFE_MODULES = ("cupy", "jax", "jaxlib", "tensorflow")


def judge():
    """Returns the `fork` field of a `loaded` reply."""
    reasons = reasons_against()
    return {"safe": not reasons, "reasons": reasons}


def reasons_against():
    if not hasattr(os, "fork"):
        return ["no fork on this platform"]
    if not sys.platform.startswith("linux"):
        return ["fork is not safe on %s" % sys.platform]
    reasons = ["%s is loaded" % name for name in UNSAFE_MODULES if name in sys.modules]
    if torch_uses_cuda():
        reasons.append("torch has initialised CUDA")
    if numba_uses_cuda():
        reasons.append("numba has initialised CUDA")
    return reasons + running_threads()


def running_threads():
    # Not imported for the question: forked processes of an interpreter without it are cheaper.
    threading = sys.modules.get("threading")
    n_python = len(threading.enumerate()) if threading else 1
    if n_python > 1:
        return ["%d Python threads are running" % n_python]
    n_native = n_tasks() - n_python
    if n_native > n_openblas_threads():
        return ["%d native thread%s running" % (n_native, "s are" if n_native > 1 else " is")]
    return []


def n_tasks():
    try:
        return len(os.listdir("/proc/self/task"))
    except OSError:
        return 1


def n_openblas_threads():
    """Returns how many threads the loaded copies of OpenBLAS may have.

    They are harmless: OpenBLAS ends them before a fork and starts them again on demand.
    """
    n_workers = max(0, (os.cpu_count() or 1) - 1)
    return n_workers * len(openblas_files())


def openblas_files():
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
            paths = {line.split(None, 5)[5].strip() for line in maps if "openblas" in line}
    except (OSError, IndexError):
        return set()
    return paths


def torch_uses_cuda():
    cuda = getattr(sys.modules.get("torch"), "cuda", None)
    return bool(ask(cuda, "is_initialized"))


def numba_uses_cuda():
    driver = getattr(sys.modules.get("numba.cuda.cudadrv.driver"), "driver", None)
    # An attribute in numba, not a method as in torch.
    return bool(getattr(driver, "is_initialized", False))


def ask(owner, question):
    try:
        return getattr(owner, question)()
    except Exception:
        return False
