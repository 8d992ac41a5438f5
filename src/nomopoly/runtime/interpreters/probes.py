"""Programs of rules with something put in: a probe before each statement finds where an entry broke, a watcher says
which rules run."""

from __future__ import annotations

import ast
import contextlib
import json
from collections.abc import Callable
from functools import lru_cache
from types import CodeType
from typing import Any

from nomopoly.kernel.budgets import MARK
from nomopoly.rulebook.trees import program_tree
from nomopoly.runtime.counted import counted, counted_tree

Data = dict[str, Any]
Call = Callable[[str, Data | None], Any]
PAST = "past the verbs"  # a fault whose place is where the state first differs from what the verbs have written
watching: list[set[str]] = []  # where to write down which rules run, while somebody wants to know


def place_reached(call: Call, scratch: Call, rule: str, entry: Data, past: bool) -> tuple[str, int]:
    """Rule and line at which an entry broke: it is run again in a scratch runtime, with probes in the code of rules.

    `rule` is the one whose code ran in the end, as far as the kernel knows: what broke while it was read has no probe.
    """
    state, commons = call("dump", None), call("commons", None)
    programs = [source for _, source in commons] + [record["code"] for record in state["rules"]]
    own = [record["code"] for record in state["rules"] if record["id"] == rule]
    probes = probed_programs([state, entry]) if past or not rule else all_counted(programs) | probed_programs(own)
    scratch("restore", {"commons": commons, "state": state, "probes": probes, "seeks": past})
    return place_of_entry(scratch, rule, entry)


def place_of_entry(scratch: Call, rule: str, entry: Data) -> tuple[str, int]:
    """Rule and line at which an entry breaks in a runtime with probes: the last one that it reached, of that rule."""
    with contextlib.suppress(Exception):
        scratch("batch", {"entries": [entry]})
    reached = scratch("reached", None)
    within = [place for place in reached if place[0] == rule] or ([] if rule else reached)
    return (within[-1][0], within[-1][1]) if within else (rule, 0)


class Probes(ast.NodeTransformer):
    """Puts a probe with its line number before every statement."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Visit what is below a node, then put a probe before each statement of its blocks."""
        super().generic_visit(node)
        for part in ("body", "orelse", "finalbody"):
            block = getattr(node, part, None)
            if isinstance(block, list):
                probed: list[ast.stmt] = []
                for statement in block:
                    if not leaving(statement):
                        probed.append(program_tree(f"probe({statement.lineno})").body[0])
                    probed.append(statement)
                setattr(node, part, probed)
        return node


def leaving(statement: ast.stmt) -> bool:
    """Whether a statement is the counter that stands at the end of a function, however it ends."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == MARK + "leave"


@lru_cache(4096)
def with_probes(code: str) -> str:
    """A rule's code with its counters that calls `probe(line)` before each of its statements."""
    return ast.unparse(Probes().visit(ast.fix_missing_locations(counted_tree(code))))


def counted_programs(book: Data) -> dict[str, str]:
    """The programs of a rulebook and its commons with their counters."""
    return all_counted([source for _, source in book["commons"]] + [record["code"] for record in book["rules"]])


def all_counted(programs: list[str]) -> dict[str, str]:
    """Each of these programs with its counters."""
    return {code: counted(code) for code in programs}


def probed_programs(data: Any) -> dict[str, str]:
    """Every program found in data (rules, proposals, an order), with its twin that has probes."""
    twins: dict[str, str] = {}
    waiting = [data]
    while waiting:
        piece = waiting.pop()
        if isinstance(piece, dict):
            waiting.extend(piece.values())
        elif isinstance(piece, list):
            waiting.extend(piece)
        elif isinstance(piece, str) and not piece.isidentifier():
            if piece.startswith(("[", "{")):
                with contextlib.suppress(ValueError, RecursionError):
                    waiting.append(json.loads(piece))
            with contextlib.suppress(RecursionError, MemoryError):
                twin = twin_of(piece)
                if twin is not None:
                    twins[piece] = twin
    return twins


@lru_cache(8192)
def twin_of(text: str) -> str | None:
    """The twin with probes of a program; None for what is none, as most texts of a game are: each is read once."""
    try:
        return with_probes(text)
    except (SyntaxError, ValueError):
        return None


class Watcher(ast.NodeTransformer):
    """Makes every function of a program tell first that code of its rule runs."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Put the call to `watched_rule` at the top of a function, and of those within it."""
        self.generic_visit(node)
        node.body.insert(0, ast.Expr(self.telling()))
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        """Turn the body of a lambda into `(watched_rule(), body)[1]`: its value stays the same."""
        self.generic_visit(node)
        node.body = ast.Subscript(ast.Tuple([self.telling(), node.body], ast.Load()), ast.Constant(1), ast.Load())
        return node

    @staticmethod
    def telling() -> ast.Call:
        """The call `watched_rule()`."""
        return ast.Call(ast.Name("watched_rule", ast.Load()), [], [])


@lru_cache(4096)
def compiled_watched(source: str) -> CodeType:
    """A program of a rule, compiled so that it tells when it runs."""
    return compile(ast.fix_missing_locations(Watcher().visit(program_tree(source))), "<string>", "exec", optimize=0)
