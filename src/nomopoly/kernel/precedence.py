"""Precedence: of several rules that cannot all hold, which one does, and why (the games' law I.3)."""

from typing import Any

from nomopoly.kernel.beyond import REPLACEABLE
from nomopoly.kernel.world import covers

MOST_KEYS = 20_000
ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


def roman_value(text: str) -> int:
    """The value of a Roman numeral, or 0 if it is none."""
    total = 0
    last = 0
    for letter in text:
        value = ROMAN.get(letter, 0)
        if not value:
            return 0
        total += value - 2 * last if value > last else value
        last = value
    return total


KEYS: dict[str, Any] = {}  # number -> what it is sorted by, of those asked for lately


def number_key(id: str) -> Any:
    """Sorts rule numbers as readers do: 9.9 before 9.10, IX.1 before X.1, rows after their rule."""
    if id in KEYS:
        return KEYS[id]
    number, slash, row = id.partition("/")
    key: list[Any] = []
    for part in number.split("."):
        if part.isdigit():
            key.append((0, int(part), ""))
            continue
        value = roman_value(part)
        key.append((0, value, "") if value else (1, 0, part))
    if len(KEYS) > MOST_KEYS:
        KEYS.clear()
    KEYS[id] = (tuple(key), row)
    return KEYS[id]


def goes_before(a: Any, b: Any, name: str = "") -> bool:
    """Whether program `a` says that it overrides `b`, or `b` that it defers to `a`, where both declare `name`."""
    if b.id == "kernel" and name not in REPLACEABLE:
        return False
    stated = [(id, b.id) for id in a.overrides] + [(id, a.id) for id in b.defers_to]
    return bool([id for id, rule in stated if covers(id, rule)])


def base_key(program: Any) -> Any:
    """Precedence where nothing is stated: older present form, then lower number."""
    return (program.since, number_key(program.id))


def in_order(entries: list[Any], name: str = "") -> list[Any]:
    """Sort (program, ...) tuples, declarations of `name`, by precedence."""
    if len(entries) < 2:
        return entries
    entries = sorted(entries, key=lambda each: base_key(each[0]))
    if not [each for each in entries if each[0].overrides or each[0].defers_to]:
        return entries
    ordered: list[Any] = []
    deferring: list[Any] = []  # the programs among them that an older one may go before, although it names none
    for entry in entries:
        if entry[0].overrides:
            places = [at for at in range(len(ordered)) if goes_before(entry[0], ordered[at][0], name)]
        else:
            ids = {each.id: True for each in deferring if goes_before(entry[0], each, name)}
            places = [at for at in range(len(ordered)) if ordered[at][0].id in ids] if ids else []
        ordered.insert(min(places, default=len(ordered)), entry)
        if entry[0].defers_to:
            deferring.append(entry[0])
    return ordered


def reason_between(winner: Any, loser: Any) -> str:
    """Why one rule goes before another, in words."""
    for id in winner.overrides:
        if covers(id, loser.id):
            return f"says it overrides {id}"
    for id in loser.defers_to:
        if covers(id, winner.id):
            return f"{loser.id} says it defers to {id}"
    return "older form" if winner.since < loser.since else "lower number"
