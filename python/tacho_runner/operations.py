"""The operations of the protocol, over the one suite that this interpreter has loaded."""

import functools
import gc
import os
import sys

from . import PROTOCOL, RUNNER, describing, facts, fork_safety, measuring, own_pages
from . import performing, running_in, settings, suite
from .discovery import Catalogue
from .errors import HangUp, RequestError

# Exceptions that end the conversation.
FINAL = (BrokenPipeError, HangUp)

# By their names in `sys.implementation`, as the `platform` module writes them.
IMPLEMENTATIONS = {"cpython": "CPython", "pypy": "PyPy"}

METHODS = ("asv/1", "asv/2")

# In the order in which the protocol describes them.
RAN_FIELDS = (
    "state",
    "method",
    "number",
    "samples_ns",
    "values",
    "message",
    "traceback",
    "started_at_s",
    "duration_ns",
    "signal",
    "exit_status",
    "observed",
    "output",
)

CHECKED_FIELDS = (
    "state",
    "phase",
    "message",
    "traceback",
    "duration_ns",
    "signal",
    "exit_status",
    "observed",
    "output",
)

OPERATIONS = {}


def operation(name):
    """Registers a function as the operation of that name."""

    def register(perform):
        OPERATIONS[name] = perform
        return perform

    return register


class Session:
    """The state of a conversation."""

    def __init__(self, channel):
        self.channel = channel
        self.pid = os.getpid()
        self.is_over = False
        self.speaks_ours = True
        self.suite = None
        self.catalogue = None
        self.memory = None

    def reply(self, request_id, kind, fields):
        self.reply_each(request_id, kind, [fields])

    def reply_each(self, request_id, kind, bodies):
        """Sends one reply for each body, all at once."""
        if os.getpid() != self.pid:
            # A benchmark forked in this very process and its copy came back.
            os._exit(0)
        head = {"id": request_id, "reply": kind}
        self.channel.send(*[dict(head, **body) for body in bodies])

    def refuse(self, request_id, message):
        self.reply(request_id, "error", {"message": message})

    def perform(self, request_id, request):
        name = request.get("op")
        if not isinstance(name, str) or name not in OPERATIONS:
            raise RequestError("no operation `%s`" % (name,))
        if not self.speaks_ours and name not in ("hello", "stop"):
            raise RequestError("this runner speaks version %d of the protocol only" % PROTOCOL)
        kind, fields = OPERATIONS[name](self, request_id, request)
        self.reply(request_id, kind, fields)

    def candidate(self, request):
        """Returns the benchmark that a request names."""
        if self.catalogue is None:
            raise RequestError("no suite is loaded")
        name = request.get("benchmark")
        if name not in self.catalogue.by_name:
            raise RequestError("no benchmark `%s` in this suite" % (name,))
        return self.catalogue.by_name[name]


@operation("hello")
def hello(session, request_id, request):
    session.speaks_ours = request.get("protocol") == PROTOCOL
    return "hello", {
        "protocol": PROTOCOL,
        "runner": RUNNER,
        "language": "python",
        "implementation": IMPLEMENTATIONS.get(sys.implementation.name, sys.implementation.name),
        "version": sys.version.split()[0],
        "executable": sys.executable,
        "prefix": sys.prefix,
        "pid": os.getpid(),
    }


@operation("stop")
def stop(session, request_id, request):
    session.is_over = True
    return "stopped", {}


@operation("load")
def load(session, request_id, request):
    if session.suite is not None:
        raise RequestError("a suite is loaded already")
    asked = request.get("suite")
    if not isinstance(asked, dict):
        raise RequestError("the request has no `suite`")
    def announce(module):
        try:
            session.reply(request_id, "importing", {"module": module})
        except BrokenPipeError as error:
            # Not to be taken for a failure of the module.
            raise HangUp() from error

    skip = names_to_skip(request)
    session.memory = own_pages.OwnMemory()
    session.suite = suite.load(asked, request.get("only"), skip, announce)
    session.catalogue = Catalogue(session.suite)
    # Objects of the suite leave the collector's sight, so that no collection in a forked case
    # copies the pages they are on.
    gc.collect()
    gc.freeze()
    return "loaded", {
        "modules": len(session.suite.modules),
        "problems": session.suite.problems,
        "fork": fork_safety.judge(),
    }


