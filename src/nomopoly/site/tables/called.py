"""What players of a game may be called: nothing reserved, and no name of another's, nor one that looks like it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from nomopoly.runtime.host import Game as Running
from nomopoly.runtime.outcomes import Outcome
from nomopoly.site import names
from nomopoly.site.tables import live, queries
from nomopoly.site.tables.models import Membership

if TYPE_CHECKING:
    from nomopoly.runtime.host import Game as Running
    from nomopoly.site.accounts.models import User
    from nomopoly.site.tables.models import Game


RESERVED_NAMES = ("admin", "the admin", "visitor", "nobody", "game", "the table", "the house", ".", "..")
Status = Membership.Status
SEATED = (Status.APPROVED, Status.LEFT)


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
    hosts = user is not None and user.pk == game.inviter_id
    if game.host and not hosts and names.looks(name) == names.looks(game.host):
        return _("name taken: %(name)s invites to this game. Choose another one") % {"name": game.host}
    mine, playing, been = set(), set(), {name.casefold(): name for name in queries.ever_joined(live.of(game))}
    for seat in Membership.objects.filter(game=game):
        names_of = [*seat.earlier, seat.player] if seat.status in SEATED else seat.earlier
        if user is not None and seat.user_id == user.pk:
            mine |= set(names_of)
        else:
            been |= {each.strip().casefold(): each for each in names_of}
            playing |= {seat.player} if seat.status == Status.APPROVED else set()
    others = {folded: each for folded, each in been.items() if each not in mine}
    if (other := others.get(name.strip().casefold())) is not None:
        if other in playing:
            told = _("name taken: somebody plays here as %(name)s. Choose another one")
        else:
            told = _("name taken: somebody has played here as %(name)s. Choose another one")
        return told % {"name": other}
    here = [thing["id"] for thing in running.view("visitor")["things"].values() if thing["kind"] == "player"]
    return names.refusal(name, {*others.values(), *here, *RESERVED_NAMES} - mine)
