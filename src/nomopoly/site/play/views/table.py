"""The table: overview, the board as a table, one square."""

from django.core.exceptions import BadRequest
from django.http import Http404
from django.views.decorators.http import require_safe

from nomopoly.site.door import seated
from nomopoly.site.play import board, pages, sentences
from nomopoly.site.tables import queries


@require_safe
@seated("overview")
def overview(request, seat):
    if "at" in request.GET:
        return as_it_was(request, seat)
    entries = seat.live.facts(seat.viewer)
    return pages.show(
        seat,
        "play/overview.html",
        told=pages.state_words(seat, entries[0]["at"]),
        board=board.draw(seat.view, seat.game.address, name=f"The board of {seat.game.title}"),
        squares=board.squares_of(seat.view),
        columns=square_columns(seat.view),
        waiting=pages.waiting(seat),
        actions=first_actions(seat),
        summary=pages.summary(seat.view),
        standing=pages.standing(seat),
        lines=sentences.lines(seat, entries[-10:][::-1], since=pages.last_seen(seat)),
        coming=pages.to_come(seat.view),
        newest=queries.newest_rules(seat.live),
    )


def first_actions(seat):
    """What a player can do now, proposing first; leaving is at the foot of the page."""
    if seat.role != "player":
        return []
    possible = [action for action in pages.menu_of_actions(seat)[0] if action["id"] != "leave-game"]
    return sorted(possible, key=lambda action: action["id"] != "propose")


def as_it_was(request, seat):
    past = pages.Past(seat, request.GET["at"])
    try:
        view = past.view
    except BadRequest as error:
        return pages.bad_request(seat, str(error))
    return pages.show(
        seat,
        "play/past.html",
        past=past,
        board=board.draw(view, seat.game.address, name=f"The board of {seat.game.title}, as it was"),
        squares=board.squares_of(view),
        columns=square_columns(view),
        then=view,
    )


@require_safe
@seated("overview")
def board_table(request, seat):
    view, past = seat.view, None
    if "at" in request.GET:
        past = pages.Past(seat, request.GET["at"])
        try:
            view = past.view
        except BadRequest as error:
            return pages.bad_request(seat, str(error))
    return pages.show(
        seat, "play/board_table.html", squares=board.squares_of(view), past=past, columns=square_columns(view)
    )


def square_columns(view):
    """Declared attributes of squares that have a value somewhere, beyond those that the table shows anyway."""
    shown = ("number", "name", "owner", "column", "row")
    squares = [thing for thing in view["things"].values() if thing["kind"] == "square"]
    return [
        each
        for each in view["schema"].get("square", ())
        if each["label"]
        and each["name"] not in shown
        and any(square.get(each["name"]) not in (None, "") for square in squares)
    ]


@require_safe
@seated("overview")
def square(request, seat, number):
    id = f"#{number}"
    entries = [entry for entry in seat.live.facts(seat.viewer) if sentences.mentions(entry, id)]
    found = next((each for each in board.squares_of(seat.view) if each.id == id), None)
    if found is None and not entries:
        raise Http404(f"There is no square {id}, and there never was.")
    return pages.show(
        seat,
        "play/square.html",
        id=id,
        number=number,
        square=found,
        attributes=seat.view["schema"].get("square", ()),
        lines=sentences.lines(seat, [entry for entry in entries if entry["n"] > 0 or found is None][::-1]),
        rules=rules_about(seat, id),
        actions=actions_at(seat, id),
        previous=number - 1 if f"#{number - 1}" in seat.view["things"] else None,
        following=number + 1 if f"#{number + 1}" in seat.view["things"] else None,
    )


def rules_about(seat, id):
    """The rules that name a square, in prose or program."""
    import re

    word = re.compile(rf"(?<!\w){re.escape(id)}(?!\d)|\bsquare {id[1:]}\b", re.IGNORECASE)
    return [
        record for record in seat.live.records() if word.search(queries.prose(record)) or word.search(record["code"])
    ]


def actions_at(seat, id):
    """A player's possible actions that this square is a choice of: (action, name of the field)."""
    if seat.role != "player":
        return []
    return [
        (action, field["name"])
        for action in pages.menu_of_actions(seat)[0]
        for field in action["fields"]
        if any(choice["id"] == id for choice in field["choices"])
    ]
