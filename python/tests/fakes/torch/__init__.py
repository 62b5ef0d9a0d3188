"""Stands for torch, which is safe to fork until it has initialised CUDA."""

from . import cuda  # noqa: F401
