"""The text format: one road a line, `FROM TO LENGTH`; what follows the length is ignored."""

from .network import Network


def parse(text):
    """Return the network that a text describes."""
    network = Network()
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.split()[:3]
        if not words:
            continue
        if len(words) != 3:
            raise ValueError("line %d: a road is `FROM TO LENGTH`, not %r" % (number, line))
        network.add_road(words[0], words[1], float(words[2]))
    return network
