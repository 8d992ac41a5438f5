"""What is known of programs before they run: which are shipped, and which can write to things by the verbs alone.

A game of nothing but shipped ones, word for word, may run outside the sandbox; one of programs without any way past the
verbs need not be searched for such writes at every entry.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any

from nomopoly.rulebook.dialect import FORBIDDEN_NODES, OUT_OF_REACH
from nomopoly.rulebook.source import editions, load_edition
from nomopoly.rulebook.trees import program_tree

PROSE = ("text", "title", "because", "name")  # what players write for readers; rules never run it
HARMLESS = re.compile(r"(?!.*\b(import|from)\b)[\w #$.,!?'/-]*")  # as a program, such a word does nothing

WAYS_ROUND = frozenset(  # builtins by which one can write to an object without a dot, or come by something that can
    (
        "breakpoint",
        "compile",
        "delattr",
        "eval",
        "exec",
        "getattr",
        "globals",
        "locals",
        "object",
        "property",
        "setattr",
    )
) | {"super", "type", "vars"}


@cache
def shipped_programs() -> tuple[list[list[str]], frozenset[str]]:
    """The commons and the code of rules of all shipped editions."""
    books = [load_edition(name) for name in editions()]
    commons = [list(module) for book in books for module in book.commons]
    return commons, frozenset({"", *(record["code"] for book in books for record in book.records)})


@cache
def shipped_sources() -> frozenset[str]:
    """The text of every program of the shipped editions and their commons."""
    commons, code = shipped_programs()
    return code | {source for _, source in commons}


def shipped(code: str) -> bool:
    """Whether a program is one of a shipped edition, word for word."""
    return code in shipped_sources()


@lru_cache(4096)
def by_the_verbs(code: str) -> bool:
    """Whether a program has no way to write to things but the verbs: it sets no attribute with a dot, and none of the
    words are in it by which Python can do that otherwise."""
    if code in shipped_programs()[1]:
        return True
    try:
        return not any(roundabout(node) for node in ast.walk(program_tree(code)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def roundabout(node: ast.AST) -> bool:
    """Whether a piece of a program may be part of a way past the verbs."""
    if isinstance(node, ast.Attribute):
        return not isinstance(node.ctx, ast.Load) or node.attr.startswith("_") or node.attr in OUT_OF_REACH
    if isinstance(node, ast.Name):
        return node.id in WAYS_ROUND or node.id.startswith("__")
    return isinstance(node, tuple(FORBIDDEN_NODES))


def vouched(line: dict[str, Any]) -> bool:
    """Whether all programs that an `open` line brings write by the verbs alone."""
    commons, _ = shipped_programs()
    args = line["args"]
    return all(list(module) in commons for module in args.get("commons", ())) and all(
        by_the_verbs(record["code"]) for record in args.get("rules", ())
    )


def vouched_changes(outcome: dict[str, Any]) -> bool:
    """Whether all programs that come in force by an entry do."""
    return all(record is None or by_the_verbs(record["code"]) for _, record in outcome.get("rules", ()))


@lru_cache(10_000)
def harmless(word: str) -> bool:
    """Whether a word could do nothing, or nothing but what shipped code does, if it were run."""
    return HARMLESS.fullmatch(word) is not None or word in shipped_programs()[1]


def suspicious(data: Any, prose: bool = True) -> bool:
    """Whether an entry's arguments hold anything that could be run and is not shipped code."""
    if isinstance(data, str):
        return not (harmless(data) if len(data) < 100 else harmless.__wrapped__(data))  # only short words are kept
    if isinstance(data, dict):
        for key, content in data.items():
            if not harmless(key) or (not (prose and key in PROSE) and suspicious(content, prose)):
                return True
        return False
    return isinstance(data, list) and any(suspicious(part, prose) for part in data)


def trusted(line: dict[str, Any]) -> bool:
    """Whether a line of a journal holds no program but shipped ones."""
    args = line.get("args")
    if line["kind"] != "open":
        return not args or not suspicious(args, prose=line.get("do") not in ("grant", "given"))
    commons, code = shipped_programs()
    if not isinstance(args, dict) or any(list(module) not in commons for module in args.get("commons", ())):
        return False
    return all(record.get("code") in code for record in args.get("rules", ()))


def safe_runtime(lines: Iterable[dict[str, Any]]) -> str:
    """The fastest runtime that one can let loose on a journal: cpython only where all programs are shipped ones."""
    return "cpython" if all(trusted(line) for line in lines) else "monty"
