"""The numbers of a game's rules, each with the sentences it stands in: they can be changed without programming."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nomopoly.site.play import words
from nomopoly.site.play.sheets import sort_of, unwrapped, written

if TYPE_CHECKING:
    from nomopoly.site.play.sheets import Box
    from nomopoly.site.shapes import Data


SENTENCE = re.compile(r"(?<=[.!?:])\s+(?=[A-ZÄÖÜ\"“„(])|\n+")
MARKUP = re.compile(r"[*`]|^\s*(?:[-+>]|\d+[.)])\s+|^#+\s+", re.M)
A_PAGE = 40  # rules that are listed at once


@dataclass
class Piece:
    """A part of a sentence: words, or the number called `name` with what it is now and what it would be."""

    text: str
    name: str = ""
    field: str = ""  # the name of its input in the form
    wanted: str = ""

    @property
    def changed(self) -> bool:
        """Whether this is a number, and another one is wanted than there is now."""
        return bool(self.name) and self.wanted != self.text


@dataclass
class Numbered:
    """A rule with numbers: `sentences` are lists of pieces, `silent` the names of those that no sentence names."""

    record: Data
    sentences: list[Any]
    silent: list[Any]


def numbered(record: Data, box: Box | None = None) -> Numbered:
    """A rule's numbers in their sentences; with a change of it in a form, with what they would be."""
    params = {name: value for name, value in record["params"].items() if sort_of(value)}
    wanted = {name: spelled(box, name, value) for name, value in params.items()}
    fields = {name: f"changes-{box.at}-number-{name}" if box else "" for name in params}
    sentences, seen = [], set()
    for sentence in SENTENCE.split(MARKUP.sub("", unwrapped(record["text"]))):
        parts = re.split(r"\{(\w+)\}", sentence.strip(" |"))
        named = {name for name in parts[1::2] if name in params}
        if not named:
            continue
        seen |= named
        pieces = []
        for at, part in enumerate(parts):
            if at % 2 == 0:
                pieces.append(Piece(part))
            elif part in params:
                pieces.append(Piece(words.number_words(params[part]), part, fields[part], wanted[part]))
            else:
                pieces.append(Piece(words.number_words(record["params"].get(part, f"{{{part}}}"))))
        sentences.append(pieces)
    return Numbered(record, sentences, [name for name in params if name not in seen])


def spelled(box: Box | None, name: str, value: object) -> str:
    """What a number would be, as the sentence has it."""
    text = box.numbers.get(name, written(value)) if box else written(value)
    return text if isinstance(value, str) else text.strip().replace(",", "").replace("$", "")


def with_numbers(records: list[Data]) -> list[Any]:
    """The rules that have numbers with an input of their own."""
    return [record for record in records if any(sort_of(value) for value in record["params"].values())]


def listed(records: list[Data], edition: str, wanted: str, but: set[Any]) -> tuple[list[Any], int]:
    """(the rules with numbers that hold all words of what is looked for, how many there are): the first A_PAGE of them,
    as the reader's language says them. `but`: the numbers of rules that are left out."""
    parts = wanted.casefold().split()
    left = [(record, words.as_read(record, edition)) for record in with_numbers(records) if record["id"] not in but]
    found = [read for record, read in left if all(part in searched(record) + searched(read) for part in parts)]
    return [numbered(read) for read in found[:A_PAGE]], len(found)


def searched(record: Data) -> str:
    """What of a rule is searched: its number, its words, and the names of its numbers and what they are."""
    names = " ".join(f"{words.plain(name)} {name} {written(value)}" for name, value in record["params"].items())
    title = f"{record['id']} {record['title']} {record['section_title']}"
    return f"{title} {record['text']} {names}".casefold()
