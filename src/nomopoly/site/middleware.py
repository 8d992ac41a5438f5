"""What holds for every answer: headers, and the reader's time zone and way of reading."""

from __future__ import annotations

import secrets
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone, translation
from whitenoise.middleware import WhiteNoiseMiddleware

from nomopoly.site import styles

if TYPE_CHECKING:
    from nomopoly.site.shapes import Respond


POLICY = "; ".join(
    (
        "default-src 'none'",
        "object-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)


class StaticFiles(WhiteNoiseMiddleware):
    """Our few small files, each answered whole: an ASGI server would have to gather a stream first."""

    @staticmethod
    def serve(static_file: Any, request: HttpRequest) -> HttpResponse:
        """Answer with a static file as a whole, with the headers that WhiteNoise has made."""
        found = static_file.get_response(request.method, request.META)
        body = b""
        if found.file is not None:
            with found.file:
                body = found.file.read()
        answer = HttpResponse(body, status=int(found.status))
        del answer["Content-Type"]
        for name, value in found.headers:
            answer[name] = value
        if styles.stays(request):
            answer["Cache-Control"] = styles.FOR_EVER
        return answer


def allow_styles(response: HttpResponse, nonce: str) -> None:
    """Let a page's scripts write style sheets that bear this word, as the editor of programs does."""
    response["Content-Security-Policy"] = POLICY.replace("style-src 'self'", f"style-src 'self' 'nonce-{nonce}'")


def headers(get_response: Respond) -> Respond:
    """Set the headers that all answers have."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        unseen = "X-Fragment" in request.headers and response.has_header("Location")  # a script would follow it
        if unseen and isinstance(response, HttpResponse):
            response.status_code, response.content = 204, b""
            response["X-Location"] = response["Location"]
            del response["Location"]
        if request.method == "POST" and response.status_code == 302:
            response.status_code = 303  # A form was carried out: its result is read with GET.
        if request.method == "POST" and request.path == "/account/logout/":
            response["Clear-Site-Data"] = '"cache", "storage"'  # nothing of an account stays in the browser
        response.headers.setdefault("Content-Security-Policy", POLICY)
        styles.allow(request, response)
        response.headers.setdefault("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=()")
        return response

    return answer


def reader(get_response: Respond) -> Respond:
    """Times are shown in the reader's own zone, and wordings in the language that they chose, on every device.

    A reader without one sees the times of a game in the zone of that game (see `in_zone_of`), all other times in UTC.

    Programs are told everything in English, whatever their users read.

    `?text=1` asks for the text view, and is remembered for the visit.
    """

    def answer(request: HttpRequest) -> HttpResponseBase:
        timezone.activate(own_zone(request) or timezone.get_default_timezone())
        language = request.user.language if request.user.is_authenticated else ""
        if request.path.startswith("/api/v1/"):
            language = settings.LANGUAGE_CODE
        if language and translation.check_for_language(language):
            translation.activate(language)
            request.LANGUAGE_CODE = translation.get_language()
        try:
            return get_response(request)
        finally:
            timezone.deactivate()

    return answer


@lru_cache(512)
def zone_named(name: str) -> ZoneInfo | None:
    """The time zone of a name such as Europe/Berlin; None if there is none."""
    try:
        return ZoneInfo(name) if name else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def own_zone(request: HttpRequest) -> ZoneInfo | None:
    """The zone that a reader has chosen, or else that of their browser, as its cookie says (`zone.js`); None if neither
    is known."""
    chosen = request.user.time_zone if request.user.is_authenticated else ""
    return zone_named(chosen) or zone_named(request.COOKIES.get(settings.ZONE_COOKIE_NAME, ""))


def in_zone_of(request: HttpRequest, zone: str) -> None:
    """Show times in the zone of a game to a reader whose own is not known."""
    if own_zone(request) is None:
        timezone.activate(zone_named(zone) or timezone.get_default_timezone())


def wants_text(request: HttpRequest) -> bool:
    """Whether somebody wants pages as text, without the drawing of the board."""
    asked = request.GET.get("text")
    if asked in ("0", "1"):
        if request.session.get("text") != asked:
            request.session["text"] = asked
        return asked == "1"
    if "text" in request.session:
        return request.session["text"] == "1"
    return request.user.is_authenticated and request.user.text_view


def reader_context(request: HttpRequest) -> dict[Any, Any]:
    """What all templates know of their reader."""
    if not hasattr(request, "user"):
        return {}
    unknown = not request.user.is_authenticated and own_zone(request) is None
    asks = {"zone_cookie": settings.ZONE_COOKIE_NAME if unknown else ""}  # under which the browser is to say its zone
    return asks | {"text_view": wants_text(request), "once": secrets.token_urlsafe(15), "back": way_back(request)}


def way_back(request: HttpRequest) -> str:
    """What the log-in links carry, so that one comes back to where one was."""
    place = request.GET.get("next") if request.path.startswith("/account/") else request.get_full_path()
    return f"?{urlencode({'next': place})}" if place and place != "/" else ""
