"""A section of the rules as the game stands: what it says of the game, of players and things, what one can do by it,
and what has come of it. Drawn from what the rules of the section declare.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from nomopoly.site.door import seated
from nomopoly.site.play import loglines, pages, sentences, uncomputed, words
from nomopoly.site.play.sentences import Teller

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.lines import Kept, Log


A_PAGE = 25


@require_safe
@seated("rules")
def section(request: HttpRequest, seat: Seat, number: int) -> HttpResponse:
    """The page of a section of the rules: its rules, what they let one do, and what came of them."""
    records = [record for record in seat.live.records() if record["section"] == number]
    if not records:
        raise Http404(_("There is no section %(number)s in the rules of this game.") % {"number": number})
    entries = seat.live.facts(seat.viewer).where(standing=True)
    possible, impossible = pages.menu_of_actions(seat) if seat.role == "player" else ([], [])
    game = uncomputed.named_in(seat, seat.view["things"]["game"])
    facts, labels = facts_of_game(seat.view, game, number, entries), seat.live.describe()["kinds"]
    return pages.show(
        seat,
        "play/section.html",
        number=number,
        title=records[0]["section_title"],
        rules=records,
        facts=[fact for fact in facts if not pages.says_nothing(fact[1])],
        others=[fact for fact in facts if pages.says_nothing(fact[1])],
        players=table_of_players(seat.view, number),
        kinds=[(kind, *called(kind, labels), *rest) for kind, *rest in kinds_of(seat.view, number)],
        possible=[action for action in possible if action["section"] == number],
        impossible=[action for action in impossible if action["section"] == number],
        my_vote=seat.view.get("ballots", {}).get("game"),
        coming=pages.coming(seat),
        lines=what_came_of(seat, {record["id"] for record in records}, entries),
    )


def facts_of_game(view: Data, game: Data, number: str | int, entries: Log | Kept) -> list[Any]:
    """What the rules of a section say of the game itself (the thing): [(attribute, value, the entry since which it is
    so)]."""

    def since(name: str) -> Any:
        return next(iter(entries.having(f"change:game.{name}")[-1:]), None)

    return [
        (each, game[each["name"]], since(each["name"]))
        for each in view["schema"]["game"]
        if each["section"] == number and each["label"] and each["name"] in game
    ]


def table_of_players(
    view: Data, number: str | int
) -> tuple[list[Any], list[tuple[Any, Any, list[tuple[Any, Any]]]]] | None:
    """What the rules of a section say of players, where it is the case for one of them: (attributes, [(player,
    values)])."""
    columns = [
        each
        for each in view["schema"].get("player", ())
        if each["section"] == number and each["label"]
        if any(not pages.says_nothing(player.get(each["name"])) for player in pages.players(view))
    ]
    rows = [(player, at, [(each, player.get(each["name"])) for each in columns]) for at, player in pages.numbered(view)]
    return (columns, rows) if columns else None


def kinds_of(view: Data, number: str | int) -> Iterator[tuple[str, Any, list[Any]]]:
    """The things of the kinds that the rules of a section declare, last first: [(kind, attributes, things)]."""
    for kind, attributes in view["schema"].items():
        if words.is_elsewhere(view, kind) or not attributes or attributes[0]["section"] != number:
            continue
        things = [thing for thing in view["things"].values() if thing["kind"] == kind]
        if things:
            yield kind, pages.telling(view, kind, but=("name", "title")), things[::-1]


def called(kind: str, labels: dict[str, str]) -> tuple[str, str]:
    """What a thing of a kind is called, and what many of them are."""
    plain = words.plain(kind)
    label = labels.get(kind, plain)
    return label, f"{plain}s" if label.lower() in (kind, plain) else label


def made_by(entries: Log | Kept, ids: set[Any]) -> list[Any]:
    """The last entries in which these rules did something that can be told, oldest first."""
    newest_first = entries.having(*(f"rule:{id}" for id in ids))[::-1]
    return list(islice((entry for entry in newest_first if sentences.facts_of(entry, ids)), A_PAGE))[::-1]


def what_came_of(seat: Seat, ids: set[Any], entries: Log | Kept) -> list[Data]:
    """The last entries in which a rule of a section did something, as lines of the log, with what else is known of
    it."""
    teller = Teller(seat)
    lines = loglines.lines(seat, made_by(entries, ids)[::-1])
    for line in lines:
        line["text"] = teller.told_by(line["entry"], ids)
        tree = [fact for fact in teller.tree(line["entry"]) if fact["rule"] in ids]
        line["details"] = [
            (words.plain(key), value)
            for fact in tree
            for key, value in fact["details"]
            if key not in ("who", "player", "only")
        ]
    return lines
