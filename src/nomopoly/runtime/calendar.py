"""When an event of a game's calendar begins, by the wall clock of its time zone."""

from __future__ import annotations

import datetime
import zoneinfo
from typing import Any

Data = dict[str, Any]


def next_occurrence(moment: Data, zone: str, after: int) -> int:
    """When a calendar event begins next after a moment, by the wall clock of the game's time zone."""
    local = datetime.datetime.fromtimestamp(after, zoneinfo.ZoneInfo(zone))
    day = local.date()
    while True:
        if moment["weekday"] in (-1, day.weekday()):
            begins = datetime.datetime.combine(
                day, datetime.time(moment["hour"], moment["minute"]), zoneinfo.ZoneInfo(zone)
            ).timestamp()
            if begins > after:
                return int(begins)
        day += datetime.timedelta(days=1)
