"""Proposals that broke when they were to come into force: where and why, for their page."""

import re
from dataclasses import dataclass

PLAIN = ("AttributeError", "IndexError", "NameError", "SyntaxError", "TypeError", "ZeroDivisionError")
"""Faults whose message speaks of the program alone; others are made of values, which may be hidden from the author."""


@dataclass
class Broken:
    """Where a proposal broke: `place` in words, the `line` of the program as it stands there, `why` ("" where the reader may
    not know), and the number of the entry in the log."""

    place: str
    line: str
    why: str
    number: int | None


def of(seat, proposal):
    """What broke when this proposal was last to come into force; None if nothing did, or it is in force."""
    numbers = {change[verb]: change for change in proposal["changes"] for verb in change if verb in ("enact", "amend")}
    for entry in seat.live.facts("admin")[::-1]:
        fault = entry.get("fault")
        mine = (entry.get("args") or {}).get("on") == proposal["id"]
        if mine and not fault and not entry.get("refused"):
            return None
        if not fault or entry["struck"]:
            continue
        if fault["rule"] == proposal["id"]:
            return told(seat, proposal, entry, "its program that runs once", proposal["run"])
        if fault["rule"] in numbers or mine:
            code = numbers.get(fault["rule"], {}).get("code") or ""
            return told(seat, proposal, entry, f"rule {fault['rule']}" if fault["rule"] else "", code)
    return None


def told(seat, proposal, entry, place, code):
    """A fault, as this reader may know of it: the message is for the author and the Admin."""
    fault = entry["fault"]
    lines = code.split("\n")
    line = lines[fault["line"] - 1].strip() if 0 < fault["line"] <= len(lines) else ""
    where = f"{place}, line {fault['line']}" if fault["line"] else place
    sort, _, words = fault["message"].partition(": ")
    if seat.role == "admin":
        why = words or sort
    elif seat.player_name is not None and seat.player_name == proposal["author"]:
        declares = re.fullmatch(r"rule [\w./-]+: .*", words)  # said of what a rule declares
        why = words if sort in PLAIN or declares else f"{sort}. Try it out: a forecast says more"
    else:
        why = ""
    return Broken(where, line, why, entry.get("number"))
