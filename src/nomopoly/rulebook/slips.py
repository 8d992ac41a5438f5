"""Slips that Python takes: lines that do nothing or are never carried out, comparisons that never hold, and a modifier
that returns a plain number."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise

from nomopoly.kernel.index import BANDS
from nomopoly.rulebook.dialect.kinds import asked, kind_of, looped
from nomopoly.rulebook.dialect.names import node_text, parameters
from nomopoly.rulebook.dialect.vocabulary import STATIONS
from nomopoly.rulebook.draws import branches
from nomopoly.rulebook.outline import Declared, called, decorated, first_word, word

Slip = tuple[str, int, str]  # (level, line, message)
# Words that only say something: alone on a line they are of no use. (value, thing, square and row_of may refuse.)
ASKING = frozenset(
    [
        *("attribute_of", "can_happen", "count", "days", "every", "exists", "find", "here", "hours", "minutes"),
        *("name_of", "now", "players", "rows", "share", "squares", "weeks"),
        *("abs", "all", "any", "bool", "int", "len", "list", "max", "min", "range", "reversed", "sorted", "str", "sum"),
        *("tuple", "zip"),
    ]
)
COMPUTED = (ast.Compare, ast.BinOp, ast.UnaryOp, ast.BoolOp)
SAYING = {"tell": 1, "refuse": 0, "ask": 1}  # what players read, and where in the call it stands
BRACES = re.compile(r"\{[A-Za-z_][\w.]*\}")
OF_THINGS = ("destroy", "put", "renew", "was")
NO_NUMBERS = {
    "one_in": "yes or no: ask for it alone",
    "percent": "yes or no: ask for it alone",
    "dice": "a list of dice: sum(...) adds them up",
    "sample": "a list",
}
DRAWS = frozenset(("card", "dice", "die", "one_in", "percent", "pick", "sample"))


def slips(tree: ast.Module, declared: Declared) -> Iterator[Slip]:
    """The slips of a program."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            yield from never_reached(node.body)
            yield from idle_lines(node.body)
        elif isinstance(node, ast.Compare):
            yield from odd_identity(node)
            yield from odd_draws(node)
        elif isinstance(node, ast.Call):
            yield from braces_left(node)
            yield from no_thing(node)
    for function in tree.body:
        if isinstance(function, ast.FunctionDef):
            yield from things_compared(function, declared)
    for function, call in decorated(tree, "modify"):
        yield from plain_returns(function, first_word(call) or "")


def blocks(body: list[ast.stmt]) -> Iterator[list[ast.stmt]]:
    """A block of a function and all those within it, without the functions that are made there."""
    yield body
    for node in body:
        for part in branches(node) if not isinstance(node, (ast.FunctionDef, ast.ClassDef)) else ():
            if all(isinstance(each, ast.stmt) for each in part):
                yield from blocks([each for each in part if isinstance(each, ast.stmt)])
            for each in part:
                inner = getattr(each, "body", None)
                if not isinstance(each, ast.stmt) and isinstance(inner, list):
                    yield from blocks(inner)


def never_reached(body: list[ast.stmt]) -> Iterator[Slip]:
    """What stands after `return`, `break`, `continue` or a refusal, in the same block."""
    for block in blocks(body):
        for before, node in pairwise(block):
            refuses = isinstance(before, ast.Expr) and called(before.value) == "refuse"
            if refuses or isinstance(before, (ast.Return, ast.Break, ast.Continue)):
                why = "refuse(...)" if refuses else type(before).__name__.lower()
                yield "warning", node.lineno, f"this line is never carried out: it stands after {why}"
                break


def idle_lines(body: list[ast.stmt]) -> Iterator[Slip]:
    """Lines that compute something of which nothing comes."""
    for block in blocks(body):
        for node in block:
            made = node.value if isinstance(node, ast.Expr) else None
            if made is None:
                continue
            name = called(made)
            if name in BANDS:
                yield "warning", node.lineno, f"this line does nothing: write return {name}(...)"
            elif isinstance(made, COMPUTED) and not calls_anything(made):
                yield "warning", node.lineno, "this line changes nothing: write with put(thing, name, value)"
            elif name in ASKING or drawn(made) in DRAWS:
                yield "warning", node.lineno, "this line does nothing: nothing uses its result"


def calls_anything(node: ast.expr) -> bool:
    """Whether something is called in an expression, and may do something."""
    return any(isinstance(each, (ast.Call, ast.Yield, ast.Await, ast.NamedExpr)) for each in ast.walk(node))


def odd_identity(node: ast.Compare) -> Iterator[Slip]:
    """`is` with a word or a number."""
    for operator, left, right in sides(node):
        if isinstance(operator, (ast.Is, ast.IsNot)) and (plain(left) or plain(right)):
            sign = "==" if isinstance(operator, ast.Is) else "!="
            yield "warning", node.lineno, f"compare words and numbers with {sign}"


