"""The log by weeks and updates, in a game that counts them: its attributes `week` and `update` say so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nomopoly.site import formats

if TYPE_CHECKING:
    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.lines import Kept, Log


def spans_of_weeks(log: Log | Kept) -> dict[Any, Any]:
    """The weeks of a game that counts them, as its attribute `week` says: {week: [(its first entry, the next week's)]},
    n each.

    What happened before the first week belongs to it. A game that counts no weeks has none; the last week has no end
    (None).
    """
    begun = [(entry["n"], now) for entry in log.having("change:game.week") for now in became(entry, "week")[:1]]
    ends = [*(n for n, _ in begun), None][1:]
    spans: Data = {}
    for at, ((n, week), end) in enumerate(zip(begun, ends, strict=True)):
        spans.setdefault(week, []).append((n if at else 0, end))
    return spans


def became(entry: Data, name: str) -> list[Any]:
    """What an attribute of the game was set to in an entry."""
    return [now for id, each, _, now in entry["changes"] if (id, each) == ("game", name)]


def by_update(log: Log | Kept, spans: list[tuple[int, int | None]]) -> list[Any]:
    """The entries of a week in its parts, [(number of the update or None, entries)]: an update is all that happened in
    the second in which its number was reached, what lies between has no number."""
    parts: list[Any] = []
    for first, end in spans:
        entries = list(log.where(after=first - 1, before=end))
        seconds = updates_between(log, entries[0]["at"], entries[-1]["at"])
        for entry in entries:
            update = seconds.get(entry["at"])
            if not parts or parts[-1][0] != update:
                parts.append((update, []))
            parts[-1][1].append(entry)
    return parts


def updates_between(log: Log | Kept, since: int, until: int) -> dict[int, int]:
    """The updates between two moments, by the second in which their number was reached: {moment: number}."""
    numbered = log.having("change:game.update").where(since=since, until=until)
    return {entry["at"]: now for entry in numbered for now in became(entry, "update")}


def by_week(log: Log | Kept, shown: list[Data]) -> list[Any]:
    """Lines of the log (newest first) by week, and there by update or day: [(week or None, [(anchor, update or None,
    the day's name, lines)])]. A game that counts no weeks has one part, which is no week."""
    if not shown:
        return []
    spans = [(first, week) for week, parts in spans_of_weeks(log).items() for first, _ in parts]
    seconds = updates_between(log, shown[-1]["entry"]["at"], shown[0]["entry"]["at"]) if spans else {}
    weeks: list[Any] = []
    for each in shown:
        entry = each["entry"]
        week = max(((first, week) for first, week in spans if first <= entry["n"]), default=(0, None))[1]
        at, update = formats.local(entry["at"]), seconds.get(entry["at"])
        name = formats.date(at, whole=True)
        if not weeks or weeks[-1][0] != week:
            weeks.append((week, []))
        parts = weeks[-1][1]
        if not parts or (parts[-1][1], parts[-1][2]) != (update, name):
            parts.append((at.date().isoformat(), update, name, []))
        parts[-1][3].append(each)
    return weeks
