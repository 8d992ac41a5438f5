"""What a game is in two sentences, and who invites to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from nomopoly.rulebook.source import described_editions
from nomopoly.site.play import pages

if TYPE_CHECKING:
    from nomopoly.site.door import Seat


def of_editions() -> dict[Any, Any]:
    """What each edition is, in a sentence: {name: sentence}."""
    return {each["name"]: each["about"] for each in described_editions()}


def in_two_sentences(seat: Seat) -> list[Any]:
    """What kind of game it is, and how far it has come."""
    what = of_editions().get(seat.game.edition, _("A board game with rules of its own."))
    many = len(pages.players(seat.view))
    changed = len(seat.live.book_history()) - 1
    who = _("Nobody plays it yet")
    if many:
        who = ngettext("One player plays it", "%(many)s people play it", many) % {"many": many}
    how = _("every rule of it can be changed")
    if changed and many:
        how = _("they have changed its rules once so far")
    if changed > 1 and many:
        how = _("they have changed its rules %(times)s times so far") % {"times": changed}
    return [what, _("%(who)s, and %(how)s.") % {"who": who, "how": how}]


def host(seat: Seat) -> str:
    """The name of whoever invites, as a reader may know it: the name they entered, their player's, or what they are."""
    game = seat.game
    if game.host:
        return game.host
    mine = game.memberships.filter(user=game.starter, status="approved").first() if game.starter_id else None
    return mine.player if mine is not None else _("The Admin") if game.office == "person" and game.admin_id else ""
