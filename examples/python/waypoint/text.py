"""The text format: one road a line, `FROM TO LENGTH`, and comments after a `#`."""

from .network import Network


def parse(text):
    """Return the network that a text describes."""
    network = Network()
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        if len(words) != 3:
            raise ValueError("line %d: a road is `FROM TO LENGTH`, not %r" % (number, line))
        network.add_road(words[0], words[1], float(words[2]))
    return network
