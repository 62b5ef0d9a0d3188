"""What waypoint is asked to be fast at."""
