"""The pages outside a game, and the way into and out of one. A view reads, asks the domain, and draws."""

import sys

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from nomopoly.site import busy, limits, once
from nomopoly.site.door import seated
from nomopoly.site.lobby import forms, handbook
from nomopoly.site.play import sentences
from nomopoly.site.tables import domain, live, queries

PATIENCE = 1.0  # seconds that a page about several games waits for one of them


@require_safe
def home(request):
    demo = queries.demo_game()
    seen, _ = unless_busy(lambda game: live.of(game).view("visitor"), [demo] if demo else [])
    demo = demo if seen else None
    return render(
        request,
        "lobby/home.html",
        {
            "demo": demo,
            "demo_view": seen[0] if demo else None,
            "demo_rules": queries.newest_rules(live.of(demo)) if demo else [],
            "open_games": queries.games_to_join()[:12],
        },
    )


@require_safe
def games(request):
    return render(request, "lobby/games.html", {"rows": queries.public_games()})


@login_required
def new_game(request):
    form = forms.NewGame(request.POST or None, initial={"time_zone": request.user.time_zone or "UTC"})
    if request.method == "POST" and form.is_valid():
        return once.send(request, lambda: open_game(request, form))
    return new_game_page(request, form)


def new_game_page(request, form):
    return render(request, "lobby/new_game.html", {"form": form, "zones": forms.time_zones()})


def open_game(request, form):
    wanted = form.cleaned_data
    many = len(wanted["invite"])
    refusal = limits.refusal(request.user, "game") or limits.refusal(request.user, "invitation", many)
    if refusal:
        form.add_error(None, refusal)
        return new_game_page(request, form)
    game = domain.start_game(
        request.user,
        edition=wanted["edition"],
        title=wanted["title"],
        slug=wanted["slug"],
        visibility=wanted["visibility"],
        time_zone=wanted["time_zone"],
    )
    limits.note(request.user, "game")
    limits.note(request.user, "invitation", many)
    if many:
        domain.invite(
            game, wanted["invite"], f"{settings.NOMOPOLY_ADDRESS}{game.address}join/?invitation={game.invitation}"
        )
    invited = f" Invitations went to {many}." if many else ""
    return once.Done(f"{game.title} is open, and you are its Admin.{invited}", game.address)


@login_required
@require_safe
def me(request):
    seats, busy_there = unless_busy(queries.at_seat, queries.memberships_of(request.user))
    offices, busy_here = unless_busy(queries.at_desk, queries.governed_by(request.user))
    waiting = [item for place in [*offices, *seats] for item in place["waiting"]]
    waiting += [
        {"text": "you are offered the office of Admin", "where": f"{game.address}office/", "game": game}
        for game in queries.offered_offices(request.user)
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
            "open_games": queries.games_to_join()[:6],
        },
    )


def unless_busy(look, places):
    """([look(place) of each place], the places whose games are too busy to be looked at): one game does not hide another."""
    seen, left_out = [], []
    for place in places:
        try:
            with live.patience(PATIENCE):
                seen.append(look(place))
        except busy.Busy:
            left_out.append(place)
    return seen, left_out


@login_required
def settings_page(request):
    user = request.user
    form = forms.Settings(request.POST or None, initial={"time_zone": user.time_zone, "text_view": user.text_view})
    if request.method == "POST" and form.is_valid():

        def keep():
            domain.change_settings(user, **form.cleaned_data)
            return once.Done("Your settings are kept.", "/settings/")

        return once.send(request, keep)
    return render(request, "lobby/settings.html", {"form": form, "zones": forms.time_zones()})


@require_safe
def guide(request):
    return render(request, "lobby/guide.html")


@require_safe
def writing_rules(request):
    words, chapters = handbook.page()
    parts = {"words": words, "chapters": chapters, "all_words": handbook.all_words(), "editions": handbook.editions()}
    parts["games"] = (
        [seat.game for seat in queries.memberships_of(request.user)] if request.user.is_authenticated else []
    )
    return render(request, "lobby/writing_rules.html", parts)


