"""The shape of a journal's lines, looked at before anything is made of them: a file may come from anybody.

A field that is not known is let through: later versions write more. What the fields mean is checked by `verify`.
"""

from __future__ import annotations

import re
import zoneinfo
from collections.abc import Callable, Iterable
from typing import Any

DEEPEST = 100  # lists and dicts within each other
MOST_NUMBER = 10**9  # of an entry
HASH = re.compile(r"[0-9a-f]{64}")
DRAWS = re.compile(r"(?:[0-9a-f]{8})*")
MOMENT = re.compile(r"(19[7-9]\d|[2-8]\d\d\d)-\d\d-\d\dT\d\d:\d\d:\d\dZ")
BROKEN = re.compile(r"[\ud800-\udfff]")
KINDS = ("open", "join", "leave", "order", "withdraw", "tick", "ballots", "admin", "operator", "strike", "reveal")


def is_hash(value: Any) -> bool:
    """Whether it is a hash as the journal writes it."""
    return isinstance(value, str) and HASH.fullmatch(value) is not None


def is_number(value: Any) -> bool:
    """Whether it can be the number of an entry."""
    return type(value) is int and 0 <= value <= MOST_NUMBER


def is_moment(value: Any) -> bool:
    """Whether it is written like a moment."""
    return isinstance(value, str) and MOMENT.fullmatch(value) is not None


def is_word(value: Any) -> bool:
    """Whether it is text, or nothing."""
    return value is None or is_text(value)


def is_text(value: Any) -> bool:
    """Whether it is text, all of whose characters are whole."""
    return isinstance(value, str) and (value.isascii() or BROKEN.search(value) is None)


def is_dict(value: Any) -> bool:
    """Whether it has fields."""
    return isinstance(value, dict)


def is_list(value: Any) -> bool:
    """Whether it is a list, or nothing."""
    return value is None or isinstance(value, list)


def is_answer(value: Any) -> bool:
    """Whether it is true or false, or nothing."""
    return value is None or isinstance(value, bool)


def is_draws(value: Any) -> bool:
    """Whether it is draws as hex text, eight digits each."""
    return isinstance(value, str) and DRAWS.fullmatch(value) is not None


def is_draws_by_entry(value: Any) -> bool:
    """Whether it is draws by the number of their entry."""
    return isinstance(value, dict) and all(key.isdecimal() and is_draws(value[key]) for key in value)


def is_part(value: Any) -> bool:
    """Whether it is a part of a copy for one viewer: its salt, and what it says."""
    return isinstance(value, list) and len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], dict)


def is_public(value: Any) -> bool:
    """Whether it is the part that everybody sees."""
    if not is_part(value) or not is_moment(value[1].get("at")):
        return False
    return all(fits(value[1][name]) for name, (fits, _) in PERHAPS.items() if name in value[1] and name != "refused")


def is_own(value: Any) -> bool:
    """Whether it is the part that one viewer alone sees: two salts, what it says, the viewer's name."""
    return (
        isinstance(value, list)
        and [type(each) for each in value] == [str, str, dict, str]
        and all(isinstance(part, list) for part in value[2].values())
    )


def is_shown(value: Any) -> bool:
    """Whether it is the parts of a copy for one viewer."""
    if not isinstance(value, dict):
        return False
    looks = {"public": is_public, "rest": is_part, "own": is_own, "entry": is_text, "unproven": is_answer}
    return "public" in value and all(looks.get(name, is_hash)(part) for name, part in value.items())


def is_zone(value: Any) -> bool:
    """Whether it names a time zone."""
    try:
        return isinstance(value, str) and zoneinfo.ZoneInfo(value) is not None
    except (KeyError, ValueError, OSError):
        return False


def is_programs(value: Any) -> bool:
    """Whether it is a list of [name, program]."""
    return isinstance(value, list) and all(
        isinstance(each, list) and len(each) == 2 and all(isinstance(part, str) for part in each) for each in value
    )


def is_rules(value: Any) -> bool:
    """Whether it is a list of rules, as records."""
    return isinstance(value, list) and all(
        isinstance(each, dict) and all(isinstance(each.get(name), str) for name in ("id", "text", "code"))
        for each in value
    )


