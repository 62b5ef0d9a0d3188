"""Takes one case, or one cache function, from its request to its outcome."""

import os

from . import cache
from .case import Case
from .errors import Misfit, RequestError, Skipped, clear_frames, is_skip, message_of, text_of
from .errors import traceback_of
from .settings import Overrides

NO_READING = {"method": None, "number": None, "samples_ns": None, "values": None}


def run_case(candidate, request, own_memory):
    """Returns the state of the round with its reading or its failure.

    `own_memory` makes the memory of a forked process its own; None where there is no need.
    """
    method = request["method"]
    try:
        reading = measure_case(candidate, request, own_memory)
    except BaseException as error:
        # Not only Exception: a benchmark may exit or be interrupted, and that is its outcome.
        reading = dict(NO_READING, method=candidate.kind.method(method))
        return dict(reading, **failure(error))
    return dict(reading, state="measured", message=None, traceback=None)


def fill_cache(candidate, request):
    """Returns the state of a run of the benchmark's cache function."""
    try:
        prepare_process(request["dir"], request.get("affinity"))
        definition = candidate.define()
        if definition.setup_cache is None:
            raise RequestError("`%s` has no setup_cache" % definition.name)
        caller = Case(definition, (), None, None)
        cache.fill(definition, caller.call)
    except BaseException as error:
        return failure(error)
    return {"state": "measured", "message": None, "traceback": None}


class Rehearsal:
    """One case set up and torn down again, without a call of the benchmark itself."""

    def __init__(self, candidate, request):
        self.candidate = candidate
        self.request = request
        # What is going on, for whoever is told of its failure.
        self.phase = None

    def outcome(self):
        """Returns the state with the phase in which the case failed."""
        try:
            self.perform()
        except BaseException as error:
            fields = failure(error)
            return dict(fields, phase=self.phase if fields["state"] == "failed" else None)
        return {"state": "measured", "phase": None, "message": None, "traceback": None}

    def perform(self):
        # Here, as it loads `inspect`, which a process that only measures has no need of.
        from . import signatures

        cache_folder = self.request.get("cache")
        prepare_process(cache_folder or self.request["dir"], self.request.get("affinity"))
        case = prepare_case(self.candidate, self.request, cache_folder)
        self.phase = "arguments"
        signatures.refuse_misfits(case)
        self.phase = None
        case.refuse_if_declared_skipped()
        self.phase = "setup"
        set_up(case)
        self.phase = "teardown"
        case.tear_down()


def failure(error):
    if isinstance(error, MemoryError):
        # What the benchmark holds would leave no memory for telling of it.
        clear_frames(error)
    if is_skip(error):
        reason = text_of(error) or type(error).__name__
        return {"state": "skipped", "message": reason, "traceback": None}
    if isinstance(error, (Misfit, RequestError)):
        return {"state": "failed", "message": text_of(error), "traceback": None}
    message = message_of(error)
    return {"state": "failed", "message": message, "traceback": traceback_of(error)}


def measure_case(candidate, request, own_memory):
    cache_folder = request.get("cache")
    prepare_process(cache_folder or request["dir"], request.get("affinity"))
    case = prepare_case(candidate, request, cache_folder)
    case.refuse_if_declared_skipped()
    if own_memory is not None and candidate.kind.starts_cold(case.sources):
        # Before set-up: the processor's caches are full of other pages afterwards.
        own_memory(case.definition.function)
    set_up(case)
    try:
        return candidate.kind.measure(case, request["method"])
    finally:
        case.tear_down()


def set_up(case):
    """Sets up the case; one that is skipped is torn down, as far as it goes."""
    try:
        case.set_up()
    except Skipped:
        try:
            case.tear_down()
        except Exception:
            # What was never set up completely cannot always be torn down.
            pass
        raise


def prepare_case(candidate, request, cache_folder):
    definition = candidate.define()
    values = definition.case(request["case"], request.get("params"))
    cached = None
    if definition.setup_cache is not None:
        if cache_folder is None:
            raise RequestError("`%s` needs the cache of its setup_cache" % definition.name)
        cached = cache.read(cache_folder)
    return Case(definition, values, cached, Overrides(request.get("settings")))


def prepare_process(folder, affinity):
    os.chdir(folder)
    if affinity is None:
        return
    try:
        os.sched_setaffinity(0, affinity)
    except (AttributeError, OSError, ValueError) as error:
        # A reading from other processors than asked for would be worse than none.
        raise RequestError(
            "cannot restrict the case to processors %s: %s" % (affinity, text_of(error))
        ) from error
