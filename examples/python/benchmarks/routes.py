"""The shortest way through cities of several sizes."""

from waypoint import grid, parse


class Shortest:
    """From one corner to the opposite one: the search visits nearly every crossing."""

    params = [4, 8, 12]
    param_names = ["side"]

    def setup(self, side):
        self.city = grid(side)
        self.goal = (side - 1, side - 1)

    def time_corner_to_corner(self, side):
        self.city.shortest((0, 0), self.goal)

    def track_length(self, side):
        return self.city.shortest((0, 0), self.goal)[0]

    track_length.unit = "km"


class AllWays:
    """Counting ways is only for villages; larger places say that they are skipped."""

    params = [4, 12]
    param_names = ["side"]

    def setup(self, side):
        if side > 5:
            raise NotImplementedError("a city has too many ways to list them")
        self.city = grid(side)

    def time_count(self, side):
        return sum(1 for _ in self.city.ways((0, 0), (side - 1, side - 1)))


class Reading:
    """The text format."""

    def setup(self):
        lines = ["p%d p%d %d.5  # road %d" % (k, (k * 7 + 1) % 1000, k % 9, k) for k in range(1000)]
        self.text = "\n".join(lines)

    def time_parse(self):
        parse(self.text)


def peakmem_city():
    return grid(60)


def track_roads():
    return grid(10).roads()


track_roads.unit = "roads"
track_roads.better = "none"
