"""What nobody could read in the fields of an order, whatever the game is like when it is carried out.

The rules read an order that waits as it is carried out, and refuse it then. What is no number, no text or no list will
be none at the update either: that is said at once, in the kernel's words.
"""

from __future__ import annotations

import re
from typing import Any

VOWELS = tuple("aeiou")
NUMBER = re.compile(r"\s*-?\d{1,29}\s*")


def unreadable(form: dict[str, list[str]], args: dict[str, Any]) -> str | None:
    """Why the fields of an order cannot be read, or None. `form`: what its fields are, as `describe` has it."""
    for label, (_words, sort, kind) in form.items():
        value = args.get(label)
        if value is not None and value != "" and (reason := problem_with(label, sort, kind, value)):
            return reason
    return None


def problem_with(label: str, sort: str, kind: str, value: Any) -> str:
    """What is wrong with the value of a field of this sort; "" if nothing is."""
    if sort in ("number", "money"):
        return "" if is_number(value) else f"{label} must be a whole number"
    if sort == "moment":
        if type(value) is int:
            return ""
        return f"{label} must be a moment, for example 2026-03-05T18:00 (programs: seconds since 1970)"
    if sort in ("words", "code"):
        return "" if isinstance(value, str) else f"{label} must be text"
    if sort == "thing":
        what = f"{'an' if kind[:1] in VOWELS else 'a'} {kind or 'thing'}"
        return "" if isinstance(value, str) else f"{label} must name {what}"
    if sort == "goods" and not isinstance(value, dict):
        return f"{label} must say what, for example money: 60"
    if sort == "goods" and value.get("money") is not None and not is_number(value["money"]):
        return problem_with(f"{label} money", "money", "", value["money"])
    return ""


def is_number(value: Any) -> bool:
    """Whether the rules read a value as a whole number."""
    return type(value) is int or (isinstance(value, str) and NUMBER.fullmatch(value) is not None)
