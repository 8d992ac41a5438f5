"""The second factor in front of the operator's console: an account that has one, and a session in which it was shown
lately."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from allauth.account.authentication import get_authentication_records
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.urls import reverse

from nomopoly.site.accounts.signed_in import account

if TYPE_CHECKING:
    from nomopoly.site.accounts.models import User


HOLDS = 60 * 60  # seconds that a second factor opens the console


def is_operator(user: User | AnonymousUser) -> bool:
    """Whether an account is that of an operator."""
    return user.is_authenticated and user.is_active and user.is_staff


def has_factor(user: User) -> bool:
    """Whether an account has a second factor: codes of a program, or a passkey."""
    return is_mfa_enabled(user, [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN])


def shown_lately(request: HttpRequest) -> bool:
    """Whether the second factor was shown in this session within the last hour."""
    records = get_authentication_records(request, request.user)
    return any(each.get("method") == "mfa" and time.time() - each.get("at", 0) < HOLDS for each in records)


def open_to(request: HttpRequest) -> bool:
    """Whether the console is open to a request."""
    return is_operator(request.user) and has_factor(account(request)) and shown_lately(request)


def where_shown(user: User) -> str:
    """The address of the page at which an account shows its second factor."""
    types = set(Authenticator.objects.filter(user=user).values_list("type", flat=True))
    return reverse("mfa_reauthenticate" if Authenticator.Type.TOTP in types else "mfa_reauthenticate_webauthn")
