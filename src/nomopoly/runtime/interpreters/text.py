"""The kernel as one text, which both interpreters load: for CPython as it is, for the sandbox without what is for
readers alone.

A kernel of an older version that games are still played with stands in `runtime/kernels/` under its version, as such a
text.
"""

from __future__ import annotations

import ast
import gzip
import hashlib
import importlib.resources
import re
from functools import cache
from typing import Any

from nomopoly.errors import CommandError
from nomopoly.kernel import MODULES
from nomopoly.rulebook.bytecode import kept
from nomopoly.rulebook.trees import program_tree
from nomopoly.runtime.seeing import ANSWERS

# Modules of the runtime, in order.
BESIDE = ("counters", "counted_functions", "audit", "older", "views", "forms", "opening", "window")
KERNELS = importlib.resources.files("nomopoly.runtime").joinpath("kernels")
ENDING = ".py.gz"
TOGETHER = "together"  # several calls that only read, in one
DECLARED = ("describe", "declares", "sayings")  # what hangs on the rules alone
# Calls that change nothing.
READS = (TOGETHER, "value", "due", "ids", "records", *DECLARED, "view", "actions", "numbers", "waits")
TRIES = ("preview", "ballot", "reckoning", "leaving", "dump", "commons")  # calls that leave things as they were
IMPORTS = re.compile(r"^from nomopoly\.\S* import (?:\([^)]*\)|.*)", re.MULTILINE)
RECURSION = 3000  # how deep calls may go, in either interpreter


def without_import(found: re.Match[str]) -> str:
    """What stands in a text for a module's import of another one: its other names for what it takes, and as many lines
    as before."""
    (node,) = program_tree(found[0]).body
    taken = node.names if isinstance(node, ast.ImportFrom) else []
    renamed = [f"{each.asname} = {each.name}" for each in taken if each.asname and each.asname != each.name]
    return "\n".join(renamed) + "\n" * found[0].count("\n")


@cache
def kernel_source() -> str:
    """The kernel as one text: its modules in order, without their imports of each other, then what its host adds: the
    counters of programs, an audit, and the `window` for readers."""
    parts = []
    kernel = importlib.resources.files("nomopoly.kernel")
    files = [kernel.joinpath(f"{module}.py") for module in MODULES]
    host = importlib.resources.files("nomopoly.runtime")
    for file in [*files, *(host.joinpath(f"{name}.py") for name in BESIDE)]:
        text = file.read_text(encoding="utf-8")
        parts.append(IMPORTS.sub(without_import, text).removesuffix("\n"))
    return "\n".join(parts) + "\n"


def older_kernels() -> list[str]:
    """The versions of the kernels that are kept beside this one, in the order of their names."""
    names = [file.name for file in KERNELS.iterdir()] if KERNELS.is_dir() else []
    return sorted(name.removesuffix(ENDING) for name in names if name.endswith(ENDING))


@cache
def source_of(kernel: str) -> str:
    """The text of a kernel: this version's for "", else that of an older one. Raises CommandError for one that is not
    kept."""
    if not kernel or kernel == kernel_version():
        return kernel_source()
    if kernel not in older_kernels():
        raise CommandError(
            f"the kernel {kernel} is not part of this version: install the one that the game was played with"
        )
    return gzip.decompress(KERNELS.joinpath(kernel + ENDING).read_bytes()).decode()


def forget_kept(kept: dict[str, Any], name: str) -> None:
    """Forget what a runtime has kept of answers, before a call that may change them."""
    if name not in READS:
        answers = kept.get(ANSWERS) if name in TRIES else None
        kept.clear()
        if answers is not None:
            kept[ANSWERS] = answers


def named(runtime: str, kernel: str) -> str:
    """What `make_runtime` calls a runtime of this kind with that kernel ("": this version's)."""
    return f"{runtime}@{kernel}" if kernel else runtime


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
def kernel_for_sandbox(kernel: str = "") -> str:
    """A kernel (see `source_of`) without what is for readers alone: it is part of every dump of a worker."""
    return ast.unparse(Unworded().visit(program_tree(source_of(kernel))))


@cache
def kernel_version() -> str:
    """Which kernel this is: the beginning of the hash of its text. The `open` entry of a game says which it began
    with."""
    return digest_of_kernel()[:16]


def digest_of_kernel(kernel: str = "") -> str:
    """The hash of a kernel's text (see `source_of`)."""
    return hashlib.sha256(source_of(kernel).encode()).hexdigest()


@cache
def kernel_code(kernel: str = "") -> Any:
    """A kernel (see `source_of`), compiled for CPython."""
    source = source_of(kernel)
    name = f"kernel-{kernel}" if kernel else "kernel"
    return kept(name, source, lambda: compile(source, "<kernel>", "exec", optimize=0))
