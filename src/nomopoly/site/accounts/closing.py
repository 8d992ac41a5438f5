"""Closing an account: out of all games by their rules, then gone. What happened in the games stays in their logs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from nomopoly.site.order.models import Complaint
from nomopoly.site.play.models import Comment, Thread
from nomopoly.site.post import office
from nomopoly.site.post.models import Letter
from nomopoly.site.tables import domain, live, roster, stays
from nomopoly.site.tables.models import Game, Membership

if TYPE_CHECKING:
    from nomopoly.site.accounts.models import User


NAMELESS = "Former player"
NOBODY = "The Admin of this game has left. The operator of the site can give the office to somebody else."
TALK = (Comment, Thread)  # tables of what people say, each row under its writer's `name`
Status = Membership.Status


@dataclass
class Ties:
    """What binds a user to games that still run."""

    seats: list[Any] = field(default_factory=list)
    wishes: list[Any] = field(default_factory=list)
    offices: list[Any] = field(default_factory=list)


def ties(user: User) -> Ties:
    """The running games a user plays in, has asked to join, and is the Admin of."""
    found = Ties()
    for membership in user.memberships.filter(status__in=(Status.APPROVED, Status.ASKED)).select_related("game"):
        if not over(membership.game):
            (found.seats if membership.status == Status.APPROVED else found.wishes).append(membership)
    found.offices = [game for game in roster.governed_by(user) if not over(game)]
    return found


def over(game: Game) -> bool:
    """Whether a game is over."""
    return bool(live.of(game).view("visitor")["things"]["game"].get("over"))


def close(user: User, *, nameless: bool) -> list[Any]:
    """Leave every game, then erase the account. Returns the seats that the rules did not let go of.

    Each game is left in a transaction of its own: if one fails half-way, the account is still there to be closed again.
    `nameless`: what they said stays as that of a former player; what they did in a game stays under the player's name.
    """
    found = ties(user)
    for membership in found.wishes:
        domain.withdraw(membership.game, membership)
    for game in found.offices:
        leave_office(game)
    held = [seat for seat in found.seats if not domain.leave(seat.game, seat).ok]
    address = user.email
    with transaction.atomic():
        for seat in held:
            stays.nothing_left(seat)
        if nameless:
            for table in TALK:
                table.objects.filter(user=user).update(name=NAMELESS)
        for session in UserSession.objects.filter(user=user):
            session.end()
        for each in {address, *EmailAddress.objects.filter(user=user).values_list("email", flat=True)}:
            Letter.objects.filter(to__iexact=each).delete()  # invitations too, which are nobody's
            Game.objects.filter(successor__iexact=each).update(successor="", successor_until=None)
        Game.objects.filter(Q(admin=user) | Q(admin=None, starter=user)).update(host="")  # nobody invites there now
        hosted = list(Game.objects.filter(starter=user).values_list("pk", flat=True))
        user.delete()
        for game in Game.objects.filter(pk__in=hosted):
            roster.find_host(game)
        transaction.on_commit(lambda: tell(address))
    return held


def leave_office(game: Game) -> None:
    """Say in the log of a game that nobody is its Admin any more; what was reported there goes to the operator."""
    domain.desk_act(game, "rule", {"text": NOBODY}, by=game.decider_name)
    Complaint.objects.filter(game=game, settled=None, for_operator=False).update(for_operator=True)
    domain.change_game(game, admin=None, host="")


def tell(address: str) -> None:
    """Write to the address of an account that it is closed."""
    told = _(
        "Your account is closed, and this address is no longer kept here. What you did in games stays in their logs "
        "under your player's names."
    )
    otherwise = _("If it was not you who closed it, tell whoever runs %(site)s") % {"site": settings.NOMOPOLY_ADDRESS}
    subject, text = _("Nomopoly: your account is closed"), f"{told}\n\n{otherwise}\n"
    EmailMessage(subject, text, None, [address], headers=office.at_once()).send(fail_silently=True)
