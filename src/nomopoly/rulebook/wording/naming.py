"""Who is who in a sentence: fields of the event, variables, kinds and types, and the event as a clause."""

from __future__ import annotations

import re

from nomopoly.rulebook.wording.offers import Event, Offers, lowered, readable
from nomopoly.rulebook.wording.sentence import Part, Sentence

OTHERS = ("to", "with_", "other", "player", "whom", "on", "target")  # fields that hold the other player of two
SO_MUCH = ("amount", "price", "money", "steps", "number", "points", "score", "damage", "total", "yes", "no", "count")

OTHERWISE = {  # fields by which nothing is named: what stands for them in the sentence of their event
    "because": "a reason",
    "how": "how",
    "text": "a text",
    "told": "something",
    "until": "a moment",
    "verdict": "judged",
}


def upper(text: str) -> str:
    """A text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def article(noun: str) -> str:
    """A noun with `a` or `an`."""
    return (
        f"{'an' if noun[:1].lower() in 'aeiou' and not noun.lower().startswith(('uni', 'eu', 'one')) else 'a'} {noun}"
    )


def joined(parts: list[str], word: str = "and") -> str:
    """A list in words."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {word} {parts[-1]}"


def quote(text: str) -> str:
    """A text as it is shown."""
    return f"“{text}”"


def plural(noun: str) -> str:
    """A noun of several."""
    if noun.endswith(("s", "x", "ch", "sh")):
        return noun + "es"
    return noun[:-1] + "ies" if noun.endswith("y") and noun[-2:-1] not in "aeiou" else noun + "s"


def is_of_several(noun: str) -> bool:
    """Whether it is a noun of several: "points" go up."""
    return noun.endswith("s") and noun[-2:] not in ("ss", "us")


def money_fields(event: Event | None) -> dict[str, str]:
    """The fields of an event that its sentence gives with a $."""
    return dict.fromkeys(re.findall(r"\$\{(\w+)\}", event.say), "money") if event is not None else {}


class Unsayable(Exception):
    """A part that no English is known for."""


