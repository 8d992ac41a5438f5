"""How a reader is written to: in their language, by their clock. Rules and what players write stay as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings
from django.utils import translation

if TYPE_CHECKING:
    from nomopoly.site.accounts.models import User
    from nomopoly.site.tables.models import Game


def of(user: User | None) -> translation.override:
    """A context in which everything is said as the user reads it: `with languages.of(user): ...`. For mails and
    pushes."""
    return translation.override(getattr(user, "language", "") or settings.LANGUAGE_CODE)


def zone_of(user: User | None, game: Game | None = None) -> ZoneInfo:
    """A user's time zone; where they have none, or one that is gone, that of the game that they are told of, or UTC."""
    for name in (getattr(user, "time_zone", ""), getattr(game, "time_zone", "")):
        try:
            if name:
                return ZoneInfo(name)
        except (ZoneInfoNotFoundError, ValueError):
            continue
    return ZoneInfo("UTC")
