"""Looks up a benchmark's attributes where asv does: its function, then instance, then module."""


def every(sources, name):
    """Returns the attribute's values of all sources that have one; None does not count."""
    values = [getattr(source, name, None) for source in sources]
    return [value for value in values if value is not None]


def first(sources, name, default=None):
    """Returns the attribute of the first source that has one."""
    for source in sources:
        value = getattr(source, name, None)
        if value is not None:
            return value
    return default


def hooks(sources, name):
    """Returns the hooks of that name, however their letters are cased."""
    return [hook for source in sources for hook in hook_of(source, name)]


def hook_of(source, name):
    spellings = [key for key in dir(source) if key.lower() == name]
    if len(spellings) > 1:
        raise ValueError("several spellings of %s: %s" % (name, ", ".join(spellings)))
    return every([source], spellings[0]) if spellings else []
