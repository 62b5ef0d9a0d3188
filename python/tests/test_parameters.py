"""Which case a request means, and what it costs to find out."""

import unittest

from .check import check
from .in_folder import InFolder

SUITE = """
class Counting:
    n_shown = 0
    def __init__(self, number):
        self.number = number
    def __repr__(self):
        Counting.n_shown += 1
        return "Counting(%d)" % self.number

class Many:
    params = [[Counting(number) for number in range(1000)], [Counting(-1), Counting(-2)]]
    def track_shown(self, one, other):
        return Counting.n_shown
    def track_number(self, one, other):
        return one.number * 10 + other.number

class Alike:
    params = [[Counting(7) for _ in range(1000)]]
    def track_shown(self, one):
        return Counting.n_shown
    def track_place(self, one):
        return self.params[0].index(one)

class Bracketed:
    params = ["a (0)", "a", "a (x)"]
    def track_length(self, text):
        return len(text)

class Lazy:
    params = (value for value in (4, 5))
    def track_it(self, value):
        return value
"""


class Parameters(InFolder):
    def setUp(self):
        super().setUp()
        self.runner = self.start()
        self.runner.load(self.suite(one=SUITE))

    def value(self, name, case, *texts):
        params = list(texts) or None
        reply = self.runner.run("one." + name, self.folder, case=case, params=params)
        return reply["values"][0] if reply["values"] else reply["message"]

    def test_only_the_texts_of_the_case_are_made(self):
        check(self.value("Many.track_shown", 1999, "Counting(999)", "Counting(-2)"), 2)
        check(self.value("Many.track_shown", 1999), 0)
        check(self.value("Alike.track_shown", 998, "Counting(7) (998)"), 1)

    def test_the_case_at_an_index(self):
        check(self.value("Many.track_number", 0), -1)
        check(self.value("Many.track_number", 1), -2)
        check(self.value("Many.track_number", 1998, "Counting(999)", "Counting(-1)"), 9989)
        check(self.value("Alike.track_place", 998, "Counting(7) (998)"), 998)

    def test_texts_of_another_index(self):
        check(self.value("Many.track_number", 0, "Counting(999)", "Counting(-2)"), 9988)
        check(self.value("Bracketed.track_length", 1, "'a (0)'"), 5)

    def test_texts_of_no_case(self):
        check(
            self.value("Many.track_number", 3, "Counting(1000)"),
            "`one.Many.track_number` has no case with the parameters (Counting(1000)):"
            " case 3 has (Counting(1), Counting(-2))",
        )
        texts = ["Counting(1)", "Counting(-2)", "1"]
        assert "has no case with" in self.value("Many.track_number", 3, *texts)

    def test_texts_that_read_differently_in_each_process(self):
        # Case 3 is (1, -2); what only the text's own process has is at the index.
        check(self.value("Many.track_number", 3, "Counting(0.123)", "Counting(-2)"), 8)
        check(self.value("Many.track_number", 3, "Counting(999)", "<made anew 7>"), 9988)

    def test_an_index_of_no_case(self):
        for case in (2000, -1):
            check(
                self.value("Many.track_number", case),
                "`one.Many.track_number` has no case %d: it has 2000" % case,
            )

    def test_all_texts_are_listed(self):
        found = {one["name"]: one for one in self.runner.ask("discover", isolation="fork")[1]}
        check([len(texts) for texts in found["one.Many.track_number"]["params"]], [1000, 2])
        check(found["one.Alike.track_place"]["params"][0][998], "Counting(7) (998)")


if __name__ == "__main__":
    unittest.main()
