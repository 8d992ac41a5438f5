"""The library of rules, as its pages show it."""

from dataclasses import asdict

from django.http import Http404
from ninja import Router

from nomopoly.site.api.door import enter
from nomopoly.site.play import shelf

library = Router(tags=["The library of rules"])


def short(entry):
    """An entry of the library as a list shows it."""
    return {"name": entry.name, "title": entry.title, "about": entry.about, "edition": entry.edition}


@library.get("/library", summary="The rules of the library")
def index(request, q: str = ""):
    """Those that hold all words of `q`, by title: name, title, what it is about, the edition in which its example is played."""
    return [short(each) for each in shelf.entries(q[:100])]


@library.get("/library/{called}", summary="A rule of the library")
def entry(request, called: str, game: str = ""):
    """Its prose, numbers, program and example, and where it holds or held. With `game`, the address of a game: what that game
    lacks for it."""
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
