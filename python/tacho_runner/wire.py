"""Lines of the protocol: reads requests and writes replies on two private descriptors."""

import json
import math
import os

from .errors import HangUp
from .number import number_of

try:
    import fcntl
    import resource
except ImportError:  # Not a POSIX system: descriptors stay where they are.
    fcntl = resource = None

# Descriptors of the runner live here or above, out of the way of code that closes or reuses low
# numbers.
HIGH_DESCRIPTOR = 480

# What is said where a benchmark has closed or replaced a descriptor of ours.
CLOSED = b"The benchmark has closed or replaced the descriptor that its answer goes to.\n"

# Longer lines are no messages: something has found the descriptor and writes to it.
LONGEST_LINE_BYTES = 256 << 20

# How deep values may be nested: readers have limits, such as 128 for a whole line.
DEEPEST = 64


class Wire:
    """The two ends of the conversation with `tacho`."""

    def __init__(self, request_fd, reply_fd):
        self.request_fd = move_high(request_fd)
        self.reply_fd = move_high(reply_fd)
        self._reply_identity = identity_of(self.reply_fd)
        self._pending = b""

    def requests(self):
        """Yields one line of bytes for each request, until the stream ends."""
        while True:
            data = os.read(self.request_fd, 65536)
            if not data:
                return
            lines = (self._pending + data).split(b"\n")
            self._pending = lines.pop()
            for line in lines:
                yield line

    def send(self, *messages):
        if identity_of(self.reply_fd) != self._reply_identity:
            complain_of_closed()
            raise HangUp()
        write_all(self.reply_fd, b"".join(map(encode, messages)))

    def descriptors(self):
        return (self.request_fd, self.reply_fd)


class Lines:
    """Complete lines of a stream, handed on as messages; whatever is none is left out."""

    def __init__(self, receive):
        self.receive = receive
        self.parts = []
        self.size = 0

    def add(self, data):
        first, *others = data.split(b"\n")
        self.keep(first)
        for part in others:
            self.hand_on()
            self.keep(part)

    def keep(self, part):
        self.size += len(part)
        if self.size > LONGEST_LINE_BYTES:
            self.parts.clear()
        elif part:
            self.parts.append(part)

    def hand_on(self):
        # Every message comes after an empty line.
        message = decode(b"".join(self.parts)) if self.parts else None
        self.parts, self.size = [], 0
        if message is not None:
            self.receive(message)


def encode(message):
    """Returns the message as one line that the strictest reader takes for JSON, after an empty one.

    A benchmark may have found the descriptor and left half a line there: the empty line ends it.
    A lone surrogate, half of a character, becomes a question mark, a number not finite null.
    """
    try:
        text = dump(message)
    except ValueError:
        text = dump(plain(message))
    return b"\n" + text.encode("utf-8", "replace") + b"\n"


read_value = json.JSONDecoder().raw_decode


def made_encoder():
    """Returns the function that gives a message's JSON text, made once.

    `json.dumps` puts one together at each call, which in a forked process takes longer than its work.
    """
    known = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    sample = {"text": ["\"ä\n", 1, 0.5, True, None], "more": {}}
    try:
        chunks = json.encoder.c_make_encoder(
            None, known.default, json.encoder.encode_basestring, None, ":", ",", False, False, False
        )
        is_as_known = "".join(chunks(sample, 0)) == known.encode(sample)
    except Exception:
        # An interpreter that has no such thing, or another one.
        is_as_known = False
    return (lambda message: "".join(chunks(message, 0))) if is_as_known else known.encode


dump = made_encoder()


def decode(line):
    """Returns the object on a line, or None where the line is no JSON object."""
    try:
        text = line.decode("utf-8").strip()
        message, end = read_value(text)
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) and end == len(text) else None


def clean(text):
    """Returns the text as it looks after a journey over the wire."""
    return text.encode("utf-8", "replace").decode("utf-8")


def plain(value, depth=0):
    """Returns a value that JSON carries, or raises TypeError: numbers not finite become None."""
    if depth > DEEPEST:
        raise TypeError("JSON cannot carry what is nested so deep")
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return clean(str(value))
    if isinstance(value, int):
        return plain_integer(int(value))
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, (list, tuple)):
        return [plain(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {clean(str(key)): plain(item, depth + 1) for key, item in value.items()}
    number = number_of(value)
    if number is not None:
        return plain(number)
    raise TypeError("JSON cannot carry %s" % type(value).__name__)


def plain_integer(value):
    """Returns the integer, a float beyond 64 bits, and None beyond what a float can hold."""
    if -(2**63) <= value < 2**63:
        return value
    try:
        return float(value)
    except OverflowError:
        return None


def complain_of_closed():
    """Tells why there is no answer, on standard error if that is still there."""
    try:
        os.write(2, CLOSED)
    except OSError:
        pass


def identity_of(fd):
    """Returns what a descriptor leads to, None where it is closed."""
    try:
        status = os.fstat(fd)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def write_all(fd, data):
    while data:
        data = data[os.write(fd, data):]


def move_high(fd):
    """Moves a descriptor to a high number that no program started from here inherits."""
    if fcntl is None:
        os.set_inheritable(fd, False)
        return fd
    try:
        moved = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, HIGH_DESCRIPTOR)
    except OSError:
        # So many files may not be open at once.
        limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        moved = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, min(HIGH_DESCRIPTOR, limit // 2))
    os.close(fd)
    return moved


def high_pipe():
    """Returns the two ends of a new pipe: for reading, which stays here, and for writing, moved high."""
    read_end, write_end = os.pipe()
    return read_end, move_high(write_end)
