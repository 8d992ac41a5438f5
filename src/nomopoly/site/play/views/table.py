"""The table: overview, the board as a table, one square."""

from collections import Counter

from django.core.exceptions import BadRequest
from django.http import Http404
from django.views.decorators.http import require_safe

from nomopoly.site.door import seated
from nomopoly.site.play import board, pages, sentences
from nomopoly.site.tables import queries

MANY_ACTIONS = 8


@require_safe
@seated("overview")
def overview(request, seat):
    if "at" in request.GET:
        return as_it_was(request, seat)
    entries = seat.live.facts(seat.viewer)
    actions = first_actions(seat)
    return pages.show(
        seat,
        "play/overview.html",
        told=pages.state_words(seat, entries[0]["at"]),
        board=board.draw(seat.view, seat.game.address, name=f"The board of {seat.game.title}"),
        squares=board.squares_of(seat.view),
        columns=square_columns(seat.view),
        waiting=pages.waiting(seat),
        actions=actions[:MANY_ACTIONS],
        more_actions=max(0, len(actions) - MANY_ACTIONS),
        summary=pages.summary(seat.view),
        standing=pages.standing(seat),
        lines=sentences.lines(seat, entries[-30:][::-1], since=pages.last_seen(seat))[:10],
        coming=pages.coming(seat),
        newest=queries.newest_rules(seat.live),
    )


def first_actions(seat):
    """What a player can do now, proposing first; leaving is at the foot of the page."""
    if seat.role != "player":
        return []
    possible = [action for action in pages.menu_of_actions(seat)[0] if action["id"] != "leave-game"]
    if len(possible) > MANY_ACTIONS:  # those that one has used most
        used = Counter(entry["do"] for entry in seat.live.facts(seat.viewer) if entry["by"] == seat.player_name)
        possible = sorted(possible, key=lambda action: -used[action["id"]])
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
    """Declared attributes that tell squares apart, beyond those that the table shows anyway."""
    return pages.telling(view, "square", but=("number", "name", "owner", "column", "row"))


@require_safe
@seated("overview")
def square(request, seat, number):
    id = f"#{number}"
    entries = sentences.about(seat, id)
    found = next((each for each in board.squares_of(seat.view) if each.id == id), None)
    if found is None and not entries:
        raise Http404(f"There is no square {id}, and there never was.")
    return pages.show(
        seat,
        "play/square.html",
        id=id,
        number=number,
        square=found,
        facts=list(facts_of(seat.view, found)),
        lines=sentences.lines(seat, [entry for entry in entries if entry["n"] > 0 or found is None][::-1]),
        rules=rules_about(seat, id),
        actions=actions_at(seat, id),
        previous=number - 1 if f"#{number - 1}" in seat.view["things"] else None,
        following=number + 1 if f"#{number + 1}" in seat.view["things"] else None,
    )


def facts_of(view, square):
    """The labelled attributes of a square, [(attribute, value)]: those that tell something, and then the others."""
    if square is None:
        return
    labelled = [(each, square.thing.get(each["name"])) for each in view["schema"].get("square", ()) if each["label"]]
    for nothing in (False, True):
        yield not nothing, [pair for pair in labelled if pages.says_nothing(pair[1]) is nothing]


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
