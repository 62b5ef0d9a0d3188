"""Facts about the environment: installed distributions and how the interpreter was built."""

import platform


def packages():
    """Returns {distribution: version} as the metadata writes them, sorted; broken ones left out."""
    import importlib.metadata

    found = {}
    for distribution in importlib.metadata.distributions():
        name, version = name_and_version(distribution)
        # The first on the path is the one that imports.
        if name and version:
            found.setdefault(name, version)
    return dict(sorted(found.items(), key=lambda item: (item[0].lower(), item[0])))


def name_and_version(distribution):
    try:
        metadata = distribution.metadata
        return str(metadata["Name"] or ""), str(metadata["Version"] or "")
    except Exception:
        return "", ""


def build():
    return {"cc": platform.python_compiler()}
