"""Secret addresses for programs that cannot sign in: made, renewed, closed, and whose they are."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from django.utils import timezone

from nomopoly.site.accounts.models import FeedAddress

if TYPE_CHECKING:
    from nomopoly.site.accounts.models import User


def address_of(user: User) -> FeedAddress | None:
    """The row of a user's secret addresses, or None."""
    return FeedAddress.objects.filter(user=user).first()


def owner_of(token: str) -> User | None:
    """The user whose secret addresses these are, or None: nobody's, or no longer."""
    row = FeedAddress.objects.select_related("user").filter(token=token, user__is_active=True).first()
    return row.user if row is not None else None


def renew(user: User) -> bool:
    """Give a user new secret addresses; the old ones lead nowhere any more. Returns whether these are the first."""
    fresh = {"token": secrets.token_urlsafe(32), "made": timezone.now()}
    _, first = FeedAddress.objects.update_or_create(user=user, defaults=fresh)
    return first


def close(user: User) -> None:
    """Close a user's secret addresses."""
    FeedAddress.objects.filter(user=user).delete()
