"""From which address a request comes, and how much was done from one: limits that a second account does not get around.

Addresses themselves are not kept, only a keyed hash of each, for two days.
"""

from __future__ import annotations

import contextvars
import hashlib
import hmac
import ipaddress
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone

from nomopoly.site.order.models import Knock

if TYPE_CHECKING:
    from nomopoly.site.shapes import Respond


KEPT = timedelta(days=2)
_address = contextvars.ContextVar("address", default="")


def remember(get_response: Respond) -> Callable[[Any], Any]:
    """The middleware: what is limited while a request is answered counts for the address that it comes from."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        token = _address.set(network_of(request.META.get("REMOTE_ADDR", "")))
        try:
            return get_response(request)
        finally:
            _address.reset(token)

    return answer


def network_of(address: str) -> str:
    """What counts as one address: an IPv4 address, or the /64 of an IPv6 address, which one household has. "" for
    none."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return ""
    if found.version == 6 and found.ipv4_mapped is None:
        return str(ipaddress.ip_network((found, 64), strict=False))
    return str(getattr(found, "ipv4_mapped", None) or found)


def here() -> str:
    """The address that the present request comes from; "" outside of requests, as in the clock or a command."""
    return _address.get()


def digest(address: str) -> str:
    """What is kept of an address."""
    return hmac.new(settings.SECRET_KEY.encode(), address.lower().encode(), hashlib.sha256).hexdigest()


def knocks(address: str, what: str, since: datetime) -> QuerySet[Knock]:
    """What was done from an address since a moment: rows with `at` and `count`, oldest first."""
    return Knock.objects.filter(address=digest(address), what=what, at__gt=since).order_by("at")


def note(address: str, what: str, count: int = 1) -> None:
    """Note that something was done from an address (or sent to one). What no limit looks back to is forgotten."""
    if address and count:
        Knock.objects.create(address=digest(address), what=what, count=count)
        Knock.objects.filter(at__lt=timezone.now() - KEPT).delete()
