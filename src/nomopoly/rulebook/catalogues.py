"""Catalogues that a rule fills or reads under a name that no other rule knows, though one nearly of that name is known."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import lru_cache

from nomopoly.rulebook.dialect.names import near
from nomopoly.rulebook.outline import Declared, argument, called, first_word, parse, words_in
from nomopoly.rulebook.problems import Problem
from nomopoly.rulebook.source import Record

FILLING = ("row", "catalogue")
READING = ("rows", "row_of")
NAMING = ("holds", "priced")  # what a declaration says of a catalogue


def catalogue_problems(changed: Iterable[Record], book: Iterable[Record], declared: Declared) -> list[Problem]:
    """The problems of rules that change, in the `book` with the changes."""
    problems = []
    others: dict[str, tuple[frozenset[str], frozenset[str]]] = {}
    for record in changed:
        own = named_in(record["code"])
        if not own:
            continue
        others = others or {each["id"]: names_of(each["code"]) for each in book}
        shared = [names_of(code) for _, code in declared.commons]
        elsewhere = [*shared, *(names for id, names in others.items() if id != record["id"])]
        filled = frozenset(declared.kinds).union(*(names for names, _ in elsewhere))
        known = filled.union(*(names for _, names in elsewhere))
        mine, read = names_of(record["code"])
        for name, line, fills in own:
            enough = known | read if fills else filled | mine
            hint = "" if name in enough else near(name, enough)
            if hint:
                problems.append(Problem("warning", record["id"], line, f"no other rule knows '{name}'{hint}"))
    return problems


@lru_cache(maxsize=2048)
def names_of(code: str) -> tuple[frozenset[str], frozenset[str]]:
    """The catalogues that a program fills, and those that it reads."""
    named = named_in(code)
    filled = frozenset(name for name, _, fills in named if fills)
    return filled, frozenset(name for name, _, fills in named if not fills)


def named_in(code: str) -> list[tuple[str, int, bool]]:
    """The catalogues that a program names: (name, line, whether it fills it)."""
    if not any(word in code for word in ("row", "catalogue", *NAMING)):
        return []
    tree = parse(code)
    found = []
    for node in ast.walk(tree) if isinstance(tree, ast.Module) else ():
        if not isinstance(node, ast.Call):
            continue
        name = first_word(node)
        if name is not None and called(node) in FILLING + READING:
            found.append((name, node.lineno, called(node) in FILLING))
        for option in NAMING:
            given = " ".join(words_in(argument(node, len(node.args), option)))
            found += [(each, node.lineno, False) for each in given.split()]
    return found
