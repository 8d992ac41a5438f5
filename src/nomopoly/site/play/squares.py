"""One square: what rules say of it, who and what stands there, what can be done there, what happened there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from nomopoly.runtime import protocol
from nomopoly.site.play import board, forms, pages
from nomopoly.site.tables import queries

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data


MOST_OF_THE_BOARD = 0.5  # what a form offers on more than so many of the squares is no reason to mark them
DRAWN = ("number", "name", "column", "row")  # what a card says in its heading, or the board by where the square lies


def find(view: Data, id: str) -> board.Square | None:
    """The square of this id with all that lies on it, or None."""
    return next((each for each in board.squares_of(view) if each.id == id), None)


def facts_of(view: Data, thing: Data | None) -> tuple[list[tuple[Any, Any]], list[tuple[Any, Any]]]:
    """The labelled attributes of a square (a thing, or None) that the viewer sees, [(attribute, value)]: those that say
    something, and then the others."""
    if thing is None:
        return [], []
    declared = [each for each in view["schema"].get("square", ()) if each["label"] and each["name"] not in DRAWN]
    labelled = [(each, thing[each["name"]]) for each in declared if each["name"] in thing]
    telling = [pair for pair in labelled if not pages.says_nothing(pair[1])]
    return telling, [pair for pair in labelled if pages.says_nothing(pair[1])]


def standing_on(view: Data, id: str) -> list[tuple[Any, list[tuple[Any, Any]]]]:
    """The things that stand on a square, players apart: [(thing, what else is known of it)]."""
    found, known = [], {}
    for thing in view["things"].values():
        kind = thing["kind"]
        if thing.get("square") != id or kind in view["pages"]:
            continue
        if kind not in known:
            known[kind] = [each for each in view["schema"].get(kind, ()) if each["label"] and each["name"] != "square"]
        pairs = [(each, thing.get(each["name"])) for each in known[kind]]
        found.append((thing, [pair for pair in pairs if not pages.says_nothing(pair[1])]))
    return found


def rules_about(seat: Seat, id: str) -> list[Any]:
    """The rules that name a square, in prose or program."""
    spoken = f"square {id[1:]}"
    word = re.compile(rf"(?<!\w){re.escape(id)}(?!\d)|\b{spoken}\b", re.IGNORECASE)

    def is_named(text: str) -> bool:
        """Whether a text names the square. Searching for both cases of letters takes long, and finds it rarely."""
        return (id in text or spoken in text.lower()) and word.search(text) is not None

    return [record for record in seat.live.records() if is_named(queries.prose(record)) or is_named(record["code"])]


# ---- what can be done at a square


def choices_at(view: Data, action: Data) -> Any:
    """The choices of an action's form that have a place on the board: [(square, field, choice, whether the field
    singles out none)]. A choice is a square, or something that stands on one. A field that offers most of the board
    singles out none."""
    things = view["things"]
    every = {thing["id"] for thing in things.values() if thing["kind"] == "square"}
    choices = []
    for field in action["fields"]:
        offered = [choice["id"] for choice in field["choices"] if isinstance(choice["id"], str)]
        most = len(every) > 1 and len(every & set(offered)) > MOST_OF_THE_BOARD * len(every)
        for id in offered:
            thing = things.get(id)
            if thing is None:
                continue
            square = id if thing["kind"] == "square" else thing.get("square")
            if square in every:
                choices.append((square, field, id, most))
    return choices


def actable(seat: Seat, actions: list[Any]) -> set[Any]:
    """The squares at which a player can act: those that a possible action singles out, by themselves or by something of
    the game that stands there. Other players are everywhere, and no place to act."""
    view, found = seat.view, set()
    for action in actions:
        for square, _, choice, most in choices_at(view, action):
            if not most and view["things"][choice]["kind"] != "player":
                found.add(square)
    return found


def actions_at(seat: Seat, id: str) -> list[Any]:
    """What a player can do at a square, as links to forms that are filled in: [{"action", "field", "choice", "label",
    "between", "about", "player", "path"}].

    First what is about the square itself, then about what stands there, with all commands of what one owns, then about
    players. A field whose label leads on is a part of what the link says ("Attack with warrior 1", and "Attack:
    warrior 1, yours"). To leave the game is about no square.
    """
    if seat.role != "player":
        return []
    view, links = seat.view, []
    for action in pages.menu_of_actions(seat)[0]:
        here = [] if action["id"] == protocol.LEAVE_GAME else choices_at(view, action)
        here = [(field, choice) for square, field, choice, _ in here if square == id and choice != seat.player_name]
        called = {field["name"]: forms.called(seat, action, field) for field, _ in here}
        for field, choice in here:
            leads_on = forms.leads_on(field)
            links.append(
                {
                    "action": action["id"],
                    "field": field["name"],
                    "choice": choice,
                    "label": f"{action['label']} {field['label'].lower()}" if leads_on else action["label"],
                    "between": " " if leads_on else ": ",
                    "about": "" if choice == id and not leads_on else called[field["name"]][choice],
                    "player": view["things"][choice]["kind"] == "player",
                    "path": f"act/{action['id']}/?{urlencode({field['name']: choice})}",
                }
            )
    return sorted(links, key=lambda each: (each["player"], each["choice"] != id))
