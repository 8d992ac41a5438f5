"""Which games there are on this site, and which are whose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allauth.account.models import EmailAddress
from django.db.models import QuerySet

from nomopoly.site.tables import live
from nomopoly.site.tables.models import Game, Membership

if TYPE_CHECKING:
    from nomopoly.site.accounts.models import User


def public_games() -> QuerySet[Game]:
    """The games that anybody may read, the newest first."""
    return Game.objects.filter(visibility=Game.Visibility.PUBLIC).order_by("-created")


def games_to_join() -> QuerySet[Game]:
    """Public games that take new players."""
    return public_games().filter(closed=False, over=False)


def offered_offices(user: User) -> list[Any]:
    """Games whose Admin wants to hand the office over to a user, who can accept it still."""
    addresses = {each.email.casefold() for each in EmailAddress.objects.filter(user=user, verified=True)}
    offered = Game.objects.exclude(successor="").filter(successor_until__gt=live.now())
    return [game for game in offered if game.successor.casefold() in addresses]


def offer_stands(game: Game) -> bool:
    """Whether somebody is offered the office of a game, and can accept it still."""
    return bool(game.successor) and (game.successor_until or 0) > live.now()


def memberships_of(user: User) -> QuerySet[Membership]:
    """The seats of an account, with their games, but for those that were declined."""
    return Membership.objects.filter(user=user).select_related("game").exclude(status=Membership.Status.DECLINED)


def seats_of(user: User) -> QuerySet[Membership]:
    """The seats of a user in the games they play."""
    return memberships_of(user).filter(status=Membership.Status.APPROVED)


def governed_by(user: User) -> QuerySet[Game]:
    """The games whose Admin an account is, the newest first."""
    return Game.objects.filter(admin=user).order_by("-created")


def find_host(game: Game) -> None:
    """Where the table or the house governs, and whoever started the game is gone: who has played longest invites and
    keeps the settings from now on. The demo games are the site's."""
    if game.office == Game.Office.PERSON or game.starter_id is not None or game.demo:
        return
    seat = game.memberships.filter(status=Membership.Status.APPROVED, user__is_active=True).first()
    if seat is not None and Game.objects.filter(pk=game.pk, starter=None).update(starter=seat.user, host=""):
        game.refresh_from_db(fields=["starter", "host"])


def takes_part(game: Game, user: User) -> bool:
    """Whether somebody plays in a game, or has asked to join it."""
    status = Membership.Status
    return game.memberships.filter(user=user, status__in=(status.APPROVED, status.ASKED)).exists()


def demo_games() -> QuerySet[Game]:
    """The games that show how it is played, in the order in which they were made."""
    return Game.objects.filter(demo=True).order_by("pk")


def demo_game() -> Game | None:
    """The first of the games that show how it is played; None if there is none."""
    return demo_games().first()
