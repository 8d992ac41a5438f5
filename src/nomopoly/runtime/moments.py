"""Dates in orders: people write them in the time zone of the game, rules and the journal have seconds."""

from __future__ import annotations

import datetime
import zoneinfo
from collections.abc import Iterable
from typing import Any


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


def with_seconds(args: Any, fields: Iterable[str], zone: str) -> Any:
    """The arguments of an order with seconds where people wrote a date."""
    return {**args, **{name: seconds_in(args[name], zone) for name in fields if name in args}}
