"""The library of rules, as its pages show it."""

from dataclasses import asdict
from typing import Any

from django.http import Http404, HttpRequest
from ninja import Field, Router, Schema, Status

from nomopoly.rulebook.library import Entry
from nomopoly.site import once
from nomopoly.site.api.acting import TOKEN
from nomopoly.site.api.door import No, Refused, enter, signed_in
from nomopoly.site.play import shelf
from nomopoly.site.shapes import Data

library = Router(tags=["The library of rules"])


class Offered(Schema):
    """A rule that is offered."""

    game: str = Field(description="Address of the game", max_length=40)
    rule: str = Field(description="Its number in the game", max_length=80)


def short(entry: Entry) -> Data:
    """An entry of the library as a list shows it."""
    return {"name": entry.name, "title": entry.title, "about": entry.about, "edition": entry.edition}


@library.get("/library", summary="The rules of the library")
def index(request: HttpRequest, q: str = "") -> list[Any]:
    """Those that hold all words of `q`, by title: name, title, what it is about, the edition in which its example is
    played."""
    return [short(each) for each in shelf.entries(q[:100])]


@library.post("/library", response={200: Any, 409: Refused, 422: No}, summary="Offer a rule")
def offer(request: HttpRequest, given: Offered, token: str | None = TOKEN) -> Any:
    """Offer a rule of a game to the library of this site, whose operators decide."""
    seat = enter(request, given.game, to_play=True)
    user = signed_in(request)

    def go() -> Any:
        refusal = shelf.offer(seat, given.rule)
        return (409, {"refused": str(refusal)}) if refusal else (200, {"offered": given.rule})

    return Status(*once.answer(user, token, given.dict(), go, lambda n: {"offered": given.rule}))


@library.get("/library/{called}", summary="A rule of the library")
def entry(request: HttpRequest, called: str, game: str = "") -> dict[Any, Any]:
    """Its prose, numbers, program and example, and where it holds or held. With `game`, the address of a game: what
    that game lacks for it."""
    found = shelf.find(called)
    if found is None:
        raise Http404("There is no such rule in the library.")
    held = shelf.held(called)
    told = asdict(found) | {
        "held": held and {"game": held["game"].slug, "rule": held["rule"], "since": int(held["since"].timestamp())}
    }
    if game:
        running = enter(request, game).live
        records, commons = running.ask(lambda each: (each.records(), each.commons()))
        told["lacks"] = shelf.lacking(found, records, commons)
    return told
