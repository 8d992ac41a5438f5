"""A player's private notes about a game: one sheet, seen by nobody else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from nomopoly.site.play.models import Note

if TYPE_CHECKING:
    from nomopoly.site.door import Seat


LONGEST = 50_000
CHANGED = gettext_lazy(
    "Your notes have been changed elsewhere since this page was drawn: they stand below what you have typed."
)


def of(seat: Seat) -> Note:
    """The viewer's sheet, the kept one or a new one."""
    found = Note.objects.filter(game=seat.game, user=seat.user).first()
    return found or Note(game=seat.game, user=seat.user)


def version(note: Note) -> str:
    """What tells a kept sheet from what it was before."""
    return note.saved.isoformat() if note.pk else ""


def keep(seat: Seat, body: str, before: str) -> str | None:
    """Keep the sheet that was drawn as version `before`. Returns why not, or None."""
    if len(body) > LONGEST:
        return _("That is too long: %(many)s characters, at most %(longest)s.") % {
            "many": f"{len(body):,}",
            "longest": f"{LONGEST:,}",
        }
    with transaction.atomic():
        if version(of(seat)) != before:
            return str(CHANGED)
        Note.objects.update_or_create(game=seat.game, user=seat.user, defaults={"body": body, "saved": timezone.now()})
    return None
