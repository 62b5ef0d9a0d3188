"""Describes benchmarks here or in a child, one message for each of them."""

from . import errors, isolation


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
    """
    while candidates:
        received = []

        def receive_one(message):
            received.append(message)
            receive(message)

        remaining = candidates
        ending = isolation.run_forked(lambda send: work(remaining, send), receive_one, channel)
        for candidate in candidates[len(received):][:1]:
            lose(candidate, ending)
        candidates = candidates[len(received) + 1:]


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
