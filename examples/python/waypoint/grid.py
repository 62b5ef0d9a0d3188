"""Networks that look like a city: streets that cross, every block a little different."""

from .network import Network


def grid(side):
    """Return a network of side x side crossings, named (row, column)."""
    network = Network()
    for row in range(side):
        for column in range(side):
            # Lengths between 1 and 2 km, fixed, so that every run has the same work.
            length = 1 + (row * 31 + column * 17) % 11 / 10
            if column + 1 < side:
                network.add_road((row, column), (row, column + 1), length)
            if row + 1 < side:
                network.add_road((row, column), (row + 1, column), length)
    return network
