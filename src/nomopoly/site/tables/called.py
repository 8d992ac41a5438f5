"""What players of a game may be called: nothing reserved, and no name of another's, nor one that looks like it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from nomopoly.runtime.host import Game as Running
from nomopoly.runtime.outcomes import Outcome
from nomopoly.site import names
from nomopoly.site.tables import live
from nomopoly.site.tables.models import Membership

if TYPE_CHECKING:
    from nomopoly.runtime.host import Game as Running
    from nomopoly.site.accounts.models import User
    from nomopoly.site.tables.models import Game


RESERVED_NAMES = ("admin", "the admin", "visitor", "nobody", "game", "the table", "the house", ".", "..")
Status = Membership.Status


def name_refused(game: Game, name: str, user: User | None = None) -> Outcome | None:
    """Why a name cannot be taken in a game (by this user), as an outcome, before anybody asks for it; None as far as
    one can tell."""
    refusal = reserved(name) or live.of(game).ask(lambda running: name_of_another(game, user, name, running))
    return Outcome(None, refused=refusal) if refusal else None


def reserved(name: str) -> str | None:
    """Why a name cannot be chosen, or None if it can."""
    if name.strip().casefold() in RESERVED_NAMES:
        return _("The name %(name)s is reserved: choose another one") % {"name": name}
    return None


def name_of_another(game: Game, user: User | None, name: str, running: Running) -> str | None:
    """Why a name is refused, or None. A name belongs for ever to whoever has played under it, and no other may look
    like it."""
    seats = Membership.objects.filter(game=game)
    mine = {seat.player for seat in seats if user is not None and seat.user_id == user.pk}
    others = {
        seat.player.strip().casefold(): seat
        for seat in seats
        if seat.status in (Status.APPROVED, Status.LEFT) and seat.player not in mine
    }
    if (other := others.get(name.strip().casefold())) is not None:
        if other.status == Status.APPROVED:
            told = _("name taken: somebody plays here as %(name)s. Choose another one")
        else:
            told = _("name taken: somebody has played here as %(name)s. Choose another one")
        return told % {"name": other.player}
    playing = [thing["id"] for thing in running.view("visitor")["things"].values() if thing["kind"] == "player"]
    called = {seat.player for seat in others.values()}
    return names.refusal(name, {*called, *playing, *RESERVED_NAMES} - mine)
