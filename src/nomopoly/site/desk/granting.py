"""Setting an attribute at the desk: which things there are, what the chosen one has, and how what is typed becomes the
value that an attribute takes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from nomopoly.site.formats import has_date, local, whole_number
from nomopoly.site.play import uncomputed, words

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data

MOST_OFFERED = 2000  # things that a field offers, and attributes
LONGEST = 100  # characters of a name that is offered, and of a value with which its field begins
TAKES = {
    "money": gettext_lazy("It takes an amount, such as 1500."),
    "number": gettext_lazy("It takes a whole number."),
    "yesno": gettext_lazy("It takes yes or no."),
    "thing": gettext_lazy("It takes the name or number of a thing; leave it empty for none."),
    "moment": gettext_lazy("It takes a moment by your clock, such as 2030-12-24 18:00."),
}
YES, NO = ("yes", "true"), ("no", "false")


def called(seat: Seat, id: str) -> str:
    """A thing as people call it; its name may be anything that a rule has put there."""
    return str(words.thing_name(seat.view, id))[:LONGEST]


def thing_named(seat: Seat, typed: str) -> str:
    """The id of the thing that somebody has typed the id or the name of; what was typed, if there is none."""
    typed = typed.strip()
    things = seat.view["things"]
    if typed in things or not typed:
        return typed
    if f"#{typed}" in things:
        return f"#{typed}"
    plain = typed.casefold()
    named = [id for id in things if plain in (id.casefold(), called(seat, id).casefold())]
    return named[0] if len(named) == 1 else typed


def attributes_of(seat: Seat, kind: str) -> list[Data]:
    """What things of a kind have and the Admin sees, but for what is computed from something else."""
    return [each for each in seat.view["schema"].get(kind, []) if not each["derived"]]


def offers(seat: Seat, fields: list[Data], fresh: bool) -> Data:
    """What the page of the act shows beside its fields: the things there are, and what the chosen one has, as
    [(attribute, value, query of the page on which it is chosen)].

    The fields say what the value may be; it begins with what it is now where the page is `fresh`.
    """
    of = {field["name"]: field for field in fields}
    of["thing"]["list"], of["attribute"]["list"] = "known-things", "known-attributes"
    things = [{"id": id, "label": called(seat, id)} for id in list(seat.view["things"])[:MOST_OFFERED]]
    id = thing_named(seat, str(of["thing"]["value"]))
    found = seat.view["things"].get(id)
    if found is None:
        known = {each["name"]: each["label"] for kind in seat.view["schema"] for each in attributes_of(seat, kind)}
        offered = list(known.items())[:MOST_OFFERED]
        return {"things": things, "attributes": [{"name": name, "label": label} for name, label in offered]}
    has, shown = attributes_of(seat, found["kind"]), uncomputed.named_in(seat, found)
    for each in has:
        if each["name"] == of["attribute"]["value"]:
            of["value"] |= {"hint": TAKES.get(each["type"], ""), "own_hint": True}
            if fresh and of["value"]["value"] == "" and found.get(each["name"]) is not None:
                of["value"]["value"] = as_typed(found[each["name"]], each["type"])
    return {
        "things": things,
        "attributes": has,
        "thing": id,
        "called": called(seat, id),
        "has": [
            (each, shown[each["name"]], urlencode({"thing": id, "attribute": each["name"]}))
            for each in has
            if each["name"] in found
        ],
    }


def as_typed(value: Any, sort: str) -> str:
    """A value as one types it; "" if that would not go into one line, or is too long for it."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if sort == "moment" and isinstance(value, int) and has_date(value):
        return f"{local(value):%Y-%m-%d %H:%M}"
    plain = isinstance(value, str) and (sort in ("word", "thing") or not is_data(value))
    text = value if plain else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST and len(text.splitlines()) <= 1 else ""


def is_data(text: str) -> bool:
    """Whether words would be taken for a number, a list or the like."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def understood(seat: Seat, args: Data) -> Data:
    """The arguments of the act with what people type in place of ids and values: a player's name in any case, 12 for
    the square #12, the label of an attribute, yes, $1,500."""
    thing = thing_named(seat, str(args.get("thing") or ""))
    found = seat.view["things"].get(thing)
    if found is None:
        return args
    typed = str(args.get("attribute") or "").strip()
    has = attributes_of(seat, found["kind"])
    exact = [each for each in has if each["name"] == typed]
    named = [each for each in has if typed and typed.casefold() in (each["name"].casefold(), each["label"].casefold())]
    entry = exact[0] if exact else named[0] if len(named) == 1 else {"name": typed}
    value = {"value": value_of(seat, entry, args["value"])} if "value" in args else {}
    return {**args, "thing": thing, "attribute": entry["name"], **value}


def value_of(seat: Seat, attribute: Data, typed: Any) -> Any:
    """What was typed as the value of an attribute of this type."""
    sort = attribute.get("type")
    if sort == "yesno" and isinstance(typed, str):
        plain = typed.strip().casefold()
        yes, no = (*YES, _("yes").casefold()), (*NO, _("no").casefold())
        return True if plain in yes else False if plain in no else typed
    if sort in ("money", "number") and isinstance(typed, str):
        number = whole_number(typed)
        return typed if number is None else number
    if sort == "word" and isinstance(typed, int):  # a square may be called 1984
        return json.dumps(typed)
    if sort == "moment" and isinstance(typed, str):
        return moment_typed(typed)
    if sort == "thing" and isinstance(typed, (str, int)) and not isinstance(typed, bool):
        return thing_named(seat, str(typed))
    return typed


def moment_typed(typed: str) -> int | str:
    """A moment by the reader's clock as seconds since 1970; what was typed, if it is none."""
    try:
        found = parse_datetime(typed.strip())
    except ValueError:  # 2030-13-01
        return typed
    if found is None:
        return typed
    return int((found if timezone.is_aware(found) else timezone.make_aware(found)).timestamp())