def odd_draws(node: ast.Compare) -> Iterator[Slip]:
    """A draw that is compared with what it never is."""
    for _, left, right in sides(node):
        for draw, other in ((left, right), (right, left)):
            name = drawn(draw)
            if name in NO_NUMBERS and type(plain(other)) is int:
                yield "warning", node.lineno, f"chance.{name}(...) is no number but {NO_NUMBERS[name]}"


def drawn(node: ast.expr) -> str:
    """The draw that an expression is, `die` of `chance.die()`, or ""."""
    method = node.func if isinstance(node, ast.Call) else None
    of_chance = isinstance(method, ast.Attribute) and getattr(method.value, "id", "") == "chance"
    return method.attr if of_chance and isinstance(method, ast.Attribute) else ""


def braces_left(call: ast.Call) -> Iterator[Slip]:
    """Words for players with braces in them that nothing fills in."""
    name = called(call)
    place = SAYING.get(name)
    text = word(call.args[place]) if place is not None and len(call.args) > place else None
    left = BRACES.search(text or "")
    if left:
        yield "warning", call.lineno, f"players would read {left[0]} as it stands: put an f before the quotation mark"


def no_thing(call: ast.Call) -> Iterator[Slip]:
    """A word or number where a thing is to be changed: `put("game", ...)`."""
    name, first = called(call), call.args[0] if call.args else None
    if name in OF_THINGS and first is not None and plain(first) is not None:
        said = f"{name}(...) wants a thing, and {node_text(first)} is none: find it with thing(id)"
        yield "error", call.lineno, said


def things_compared(function: ast.FunctionDef, declared: Declared) -> Iterator[Slip]:
    """Things that are compared with words or numbers, which no thing equals."""
    events = [
        str(first_word(each))
        for each in function.decorator_list
        if called(each) in (*STATIONS, "action") and first_word(each) is not None
    ]
    given = parameters(function)[0] if events and parameters(function) else ""
    kinds = looped(function) | dict.fromkeys(asked(function), "")
    for node in [each for each in ast.walk(function) if isinstance(each, ast.Compare)]:
        for operator, left, right in sides(node):
            within = isinstance(operator, (ast.In, ast.NotIn))
            if not within and not isinstance(operator, (ast.Eq, ast.NotEq)):
                continue
            for thing, other in ((left, right),) if within else ((left, right), (right, left)):
                kind, sort = kind_of(thing, kinds, given, events, declared), sort_of(other, several=within)
                if kind not in declared.kinds or sort is None:
                    continue
                number = sort is int and kind in declared.attributes.get("number", ())
                read = f"{node_text(thing)}.{'number' if number else 'id'}"
                if sort is int:
                    yield "warning", node.lineno, f"a {kind} is no number: compare {read}"
                else:
                    yield "warning", node.lineno, f"a {kind} is no word: compare {read}"


def sort_of(node: ast.expr, several: bool) -> type | None:
    """Whether an expression is a plain word or number, or, if there are `several`, a tuple or list of these alone."""
    if not several:
        value = plain(node)
        return type(value) if type(value) in (int, str) else None
    if not isinstance(node, (ast.Tuple, ast.List)) or not node.elts:
        return None
    sorts = {type(plain(each)) for each in node.elts}
    return sorts.pop() if sorts in ({int}, {str}) else None


def plain(node: ast.expr) -> object:
    """The word or number that an expression is, or None; yes and no are neither."""
    value = node.value if isinstance(node, ast.Constant) else None
    return value if type(value) in (int, str) else None


def sides(node: ast.Compare) -> Iterator[tuple[ast.cmpop, ast.expr, ast.expr]]:
    """Each comparison of a chain: (operator, left, right)."""
    return zip(node.ops, [node.left, *node.comparators], node.comparators, strict=False)


def plain_returns(function: ast.FunctionDef, name: str) -> Iterator[Slip]:
    """A modifier that returns what is no contribution: a number, or its base changed by hand."""
    base = parameters(function)[-1:]
    for block in blocks(function.body):
        for node in block:
            if isinstance(node, ast.Return) and node.value is not None:
                yield from (
                    (
                        "error",
                        each.lineno,
                        f"a modifier of '{name}' returns add(...), set(...) or the like, or nothing: "
                        "write return set(...) for a new amount",
                    )
                    for each in ends_of(node.value)
                    if plain(each) is not None or isinstance(each, ast.BinOp) or [getattr(each, "id", None)] == base
                )


def ends_of(node: ast.expr) -> list[ast.expr]:
    """What an expression may come to, with both sides of `a if b else c`."""
    return [*ends_of(node.body), *ends_of(node.orelse)] if isinstance(node, ast.IfExp) else [node]
