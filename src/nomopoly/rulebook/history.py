"""The history of a rulebook: its moments, each rule's versions and age, and the book at any moment.

A history is made of a game's moments as `runtime.host.Game.book_history` gives them, oldest first:
`{"moment": 3, "at": seconds, "cause": {"kind": "proposal", "id": "P1", "by": "Ann"}, "records": [...]}`.
"""

from __future__ import annotations

import datetime
import re
import zoneinfo
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from nomopoly.errors import CommandError
from nomopoly.kernel.precedence import number_key
from nomopoly.rulebook.changes import ChangeError
from nomopoly.rulebook.diff import BookDiff, content, diff_books
from nomopoly.rulebook.source import Record

Moment = dict[str, Any]
NO_CHANGE = "No rules changed between these moments"


class HistoryError(CommandError):
    """A moment that cannot be read, or at which there was no book."""


@dataclass(frozen=True)
class Version:
    """One form of a rule: since which moment of the history, and why; `record` is None where it was repealed."""

    moment: int
    at: int
    cause: Moment
    record: Record | None


@dataclass(frozen=True)
class Span:
    """Two moments of a book compared: the numbers and times of both, what they were called, and the difference.

    `notice` says that they were exchanged; `causes` are the moments of the history between them, oldest first.
    """

    from_moment: int
    to_moment: int
    from_at: int
    to_at: int
    heading: str
    notice: str
    causes: list[Moment]
    diff: BookDiff


