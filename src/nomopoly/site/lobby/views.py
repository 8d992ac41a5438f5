"""The pages outside a game, and the way into and out of one. A view reads, asks the domain, and draws."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from nomopoly.rulebook import source
from nomopoly.runtime import protocol
from nomopoly.site import busy, kept, once
from nomopoly.site.accounts.signed_in import account
from nomopoly.site.door import OF_GAME, seated
from nomopoly.site.lobby import first_rule, forms, handbook, listing
from nomopoly.site.lobby import playing as playing_pages
from nomopoly.site.play import sentences
from nomopoly.site.tables import domain, live, queries, roster, visits, whereabouts

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.once import Done
    from nomopoly.site.tables.models import Game, Membership


PATIENCE = 1.0  # seconds that a page about several games waits for one of them


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The home page."""
    demo = roster.demo_game()
    seen, _ = unless_busy(lambda game: live.of(game).view("visitor"), [demo] if demo else [])
    demo = demo if seen else None
    return render(
        request,
        "lobby/home.html",
        {
            "own_games": own_games(),
            "demo": demo,
            "demo_view": seen[0] if demo else None,
            "demo_rules": queries.newest_rules(live.of(demo)) if demo else [],
            "demo_seat": queries.membership(demo, request.user) if demo else None,
            "open_games": listing.for_reader(listing.most_active(roster.games_to_join(), 6), request.user),
            "finished": listing.worth_reading(3),
        },
    )


def own_games() -> list[dict[str, str]]:
    """The games of its own that the site offers beside the shipped ones, with what they say of themselves."""
    return [each for each in source.described_editions() if each["name"] in source.OWN] if source.OWN else []


@require_safe
def games(request: HttpRequest) -> HttpResponse:
    """The public games, as they are searched and ordered."""
    page, chosen = listing.page_of(request.GET)
    listing.for_reader(page, request.user)
    others = {name: value for name, value in chosen.items() if value}
    parts = {"page": page, "chosen": chosen, "states": listing.STATES, "orders": listing.ORDERS}
    parts |= {"editions": listing.editions(), "query": urlencode(others)}
    return render(request, "lobby/games.html", parts)


@login_required
@require_safe
def me(request: HttpRequest) -> HttpResponse:
    """What waits for an account in all its games."""
    seats, busy_there = unless_busy(whereabouts.at_seat, roster.memberships_of(account(request)))
    offices, busy_here = unless_busy(whereabouts.at_desk, roster.governed_by(account(request)))
    waiting = [item for place in [*offices, *seats] for item in place["waiting"]]
    waiting += [
        {"text": gettext("you are offered the office of Admin"), "where": f"{game.address}office/", "game": game}
        | {"until": game.successor_until}
        for game in roster.offered_offices(account(request))
    ]
    waiting.sort(key=lambda item: (item.get("until") is None, item.get("until")))
    return render(
        request,
        "lobby/me.html",
        {
            "seats": seats,
            "offices": offices,
            "waiting": waiting,
            "busy": [seat.game for seat in busy_there] + busy_here,
            "open_games": listing.for_reader(listing.most_active(roster.games_to_join(), 6), request.user),
        },
    )


def unless_busy(
    look: Callable[[Any], Any], places: list[Any] | QuerySet[Membership] | QuerySet[Game]
) -> tuple[list[Any], list[Any]]:
    """([look(place) of each place], the places whose games are too busy to be looked at): one game does not hide
    another."""
    seen, left_out = [], []
    for place in places:
        try:
            with live.patience(PATIENCE):
                seen.append(look(place))
        except busy.Busy:
            left_out.append(place)
    return seen, left_out


@login_required
def settings_page(request: HttpRequest) -> HttpResponse:
    """The settings of an account."""
    user = account(request)
    form = forms.Settings(request.POST or None, initial={"time_zone": user.time_zone, "text_view": user.text_view})
    if request.method == "POST" and form.is_valid():

        def keep() -> Done:
            visits.change_settings(user, **form.cleaned_data)
            return once.Done(gettext("Your settings are kept."), "/settings/")

        return once.send(request, keep)
    return render(request, "lobby/settings.html", {"form": form, "zones": forms.time_zones()})


@require_safe
def guide(request: HttpRequest) -> HttpResponse:
    """The first page of the guide."""
    return render(request, "lobby/guide.html", {"described": playing_pages.described()})


@require_safe
def playing(request: HttpRequest, edition: str) -> HttpResponse:
    """How to play an edition."""
    if edition not in dict(playing_pages.described()):
        raise Http404(gettext("No page says how to play %(edition)s.") % {"edition": edition})
    language = playing_pages.language_of(edition)
    before, after = playing_pages.page(edition, language)
    parts = {"edition": edition, "heading": playing_pages.title(edition), "before": before, "after": after}
    parts["said_in"] = language
    return render(request, "lobby/playing.html", parts | {"picture": playing_pages.picture(edition)})


@require_safe
def writing_rules(request: HttpRequest) -> HttpResponse:
    """The contents of the guide to rules, and where in it some words stand."""
    sought = request.GET.get("q", "").strip()[:200]
    parts = {"chapters": handbook.chapters(), "sought": sought, "found": handbook.search(sought)}
    return render(request, "lobby/writing_rules.html", parts)


