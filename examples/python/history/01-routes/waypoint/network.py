"""Roads between places, and the shortest way from one to another."""

import heapq
from itertools import count


class Network:
    """Places joined by roads that can be taken both ways."""

    def __init__(self):
        self._roads = {}

    def __len__(self):
        return len(self._roads)

    def add_road(self, start, end, length):
        """Join two places by a road."""
        if length < 0:
            raise ValueError("a road has no negative length")
        self._roads.setdefault(start, {})[end] = length
        self._roads.setdefault(end, {})[start] = length

    def roads(self):
        """Return how many roads there are."""
        return sum(len(ends) for ends in self._roads.values()) // 2

    def shortest(self, start, end):
        """Return (length, places on the way), or None where no way leads there."""
        came_from = {}
        # The counter keeps places out of comparisons: they need not have an order.
        ticket = count()
        queue = [(0, next(ticket), start, None)]
        while queue:
            length, _, place, previous = heapq.heappop(queue)
            if place in came_from:
                continue
            came_from[place] = previous
            if place == end:
                return length, _way_back(came_from, end)
            for neighbour, distance in self._roads[place].items():
                if neighbour not in came_from:
                    heapq.heappush(queue, (length + distance, next(ticket), neighbour, place))
        return None

    def ways(self, start, end, _taken=()):
        """Yield every way that visits no place twice. Their number explodes with the network's size."""
        taken = _taken + (start,)
        if start == end:
            yield taken
            return
        for neighbour in self._roads[start]:
            if neighbour not in taken:
                yield from self.ways(neighbour, end, taken)


def _way_back(came_from, end):
    way = []
    place = end
    while place is not None:
        way.append(place)
        place = came_from[place]
    return way[::-1]
