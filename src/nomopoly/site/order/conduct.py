"""Conduct in a game: warnings, mutes and hidden posts, each with its reason in the game's public log.

The log says so by a ruling (the act `rule`, which every edition has): it changes nothing of the game, and no rule can
refuse it. What was reported or hidden is never quoted there.
"""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from nomopoly.runtime.outcomes import Outcome
from nomopoly.site import formats
from nomopoly.site.order.models import Silence
from nomopoly.site.post import languages
from nomopoly.site.tables import domain, letters, live, queries

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.models import Game, Membership


MOST_DAYS = 90
LONGEST = 500
WARNING = "Warning to {name}: {because}"
MUTED = "{name} may not write in the forum for {days}: {because}"
HEARD = "{name} may write in the forum again."
HIDDEN = "What {name} has said is hidden: {because}"


def ruled(game: Game, text: str, by: str | None = None) -> Outcome:
    """Put a sentence into the public log, in the name of whoever decides. Returns the Outcome."""
    return domain.desk_act(game, "rule", {"text": text}, by=by or game.decider_name)


def tidy(because: str) -> str:
    """A reason, in one line."""
    return " ".join(because.replace("\x00", "").split())[:LONGEST]


def player(game: Game, name: str) -> Membership | None:
    """The seat of a player of a game, or None."""
    return next((seat for seat in queries.players_seated(game) if seat.player == name), None)


# ---- warnings


def warn(game: Game, name: str, because: str) -> Outcome:
    """Warn a player, for all to read. Returns the Outcome; the player is told by mail."""
    because = tidy(because)
    seat = player(game, name)
    if seat is None or not because:
        return refused(seat)
    outcome = ruled(game, WARNING.format(name=name, because=because))
    if outcome.ok:
        with languages.of(seat.user):
            about = {"who": game.decider, "game": game.title, "because": because}
            told = _("You are warned by %(who)s of %(game)s: %(because)s") % about
            too = _("The log says so too.")
            tell(seat, _("A warning"), f"{told}\n\n{too}")
    return outcome


def refused(seat: Membership | None) -> Outcome:
    """Nothing is done: there is no such player, or else no reason was given."""
    nobody, why = _("Nobody of that name plays here"), _("Say why: the reason is shown to everybody")
    return Outcome(None, refused=nobody if seat is None else why)


def warnings(game: Game) -> dict[Any, Any]:
    """The warnings that stand: {player: [entry of the log]}, oldest first."""
    found: Data = {}
    for entry in live.of(game).facts("visitor").where(kind="admin", do="rule", standing=True):
        warned = re.match(r"Warning to (.+?): ", str((entry["args"] or {}).get("text", "")))
        if warned:
            found.setdefault(warned[1], []).append(entry)
    return found


# ---- silence in the forum


def mute(game: Game, name: str, days: int, because: str) -> Outcome:
    """Let a player write nothing in the forum for so many days (1 to MOST_DAYS). Returns the Outcome."""
    because = tidy(because)
    seat = player(game, name)
    if seat is None or not because:
        return refused(seat)
    if not 1 <= days <= MOST_DAYS:
        return Outcome(None, refused=_("Mute somebody for 1 to %(most)s days") % {"most": MOST_DAYS})
    span = "a day" if days == 1 else f"{days} days"
    outcome = ruled(game, MUTED.format(name=name, days=span, because=because))
    if outcome.ok:
        kept = {"until": timezone.now() + timedelta(days=days), "because": because, "user": seat.user}
        Silence.objects.update_or_create(game=game, name=name, defaults=kept | {"made": timezone.now()})
        tell_of_silence(game, seat, days, because)
    return outcome


def tell_of_silence(game: Game, seat: Membership, days: int, because: str) -> None:
    """A mail to a player who is muted."""
    with languages.of(seat.user):
        told = ngettext(
            "You may not write in the forum of %(game)s for a day: %(because)s",
            "You may not write in the forum of %(game)s for %(days)s days: %(because)s",
            days,
        ) % {"game": game.title, "days": days, "because": because}
        rest = _("Everything else is open to you.")
        tell(seat, _("You are muted in the forum"), f"{told}\n\n{rest}")


def hear(game: Game, name: str) -> Outcome:
    """Let a player write in the forum again before the time. Returns the Outcome."""
    if not Silence.objects.filter(game=game, name=name, until__gt=timezone.now()).exists():
        return Outcome(None, refused=_("Nobody of that name is muted"))
    outcome = ruled(game, HEARD.format(name=name))
    if outcome.ok:
        Silence.objects.filter(game=game, name=name).delete()
    return outcome


def muted(game: Game) -> list[Any]:
    """Who may not write now, and until when."""
    return list(Silence.objects.filter(game=game, until__gt=timezone.now()))


def silence_of(seat: Seat) -> str | None:
    """Why somebody may not write in the forum of a game now, in a sentence; None if they may.

    It holds for the account too: who has left and come back under another name stays muted.
    """
    now = timezone.now()
    found = Silence.objects.filter(game=seat.game, until__gt=now)
    if seat.role == "admin" or not seat.request.user.is_authenticated:
        return None
    row = found.filter(user=seat.request.user).first() or found.filter(name=seat.player_name or "").first()
    if row is None:
        return None
    until = timezone.localtime(row.until)
    told = _(
        "You may not write in the forum of this game until %(until)s: %(because)s. Everything else is open to you."
    )
    return told % {"until": formats.shaped(until, _("d F Y H:i T")), "because": row.because}


# ---- hidden posts


def hidden(game: Game, name: str, because: str) -> Outcome | None:
    """Say in the log that something a player has said is hidden; in a game that takes no entry any more, nobody
    does."""
    return ruled(game, HIDDEN.format(name=name, because=tidy(because) or "no reason is given"))


def tell(seat: Membership, subject: str, text: str) -> None:
    """A mail to the player of a seat."""
    said = {"title": seat.game.title, "subject": subject, "text": text, "link": letters.link_to(seat.game, "log/")}
    letters.mail(seat.user, lambda: "[%(title)s] %(subject)s", lambda: ("%(text)s", "%(link)s"), said)
