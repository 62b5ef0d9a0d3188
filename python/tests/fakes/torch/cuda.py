"""Stands for torch.cuda: whether the device is in use."""

_is_initialized = False


def init():
    global _is_initialized
    _is_initialized = True


def is_initialized():
    return _is_initialized