@require_safe
def first_rule_page(request: HttpRequest) -> HttpResponse:
    """A rule from menus, step by step."""
    language = first_rule.language_of()
    before, after = first_rule.page(language)
    parts = {"before": before, "after": after, "said_in": language}
    return render(request, "lobby/first_rule.html", parts | first_rule.made())


@require_safe
def rules_chapter(request: HttpRequest, slug: str) -> HttpResponse:
    """One chapter of the guide to rules."""
    if slug not in handbook.slugs():
        raise Http404(gettext("The guide to rules has no chapter %(slug)s.") % {"slug": slug})
    parts = {"chapters": handbook.chapters(), "words": handbook.page(slug, handbook.reader())}
    return render(request, "lobby/rules_chapter.html", parts | handbook.around(slug))


@require_safe
def all_words(request: HttpRequest) -> HttpResponse:
    """The words that rules of every game can say."""
    seats = roster.memberships_of(request.user) if request.user.is_authenticated else []
    parts = {"all_words": handbook.all_words(), "editions": handbook.editions(), "games": [seat.game for seat in seats]}
    return render(request, "lobby/all_words.html", parts)


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """What search engines leave alone."""
    return HttpResponse(
        "User-agent: *\nDisallow: /account/\nDisallow: /me/\nDisallow: /settings/\nDisallow: /feeds/\nDisallow: "
        "/operator/\n",
        "text/plain",
    )


# ---- into a game and out of it


@seated(signed_in=True)
def leave(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The page on which a player leaves a game."""
    seat.need_player("leave it")
    if request.method == "GET" and asks_how(seat):
        return redirect(f"{seat.game.address}act/{protocol.LEAVE_GAME}/")  # the rules let one choose, and do not guess
    form = forms.Leave(request.POST or None, player=seat.player)
    if request.method == "POST" and form.is_valid():

        def go() -> Done | HttpResponse:
            outcome = domain.leave(seat.game, seat.membership)
            if outcome.ok:
                return once.Done(gettext("You have left %(title)s.") % {"title": seat.game.title}, "/me/")
            return seat.page("lobby/leave.html", form=form, refusal=queries.refusal_of(outcome))

        return once.send(request, go)
    return seat.page("lobby/leave.html", form=form, **what_leaving_does(seat))


def asks_how(seat: Seat) -> bool:
    """Whether the rules ask something of a player who leaves, and would let them."""
    return any(each["possible"] and each["fields"] for each in seat.live.actions(seat.player, (protocol.LEAVE_GAME,)))


def what_leaving_does(seat: Seat) -> dict[Any, Any]:
    """What the rules in force do with what somebody leaves behind, as far as they can see it."""
    if protocol.LEAVE_GAME not in seat.live.describe()["actions"]:
        return {}
    seen = seat.live.preview(seat.player_name, protocol.LEAVE_GAME, {})
    if not seen.ok:
        return {"refusal": queries.refusal_of(seen)}
    teller = sentences.Teller(seat)
    changes = [each for each in teller.changes({"changes": seen.changes}) if each[0] != seat.player_name]
    return {
        "effects": [teller.linked(fact["say"], fact) for fact in sentences.of_preview(seat, seen) if fact.get("say")],
        "changes": queries.readable(seat.view, changes, seat.names),
    }


# ---- when something is not possible


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """The page for what somebody may not do (403), with the way in, if there is one."""
    told = (
        str(exception)
        if isinstance(exception, PermissionDenied) and str(exception)
        else gettext("You may not do this.")
    )
    address = join_address(request)
    join = address if told.endswith(gettext("Ask to join.")) else None
    game = address.removesuffix("join/") if address else None
    log_in = not request.user.is_authenticated
    return render(request, "403.html", {"told": told, "join": join, "game_address": game, "log_in": log_in}, status=403)


def join_address(request: HttpRequest) -> str | None:
    """The address at which one joins the game that a request is about; None if it is about none."""
    parts = request.path.split("/")
    return f"/g/{parts[2]}/join/" if len(parts) > 3 and parts[1] == "g" else None


def missing(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """The page for what is not there (404)."""
    args = exception.args if exception is not None else ()
    told = str(args[0]) if args and isinstance(args[0], (str, Promise)) else ""
    return render(request, "404.html", {"told": told, "game_address": request.META.get(OF_GAME)}, status=404)


def broken(request: HttpRequest) -> HttpResponse:
    """The page for what has failed (500), or is too busy (503)."""
    waits = busy.busy_of(sys.exc_info()[1])  # of what comes before and after a view: its session
    if waits is not None:
        return busy.answer(request, waits)
    return render(request, "500.html", status=500)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The page for a form that has expired or came from elsewhere; what was typed is kept."""
    if (page := kept.expired(request)) is not None:
        return page
    told = gettext(
        "This form has expired, or came from elsewhere: nothing was done. Load the page again and send it once more."
    )
    return render(request, "403.html", {"told": told}, status=403)
