"""An account blocked by an operator: out of all games by their rules on leaving, signed out, and kept out until it is
unblocked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from allauth.usersessions.models import UserSession
from django.db import transaction
from django.utils.translation import gettext as _

from nomopoly.runtime import protocol
from nomopoly.runtime.journal import JournalError
from nomopoly.site.accounts import closing
from nomopoly.site.busy import Busy
from nomopoly.site.order import acts, complaints, conduct
from nomopoly.site.post import languages, office
from nomopoly.site.tables import domain, roster, stays
from nomopoly.site.tables.models import Game, Membership

if TYPE_CHECKING:
    from nomopoly.runtime.outcomes import Outcome
    from nomopoly.site.accounts.models import User


BY = "The operator"
LEFT = "The operator of the site has blocked this account"
NOBODY = "The Admin of this game is here no more. The operator of the site gives the office to somebody else."


@dataclass
class Left:
    """What became of a blocked account's games, by title."""

    left: list[str] = field(default_factory=list)
    held: list[str] = field(default_factory=list)  # which the rules did not let go of; nobody sits there any more
    waiting: list[str] = field(default_factory=list)  # that were busy: block the account again
    offices: list[str] = field(default_factory=list)  # that want another Admin

    def in_words(self) -> str:
        """The same in sentences."""
        out = _("Out of %(games)s.") if self.left else _("Out of no game.")
        told = [
            (True, out, self.left),
            (
                self.held,
                _("The rules did not let go of the player in %(games)s: it stays there, and is nobody's."),
                self.held,
            ),
            (self.waiting, _("%(games)s was busy: block the account once more."), self.waiting),
            (self.offices, _("%(games)s wants another Admin."), self.offices),
        ]
        return " ".join(words % {"games": ", ".join(games)} for said, words, games in told if said)


def block(user: User, because: str, operator: User | None = None) -> Left:
    """Block an account and take it out of all games. Blocking again goes on with games that were busy. Returns Left.

    From the first step on nothing can be done with the account; each game is left in a transaction of its own.
    """
    with transaction.atomic():
        acts.note(operator, "block", f"account {user.pk}", because)
        if user.is_active:
            tell(user, because)
        user.is_active = False
        user.save(update_fields=["is_active"])
        for session in UserSession.objects.filter(user=user):
            session.end()
    found = Left()
    ties = closing.ties(user)
    for game in ties.offices:
        give_up_office(game, found)
    for seat in ties.wishes:
        step(found, seat.game, partial(domain.withdraw, seat.game, seat))
    for seat in ties.seats:
        leave(seat, found)
    for game in Game.objects.filter(starter=user, admin=None).exclude(office=Game.Office.PERSON):
        domain.change_game(game, starter=None, host="")
        roster.find_host(game)
    return found


def tell(user: User, because: str) -> None:
    """A mail to the owner of a blocked account."""
    with languages.of(user):
        subject = _("Nomopoly: your account is blocked")
        why = _("The operator of this site has blocked your account: %(because)s") % {
            "because": " ".join(because.split())
        }
        then = _("You are out of your games, by their rules on leaving. Answer this mail if you think that is wrong.")
    office.put(user.email, subject, f"{why}\n\n{then}\n")


def step(found: Left, game: Game, act: Callable[[], Outcome | None]) -> Outcome | None:
    """Do one thing in a game; note it if the game is busy. Returns the outcome, or None."""
    try:
        return act()
    except (Busy, JournalError):
        found.waiting.append(game.title)
        return None


def leave(seat: Membership, found: Left) -> None:
    """Take one seat out of its game: by leaving, or where the rules refuse that, by the Admin's act that removes."""
    game = seat.game
    outcome = step(found, game, lambda: domain.leave(game, seat))
    if outcome is None:
        return
    if not outcome.ok:
        removal = {"player": seat.player, "because": LEFT}
        outcome = step(found, game, lambda: domain.desk_act(game, protocol.REMOVE_PLAYER, removal, by=BY))
    if outcome is None:
        return
    if outcome.ok:
        found.left.append(game.title)
        return
    stays.nothing_left(seat)
    Membership.objects.filter(pk=seat.pk).update(user=None)
    found.held.append(game.title)


def give_up_office(game: Game, found: Left) -> None:
    """Let a game be without an Admin until an operator gives the office to somebody."""
    outcome = step(found, game, lambda: conduct.ruled(game, NOBODY, by=BY))
    if outcome is not None:
        Game.objects.filter(pk=game.pk).update(admin=None, successor="", successor_until=None)
        complaints.pass_on(game)
        found.offices.append(game.title)


def unblock(user: User, because: str, operator: User | None = None) -> None:
    """Let an account in again. Its seats are not given back: whoever comes back joins again, as the rules say."""
    with transaction.atomic():
        acts.note(operator, "unblock", f"account {user.pk}", because)
        user.is_active = True
        user.save(update_fields=["is_active"])
        with languages.of(user):
            subject, told = _("Nomopoly: your account is open again"), _("You can log in again, and join games.")
        office.put(user.email, subject, f"{told}\n")
