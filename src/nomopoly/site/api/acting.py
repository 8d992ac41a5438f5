"""What a player can do: the forms of the pages, without the forms."""

import dataclasses
from typing import Any

from django.http import HttpRequest
from ninja import Field, Router, Schema, Status
from ninja.params.functions import Header
from pydantic import ConfigDict

from nomopoly.site import once
from nomopoly.site.api import told
from nomopoly.site.api.door import No, Refused, enter, key_of
from nomopoly.site.api.reading import find_entry, find_proposal
from nomopoly.site.door import Seat, anew
from nomopoly.site.play import pages, proposals, sheets, talk, tryouts
from nomopoly.site.play.views import acts
from nomopoly.site.shapes import Data
from nomopoly.site.tables import domain, queries

doing = Router(tags=["Playing"])
TOKEN = Header(
    None,
    alias="Idempotency-Key",
    max_length=200,
    description="Any word of yours: sent again with the same order, nothing is done and the first answer comes back.",
)


class Act(Schema):
    """What an action is sent with."""

    model_config = ConfigDict(extra="forbid")  # an order whose fields stand beside `fields` would be another one

    fields: dict[str, Any] = Field({}, description="The fields of the action's form, by name")
    preview: bool = Field(False, description="Only tell what it would do, up to the first roll of dice")


class RefusedOrder(Refused):
    """Why an order was not carried out. A preview says `waits` where the order itself would wait for an update: then
    this speaks against it now."""

    waits: bool = False


class Sheet(Schema):
    """A proposal as it is sent."""

    model_config = ConfigDict(extra="forbid")  # a proposal within `fields` would be an empty one

    title: str = ""
    text: str = Field("", description="What should change, in words")
    changes: list[dict[str, Any]] = Field([], description="As in the field `changes` of the action `propose`")
    run: str = Field("", description="A program that runs once, if the proposal is accepted")


class Tried(Sheet):
    """A proposal that is only tried out, with an example."""

    scenario: str = Field("", max_length=50_000, description="An example of what it does: a scenario in YAML")


class Words(Schema):
    """A comment as it is sent."""

    body: str = Field(description="Markdown, up to 10,000 characters")


@doing.get("/g/{slug}/actions", summary="Your actions, with the legal choices of their forms")
def actions(request: HttpRequest, slug: str) -> list[Any]:
    """What you can do now, each with the fields it wants (type, bounds, default, `choices`); then what is not possible
    now, with the reason and the rule. `ballot`: it is a vote, which is counted at that event. `waits`: the order waits
    for an update. `hidden`: no list of actions shows it, such as taking back an order that waits."""
    seat = enter(request, slug)
    seat.need_player("act here")
    possible, impossible = pages.menu_of_actions(seat, elsewhere=True)
    return possible + impossible


@doing.get("/g/{slug}/questions", summary="Questions that the rules ask you")
def questions(request: HttpRequest, slug: str) -> list[Any]:
    """Each with its options and the deadline. Answer with the action `answer`, whose fields are `question` (its id) and
    `answer` (one of the options)."""
    seat = enter(request, slug)
    seat.need_player("be asked")
    things = seat.view["things"].values()
    return [each for each in things if each["kind"] == "question" and seat.player_name in (each.get("asked") or ())]


@doing.post("/g/{slug}/check", summary="Check a proposal before it is made")
def check(request: HttpRequest, slug: str, given: Sheet) -> dict[Any, Any]:
    """What the form for proposals says of one: problems of its programs with their lines, clashes with other rules, how
    it would change the book (null where it does not fit), why it would be refused, and whether it is `possible` to make
    it: problems of the level `error` forbid that too. Nothing is kept."""
    seat = enter(request, slug)
    seat.need_player("propose")
    found = proposals.check(seat, sheets.Sheet(given.title, given.text, given.run), given.changes)
    return {
        "problems": [dataclasses.asdict(problem) for problem in found.problems],
        "clashes": [str(clash) for clash in found.clashes],
        "diff": None if found.diff is None else [told.compared(each) for each in found.diff.changed],
        "say": found.told,
        "refused": found.refused or None,
        "possible": not (found.forbids or found.refused),
    }


