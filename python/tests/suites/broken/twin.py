"""Has the name of a file beside it."""
