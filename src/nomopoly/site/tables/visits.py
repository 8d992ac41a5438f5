"""What the site keeps of people beside their games: visits, pieces, settings, and the forms that they have sent."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.utils import timezone

from nomopoly.site.tables.models import Once, Visit

if TYPE_CHECKING:
    from nomopoly.site.accounts.models import User
    from nomopoly.site.tables.models import Game, Membership


def forget_old_forms(days: int = 14) -> None:
    """Forget the results of forms that were sent so many days ago: nobody sends them a second time. A chore of the
    clock."""
    Once.objects.filter(created__lt=timezone.now() - timedelta(days=days)).delete()


def visited(game: Game, user: User, n: int) -> int | None:
    """Note that a user has seen the game up to entry n. Returns the entry seen last time, or None."""
    visit = Visit.objects.filter(game=game, user=user).first()
    if visit is None:
        Visit.objects.create(game=game, user=user, n=n)
        return None
    before = visit.n
    if before != n:
        visit.n, visit.at = n, timezone.now()
        visit.save(update_fields=["n", "at"])
    return before


def choose_piece(seat: Membership, shape: str) -> bool:
    """Give the player of a seat (a Membership) another shape, "" for the one that is free. Returns whether it is a new
    one."""
    if seat.piece == shape:
        return False
    seat.piece = shape
    seat.save(update_fields=["piece"])
    return True


def change_settings(user: User, *, time_zone: str, text_view: bool) -> None:
    """Keep an account's time zone, and whether it wants pages as text."""
    user.time_zone, user.text_view = time_zone, text_view
    user.save(update_fields=["time_zone", "text_view"])