class History:
    """The moments of a rulebook, in a game's time zone; `now` (seconds) is the end of what can be asked for."""

    def __init__(self, moments: Iterable[Moment], time_zone: str = "UTC", now: int | None = None) -> None:
        self.moments = list(moments)
        if not self.moments:
            raise HistoryError("This book has no history")
        try:
            self.zone = zoneinfo.ZoneInfo(time_zone)
        except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
            raise HistoryError(f"There is no time zone '{time_zone}'") from None
        self.now = max(now, self.moments[-1]["at"]) if now is not None else None

    def __len__(self) -> int:
        return len(self.moments)

    # ---- moments

    def find(self, name: str) -> int:
        """The number of the history that a name means: a number, a moment, a date (its beginning), `start` or `now`.

        Raises HistoryError: what is no moment, and what lies before the opening or in the future.
        """
        return self.locate(name)[0]

    def locate(self, name: str) -> tuple[int, int]:
        """The number of the history that a name means, and the second."""
        name = str(name).strip()
        if name in ("start", "now"):
            moment = 0 if name == "start" else len(self.moments) - 1
            return moment, self.end() if name == "now" else self.moments[0]["at"]
        if re.fullmatch(r"[0-9]+", name):
            if len(name) > 9 or int(name) >= len(self.moments):
                raise HistoryError(
                    f"No history number {name[:20]}: the first is 0, the last is {len(self.moments) - 1}"
                )
            return int(name), self.moments[int(name)]["at"]
        at = self.read(name)
        if at < self.moments[0]["at"] or at > self.end(at):
            raise HistoryError(
                f"No rules at {self.clock(at)}: the first moment is {self.clock(self.moments[0]['at'])}, "
                f"the last is {self.clock(self.end())}"
            )
        return max(place for place, each in enumerate(self.moments) if each["at"] <= at), at

    def end(self, otherwise: int | None = None) -> int:
        """The last second that can be asked for: `now`, or any later than the last change where that is not known."""
        last: int = self.moments[-1]["at"]
        return self.now if self.now is not None else max(last, otherwise or last)

    def read(self, name: str, last: bool = False) -> int:
        """Seconds since 1970 of a moment (`2026-05-06T18:20:16`, with or without offset), or of a date's beginning;
        with `last`, of a date's last second. Raises HistoryError for what is neither."""
        text = re.sub(r"^(.+T.+) (\d\d:?\d\d)$", r"\1+\2", name)  # an offset whose plus an address took for a blank
        try:
            if not re.match(r"\d{4}-\d\d-\d\d", text):
                raise ValueError
            moment = datetime.datetime.fromisoformat(text)
            if last and len(text) == len("2026-05-06"):  # by the wall clock; where it shows this twice, the second time
                moment = moment.replace(hour=23, minute=59, second=59, fold=1)
            if moment.tzinfo is None:
                moment = moment.replace(tzinfo=self.zone)
            return int(moment.timestamp())
        except (ValueError, OverflowError, OSError):
            short = name if len(name) <= 60 else name[:60] + "..."
            raise HistoryError(
                f"Not a moment: {short}. Write a history number, 2026-05-06, 2026-05-06T18:20:16, start or now"
            ) from None

    def clock(self, at: int) -> str:
        """A second as people of the game read it: `2026-05-06 18:20:16`."""
        try:
            return datetime.datetime.fromtimestamp(at, self.zone).replace(tzinfo=None).isoformat(" ", "seconds")
        except (ValueError, OverflowError, OSError):
            return f"second {at}"

    # ---- books

    def records(self, name: str = "now") -> list[Record]:
        """The book as it was. Raises HistoryError."""
        found: list[Record] = self.moments[self.find(name)]["records"]
        return found

    def compare(self, earlier: str | None = None, later: str | None = None) -> Span:
        """What changed between two moments; by default the last change. Exchanged if the first is the later one.

        Raises HistoryError. Where nothing changed, `heading` says so.
        """
        last = len(self.moments) - 1
        start = (self.find(later) if later else last) - 1
        first = self.locate(earlier or str(max(0, start)))
        second = self.locate(later or "now") if later else (last, self.moments[last]["at"])
        notice = ""
        if (first[1], first[0]) > (second[1], second[0]):
            first, second = second, first
            notice = "The first moment was the later one: they have been exchanged"
        diff = diff_books(self.moments[first[0]]["records"], self.moments[second[0]]["records"])
        heading = f"Rule changes from {self.clock(first[1])} to {self.clock(second[1])}" if diff.changed else NO_CHANGE
        causes = self.moments[first[0] + 1 : second[0] + 1]
        return Span(first[0], second[0], first[1], second[1], heading, notice, causes, diff)

    def apart(self, moment: int) -> tuple[list[Record], list[Record]]:
        """The rules before and after a moment of the history, without those that nothing touched."""
        before, after = self.moments[moment - 1]["records"], self.moments[moment]["records"]
        kept = {id(record) for record in before} & {id(record) for record in after}
        return [record for record in before if id(record) not in kept], [
            record for record in after if id(record) not in kept
        ]

    def touched(self, moment: int) -> list[str]:
        """The numbers of the rules that changed at a moment of the history, in book order."""
        if moment == 0:
            return [record["id"] for record in self.moments[0]["records"]]
        diff = diff_books(*self.apart(moment))
        return sorted({each.id for each in diff.changed} | {each.old_id for each in diff.changed}, key=number_key)

    # ---- rules

    def versions(self, rule: str) -> list[Version]:
        """The forms that a rule has had, oldest first; none in the last if it is repealed. Empty if it never was."""
        return self._versions.get(rule, [])[:]

    @cached_property
    def _versions(self) -> dict[str, list[Version]]:
        """The forms of every rule there has been, by its number: all of them are found in one go."""
        versions: dict[str, list[Version]] = {}
        last: dict[str, Record] = {}
        for each in self.moments:
            now = {record["id"]: record for record in each["records"]}
            for id, record in now.items():
                if record is last.get(id):  # a rule that nothing touched
                    continue
                before = versions[id][-1].record if id in versions else None
                if before is None or content(record) != content(before):
                    versions.setdefault(id, []).append(Version(each["moment"], each["at"], each["cause"], record))
            for id in last:
                if id not in now:
                    versions[id].append(Version(each["moment"], each["at"], each["cause"], None))
            last = now
        return versions

    def earlier(self, rule: str, moment: str | None = None) -> Record | None:
        """The form that a rule had at a moment, or by default before its last change; None if there was none.

        Raises ChangeError for what is no moment.
        """
        if moment is None:
            forms = [version.record for version in self.versions(rule)]
            return next((record for record in reversed(forms[:-1]) if record is not None), None)
        try:
            return next((record for record in self.records(moment) if record["id"] == rule), None)
        except HistoryError as error:
            raise ChangeError(rule, str(error)) from None

    def present_since(self, rule: str, moment: int | None = None) -> int:
        """The second at which a rule's form of now (or of a moment of the history) began.

        Clerical changes do not count. Raises HistoryError if there is no such rule then.
        """
        moment = len(self.moments) - 1 if moment is None else moment
        began = None
        since = None
        for each in reversed(self.moments[: moment + 1]):
            record = next((record for record in each["records"] if record["id"] == rule), None)
            if record is None or (since is not None and record["since"] != since):
                break
            since = record["since"]
            began = each["at"]
        if began is None:
            raise HistoryError(f"There is no rule {rule}")
        return int(began)

    def age(self, rule: str, now: int) -> int:
        """For how many seconds a rule has been in its present form. Raises HistoryError if there is no such rule."""
        return max(0, now - self.present_since(rule))
