"""Whose request it is, and whose sessions go on."""

from django.contrib.sessions.models import Session
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.utils.translation import gettext

from nomopoly.site.accounts.models import User


def account(request: HttpRequest) -> User:
    """The account of who has sent a request. Raises PermissionDenied where nobody is signed in."""
    if isinstance(request.user, User):
        return request.user
    raise PermissionDenied(gettext("Log in"))


def open_still(sessions: set[str]) -> set[str]:
    """Which of these sessions, by their keys, go on: whoever is logged out of one has it no more."""
    if not sessions:
        return set()
    return set(Session.objects.filter(session_key__in=sessions).values_list("session_key", flat=True))
