"""What can be chosen at each place of a sentence, with its label: from what the rules of this game declare."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypedDict

from nomopoly.kernel.beyond import BEYOND, CLOSED
from nomopoly.rulebook.wording.naming import Unsayable, upper
from nomopoly.rulebook.wording.offers import Event, Offers, lowered
from nomopoly.rulebook.wording.program import Unwritable, expression
from nomopoly.rulebook.wording.prose import Teller
from nomopoly.rulebook.wording.sentence import ONE_OF_A_KIND, Part, Sentence

KERNEL_KINDS = ("player", "game", "applicant", "question", "emergency")  # which rules neither make nor destroy
MOST_CHOICES = 600  # of one menu
PERHAPS = "Other things"  # which may be something else than what is wanted
DEFINED = "What rules define"
MOST_LABEL = 120
EVENTS = (  # groups of them, in the order of the menu: what a newcomer looks for comes first
    "What happens",
    "What players do",
    "What the Admin does",
    "Things made",
    "Known by their names alone",
)
UNSAID = r"“[^”]*” happens( for |$)"  # the clause of an event without a sentence of its own
NUMBERS = ("number", "money")
PERSONS = (
    "who",
    "to",
    "mover",
    "other",
    "target",
    "winner",
    "loser",
    "buyer",
    "seller",
    "player",
)  # fields that name one


class Choice(TypedDict):
    """One choice of a menu: what is posted, what is read, and the heading under which it stands."""

    id: str
    label: str
    group: str


@dataclass
class Around:
    """What stands around a place: the sentence it is in, the variables that can be named there, whether it may
    write."""

    offers: Offers
    sentence: Sentence
    fields: dict[str, str] = field(default_factory=dict)  # of the event -> kind
    variables: dict[str, str] = field(default_factory=dict)  # -> kind of thing, or number, or ""
    writes: bool = True

    def inner(self, name: str, kind: str) -> Around:
        """The same, with one more variable."""
        return Around(self.offers, self.sentence, self.fields, {**self.variables, name: kind}, self.writes)


def around(sentence: Sentence, offers: Offers) -> Around:
    """What stands around the places of a sentence, of which only the head need be there."""
    form = sentence.get("form", "")
    found = Around(offers, sentence)
    if form == "when":
        event = offers.events.get(sentence.get("event", ""))
        found.fields = dict(event.fields) if event is not None else {}
        found.writes = sentence.get("how") in ("after", "on")
    elif form == "button":
        found.fields = {
            "who": "player",
            **{each["name"]: each.get("kind") or each["takes"] for each in sentence.get("fields", ())},
        }
    elif form == "value":
        found.writes = False
        value = offers.values.get(sentence.get("value", ""))
        for at, name in enumerate(sentence.get("as", ())):
            found.variables[name] = value.of if value is not None and at == 0 else ""
        found.variables["base"] = "number"
    return found


# ---- things and numbers that are there already


def terms(near: Around, wanted: str) -> list[Choice]:
    """The expressions that are there to choose from at a place: fields, variables, what they have, values."""
    found: dict[str, Choice] = {}
    teller = Teller(near.offers, True)
    with suppress(KeyError, TypeError, AttributeError, IndexError):  # of a sentence that is only begun
        teller.begin({"if": None, "then": [], **near.sentence})
    if "who" in teller.fields:
        teller.fields["who"] = "the player"
    for name, kind in near.variables.items():
        if name not in teller.names:
            teller.name(
                name,
                f"that {near.offers.kinds.get(kind, '')}".strip() if kind in near.offers.kinds else f"the {name}",
                kind,
            )
    for part, kind in roots(near):
        depth = 0 if part["is"] == "value" else 2  # of what a definition gives, nothing further
        for each, sort in reached(part, kind, near.offers, depth):
            if fits(sort, wanted, near.offers) and len(found) < MOST_CHOICES:
                try:
                    id = expression(each)
                    text = teller.object(each)
                    known = sort != "" or wanted == "any"
                    sure = each == part or sort == wanted or (known and wanted not in near.offers.kinds)
                    group = PERHAPS if not sure else DEFINED if part["is"] == "value" else upper(teller.object(part))
                except (Unsayable, Unwritable, KeyError, TypeError):
                    continue
                found.setdefault(id, {"id": id, "label": short(text), "group": short(group)})
    groups = list(dict.fromkeys([each["group"] for each in found.values()]))
    groups = [*[each for each in groups if each != PERHAPS], PERHAPS]
    return sorted(
        found.values(),
        key=lambda each: (groups.index(each["group"]), each["id"].count(".") + each["id"].count("value(")),
    )  # plain ones first


def short(text: str) -> str:
    """A label that fits a menu."""
    return text if len(text) <= MOST_LABEL else text[: MOST_LABEL - 1] + "…"


def roots(near: Around) -> Iterable[tuple[Part, str]]:
    """What can be named at a place, with its kind or type: fields of the event, variables, the game, plain values."""
    for name, kind in near.fields.items():
        yield {"is": "field", "name": name}, kind or ("player" if name in PERSONS else "unknown")
    for name, kind in near.variables.items():
        yield {"is": "it", "name": name}, kind
    yield {"is": "thing", "id": "game"}, "game"
    for each in near.offers.values.values():
        if not each.takes:
            yield {"is": "value", "name": each.name, "of": []}, each.type


def reached(part: Part, kind: str, offers: Offers, depth: int = 2) -> Iterable[tuple[Part, str]]:
    """An expression and what it has: (expression, kind or type)."""
    yield part, kind
    if kind not in offers.kinds or not depth:
        return
    for each in offers.attributes_of(kind):
        own = offers.attribute(kind, each.name)
        sort = own.type if own is not None else ""
        if not each.name.isidentifier() or own is None or own.hidden or each.name in ("changes", "run"):
            continue
        further: Part = {"is": "attribute", "of": part, "name": each.name}
        if sort == "thing":
            named = offers.kind_of_attribute(each.name)
            if depth > 1 and named != kind:
                yield from reached(further, named, offers, depth - 1)
            else:
                yield further, named
        else:
            yield further, sort
    for value in offers.values.values():
        if value.of == kind and len(value.takes) == 1:
            yield {"is": "value", "name": value.name, "of": [part]}, value.type


def fits(sort: str, wanted: str, offers: Offers) -> bool:
    """Whether something of a kind or type can stand where one is wanted."""
    if wanted in ("any", ""):
        return True
    if wanted in NUMBERS:
        return sort in ("number", "money", "moment", "unknown", "")
    if wanted == "owned":
        known = offers.attributes.get("owner")
        return known is not None and (sort in known.of or sort in ("thing", "unknown"))
    if wanted == "destroyed":
        return sort in ("thing", "unknown") or (sort in offers.kinds and sort not in KERNEL_KINDS)
    if wanted == "thing":
        return sort in offers.kinds or sort in ("thing", "unknown")
    if wanted in offers.kinds:
        return sort in (wanted, "thing", "unknown") or (wanted == "player" and sort == "account")
    if wanted == "word":
        return sort in ("word", "words", "one_of", "unknown", "")
    if wanted == "yesno":
        return sort in ("yesno", "yes_or_no")
    return sort == wanted


# ---- what can be put together


BUILDERS = {  # expression -> (label, the types it can stand for)
    "number": ("a number …", ("number", "money", "any")),
    "math": ("two numbers reckoned together …", ("number", "money", "any")),
    "least": ("a number, but at most …", ("number", "money")),
    "most": ("a number, but at least …", ("number", "money")),
    "count": ("how many there are …", ("number", "money", "any")),
    "percent": ("so many per cent of a number …", ("number", "money", "any")),
    "die": ("the roll of a die …", ("number", "money")),
    "secret die": ("the roll of a die that nobody sees …", ("number", "money")),
    "extreme": ("the one with the most or least of something …", ("thing", "any", "whom")),
    "pick": ("one drawn by lot …", ("thing", "any", "whom")),
    "secret pick": ("one drawn by lot in secret …", ("thing", "any")),
    "square": ("a certain square …", ("square", "thing", "owned", "destroyed", "any")),
    "word": ("a word …", ("word", "any")),
    "yes": ("yes or no …", ("yesno", "any")),
    "nothing": ("nothing, or nobody", ("any", "whom")),
    "now": ("now", ("moment", "date")),
    "ago": ("so long ago …", ("moment", "date")),
    "from now": ("so long from now …", ("moment", "date")),
    "all": ("all things of a kind …", ("list", "whom")),
}
LACKING = ("thing", "moment")  # what an attribute may have none of, besides things of a kind
DRAWS = ("die", "secret die", "pick", "secret pick")  # which stand only where something is done
ORDERS = ("<", "<=", ">", ">=")
CONDITIONS = {
    "compare": "one thing compared with another …",
    "dated": "a moment is before or after another …",
    "owned by another": "somebody else owns it …",
    "unowned": "nobody owns it …",
    "owned": "somebody owns it …",
    "owned by": "a certain player owns it …",
    "kind": "it is of a kind …",
    "another": "it is somebody, but somebody else …",
    "there": "something stands on a square …",
    "some": "there is one for which …",
    "true": "it is marked or set …",
    "chance": "chance says so: 1 in …",
    "caused by": "something else has led to it …",
    "exists": "it is still in the game …",
    "and": "all of these …",
    "or": "one of these …",
    "not": "it is not so that …",
}
EFFECTS = {
    "pay": ("somebody pays somebody", "Money"),
    "gain": ("somebody gets money", "Money"),
    "lose": ("somebody loses money", "Money"),
    "award": ("somebody is awarded money", "Money"),
    "fine": ("somebody is fined", "Money"),
    "win": ("somebody wins the game", "Events"),
    "move": ("somebody moves on", "Places"),
    "jump": ("somebody jumps to a square", "Places"),
    "give item": ("somebody gets an item", "Things"),
    "take item": ("somebody loses an item", "Things"),
    "make": ("a thing is made", "Things"),
    "destroy": ("a thing is destroyed", "Things"),
    "set": ("something becomes something else", "What things have"),
    "raise": ("something goes up", "What things have"),
    "lower": ("something goes down", "What things have"),
    "do": ("something happens (an event)", "Events"),
    "tell": ("somebody is told", "Events"),
    "refuse": ("it is refused", "Events"),
    "let": ("a number or thing gets a name", "Steps"),
    "if": ("if …, then …, otherwise …", "Steps"),
    "each": ("the same for each …", "Steps"),
    "stop": ("nothing more of this happens", "Steps"),
}
SETS_OFF = {  # effect -> the events that come of it
    "pay": ("pay",),
    "gain": ("gain",),
    "lose": ("lose",),
    "award": ("award", "gain"),
    "fine": ("fine", "lose"),
    "move": ("move", "leave", "pass", "land"),
    "jump": ("jump", "land"),
}
NEEDS = {  # effect -> the word that the game must have
    "pay": "pay",
    "gain": "gain",
    "lose": "lose",
    "award": "award",
    "fine": "fine",
    "win": "win",
    "move": "move",
    "jump": "jump",
    "give item": "give_item",
    "take item": "take_item",
    "there": "here",
    "square": "square",
}
OUTCOMES = {
    "forbidden": {"forbid": "it is forbidden", "allow": "it is expressly allowed"},
    "instead": {
        "prevent": "it does not happen",
        "but": "it happens with other fields",
        "to": "something else happens in its place",
    },
    "value": {"change": "it is changed"},
}
HOW = {
    "after": "after it has happened",
    "forbidden": "before it, to forbid it",
    "instead": "before it, to have something else happen",
    "on": "as what it does (for an event of this rule)",
}
CHANGED = {
    "more": "higher by",
    "less": "lower by",
    "percent": "higher by so many per cent",
    "percent less": "lower by so many per cent",
    "times": "multiplied by",
    "divided by": "divided by",
    "at least": "at least",
    "at most": "at most",
    "exactly": "always",
}
BANDS = {
    "more": "add",
    "less": "add",
    "percent": "percent",
    "percent less": "percent",
    "times": "factor",
    "divided by": "factor",
    "at least": "at_least",
    "at most": "at_most",
    "exactly": "set",
}
FORMS = {
    "when": "When something happens …",
    "every": "Every day or week …",
    "button": "A new button for players …",
    "value": "A number of the rules is higher or lower …",
    "attribute": "Something that everybody has …",
    "row": "A new row of a catalogue …",
    "event": "A new event …",
    "kind": "A new kind of thing …",
}
OPERATIONS = {
    "plus": "plus",
    "minus": "minus",
    "times": "times",
    "divided by": "divided by (rounded down)",
    "remainder of": "modulo",
}
COMPARISONS = {
    "==": "is",
    "!=": "is not",
    ">": "is more than",
    ">=": "is at least",
    "<": "is less than",
    "<=": "is at most",
    "is": "is the same thing as",
    "is not": "is not the same thing as",
    "in": "is among",
    "not in": "is not among",
}
WORDS_OF_CHOICES = {
    "how": HOW,
    "op": {**OPERATIONS, **COMPARISONS},
    "extreme.how": {"most": "the most", "least": "the least"},
    "dated.op": {"<": "before", "<=": "not after", ">": "after", ">=": "not before"},
    "unit": {"days": "days", "hours": "hours", "minutes": "minutes", "weeks": "weeks"},
    "type": {
        "": "as its first content says",
        "money": "money",
        "number": "a number",
        "word": "a word",
        "yesno": "yes or no",
        "thing": "a thing",
        "moment": "a moment",
    },
    "show": {"all": "everybody", "owner": "its owner", "admin": "the Admin", "nobody": "nobody"},
}


def plain(texts: dict[str, str], group: str = "") -> list[Choice]:
    """Choices of a fixed table."""
    return [{"id": id, "label": label, "group": group} for id, label in texts.items()]


def has(near: Around, part: str) -> bool:
    """Whether the game has the word that a part needs."""
    return part not in NEEDS or NEEDS[part] in near.offers.words()


def expressions(near: Around, wanted: str, nothing: bool = False) -> list[Choice]:
    """All that can stand where an expression is wanted: first what must be put together, then what is there; with
    `nothing` also nothing, where a thing or moment is wanted."""
    thing = wanted in near.offers.kinds
    built: list[Choice] = [
        {"id": id, "label": label, "group": "Put together"}
        for id, (label, types) in BUILDERS.items()
        if (
            wanted in types
            or (thing and id in ONE_OF_A_KIND)
            or (nothing and id == "nothing" and (thing or wanted in LACKING))
        )
        and (id not in DRAWS or near.writes)
        and has(near, id)
    ]
    return [*built, *terms(near, "player" if wanted == "whom" else wanted)]


def conditions(near: Around) -> list[Choice]:
    """All sorts of conditions."""
    owned = "owner" in near.offers.attributes and terms(near, "owned")  # something that can be owned is at hand
    return [
        each
        for each in plain(CONDITIONS)
        if (each["id"] != "chance" or near.writes)
        and (each["id"] != "caused by" or near.sentence.get("form") in ("when", "every", "button"))
        and has(near, each["id"])
        and (each["id"] != "there" or "square" in near.offers.kinds)
        and (owned or not each["id"].startswith(("owned", "unowned")))
    ]


def effects(near: Around) -> list[Choice]:
    """All sorts of effects at a place, or the outcomes of what is asked there."""
    how = near.sentence.get("how") if near.sentence.get("form") == "when" else near.sentence.get("form")
    if how in OUTCOMES:
        return plain(OUTCOMES[how])
    return [{"id": id, "label": label, "group": group} for id, (label, group) in EFFECTS.items() if has(near, id)]


def forms_without(offers: Offers) -> tuple[str, ...]:
    """The forms of a sentence for which a game has nothing to choose from: rows, where no catalogue takes any."""
    return () if any(each.usable() for each in offers.catalogues.values()) else ("row",)


def names(sort: str, near: Around, of: str = "") -> list[Choice]:
    """The names that rules declare of a sort: events, values, attributes (of a kind), kinds, catalogues, fields,
    variables."""
    offers = near.offers
    if sort == "event":  # some no rule answers to, and others no rule makes happen
        offered = events(offers, CLOSED if of == "made" else BEYOND)
        return sorted(offered, key=lambda each: (EVENTS.index(each["group"]), each["label"].casefold()))
    if sort == "value":
        return [
            {
                "id": each.name,
                "label": short(each.label + (f" of a {offers.kinds.get(each.of, each.of)}" if each.of else "")),
                "group": "",
            }
            for each in offers.values.values()
            if each.type in ("", "number", "money") and each.bands != []
        ]
    if sort == "attribute":
        kinds = [of] if of in offers.kinds else list(offers.kinds)
        found = {each.name: each for kind in kinds for each in offers.attributes_of(kind)}
        return [
            {"id": name, "label": short(each.label), "group": ""}
            for name, each in sorted(found.items())
            if name.isidentifier()
        ]
    if sort == "kind":
        return [
            {"id": kind, "label": short(label), "group": ""}
            for kind, label in offers.kinds.items()
            if of != "made" or (kind not in KERNEL_KINDS and kind not in offers.numbered)
        ]
    if sort == "catalogue":
        return [{"id": name, "label": name, "group": ""} for name, each in offers.catalogues.items() if each.usable()]
    if sort == "field":
        return [{"id": name, "label": name, "group": ""} for name in near.fields]
    return [{"id": name, "label": name, "group": ""} for name in near.variables]


def group_of(event: Event, label: str) -> str:
    """The group of an event among all, by the clause that it is."""
    if re.match(UNSAID, label):
        return EVENTS[4]
    if event.name.startswith("create"):
        return EVENTS[3]
    return EVENTS[0] if not event.action else EVENTS[2] if event.actor == "admin" else EVENTS[1]


def events(offers: Offers, but: tuple[str, ...]) -> list[Choice]:
    """All other events, as the clauses that they are: "a player lands on a square"."""
    found: list[Choice] = []
    for event in [each for each in offers.events.values() if each.name not in but]:
        label = event_label(event.name, offers)
        found.append({"id": event.name, "label": label, "group": group_of(event, label)})
    return found


def event_label(name: str, offers: Offers) -> str:
    """An event as the clause that it is, with its name where that says more."""
    teller = Teller(offers, True)
    try:
        teller.begin({"form": "when", "event": name, "how": "after", "if": None, "then": []})
        label = teller.clause()
    except (Unsayable, KeyError, IndexError):
        label = name
    plain_name = name.replace("-", " ").replace("_", " ")
    return short(lowered(label if plain_name in label else f"{label} ({plain_name})"))
