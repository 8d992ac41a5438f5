"""The rulebooks with every rule under another number, and scenarios that speak of them: outcomes must not hang on
numbers."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from nomopoly.kernel.precedence import number_key
from nomopoly.rulebook.source import Book

ROMAN = re.compile(r"(?<![\w$#.-])([IVXLCD]+)\.(p?\d+)(?![\w])")
ARABIC = re.compile(r"(?<![\w$#.=-])(\d{1,2})\.(\d{1,2})(?![\w%])")  # armor=1.4 is a number, no rule
SEALED = re.compile(r"unsealed_by=\([^)]*\)")
ABOUT_RULES = ("rules", "rule", "amend", "enact", "repeal", "restore", "by", "because")  # beside them rules are named
TEXTS = ("code", "run", "text", "title", "changes")


def fresh_number(section: int, number: int) -> str:
    """Another number, in the same order: 12.3 becomes 112.103."""
    return f"{section + 100}.{number + 100}"


def renumbering(book: Book) -> Callable[[str], str]:
    """What gives a text with the numbers of all rules of a book changed. Sections keep their order, and rules within
    them."""
    sections = list(
        dict.fromkeys(record["section"] for record in sorted(book.records, key=lambda r: number_key(r["id"])))
    )
    places = {section: at for at, section in enumerate(sections, 1)}
    known = {record["id"].partition("/")[0] for record in book.records}

    def changed(found: re.Match[str]) -> str:
        section, number = found[1], found[2]
        if number[0] == "p" and section in places:
            return f"{places[section] + 100}.{number}"
        if found[0] not in known:
            return found[0]
        return fresh_number(places[section], int(number))

    def section_changed(found: re.Match[str]) -> str:
        return re.sub(r'"(\w+)"', lambda each: f'"{places.get(each[1], 0) + 100}"', found[0])

    def renumbered(text: str) -> str:
        text = SEALED.sub(section_changed, ROMAN.sub(changed, text))
        return text if "I" in places else ARABIC.sub(changed, text)

    return renumbered


def renumbered_book(book: Book) -> Book:
    """The book with fresh numbers, in its prose and programs too."""
    change = renumbering(book)
    records = []
    for record in book.records:
        id = change(record["id"])
        texts = {part: change(record[part]) for part in ("text", "title", "code")}
        params = {
            name: change(number) if isinstance(number, str) else number for name, number in record["params"].items()
        }
        records.append({**record, **texts, "params": params, "id": id, "section": id.partition(".")[0]})
    assert not {record["id"] for record in records} & {record["id"] for record in book.records}
    return Book(book.edition, book.title, sorted(records, key=lambda each: number_key(each["id"])), book.commons)


def renumbered_scenario(data: Any, change: Callable[[str], str], key: str = "") -> Any:
    """A scenario that speaks of the rules by their fresh numbers."""
    if isinstance(data, dict):
        return {name: renumbered_scenario(part, change, name) for name, part in data.items()}
    if isinstance(data, list):
        return [renumbered_scenario(part, change, key) for part in data]
    if isinstance(data, str) and key in (*ABOUT_RULES, *TEXTS, "refused", "fault", "number", "rules"):
        return change(data)
    return data
