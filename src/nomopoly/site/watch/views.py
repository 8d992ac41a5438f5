"""`/metrics`, for whoever has the token; without a token, for this machine alone."""

from __future__ import annotations

import hmac
import ipaddress

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from prometheus_client.exposition import choose_encoder

from nomopoly.site.watch.metrics import REGISTRY

FORWARDED = ("HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED", "HTTP_X_REAL_IP")


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """What the site measures, as Prometheus reads it."""
    if not may_read(request):
        raise Http404("There is nothing here.")
    encode, content_type = choose_encoder(request.headers.get("Accept", ""))
    response = HttpResponse(encode(REGISTRY), content_type=content_type)
    response["Cache-Control"] = "no-store"
    return response


def may_read(request: HttpRequest) -> bool:
    """Whether a request bears the token (NOMOPOLY_METRICS_TOKEN) or, where none is set, comes from this machine by no
    proxy."""
    token = settings.NOMOPOLY_METRICS_TOKEN
    if token:
        given = request.headers.get("Authorization", "").encode()
        return hmac.compare_digest(given, f"Bearer {token}".encode())
    if any(name in request.META for name in FORWARDED):
        return False
    try:
        return ipaddress.ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False
