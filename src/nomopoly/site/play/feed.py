"""The feed beside the board: the last lines of the log, newest first, as a player wants to read them.

What several did the same stands in one line, and the bookkeeping of the clock (moments whose entries have no sentence
of their own) is folded. Whose line it is shows as a piece; when it was is said in relation to now, with the moment
itself on hover.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django.utils.html import format_html, strip_tags
from django.utils.translation import gettext as _

from nomopoly.site import formats
from nomopoly.site.play import loglines, sentences
from nomopoly.site.tables import live

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.play.sentences import Teller
    from nomopoly.site.shapes import Data


LATELY = 60  # seconds that are "just now"
LONG_AGO = 6 * 86_400  # after so long a date says more than a number of days


def rows(seat: Seat, entries: Iterable[Data], limit: int, since: int | None = None) -> list[Any]:
    """At most `limit` rows: {"sort": "line", "clock" or "several", "lines": [...], "who": player or "", "what": words}.

    `entries` are those of the viewer's log, newest first; `since` is the last one that the reader has seen.
    """
    made: list[Any]
    teller, made = sentences.Teller(seat), []
    for line in loglines.one_by_one(seat, entries, since=since):
        row = row_of(seat, teller, line)
        last = made[-1] if made else None
        if last and row["sort"] == last["sort"] == "clock":
            last["lines"].append(line)
        elif last and row["same"] and row["same"] == last["same"] and row["who"] not in last["names"]:
            last["lines"].append(line)
            last["names"].append(row["who"])
            last["sort"] = "several"
        elif len(made) == limit:
            break
        else:
            made.append(row)
    return made


def row_of(seat: Seat, teller: Teller, line: Data) -> dict[Any, Any]:
    """A line of the log as a row of the feed: who, what, and what it can be folded with."""
    entry, who = line["entry"], line["entry"]["by"] or ""
    if entry["kind"] == "tick" and not (entry["struck"] or entry["fault"] or entry["refused"] or told(teller, entry)):
        return {"sort": "clock", "lines": [line], "who": "", "names": [], "same": "", "what": ""}
    if not who:
        who = next((name for name in map(sentences.subject_of, told(teller, entry)) if name), "")
    who = who if who in seat.looks else ""
    said = " ".join(strip_tags(str(line["text"])).split())
    same = said.removeprefix(who) if who and said.startswith(f"{who} ") and not entry["struck"] else ""
    return {"sort": "line", "lines": [line], "who": who, "names": [who], "same": same, "what": same.strip()}


def told(teller: Teller, entry: Data) -> list[Any]:
    """The facts of an entry that have a sentence."""
    return [fact for fact in teller.worth_telling(entry) if sentences.leads(fact)]


def ago(seconds: float) -> str:
    """How long ago a moment was, as markup with the moment itself: "5 min ago"; a date where it is long ago."""
    past = live.now() - seconds
    if not formats.has_date(seconds) or not 0 <= past < LONG_AGO:
        return formats.moment(seconds)
    said = _("just now") if past < LATELY else _("%(time)s ago") % {"time": in_one_part(past)}
    at = formats.local(seconds).isoformat()
    return format_html('<time datetime="{}" title="{}" data-ago>{}</time>', at, formats.clock(seconds), said)


def in_one_part(seconds: float) -> str:
    """A length of time in its largest part: 5 min, 3 h, 2 d."""
    for part, name in ((86_400, "d"), (3600, "h"), (60, "min")):
        if seconds >= part:
            return f"{seconds // part} {name}"
    return f"{seconds} s"
