"""The way into a game: by invitation, by asking, with an account made on the way.

Who needs nobody's approval (invited, or where the house decides) gives a name, and an address if they are not signed
in: what they want is kept in their session until the code is typed, and carried out then (`finish`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from nomopoly.site import once
from nomopoly.site.accounts import entrance
from nomopoly.site.accounts.signed_in import account
from nomopoly.site.door import seated, sit
from nomopoly.site.lobby import about, forms
from nomopoly.site.tables import called, domain, live, queries

if TYPE_CHECKING:
    from nomopoly.site.accounts.models import User
    from nomopoly.site.door import Seat
    from nomopoly.site.lobby.forms import ComeIn, Join
    from nomopoly.site.once import Done
    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.models import Game


WISH = "joining"  # in the session, until somebody is signed in


@seated("overview")
def join(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The page on which one asks to join a game, or comes in at once where one is invited."""
    at_once = seat.invited or seat.game.office == "house"
    if not request.user.is_authenticated:
        return come_in_by_mail(request, seat) if at_once else redirect_to_login(request.get_full_path())
    ended = over(seat)
    refusal = ended or domain.cannot_ask(seat.game, request.user, seat.membership, seat.invited)
    waits = not ended and seat.membership is not None and seat.membership.status == seat.membership.Status.ASKED
    if request.method == "POST" and "withdraw" in request.POST and waits:
        return once.send(request, lambda: take_back(seat, refusal))
    if at_once:
        kept = request.session.get(WISH, {})
        form: forms.Join | forms.ComeIn = come_in(request, seat, kept if kept.get("slug") == seat.game.slug else {})
    else:
        form = forms.Join(request.POST or None, initial={"name": seat.player_name or ""})
    if request.method == "POST" and not refusal and form.is_valid():
        return once.send(request, lambda: ask(request, seat, form))
    return join_page(seat, form, closed=refusal, waits=waits, at_once=at_once)


@require_safe
@seated("overview", present=False)
def name(request: HttpRequest, seat: Seat) -> JsonResponse:
    """Whether a name can be had, for the page that asks while one types: JSON {"refused": why not, or ""}. Nothing is
    kept."""
    wanted = request.GET.get("name", "")
    try:
        wanted = forms.ComeIn.base_fields["name"].clean(wanted)
    except ValidationError as error:
        return JsonResponse({"refused": " ".join(error.messages) if wanted.strip() else ""})
    user = request.user if request.user.is_authenticated else None
    refused = called.name_refused(seat.game, wanted, user)
    answer = JsonResponse({"refused": queries.refusal_of(refused)["reason"] if refused else ""})
    answer["Cache-Control"] = "private, no-store"
    return answer


def come_in(request: HttpRequest, seat: Seat, initial: Data | None = None) -> ComeIn:
    """The form of who needs nobody's approval. Beforehand the first piece is one that is free."""
    taken = {look.shape for look in seat.looks.values()}
    wished = request.GET.get("name", "")  # and refused
    before = {"piece": "", "name": wished or seat.player_name or ""}  # of who has played here
    return forms.ComeIn(request.POST or None, initial=before | (initial or {}), taken=taken)


def over(seat: Seat) -> str | None:
    """Why the game takes no more players; None while it goes on."""
    return _("The game is over") if seat.view["things"].get("game", {}).get("over") else None


def join_page(seat: Seat, form: Join | ComeIn, **more: Any) -> HttpResponse:
    """The page to come in at. Who comes by invitation or into a house sees what it is they come to."""
    return seat.page(
        "lobby/join.html", form=form, sentences=about.in_two_sentences(seat), host=about.host(seat), **more
    )


def take_back(seat: Seat, refusal: str | None) -> Done | HttpResponse:
    """Take back one's wish to join."""
    outcome = domain.withdraw(seat.game, seat.membership)
    if outcome.ok:
        return once.Done(_("You have taken your wish to join back."), seat.game.address)
    return seat.page("lobby/join.html", closed=refusal, waits=True, refusal=queries.refusal_of(outcome))


def ask(request: HttpRequest, seat: Seat, form: Join | ComeIn) -> Done | HttpResponse:
    """Ask for the seat, of which nobody has to approve if they are invited or the house decides."""
    asked = form.cleaned_data
    more = {"message": asked.get("message", ""), "piece": asked.get("piece", ""), "invited": seat.invited}
    outcome = domain.ask_to_join(seat.game, request.user, asked["name"], **more)
    if outcome.ok:
        request.session.pop(WISH, None)
        return once.Done(said_of(seat.game, account(request), asked["name"]), seat.game.address)
    at_once = isinstance(form, forms.ComeIn)
    return join_page(seat, form, refusal=queries.refusal_of(outcome), at_once=at_once)


def said_of(game: Game, user: User, name: str) -> str:
    """The message to somebody who has asked to join: they are in, come in later, or have to wait."""
    seat = queries.membership(game, user)
    if seat is None or seat.status != seat.Status.APPROVED:
        if game.office == "table":
            return _("The players have been asked. A mail brings the answer; until then you can read everything.")
        if game.is_vacant:
            return _("Nobody is the Admin of this game now: your wish waits until somebody is.")
        return _("The Admin has been asked. A mail brings the answer; until then you can read everything.")
    if name in live.of(game).view("visitor")["things"]:
        return _("You are in the game as %(name)s. Have fun!") % {"name": name}
    return _("You are approved as %(name)s, and come in when the next week begins.") % {"name": name}


# ---- with an account on the way


def come_in_by_mail(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The same for who is not signed in: a name, an address, and a code by mail."""
    form = come_in(request, seat)
    door = entrance.DoorForm(request.POST or None)
    if request.method == "POST" and form.is_valid() and door.is_valid():
        name = form.cleaned_data["name"]
        if refusal := called.name_refused(seat.game, name):
            return join_page(seat, form, door=door, at_once=True, refusal=queries.refusal_of(refusal))
        request.session[WISH] = {"slug": seat.game.slug, "name": name, "piece": form.cleaned_data["piece"]}
        return entrance.send_code(request, door, seat.game.address + "join/")
    closed = over(seat) or (domain.CLOSED if seat.game.closed and not seat.invited else None)
    return join_page(seat, form, door=door, at_once=True, closed=closed)


def finish(request: HttpRequest) -> str | None:
    """Carry out what somebody wanted before they were signed in. Returns where to go now, or None if there was
    nothing."""
    wish = request.session.pop(WISH, None)
    if wish is None:
        return None
    seat = sit(request, wish["slug"])
    place = f"{seat.game.address}join/"
    if over(seat) or domain.cannot_ask(seat.game, account(request), seat.membership, seat.invited):
        return seat.game.address if seat.membership is not None else place
    outcome = domain.ask_to_join(
        seat.game, request.user, wish["name"], piece=wish.get("piece", ""), invited=seat.invited
    )
    if outcome.ok:
        messages.success(request, said_of(seat.game, account(request), wish["name"]))
        return seat.game.address
    messages.error(request, capfirst(queries.refusal_of(outcome)["reason"]))
    return f"{place}?{urlencode({'name': wish['name']})}"
