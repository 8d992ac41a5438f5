"""The log: what happened, one entry in all its parts, the feed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from django.core.exceptions import BadRequest
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import strip_tags
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from nomopoly.errors import CommandError
from nomopoly.site import formats
from nomopoly.site.door import seated
from nomopoly.site.play import books, calendars, loglines, pages, sentences, talk, weeks, words
from nomopoly.site.play.proposals import listed
from nomopoly.site.play.views.proposals import said
from nomopoly.site.said import said as in_words
from nomopoly.site.tables import queries

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.lines import Kept, Log


A_PAGE = 60
IN_FEED = 40
KINDS = {
    "order": gettext_lazy("orders of players"),
    "withdraw": gettext_lazy("orders withdrawn"),
    "admin": gettext_lazy("acts of the Admin"),
    "operator": gettext_lazy("acts of the operator"),
    "tick": gettext_lazy("moments reached"),
    "join": gettext_lazy("wishes to join"),
    "leave": gettext_lazy("departures"),
    "strike": gettext_lazy("corrections"),
    "open": gettext_lazy("the opening"),
    "reveal": gettext_lazy("revealed secrets"),
    "ballots": gettext_lazy("ballots"),
}


@require_safe
@seated("log")
def log(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The log, as it is filtered."""
    entries = seat.live.facts(seat.viewer)
    asked = {name: request.GET.get(name, "").strip() for name in ("player", "square", "rule", "kind", "since", "q")}
    seen, unread = pages.last_seen(seat), None
    try:
        matching = filtered(seat, entries, asked, seen)
    except (CommandError, BadRequest) as error:  # all of it is shown, with what was typed to be mended
        matching, unread = entries, f"{in_words(str(error))}."
    filtering = any(asked.values())
    page = Paginator(matching[::-1], A_PAGE).get_page(request.GET.get("page"))
    shown = loglines.lines(seat, list(page), since=seen, quiet="each" if filtering else "together")
    return pages.show(
        seat,
        "play/log.html",
        status=400 if unread else 200,
        refusal=unread,
        weeks=weeks.by_week(entries, shown),
        page=page,
        asked=asked,
        filtering=filtering,
        query="&".join(f"{name}={words.escape_path(value)}" for name, value in asked.items() if value),
        kinds=[(kind, KINDS[kind]) for kind in entries.kinds()],
        names=[player["id"] for player in pages.players(seat.view)],
        seen=seen,
        week=seat.view["things"]["game"].get("week"),
    )


def filtered(seat: Seat, entries: Log | Kept, asked: Mapping[str, str], seen: int | None) -> Any:
    """The entries of the viewer's log that all the filters let through."""
    found = entries
    for id in (asked["player"], asked["square"] and "#" + asked["square"].lstrip("#")):
        if id:
            found = found.having(f"about:{id}")
    if asked["rule"]:
        found = found.having(f"rule:{asked['rule']}", f"book:{asked['rule']}")
    if asked["kind"]:
        found = found.where(kind=asked["kind"])
    if asked["since"] in ("visit", "last"):
        found = found.where(after=seen) if seen is not None else found.where(n=())
    elif asked["since"]:
        found = found.where(since=books.history(seat).read(asked["since"]))
    return loglines.searched(seat, found, asked["q"]) if asked["q"] else found


@require_safe
@seated("log")
def week(request: HttpRequest, seat: Seat, number: int) -> HttpResponse:
    """The page with the report of a week; parts of which there is nothing to tell are left out."""
    report = report_of(seat, number)
    seen = pages.last_seen(seat)
    parts = [
        (update, entries[0]["at"], loglines.lines(seat, entries, since=seen)) for update, entries in report["parts"]
    ]
    return pages.show(seat, "play/week.html", **report | {"parts": [each for each in parts if each[2]]})


def report_of(seat: Seat, number: int) -> Data:
    """A week: its parts, [(number of the update or None, entries)], each in the order in which things happened; the
    proposals it was about; the weeks before and after it. Raises Http404 where there is no such week."""
    entries = seat.live.facts(seat.viewer)
    spans = weeks.spans_of_weeks(entries)
    if number not in spans or number == 0:
        raise Http404(gettext("There is no week %(number)s in this game.") % {"number": number})
    parts = weeks.by_update(entries, spans[number])
    concerned = {change[0] for _, entries in parts for entry in entries for change in entry["changes"]}
    return {
        "number": number,
        "proposals": [each for each in listed(seat.view) if each["id"] in concerned][::-1],
        "parts": parts,
        "earlier": number - 1 if number - 1 in spans and number > 1 else None,
        "later": number + 1 if number + 1 in spans else None,
    }


@require_safe
@seated("log")
def entry(request: HttpRequest, seat: Seat, number: int) -> HttpResponse:
    """One entry of the log."""
    return draw_entry(seat, numbered(seat, number))


