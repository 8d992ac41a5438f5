"""What the Admin sees to outside the rules: faults, names that players give, and handing over the office."""

from typing import Any

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Field, Router, Schema, Status

from nomopoly.site import limits, once
from nomopoly.site.accounts.signed_in import account
from nomopoly.site.api import told
from nomopoly.site.api.acting import TOKEN
from nomopoly.site.api.door import No, Refused, key_of, signed_in
from nomopoly.site.api.office import at_the_desk, first_problem
from nomopoly.site.desk.forms import HandOver
from nomopoly.site.tables import domain, roster
from nomopoly.site.tables import office as office_tasks

duties = Router(tags=["Joining and the desk"])


class Names(Schema):
    """Up to where names were looked at."""

    upto: int = Field(description="The entry that the list of names said (`upto`)", ge=0)


class Successor(Schema):
    """To whom the office is offered."""

    to: str = Field("", description="The address of the next Admin; empty takes an offer back")


class Accepting(Schema):
    """An answer to the offer of an office."""

    accept: bool


@duties.get("/g/{slug}/admin/names", summary="Names that players have given")
def names(request: HttpRequest, slug: str) -> Any:
    """Those since you last looked, and the entry up to which you have looked then (`upto`)."""
    task = next(office_tasks.names(at_the_desk(request, slug).game), None) or {"names": [], "upto": None}
    return {"names": [{"id": each["id"], "name": each["name"]} for each in task["names"]], "upto": task["upto"]}


@duties.post("/g/{slug}/admin/names", summary="You have looked at the names")
def looked_at(request: HttpRequest, slug: str, given: Names) -> Any:
    """Names that are given after that entry come to the desk again."""
    seat = at_the_desk(request, slug, to_play=True)
    upto = min(given.upto, seat.live.n)
    office_tasks.looked_at_names(seat.game, upto)
    return {"upto": upto}


@duties.post("/g/{slug}/admin/faults/{int:id}/settled", summary="A fault is dealt with")
def fault_settled(request: HttpRequest, slug: str, id: int) -> Any:
    """Take a fault off the desk, by the `id` that the desk says."""
    seat = at_the_desk(request, slug, to_play=True)
    domain.settle_fault(get_object_or_404(seat.game.faults, pk=id))
    return {"settled": id}


@duties.get("/g/{slug}/admin/hand-over", summary="To whom you have offered the office")
def offered(request: HttpRequest, slug: str) -> Any:
    """The address that you have asked and that has not answered yet, and until when it can (seconds since 1970); both
    null where you offer it to nobody, or no longer."""
    game = at_the_desk(request, slug).game
    stands = roster.offer_stands(game)
    return {"to": game.successor if stands else None, "until": game.successor_until if stands else None}


@duties.post(
    "/g/{slug}/admin/hand-over", response={200: Any, 409: Refused, 422: No}, summary="Offer the office to somebody"
)
def hand_over(request: HttpRequest, slug: str, given: Successor, token: str | None = TOKEN) -> Any:
    """They are asked by mail, and until they accept, you stay the Admin. Nobody is told whether the address has an
    account."""
    seat = at_the_desk(request, slug, to_play=True)

    def go() -> Any:
        if not given.to.strip():
            domain.withdraw_office(seat.game)
            return 200, {"to": None}
        form = HandOver(given.dict(), user=account(request))
        refusal = limits.refusal(account(request), "office") if form.is_valid() else first_problem(form)
        if refusal:
            return 409, {"refused": str(refusal)}
        limits.note(account(request), "office")
        domain.offer_office(seat.game, form.cleaned_data["to"])
        return 200, {"to": form.cleaned_data["to"]}

    return Status(
        *once.answer(request.user, token, [slug, "hand-over", given.to], go, lambda n: {"to": given.to or None})
    )


@duties.get("/me/offices", summary="Offices that you are offered")
def offices(request: HttpRequest) -> Any:
    """Games whose Admin wants to hand the office over to you. A key tells of its own game."""
    key = key_of(request)
    games = [game for game in roster.offered_offices(signed_in(request)) if key is None or game.pk == key.game_id]
    return [
        {"slug": game.slug, "title": game.title, "address": game.address, "until": game.successor_until}
        for game in games
    ]


@duties.post("/g/{slug}/office", response={200: Any, 409: Refused, 422: No}, summary="Accept or decline an office")
def office(request: HttpRequest, slug: str, given: Accepting, token: str | None = TOKEN) -> Any:
    """Become the Admin of a game whose Admin has offered you that, or decline. A key cannot."""
    user = signed_in(request)

    def go() -> Any:
        games = () if key_of(request) is not None else roster.offered_offices(user)
        game = next((each for each in games if each.slug == slug), None)
        if game is None:
            raise Http404("Nobody offers you the office of this game, or no longer.")
        if not given.accept:
            domain.decline_office(game)
            return 200, {"admin": False}
        outcome = domain.hand_over(game, user, offered=game.successor)
        return (200, {"admin": True}) if outcome.ok else (409, told.refusal(outcome))

    return Status(*once.answer(user, token, [slug, "office", given.accept], go, lambda n: {"admin": given.accept}))
