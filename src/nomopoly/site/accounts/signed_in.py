"""Whose request it is."""

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.utils.translation import gettext

from nomopoly.site.accounts.models import User


def account(request: HttpRequest) -> User:
    """The account of who has sent a request. Raises PermissionDenied where nobody is signed in."""
    if isinstance(request.user, User):
        return request.user
    raise PermissionDenied(gettext("Log in"))
