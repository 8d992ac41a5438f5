"""The language in which a reader gets the site's own wordings. Rules and what players write stay as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.http import require_http_methods
from django.views.i18n import LANGUAGE_QUERY_PARAMETER, set_language

if TYPE_CHECKING:
    from nomopoly.site.accounts.models import User


@require_http_methods(["GET", "HEAD", "POST"])
def choose(request: HttpRequest) -> HttpResponse:
    """The page where one chooses; a choice is kept by the browser for a year, and with the account if one is signed
    in."""
    if request.method != "POST":
        return render(request, "accounts/language.html", {"next": request.GET.get("next", "/")})
    chosen = request.POST.get(LANGUAGE_QUERY_PARAMETER, "")
    if request.user.is_authenticated and chosen in dict(settings.LANGUAGES):
        request.user.language = chosen
        request.user.save(update_fields=["language"])
    return set_language(request)


def of(user: User | None) -> translation.override:
    """A context in which everything is said as the user reads it: `with languages.of(user): ...`. For mails and
    pushes."""
    return translation.override(getattr(user, "language", "") or settings.LANGUAGE_CODE)
