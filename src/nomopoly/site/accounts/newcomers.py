"""Accounts that begin: one for each address that asks for a code, and forgotten again if nobody ever types the code."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils import timezone

if TYPE_CHECKING:
    from nomopoly.site.accounts.models import User


UNCONFIRMED = timedelta(days=2)  # that an account is kept whose address nobody has confirmed


def account_of(address: str) -> User | None:
    """The new account of an address that has none; None if it belongs to an account that was closed.

    The address is confirmed by the code that is sent to it, and not before.
    """
    address = address.strip().lower()
    with transaction.atomic():
        user, new = get_user_model().objects.get_or_create(email=address)
        if new:
            user.set_unusable_password()
            user.save(update_fields=["password"])
        if user.is_active and not EmailAddress.objects.filter(user=user, email__iexact=address).exists():
            EmailAddress.objects.create(user=user, email=address, verified=False, primary=True)
    return user if user.is_active else None


def forget_unconfirmed() -> None:
    """Erase accounts whose address was never confirmed, after a while. A chore of the clock."""
    users = get_user_model().objects.filter(
        last_login=None, is_staff=False, is_active=True, date_joined__lt=timezone.now() - UNCONFIRMED
    )
    users.exclude(emailaddress__verified=True).exclude(memberships__isnull=False).delete()


def take_zone(user: User, zone: str) -> None:
    """Show times in the zone of the user's browser, unless they have chosen one."""
    if zone and not user.time_zone:
        user.time_zone = zone
        user.save(update_fields=["time_zone"])


def take_language(user: User, language: str | None) -> None:
    """Say to the user, in mails too, what is said in the language of the pages on which they came in, unless they have
    chosen one."""
    if not user.language and language != settings.LANGUAGE_CODE and language in dict(settings.LANGUAGES):
        user.language = language
        user.save(update_fields=["language"])
