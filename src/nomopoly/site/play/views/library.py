"""The library of rules: what is in it, one of them, and the way of a rule into it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from nomopoly.site import once
from nomopoly.site.door import seated
from nomopoly.site.play import shelf
from nomopoly.site.tables import roster

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.once import Done


A_PAGE = 30
LONGEST = 100  # characters of what is looked for


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """The rules of the library, as they are searched."""
    wanted = request.GET.get("q", "").strip()[:LONGEST]
    found = shelf.entries(wanted)
    page = Paginator([shelf.here(each) for each in found], A_PAGE).get_page(request.GET.get("page"))
    return render(request, "play/library.html", {"q": wanted, "found": len(found), "entries": page})


@require_safe
def entry(request: HttpRequest, name: str) -> HttpResponse:
    """One rule of the library."""
    found = shelf.find(name)
    if found is None:
        raise Http404(_("There is no such rule in the library."))
    games = [each.game for each in roster.seats_of(request.user)] if request.user.is_authenticated else []
    here = shelf.here(found)
    context = {"entry": here, "held": shelf.held(name), "games": [each for each in games if not each.over]}
    rule = {"text": found.text, "params": found.params, "id": found.name, "code": found.code}
    context["rule"] = rule | {"other": {"text": here.text} if here.text != found.text else None}
    return render(request, "play/library_rule.html", context)


@require_POST
@seated("rules", signed_in=True)
def offer(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Offer a rule of a game to the library."""
    rule = request.POST.get("rule", "")

    def go() -> Done:
        if refusal := shelf.offer(seat, rule):
            return once.Done(_("Not offered. %(refusal)s") % {"refusal": refusal}, f"{seat.game.address}rules/{rule}/")
        told = _("It is offered. The operators of this site decide what is in the library.")
        return once.Done(told, f"{seat.game.address}rules/{rule}/")

    return once.send(request, go)
