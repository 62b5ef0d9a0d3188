"""Describes benchmarks here or in a child, one message for each of them."""

import functools

from . import errors, isolation

# Messages that are sent at once: to wake the receiver for each would take as long as to make it.
BATCH = 50


def describe_all(candidates, send):
    """Sends exactly one message for each candidate."""
    for candidate in candidates:
        try:
            definition = candidate.define()
            body = definition.describe()
            complaints = definition.complaints()
        except BaseException as error:
            body = errors.problem(error, module=candidate.module, name=candidate.name)
            send({"found": False, "name": candidate.name, "body": body})
        else:
            problems = [complaint_about(candidate, complaint) for complaint in complaints]
            send({"found": True, "name": candidate.name, "body": body, "problems": problems})


def each_forked(channel, candidates, work, receive, lose):
    """Does `work` on the candidates in a child, and in another one after a candidate that ends it.

    The work sends one message for each candidate; `lose` is told of one that ended the child, and how.
    Messages come many at a time. Where a child ends before all are there, the missing ones are asked
    for one at a time, so that it is known which candidate it was.
    """
    n_at_once = BATCH
    while candidates:
        received = []

        def receive_batch(message):
            received.extend(message["batch"])
            for one in message["batch"]:
                receive(one)

        do = functools.partial(in_batches, work, candidates, n_at_once)
        ending = isolation.run_forked(do, receive_batch, channel)
        candidates = candidates[len(received):]
        if candidates and n_at_once == 1:
            lose(candidates[0], ending)
            candidates = candidates[1:]
        n_at_once = 1


def in_batches(work, candidates, n_at_once, send):
    pending = []

    def add(message):
        pending.append(message)
        if len(pending) == n_at_once:
            send_pending()

    def send_pending():
        send({"batch": pending})
        pending.clear()

    work(candidates, add)
    send_pending()


def lost_by(receive):
    """Returns what tells `receive` of a candidate that ended its describer."""

    def lose(candidate, ending):
        receive({"found": False, "body": sudden_end(candidate, ending)})

    return lose


def sudden_end(candidate, ending):
    return complaint_about(candidate, "%s while it was described" % ending.words())


def complaint_about(candidate, text):
    """Returns an entry of a reply's `problems` that no exception led to."""
    where = {"module": candidate.module, "name": candidate.name}
    return dict(where, error=text, traceback=None)
