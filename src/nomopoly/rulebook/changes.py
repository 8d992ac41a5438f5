"""Changes of a rulebook as data: read, checked for their form, and applied to plain records.

A list of `{"enact": number, "text", "code", "params"}`, `{"amend": number, ...only what changes}`, `{"repeal": number}`.
Inside a game the kernel carries them out (`kernel.rules`); here they are applied for previews, with the same meaning.
"""

from __future__ import annotations

from typing import Any

from nomopoly.errors import CommandError
from nomopoly.kernel.index import number_key
from nomopoly.rulebook.source import Record

PARTS = {"text": str, "code": str, "title": str, "section": str, "section_title": str, "params": dict}


class ChangeError(CommandError):
    """A change that cannot be applied: `rule` and `message` say which and why."""

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(f"rule {rule}: {message}" if rule else message)
        self.rule = rule
        self.message = message


def read_change(change: Any) -> tuple[str, str, dict[str, Any]]:
    """Verb, rule number and parts of one change. Raises ChangeError."""
    if not isinstance(change, dict):
        raise ChangeError("", f"a change says enact, amend or repeal: {change!r} does not")
    verbs = [verb for verb in ("enact", "amend", "repeal") if verb in change]
    if len(verbs) != 1:
        raise ChangeError("", "a change says exactly one of enact, amend and repeal")
    number = change[verbs[0]]
    if not isinstance(number, str) or not number.strip() or len(number) > 60 or not number.isprintable():
        raise ChangeError(str(number), f"{verbs[0]} wants the number of a rule, for example X.1")
    parts = {key: value for key, value in change.items() if key != verbs[0]}
    for key, value in parts.items():
        if key not in PARTS:
            raise ChangeError(number, f"a rule has no part '{key}': there are {', '.join(PARTS)}")
        if value is not None and not isinstance(value, PARTS[key]):
            raise ChangeError(number, f"'{key}' must be {'name: number' if key == 'params' else 'text'}")
    if verbs[0] == "repeal" and parts:
        raise ChangeError(number, "a repeal says nothing but the rule's number")
    if verbs[0] == "amend" and not parts:
        raise ChangeError(number, "the amendment changes nothing: give text, code or params")
    return verbs[0], number, parts


def free_number(number: str, taken: set[str]) -> str:
    """The number itself, or the next one that no rule bears. Raises ChangeError where none can be counted on to."""
    if number not in taken:
        return number
    if "/" in number:
        return next(found for at in range(2, len(taken) + 3) if (found := f"{number}-{at}") not in taken)
    head, dot, last = number.rpartition(".")
    if not last.isdigit():
        raise ChangeError(number, "there already is a rule of this number: choose another one")
    return next(found for at in range(int(last) + 1, int(last) + len(taken) + 2) if (found := f"{head}{dot}{at}") not in taken)


def apply_changes(records: list[Record], changes: Any, made_by: str = "proposal") -> list[Record]:
    """The rulebook after some changes, in book order; the given one is left alone. Raises ChangeError."""
    if not isinstance(changes, list):
        raise ChangeError("", "changes must be a list")
    book = {record["id"]: record for record in records}
    for change in changes:
        verb, number, parts = read_change(change)
        if verb == "enact":
            number = free_number(number, set(book))
            section = number.partition(".")[0]
            heading = parts.get("section_title") or parts.get("section") or ""
            heading = heading or next((r["section_title"] for r in book.values() if r["section"] == section), "")
            book[number] = {
                "id": number,
                "section": section,
                "section_title": heading,
                "title": parts.get("title") or "",
                "text": parts.get("text") or "",
                "params": dict(parts.get("params") or {}),
                "code": parts.get("code") or "",
                "since": 0,
                "made_by": made_by,
            }
            continue
        if number not in book:
            raise ChangeError(number, f"there is no such rule to {verb}")
        if verb == "repeal":
            book.pop(number)
            continue
        new = {**book[number], "made_by": made_by}
        for key, value in parts.items():
            if value is not None and key != "section":
                new[key] = {**new["params"], **value} if key == "params" else value
        book[number] = new
    return [book[number] for number in sorted(book, key=number_key)]
