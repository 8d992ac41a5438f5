"""Programs of the lab that run inside an interpreter, beside the kernel: text that `Runtime.add` takes."""

from __future__ import annotations

import ast
import importlib.resources
from functools import cache
from typing import Any

from nomopoly.rulebook.trees import program_tree

LEAVING = ("leave-game", "leave")  # who plays by itself stays
MEMORY = ("tried", "chosen", "voted", "rests")  # what it remembers from day to day

PLAYING = ("filling", "player")  # what finds orders, in the order in which it is loaded


def let_play(runtime: Any, *more: str) -> None:
    """Load what finds orders into an interpreter, and further modules after it."""
    for module in (*PLAYING, *more):
        runtime.add(inside(module))


@cache
def inside(module: str) -> str:
    """A module of the lab in the sandbox dialect, as a text without its imports of the kernel and without
    docstrings."""
    file = importlib.resources.files("nomopoly.lab").joinpath(f"{module}.py")
    tree = program_tree(file.read_text(encoding="utf-8"))
    tree.body = [
        node
        for node in tree.body
        if not (isinstance(node, ast.ImportFrom) and (node.module or "").startswith("nomopoly."))
    ]
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree) + "\n"
