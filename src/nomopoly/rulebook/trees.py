"""Python's syntax trees, made by one thread at a time.

CPython 3.11 counts how deep a tree is for all threads together. Where a finalizer lets another thread go on in the
middle of one tree, and that thread makes one too, `ast.parse` raises
`SystemError: AST constructor recursion depth mismatch`. A server that has just started, with many requests at once, met
it.
"""

import ast
import threading

_alone = threading.RLock()  # a finalizer may parse, too


def program_tree(source: str) -> ast.Module:
    """The tree of a program. Raises what `ast.parse` raises."""
    with _alone:
        return ast.parse(source)


def expression_tree(source: str) -> ast.expr:
    """The tree of an expression. Raises what `ast.parse` raises."""
    with _alone:
        return ast.parse(source, mode="eval").body
