"""Lists of games, from rows of the database alone: most active first, with who plays, how fast it goes and the last
move."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypedDict

from django.core.paginator import Page, Paginator
from django.db.models import Count, Max, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from nomopoly.site.tables import live, roster

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser
    from django_stubs_ext import WithAnnotations

    from nomopoly.site.accounts.models import User
    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.models import Game


PAGE = 20
DAY = 86_400
STATES = (
    ("open", _("Takes new players"), Q(over=False, closed=False)),
    ("running", _("Running"), Q(over=False)),
    ("over", _("Finished"), Q(over=True)),
)
ORDERS = (("active", _("Last move"), "-moved"), ("new", _("Newest"), "-created"), ("long", _("Longest"), "-length"))


class Counts(TypedDict):
    """What is counted of a game for a list: the entries of its journal, and who plays."""

    length: int | None
    seats: int


def counted(games: QuerySet[Game]) -> QuerySet[WithAnnotations[Game, Counts]]:
    """Games with what lists say of them."""
    playing = Count("memberships", filter=Q(memberships__status="approved"), distinct=True)
    return games.annotate(length=Max("entries__n"), seats=playing).order_by("-moved", "-pk")


def rows(games: Iterable[Game]) -> list[Game]:
    """Games of a list with the words for it: pace and last move."""
    now = live.now()
    return [with_words(game, now) for game in games]


def with_words(game: Any, now: int) -> Game:
    """A game with what a list says of it: when it last moved, and how fast it goes."""
    game.last_move = datetime.fromtimestamp(max(game.moved, int(game.created.timestamp())), UTC)
    days = max(1, (game.moved - int(game.created.timestamp())) // DAY)
    entries = game.length or 0
    if entries >= days:
        game.pace = _("about %(number)s entries a day") % {"number": round(entries / days)}
    else:
        game.pace = _("%(number)s entries in %(days)s days") % {"number": entries, "days": days}
    return game


def for_reader(games: Iterable[Any], user: User | AnonymousUser) -> list[Any]:
    """Games of a list, each with the seat of its reader (`mine`): nobody is asked to join a game that they play."""
    games = list(games)
    found = roster.memberships_of(user).filter(game__in=games) if user.is_authenticated else []
    seats = {seat.game_id: seat for seat in found}
    for game in games:
        game.mine = seats.get(game.pk)
    return games


def most_active(games: QuerySet[Game], count: int) -> list[Any]:
    """The first so many of some games, those with most entries of late first."""
    return rows(counted(games)[:count])


def worth_reading(count: int) -> list[Any]:
    """Finished games in which most has happened."""
    return rows(counted(roster.public_games().filter(over=True)).order_by("-length")[:count])


def page_of(asked: dict[Any, Any]) -> tuple[Page[Any], Data]:
    """The list of public games that the address asks for: (page of games, the filters as they are)."""
    state = next((each for each in STATES if each[0] == asked.get("state")), None)
    order = next((each for each in ORDERS if each[0] == asked.get("order")), ORDERS[0])
    edition, words = asked.get("edition", ""), asked.get("q", "").strip()[:80]
    found = counted(roster.public_games()).order_by(order[2], "-pk")
    found = found.filter(state[2]) if state else found
    found = found.filter(edition=edition) if edition else found
    found = found.filter(title__icontains=words) if words else found
    page = Paginator(found, PAGE).get_page(asked.get("page"))
    shown = list(page)
    rows(shown)
    page.object_list = shown
    chosen = {"state": state[0] if state else "", "order": order[0], "edition": edition, "q": words}
    return page, chosen


def editions() -> list[Any]:
    """The editions that public games are of."""
    return sorted(set(roster.public_games().order_by().values_list("edition", flat=True)))
