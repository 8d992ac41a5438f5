"""What the rules of a game offer for sentences at this moment: events, things, what they have, values, catalogues,
words.

All of it is read from the programs in force, so that a rule which was accepted yesterday offers its events and things
today.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from nomopoly.rulebook.lately import Lately
from nomopoly.rulebook.outline import (
    Declared,
    argument,
    called,
    collect,
    declared_by,
    decorated,
    first_word,
    parse,
    top_calls,
    tree_of,
    word,
    words_in,
)
from nomopoly.rulebook.source import Record

KERNEL_SAYS = {  # the events that every game has, as clauses
    "entry": "a step of the game is over",
    "order": "{who} gives an order",
    "rules-changed": "the rules have changed",
    "apply": "somebody asks to join",
    "join": "{who} joins the game",
    "remove": "{who} leaves the game",
    "grant": "the Admin sets {attribute} of {thing}",
    "answer": "{who} answers {question}",
    "question-lapses": "the time for answering {question} is up",
    "approve-player": "the Admin lets somebody join",
    "decline-player": "the Admin turns somebody away",
    "pause": "the game is paused",
    "resume": "the game goes on",
    "rule": "the Admin rules: {text}",
    "end-disruption": "a pause because of a broken rule ends",
    "time-goes-on": "the Admin resumes a game that is not paused",
    "destroy": "{thing} is gone",
    "open": "the game begins",
    "suspend": "the Admin suspends a rule",
    "reinstate": "the Admin lets a suspended rule act again",
    "hold": "the Admin puts a broken timer off",
    "end-outage": "the Admin ends an outage",
    "emergency-propose": "the Admin proposes a way out of a pause",
}
KERNEL_TYPES = {"paused": "yesno", "paused_at": "moment", "resumed_at": "moment", "deadline": "moment"}
KERNEL_KEEPS = (
    "offsets",
    "operator_stop",
    "operator_stop_at",
    "pause_kind",
    "pause_because",
    "paused_at",
    "resumed_at",
)
GUESSED = {
    "owner": "player",
    "winner": "player",
    "author": "player",
    "holder": "player",
}  # kinds of things that attributes name

TYPES_OF_CALLS = {  # what comes of a word, or the kind of the thing
    **dict.fromkeys(("share", "len", "count", "sum", "max", "min", "int", "abs", "last_number", "distance"), "number"),
    **dict.fromkeys(("square", "winding_neighbour", "winding_next"), "square"),
    **dict.fromkeys(("find", "thing"), "thing"),
    **dict.fromkeys(("tuple", "list", "sorted", "every"), "list"),
}

_lately: Lately[Offers] = Lately()


@dataclass
class Event:
    """An event: its fields with the kinds of their things, its sentence in the log, and its label if it is an
    action."""

    name: str
    fields: dict[str, str]
    say: str = ""
    label: str = ""
    action: bool = False
    by: str = ""
    actor: str = "player"  # who starts an action: player, admin or both


@dataclass
class Attribute:
    """What things of some kinds have; where kinds have others of the same name, `of` holds theirs."""

    name: str
    kinds: list[str]
    label: str
    type: str
    by: str = ""
    of: dict[str, Attribute] = field(default_factory=dict)
    hidden: bool = False  # nobody sees it: what a rule keeps for itself


@dataclass
class Value:
    """A computed quantity: the kind it is of, the names of what it takes."""

    name: str
    of: str
    takes: list[str]
    label: str
    type: str
    by: str = ""
    bands: list[str] | None = None  # the contributions that it takes; None: all


@dataclass
class Catalogue:
    """A word that declares rows, with the columns that it takes (name: type) and the rows there are (id: name)."""

    name: str
    columns: dict[str, str] = field(default_factory=dict)
    rows: dict[str, str] = field(default_factory=dict)
    needed: list[str] = field(default_factory=list)  # columns that every row gives

    def usable(self) -> bool:
        """Whether a row can be made of what sentences can say."""
        return all(name in self.columns for name in self.needed)


@dataclass
class Offers:
    """All that sentences can speak of in a game."""

    declared: Declared
    kinds: dict[str, str] = field(default_factory=dict)  # kind -> label
    events: dict[str, Event] = field(default_factory=dict)
    attributes: dict[str, Attribute] = field(default_factory=dict)
    values: dict[str, Value] = field(default_factory=dict)
    catalogues: dict[str, Catalogue] = field(default_factory=dict)
    numbered: set[str] = field(default_factory=set)  # kinds whose things are known by a number or type
    named: dict[str, str] = field(
        default_factory=dict
    )  # attribute that holds a thing -> its kind, as programs write it
    docs: dict[str, str] = field(default_factory=dict)  # word that all rules may call -> what it is
    records: list[Record] = field(default_factory=list)
    commons: list[tuple[str, str]] = field(default_factory=list)

    def words(self) -> set[str]:
        """The words that programs may call."""
        return self.declared.words

    def attributes_of(self, kind: str) -> list[Attribute]:
        """What things of a kind have."""
        return [each for each in self.attributes.values() if kind in each.kinds]

    def attribute(self, kind: str, name: str) -> Attribute | None:
        """What things of a kind have by a name; of an unknown kind, what all kinds that have it agree on."""
        known = self.attributes.get(name)
        if known is None or kind in known.of:
            return known if known is None else known.of[kind]
        labels, types = {each.label for each in known.of.values()}, {each.type for each in known.of.values()}
        label = known.label if len(labels) < 2 else readable(name)
        return Attribute(name, known.kinds, label, known.type if len(types) < 2 else "", known.by, hidden=known.hidden)

    def kind_of_attribute(self, attribute: str) -> str:
        """The kind of the things that an attribute names, as far as its name tells; "thing" where it does not."""
        return attribute if attribute in self.kinds else self.named.get(attribute) or GUESSED.get(attribute, "thing")


def offers(records: Iterable[Record], commons: Iterable[Iterable[str]] = (), drafted: Record | None = None) -> Offers:
    """What a book and its shared modules offer, with what a drafted rule would declare. Takes odd programs too.

    The last few are kept as long as the book stays as it is: nobody changes what this returns.
    """
    book = [each for each in records if isinstance(each.get("code"), str)]
    book += [drafted] if drafted is not None else []
    shared = [(name, source) for name, source in (tuple(each)[:2] for each in commons)]
    parts = [[each["id"], each["code"], each.get("params")] for each in book]
    return _lately.of([parts, shared], lambda: gathered(book, shared))


def gathered(book: list[Record], shared: list[tuple[str, str]]) -> Offers:
    """The same, made."""
    found = Offers(declared_by(book, shared), records=book, commons=shared)
    found.kinds = {kind: readable(kind) for kind in sorted(found.declared.kinds)}
    for name, fields in found.declared.events.items():
        found.events[name] = Event(name, dict(fields), KERNEL_SAYS.get(name, ""), action=name in found.declared.actions)
    for name in sorted(found.declared.attributes):
        kinds = sorted(found.declared.attributes[name])
        found.attributes[name] = Attribute(name, kinds, readable(name), KERNEL_TYPES.get(name, ""))
        found.attributes[name].hidden = name in KERNEL_KEEPS
    for name in sorted(found.declared.values):
        shape = next(iter(found.declared.shapes.get(name, ())), None)
        found.values[name] = Value(name, shape.of if shape is not None else "", [], readable(name), "")
    trees = [parse(record["code"]) for record in book]
    for _, source in shared:
        tree = tree_of(source)
        if isinstance(tree, ast.Module):
            note_words(tree, found, lent=False)
            note_program(tree, "", found)
    for each in trees:
        if isinstance(each, ast.Module):
            note_words(each, found, lent=True)
    for record, each in zip(book, trees):
        if isinstance(each, ast.Module):
            note_program(each, record["id"], found)
    note_kinds(trees, found)
    return found


def with_draft(found: Offers, code: str) -> Offers:
    """What a book offers together with the declarations of a rule that is being written: its attributes and actions."""
    tree = parse(code)
    if not isinstance(tree, ast.Module):
        return found
    declared = found.declared.copy()
    collect(tree, declared)
    attributes = {
        name: replace(each, kinds=list(each.kinds), of=dict(each.of)) for name, each in found.attributes.items()
    }
    new = replace(found, declared=declared, events=dict(found.events), attributes=attributes)
    for name in declared.attributes.keys() - attributes.keys():
        attributes[name] = Attribute(name, sorted(declared.attributes[name]), readable(name), "")
    for name in declared.events.keys() - found.events.keys():
        new.events[name] = Event(name, dict(declared.events[name]), action=name in declared.actions)
    note_program(tree, "", new)
    return new


def readable(name: str) -> str:
    """A name as words."""
    return name.replace("_", " ").replace("-", " ").strip() or name


def note_words(tree: ast.Module, found: Offers, lent: bool) -> None:
    """Note what the words that rules may call are, and which of them declare rows."""
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef) or node.name.startswith("_"):
            continue
        if lent and not any(isinstance(each, ast.Name) and each.id == "word" for each in node.decorator_list):
            continue
        found.docs[node.name] = " ".join((ast.get_docstring(node) or "").split("\n\n")[0].split())
        rows = [each for each in ast.walk(node) if called(each) == "row" and isinstance(each, ast.Call)]
        names = [each.arg for each in node.args.args]
        if rows and names[:2] == ["id", "name"]:
            defaults = dict(zip(names[-len(node.args.defaults) :], node.args.defaults)) if node.args.defaults else {}
            columns = {name: column_type(defaults.get(name)) for name in names[2:]}
            said = {name: sort for name, sort in columns.items() if sort and name.isidentifier()}
            needed = [name for name in names[2:] if name not in defaults]
            found.catalogues[node.name] = Catalogue(node.name, said, needed=needed)


def note_kinds(trees: list[Any], found: Offers) -> None:
    """Note of which kind the things are that programs write into attributes, where all that can be told agree."""
    written: dict[str, set[str]] = {}
    for tree in trees:
        for function in tree.body if isinstance(tree, ast.Module) else ():
            if not isinstance(function, ast.FunctionDef):
                continue
            events = [
                found.events[name] for each in function.decorator_list if (name := first_word(each)) in found.events
            ]
            for node in ast.walk(function):
                if isinstance(node, ast.Call) and called(node) == "put" and len(node.args) == 3:
                    name, kind = word(node.args[1]), kind_written(node.args[2], events, found)
                    written.setdefault(name or "", set()).update({kind} if kind else ())
    found.named = {name: next(iter(kinds)) for name, kinds in written.items() if len(kinds) == 1 and "?" not in kinds}


def kind_written(node: ast.expr, events: list[Event], found: Offers) -> str:
    """The kind of a thing that is written into an attribute, "?" where it cannot be told; "" for nothing."""
    if isinstance(node, ast.Constant):
        return ""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "e":
        kinds = {event.fields.get(node.attr) or ("player" if node.attr == "who" else "?") for event in events}
        return kinds.pop() if len(kinds) == 1 else "?"
    return "?"


def column_type(node: ast.expr | None) -> str:
    """What a column holds, by what it holds if nothing is said; "" for what sentences do not say."""
    if not isinstance(node, ast.Constant):
        return ""
    return {bool: "yesno", int: "number", str: "word"}.get(type(node.value), "")


def note_program(tree: ast.Module, by: str, found: Offers) -> None:
    """Note what one program declares, with its labels, sentences and types."""
    for call, _ in top_calls(tree):
        name, first = called(call), first_word(call)
        given = {each.arg: each.value for each in call.keywords if each.arg}
        if name in ("event", "action", "calendar") and first in found.events:
            event = found.events[first] = replace(found.events[first])
            event.say = (
                word(given.get("say")) or word(argument(call, 2, "say") if name == "event" else None) or event.say
            )
            event.by = by
            if name == "action":
                event.label = word(argument(call, 1, "label")) or ""
                event.actor = word(given.get("by")) or "player"
        elif name == "attribute":
            note_attribute(call, by, found)
        elif name == "kind" and first in found.kinds:
            found.numbered |= {first} if {"numbered", "named"} & set(given) else set()
            found.kinds[first] = lowered(word(argument(call, 1, "label")) or readable(first))
        elif name == "setting" and first in found.values:
            found.values[first].label = lowered(word(argument(call, 1, "label")) or readable(first))
            found.values[first].by, found.values[first].type = by, "number"
        elif name in found.catalogues and first is not None:
            text = word(call.args[1]) if len(call.args) > 1 else word(given.get("name"))
            found.catalogues[name].rows[first] = text or readable(first)
            for column, content in given.items():
                sort = "number" if is_number(content) else "word" if word(content) is not None else ""
                if sort:
                    found.catalogues[name].columns.setdefault(column, sort)
        if name in found.declared.templates and first is not None:
            for sort, before, after, _ in found.declared.templates[name].events:
                made = found.events.get(before if after else before + first)
                if made is not None and not made.by:
                    made.by = by
                    if sort == "action":
                        made.label = (word(call.args[1]) if len(call.args) > 1 else "") or ""
    for function, call in decorated(tree, "value"):
        value = found.values.get(first_word(call) or "")
        if value is not None:
            given = {each.arg: each.value for each in call.keywords if each.arg}
            value.takes = [each.arg for each in function.args.args]
            value.label = lowered(word(given.get("label")) or readable(value.name))
            value.type = word(given.get("type")) or type_given(function, found)
            value.bands = words_in(given["bands"]) if "bands" in given else None
            value.of = word(argument(call, 1, "of")) or value.of
            value.by = by


def type_given(function: ast.FunctionDef, found: Offers) -> str:
    """The type of what a definition gives, or the kind of the thing, as far as its program tells; "" otherwise."""
    types = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Return) and node.value is not None and ast.unparse(node.value) != "None":
            types.add(type_told(node.value, found))
    return types.pop() if len(types) == 1 else ""


def type_told(node: ast.expr, found: Offers) -> str:
    """The type of an expression, or the kind of the thing that it is, as far as its form tells; "" otherwise."""
    if isinstance(node, ast.Attribute):
        if isinstance(node.value, ast.Name) and node.value.id == "rule":
            return "number"
        known = found.attributes.get(node.attr)
        return "" if known is None else found.kind_of_attribute(node.attr) if known.type == "thing" else known.type
    if isinstance(node, (ast.BoolOp, ast.IfExp)):  # what several of its parts can be, as far as they tell
        parts = node.values if isinstance(node, ast.BoolOp) else [node.body, node.orelse]
        types = {type_told(each, found) for each in parts} - {"", "any"}
        return types.pop() if len(types) == 1 else ""
    if isinstance(node, ast.Constant):
        return {bool: "yesno", int: "number", str: "word"}.get(type(node.value), "")
    if isinstance(node, (ast.Compare, ast.UnaryOp)) and not isinstance(getattr(node, "op", None), ast.USub):
        return "yesno"
    if isinstance(node, ast.JoinedStr):
        return "word"
    if isinstance(node, ast.BinOp):
        return "number" if not isinstance(node.op, ast.Add) else type_told(node.left, found)
    if isinstance(node, ast.Call) and any(each.arg == "key" for each in node.keywords):
        return ""  # one of what is compared
    if isinstance(node, ast.Call) and called(node) in ("find", "thing") and node.args and of_square(node.args[0]):
        return "square"
    return TYPES_OF_CALLS.get(called(node), "list" if isinstance(node, ast.Tuple) else "")


def of_square(node: ast.expr) -> bool:
    """Whether an expression is the id of a square: "#1", f"#{number}"."""
    first = node.values[0] if isinstance(node, ast.JoinedStr) and node.values else node
    return (word(first) or "").startswith("#")


def is_number(node: ast.expr) -> bool:
    """Whether a row gives a number here: a plain one, or one of its rule's."""
    if isinstance(node, ast.Constant):
        return type(node.value) is int
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "rule"


