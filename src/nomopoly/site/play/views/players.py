"""Who plays, what they have, and how they came by it."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext, pgettext_lazy
from django.views.decorators.http import require_safe

from nomopoly.site.door import seated
from nomopoly.site.elsewhere import Elsewhere
from nomopoly.site.play import charts, loglines, own, pages, proposals, reckoning, uncomputed, words
from nomopoly.site.tables import holidays, live, queries

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.lines import Kept, Log


PLACE = ("name", "number", "column", "row")
WENT = {  # how a former player went, by what the rules say
    "left": pgettext_lazy("a former player", "left"),
    "removed": pgettext_lazy("a former player", "removed"),
    "idle": pgettext_lazy("a former player", "idle for too long"),
}


@require_safe
@seated("players")
def players(request: HttpRequest, seat: Seat) -> HttpResponse:
    """All players with their standing."""
    entries = seat.live.facts(seat.viewer)
    return pages.show(
        seat,
        "play/players.html",
        summary=pages.summary(seat.view),
        standing=pages.standing(seat),
        chart=charts.of_players(seat, request.GET.get("chart")),
        counting=seat.game.recount,
        away=away_from(seat),
        former=former_players(seat, entries),
        bots=queries.bots(seat.game, entries),
        applicants=queries.applicants(seat.game) if seat.role == "admin" else [],
        joined={who: entry["at"] for entry in entries.having("fact:joined") for who in named_by(entry, "joined")},
    )


def away_from(seat: Seat) -> dict[Any, Any]:
    """Who is on holiday, or will be, in words: {player: words}. Only who is of the game is told."""
    if seat.trial or seat.role not in ("player", "admin"):
        return {}
    return {each.seat.player: holidays.in_words(each, seat.game) for each in holidays.of(seat.game)}


def named_by(entry: Data, what: str) -> list[Any]:
    """Who is named by the facts of an entry that say this; rules may say it of nobody."""
    return [fact["who"] for fact in entry["facts"] if fact["what"] == what and isinstance(fact.get("who"), str)]


def former_players(seat: Seat, entries: Log | Kept) -> list[Data]:
    """Who has left: name, entry, and why, last one first."""
    gone = {}
    for entry in entries.where(standing=True).having("fact:removed"):
        for fact in entry["facts"]:
            who = fact.get("who")
            if (
                fact["what"] == "removed"
                and isinstance(who, str)
                and seat.view["things"].get(who, {}).get("kind") != "player"
            ):
                how = fact.get("how") or "left"  # of any sort: rules say it
                gone[who] = {
                    "name": who,
                    "entry": entry,
                    "because": fact.get("because") or "",
                    "how": fact.get("how") or "",
                    "went": WENT.get(how, how) if isinstance(how, str) else queries.in_words(how),
                }
    return list(gone.values())[::-1]


def find(request: HttpRequest, seat: Seat, name: str) -> tuple[Any, Any, Any]:
    """The player of this name: (name, thing or None for a former player, the entries of the log as the viewer sees
    them).

    Raises Elsewhere, with the address that has the right spelling, and Http404.
    """
    entries = seat.live.facts(seat.viewer)
    known = [thing["id"] for thing in pages.players(seat.view)]
    joined = entries.where(standing=True).having("fact:joined") if name not in known else ()
    known += [who for entry in joined for who in named_by(entry, "joined")]
    if name in known:
        return name, seat.view["things"].get(name), entries
    for other in known:
        if other.casefold() == name.strip().casefold():
            query = f"?{request.META['QUERY_STRING']}" if request.META.get("QUERY_STRING") else ""
            raise Elsewhere(words.quoted_path(path_with(request.path, name, other)) + query)
    raise Http404(gettext("Nobody of that name has played here."))


def path_with(path: str, name: str, other: str) -> str:
    """The same address for a player of another name."""
    head, _, rest = path.partition("/players/")
    return f"{head}/players/{other}{rest[len(name) :]}"


@require_safe
@seated("players")
def player(request: HttpRequest, seat: Seat, name: str) -> HttpResponse:
    """The page of one player."""
    name, thing, entries = find(request, seat, name)
    mine = loglines.about(seat, name)
    shown = uncomputed.named_in(seat, thing) if thing else None
    return pages.show(
        seat,
        "play/player.html",
        name=name,
        player=thing,
        colour=next((at for at, each in enumerate(pages.players(seat.view)) if each["id"] == name), 0),
        own=seat.player_name == name and seat.role == "player",
        personal=own.of(seat, name) if thing else None,
        messages_of_rules=own.told(seat) if seat.player_name == name and seat.role == "player" else [],
        marks=pages.marks_of(seat.view, thing) if thing else [],
        away=away_from(seat).get(name, ""),
        bot=name in queries.bots(seat.game, entries),
        sections=by_section(seat, shown, nothing=False) if shown else [],
        others=by_section(seat, shown, nothing=True) if shown else [],
        possessions=possessions(seat.view, name, seat.live.describe()["kinds"]),
        proposals=[each for each in proposals.listed(seat.view) if each.get("author") == name],
        lines=list(itertools.islice(loglines.one_by_one(seat, mine[-60:][::-1]), 30)),
        left=next((each for each in former_players(seat, entries) if each["name"] == name), None),
        reckoned=reckoning.named(seat) if thing else (),
        reckoning=reckoning.of(seat, thing, request.GET.get("of", "")) if thing else None,
        chart=charts.of_player(seat, name, thing),
        counting=seat.game.recount,
        has_account="money" in (thing or {"money": 0}),
    )


def by_section(seat: Seat, thing: Data, nothing: bool) -> list[Any]:
    """The declared attributes of a player that say something (or nothing), by section: [(title, [(attribute,
    value)])]. In a game that is over nothing is to come."""
    titles = {record["section"]: record["section_title"] for record in seat.live.records()}
    found: Data = {}
    for attribute in seat.view["schema"].get(thing["kind"], ()):
        value = thing.get(attribute["name"])
        if seat.game.over and attribute["type"] == "moment" and isinstance(value, int) and value > live.now():
            continue
        if attribute["name"] in thing and attribute["label"] and pages.says_nothing(value) is nothing:
            found.setdefault(attribute["section"], []).append((attribute, value))
    return [(section, titles.get(section, ""), rows) for section, rows in found.items()]


def possessions(view: Data, name: str, kinds: dict[str, str]) -> list[tuple[str, list[Any]]]:
    """Things whose attributes name a player, by what they say: [(label, [(thing, what else is known of it)])]."""
    by_label: Data
    by_label, known = {}, {}
    for thing in view["things"].values():
        kind = thing["kind"]
        if (kind != "square" and words.is_elsewhere(view, kind)) or queries.parties_of(thing):
            continue
        for attribute in view["schema"].get(kind, ()):
            if attribute["type"] == "thing" and attribute["label"] and thing.get(attribute["name"]) == name:
                label = kinds.get(kind, kind)
                label = (label if label != kind else f"{kind}s").capitalize()
                label += "" if attribute["name"] == "owner" else f": {attribute['label'].lower()}"
                if kind not in known:
                    known[kind] = pages.telling(view, kind, but=PLACE)
                told = [
                    (each["label"], thing[each["name"]], each["type"])
                    for each in known[kind]
                    if each is not attribute and not pages.says_nothing(thing.get(each["name"]))
                ]
                by_label.setdefault(label, []).append((thing, told))
    return list(by_label.items())
