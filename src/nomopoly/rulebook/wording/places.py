"""The slots of sentences on a page: the controls of each, what is chosen in them, and what is missing."""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable
from typing import Any, TypedDict

from nomopoly.rulebook.trees import expression_tree
from nomopoly.rulebook.wording import menus
from nomopoly.rulebook.wording.labels import HINTS, LABELS, RESERVED
from nomopoly.rulebook.wording.menus import Around, Choice
from nomopoly.rulebook.wording.naming import SO_MUCH, Unsayable, article, money_fields
from nomopoly.rulebook.wording.offers import Offers, readable
from nomopoly.rulebook.wording.prose import Teller
from nomopoly.rulebook.wording.reading import Scope, Untold, read_expression
from nomopoly.rulebook.wording.sentence import (
    CONDITIONS,
    DATES,
    EXPRESSIONS,
    ONE_OF_A_KIND,
    PARTS,
    TERMS,
    Part,
    Sentence,
    plainest,
)

MOST_ITEMS = 40  # of one list
MOST_DEEP = 12  # parts within one another
MOST_TYPED = 2000  # characters of one field
MOST_NUMBER = 10**12


class Control(TypedDict):
    """One thing on the page: a select, a field, a tick, a hidden field or a button."""

    name: str
    sort: str
    label: str
    value: str
    choices: list[Choice]
    depth: int
    part: str


class Problem(TypedDict):
    """What is missing or wrong at a place."""

    path: str
    message: str


