"""What a rule does otherwise than the whole rest of its book: it names a catalogue that nobody else knows, leaves out a
field that everybody else gives, or puts a word where a number is kept."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from nomopoly.kernel.declaring import guess_type
from nomopoly.kernel.things import SORTS
from nomopoly.rulebook.dialect.names import near, node_text
from nomopoly.rulebook.outline import MOST_HINTS, Declared, argument, called, first_word, parse, word, words_in
from nomopoly.rulebook.problems import Problem
from nomopoly.rulebook.source import Record

FILLING = ("row", "catalogue")
READING = ("rows", "row_of")
NAMING = ("holds", "priced")  # what a declaration says of a catalogue
ENOUGH = 3  # other rules that make an event happen, for what all of them give to be the custom
KEEPS = {  # what is said where an attribute of a type is to keep something else
    "number": "'{name}' keeps whole numbers, and {given} is none",
    "money": "'{name}' keeps whole dollars, and {given} is none",
    "moment": "'{name}' keeps moments, and {given} is none",
    "word": "'{name}' keeps words, and {given} is none",
    "yesno": "'{name}' keeps True or False, and {given} is neither",
    "thing": "'{name}' keeps things, and {given} is none",
    "list": "'{name}' keeps tuples, and {given} is none",
}


@dataclass(frozen=True)
class Usage:
    """What one program names, in the order of its lines."""

    filled: list[tuple[str, int]] = field(default_factory=list)  # catalogues: (name, line)
    read: list[tuple[str, int]] = field(default_factory=list)
    done: list[tuple[str, frozenset[str], int]] = field(default_factory=list)  # (event, fields given, line)
    kept: list[tuple[str, str]] = field(default_factory=list)  # attributes: (name, type)
    written: list[tuple[str, ast.expr, int]] = field(default_factory=list)  # (attribute, what is put there, line)
    compared: list[tuple[str, ast.expr, int]] = field(
        default_factory=list
    )  # (attribute, with which word or number, line)


def usage_problems(
    changed: Iterable[Record], book: Iterable[Record], before: dict[str, Record], declared: Declared
) -> Iterator[Problem]:
    """The problems of rules that change, in the `book` with the changes. What was so in a rule `before` is not said."""
    every = {record["id"]: usage_of(record["code"]) for record in book}
    shared = [usage_of(code) for _, code in declared.commons]
    kept = kept_types([*shared, *every.values()])
    for record in changed:
        others = [*shared, *(usage for id, usage in every.items() if id != record["id"])]
        earlier = usage_of(before[record["id"]]["code"]) if record["id"] in before else Usage()
        known = {message for _, message in odd_usage(earlier, others, kept, declared)}
        for line, message in odd_usage(every[record["id"]], others, kept, declared):
            if message not in known:
                yield Problem("warning", record["id"], line, message)


def odd_usage(own: Usage, others: list[Usage], kept: dict[str, str], declared: Declared) -> Iterator[tuple[int, str]]:
    """What one rule does otherwise than the others: (line, message)."""
    yield from unknown_catalogues(own, others, declared)
    yield from fields_left_out(own, others, declared)
    yield from other_sorts(own, kept)


def unknown_catalogues(own: Usage, others: list[Usage], declared: Declared) -> Iterator[tuple[int, str]]:
    """Catalogues that only this rule knows, where one nearly of that name is known."""
    filled = {name for usage in others for name, _ in usage.filled} | declared.kinds
    known = filled.union(name for usage in others for name, _ in usage.read)
    for named, enough in ((own.filled, known | {name for name, _ in own.read}),
                          (own.read, filled | {name for name, _ in own.filled})):  # fmt: skip
        unknown = [(name, line) for name, line in named if name not in enough]
        for name, line in unknown[:MOST_HINTS]:  # to look for what is near takes long
            hint = near(name, enough)
            if hint:
                yield line, f"no other rule knows '{name}'{hint}"


def fields_left_out(own: Usage, others: list[Usage], declared: Declared) -> Iterator[tuple[int, str]]:
    """Fields of an event that all other rules give which make it happen."""
    gifts: dict[str, list[frozenset[str]]] = {event: [] for event, _, _ in own.done}
    for usage in others if gifts else ():
        for event, given, _ in usage.done:
            gifts.get(event, []).append(given)
    customs = {event: frozenset.intersection(*each) for event, each in gifts.items() if len(each) >= ENOUGH}
    for event, given, line in own.done:
        always = customs.get(event, frozenset())
        left = [name for name in declared.events.get(event, ()) if name in always - given]
        if left:
            yield line, f'do("{event}") leaves out what every other rule gives: {", ".join(left)}'


def other_sorts(own: Usage, kept: dict[str, str]) -> Iterator[tuple[int, str]]:
    """What is put where something of another sort is kept, or compared with it."""
    for uses, equal in ((own.written, ()), (own.compared, ("yesno",))):  # True == 1 holds
        for name, node, line in uses:
            sort, held = sort_given(node), kept.get(name)
            if sort is not None and held in KEEPS and held not in equal and sort is not SORTS[held][0]:
                yield line, KEEPS[held].format(name=name, given=node_text(node))


def sort_given(node: ast.expr) -> type | None:
    """Of what sort an expression certainly is, or None."""
    if isinstance(node, ast.Constant):
        return type(node.value) if type(node.value) in (int, str, bool) else None
    if isinstance(node, ast.Attribute) and node.attr == "id":
        return str
    return tuple if isinstance(node, ast.Tuple) else None


def kept_types(book: list[Usage]) -> dict[str, str]:
    """The types of attributes, where all that are declared under one name agree."""
    found: dict[str, set[str]] = {}
    for usage in book:
        for name, type_name in usage.kept:
            found.setdefault(name, set()).add(type_name)
    return {name: types.pop() for name, types in found.items() if len(types) == 1}


@lru_cache(maxsize=2048)
def usage_of(code: str) -> Usage:
    """What a program names."""
    usage, tree = Usage(), parse(code)
    for node in ast.walk(tree) if isinstance(tree, ast.Module) else ():
        if isinstance(node, ast.Call):
            note(usage, node)
        elif isinstance(node, ast.Compare):
            note_compared(usage, node)
    return usage


def note_compared(usage: Usage, node: ast.Compare) -> None:
    """Note which attributes are compared with words and numbers. What an event has (`e.number`) is none."""
    for operator, (left, right) in zip(node.ops, pairwise([node.left, *node.comparators]), strict=True):
        within = isinstance(operator, (ast.In, ast.NotIn, ast.Is, ast.IsNot))
        for side, other in () if within else ((left, right), (right, left)):
            if not isinstance(side, ast.Attribute) or getattr(side.value, "id", "") == "e":
                continue
            if isinstance(other, ast.Constant) and type(other.value) in (int, str):
                usage.compared.append((side.attr, other, node.lineno))


def note(usage: Usage, call: ast.Call) -> None:
    """Note what one call names."""
    name, verb, line = first_word(call), called(call), call.lineno
    for key in NAMING:
        usage.read.extend(
            (each, line) for words in words_in(argument(call, len(call.args), key)) for each in words.split()
        )
    if name is not None and verb in FILLING + READING:
        (usage.filled if verb in FILLING else usage.read).append((name, line))
    elif name is not None and verb == "do" and all(each.arg for each in call.keywords) and len(call.args) == 1:
        usage.done.append((name, frozenset(each.arg for each in call.keywords if each.arg), line))
    elif verb == "attribute" and (kept := word(argument(call, 1, "name"))) is not None:
        usage.kept.append((kept, type_of(call)))
    elif verb == "put" and len(call.args) == 3 and (written := word(call.args[1])) is not None:
        usage.written.append((written, call.args[2], line))
    elif verb == "create":
        usage.written.extend((each.arg, each.value, line) for each in call.keywords if each.arg)


def type_of(call: ast.Call) -> str:
    """The type of an attribute that is declared, or "" where anything may be kept, or nobody can tell."""
    given, default = argument(call, 5, "type"), argument(call, 2, "default")
    if isinstance(default, ast.Tuple):
        return "list"
    if not isinstance(default, ast.Constant | None) or any(each.arg is None for each in call.keywords):
        return ""
    if given is not None:
        return word(given) or ""
    if argument(call, len(call.args), "moment") is not None:
        return "moment"
    return "" if default is None or default.value is None else guess_type(default.value)
