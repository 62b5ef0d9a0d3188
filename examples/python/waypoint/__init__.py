"""Shortest ways through small road networks."""

from .grid import grid
from .network import Network
from .text import parse

__all__ = ["Network", "grid", "parse"]