def note_attribute(call: ast.Call, by: str, found: Offers) -> None:
    """Note the label and type of an attribute."""
    known = found.attributes.get(word(argument(call, 1, "name")) or "")
    if known is None:
        return
    default = argument(call, 2, "default")
    kind = (
        type(default.value) if isinstance(default, ast.Constant) else tuple if isinstance(default, ast.Tuple) else None
    )
    guessed = {bool: "yesno", int: "number", str: "word", tuple: "list"}.get(kind or object, "")
    if any(each.arg == "moment" for each in call.keywords):
        guessed = "moment"
    name = known.name
    type_ = "list" if guessed == "list" else word(argument(call, 5, "type")) or guessed or "any"
    label = lowered(word(argument(call, 3, "label")) or readable(name))
    if type_ == "thing" and (name in found.kinds or name in GUESSED):
        label = readable(name)  # "their square" says more than "their where"
    known.type, known.label, known.by = type_, label, by
    known.hidden = word(argument(call, 4, "show")) == "nobody"
    for kind_ in words_in(argument(call, 0, "kind")):
        known.of[kind_] = Attribute(name, [kind_], label, type_, by, hidden=known.hidden)
        known.kinds += [kind_] if kind_ not in known.kinds else []


def lowered(text: str) -> str:
    """A label as it stands within a sentence: its first letter small, unless it begins with a name in capitals."""
    first = text.split(" ")[0] if text else ""
    return text if first[1:] != first[1:].lower() or len(first) < 2 else text[:1].lower() + text[1:]
