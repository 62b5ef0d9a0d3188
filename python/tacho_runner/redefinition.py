"""Finds functions and classes of a file that a later definition of the same name replaces."""

import ast
import tokenize

from . import kinds

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
HOOKS = ("setup", "setup_cache", "teardown")


def of_file(path):
    """Yields (name below the module, its line, the line of the next definition of that name).

    Only of benchmarks, of their hooks and of classes with any of these: other code may have its
    reasons.
    """
    try:
        with tokenize.open(path) as file:
            tree = ast.parse(file.read())
    except (OSError, TypeError, ValueError, SyntaxError, RecursionError):
        # Whatever is imported from another kind of file has no text to look at.
        return
    yield from in_scope(tree, "")
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield from in_scope(node, node.name + ".")


def in_scope(scope, prefix):
    earlier = {}
    # Directly in the scope: of two branches of an `if`, one counts.
    for node in scope.body:
        if not isinstance(node, DEFINITIONS):
            continue
        before = earlier.get(node.name)
        if before is not None and matters(before):
            yield prefix + node.name, before.lineno, node.lineno
        earlier[node.name] = node


def matters(node):
    if isinstance(node, ast.ClassDef):
        return any(isinstance(inner, DEFINITIONS[:2]) and matters(inner) for inner in node.body)
    return kinds.kind_of(node.name) is not None or node.name.lower() in HOOKS
