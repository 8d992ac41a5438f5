"""How a page comes by its style sheets: in the page itself where a browser is new here, else from the browser's cache.

A browser paints nothing before it has the style sheets, and fetching them is a round trip, half a second on a slow
phone. So the first page brings them along, and fetches all of them besides, for later ones, when it has been painted. A
cookie says that a browser has those of this release; addresses of style sheets bear a stamp of what is in them, so that
they stay in its cache.
"""

import base64
import hashlib
import re
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.templatetags.static import static
from django.utils.cache import patch_vary_headers
from django.utils.html import format_html, format_html_join
from django.utils.safestring import mark_safe

ALL = (
    "nomopoly/style.css",
    "nomopoly/joining.css",
    "play/play.css",
    "play/table.css",
    "play/board.css",
    "play/doors.css",
)
BROUGHT = "nomopoly.styles"  # in META of a request: {style sheet that its page brings along: digest}
STAMP = "v"  # the field of an address that bears the stamp
FOR_EVER = "max-age=31536000, public, immutable"
COOKIE_AGE = 60 * 60 * 24 * 365


@lru_cache(32)
def sheet(name: str) -> tuple[str, bytes]:
    """What is in a style sheet of ours, and the SHA-256 of that (32 bytes)."""
    written = Path(str(finders.find(name))).read_text(encoding="utf-8").strip()
    return written, hashlib.sha256(written.encode()).digest()


def stamp(name: str) -> str:
    """A short word that changes with what is in a style sheet."""
    return sheet(name)[1].hex()[:12]


def address(name: str) -> str:
    """Where a style sheet is, as long as it is what it is now."""
    return f"{static(name)}?{STAMP}={stamp(name)}"


@lru_cache(1)
def release() -> str:
    """A short word that changes with any of the style sheets."""
    return hashlib.sha256(" ".join(map(stamp, ALL)).encode()).hexdigest()[:12]


def is_new(request: HttpRequest | None) -> bool:
    """Whether a browser has none of the style sheets of this release yet, as far as its cookie says."""
    return request is not None and request.COOKIES.get(settings.STYLES_COOKIE_NAME) != release()


def link(name: str, request: HttpRequest | None = None) -> str:
    """The markup by which a page has a style sheet: itself for a new browser (the page's policy then names it), else a
    link."""
    if request is None or not is_new(request):
        return format_html('<link rel="stylesheet" href="{}">', address(name))
    written, digest = sheet(name)
    request.META.setdefault(BROUGHT, {})[name] = base64.b64encode(digest).decode()
    return mark_safe(f"<style>{written}</style>")


def for_later(request: HttpRequest | None) -> str:
    """The markup by which a new browser fetches all style sheets when it has painted the page: as if for print, nobody
    waits."""
    if request is None or not request.META.get(BROUGHT):
        return ""
    return format_html_join("\n", '<link rel="stylesheet" href="{}" media="print">', ((address(name),) for name in ALL))


def allow(request: HttpRequest, response: HttpResponseBase) -> None:
    """Let an answer bring along the style sheets that its page does, and remember that the browser has them from now
    on."""
    brought = request.META.get(BROUGHT)
    if not brought:
        return
    named = " ".join(f"'sha256-{digest}'" for digest in brought.values())
    policy = response["Content-Security-Policy"]
    response["Content-Security-Policy"] = re.sub(r"(style-src [^;]*)", rf"\1 {named}", policy)
    patch_vary_headers(response, ("Cookie",))
    response.set_cookie(
        settings.STYLES_COOKIE_NAME,
        release(),
        max_age=COOKIE_AGE,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def stays(request: HttpRequest) -> bool:
    """Whether what an address names never changes: a style sheet with the stamp of what is in it."""
    name = request.path.removeprefix(settings.STATIC_URL)
    return name in ALL and request.GET.get(STAMP) == stamp(name)