@doing.post("/g/{slug}/try", summary="Try a proposal out")
def try_out(request: HttpRequest, slug: str, given: Tried) -> dict[Any, Any]:
    """What the check of a proposal's form says beyond its problems, found on copies that hold nothing but what you may
    see: `now`, what would change if it were in force; `again`, what would go wrong with the entries of the last weeks
    that was not, and how the end would differ (null if it would not stand now); `example`, how its scenario ends.
    `changes` are [thing, attribute, before, after]. It takes some seconds; nothing is kept."""
    seat = enter(request, slug)
    seat.need_player("try things out")
    proposal = {name: getattr(given, name) for name in ("title", "text", "changes", "run")}
    return told.tried(seat, tryouts.try_out(seat, proposal, given.scenario))


@doing.post(
    "/g/{slug}/act/{action}",
    response={200: Any, 409: RefusedOrder, 422: No},
    exclude_unset=True,  # `waits`, elsewhere than in such a preview
    summary="Act",
)
def act(
    request: HttpRequest, slug: str, action: str, given: Act, token: str | None = TOKEN
) -> dict[Any, Any] | Status[Any]:
    """Give an order. 200 has the log's entry of it, as you see it; `waits` is the id under which it waits, where it
    waits for an update. A preview has `facts`, `changes`, and `rolls` where dice decide the rest. 409 says why it was
    refused, in the rule's own words; `fault` tells of a rule that broke, and then nothing was done either. A preview
    that is refused with `waits` tells what speaks against the order now: it would wait all the same.

    An order that comes with a key is told as one by your program, and marks you as a bot."""
    seat = enter(request, slug, to_play=True)
    seat.need_player("act here")
    described = acts.find(seat, action)
    if given.preview:
        seen = seat.live.preview(seat.player_name, action, given.fields, waits=described["waits"])
        waits = {"waits": True} if seen.waits else {}
        return told.preview(seat, seen) | waits if seen.ok else Status(409, told.refusal(seen) | waits)

    def go() -> tuple[int, Any]:
        outcome = domain.order(seat.game, seat.player_name, action, given.fields, by_program=bool(key_of(request)))
        if not outcome.ok:
            return 409, told.refusal(outcome)
        return 200, done(outcome.n)

    def done(n: int | None) -> Any:
        if n is None:  # a vote is no entry
            return {"entry": None, "cast": given.fields}
        now = anew(seat)
        entry, waits = told.entry_of(now, n), waiting_order(now, n) if described["waits"] else None
        return entry if waits is None else (entry or {}) | {"waits": waits}

    return Status(*once.answer(request.user, token, [slug, action, given.fields], go, done))


def waiting_order(seat: Seat, n: int) -> str | None:
    """The id under which the order of entry n waits for an update; None if it does not: rules may carry it out at
    once."""
    mine = {each["id"] for each in queries.orders_waiting(seat.view, seat.player_name)}
    return f"order-{n}" if f"order-{n}" in mine else None


@doing.post(
    "/g/{slug}/proposals/{int:number}/comments",
    response={200: Any, 409: Refused, 422: No},
    summary="Comment on a proposal",
)
def comment(request: HttpRequest, slug: str, number: int, given: Words, token: str | None = TOKEN) -> Status[Any]:
    """Say something about a proposal, under your player's name. Talk is never an action."""
    seat = enter(request, slug, to_play=True)
    return said(seat, find_proposal(seat, number)["id"], given.body, token)


@doing.post(
    "/g/{slug}/log/{int:number}/questions", response={200: Any, 409: Refused, 422: No}, summary="Question an entry"
)
def question(request: HttpRequest, slug: str, number: int, given: Words, token: str | None = TOKEN) -> Status[Any]:
    """Ask about an entry of the log, for everybody to read. It changes nothing."""
    seat = enter(request, slug, to_play=True)
    return said(seat, f"entry-{find_entry(seat, number)['n']}", given.body, token)


def said(seat: Seat, subject: str, body: str, token: str | None) -> Status[Any]:
    """Say something about a subject of a game, once however often it is sent; answers with the comment as it is
    shown."""

    def last(n: int | None = None) -> Any:
        return told.comments(talk.about(seat, subject))[-1]

    def go() -> tuple[int, Data] | tuple[int, Any]:
        refusal = talk.say(seat, subject, body)
        return (409, {"refused": refusal}) if refusal else (200, last())

    return Status(*once.answer(seat.request.user, token, [seat.game.slug, subject, body], go, last))
