"""Does the work of a request here or in a child, and tells how it ended and what was observed."""

import time

from . import isolation, parent, usage

OUTPUT_LIMIT_BYTES = 65536

# Anything else that arrives comes from a benchmark which has found the descriptor.
STATES = ("measured", "failed", "skipped")


def perform(channel, request, work):
    """Does the work in a child or here; returns its outcome with all that was observed."""
    how = perform_forked if request["isolation"] == "fork" else perform_here
    started_at_s = round(time.time(), 6)
    fields = {"signal": None, "exit_status": None, "message": None, "traceback": None}
    fields.update(how(channel, request, work), started_at_s=started_at_s)
    return fields


def perform_here(channel, request, work):
    parent.TIE.fasten()
    before = usage.of_this_process()
    started_ns = time.perf_counter_ns()
    fields = work()
    duration_ns = time.perf_counter_ns() - started_ns
    counts = usage.observed(usage.of_this_process(), since=before)
    return dict(fields, duration_ns=duration_ns, observed=counts, output="")


def perform_forked(channel, request, work):
    answers = []

    def receive(message):
        if message.get("state") in STATES:
            answers.append(message)

    limit_s = request.get("timeout_s")
    output_limit = request.get("output_limit_bytes")
    ending = isolation.run_forked(
        lambda send: send(work()),
        receive,
        channel,
        timeout_s=limit_s,
        output_limit=OUTPUT_LIMIT_BYTES if output_limit is None else output_limit,
    )
    counts = usage.observed(ending.usage)
    if ending.leftover_processes:
        counts["leftover_processes"] = ending.leftover_processes
    return dict(
        outcome(answers, ending, limit_s),
        duration_ns=ending.duration_ns,
        observed=counts,
        output=ending.output,
    )


def outcome(answers, ending, limit_s):
    """Returns the child's answer, or what its end says where it gave none."""
    if ending.timed_out:
        return {"state": "timed_out", "message": "ran longer than its limit of %g s" % limit_s}
    if answers:
        return answers[-1]
    if ending.signal:
        return {"state": "killed", "message": ending.words(), "signal": ending.signal}
    message = ending.words() + " before it answered"
    return {"state": "failed", "message": message, "exit_status": ending.exit_status}
