"""Seats that nobody holds: of a game that came from another site, of an account that was closed and the rules kept in
the game, or of one that nobody can open any more.

Whoever is given the link of such a seat takes it up, and plays on as that player.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext, gettext_lazy

from nomopoly.site.tables import domain, letters, roster, stays
from nomopoly.site.tables.models import Membership

if TYPE_CHECKING:
    from nomopoly.site.accounts.models import User
    from nomopoly.site.tables.models import Game


TAKEN = gettext_lazy("Somebody has taken this seat up already")


def signer() -> Signer:
    """What signs seats, with the key of the site."""
    return Signer(salt="nomopoly.seat")


def of_people(game: Game) -> QuerySet[Membership]:
    """The seats of a game at which no bot plays, in the order in which their players came."""
    return game.memberships.filter(status=Membership.Status.APPROVED, bot=None)


def free(game: Game) -> QuerySet[Membership]:
    """The seats of a game that nobody holds, and no bot, in the order in which their players came."""
    return of_people(game).filter(user=None)


def let_go(seat: Membership, because: str) -> None:
    """Take a seat from the account that holds it, which is told by mail why; the player stays in the game, and nothing
    is done any more that the owner has left to be done."""
    letters.mail(
        seat.user,
        lambda: gettext("[%(title)s] You do not play as %(player)s any more"),
        lambda: (
            gettext("The operator of this site has freed your seat: %(because)s"),
            gettext("The player stays in the game, and whoever is given the link of the seat plays on."),
        ),
        {"title": seat.game.title, "player": seat.player, "because": " ".join(because.split())},
    )
    stays.nothing_left(seat)
    Membership.objects.filter(pk=seat.pk).update(user=None)


def link(game: Game, seat: Membership) -> str:
    """The path that lets whoever has it take up a seat."""
    return f"{game.address}seat/?invitation={game.invitation}&token={signer().sign(str(seat.pk))}"


def find(game: Game, token: str) -> Membership | None:
    """The seat that a token names, held or not; None if it names none of this game."""
    try:
        pk = signer().unsign(token)
    except BadSignature:
        return None
    return game.memberships.filter(pk=pk).first()


def take(game: Game, seat: Membership, user: User) -> str | None:
    """Give a seat to a user, who plays on as its player. Returns why not, or None."""
    with transaction.atomic():
        row = free(game).select_for_update(of=("self",)).filter(pk=seat.pk).first()
        if row is None:
            return str(TAKEN)
        kept = game.memberships.filter(user=user).first()
        if refusal := domain.cannot_ask(game, user, kept, invited=True):
            return refusal
        if kept is not None:  # a seat that they have left: one user has one row in a game
            game.memberships.filter(pk=kept.pk).update(user=None)
        game.memberships.filter(pk=row.pk).update(user=user)
        roster.find_host(game)
        letters.mail(
            game.admin,
            lambda: gettext("[%(title)s] %(player)s has a player again"),
            lambda: (
                gettext("Somebody has taken up the seat of %(player)s by its link."),
                gettext("Who plays: %(link)s"),
            ),
            {"title": game.title, "player": row.player, "link": letters.link_to(game, "players/")},
        )
    return None
