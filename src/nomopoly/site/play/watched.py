"""Proposals that users watch: they are told of each when it is spoken of and when its state changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nomopoly.site.notices.models import Watched
from nomopoly.site.tables import queries
from nomopoly.site.tables.models import Game

if TYPE_CHECKING:
    from nomopoly.site.accounts.models import User
    from nomopoly.site.shapes import Data


def is_watched(user: User, game: Game, about: str) -> bool:
    """Whether a user watches a proposal (`about`, its id)."""
    return user.is_authenticated and Watched.objects.filter(user=user, game=game, about=about).exists()


def watch(user: User, game: Game, about: str, on: bool = True) -> None:
    """Let a user watch a proposal, or watch it no more."""
    if on:
        Watched.objects.get_or_create(user=user, game=game, about=about)
    else:
        Watched.objects.filter(user=user, game=game, about=about).delete()


def watchers(game: Game) -> dict[Any, Any]:
    """Who watches what: {id of a proposal: {key of a user: the user}}, without those who may not read the game any
    more."""
    found: Data = {}
    for row in Watched.objects.filter(game=game, user__is_active=True).select_related("user"):
        if may_read(game, row.user):
            found.setdefault(row.about, {})[row.user_id] = row.user
    return found


def may_read(game: Game, user: User) -> bool:
    """Whether a user may read a game: anybody a public one, and of a private one its members and its Admin."""
    if game.visibility != Game.Visibility.PRIVATE or game.admin_id == user.pk:
        return True
    seat = queries.membership(game, user)
    return seat is not None and seat.status != seat.Status.DECLINED
