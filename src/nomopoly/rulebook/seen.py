"""What rules declare for the pages: what attributes ask, what is said when an act is done, how proposals stand.

Nothing of it stops a game, so that what is wrong with it is a warning: pages would show less than the rule means.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from difflib import get_close_matches
from typing import Any

from nomopoly.kernel.emergency import PHASES, RESULTS
from nomopoly.rulebook.dialect.names import near
from nomopoly.rulebook.outline import (
    ACTION_OPTIONS,
    Declared,
    argument,
    called,
    first_word,
    form_fields,
    option,
    top_calls,
    word,
    words_in,
)

OF = {"phase": "proposal", "result": "proposal", "standing": "proposal", "leaves_at": "player"}
EVENT_OPTIONS = frozenset(("fact", "say", "notify"))
WORDS = {"phase": PHASES, "result": RESULTS}
VIEWERS = ("all", "owner", "admin", "nobody")
TYPES = ("number", "money", "word", "yesno", "moment", "thing", "list", "colour", "sign", "votes")
MOMENTS = {"weekday": (1, -1, 6), "hour": (2, 0, 23), "minute": (3, 0, 59)}  # place in the call, least and most


def seen_problems(tree: ast.Module, declared: Declared, params: dict[str, Any]) -> Iterator[tuple[int, str]]:
    """What pages could not show of what a program declares for them: (line, message). `params`: the rule's numbers."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and called(node) == "note"]
    noted = {each.arg for call in calls for each in call.keywords}
    for call, _ in top_calls(tree):
        if called(call) in ("attribute", "value"):
            yield from asks_in_vain(call, declared)
            yield from looks_like_nothing(call)
        if called(call) == "attribute":
            yield from shown_to_nobody(call, declared)
        elif called(call) == "calendar":
            yield from comes_never(call, params)
        elif called(call) == "action":
            yield from says_in_vain(call)
        if called(call) in ("action", "event"):
            yield from leaves_holes(call, noted)
    yield from rows_twice(tree)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                if isinstance(decorator, ast.Call) and called(decorator) == "value":
                    yield from stands_nowhere(decorator, node)


def rows_twice(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """A rule declares a row of a catalogue twice."""
    lines: dict[tuple[str | None, ...], int] = {}
    for call, _ in top_calls(tree):
        row = tuple(word(each) for each in call.args[:2]) if called(call) == "row" else ()
        if len(row) == 2 and None not in row and lines.setdefault(row, call.lineno) != call.lineno:
            yield (
                call.lineno,
                f"the row '{row[1]}' of '{row[0]}' stands in line {lines[row]} already, and that one holds",
            )


def asks_in_vain(call: ast.Call, declared: Declared) -> Iterator[tuple[int, str]]:
    """An attribute or value asks for an action, or until a moment, that nothing declares."""
    asks, until = option(call, "asks"), option(call, "until")
    if asks and asks not in declared.actions:
        yield call.lineno, f"there is no action '{asks}' to ask for"
    if until and until not in declared.attributes and until not in declared.values:
        yield call.lineno, f"there is no attribute or value '{until}' that says until when"
    if until and not asks:
        yield call.lineno, "`until` says by when something is asked: say what, asks=..."


def looks_like_nothing(call: ast.Call) -> Iterator[tuple[int, str]]:
    """An attribute or value is of a type that pages do not know."""
    type = option(call, "type")
    if type and type not in TYPES:
        hint = near(type, TYPES) or f": there are {', '.join(TYPES)}"
        yield call.lineno, f"pages know no type '{type}'{hint}"


def shown_to_nobody(call: ast.Call, declared: Declared) -> Iterator[tuple[int, str]]:
    """Who is to see an attribute is said by a word that means nobody."""
    for viewer in words_in(argument(call, 4, "show")):
        if viewer not in VIEWERS and viewer not in declared.attributes:
            told = near(viewer, VIEWERS) or f": there are {', '.join(VIEWERS)}, and attributes that are yes or no"
            yield call.lineno, f"nobody is meant by show='{viewer}'{told}"


def comes_never(call: ast.Call, params: dict[str, Any]) -> Iterator[tuple[int, str]]:
    """A moment of the calendar that no week has."""
    for name, (place, least, most) in MOMENTS.items():
        given = argument(call, place, name)
        number: object = given.value if isinstance(given, ast.Constant) else None
        if isinstance(given, ast.Attribute) and isinstance(given.value, ast.Name) and given.value.id == "rule":
            number = params.get(given.attr)
        if isinstance(number, int) and not least <= number <= most:
            yield call.lineno, f"this moment never comes: {name} is {number}, and may be from {least} to {most}"


def leaves_holes(call: ast.Call, noted: Collection[str | None]) -> Iterator[tuple[int, str]]:
    """The sentence of an event names what is no field of it and is not noted, but nearly called like one: there it
    would have a hole. What else it names, other rules may note."""
    said = option(call, "say") or (word(argument(call, 2, "say")) if called(call) == "event" else None) or ""
    others = ACTION_OPTIONS if called(call) == "action" else EVENT_OPTIONS
    fields = ["who", *form_fields(call, others)]
    for name in dict.fromkeys(re.findall(r"{(\w+)}", said)):
        meant = f"{name}_" if f"{name}_" in fields else next(iter(get_close_matches(name, fields, 1, 0.75)), None)
        if name not in noted and name not in fields and meant is not None:
            own = first_word(call)
            yield call.lineno, f"the sentence has {{{name}}}, which is no field of '{own}': write {{{meant}}}"


def says_in_vain(call: ast.Call) -> Iterator[tuple[int, str]]:
    """What is said when an act is done names a field that its form has not."""
    fields = form_fields(call, ACTION_OPTIONS)
    for name in re.findall(r"{(\w+)}", option(call, "done") or ""):
        if name not in fields:
            yield call.lineno, f"the form has no field '{name}' to say when this is done"


def stands_nowhere(call: ast.Call, function: ast.FunctionDef) -> Iterator[tuple[int, str]]:
    """A value that pages read is of another kind of thing, or gives a word that they do not know."""
    name = first_word(call) or ""
    if name in OF and word(argument(call, 1, "of")) != OF[name]:
        yield call.lineno, f"pages read the value '{name}' of a {OF[name]}: of=\"{OF[name]}\""
    returns = [node for node in ast.walk(function) if isinstance(node, ast.Return)]
    for node in returns if name in WORDS else ():
        for given in answers(node.value):
            if given not in WORDS[name]:
                yield node.lineno, f"pages know no {name} '{given}': it is one of {', '.join(WORDS[name])}"


def answers(node: ast.expr | None) -> list[str]:
    """The words that an expression gives as they stand, here or there."""
    if isinstance(node, ast.IfExp):
        return [*answers(node.body), *answers(node.orelse)]
    if isinstance(node, ast.BoolOp):
        return [given for part in node.values for given in answers(part)]
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []
