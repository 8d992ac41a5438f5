"""Into a game and out of it, and the Admin's desk."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.forms import BaseForm
from django.http import HttpRequest
from ninja import Field, Router, Schema, Status

from nomopoly.site import once
from nomopoly.site.accounts.signed_in import account
from nomopoly.site.api import told
from nomopoly.site.api.acting import TOKEN, Act
from nomopoly.site.api.door import No, Refused, enter, key_of
from nomopoly.site.api.reading import find_entry
from nomopoly.site.desk import tasks, views, waiting
from nomopoly.site.desk.forms import GameSettings
from nomopoly.site.door import Seat
from nomopoly.site.lobby import forms
from nomopoly.site.order import complaints
from nomopoly.site.shapes import Data
from nomopoly.site.tables import domain, queries

office = Router(tags=["Joining and the desk"])
REASON = "Say why: the reason is shown to everybody"


class Asking(Schema):
    """A wish to join as it is sent."""

    name: str = Field(description="Your name in this game, up to 30 characters")
    message: str = Field("", description="A word to the Admin, who alone reads it")
    invitation: str = Field("", description="The word of an invitation's link: with it nobody has to approve")
    piece: str = Field("", description="The shape of your piece, as the page of an invitation names them")
    rules: bool = Field(
        False, description="That you have seen that the rules can change, and that all you do is in the log"
    )


class Leaving(Schema):
    """A farewell as it is sent."""

    confirm: str = Field(description="Your name in this game, to make sure")


class Settings(Schema):
    """Settings of a game; what is left out stays as it is."""

    visibility: str | None = Field(None, description="public, link or private")
    readers: str | None = Field(None, description="Who may read what is said in it: all or players")
    host: str | None = Field(None, description="Your name on the page About and in invitations, up to 30 characters")
    about: str | None = Field(None, description="Your own words on the page About, up to 20,000 characters")
    invitation_text: str | None = Field(
        None, description="What an invitation by mail says, up to 1,000 characters: {game}; empty for the usual words"
    )
    welcome_text: str | None = Field(
        None, description="What somebody is told by mail when approved, up to 1,000 characters: {player}, {game}"
    )
    closing_text: str | None = Field(
        None, description="A line under mails of the game, up to 200 characters: {game}; empty for none"
    )
    takes_players: bool | None = Field(None, description="Whether anybody may ask to join")


class Strike(Schema):
    """A correction as it is confirmed."""

    because: str = Field("", description="Why: it is shown to everybody")
    confirm: str = Field(description="The `hash` of the preview")


def first_problem(form: BaseForm) -> str:
    """What is wrong with a form, as one text."""
    return " ".join(str(error) for errors in form.errors.values() for error in errors)


@office.post("/g/{slug}/join", response={200: Any, 409: Refused, 422: No}, summary="Ask to join")
def join(request: HttpRequest, slug: str, given: Asking, token: str | None = TOKEN) -> Status[Any]:
    """Ask for a seat. The Admin answers, and a mail tells."""
    seat = enter(request, slug, to_play=True)
    if not request.user.is_authenticated:
        raise PermissionDenied("Log in first.")

    def go() -> tuple[int, dict[str, str]] | tuple[int, Data] | tuple[int, dict[Any, Any]]:
        invited = bool(given.invitation) and given.invitation == seat.game.invitation
        refusal = domain.cannot_ask(seat.game, account(request), seat.membership, invited)
        refusal = refusal or ("The game is over" if seat.view["things"]["game"].get("over") else None)
        form = forms.ComeIn(given.dict()) if invited else forms.Join(given.dict())
        if refusal or not form.is_valid():
            return 409, {"refused": refusal or first_problem(form)}
        asked = form.cleaned_data
        more = {"message": given.message, "piece": asked.get("piece", ""), "invited": invited}
        outcome = domain.ask_to_join(seat.game, request.user, asked["name"], **more)
        return (200, {"asked": asked["name"]}) if outcome.ok else (409, told.refusal(outcome))

    return Status(*once.answer(request.user, token, [slug, given.dict()], go, lambda n: {"asked": given.name.strip()}))


@office.post("/g/{slug}/leave", response={200: Any, 409: Refused, 422: No}, summary="Leave the game for good")
def leave(request: HttpRequest, slug: str, given: Leaving, token: str | None = TOKEN) -> Status[Any]:
    """Leave, by the rules on leaving. There is no way back to what you had."""
    seat = enter(request, slug, to_play=True)
    seat.need_player("leave it")

    def go() -> tuple[int, Data] | tuple[int, Any]:
        form = forms.Leave(given.dict(), player=seat.player)
        if not form.is_valid():
            return 409, {"refused": first_problem(form)}
        outcome = domain.leave(seat.game, seat.membership)
        return (200, {"left": seat.player_name}) if outcome.ok else (409, told.refusal(outcome))

    return Status(*once.answer(request.user, token, [slug, "leave"], go, lambda n: {"left": seat.player_name}))


# ---- the desk


def at_the_desk(request: HttpRequest, slug: str, to_play: bool = False) -> Seat:
    """The seat of somebody who governs a game; anybody else is refused."""
    seat = enter(request, slug, to_play=to_play)
    seat.need_admin()
    return seat


@office.get("/g/{slug}/admin", summary="The desk: what waits for the Admin, and the acts")
def desk(request: HttpRequest, slug: str) -> dict[Any, Any]:
    """All that waits, oldest first, by sort (`waiting`); who asks to join, proposals to judge, what else the rules
    leave to the Admin (`tasks`), reports, faults, posts that are orders; and all acts with their forms. For the Admin
    alone."""
    seat = at_the_desk(request, slug)
    acts = views.desk_acts(seat)
    return {
        "applicants": [
            {"name": each.player, "message": each.message, "asked": int(each.asked.timestamp())}
            for each in queries.applicants(seat.game)
        ],
        "proposals": queries.to_judge(seat.view),
        "tasks": [each["thing"] | {"acts": [act["id"] for act in each["acts"]]} for each in tasks.waiting(seat, acts)],
        "waiting": [
            {"sort": each["card"], "since": each["at"], "rule": each["rule"] or None}
            for each in waiting.all_of(seat, acts)
        ],
        "reports": [
            {"id": each.pk, "what": each.in_words(), "because": each.because, "made": int(each.made.timestamp())}
            for each in complaints.waiting(seat.game)
        ],
        "faults": [
            {
                "id": each.pk,
                "rule": each.rule,
                "line": each.line,
                "message": each.message,
                "at": int(each.created.timestamp()),
            }
            for each in seat.game.open_faults
        ],
        "posts": [{"entry": each["number"], "thing": each["id"]} for each in tasks.posted(seat)],
        "acts": acts,
    }


@office.get("/g/{slug}/admin/since/{int:number}", summary="Orders since a post that is an order")
def since(request: HttpRequest, slug: str, number: int) -> list[Any]:
    """The orders since the beginning of the update period of that post, oldest first. `entry` is null for orders that
    have waited: strike those by `order`."""
    seat = at_the_desk(request, slug)
    return [
        {"order": each["n"], "entry": each["entry"] and each["entry"]["number"], "at": each["at"], "by": each["by"]}
        | {"do": each["do"], "args": dict(each["says"]), "waits": each["waits"], "struck": bool(each["struck"])}
        for each in tasks.orders_after(seat, number)
    ]


@office.get("/g/{slug}/admin/strike/{int:number}", summary="What striking an entry would change")
def preview_strike(request: HttpRequest, slug: str, number: int) -> dict[Any, Any]:
    """The changes as far as the Admin may see them, later entries that would be refused, and the `hash` that confirms
    it; or why it is `impossible`."""
    seat = at_the_desk(request, slug)
    return strike_data(seat, find_entry(seat, number)["n"])


@office.get("/g/{slug}/admin/strike/order/{int:n}", summary="What striking an order that has waited would change")
def preview_strike_of_order(request: HttpRequest, slug: str, n: int) -> dict[Any, Any]:
    """The same for an order of the list of orders since a post."""
    seat = at_the_desk(request, slug)
    return strike_data(seat, views.waited(seat, n)["n"])


def strike_data(seat: Seat, n: int) -> dict[Any, Any]:
    """What striking an entry would change, as data."""
    preview = views.strike_preview(seat, n)
    numbers = seat.live.facts("admin").numbers(preview.get("refused", ()))
    return {
        "changes": preview["changes"],
        "later": [numbers[each] for each in preview.get("refused", ()) if numbers.get(each) is not None],
        "hash": preview.get("hash"),
        "impossible": preview.get("impossible"),
    }


@office.post(
    "/g/{slug}/admin/strike/{int:number}", response={200: Any, 409: Refused, 422: No}, summary="Strike an entry"
)
def strike(request: HttpRequest, slug: str, number: int, given: Strike, token: str | None = TOKEN) -> Status[Any]:
    """Take an entry out as if it had never been. Refused if the game has moved on since the preview."""
    seat = at_the_desk(request, slug, to_play=True)
    return strike_now(seat, find_entry(seat, number)["n"], given, token)


@office.post(
    "/g/{slug}/admin/strike/order/{int:n}",
    response={200: Any, 409: Refused, 422: No},
    summary="Strike an order that has waited",
)
def strike_order(request: HttpRequest, slug: str, n: int, given: Strike, token: str | None = TOKEN) -> Status[Any]:
    """The same for an order of the list of orders since a post."""
    seat = at_the_desk(request, slug, to_play=True)
    return strike_now(seat, views.waited(seat, n)["n"], given, token)


def strike_now(seat: Seat, n: int, given: Strike, token: str | None) -> Status[Any]:
    """Strike an entry whose preview the Admin has seen, once however often it is sent."""

    def entry(number: int | None) -> Any:
        return told.entry_of(enter(seat.request, seat.game.slug), number)

    def go() -> tuple[int, dict[str, str]] | tuple[int, Any]:
        if not given.because.strip():
            return 409, {"refused": REASON}
        keyed = bool(key_of(seat.request))
        outcome = domain.strike(seat.game, n, given.because.strip(), given.confirm, by_program=keyed)
        if not outcome.ok:
            return 409, told.refusal(outcome)
        return 200, entry(outcome.n)

    return Status(*once.answer(seat.request.user, token, [seat.game.slug, n, given.dict()], go, entry))


@office.get("/g/{slug}/admin/settings", summary="What you set of the game outside its rules")
def settings(request: HttpRequest, slug: str) -> dict[Any, Any]:
    """Who may read it and its forum, your own words there and in mails, and whether it takes new players."""
    game = at_the_desk(request, slug).game
    return views.settings_of(game) | {"takes_players": not game.closed}


@office.post("/g/{slug}/admin/settings", response={200: Any, 422: No}, summary="Set it")
def change_settings(request: HttpRequest, slug: str, given: Settings) -> Status[Any]:
    """Set what you name; what you leave out stays as it is."""
    seat = at_the_desk(request, slug, to_play=True)
    game = seat.game
    kept = views.settings_of(game)
    form = GameSettings(
        kept | {name: value for name, value in given.dict().items() if name in kept and value is not None}, game=game
    )
    if not form.is_valid():
        return Status(422, {"error": first_problem(form)})
    closed = game.closed if given.takes_players is None else not given.takes_players
    views.keep_settings(game, form.cleaned_data)
    domain.change_game(game, closed=closed)
    return Status(200, settings(request, slug))


@office.post("/g/{slug}/admin/{act}", response={200: Any, 409: Refused, 422: No}, summary="An act of the Admin")
def act(request: HttpRequest, slug: str, act: str, given: Act, token: str | None = TOKEN) -> Status[Any]:
    """Carry out an act of the desk with its `fields`, or only tell what it would do. Acts that overrule somebody want
    the field `because`, which is shown to everybody. 200 has the log's entry."""
    seat = at_the_desk(request, slug, to_play=True)
    about = views.find_act(seat, act)

    def entry(n: int | None) -> Any:
        return told.entry_of(enter(request, slug), n)

    def go() -> tuple[int, dict[str, str]] | tuple[int, Any]:
        if problems := [*views.unsaid(about, given.fields), *views.unknown(seat, about, given.fields)]:
            return 409, {"refused": ". ".join(problems) + "."}
        if given.preview:
            seen = seat.live.preview(None, act, given.fields)
            return (200, told.preview(seat, seen)) if seen.ok else (409, told.refusal(seen))
        outcome = domain.desk_act(seat.game, act, given.fields, by_program=bool(key_of(request)))
        if not outcome.ok:
            return 409, told.refusal(outcome)
        return 200, entry(outcome.n)

    return Status(*once.answer(request.user, None if given.preview else token, [slug, act, given.fields], go, entry))
