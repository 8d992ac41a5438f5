"""Slips that Python takes: lines that do nothing or are never carried out, comparisons that never hold, and a modifier
that returns a plain number."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

from nomopoly.kernel.index import BANDS
from nomopoly.rulebook.dialect.kinds import asked, kind_of, looped
from nomopoly.rulebook.dialect.names import bound_in, node_text, parameters
from nomopoly.rulebook.dialect.vocabulary import FIELDS, READING, STATIONS
from nomopoly.rulebook.draws import branches
from nomopoly.rulebook.outline import Declared, argument, called, decorated, first_word, word

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
AMOUNTS = ("award", "gain", "lose", "pay")
SPANS = ("days", "hours", "minutes", "weeks")
THINGS = ("every", "here", "players", "squares")
A_YEAR = 366 * 24 * 3600  # seconds; no game is so old that this is one of its moments
OF_THINGS = ("destroy", "put", "renew", "was")
NO_NUMBERS = {
    "one_in": "yes or no: ask for it alone",
    "percent": "yes or no: ask for it alone",
    "dice": "a list of dice: sum(...) adds them up",
    "sample": "a list",
}
DRAWS = frozenset(("card", "dice", "die", "one_in", "percent", "pick", "sample"))


WORDS = frozenset((*ASKING, *BANDS, *SAYING, *AMOUNTS, *SPANS, *OF_THINGS, *FIELDS, "at", "chance"))


def slips(tree: ast.Module, declared: Declared, once: bool) -> Iterator[Slip]:
    """The slips of a program; `once` says that it is a proposal's one-time program. One that gives a word of these a
    meaning of its own is not looked at."""
    if WORDS & set(bound_in(tree.body)):
        return
    if once:
        yield from never_reached(tree)
        yield from idle_lines(tree)
    for node in ast.walk(tree):
        for look in LOOKS.get(type(node), ()):
            yield from look(node)
    for function in tree.body:
        if isinstance(function, ast.FunctionDef):
            yield from things_compared(function, declared)
            yield from happening_given(function)
    for name, (level, odd) in RETURNS.items():
        for function, call in decorated(tree, name):
            for node in returned(function):
                said = odd(node, function, first_word(call) or "")
                if said:
                    yield level, node.lineno, said


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


def never_reached(program: ast.FunctionDef | ast.Module) -> Iterator[Slip]:
    """What stands after `return`, `break`, `continue` or a refusal, in the same block."""
    for block in blocks(program.body):
        for before, node in pairwise(block):
            refuses = isinstance(before, ast.Expr) and called(before.value) == "refuse"
            if refuses or isinstance(before, (ast.Return, ast.Break, ast.Continue)):
                why = "refuse(...)" if refuses else type(before).__name__.lower()
                yield "warning", node.lineno, f"this line is never carried out: it stands after {why}"
                break


def idle_lines(program: ast.FunctionDef | ast.Module) -> Iterator[Slip]:
    """Lines that compute something of which nothing comes."""
    answers = any(called(each) in READING for each in getattr(program, "decorator_list", ()))
    for block in blocks(program.body):
        for node in block:
            made = node.value if isinstance(node, ast.Expr) else None
            if made is None:
                continue
            name = called(made)
            bent = made.func if isinstance(made, ast.Call) and isinstance(made.func, ast.Attribute) else None
            if name in BANDS:
                yield "warning", node.lineno, f"this line does nothing: write return {name}(...)"
            elif bent is not None and bent.attr in ("but", "to"):
                yield "warning", node.lineno, f"this line does nothing: write return {node_text(bent)}(...)"
            elif answers and isinstance(made, COMPUTED) and not calls_anything(made):
                yield "warning", node.lineno, f"this line does nothing: write return {node_text(made)}"
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
    given, events = heard(function)
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


def heard(function: ast.FunctionDef) -> tuple[str, list[str]]:
    """What a handler calls the event that it gets, "" if it is none or the name comes to mean something else, and the
    events."""
    stations = [each for each in function.decorator_list if called(each) in (*STATIONS, "action")]
    events = [name for each in stations if (name := first_word(each)) is not None]
    given = parameters(function)[0] if events and parameters(function) else ""
    return ("" if given in bound_again(function) else given), events


def bound_again(function: ast.FunctionDef) -> set[str]:
    """The names that a function, or what is written within it, gives a meaning; its own parameters are none of them."""
    own = set(map(id, ast.walk(function.args)))
    nodes = [node for node in ast.walk(function) if id(node) not in own]
    again = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return again | {node.arg for node in nodes if isinstance(node, ast.arg)}


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


def no_amount(call: ast.Call) -> Iterator[Slip]:
    """An amount of money below zero."""
    amount = argument(call, len(call.args), "amount") or (call.args[-1] if call.args else None)
    below = isinstance(amount, ast.UnaryOp) and isinstance(amount.op, ast.USub) and plain(amount.operand)
    if called(call) in AMOUNTS and below:
        yield "warning", call.lineno, "an amount is 0 or more: gain(...) gives, and lose(...) takes"


def no_moment(call: ast.Call) -> Iterator[Slip]:
    """A span of time, or a small number, where a moment is wanted."""
    moment = argument(call, 0, "moment") if called(call) == "at" else None
    number = plain(moment) if moment is not None else None
    if moment is not None and (called(moment) in SPANS or (type(number) is int and number < A_YEAR)):
        yield "warning", call.lineno, f"at(...) wants a moment: write at(now() + {node_text(moment)}, ...)"


def no_order(call: ast.Call) -> Iterator[Slip]:
    """Things are put in order, and nothing says by what."""
    name, first = called(call), call.args[0] if len(call.args) == 1 else None
    if name in ("max", "min", "sorted") and called(first or call) in THINGS and argument(call, 1, "key") is None:
        yield "warning", call.lineno, f"things have no order: write {name}(..., key=lambda each: each.money), say"


def always_true(branch: ast.If | ast.While | ast.IfExp | ast.comprehension) -> Iterator[Slip]:
    """A condition in which a word or number stands alone: `if x == 5 or 6`."""
    for test in branch.ifs if isinstance(branch, ast.comprehension) else [branch.test]:
        for node in choices_in(test):
            for each in [each for each in node.values if plain(each)][:1]:
                said = f"{node_text(each)} stands alone, and counts as yes: compare it too, or write x in (a, b)"
                yield "warning", each.lineno, said


def choices_in(test: ast.expr) -> Iterator[ast.BoolOp]:
    """Each `a or b`, `a and b` of which a condition asks whether it holds, and `x == (5 or 6)`."""
    if isinstance(test, ast.BoolOp):
        yield test
    parts = test.values if isinstance(test, ast.BoolOp) else [test.operand] if isinstance(test, ast.UnaryOp) else []
    for part in parts:
        yield from choices_in(part)
    for each in test.comparators if isinstance(test, ast.Compare) else ():
        if isinstance(each, ast.BoolOp) and all(plain(part) is not None for part in each.values):
            yield each


def fields_outside(function: ast.FunctionDef) -> Iterator[Slip]:
    """Fields of a form that are made while the game runs."""
    acts = any(called(each) in (*STATIONS, "action") for each in function.decorator_list)
    for block in blocks(function.body) if acts else ():
        for node in block:
            if isinstance(node, (ast.Expr, ast.Assign)) and called(node.value) in FIELDS:
                name = called(node.value)
                said = f"{name}(...) is a field of a form, and stands in @action(...): to ask a player, use ask(...)"
                yield "warning", node.lineno, said


def happening_given(function: ast.FunctionDef) -> Iterator[Slip]:
    """What happens (`e`) where a player or another thing is wanted (`e.who`)."""
    given, _ = heard(function)
    for node in ast.walk(function) if given else ():
        first = node.args[0] if isinstance(node, ast.Call) and node.args else None
        if isinstance(first, ast.Name) and first.id == given and called(node) in (*OF_THINGS, *AMOUNTS, "tell"):
            said = f"{called(node)}(...) wants a thing, and {given} is what happens: write {given}.who, say"
            yield "error", first.lineno, said


def returned(function: ast.FunctionDef) -> Iterator[ast.expr]:
    """What a function returns, with both sides of `a if b else c`."""
    for block in blocks(function.body):
        for node in block:
            if isinstance(node, ast.Return) and node.value is not None:
                yield from ends_of(node.value)


def ends_of(node: ast.expr) -> list[ast.expr]:
    """What an expression may come to."""
    return [*ends_of(node.body), *ends_of(node.orelse)] if isinstance(node, ast.IfExp) else [node]


def no_contribution(node: ast.expr, function: ast.FunctionDef, name: str) -> str:
    """What is said of a modifier that returns a number, or its base changed by hand; else ""."""
    unchanged = [each for each in parameters(function)[-1:] if each not in bound_again(function)]
    base = getattr(node, "id", None) in unchanged
    if plain(node) is None and not isinstance(node, ast.BinOp) and not base:
        return ""
    return (
        f"a modifier of '{name}' returns add(...), set(...) or the like, or nothing: "
        "write return set(...) for a new amount"
    )


def no_reason(node: ast.expr, function: ast.FunctionDef, name: str) -> str:
    """What is said of a check that returns False, as if that meant no; else ""."""
    no = isinstance(node, ast.Constant) and node.value is False
    return f"a check of '{name}' returns why not, in words: return False forbids nothing" if no else ""


def no_replacement(node: ast.expr, function: ast.FunctionDef, name: str) -> str:
    """What is said of a replacement that returns a word or number, or True; else ""."""
    odd = plain(node) is not None or (isinstance(node, ast.Constant) and node.value is True)
    return f"in place of '{name}' comes e.but(...), e.to(...), False (nothing) or no return at all" if odd else ""


Look = Callable[[Any], Iterator[Slip]]
LOOKS: dict[type, tuple[Look, ...]] = {
    ast.FunctionDef: (never_reached, idle_lines, fields_outside),
    ast.Compare: (odd_identity, odd_draws),
    ast.Call: (braces_left, no_thing, no_amount, no_moment, no_order),
    **dict.fromkeys((ast.If, ast.While, ast.IfExp, ast.comprehension), (always_true,)),
}
RETURNS = {
    "modify": ("error", no_contribution),
    "instead": ("error", no_replacement),
    "check": ("warning", no_reason),
}