class Naming:
    """One sentence being told: who is who in it, and which words and functions it has spoken of."""

    def __init__(self, offers: Offers, filled: bool) -> None:
        self.offers = offers
        self.filled = filled
        self.names: dict[str, str] = {}  # variables -> phrase
        self.kinds: dict[str, str] = {}  # variables -> kind
        self.types: dict[str, str] = {}  # variables -> type
        self.fields: dict[str, str] = {}  # fields of the event -> phrase
        self.event: Event | None = None
        self.spoken: dict[str, None] = {}  # words and functions that were called by their names, in order
        self.how = ""
        self.depth = 0
        self.shortened: set[str] = set()  # variables that only stand for a field of the event

    def begin(self, sentence: Sentence) -> None:
        """Know who is who in a sentence."""
        form = sentence["form"]
        self.how = str(sentence.get("how", form))
        if form in ("when", "button"):
            self.about(str(sentence.get("event") or sentence.get("action") or ""), sentence)
        if form == "every":
            self.event = None
        if form == "value":
            self.take(sentence["as"], sentence["value"])
            self.names["base"] = "what it is without this"
        elif form == "definition":
            self.take(sentence["as"], sentence["value"])
        elif form == "marker":
            self.name(sentence["as"][0], f"the {self.kind_label(sentence['kind'])}", sentence["kind"])
        elif form == "once":
            self.name("proposal", "this proposal", "proposal")
        elif form == "function":
            for each in sentence["as"]:
                self.name(each, "the event" if each == "e" else self.definite(each), "")

    def take(self, names: list[str], value: str) -> None:
        """Know what a value is of."""
        of = self.offers.values[value].of if value in self.offers.values else ""
        for at, each in enumerate(names):
            kind = of if at == 0 else ""
            self.name(each, f"the {self.kind_label(kind)}" if kind else self.definite(each), kind)

    def name(self, variable: str, phrase: str, kind: str) -> None:
        """Give a variable a phrase that nothing else has."""
        taken = {*self.fields.values(), *[each for name, each in self.names.items() if name != variable]}
        self.names[variable] = f"{quote(readable(variable))}" if phrase in taken else phrase
        self.kinds[variable] = kind

    def definite(self, name: str) -> str:
        """A name as something that is known."""
        plain = {"who": "that one", "place": "the square", "each": "that one", "it": "that one"}
        return plain.get(name, f"the {readable(name)}")

    def kind_label(self, kind: str) -> str:
        """What a thing of a kind is called."""
        return self.offers.kinds.get(kind) or readable(kind)

    def about(self, name: str, sentence: Sentence) -> None:
        """Know the fields of an event."""
        known = self.offers.events.get(name)
        fields: dict[str, str] = dict(known.fields) if known is not None else {}
        for each in sentence.get("fields", ()):
            if isinstance(each, dict):
                fields[each["name"]] = str(each.get("kind") or "")
        say = known.say if known is not None else str(sentence.get("say") or "")
        action = sentence["form"] == "button" or (known is not None and known.action)
        heading = str(sentence.get("label") or "") or (known.label if known is not None else "")
        if action:
            fields.setdefault("who", "player")
        actor = known.actor if known is not None else "player"
        self.event = Event(name, fields, say, heading, action, actor=actor)
        kinds = list(fields.values())
        people = self.people(fields)
        for each, kind in fields.items():
            if each == "who":
                phrase = "they"
            elif kind == "player" and len(people) == 2 and people[0] == "who" and each in OTHERS:
                phrase = "the other player"
            elif kind and kind != "player" and (kinds.count(kind) == 1 or each == kind):
                phrase = f"the {self.kind_label(kind)}"
            elif kind and kind != "player":
                phrase = f"the {self.kind_label(kind)} {quote(readable(each))}"
            else:
                piece = "their piece" if "who" in fields else "the piece"
                phrase = {"to": "the receiver", "mover": piece}.get(each, f"the {readable(each.removeprefix('your_'))}")
            self.fields[each] = phrase if phrase not in self.fields.values() else quote(readable(each))

    def people(self, fields: dict[str, str]) -> list[str]:
        """The fields that hold players; nobody has ordered what the Admin alone does."""
        admin = self.event is not None and self.event.actor == "admin"
        return [each for each in fields if fields[each] == "player" and not (admin and each == "who")]

    def clause(self) -> str:
        """What happens in the event, as a clause without `when`: "a player lands on a square"."""
        event = self.event
        assert event is not None
        say = event.say.strip().rstrip(".")
        if event.action and event.label and (not say or self.how in ("forbidden", "instead")):
            return f"{self.actor()} does {quote(event.label)}"
        if event.name == "*":
            return "somebody does anything"
        sort, _, of = event.name.partition("-")
        if sort == "create" and of:
            return f"{article(self.kind_label(of))} is made"
        say = self.without_additions(say)
        colon = re.fullmatch(r"(.*\w): \{(\w+)\}", say)
        if colon and not event.fields.get(colon[2]):
            say = colon[1]  # what is said with it stands behind: "a player proposes"
        if not say or re.fullmatch(r"\{\w+\}", say) or self.unknown(say):
            return self.clause_by_name(sort, of)
        if re.match(r"\w+ing\b", say) and "who" in event.fields and "{who}" not in say:
            say = "{who} is " + say
        say = re.sub(r"(?<=\w)\{\w+\}", "", say)  # what is added to a word now and then
        said = re.sub(r"\$?\{(\w+)\}", lambda found: self.first_mention(found[1]), say)
        return re.sub(r"\b(?:(the )|an? )(?:an? )", lambda found: found[1] or found[0].split()[1] + " ", lowered(said))

    def clause_by_name(self, sort: str, of: str) -> str:
        """What happens in an event without a sentence of its own, by its label or its name: `sort`-`of`."""
        event = self.event
        assert event is not None
        if event.action and event.label:
            return f"{self.actor()} does {quote(event.label)}"
        if sort == "destroy" and event.fields.get(of) == of:
            return f"{article(self.kind_label(of))} is gone"
        whom = self.first_mention("who") if "who" in event.fields else ""
        used = next((each.rows[of] for each in self.offers.catalogues.values() if of in each.rows), "")
        if sort == "use" and whom and used:
            return f"{whom} uses {quote(used)}"
        return f"{quote(readable(event.name))} happens{' for ' + whom if whom else ''}"

    def unknown(self, say: str) -> list[str]:
        """What a sentence of the event names that nobody knows before it has happened; of a kind or of dice it can be
        said nevertheless: "a player gets a lottery ticket"."""
        known = {*(self.event.fields if self.event is not None else ()), *self.offers.kinds, "dice"}
        return [each for each in re.findall(r"\{(\w+)\}", say) if each not in known]

    def without_additions(self, say: str) -> str:
        """A sentence of the event without what stands at its end and becomes known as it happens: "a player rolls",
        "a player buys a square"."""
        fields = self.event.fields if self.event is not None else {}
        whole = say
        while added := re.search(r"(?:(?<=[\w}])| \(| (?:for|at|with) \$?| )\{(\w+)\}\)?$", say):
            rest = say[: added.start()]
            bare = added[0].startswith(" {")  # what somebody does something to, or a name: "names a square (Home)"
            if bare and not (say == whole and rest.startswith("{who} ")):
                break
            if added[1] in fields and not (bare and rest.endswith("}") and not fields[added[1]]):
                break
            say = rest
        return say

    def actor(self) -> str:
        """Who starts the action that the event is."""
        actor = self.event.actor if self.event is not None else "player"
        return {"admin": "the Admin", "both": "a player or the Admin"}.get(actor, "a player")

    def first_mention(self, name: str) -> str:
        """A field of the event as it is first spoken of."""
        assert self.event is not None
        fields = self.event.fields
        kind = fields.get(name, "")
        people = self.people(fields)
        if name == "who":
            return "a player" if kind == "player" else "somebody"
        if name == "mover" and not kind:
            return (
                "a player's piece"
                if fields.get("who") == "player"
                else "somebody's piece"
                if "who" in fields
                else "a piece"
            )
        if kind == name == "player":
            return "a player"
        if kind == "player":
            other = len(people) == 2 and people[0] == "who" and name in OTHERS
            return "another player" if other else f"a player (the {readable(name)})"
        if name == "to" and not kind:
            return "somebody (the receiver)"
        if name in SO_MUCH:
            return (
                "some"
                if f"${{{name}}}" not in self.event.say
                else article(readable(name))
                if name != "money"
                else "money"
            )
        if name == "dice":
            return "dice"
        if name in OTHERWISE:
            return OTHERWISE[name]
        if kind and list(fields.values()).count(kind) == 1:
            return article(self.kind_label(kind))
        return readable(name) if is_of_several(readable(name)) else article(readable(name))

    def kind_of(self, part: Part) -> str:
        """The kind of the thing that an expression is, or ""."""
        name = part["is"]
        if name == "field" and self.event is not None:
            return self.event.fields.get(part["name"], "")
        if name == "it":
            return self.kinds.get(part["name"], "")
        if (
            name == "attribute"
            and part["name"] in self.offers.attributes
            and self.offers.attributes[part["name"]].type == "thing"
        ):
            kind = self.offers.kind_of_attribute(part["name"])
            return "" if kind == "thing" else str(kind)
        return (
            str(part["kind"])
            if name in ("make", "extreme", "pick", "secret pick")
            else "square"
            if name == "square"
            else "game"
            if part == {"is": "thing", "id": "game"}
            else ""
        )

    def kind_in(self, part: Part) -> str:
        """The kind of the things in a list, or ""."""
        if part["is"] == "all":
            return str(part["kind"])
        if part["is"] == "call":
            return {"players": "player", "squares": "square"}.get(part["name"], "")
        if part["is"] == "list" and part["give"] == {"is": "it", "name": part["as"][0]}:
            return self.kind_in(part["of"])
        return ""

    def type_of(self, part: Part) -> str:
        """The type of an expression as far as declarations tell, or ""."""
        name = part["is"]
        if name == "attribute":
            return self.attribute_type(part)
        if name == "value":
            return self.value_type(part["name"])
        if name == "field" and self.event is not None:
            kind = self.event.fields.get(part["name"], "")
            return kind or money_fields(self.event).get(part["name"], "")
        if name in ("least", "most"):
            return "money" if "money" in [self.type_of(each) for each in part["of"]] else "number"
        if name == "math":
            types = (self.type_of(part["left"]), self.type_of(part["right"]))
            return next((each for each in ("money", "moment") if each in types), types[0])
        if name in ("all", "list", "row of", "items"):
            return "list"
        if name == "call" and part["name"] in ("game_time",):
            return "moment"
        if name == "it":
            return "thing" if self.kinds.get(part["name"]) else self.types.get(part["name"], "")
        return {
            "now": "moment",
            "ago": "moment",
            "from now": "moment",
            "percent": "number",
            "secret die": "number",
            "count": "number",
            "share": "number",
            "die": "number",
            "text": "word",
            "word": "word",
            "thing": "thing",
        }.get(name, "")

    def attribute_label(self, part: Part) -> str:
        """What an attribute of something is called."""
        known = self.offers.attribute(self.kind_of(part["of"]), part["name"])
        return known.label if known is not None else readable(part["name"])

    def attribute_type(self, part: Part) -> str:
        """The type of an attribute of something."""
        known = self.offers.attribute(self.kind_of(part["of"]), part["name"])
        return known.type if known is not None else ""

    def value_label(self, name: str) -> str:
        """What a value is called."""
        known = self.offers.values.get(name)
        return known.label if known is not None else readable(name)

    def value_type(self, name: str) -> str:
        """The type of a value."""
        known = self.offers.values.get(name)
        return known.type if known is not None else ""
