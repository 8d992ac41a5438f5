"""The page on which a reader chooses the language of the site's own wordings."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods
from django.views.i18n import LANGUAGE_QUERY_PARAMETER, set_language


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
