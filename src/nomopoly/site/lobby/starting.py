"""Starting a game, and the page with the ways in that follows: the link to share, invitations, a seat of one's own."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.safestring import mark_safe
from django.utils.translation import gettext

from nomopoly.rulebook.source import described_editions
from nomopoly.site import kept, limits, once
from nomopoly.site.accounts.signed_in import account
from nomopoly.site.door import seated, sit
from nomopoly.site.lobby import about, forms
from nomopoly.site.post import office
from nomopoly.site.tables import bots, domain, letters, queries, seats

if TYPE_CHECKING:
    from collections.abc import Collection

    from nomopoly.site.accounts.models import User
    from nomopoly.site.door import Seat
    from nomopoly.site.lobby.forms import Invitations, NewGame
    from nomopoly.site.once import Done
    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.models import Game


def new_game(request: HttpRequest) -> HttpResponse:
    """The form of a new game; with `?from=<slug>`, one with the rules of that game as they stand."""
    if not request.user.is_authenticated:
        return redirect(kept.log_in_address(request))
    again = source_of(request)
    initial = {"time_zone": request.user.time_zone}
    form = forms.NewGame(request.POST or None, initial=initial, again=again)
    if request.method == "POST" and form.is_valid():
        return once.send(request, lambda: open_game(request, form, again))
    return new_game_page(request, form, again)


def source_of(request: HttpRequest) -> Game | None:
    """The game that `from` names, in the address or the form, if who asks may read it; None if it names none."""
    slug = request.POST.get("from") or request.GET.get("from")
    if not slug:
        return None
    seat = sit(request, slug, present=False)
    if seat.game.visibility != "public" and seat.role == "visitor":
        raise Http404(gettext("There is no such game."))
    return seat.game


def new_game_page(request: HttpRequest, form: NewGame, again: Game | None) -> HttpResponse:
    """The page on which one starts a game; `again` is the game whose settings it takes over."""
    chosen = form["edition"].value() if again is None else None
    said = about.of_editions()
    editions = [
        each | {"picture": mark_safe(each["picture"]), "chosen": each["name"] == chosen, "about": said[each["name"]]}
        for each in described_editions()
    ]
    parts = {"form": form, "zones": forms.time_zones(), "again": again, "editions": editions}
    return render(request, "lobby/new_game.html", parts)


def open_game(request: HttpRequest, form: NewGame, again: Game | None) -> HttpResponse | Done:
    """Start a game as the form says, and invite to it."""
    wanted = form.cleaned_data
    many = len(wanted["invite"])
    refusal = limits.refusal(account(request), "game") or limits.refusal(account(request), "invitation", many)
    refusal = refusal or limits.refusal_to(wanted["invite"])
    if refusal:
        form.add_error(None, refusal)
        return new_game_page(request, form, again)
    named = {name: wanted[name] for name in ("title", "slug", "visibility", "time_zone", "office")}
    rules = {"book": queries.rules_again(again)} if again is not None else {"edition": wanted["edition"]}
    game = domain.start_game(account(request), **named, **rules)
    limits.note(account(request), "game")
    told = send_invitations(account(request), game, wanted["invite"])
    for _ in range(wanted["bots"]):
        bots.put(game)
    return once.Done(
        " ".join([gettext("%(title)s is open.") % {"title": game.title}, told]).strip(), f"{game.address}invite/"
    )


def send_invitations(user: User, game: Game, addresses: Collection[str]) -> str:
    """Mail the way in to some people. Returns what to say of it."""
    limits.note(user, "invitation", len(addresses))
    limits.note_to(addresses)
    domain.invite(game, addresses)
    return gettext("Invitations went to %(many)s.") % {"many": len(addresses)} if addresses else ""


@seated("overview", signed_in=True)
def invite(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The ways into a game, for those who host it (`Seat.hosts`)."""
    game = seat.game
    seat.need_host()
    form = forms.Invitations(request.POST or None, initial={"host": game.host or seat.player_name or ""})
    if seat.game.over:
        return invite_page(seat, form)
    if request.method == "POST" and "renew" in request.POST:
        return once.send(request, lambda: renew(game))
    if request.method == "POST" and "bot" in request.POST:
        return once.send(request, lambda: change_bots(seat, form, request.POST["bot"]), what="bot")
    if request.method == "POST" and form.is_valid():
        return once.send(request, lambda: invite_more(request, seat, form))
    return invite_page(seat, form)


def invite_page(seat: Seat, form: Invitations, refusal: dict[Any, Any] | None = None) -> HttpResponse:
    """The page on which one invites others, adds bots and gives free seats away."""
    can_play = seat.role not in ("admin", "player") and seat.game.office != seat.game.Office.PERSON
    playing = bots.bots_of(seat.game)
    more: Data = {"bots": playing, "most_bots": bots.MOST, "more_bots": len(playing) < bots.MOST, "refusal": refusal}
    free = [(each.player, settings.NOMOPOLY_ADDRESS + seats.link(seat.game, each)) for each in seats.free(seat.game)]
    more |= {"free": free, "not_arrived": office.not_arrived(seat.game)}
    return seat.page("lobby/invite.html", form=form, link=letters.way_in(seat.game), can_play=can_play, **more)


def invite_more(request: HttpRequest, seat: Seat, form: Invitations) -> HttpResponse | Done:
    """Send invitations to a game as the form says."""
    wanted = form.cleaned_data
    refusal = limits.refusal(account(request), "invitation", len(wanted["invite"]))
    if refusal := refusal or limits.refusal_to(wanted["invite"]):
        form.add_error("invite", refusal)
        return invite_page(seat, form)
    domain.change_game(seat.game, host=wanted["host"])
    told = send_invitations(account(request), seat.game, wanted["invite"])
    return once.Done(told or gettext("Your name is kept."), f"{seat.game.address}invite/")


def change_bots(seat: Seat, form: Invitations, do: str) -> Done | HttpResponse:
    """Give a bot a seat (`add`), or take the one of a name away."""
    page = f"{seat.game.address}invite/"
    if do == "add":
        outcome = bots.put(seat.game)
        told = gettext("A bot has taken a seat. It acts every few minutes.")
    else:
        bot = next((each for each in bots.bots_of(seat.game) if each.seat.player == do), None)
        if bot is None:
            return once.Done(gettext("%(name)s does not play any more.") % {"name": do}, page)
        outcome = bots.take_away(seat.game, bot)
        told = gettext("%(name)s has left the game.") % {"name": do}
    return once.Done(told, page) if outcome.ok else invite_page(seat, form, queries.refusal_of(outcome))


def renew(game: Game) -> Done:
    """Give the game a new link of invitation; the old one opens nothing."""
    domain.change_game(game, invitation=secrets.token_urlsafe(12))
    return once.Done(gettext("This is a new link. The one before it opens nothing any more."), f"{game.address}invite/")
