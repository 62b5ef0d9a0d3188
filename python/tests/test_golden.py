"""The runner answers the golden transcripts."""

import unittest

from . import golden


class Golden(unittest.TestCase):
    def test_transcripts(self):
        assert golden.names()
        for name in golden.names():
            with self.subTest(transcript=name):
                golden.replay(name)


if __name__ == "__main__":
    unittest.main()
