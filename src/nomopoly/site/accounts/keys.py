"""Keys for programs: made, found by what a program shows, taken back."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta
from typing import TYPE_CHECKING

from django.utils import timezone

from nomopoly.site.accounts.models import ApiKey
from nomopoly.site.tables import prepared, roster

if TYPE_CHECKING:
    from nomopoly.site.accounts.models import User
    from nomopoly.site.tables.models import Game


MOST = 10  # for one game
USE_SECONDS = 60  # how exactly the last use is noted
SHOWN = prepared.Rows(lambda hash: ApiKey.objects.select_related("user", "game").filter(hash=hash))


def make(user: User, *, game: Game, name: str, scope: str) -> tuple[str, ApiKey]:
    """(the key as a program shows it, which nobody can be told again; its row)."""
    shown = f"nomo_{secrets.token_urlsafe(32)}"
    return shown, ApiKey.objects.create(
        user=user, game=game, name=name, scope=scope, begins=shown[:9], hash=hashed(shown)
    )


def hashed(shown: str) -> str:
    """A key is 256 bits of chance: it wants no salt and no slow hash."""
    return hashlib.sha256(shown.encode()).hexdigest()


def find(shown: str) -> ApiKey | None:
    """The row of a key that was shown, its use noted; None if there is none or its owner is out."""
    key = SHOWN.first(hashed(shown))
    if key is None or not key.user.is_active:
        return None
    now = timezone.now()
    if key.used is None or now - key.used > timedelta(seconds=USE_SECONDS):
        ApiKey.objects.filter(pk=key.pk).update(used=now)
    return key


def open_still(numbers: set[int]) -> set[int]:
    """Which of these keys, by their numbers, open something: those that are there, and whose owners are."""
    return set(ApiKey.objects.filter(pk__in=numbers, user__is_active=True).values_list("pk", flat=True))


def revoke(key: ApiKey) -> None:
    """Take a key back: it opens nothing any more."""
    key.delete()


def games_for(user: User) -> list[Game]:
    """The games a user can make a key for: where they sit or have sat, and where they are the Admin."""
    games = [membership.game for membership in roster.memberships_of(user)] + list(roster.governed_by(user))
    return sorted(games, key=lambda game: game.title.casefold())
