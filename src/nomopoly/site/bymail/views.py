"""How to play by mail, for players."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


@require_safe
def guide(request: HttpRequest) -> HttpResponse:
    """What to write in an answer, and who may."""
    return render(request, "bymail/guide.html", {"takes_mail": bool(settings.NOMOPOLY_REPLY_TO)})
