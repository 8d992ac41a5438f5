"""The form of an action, from its declaration: choices with names and prices, goods as ticks, typed commands."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from nomopoly.runtime import protocol
from nomopoly.site import declared, formats
from nomopoly.site.play import signs, words
from nomopoly.site.tables import queries

if TYPE_CHECKING:
    from django.http import QueryDict

    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data


LEADING_ON = ("to", "with", "at", "from", "for", "on")  # labels of fields that go on with the label of their action
NAMES = gettext_noop("their names, one after the other")


def sent_values(sent: QueryDict) -> dict[str, str]:
    """What a form sent, one text a field; several values of one field stand in a line."""
    return {name: ", ".join(sent.getlist(name)) for name in sent}


def inputs(action: Data, sent: Data | None, seat: Seat) -> list[Data]:
    """The inputs of an action's form for `play/_fields.html`."""
    view, player = seat.view, seat.player_name
    drawn, before = [each for each in declared.inputs(action, sent) if is_asked(each, sent)], 0
    if action["id"] == "answer":
        drawn = answers(drawn, view, player)
    partners = {each["id"] for field in drawn if field["type"] == "thing" for each in field["choices"]}
    if not any(field["type"] == "thing" for field in drawn):  # nobody is named: whoever has it
        partners = {id for id, thing in view["things"].items() if thing["kind"] == "player"} - {player}
    for field in drawn:
        if field.get("choices"):
            field["choices"] = there(seat, field)
            whose = owners_of(view, field["choices"], player, after=before)
            before += field["type"] == "thing"
            field["choices"] = [
                choice | {"label": owned(label_of(seat, choice), owner_name(view, whose.get(choice["id"])))}
                for choice in field["choices"]
            ]
            if field.get("priced"):
                put_prices(field, seat)
            if field.get("shows"):
                put_beside(field, view)
            if field["type"] == "anything" and field["look"] == "line":
                tick(field, field["choices"])
        if field.get("wanted"):
            field["needed"] = True
        if field.get("asked_for"):
            what = ", ".join(seat.titles.get(id, words.plain(id)) for id in field["asked_for"])
            field |= {"hint": _("For: %(what)s") % {"what": what}, "own_hint": True}
        if field["type"] == "things":
            own = field["name"] in ("give", "what")
            part = field["input"].rpartition("-")[2]
            if not own and hidden(view, part, player):
                field |= {"hint": _(NAMES), "own_hint": True}
                continue
            tick(field, goods(seat, part, player, None if own else partners))
        if field["look"] == "select" and signs.are(field["choices"]):
            field |= {
                "look": "signs",
                "choices": [each | {"path": signs.SIGNS[each["id"]]} for each in field["choices"]],
            }
        if field["look"] == "deal":
            rows_of_deal(field, seat)
        if field["type"] == "thing" and not field["choices"] and field["look"] == "select":
            field["empty"] = True
    return drawn


def there(seat: Seat, declared: Data) -> list[Data]:
    """What can be chosen in a field, without things that are gone: rules may still name a candidate who has left."""
    things = seat.view["things"]
    return [each for each in declared["choices"] if declared["type"] != "thing" or each["id"] in things]


def leads_on(declared: Data) -> bool:
    """Whether what is said in a field follows what stands before it without a colon: "to #10", "with Ben"."""
    return declared["label"].lower() in LEADING_ON


def called(seat: Seat, action: Data, field: Data) -> dict[Any, str]:
    """The things that a field of an action offers, as a link to its form calls each: with whose it is where that does
    not go without saying, and what its rule wants to be seen beside it. {id: words}."""
    view, before = seat.view, action["fields"][: action["fields"].index(field)]
    whose = owners_of(view, field["choices"], seat.player_name, after=sum(each["type"] == "thing" for each in before))
    choices = [
        each | {"label": owned(words.thing_name(view, each["id"]), owner_name(view, whose.get(each["id"])))}
        for each in field["choices"]
        if each["id"] in view["things"]
    ]
    if field.get("shows"):
        put_beside({"shows": field["shows"], "choices": choices}, view)
    return {each["id"]: each["label"] for each in choices}


def put_prices(field: Data, seat: Seat) -> None:
    """Add to what can be chosen what it costs: by the catalogues of its rows, or its price where it is a thing."""
    catalogues = field["priced"].split()
    prices = {each["id"]: each["price"] for each in seat.live.describe()["prices"] if each["catalogue"] in catalogues}
    for each in field["choices"]:
        price = seat.view["things"].get(each["id"], {}).get("price", prices.get(each["id"]))
        label = seat.titles.get(each["id"], each["label"])
        each["label"] = f"{label} ({formats.dollars(price)})" if type(price) is int else label