@require_safe
def robots(request):
    return HttpResponse(
        "User-agent: *\nDisallow: /account/\nDisallow: /me/\nDisallow: /settings/\nDisallow: /feeds/\n", "text/plain"
    )


# ---- into a game and out of it


@seated(signed_in=True)
def join(request, seat):
    refusal = domain.cannot_ask(seat.game, request.user, seat.membership)
    if seat.view["things"].get("game", {}).get("over"):
        refusal = refusal or "The game is over"
    waits = seat.membership is not None and seat.membership.status == seat.membership.Status.ASKED
    if request.method == "POST" and "withdraw" in request.POST and waits:

        def take_back():
            outcome = domain.withdraw(seat.game, seat.membership)
            if outcome.ok:
                return once.Done("You have taken your wish to join back.", seat.game.address)
            return seat.page("lobby/join.html", closed=refusal, waits=waits, refusal=queries.refusal_of(outcome))

        return once.send(request, take_back)
    form = forms.Join(request.POST or None)
    if request.method == "POST" and not refusal and form.is_valid():

        def ask():
            asked = form.cleaned_data
            outcome = domain.ask_to_join(seat.game, request.user, asked["name"], asked["message"])
            if outcome.ok and seat.game.demo:
                return once.Done(
                    f"You are in the game as {asked['name']}: the demo lets everybody in.", seat.game.address
                )
            if outcome.ok:
                say = "The Admin has been asked. A mail brings the answer; until then you can read everything."
                return once.Done(say, seat.game.address)
            return seat.page("lobby/join.html", form=form, refusal=queries.refusal_of(outcome))

        return once.send(request, ask)
    return seat.page("lobby/join.html", form=form, closed=refusal, waits=waits)


@seated(signed_in=True)
def leave(request, seat):
    seat.need_player("leave it")
    form = forms.Leave(request.POST or None, player=seat.player_name)
    if request.method == "POST" and form.is_valid():

        def go():
            outcome = domain.leave(seat.game, seat.membership)
            if outcome.ok:
                return once.Done(f"You have left {seat.game.title}.", "/me/")
            return seat.page("lobby/leave.html", form=form, refusal=queries.refusal_of(outcome))

        return once.send(request, go)
    return seat.page("lobby/leave.html", form=form, **what_leaving_does(seat))


def what_leaving_does(seat):
    """What the rules in force do with what somebody leaves behind, as far as they can see it."""
    if "leave-game" not in seat.live.describe()["actions"]:
        return {}
    seen = seat.live.preview(seat.player_name, "leave-game", {})
    if not seen.ok:
        return {"refusal": queries.refusal_of(seen)}
    teller = sentences.Teller(seat)
    changes = [each for each in teller.changes({"changes": seen.changes}) if each[0] != seat.player_name]
    return {
        "effects": [teller.linked(fact["say"], fact) for fact in sentences.of_preview(seat, seen) if fact.get("say")],
        "changes": queries.readable(seat.view, changes),
    }


# ---- when something is not possible


def forbidden(request, exception=None):
    told = str(exception) if isinstance(exception, PermissionDenied) and str(exception) else "You may not do this."
    join = join_address(request) if told.endswith("Ask to join.") else None
    game = join_address(request).removesuffix("join/") if join_address(request) else None
    return render(request, "403.html", {"told": told, "join": join, "game_address": game}, status=403)


def join_address(request):
    parts = request.path.split("/")
    return f"/g/{parts[2]}/join/" if len(parts) > 3 and parts[1] == "g" else None


def missing(request, exception=None):
    told = str(exception.args[0]) if exception.args and isinstance(exception.args[0], str) else ""
    return render(request, "404.html", {"told": told}, status=404)


def broken(request):
    waits = busy.busy_of(sys.exc_info()[1])  # of what comes before and after a view: its session
    if waits is not None:
        return busy.answer(request, waits)
    return render(request, "500.html", status=500)


def csrf_failure(request, reason=""):
    told = "This form has expired, or came from elsewhere: nothing was done. Load the page again and send it once more."
    return render(request, "403.html", {"told": told}, status=403)
