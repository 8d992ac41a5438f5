"""What a game is in two sentences, and who invites to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from nomopoly.rulebook.source import described_editions
from nomopoly.site.play import pages

if TYPE_CHECKING:
    from nomopoly.site.door import Seat


# What the shipped editions say of themselves (`ABOUT` in their contents.py), to be said in the reader's language.
SHIPPED = (
    gettext_noop("How it began: nine short sections, and a turn for every proposal, whichever way it is judged."),
    gettext_noop("Turns whenever you like, secret votes, and fields of units, buildings and commands."),
    gettext_noop(
        "Months later: one update a week, Teams, a Government and a Corporation, colours, products, and pieces that "
        "move by themselves."
    ),
    gettext_noop(
        "The longest rulebook: two updates a week that orders wait for, blocks and buildings, creatures, missiles, "
        "casinos and elections."
    ),
)


def of_editions() -> dict[str, str]:
    """What each edition is, in a sentence, in the reader's language if it is a shipped one: {name: sentence}."""
    said = {each["name"]: each["about"] for each in described_editions()}
    return {name: _(about) if about in SHIPPED else about for name, about in said.items()}


def in_two_sentences(seat: Seat) -> list[Any]:
    """What kind of game it is, and how far it has come."""
    what = of_editions().get(seat.game.edition, _("A game with rules of its own."))
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
