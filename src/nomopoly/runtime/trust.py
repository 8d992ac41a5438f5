"""Which programs are ours: those of the shipped editions, word for word, which write by the verbs alone.

A game of nothing else may run outside the sandbox, and need not be searched for writes past the verbs at every entry.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any

from nomopoly.rulebook.source import editions, load_edition

PROSE = ("text", "title", "because", "name")  # what players write for readers; rules never run it
HARMLESS = re.compile(r"(?!.*\b(import|from)\b)[\w #$.,!?'/-]*")  # as a program, such a word does nothing


@cache
def shipped_programs() -> tuple[list[list[str]], frozenset[str]]:
    """The commons and the code of rules of all shipped editions."""
    books = [load_edition(name) for name in editions()]
    commons = [list(module) for book in books for module in book.commons]
    return commons, frozenset({"", *(record["code"] for book in books for record in book.records)})


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