class Places:
    """One walk over the fields of a page."""

    def __init__(self, fields: dict[str, str], offers: Offers, before: Offers | None = None) -> None:
        """`offers` is what can be chosen, `before` what there is without this rule: those names are taken."""
        self.fields = {key: content[:MOST_TYPED] for key, content in fields.items() if isinstance(content, str)}
        self.offers = offers
        self.before = offers if before is None else before
        self.declares: list[Sentence] = []  # what the rule itself declares, as far as it is said
        self.controls: list[Control] = []
        self.problems: list[Problem] = []
        self.numbers: dict[str, int] = {}
        self.made: set[tuple[str, str]] = set()  # names that the rule gives to what it declares, by sort
        self.depth = 0
        self.deep = 0  # parts within one another

    def get(self, path: str, default: str = "") -> str:
        """What is chosen or typed at a path."""
        return self.fields.get(path, default).strip()

    def control(self, path: str, sort: str, label: str, value: str = "", choices: list[Choice] | None = None) -> None:
        """Show a control."""
        part = path.rpartition(".")[0] if sort not in ("add", "remove") else path.partition(":")[2]
        self.controls.append(
            {
                "name": path,
                "sort": sort,
                "label": label,
                "value": value,
                "choices": choices or [],
                "depth": self.depth,
                "part": part,
            }
        )

    def missing(self, path: str, message: str) -> None:
        """Note what is missing."""
        self.problems.append({"path": path, "message": message})

    def select(self, path: str, label: str, choices: list[Choice], default: str = "", optional: bool = False) -> str:
        """A menu. Returns what is chosen; a choice that is no longer offered stays, and is a problem."""
        chosen = self.get(path, default)
        known = [each["id"] for each in choices]
        if chosen and chosen not in known:
            choices = [{"id": chosen, "label": f"{chosen} (not offered here)", "group": ""}, *choices]
            self.missing(path, f"{label}: “{chosen}” is not offered here.")
        elif not chosen and not optional:
            self.missing(path, f"{label}: choose one.")
        self.control(path, "select", label, chosen, choices)
        return chosen

    def text(self, path: str, label: str, default: str = "", optional: bool = False) -> str:
        """A field for words."""
        said = self.get(path, default)
        if not said and not optional:
            self.missing(path, f"{label}: say something.")
        self.control(path, "text", label, said)
        return said

    def whole(self, path: str, label: str, default: str = "", optional: bool = False) -> int | None:
        """A field for a whole number: `1500`, `1,500` and `$1,500` are the same."""
        said = self.get(path, default)
        self.control(path, "number", label, said)
        bare = re.sub(r"[$,\s]", "", said)
        if re.fullmatch(r"-?\d{1,13}", bare) and abs(int(bare)) <= MOST_NUMBER:
            return int(bare)
        if said or not optional:
            kind = f"number of at most {MOST_NUMBER:,}" if re.fullmatch(r"-?\d+", bare) else "whole number"
            self.missing(path, f"{label}: give a {kind}.")
        return None

    def tick(self, path: str, label: str) -> bool:
        """A box to tick."""
        said = self.get(path)
        self.control(path, "tick", label, "yes" if said else "")
        return bool(said)

    def count(self, path: str, least: int) -> int:
        """How many items there are at a path."""
        at = 0
        while at < MOST_ITEMS and any(key == f"{path}.{at}" or key.startswith(f"{path}.{at}.") for key in self.fields):
            at += 1
        return max(at, least)

    def label(self, owner: str, slot: str) -> str:
        """What a control asks."""
        return LABELS.get(f"{owner}.{slot}") or LABELS.get(slot) or readable(slot).capitalize()

    def slot(self, path: str, owner: str, slot: str, sort: str, near: Around, part: Part) -> Any:
        """What a slot of a part holds."""
        name, _, wanted = sort.rstrip("?").partition(":")
        optional = sort.endswith("?")
        label = self.label(owner, slot)
        if name == "condition":
            return self.condition(path, label, near, optional)
        if name == "conditions":
            return self.several(
                path, "Another condition", 2, lambda here: self.condition(here, "Condition", near, False)
            )
        if name in ("effects", "changes"):
            least = 0 if slot == "otherwise" else 1
            return self.effects(
                path,
                label,
                near,
                least,
                single=name == "changes" or near.sentence.get("how") in ("instead", "forbidden"),
            )
        if name == "expression":
            nothing = (owner, slot) in (("set", "to"), ("compare", "right"))
            return self.expression(path, label, near, self.wanted(owner, slot, wanted, near, part), nothing=nothing)
        if name == "expressions":
            inner = self.wanted(owner, slot, wanted, near, part)
            return self.several(path, "Another number", 2, lambda here: self.expression(here, "Number", near, inner))
        if name == "text":
            return self.words(path, label, near)
        if name == "parts":
            return self.words(path, label, near)["parts"]
        if name == "name":
            return self.name(path, label, wanted, near, owner, part)
        if name == "choice":
            return self.choice(path, label, slot, wanted.split("|"), near, part)
        if name == "variable":
            return self.variable(path, owner, near, optional)
        if name == "with":
            return self.given(path, owner, near, part)
        if name == "yesno":
            return self.tick(path, label)
        if name == "number":
            return self.whole(path, label)
        return self.text(path, label)

    def several(self, path: str, label: str, least: int, build: Callable[[str], Any]) -> list[Any]:
        """A list of parts, with a button for one more."""
        self.depth += 1
        found = []
        many = self.count(path, least)
        for at in range(many):
            found.append(build(f"{path}.{at}"))
            if many > least:
                self.control(f"remove:{path}.{at}", "remove", "Take this away")
        self.control(f"add:{path}", "add", label)
        self.depth -= 1
        return found

    def slots(self, path: str, name: str, near: Around) -> Part:
        """A part of this name, with all its slots."""
        part: Part = {"is": name}
        self.depth += 1
        self.deep += 1
        if self.deep > MOST_DEEP:
            self.missing(path, "This is nested too deeply.")
        else:
            for slot, sort in PARTS[name]:
                inner = near
                if slot in ("if", "then", "by") and part.get("as") and part.get("kind"):
                    inner = near.inner(part["as"], part["kind"])
                part[slot] = self.slot(f"{path}.{slot}", name, slot, sort, inner, part)
        self.deep -= 1
        self.depth -= 1
        dated = name == "compare" and part.get("op") in menus.ORDERS and (part.get("right") or {}).get("is") in DATES
        if dated and self.is_moment(part.get("left"), near):
            part = {**part, "is": "dated"}  # which may be known or not
        return plainest(part)

    def is_moment(self, part: Part | None, near: Around) -> bool:
        """Whether an expression is a moment that something has."""
        return isinstance(part, dict) and part["is"] == "attribute" and self.sort_of(part, near) == "moment"

    def condition(self, path: str, label: str, near: Around, optional: bool) -> Part | None:
        """A condition."""
        blank: list[Choice] = [{"id": "", "label": "always", "group": ""}] if optional else []
        chosen = self.select(path, label, [*blank, *menus.conditions(near)], optional=optional)
        return self.slots(path, chosen, near) if chosen in CONDITIONS else None

    def effects(self, path: str, label: str, near: Around, least: int, single: bool) -> list[Part]:
        """Effects, one after the other."""
        self.depth += 1
        found = []
        many = min(self.count(path, least), 1) if single else self.count(path, least)
        for at in range(many):
            here = f"{path}.{at}"
            chosen = self.select(here, label if at == 0 else "And then", menus.effects(near))
            if many > least:
                self.control(f"remove:{here}", "remove", "Take this away")
            if chosen in PARTS:
                part = self.slots(here, chosen, near)
                found.append(part)
                near = self.after(part, near)
        if not single:
            self.control(f"add:{path}", "add", "And then …" if found else f"{label} …")
        self.depth -= 1
        return found

    def after(self, part: Part, near: Around) -> Around:
        """What can be named after an effect: what it has given a name."""
        if part["is"] == "let" and part.get("name") and part.get("be"):
            teller = Teller(self.offers, True)
            kind = near.fields.get(part["be"].get("name", ""), "") if part["be"]["is"] == "field" else ""
            try:
                kind = kind or teller.kind_of(part["be"]) or teller.type_of(part["be"]) or "number"
            except (KeyError, TypeError, AttributeError):
                kind = "number"
            return near.inner(part["name"], kind)
        return (
            near.inner(part["as"], part["kind"])
            if part["is"] == "make" and part.get("as") and part.get("kind")
            else near
        )

    def expression(
        self, path: str, label: str, near: Around, wanted: str, optional: bool = False, nothing: bool = False
    ) -> Part | None:
        """An expression: something that is there, or something put together; with `nothing` also nothing, where a
        thing or moment is wanted."""
        choices = menus.expressions(near, wanted, nothing)
        known = {each["id"] for each in choices}
        usual = "number" if wanted in menus.NUMBERS else "e.who" if path.endswith((".who", ".than", ".by")) else ""
        chosen = self.get(path, "" if optional or usual not in known else usual)
        if chosen in EXPRESSIONS and chosen not in TERMS:
            self.select(path, label, choices, usual if usual in known else "", optional)
            if chosen == "number":
                number = self.whole(f"{path}.value", label)
                return (
                    self.named(number, self.get(f"{path}.name"), self.hint(path), f"{path}.name")
                    if number is not None
                    else None
                )
            return self.put_together(path, label, chosen, near, wanted)
        term = self.term(chosen, near) if chosen else None
        if term is not None and chosen not in known:  # it can be named, though no menu lists it
            choices = [*choices, {"id": chosen, "label": chosen, "group": ""}]
        self.select(path, label, choices, usual if usual in known and not optional else "", optional)
        if (
            term is not None
            and wanted == "owned"
            and not menus.fits(self.sort_of(term, near) or "thing", wanted, self.offers)
        ):
            self.missing(path, f"{label}: this has no owner here.")
        return term

    def put_together(self, path: str, label: str, chosen: str, near: Around, wanted: str) -> Part:
        """An expression with slots of its own; one of a kind is of the kind that is wanted."""
        one = chosen in ONE_OF_A_KIND and wanted in self.offers.kinds
        if one and not self.get(f"{path}.kind"):
            self.fields[f"{path}.kind"] = wanted
        part = self.slots(path, chosen, near)
        if one and part.get("kind") not in ("", None, wanted):
            self.missing(f"{path}.kind", f"{label}: choose {article(self.offers.kinds[wanted])}.")
        return part

    def term(self, chosen: str, near: Around) -> Part | None:
        """An expression that is there, from what was posted; None for anything else."""
        try:
            node = expression_tree(chosen[:300])
            part = read_expression(node, Scope({}, "", "e", set(near.variables)))
        except (SyntaxError, ValueError, Untold, RecursionError, MemoryError):
            return None
        return part if is_term(part, near) and self.can_have(part, near) else None

    def can_have(self, part: Part, near: Around) -> bool:
        """Whether what an expression is about has what it names, as far as its kind is known."""
        inner = part.get("of", [])
        if part["is"] == "attribute":
            kind, known = self.sort_of(inner, near), self.offers.attributes.get(part["name"])
            if part["name"] not in ("id", "kind") and (
                known is None or (kind in self.offers.kinds and kind not in known.kinds)
            ):
                return False
        elif part["is"] == "value" and part["name"] not in self.offers.values:
            return False
        return all(self.can_have(each, near) for each in (inner if isinstance(inner, list) else [inner]))

    def named(self, number: int, name: str, hint: str, path: str = "") -> Part:
        """A number with a name: the one it has, or a new one after the place where it stands."""
        name = name if usable(name) else ""
        wanted = name or (hint if usable(hint) else "number")
        at, found = 2, wanted
        while (found in self.numbers and (not name or self.numbers[found] != number)) or (
            not name and self.named_elsewhere(found)
        ):
            found = f"{wanted}_{at}"
            at += 1
        self.numbers[found] = number
        if path:
            self.control(path, "hidden", "", found)
        return {"is": "number", "value": number, "name": found}

    def named_elsewhere(self, name: str) -> bool:
        """Whether a hidden field has this name of a number already."""
        return any(key.endswith(".name") and content == name for key, content in self.fields.items())

    def hint(self, path: str) -> str:
        """A name for the number at a path."""
        parts = [each for each in path.split(".") if not each.isdigit()]
        last = parts[-1] if parts else ""
        if last == "of" and path.rpartition(".")[0]:
            owner = self.get(path.rpartition(".of.")[0])
            return {"least": "most", "most": "least"}.get(owner, "number")
        if parts[-2:-1] == ["with"]:
            return last
        return HINTS.get(last, "number")

    def wanted(self, owner: str, slot: str, wanted: str, near: Around, part: Part) -> str:
        """What can stand in a slot, seen what stands in those before it."""
        if slot == "of" and owner.startswith(("owned", "unowned")):
            return "owned"
        if (owner, slot) == ("destroy", "of"):
            return "destroyed"
        if owner == "compare" and slot == "right" and isinstance(part.get("left"), dict):
            sort = self.sort_of(part["left"], near)
            return sort or ("number" if part.get("op") in ("<", "<=", ">", ">=") else "any")
        if (owner, slot) in (("set", "to"), ("raise", "by"), ("lower", "by")):
            known = self.offers.attributes.get(part.get("name") or "")
            if known is None or slot == "by":
                return "money" if known is not None and known.type == "money" else "number" if slot == "by" else "any"
            sort = known.type
            return (
                self.offers.kind_of_attribute(known.name)
                if sort == "thing"
                else sort
                if sort in ("number", "money", "word", "yesno", "moment")
                else "any"
            )
        return wanted

    def sort_of(self, part: Part, near: Around) -> str:
        """The kind or type of an expression, or ""."""
        if part["is"] == "field":
            return near.fields.get(part["name"], "")
        if part["is"] == "it":
            return near.variables.get(part["name"], "")
        if part["is"] in ("number", "math", "least", "most", "count", "die", "share"):
            return "number"
        teller = Teller(self.offers, True)
        teller.kinds = dict(near.variables)
        try:
            teller.begin({"if": None, "then": [], **near.sentence})
            kind = teller.kind_of(part) or teller.type_of(part)
        except (Unsayable, KeyError, TypeError, AttributeError, IndexError):
            return ""
        return "" if kind == "any" else kind

    def words(self, path: str, label: str, near: Around) -> Part:
        """A text; names in braces are filled in while the game runs: {who}, {square}."""
        said = self.text(path, label)
        parts: list[Any] = []
        for at, piece in enumerate(re.split(r"\{(\w+)\}", said)):
            if at % 2 == 0:
                parts += [piece] if piece else []
            elif piece in near.variables:
                parts.append({"is": "name", "of": {"is": "it", "name": piece}})
            elif piece in near.fields:
                parts.append({"is": "name", "of": {"is": "field", "name": piece}})
            else:
                self.missing(path, f"{label}: nothing here is called {{{piece}}}.")
        return {"is": "text", "parts": parts}

    def name(self, path: str, label: str, sort: str, near: Around, owner: str, part: Part) -> str:
        """A name that rules declare."""
        of = ""
        if sort == "attribute" and isinstance(part.get("of"), dict):
            of = self.sort_of(part["of"], near)
        if (sort, owner) in (("kind", "make"), ("event", "do")):
            of = "made"
        return self.select(path, label, menus.names(sort, near, of))

    def choice(self, path: str, label: str, slot: str, options: list[str], near: Around, part: Part) -> str:
        """One of a few."""
        known = menus.WORDS_OF_CHOICES
        texts = (
            menus.CHANGED
            if part.get("is") == "change"
            else known.get(f"{part.get('is')}.{slot}") or known.get(slot, {})
        )
        if part.get("is") == "change":
            value = self.offers.values.get(near.sentence.get("value") or "")
            bands = value.bands if value is not None else None
            options = [each for each in options if bands is None or menus.BANDS[each] in bands]
        if part.get("is") == "compare":
            left = self.sort_of(part["left"], near) if isinstance(part.get("left"), dict) else ""
            things = left in self.offers.kinds or left == "thing"
            options = (
                ["is", "is not"]
                if things
                else ["==", "!="]
                if left in ("word", "yesno")
                else [each for each in options if each not in ("is", "is not", "in", "not in")]
            )
            chosen = self.get(path)
            options += (
                [chosen]
                if chosen in ("is", "is not", "in", "not in", "==", "!=", "<", "<=", ">", ">=")
                and chosen not in options
                else []
            )
        choices: list[Choice] = [{"id": each, "label": texts.get(each, each), "group": ""} for each in options]
        return self.select(path, label, choices, options[0] if options else "", "" in options)

    def variable(self, path: str, owner: str, near: Around, optional: bool) -> str:
        """A name for what is spoken of further on: typed, or made."""
        kept = self.get(path)
        if owner == "let":
            said = self.text(path, "Its name", "number")
            name = slug(said, "_")
            if name in near.variables or name in RESERVED:
                self.missing(path, f"Its name: “{said}” is taken.")
            return name
        if optional and not kept:
            return ""
        name, at = "each", 2
        while name in near.variables:
            name = f"each_{at}"
            at += 1
        name = kept if kept and usable(kept) and kept not in near.variables else name
        if kept:
            self.control(path, "hidden", "", name)
        return name

    def given(self, path: str, owner: str, near: Around, part: Part) -> dict[str, Part]:
        """What an event or a new thing is given: the fields of the event, or the attributes that are named one by
        one."""
        sorts, types = self.given_sorts(owner, near, part)
        if owner not in ("do", "to"):
            added = self.get(path)
            if added in sorts:
                self.fields.setdefault(f"{path}.{added}", "")
            shown = [name for name in sorts if f"{path}.{name}" in self.fields]
        else:
            shown = list(sorts)
        found: dict[str, Part] = {}
        for name in shown:
            usual = f"e.{name}" if name in near.fields and owner in ("do", "to") else ""
            here = f"{path}.{name}"
            if usual and here not in self.fields:
                self.fields[here] = usual
            content = self.expression(
                here, readable(name).capitalize(), near, types.get(name) or sorts[name] or "any", True
            )
            if content is not None:
                found[name] = content
            elif owner in ("do", "to") and self.is_needed(part.get("event") or "", name):
                self.missing(here, f"{readable(name).capitalize()}: choose one.")
        if owner not in ("do", "to"):
            left: list[Choice] = [
                {"id": each, "label": readable(each), "group": ""} for each in sorts if each not in shown
            ]
            if left:
                self.control(path, "select", "With", "", left)
        return found

    def is_needed(self, event: str, name: str) -> bool:
        """Whether an event makes no sense without a field: its sentence speaks of it, as of a thing or as a number."""
        known = self.offers.events.get(event)
        if known is None or known.action or f"{{{name}}}" not in known.say:
            return False
        return bool(known.fields[name]) or name in SO_MUCH

    def given_sorts(self, owner: str, near: Around, part: Part) -> tuple[dict[str, str], dict[str, str]]:
        """What can be given, with the kinds that things must have, and the types."""
        if owner == "make":
            own = self.offers.attributes_of(part.get("kind") or "")
            sorts = {
                each.name: self.offers.kind_of_attribute(each.name) if each.type == "thing" else each.type
                for each in own
            }
            return {
                name: "any" if sort in ("any", "list", "") else sort
                for name, sort in sorts.items()
                if name.isidentifier()
            }, {}
        event = self.offers.events.get(str(near.sentence.get("event")) if owner == "but" else part.get("event") or "")
        if event is None:
            return {}, {}
        return {name: kind for name, kind in event.fields.items() if name.isidentifier()}, money_fields(event)


def is_term(part: Part, near: Around) -> bool:
    """Whether an expression is made only of what is there, and names only what there is."""
    if part["is"] not in TERMS:
        return False
    if part["is"] == "it" and part["name"] not in near.variables:
        return False
    if part["is"] == "field" and part["name"] not in near.fields:
        return False
    inner = part.get("of", [])
    return all(is_term(each, near) for each in (inner if isinstance(inner, list) else [inner]))


def slug(text: str, dash: str) -> str:
    """A text as a name: small letters and figures, words joined by a dash."""
    plain = re.sub(r"[^a-z0-9]+", dash, text.casefold().encode("ascii", "ignore").decode()).strip(dash)[:40].strip(dash)
    plain = plain if plain[:1].isalpha() else f"new{dash}{plain}".strip(dash)
    return f"{plain}{dash}" if dash == "_" and keyword.iskeyword(plain) else plain


def usable(name: str) -> bool:
    """Whether a number or variable can have this name."""
    return (
        re.fullmatch(r"[a-z][a-z0-9_]{0,40}", name) is not None
        and not keyword.iskeyword(name)
        and name not in RESERVED
        and name not in ("count", "index")
    )
