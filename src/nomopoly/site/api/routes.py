"""The API: what the pages show and do, under the same names and with the same refusals."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from ninja import NinjaAPI, Schema, Status

from nomopoly.site.door import sit
from nomopoly.site.tables import domain

api = NinjaAPI(
    title="Nomopoly",
    version="1",
    description="A game as its pages show it. You see what you see when you are signed in; a refusal is a 409.",
    docs_url="/docs",
)


class Order(Schema):
    do: str
    args: dict[str, Any] = {}


@api.exception_handler(Http404)
def missing(request, error):
    return api.create_response(request, {"missing": str(error)}, status=404)


@api.exception_handler(PermissionDenied)
def forbidden(request, error):
    return api.create_response(request, {"forbidden": str(error)}, status=403)


@api.get("/g/{slug}/view", summary="Everything you may see of a game")
def view(request, slug: str):
    return sit(request, slug).view


@api.get("/g/{slug}/actions", summary="Your actions, with the legal choices of their forms")
def actions(request, slug: str):
    seat = sit(request, slug)
    return [action for action in seat.live.actions(seat.viewer) if not action.get("hidden")]


@api.get("/g/{slug}/log", summary="What happened, from entry `start` on")
def log(request, slug: str, start: int = 0):
    seat = sit(request, slug)
    return seat.live.facts(seat.viewer, start)


@api.get("/g/{slug}/rules", summary="The rulebook in force")
def rules(request, slug: str):
    return sit(request, slug).live.records()


@api.post("/g/{slug}/order", response={200: Any, 409: Any}, summary="Give an order")
def order(request, slug: str, given: Order):
    seat = sit(request, slug)
    seat.need_player("give orders")
    outcome = domain.order(seat.game, seat.player_name, given.do, given.args)
    if outcome.refused is not None:
        return Status(409, {"refused": outcome.refused, "rule": outcome.rule})
    if outcome.fault is not None:
        return Status(409, {"refused": "a rule broke", "rule": outcome.rule, "fault": outcome.fault})
    facts = [fact for fact in outcome.facts if "only" not in fact or seat.viewer in fact["only"]]
    return {"n": outcome.n, "facts": facts}
