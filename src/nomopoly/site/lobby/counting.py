"""How much waits for a reader in all their games, for pages outside a game.

No page waits for a game because of it: a game is looked at again only if it is warm, free and has moved; else the
number is the one found last.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from django.core.cache import caches
from django.db.models import Max
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from nomopoly.site.busy import Busy
from nomopoly.site.tables import live, roster, whereabouts
from nomopoly.site.tables.models import Entry

if TYPE_CHECKING:
    from nomopoly.site.accounts.models import User
    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.models import Game


SECONDS = 300  # that a number holds though nothing has happened: time alone may make something possible
KEPT = 7 * 86_400


def waiting(request: HttpRequest) -> Data:
    """A context processor: `waiting_count`, asked for only by pages that show it; those of a game have their own."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {}
    return {"waiting_count": SimpleLazyObject(lambda: count(user))}


def count(user: User) -> int:
    """How many things wait for a user in the games they play, as far as it is known without waiting."""
    places: list[Place] = [
        (f"seat-{seat.pk}", seat.game, partial(whereabouts.at_seat, seat)) for seat in roster.seats_of(user)
    ]
    places += [
        (f"desk-{user.pk}-{game.pk}", game, partial(whereabouts.at_desk, game)) for game in roster.governed_by(user)
    ]
    places = [place for place in places if not place[1].over]
    games = {game.pk for _, game, _ in places}
    heads: dict[int, int] = dict(Entry.objects.filter(game__in=games).values_list("game").annotate(Max("n")))
    return sum(count_at(*place, heads.get(place[1].pk)) for place in places)


Place: TypeAlias = "tuple[str, Game, Callable[[], Data]]"  # a seat or a desk: a key, its game, and what waits there


def count_at(key: str, game: Game, look: Callable[[], Data], head: int | None) -> int:
    """How many things wait at one place. `head`: the number of the game's last entry."""
    kept = caches["local"].get(key)
    moment = live.now()
    if kept is not None and kept[0] == head and 0 <= moment - kept[1] < SECONDS:
        return kept[2]
    if not live.is_warm(game):
        return kept[2] if kept is not None else 0
    try:
        with live.patience(live.CLAIM_WAIT):
            found = len(look()["waiting"])
    except Busy:
        return kept[2] if kept is not None else 0
    caches["local"].set(key, (head, moment, found), KEPT)
    return found
