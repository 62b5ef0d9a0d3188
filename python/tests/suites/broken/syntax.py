"""Is not Python."""
def time_never(:
    pass