def put_beside(field: Data, view: Data) -> None:
    """Add to the things that can be chosen what their rule wants to be seen beside them, as the highest bid for one."""
    for each in field["choices"]:
        changes = [[each["id"], field["shows"], None, view["things"].get(each["id"], {}).get(field["shows"])]]
        for _id, label, _before, after in queries.readable(view, changes, {}):
            each["label"] = f"{each['label']}, {words.within(label)}: {after}"


def is_asked(field: Data, sent: Data | None) -> bool:
    """Whether a form has a place for this field: what only some choices of another one ask for, as items when they are
    used, has none where such a one cannot be chosen, or another one is; nor has what the rules call idle."""
    if field.get("idle") and not (sent or {}).get(field["name"]):
        return False
    chosen = (sent or {}).get(field.get("asked_by") or "", "")
    return not field.get("also") or (chosen in field["asked_for"] if chosen else bool(field["asked_for"]))


def tick(field: Data, found: list[Data]) -> None:
    """Make ticks of an input for several things; what was chosen stays, whatever it is."""
    chosen = field["value"].replace(",", " ").split()
    known = {choice["id"] for choice in found}
    found = found + [{"id": id, "label": id} for id in chosen if id not in known]
    field |= {"look": "ticks", "choices": found, "chosen": chosen}


def rows_of_deal(field: Data, seat: Seat) -> None:
    """Each row of a deal: who gives and who gets is chosen; what they have can be ticked as soon as it is known who
    gives."""
    view = seat.view
    people = [thing["id"] for thing in view["things"].values() if thing["kind"] == "player"]
    for row in field["rows"]:
        giver = view["things"].get(row["from"]["value"])
        row["from"]["choices"] = row["to"]["choices"] = people
        for each in row["goods"]:
            part = each["input"].rpartition("-")[2]
            if each["type"] != "things":
                continue
            if giver is None or (part not in giver and hidden(view, part, None)):
                each["hint"] = _(NAMES) if part_is_named(view, part) else each["hint"]
            else:
                tick(each, goods(seat, part, giver["id"]))
    field["filled"] = any(row["from"]["value"] or row["to"]["value"] for row in field["rows"])


def part_is_named(view: Data, part: str) -> bool:
    """Whether goods of this part are names (of items, cards) that players have, and no things."""
    return not any(kind + "s" == part for kind in view["schema"])


def answers(drawn: list[Any], view: Data, player: str | None) -> list[Any]:
    """The form of a question that the rules have asked: which one, and its options."""
    asked = [
        each for each in view["things"].values() if each["kind"] == "question" and player in (each.get("asked") or ())
    ]
    options = list(dict.fromkeys(str(option) for each in asked for option in each.get("options") or ()))
    choices = {
        "question": [{"id": each["id"], "label": each.get("text") or each["id"]} for each in asked],
        "answer": [{"id": option, "label": option} for option in options],
    }
    choices["choice"] = choices["answer"]
    said_twice = (
        {"answer"} if any(field["name"] == "choice" for field in drawn) else set()
    )  # where rules name it so too
    return [
        field | {"look": "select", "choices": choices[field["name"]], "optional": False}
        if field["name"] in choices
        else field
        for field in drawn
        if field["name"] not in said_twice
    ]


def goods(seat: Seat, part: str, player: str | None, partners: set[Any] | None = None) -> list[Data]:
    """What could be given: a player's own, or that of these partners; things of a kind, or names (of items, cards) that
    players have."""
    givers = {player} if partners is None else partners
    right = part[:-1] if words.is_right(seat.view, part) else ""
    found = []
    for thing in seat.view["things"].values():
        if f"{thing['kind']}s" == part and thing.get("owner") in givers:
            owner = thing["owner"] if partners else None
            found.append({"id": thing["id"], "label": owned(label_of(seat, thing), owner)})
        elif right and thing["kind"] != "player" and thing.get(right) in givers:
            owner = thing[right] if partners else None
            found.append({"id": thing["id"], "label": owned(label_of(seat, thing), owner)})
        if thing["kind"] == "player" and thing["id"] in givers and isinstance(thing.get(part), list):
            owner = thing["id"] if partners else None
            found += [{"id": word, "label": owned(label_of(seat, {"id": word}), owner)} for word in thing[part]]
    return found


def owners_of(view: Data, choices: list[Data], player: str | None, after: int) -> dict[Any, Any]:
    """Whose the things are that a field offers, {id: who}: where some are not the player's own, or the form has asked
    for a thing before (`after`), as for what attacks before what is attacked. "" is the player."""
    found = {each["id"]: (view["things"].get(str(each["id"])) or {}).get("owner") for each in choices}
    found = {id: who for id, who in found.items() if who in view["things"]}
    if not after and all(who == player for who in found.values()):
        return {}
    return {id: "" if who == player else who for id, who in found.items()}