def draw_entry(seat: Seat, entry: Data, refusal: str | Data | None = None, body: str = "") -> HttpResponse:
    """The page of an entry; with a refusal on top, and what was said below as it was typed (`body`)."""
    number, entries = entry["number"], seat.live.facts(seat.viewer)
    teller = sentences.Teller(seat)
    neighbours = {each["number"]: each for each in entries.where(number=(number - 1, number + 1))}
    struck = entry["args"].get("entry") if entry["kind"] == "strike" else None
    about = {each["n"]: each for each in entries.where(n=(entry["struck"] or -1, struck or -1))}
    return pages.show(
        seat,
        "play/entry.html",
        entry=entry,
        refusal=refusal,
        body=body,
        text=teller.line(entry),
        comments=talk.about(seat, f"entry-{entry['n']}"),
        may_speak=talk.may_speak(seat),
        tree=teller.tree(entry),
        untold=max(0, len(entry["facts"]) - sentences.MOST_FACTS),
        who=teller.who(entry),
        what=teller.what(entry),
        args=[
            (key, unlike(key, words.shown(seat.view, seat.game.address, value, teller.sort_of(entry, key), seat.names)))
            for key, value in shown_args(entry)
        ],
        changes=queries.readable(seat.view, teller.changes(entry), seat.names),
        strike=about.get(entry["struck"]),
        struck=about.get(struck),
        previous=neighbours.get(number - 1),
        following=neighbours.get(number + 1),
    )


@require_POST
@seated("log", signed_in=True)
def question(request: HttpRequest, seat: Seat, number: int) -> HttpResponse:
    """Question an entry: a thread about it; it changes nothing."""
    found = numbered(seat, number)
    page = f"{seat.game.address}log/{number}/"
    return said(request, seat, f"entry-{found['n']}", page, lambda **typed: draw_entry(seat, found, **typed))


def numbered(seat: Seat, number: int) -> Data:
    """The entry of a number, or none: Http404."""
    found = next(iter(seat.live.facts(seat.viewer).where(number=number)), None)
    if found is None:
        raise Http404(gettext("There is no entry %(number)s in this game.") % {"number": number})
    return found


def shown_args(entry: Data) -> list[Any]:
    """What was asked, but for long programs, which the proposal's own page shows, and what a strike strikes, which is
    linked."""
    skipped = ("changes", "run", "text", "timer", *(("entry",) if entry["kind"] == "strike" else ()))
    args = entry["args"] | ({"ballots": by_subject(entry["args"].get("ballots"))} if entry["kind"] == "ballots" else {})
    return [(key, value) for key, value in args.items() if key not in skipped and value not in (None, "")]


def by_subject(ballots: Any) -> Any:
    """Ballots as one reads them: what they are about, with how many each choice has, or who has chosen what. As they
    stand where they say more than that, and where a journal from elsewhere has something else there."""
    found: dict[str, list[Any]] = {}
    for row in ballots if isinstance(ballots, list) else ():
        match row:
            case [str() as about, {"word": choice} | (str() | int() as choice), int() | str() as who]:
                found.setdefault(about, []).append([choice, who] if isinstance(who, int) else [who, choice])
            case _:
                return ballots
    return found or ballots


def unlike(key: str, shown: SafeString) -> SafeString:
    """What a field shows without the word that stands before it already: "1" where it is "Offer: offer 1"."""
    return SafeString(re.sub(rf"(^|>){re.escape(words.plain(key))} (\d+)(?=<|$)", r"\1\2", shown))


@require_safe
@seated("log")
def feed(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The log as a feed."""
    return atom(seat)


def atom(seat: Seat, own: bool = False) -> HttpResponse:
    """The last entries as a feed, newest first; with `own`, those too that only this viewer sees."""
    game, teller = seat.game, sentences.Teller(seat, as_said=True)
    site = f"{seat.request.scheme}://{seat.request.get_host()}"
    here = site + seat.request.path
    title = calendars.plain(game.title)
    about = f"What happens in {title}"
    feed = Atom1Feed(title, site + game.address, about, author_name=title, feed_url=here)
    entries = seat.live.facts(seat.viewer).where(standing=True, open_to_all=not own)
    for each in entries[-IN_FEED:][::-1]:
        told = " ".join(calendars.plain(strip_tags(teller.line(each))).split())
        public = each["number"] is not None
        where = f"{site}{game.address}log/{each['number']}/" if public else f"{site}{game.address}log/"
        feed.add_item(
            told[:120],
            where,
            told,
            unique_id=where if public else f"{where}#own-{each['n']}",
            pubdate=formats.local(each["at"]),
            updateddate=formats.local(each["at"]),
        )
    return pages.plain_file(feed.writeString("utf-8"), "application/atom+xml; charset=utf-8")
