"""What waits at the desk by the rules' own declarations, and what was ordered since a post that the rules made an
order.

A thing waits because an act of the Admin says so (`task=True`) and it can be chosen in it. A post of the forum is an
order where an action says so (`posts="..."`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from django.http import Http404
from django.utils.translation import gettext

from nomopoly.runtime import protocol
from nomopoly.runtime.journal import moment_of
from nomopoly.site.play import sentences
from nomopoly.site.tables import queries

if TYPE_CHECKING:
    from collections.abc import Collection

    from nomopoly.runtime.host import Game as Running
    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data


def waiting(seat: Seat, acts: list[Any]) -> list[Any]:
    """The things that wait, each with what is known of it, the acts about it, its post, and proposals about it."""
    posts = {post["id"]: post for post in posted(seat)}
    proposals = proposals_by_thing(seat.view)
    return [
        {
            "id": id,
            "thing": seat.view["things"].get(id, {"id": id, "kind": ""}),
            "known": known(seat.view, id),
            "acts": [act | {"about": name_of(act)} for act in [*mine, *acts_beside(acts, mine, id)]],
            "post": posts.get(id),
            "announcement": announcement(id, seat.view["things"].get(id, {})),
            "proposals": proposals.get(id, []),
        }
        for id, mine in queries.tasks_of(acts).items()
    ]


def announcement(id: str, thing: Data) -> str:
    """The form of a post that announces a thing that waits, filled in: its address below the game."""
    words = id.replace("-", " ")
    title = words[:1].upper() + words[1:] + (f": {thing['name']}" if thing.get("name") else "")
    body = str(thing.get("text") or "")
    return f"forum/new/?title={quote(title)}&body={quote(body)}&announcement=1"


def about_of(act: Data) -> Data | None:
    """The field that says what an act is about."""
    return next((field for field in act["fields"] if field["type"] == "thing"), None)


def name_of(act: Data) -> str:
    """The name of that field; "" where an act is about nothing."""
    about = about_of(act)
    return about["name"] if about else ""


def chosen_in(act: Data) -> list[Any]:
    """The ids that an act can be about."""
    about = about_of(act)
    return [choice["id"] for choice in about["choices"]] if about else []


def acts_beside(acts: list[Data], mine: Collection[Data], id: str) -> list[Data]:
    """What else can be done about a thing."""
    return [act for act in acts if act not in mine and id in chosen_in(act)]


def known(view: Data, id: str) -> list[Any]:
    """The labelled attributes of a thing that say something: [(attribute, value)]."""
    thing = view["things"].get(id, {})
    return [
        (each, thing[each["name"]])
        for each in view["schema"].get(thing.get("kind"), ())
        if each["label"] and each["name"] != "name" and thing.get(each["name"]) not in (None, "", [], False)
    ]


def proposals_by_thing(view: Data) -> dict[Any, Any]:
    """The proposals that name a thing in one of their attributes, by its id."""
    found: Data = {}
    for thing in view["things"].values():
        if thing["kind"] == "proposal":
            for named in {value for value in thing.values() if isinstance(value, str)}:
                found.setdefault(named, []).append(thing)
    return found


# ---- orders since a post


def posted(seat: Seat) -> list[Data]:
    """The posts that are orders, newest first: the entry, and the thing that it made."""
    actions = set(seat.live.describe()["posts"].values())
    found = []
    log = seat.live.facts("admin").where(kind="order", standing=True, open_to_all=True)
    for entry in log.where(do=tuple(actions)):
        named = [value for fact in entry["facts"] for _, value in sentences.flat(fact) if value in seat.view["things"]]
        made = next((value for value in named if seat.view["things"][value]["kind"] != "player"), None)
        found.append({"entry": entry, "number": entry["number"], "id": made})
    return found[::-1]


def period_of(seat: Seat, post: Data) -> int:
    """The number (n) of the entry with which the update period of a post began; where there are no updates, its own."""
    updates = seat.live.facts("admin").having("change:game.update").where(before=post["n"] + 1)
    begun = updates.last_n() or 0
    return begun if "update" in seat.view["things"]["game"] else post["n"]


def orders_since(seat: Seat, start: int) -> list[Data]:
    """The players' orders from entry `start` on, oldest first, as the Admin may know of them.

    Of those that are no public entries there are the ones that waited for an update, until they are taken back: each
    with its action and what it says, since the Admin sees the orders that wait.
    """
    log = seat.live.facts("admin")
    entries = {entry["n"]: entry for entry in log.where(after=start - 1)}
    struck = {entry["args"]["entry"]: entry for entry in log.where(kind="strike", standing=True)}
    labels = seat.live.describe().get("labels", {})
    found, back = [], set()
    for line, waited in seat.live.ask(lambda game: kept_orders(game, start)):
        if line["do"] == protocol.WITHDRAW_ORDER:
            back.add((line["args"] or {}).get("order"))
        entry = entries.get(line["n"])
        public = entry is not None and entry["number"] is not None
        if not public and not waited:
            continue
        order = {"n": line["n"], "at": moment_of(line["at"]), "by": line["by"], "entry": entry if public else None}
        order |= {"do": line["do"], "label": labels.get(line["do"]) or line["do"].replace("-", " ").capitalize()}
        order |= {"says": list((line["args"] or {}).items()), "struck": struck.get(line["n"])}
        found.append(order | {"waits": f"order-{line['n']}" in seat.view["things"]})
    return [each for each in found if f"order-{each['n']}" not in back]


def orders_after(seat: Seat, number: int) -> list[Any]:
    """The orders since the beginning of the update period of a post, which the entry of that number made."""
    post = next((each for each in posted(seat) if each["number"] == number), None)
    if post is None:
        raise Http404(gettext("Entry %(number)s is no post that the rules made an order.") % {"number": number})
    return [each for each in orders_since(seat, period_of(seat, post["entry"])) if each["n"] != post["entry"]["n"]]


def order_of(seat: Seat, n: int) -> Data | None:
    """One order, as the list of those since a post has it; None if there is none."""
    return next((each for each in orders_since(seat, n) if each["n"] == n), None)


def kept_orders(game: Running, start: int) -> list[tuple[Data, bool]]:
    """The lines of orders, each with whether it was put to those that wait."""
    outcomes = dict(game.outcomes.get(start))
    return [
        (line, [f"order-{line['n']}", "entry", 0, line["n"]] in outcomes.get(line["n"], {}).get("changes", ()))
        for line in game.journal.lines(start)
        if line["kind"] == "order"
    ]