def owned(label: str, owner: str | None) -> str:
    """What can be chosen, with whose it is; `owner` None where that goes without saying, "" where it is one's own."""
    if owner == "":
        return _("%(what)s, yours") % {"what": label}
    return label if owner is None else _("%(what)s, of %(owner)s") % {"what": label, "owner": owner}


def owner_name(view: Data, owner: str | None) -> str | None:
    """Whose something is, as people call them: an account by its name."""
    return words.thing_name(view, owner) if owner and owner[:1] == "$" else owner


def hidden(view: Data, part: str, player: str | None) -> bool:
    """Whether a player has such goods (`player` None: the viewer), but the viewer does not see which ones others
    have."""
    people = [thing for thing in view["things"].values() if thing["kind"] == "player"]
    mine = any(player in (None, thing["id"]) and isinstance(thing.get(part), list) for thing in people)
    return mine and not all(part in thing for thing in people)


def label_of(seat: Seat, choice: Data) -> str:
    """A choice as people know it: `#8 Harbour ($80)`."""
    id, view = choice["id"], seat.view
    if choice.get("called"):
        return formats.in_thousands(choice["label"])
    thing = view["things"].get(id) if isinstance(id, str) else None
    if thing is None or (id in seat.titles and thing["kind"] != "player"):
        return seat.titles.get(id) or choice.get("label") or str(id)
    if thing["kind"] == "question":
        return choice["label"]
    label = words.thing_name(view, id)
    if thing.get("type") and thing.get("square") in view["things"]:  # one of several of its type
        return _("%(what)s on %(square)s") % {"what": label, "square": thing["square"]}
    price = thing.get(words.price_of(view)) if thing["kind"] == "square" else None
    return f"{label} ({formats.dollars(price)})" if isinstance(price, int) else label


class CommandUnknown(Exception):
    """A typed command that names no action, or does not fit its form."""


def read_command(text: str, actions: list[Any]) -> tuple[Any, dict[str, str]]:
    """`buy-square #5` as (action, {field: value}); words go to the fields in order, `name=value` to that field.

    Words take all that is left: a choice that may be left out after them is said by its name (`sign=star`).
    """
    try:
        parts = shlex.split(text)
    except ValueError:
        parts = text.split()
    if not parts:
        told = _("Type an action and what it is about, for example: %(example)s")
        raise CommandUnknown(told % {"example": example(actions)})
    known = {action["id"]: action for action in actions}
    action = known.get(parts[0])
    if action is None:
        told = _("There is no action “%(typed)s”. There are: %(actions)s")
        raise CommandUnknown(told % {"typed": parts[0][:40], "actions": ", ".join(known)})
    slots = slots_of(action)
    values, free = {}, []
    for part in parts[1:]:
        name, equals, value = part.partition("=")
        if equals and name in slots:
            values[name] = value
        else:
            free.append(part)
    open_slots = [name for name in slots if name not in values]
    for at, name in enumerate(open_slots):
        if free:
            last = takes_the_rest(action, open_slots[at:])
            values[name] = " ".join(free) if last else free.pop(0)
            free = [] if last else free
    if free:
        told = _("%(action)s takes %(fields)s; “%(typed)s” is too much")
        if not slots:
            told = _("%(action)s takes nothing; “%(typed)s” is too much")
        raise CommandUnknown(told % {"action": action["id"], "fields": ", ".join(slots), "typed": " ".join(free)[:60]})
    return action, values


def takes_the_rest(action: Data, open_slots: list[Any]) -> bool:
    """Whether the first of these inputs takes all words that are left: nothing follows it, or choices that may be left
    out follow words."""
    this, *after = [each for each in declared.inputs(action) if each["input"] in open_slots]
    choices = all(each["look"] == "select" and each.get("optional") for each in after)
    return choices and (not after or this["look"] in ("line", "area"))


def example(actions: list[Any]) -> str:
    """A command that could be typed now: of the first of these actions that is about something, or just the first."""
    for action in actions:
        first = next(iter(action["fields"]), None)
        if action.get("possible") and first and first["choices"]:
            return f"{action['id']} {first['choices'][0]['id']}"
    harmless = (action["id"] for action in actions if action["id"] != protocol.LEAVE_GAME)
    return next(harmless, protocol.LEAVE_GAME)


def slots_of(action: Data) -> list[Any]:
    """The names of an action's inputs, in order."""
    return [field["input"] for field in declared.inputs(action) if field["look"] != "deal"]
