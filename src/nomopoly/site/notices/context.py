"""What every page says of notices."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from nomopoly.site.notices import reading
from nomopoly.site.post import office


def unread(request: HttpRequest) -> dict[Any, Any]:
    """How many notices a signed-in reader has not seen, and how mail to them is; asked of the database only by pages
    that show it."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {}
    return {
        "unread_notices": SimpleLazyObject(lambda: reading.unread(user)),
        "mail_to_me": SimpleLazyObject(lambda: {"off": office.box_of(user).off, "down": office.is_down()}),
    }
