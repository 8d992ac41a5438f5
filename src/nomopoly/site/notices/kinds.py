"""The kinds of notices, and how one hears of them if one has said nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


HOW = (
    ("mail", gettext_lazy("A mail soon")),
    ("digest", gettext_lazy("In the daily mail")),
    ("none", gettext_lazy("On the site alone")),
)


@dataclass(frozen=True)
class Kind:
    """A kind of notice. `how` is what holds until a user says otherwise."""

    id: str
    label: str | StrPromise
    how: str


KINDS = (
    Kind("turn", gettext_lazy("Your turn is possible"), "mail"),
    Kind("asked", gettext_lazy("Something is asked of you or offered to you"), "mail"),
    Kind("due", gettext_lazy("What waits for you falls due within a day"), "mail"),
    Kind("vote", gettext_lazy("A vote closes within a day, and yours is missing"), "mail"),
    Kind("called", gettext_lazy("A rule of the game wants you to know of something"), "mail"),
    Kind("removal", gettext_lazy("You will soon be out of a game by its rules"), "mail"),
    Kind("happened", gettext_lazy("Something happened to you"), "digest"),
    Kind("report", gettext_lazy("An update is over, and its report is there"), "digest"),
    Kind("proposal", gettext_lazy("A proposal is made, decided or in force"), "digest"),
    Kind("watched", gettext_lazy("A proposal you watch is spoken of, decided or in force"), "mail"),
    Kind("talk", gettext_lazy("Somebody answers you or mentions you"), "digest"),
    Kind("news", gettext_lazy("The Admin announces something"), "mail"),
    Kind("game", gettext_lazy("A game is paused, goes on or ends"), "mail"),
    Kind("away", gettext_lazy("Another player will be away for some days"), "digest"),
    Kind("desk", gettext_lazy("Something waits at your desk as Admin"), "mail"),
)
BY_ID = {kind.id: kind for kind in KINDS}


def choices() -> list[Any]:
    """As Django's models want them."""
    return [(kind.id, kind.label) for kind in KINDS]