def names_to_skip(request):
    skip = request.get("skip") or []
    if not isinstance(skip, list) or not all(isinstance(name, str) for name in skip):
        raise RequestError("`skip` is no list of names")
    return skip


@operation("discover")
def discover(session, request_id, request):
    if session.catalogue is None:
        raise RequestError("no suite is loaded")
    problems = list(session.catalogue.problems)
    found = []
    bodies = []

    def receive(message):
        if not message["found"]:
            problems.append(message["body"])
            return
        found.append(message["name"])
        problems.extend(message["problems"])
        bodies.append(message["body"])
        if len(bodies) == describing.BATCH:
            send_bodies()

    def send_bodies():
        session.reply_each(request_id, "benchmark", bodies)
        bodies.clear()

    candidates = list(session.catalogue.by_name.values())
    if forks(request):
        lost = describing.lost_by(receive)
        describing.each_forked(
            session.channel, candidates, describing.describe_all, receive, lost
        )
    else:
        describing.describe_all(candidates, receive)
    send_bodies()
    return "discovered", {"n": len(found), "problems": problems}


@operation("inspect")
def inspect(session, request_id, request):
    if session.suite is None:
        raise RequestError("no suite is loaded")
    # Here, as a process that only measures has no need of it.
    from . import inspecting

    findings = inspecting.of_suite(session.suite, session.catalogue)
    candidates = list(session.catalogue.by_name.values())
    each = inspecting.inspect_each

    def receive(message):
        findings.extend(message["findings"])

    if forks(request):
        describing.each_forked(session.channel, candidates, each, receive, lambda *_: None)
    else:
        each(candidates, receive)
    return "inspected", {"findings": findings}


@operation("setup_cache")
def setup_cache(session, request_id, request):
    candidate = session.candidate(request)
    check_request(request)
    work = functools.partial(measuring.fill_cache, candidate, request)
    fields = performing.perform(session.channel, request, work)
    keep = ("state", "message", "traceback", "duration_ns", "observed", "output")
    return "setup_cache", {name: fields[name] for name in keep}


@operation("run")
def run(session, request_id, request):
    candidate = session.candidate(request)
    check_request(request)
    if request.get("method") not in METHODS:
        raise RequestError("no method `%s`" % request.get("method"))
    check_case(request)
    if forks(request):
        running_in.run_in()
    fields = dict.fromkeys(RAN_FIELDS)
    fields["method"] = candidate.kind.method(request["method"])
    work = functools.partial(measuring.run_case, candidate, request, own_memory(session, candidate, request))
    fields.update(performing.perform(session.channel, request, work))
    return "ran", fields


@operation("check")
def check(session, request_id, request):
    candidate = session.candidate(request)
    check_request(request)
    check_case(request)
    fields = dict.fromkeys(CHECKED_FIELDS)
    work = measuring.Rehearsal(candidate, request).outcome
    performed = performing.perform(session.channel, request, work)
    fields.update((name, performed[name]) for name in CHECKED_FIELDS if name in performed)
    return "checked", fields


def own_memory(session, candidate, request):
    """Returns the function that gives a forked process memory of its own, or None."""
    sources = [settings.Overrides(request.get("settings"))] + candidate.sources()
    if not forks(request) or not candidate.kind.starts_cold(sources):
        return None
    return session.memory.find(session.catalogue, session.channel).take_over


def check_request(request):
    """Refuses what does not say where and how to work."""
    if not isinstance(request.get("dir"), str):
        raise RequestError("the request has no `dir`")
    forks(request)


def check_case(request):
    if type(request.get("case")) is not int:
        raise RequestError("the request has no `case`")


def forks(request):
    isolation = request.get("isolation")
    if isolation not in ("fork", "self"):
        raise RequestError("no isolation `%s`" % (isolation,))
    if isolation == "fork" and not hasattr(os, "fork"):
        raise RequestError("no fork on this platform")
    return isolation == "fork"


@operation("facts")
def list_packages(session, request_id, request):
    return "facts", {"packages": facts.packages(), "build": facts.build()}
