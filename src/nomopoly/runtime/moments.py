"""Dates in orders: people write them in the time zone of the game, rules and the journal have seconds."""

from __future__ import annotations

import datetime
import re
import zoneinfo
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

DAY = 86400
YEARS = 30  # for which a game knows beforehand what its clock will say
LAST = 10**11  # the last moment of a game


def seconds_in(text: Any, zone: str) -> Any:
    """The moment (seconds since 1970) that a date (`2026-03-05`, `2026-03-05T18:00`) means in a time zone.

    With an offset it is taken at its word. What is no date stays as it is: the form then says what it wants.
    """
    if not isinstance(text, str):
        return text
    try:
        found = datetime.datetime.fromisoformat(text.strip())
        return int((found if found.tzinfo else found.replace(tzinfo=zoneinfo.ZoneInfo(zone))).timestamp())
    except (ValueError, OverflowError, OSError):
        return text


def text_in(moment: Any, zone: str) -> Any:
    """A moment as forms show it in a time zone: `2026-03-05T18:00`. What is no moment stays as it is."""
    if type(moment) is not int:
        return moment
    try:
        return datetime.datetime.fromtimestamp(moment, zoneinfo.ZoneInfo(zone)).strftime("%Y-%m-%dT%H:%M")
    except (ValueError, OverflowError, OSError):
        return moment


def exact_in(moment: Any, zone: str) -> Any:
    """A moment as forms ask for it, so that `seconds_in` finds it again: with its seconds if it has any, and with its
    offset where that hour comes twice: `2026-10-25T02:30:15+01:00`. What is no moment stays as it is."""
    short = text_in(moment, zone)
    if seconds_in(short, zone) == moment:
        return short
    try:
        found = datetime.datetime.fromtimestamp(moment, zoneinfo.ZoneInfo(zone))
    except (TypeError, ValueError, OverflowError, OSError):
        return short
    local = found.replace(tzinfo=None).isoformat()
    return local if seconds_in(local, zone) == moment else found.isoformat()


def with_zone(say: str, fields: Iterable[str], zone: str) -> str:
    """A declared sentence whose fields that are moments say in which time zone they are to be read."""
    for name in fields:
        say = re.sub(rf"\{{{name}_?\}}", lambda found: f"{found[0][:-1]}@{zone}}}", say)
    return say


def with_seconds(args: Any, fields: Iterable[str], zone: str) -> Any:
    """The arguments of an order with seconds where people wrote a date."""
    return {**args, **{name: seconds_in(args[name], zone) for name in fields if name in args}}


@lru_cache(100)
def offsets_of(zone: str, at: int) -> list[list[int]]:
    """The clock of a time zone for the years after a moment: [[from when, seconds before UTC]], the first from that
    moment.

    A game keeps it from its opening on, so that rules can tell what the clock will say wherever the game is computed.
    """
    clock = zoneinfo.ZoneInfo(zone)

    def offset(moment: int) -> int:
        return int((datetime.datetime.fromtimestamp(moment, clock).utcoffset() or datetime.timedelta()).total_seconds())

    offsets = [[at, offset(at)]]
    for day in range(at, at + YEARS * 366 * DAY, DAY) if zone != "UTC" else ():
        before, after = day, day + DAY
        if offset(after) != offsets[-1][1]:
            while after - before > 1:
                middle = (before + after) // 2
                before, after = (middle, after) if offset(middle) == offsets[-1][1] else (before, middle)
            offsets.append([after, offset(after)])
    return offsets


def are_offsets(data: Any) -> bool:
    """Whether data is what `offsets_of` gives."""
    return isinstance(data, list) and all(
        isinstance(each, list) and len(each) == 2 and all(type(part) is int and abs(part) < LAST for part in each)
        for each in data
    )
