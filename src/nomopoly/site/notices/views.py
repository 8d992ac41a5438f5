"""What a user is told, how they want to be told, and the door out of a mail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core import signing
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from nomopoly.site import once
from nomopoly.site.accounts.signed_in import account
from nomopoly.site.notices import kinds, mailing, reading
from nomopoly.site.tables import live

if TYPE_CHECKING:
    from nomopoly.site.once import Done


A_PAGE = 50


@require_safe
@login_required
def notices(request: HttpRequest) -> HttpResponse:
    """All notices of a user, newest first. Reading marks nothing: what is new is marked as read by the form of the
    page."""
    page = Paginator(reading.of(account(request)), A_PAGE).get_page(request.GET.get("page"))
    new = [each for each in page if each.read is None]
    return render(request, "notices/notices.html", {"page": page, "new": new, "now": live.now()})


@require_POST
@login_required
def mark_read(request: HttpRequest) -> HttpResponse:
    """Mark notices as read: those that are named (`notice`, several times), or all. A script wants no page in
    return."""
    named = request.POST.getlist("notice")
    reading.note(account(request), [key for key in named if key.isdecimal() and len(key) < 19] if named else None)
    if "X-Live" in request.headers:
        return HttpResponse(status=204)
    messages.success(request, _("They are marked as read.") if named else _("All notices are marked as read."))
    return redirect("notices")


@login_required
def wishes(request: HttpRequest) -> HttpResponse:
    """How a user wants to hear of each kind, in all games and in each."""
    user = account(request)
    games = reading.games_of(user)
    if request.method == "POST":

        def keep() -> HttpResponse | Done:
            problem = reading.keep_wishes(user, games, request.POST)
            if problem:
                messages.error(request, problem)
                return draw(request, games)
            return once.Done(_("Your choice is kept."), "/settings/notices/")

        return once.send(request, keep)
    return draw(request, games)


def draw(request: HttpRequest, games: list[Any]) -> HttpResponse:
    """The form of what is mailed, as it stands or as it was sent."""
    rows = reading.wishes_of(account(request), games, request.POST or None)
    box = mailing.office.box_of(account(request))
    parts = {"rows": rows, "hows": kinds.HOW, "games": games, "hours": range(24), "box": box}
    return render(request, "notices/wishes.html", parts)


@csrf_exempt
def stop(request: HttpRequest, word: str) -> HttpResponse:
    """Out of a mail: nothing happens by opening it, and one click ends mails like it (RFC 8058)."""
    try:
        user, game, about = mailing.read_token(word)
    except (signing.BadSignature, KeyError, TypeError):
        raise ends_nothing() from None
    found = reading.game_of(game)
    if not reading.is_account(user) or (game is not None and found is None):  # gone since the mail
        raise ends_nothing()
    if request.method == "POST":
        reading.stop(user, game, about)
    labels = [kinds.BY_ID[each].label for each in about]
    return render(request, "notices/stop.html", {"labels": labels, "found": found, "stopped": request.method == "POST"})


def ends_nothing() -> Http404:
    """What is answered at an address that no mail has, or one of somebody or of a game that is gone."""
    return Http404(_("This address ends no mails. Choose what is mailed to you in the settings."))
