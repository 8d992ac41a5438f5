"""The words that rules lend to all rules, read from their programs without running them."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from nomopoly.rulebook.outline import lent_functions
from nomopoly.rulebook.source import Record


@dataclass(frozen=True)
class Word:
    """A function that a rule lends: its name, the rule's number, how it is called (`fee(who, amount=1)`), what it is
    for."""

    name: str
    rule: str
    signature: str
    doc: str


def words_of(records: Iterable[Record]) -> list[Word]:
    """The words that rules lend, in the order of the book."""
    return [
        Word(node.name, record["id"], f"{node.name}({ast.unparse(node.args)})", ast.get_docstring(node) or "")
        for record in records
        for node in lent_functions(record["code"])
    ]