Look = tuple[Callable[[Any], bool], str]
NEEDED: dict[str, Look] = {
    "n": (is_number, "the number of an entry"),
    "at": (is_moment, "a moment (2026-03-05T00:00:00Z)"),
    "kind": (lambda value: isinstance(value, str) and value in KINDS, "a kind of entry"),
    "by": (is_word, "a name"),
    "do": (is_word, "the name of an action"),
    "args": (is_dict, "fields by name"),
    "out": (is_hash, "a hash"),
    "prev": (is_hash, "a hash"),
    "hash": (is_hash, "a hash"),
}
PERHAPS: dict[str, Look] = {
    "limit": (is_word, "the name of a limit"),
    "draws": (is_list, "a list"),
    "queued": (is_answer, "true or false"),
    "after": (is_number, "the number of an entry"),
    "again": (lambda value: value is None or is_number(value), "the number of an entry"),
    "alone": (is_dict, "fields by name"),
    "limit_since": (lambda value: value is None or type(value) is int, "the number of an entry"),
    "salt": (is_hash, "a salt"),
    "drawn": (is_draws, "draws"),
    "hidden": (is_draws, "draws"),
    "redrawn": (is_draws_by_entry, "draws by entry"),
    "redrawn_hidden": (is_draws_by_entry, "draws by entry"),
    "dice": (is_list, "a list"),
    "until": (is_text, "text"),
    "refused": (is_answer, "true or false"),
}
KNOWN = NEEDED | PERHAPS
LOOKS = {name: fits for name, (fits, _) in KNOWN.items()}
SHOWN = ("at", "kind", "by", "do", "args")  # what a line of a copy has, if it shows what was ordered

OPEN: dict[str, Look] = {
    "id": (is_text, "text"),
    "title": (is_text, "text"),
    "edition": (is_text, "text"),
    "time_zone": (is_zone, "a time zone"),
    "commons": (is_programs, "a list of [name, program]"),
    "rules": (is_rules, "a list of rules with id, text and code"),
}


ORDINARY = frozenset((*NEEDED, "drawn", "salt"))  # what most lines have, and no more
PLAIN = frozenset((str, int, bool, type(None)))


def is_ordinary(line: dict[str, Any]) -> bool:
    """Whether a line has the parts of most lines in their shape: all hashes are looked at in one piece."""
    try:
        out, prev, own, salt, drawn = line["out"], line["prev"], line["hash"], line["salt"], line.get("drawn", "")
        seals = "".join((out, prev, own, salt, drawn))
        return (
            ORDINARY.issuperset(line)
            and len(out) == len(prev) == len(own) == len(salt) == 64
            and len(drawn) % 8 == 0
            and bytes.fromhex(seals).hex() == seals
            and is_number(line["n"])
            and MOMENT.fullmatch(line["at"]) is not None
            and line["kind"] in KINDS
            and line["kind"] != "open"
            and is_word(line["by"])
            and is_word(line["do"])
            and PLAIN.issuperset(map(type, line["args"].values()))
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        return False


def misshapen(line: dict[str, Any], raw: bytes) -> str | None:
    """What is wrong with the shape of a line, or None. `raw`: the line as it is written."""
    if is_ordinary(line):
        return None
    if raw.count(b"{") + raw.count(b"[") > DEEPEST and deeper_than(line, DEEPEST):
        return f"more than {DEEPEST} lists and dicts within each other"
    needed: Iterable[str] = NEEDED
    if "withheld" in line or "shown" in line:  # as in a copy for one viewer
        needed = ("n", "prev", "hash", *(SHOWN if "shown" in line and "kind" in line else ()))
    if "shown" in line and not is_shown(line["shown"]):
        return "'shown' is not what a copy shows"
    for name in needed:
        if name not in line:
            return f"'{name}' is not {NEEDED[name][1]}"
    for name, value in line.items():
        fits = LOOKS.get(name)
        if fits is not None and not fits(value):
            return f"'{name}' is not {KNOWN[name][1]}"
    if line.get("kind") == "open":
        for name, (fits, what) in OPEN.items():
            if not fits(line["args"].get(name)):
                return f"'{name}' of the game is not {what}"
    return None


def deeper_than(data: Any, most: int) -> bool:
    """Whether lists and dicts lie deeper within each other than that."""
    level = [data]
    for _ in range(most + 1):
        level = [part for each in level for part in parts_of(each)]
        if not level:
            return False
    return True


def parts_of(data: Any) -> list[Any]:
    """The lists and dicts in a list or dict."""
    inside = data.values() if isinstance(data, dict) else data
    return [part for part in inside if isinstance(part, (list, dict))]
