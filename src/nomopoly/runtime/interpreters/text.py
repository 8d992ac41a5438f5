"""The kernel as one text, which both interpreters load: for CPython as it is, for the sandbox without what is for readers alone."""

from __future__ import annotations

import ast
import hashlib
import importlib.resources
from functools import cache
from typing import Any

from nomopoly.kernel import MODULES

BESIDE = ("counters", "audit", "older", "views", "forms", "opening", "window")  # modules of the runtime, in order
RECURSION = 3000  # how deep calls may go, in either interpreter


@cache
def kernel_source() -> str:
    """The kernel as one text: its modules in order, without their imports of each other, then what its host adds: the counters of programs, an audit, and the `window` for readers."""
    parts = []
    kernel = importlib.resources.files("nomopoly.kernel")
    files = [kernel.joinpath(f"{module}.py") for module in MODULES]
    host = importlib.resources.files("nomopoly.runtime")
    for file in [*files, *(host.joinpath(f"{name}.py") for name in BESIDE)]:
        text = file.read_text(encoding="utf-8")
        lines = text.splitlines()
        for node in ast.parse(text).body:
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("nomopoly."):
                for at in range(node.lineno - 1, node.end_lineno or node.lineno):
                    lines[at] = ""
                lines[node.lineno - 1] = "".join(
                    f"{name.asname} = {name.name}\n" for name in node.names if name.asname and name.asname != name.name
                ).rstrip()
        parts.append("\n".join(lines))
    return "\n".join(parts) + "\n"


class Unworded(ast.NodeTransformer):
    """Takes out what is for readers alone: what functions and classes are for."""

    def without(self, node: ast.FunctionDef | ast.ClassDef | ast.Module) -> ast.AST:
        """A part of a program without its docstring."""
        self.generic_visit(node)
        if ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:] or [ast.Pass()]
        return node

    visit_FunctionDef = visit_ClassDef = visit_Module = without


@cache
def kernel_for_sandbox() -> str:
    """The kernel without what is for readers alone: it is part of every dump of a worker."""
    return ast.unparse(Unworded().visit(ast.parse(kernel_source())))


@cache
def kernel_version() -> str:
    """Which kernel this is: the beginning of the hash of its text. The `open` entry of a game says which it began with."""
    return hashlib.sha256(kernel_source().encode()).hexdigest()[:16]


@cache
def kernel_code() -> Any:
    """The kernel, compiled for CPython."""
    return compile(kernel_source(), "<kernel>", "exec")
