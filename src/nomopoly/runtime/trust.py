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

from nomopoly.rulebook.dialect.vocabulary import FORBIDDEN_NODES, OUT_OF_REACH
from nomopoly.rulebook.source import OWN, commons_texts, edition_text, load_edition, shipped_editions
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


ASKED: list[str] = []  # the editions whose programs were looked through: the next one is likely to be of them


@cache
def shipped_code(name: str) -> frozenset[str]:
    """The programs of the rules of a shipped edition."""
    return frozenset(record["code"] for record in load_edition(name).records)


def rule_code(code: Any) -> bool:
    """Whether this is the program of a rule of an edition, word for word; only a book whose text holds it is read."""
    if not isinstance(code, str):
        return False
    if not code or any(code == record["code"] for book, _ in OWN.values() for record in book.records):
        return True
    return edition_with(code) != ""


def edition_with(code: str) -> str:
    """The shipped edition of which this is a rule's program, word for word; "" if there is none."""
    for name in ASKED:
        if code in shipped_code(name):
            return name
    holding = [name for name in shipped_editions() if name not in (*OWN, *ASKED) and code in edition_text(name)]
    for name in sorted(holding, key=lambda each: len(edition_text(each))):
        ASKED.append(name)
        if code in shipped_code(name):
            return name
    return ""


def shipped_with(code: str) -> str | None:
    """The edition that a program comes with; "" for one that editions share, None for one that is not shipped."""
    if code in commons_texts().values():
        return ""
    return (code and edition_with(code)) or None


def common_module(module: Any) -> bool:
    """Whether this is a module that editions share: [name, text], word for word."""
    if list(module) in ([name, text] for name, text in commons_texts().items()):
        return True
    return any(list(module) == list(each) for book, _ in OWN.values() for each in book.commons)


@lru_cache(8192)
def shipped(code: str) -> bool:
    """Whether a program is one of a shipped edition or of what editions share, word for word."""
    return code in commons_texts().values() or rule_code(code)


@lru_cache(4096)
def by_the_verbs(code: str) -> bool:
    """Whether a program has no way to write to things but the verbs: it sets no attribute with a dot, and none of the
    words are in it by which Python can do that otherwise."""
    if rule_code(code):
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
    args = line["args"]
    return all(common_module(module) for module in args.get("commons", ())) and all(
        by_the_verbs(record["code"]) for record in args.get("rules", ())
    )


def vouched_changes(outcome: dict[str, Any]) -> bool:
    """Whether all programs that come in force by an entry do."""
    return all(record is None or by_the_verbs(record["code"]) for _, record in outcome.get("rules", ()))


@lru_cache(10_000)
def harmless(word: str) -> bool:
    """Whether a word could do nothing, or nothing but what shipped code does, if it were run."""
    return HARMLESS.fullmatch(word) is not None or rule_code(word)


def suspicious(data: Any, prose: bool = True) -> bool:
    """Whether an entry's arguments hold anything that could be run and is not shipped code."""
    if isinstance(data, str):
        return not (harmless(data) if len(data) < 100 else harmless.__wrapped__(data))  # only short words are kept
    if isinstance(data, dict):
        for key, content in data.items():
            if not harmless(key):
                return True
            if type(content) is str and len(content) < 100:  # as most are
                if not harmless(content) and not (prose and key in PROSE):
                    return True
            elif not (prose and key in PROSE) and suspicious(content, prose):
                return True
        return False
    return isinstance(data, list) and any(suspicious(part, prose) for part in data)


def trusted(line: dict[str, Any]) -> bool:
    """Whether a line of a journal holds no program but shipped ones."""
    args = line.get("args")
    if line["kind"] != "open":
        return not args or not suspicious(args, prose=line.get("do") not in ("grant", "given"))
    if not isinstance(args, dict) or not all(common_module(module) for module in args.get("commons", ())):
        return False
    return all(rule_code(record.get("code")) for record in args.get("rules", ()))


def safe_runtime(lines: Iterable[dict[str, Any]]) -> str:
    """The fastest runtime that one can let loose on a journal: cpython only where all programs are shipped ones."""
    return "cpython" if all(trusted(line) for line in lines) else "monty"
