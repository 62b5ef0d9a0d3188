"""Facts about the environment: installed distributions and how the interpreter was built."""

import os
import sys
from importlib.machinery import PathFinder

# The files of a distribution's folder that begin with its name and version; the folder itself
# where it is a file.
METADATA_FILES = ("METADATA", "PKG-INFO", "")


def packages():
    """Returns {distribution: version} as the metadata writes them, sorted; broken ones left out."""
    found = {}
    for name, version in named_versions():
        # The first on the path is the one that imports.
        if name and version:
            found.setdefault(name, version)
    return dict(sorted(found.items(), key=lambda item: (item[0].lower(), item[0])))


def named_versions():
    """Yields name and version of each distribution, in the order of the path.

    Folders are read here: `importlib.metadata` takes ten times as long, and what it loads would
    stay in the interpreter that cases are forked from. Archives and the finders of others are left to it.
    """
    own_finders = [finder for finder in sys.meta_path if hasattr(finder, "find_distributions")]
    if own_finders != [PathFinder]:
        yield from in_general()
        return
    for entry in sys.path:
        if os.path.isdir(entry) and not entry.lower().endswith(".egg"):
            yield from in_folder(entry)
        elif os.path.exists(entry):
            yield from in_general(path=[entry])


def in_folder(folder):
    try:
        entries = os.listdir(folder)
    except OSError:
        return
    for entry in entries:
        if entry.lower().endswith((".dist-info", ".egg-info")):
            yield headers_of(os.path.join(folder, entry))


def headers_of(path):
    """Returns name and version as the first of the metadata files has them."""
    for file in METADATA_FILES:
        try:
            with open(os.path.join(path, file) if file else path, encoding="utf-8") as lines:
                return name_and_version(lines)
        except (OSError, UnicodeError):
            continue
    return "", ""


def name_and_version(lines):
    headers = {}
    for line in lines:
        name, _, value = line.partition(":")
        if not line.strip():
            break
        headers.setdefault(name.lower(), value.lstrip(" \t").rstrip("\n"))
        if "name" in headers and "version" in headers:
            break
    return headers.get("name", ""), headers.get("version", "")


def in_general(**where):
    import importlib.metadata

    for distribution in importlib.metadata.distributions(**where):
        try:
            metadata = distribution.metadata
            yield str(metadata["Name"] or ""), str(metadata["Version"] or "")
        except Exception:
            continue


def build():
    """Returns the compiler that the interpreter was built with, as `platform` takes it from its version."""
    _, opened, rest = sys.version.partition("[")
    return {"cc": rest.rpartition("]")[0] if opened else ""}
