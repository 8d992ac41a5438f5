"""Conditions and expressions of programs as parts of sentences."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from nomopoly.rulebook.outline import called, first_word, word
from nomopoly.rulebook.wording.sentence import DATES, UNITS, Part
from nomopoly.rulebook.wording.spelling import CALLS, MATH

PICKS = ("chance.pick", "chance.hidden.pick")
METHODS = ("strip", "casefold", "lower", "upper", "split", "join", "index", "count", "append", "get", "replace")
BY_CALL = {(spelled[0], len(spelled) - 1): (name, spelled[1:]) for name, spelled in CALLS.items()}
OF_OPERATORS = {"Add": "plus", "Sub": "minus", "Mult": "times", "FloorDiv": "divided by", "Mod": "remainder of"}
OF_COMPARISONS = {
    "Eq": "==",
    "NotEq": "!=",
    "Lt": "<",
    "LtE": "<=",
    "Gt": ">",
    "GtE": ">=",
    "Is": "is",
    "IsNot": "is not",
    "In": "in",
    "NotIn": "not in",
}


class Untold(Exception):
    """A piece of a program that no sentence says."""

    def __init__(self, node: ast.AST, what: str) -> None:
        self.line = getattr(node, "lineno", 0)
        super().__init__(what)


@dataclass
class Scope:
    """What a function is read with: the numbers of its rule, and what a `return` means in it."""

    numbers: dict[str, Any]
    how: str
    event: str = "e"  # the name of the event in it
    known: set[str] = field(default_factory=set)  # names within it


def target_names(node: ast.expr) -> list[str]:
    """The names that each of a list gets. Raises Untold."""
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    names = [each.id for each in parts if isinstance(each, ast.Name)]
    if len(names) != len(parts) or not names or (isinstance(node, ast.Tuple) and len(names) < 2):
        raise Untold(node, "no sentence says this")
    return names


def every_kind(node: ast.expr) -> str | None:
    """The kind of `every("flag")`."""
    if called(node) == "every" and isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
        return first_word(node)
    return None


# ---- conditions


def read_condition(node: ast.expr, scope: Scope) -> Part:
    """A condition. Raises Untold."""
    if isinstance(node, ast.BoolOp):
        dated = read_dated(node, scope)
        if dated is not None:
            return dated
        name = "and" if isinstance(node.op, ast.And) else "or"
        return {"is": name, "of": [read_condition(each, scope) for each in node.values]}
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return {"is": "not", "of": read_condition(node.operand, scope)}
    if isinstance(node, ast.Compare):
        return read_compare(node, scope)
    if isinstance(node, ast.Call):
        part = read_call_condition(node, scope)
        if part is not None:
            return part
    kind = every_kind(node)
    if kind is not None:
        return {"is": "some", "kind": kind, "as": "", "if": None}
    part = things_for_which(node, "some", scope)
    return part if part is not None else {"is": "true", "of": read_expression(node, scope)}


def read_dated(node: ast.BoolOp, scope: Scope) -> Part | None:
    """`x is not None and x < now()`: a moment that is known, compared with another one; None for anything else."""
    first, second = node.values[0], node.values[1]
    if not isinstance(node.op, ast.And) or len(node.values) != 2 or not is_order(second):
        return None
    assert isinstance(second, ast.Compare)
    if ast.unparse(first) != f"{ast.unparse(second.left)} is not None":
        return None
    part = read_compare(second, scope)
    return {**part, "is": "dated"} if part["right"]["is"] in DATES else None


def is_order(node: ast.expr) -> bool:
    """Whether something is said to be less or more than one other thing."""
    known = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
    return isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], known)


def read_call_condition(node: ast.Call, scope: Scope) -> Part | None:
    """A call that is a condition of its own, or None."""
    name = called(node)
    if node.keywords:
        return None
    if name == "here" and len(node.args) == 2 and word(node.args[1]) is not None:
        return {"is": "there", "kind": word(node.args[1]), "on": read_expression(node.args[0], scope)}
    if name == "exists" and len(node.args) == 1:
        return {"is": "exists", "of": read_expression(node.args[0], scope)}
    if ast.unparse(node.func) == "chance.one_in" and len(node.args) == 1:
        return {"is": "chance", "in": read_expression(node.args[0], scope)}
    if ast.unparse(node.func) == "e.caused_by" and len(node.args) == 1 and first_word(node) is not None:
        return {"is": "caused by", "event": first_word(node)}
    return None


def things_at(node: ast.expr, name: str, scope: Scope) -> Part | None:
    """All things of a kind, or those for which something holds, as a part of this name; None for another list."""
    kind = every_kind(node)
    return {"is": name, "kind": kind, "as": "", "if": None} if kind is not None else things_for_which(node, name, scope)


def things_for_which(node: ast.expr, name: str, scope: Scope) -> Part | None:
    """`[each for each in every(kind) if ...]`, or None."""
    if not isinstance(node, ast.ListComp) or len(node.generators) != 1:
        return None
    loop = node.generators[0]
    kind = every_kind(loop.iter)
    if (
        kind is None
        or not isinstance(loop.target, ast.Name)
        or len(loop.ifs) != 1
        or not is_name(node.elt, loop.target.id)
    ):
        return None
    scope.known.add(loop.target.id)
    return {"is": name, "kind": kind, "as": loop.target.id, "if": read_condition(loop.ifs[0], scope)}


def read_compare(node: ast.Compare, scope: Scope) -> Part:
    """A comparison, in the plainest form that says it."""
    ops = [OF_COMPARISONS[type(each).__name__] for each in node.ops]
    sides = [node.left, *node.comparators]
    if len(ops) == 2:
        low, of, high = [read_expression(each, scope) for each in sides]
        return {"is": "between", "low": low, "op": ops[0], "of": of, "then": ops[1], "high": high}
    if len(ops) != 1:
        raise Untold(node, "it compares too many things at once")
    left, right, op = sides[0], sides[1], ops[0]
    if isinstance(left, ast.Attribute) and left.attr == "kind" and op == "==" and word(right) is not None:
        return {"is": "kind", "of": read_expression(left.value, scope), "kind": word(right)}
    if isinstance(left, ast.Attribute) and left.attr == "owner" and not is_name(left.value, "e"):
        of = read_expression(left.value, scope)
        if isinstance(right, ast.Constant) and right.value is None and op in ("is", "is not"):
            return {"is": "unowned" if op == "is" else "owned", "of": of}
        if op == "is":
            return {"is": "owned by", "of": of, "by": read_expression(right, scope)}
        if op == "not in" and is_nobody_or(right):
            return {"is": "owned by another", "of": of, "than": read_expression(right.elts[1], scope)}  # type: ignore[attr-defined]
    if op == "not in" and is_nobody_or(right):
        than = read_expression(right.elts[1], scope)  # type: ignore[attr-defined]
        return {"is": "another", "of": read_expression(left, scope), "than": than}
    return {"is": "compare", "left": read_expression(left, scope), "op": op, "right": read_expression(right, scope)}


# ---- expressions


def read_expression(node: ast.expr, scope: Scope) -> Part:
    """An expression. Raises Untold."""
    reader = READERS.get(type(node).__name__)
    if reader is None:
        raise Untold(node, "no sentence says this")
    return reader(node, scope)


def read_constant(node: ast.Constant, scope: Scope) -> Part:
    """A plain content."""
    content = node.value
    if content is None:
        return {"is": "nothing"}
    if isinstance(content, bool):
        return {"is": "yes", "value": content}
    if isinstance(content, int):
        return {"is": "number", "value": content, "name": ""}
    if isinstance(content, str):
        return {"is": "word", "value": content}
    raise Untold(node, "no sentence says this")


def read_name(node: ast.Name, scope: Scope) -> Part:
    """Something that has been named, or a function."""
    if node.id == scope.event or node.id == "rule":
        raise Untold(node, f"{node.id} is handed on as a whole")
    return {"is": "it" if node.id in scope.known else "function", "name": node.id}


def read_attribute(node: ast.Attribute, scope: Scope) -> Part:
    """What something has: a field of the event, a number of the rule, or an attribute."""
    if isinstance(node.value, ast.Name) and scope.event and node.value.id == scope.event:
        return {"is": "result"} if node.attr == "result" else {"is": "field", "name": node.attr}
    if is_name(node.value, "rule"):
        if node.attr not in scope.numbers and node.attr != "id":
            raise Untold(node, f"the rule has no number {node.attr}")
        return {"is": "number", "value": scope.numbers.get(node.attr), "name": node.attr}
    return {"is": "attribute", "of": read_expression(node.value, scope), "name": node.attr}


def read_arithmetic(node: ast.BinOp, scope: Scope) -> Part:
    """Two numbers reckoned together."""
    op = OF_OPERATORS.get(type(node.op).__name__)
    left, right = read_expression(node.left, scope), read_expression(node.right, scope)
    if left["is"] == "now" and right["is"] == "span" and op in ("plus", "minus"):
        return {**right, "is": "from now" if op == "plus" else "ago"}
    if op is None or op not in MATH:
        raise Untold(node, "no sentence says this")
    return {"is": "math", "op": op, "left": left, "right": right}


def read_sign(node: ast.UnaryOp, scope: Scope) -> Part:
    """A number below zero, or what is not so."""
    if isinstance(node.op, ast.Not):
        return {"is": "whether", "if": read_condition(node, scope)}
    if not isinstance(node.op, ast.USub):
        raise Untold(node, "no sentence says this")
    if isinstance(node.operand, ast.Constant) and type(node.operand.value) is int:
        return {"is": "number", "value": -node.operand.value, "name": ""}
    return {"is": "minus", "of": read_expression(node.operand, scope)}


def read_joined(node: ast.BoolOp, scope: Scope) -> Part:
    """The first of several that is there, or whether all hold."""
    if isinstance(node.op, ast.Or):
        return {"is": "or else", "of": [read_expression(each, scope) for each in node.values]}
    return {"is": "whether", "if": read_condition(node, scope)}


def read_either(node: ast.IfExp, scope: Scope) -> Part:
    """One or the other."""
    then, otherwise = read_expression(node.body, scope), read_expression(node.orelse, scope)
    return {"is": "either", "if": read_condition(node.test, scope), "then": then, "otherwise": otherwise}


def read_items(node: ast.Tuple, scope: Scope) -> Part:
    """Several things, one after the other."""
    return {"is": "items", "of": [read_expression(each, scope) for each in node.elts]}


def read_list(node: ast.List, scope: Scope) -> Part:
    """A list of several things."""
    return {"is": "row of", "of": [read_expression(each, scope) for each in node.elts]}


def read_spread(node: ast.Starred, scope: Scope) -> Part:
    """All that is in a list, where one thing could stand."""
    return {"is": "spread", "of": read_expression(node.value, scope)}


def read_place(node: ast.Subscript, scope: Scope) -> Part:
    """One of a list by its place, or some from its beginning or end."""
    at = node.slice
    if isinstance(at, ast.UnaryOp) and isinstance(at.op, ast.USub) and isinstance(at.operand, ast.Constant):
        at = ast.Constant(-at.operand.value)  # type: ignore[operator]
    if isinstance(at, ast.Constant) and type(at.value) is int and -2 <= at.value <= 9:
        return {"is": "at", "of": read_expression(node.value, scope), "place": at.value}
    if isinstance(at, ast.Slice) and at.step is None:
        ends = [
            each.value if isinstance(each, ast.Constant) and type(each.value) is int else ""
            for each in (at.lower, at.upper)
        ]
        if ast.unparse(at) == f"{ends[0]!s}:{ends[1]!s}" and (ends[0] == "") != (ends[1] == ""):
            return {"is": "from", "of": read_expression(node.value, scope), "first": ends[0], "last": ends[1]}
    raise Untold(node, "no sentence says this")


def read_comprehension(node: ast.ListComp, scope: Scope) -> Part:
    """All things of a kind for which something holds, or what something gives for each of a list."""
    all_of_kind = things_for_which(node, "all", scope)
    if all_of_kind is not None:
        return all_of_kind
    if len(node.generators) != 1 or len(node.generators[0].ifs) > 1:
        raise Untold(node, "no sentence says this")
    loop = node.generators[0]
    of = read_expression(loop.iter, scope)
    names = target_names(loop.target)
    scope.known.update(names)
    condition_part = read_condition(loop.ifs[0], scope) if loop.ifs else None
    return {"is": "list", "as": names, "of": of, "if": condition_part, "give": read_expression(node.elt, scope)}


def read_lambda(node: ast.Lambda, scope: Scope) -> Part:
    """A function of one expression."""
    names = [each.arg for each in node.args.args]
    if node.args.vararg or node.args.kwarg or node.args.defaults or node.args.kwonlyargs:
        raise Untold(node, "no sentence says this")
    inner = Scope(scope.numbers, scope.how, scope.event, {*scope.known, *names})
    return {"is": "lambda", "as": names, "give": read_expression(node.body, inner)}


def read_call(node: ast.Call, scope: Scope) -> Part:
    """A call: a part of its own where there is one, otherwise the word as it is called."""
    if isinstance(node.func, ast.Attribute):
        return read_method(node, scope)
    name = called(node)
    if not name or any(each.arg is None for each in node.keywords):
        raise Untold(node, "no sentence says this")
    maker = SPECIAL.get(name)
    special = maker(node, scope) if maker is not None else None
    if special is not None:
        return special
    if (name, len(node.args)) in BY_CALL and not node.keywords:
        part, slots = BY_CALL[name, len(node.args)]
        texts = [
            read_text(each, scope) if is_text(each) and slot in ("text", "because") else read_expression(each, scope)
            for slot, each in zip(slots, node.args)
        ]
        return {"is": part, **dict(zip(slots, texts))}
    return {
        "is": "call",
        "name": name,
        "of": [read_argument(each, scope) for each in node.args],
        "with": read_given(node, scope),
    }


def read_argument(node: ast.expr, scope: Scope) -> Part:
    """An argument of a word: here the event may be handed on as a whole."""
    if scope.event and is_name(node, scope.event):
        return {"is": "it", "name": node.id}  # type: ignore[attr-defined]
    return read_expression(node, scope)


def read_method(node: ast.Call, scope: Scope) -> Part:
    """A call with a dot: a draw, whether something led to this, or a method of a word or list."""
    assert isinstance(node.func, ast.Attribute)
    written = ast.unparse(node.func)
    if written == "chance.die" and len(node.args) == 1 and not node.keywords:
        return {"is": "die", "sides": read_expression(node.args[0], scope)}
    drawn = ("pick" if written == "chance.pick" else "secret pick") if written in PICKS else ""
    if written == "chance.hidden.die" and len(node.args) == 1 and not node.keywords:
        return {"is": "secret die", "sides": read_expression(node.args[0], scope)}
    if drawn and len(node.args) == 1 and not node.keywords:
        found = things_at(node.args[0], drawn, scope)
        if found is not None:
            return found
    if written == "e.caused_by" or (written == "chance.one_in" and len(node.args) == 1 and not node.keywords):
        return {"is": "whether", "if": read_condition_of(node, scope)}
    if written.startswith(("chance.hidden.", "chance.")):
        arguments = [read_expression(each, scope) for each in node.args]
        return {"is": "call", "name": written, "of": arguments, "with": read_given(node, scope)}
    if node.func.attr in METHODS and not node.keywords and not is_name(node.func.value, scope.event or "e"):
        arguments = [read_expression(each, scope) for each in node.args]
        return {
            "is": "method",
            "of": read_expression(node.func.value, scope),
            "name": node.func.attr,
            "args": arguments,
        }
    raise Untold(node, "no sentence says this")


def read_condition_of(node: ast.Call, scope: Scope) -> Part:
    """A call that is a condition. Raises Untold."""
    found = read_call_condition(node, scope)
    if found is None:
        raise Untold(node, "no sentence says this")
    return found


def read_given(node: ast.Call, scope: Scope) -> dict[str, Part]:
    """The arguments by name of a call."""
    if any(each.arg is None for each in node.keywords):
        raise Untold(node, "no sentence says this")
    return {
        str(each.arg): read_text(each.value, scope)
        if isinstance(each.value, ast.JoinedStr)
        else read_expression(each.value, scope)
        for each in node.keywords
    }


def read_value(node: ast.Call, scope: Scope) -> Part | None:
    """What a value is now."""
    if first_word(node) is None or node.keywords:
        return None
    return {"is": "value", "name": first_word(node), "of": [read_expression(each, scope) for each in node.args[1:]]}


def read_bound(node: ast.Call, scope: Scope) -> Part | None:
    """The smaller or the greater of two or more, or the one of a kind with the most or least of something."""
    if len(node.args) == 1:
        return read_extreme(node, scope)
    if len(node.args) < 2 or node.keywords or any(isinstance(each, ast.Starred) for each in node.args):
        return None
    return {
        "is": "least" if called(node) == "min" else "most",
        "of": [read_expression(each, scope) for each in node.args],
    }


def read_extreme(node: ast.Call, scope: Scope) -> Part | None:
    """The one of a kind with the most or least of something; None for another call."""
    given = {each.arg: each.value for each in node.keywords}
    key, usual = given.get("key"), given.get("default")
    if set(given) != {"key", "default"} or len(node.args) != 1 or usual is None or not is_none(usual):
        return None
    if not isinstance(key, ast.Lambda) or len(key.args.args) != 1:
        return None
    found = things_at(node.args[0], "extreme", scope)
    named = key.args.args[0].arg
    if found is None or found["as"] not in ("", named):
        return None
    how, by = {"max": "most", "min": "least"}[called(node)], read_lambda(key, scope)["give"]
    return {"is": "extreme", "how": how, "kind": found["kind"], "as": named, "by": by, "if": found["if"]}


def read_count(node: ast.Call, scope: Scope) -> Part | None:
    """How many there are."""
    if node.keywords or len(node.args) != 1:
        return None
    if called(node) == "count":
        return {"is": "count", "kind": first_word(node), "as": "", "if": None} if first_word(node) else None
    return things_for_which(node.args[0], "count", scope)


def read_all(node: ast.Call, scope: Scope) -> Part | None:
    """All things of a kind."""
    kind = every_kind(node)
    return {"is": "all", "kind": kind, "as": "", "if": None} if kind is not None else None


def read_thing(node: ast.Call, scope: Scope) -> Part | None:
    """The thing of an id."""
    if len(node.args) != 1 or node.keywords or first_word(node) is None:
        return None
    return {"is": "thing", "id": first_word(node)}


def read_span(node: ast.Call, scope: Scope) -> Part | None:
    """A span of time."""
    if len(node.args) != 1 or node.keywords:
        return None
    return {"is": "span", "amount": read_expression(node.args[0], scope), "unit": called(node)}


def read_do(node: ast.Call, scope: Scope) -> Part | None:
    """An event that is made to happen."""
    if len(node.args) != 1 or first_word(node) is None:
        return None
    given = read_given(node, scope)
    may = given.pop("may", {"is": "yes", "value": False})
    if may != {"is": "yes", "value": "may" in [each.arg for each in node.keywords]}:
        return None
    return {"is": "do", "event": first_word(node), "may": may["value"], "with": given}


def read_make(node: ast.Call, scope: Scope) -> Part | None:
    """A thing that is made."""
    if len(node.args) != 1 or first_word(node) is None:
        return None
    return {"is": "make", "kind": first_word(node), "as": "", "with": read_given(node, scope)}


def is_text(node: ast.expr) -> bool:
    """Whether an expression is text that is shown."""
    return isinstance(node, ast.JoinedStr) or word(node) is not None


def read_text(node: ast.expr, scope: Scope) -> Part:
    """Text that is shown, with what stands in it."""
    if not isinstance(node, ast.JoinedStr):
        text = word(node) or ""
        return {"is": "text", "parts": [text] if text else []}
    parts: list[Any] = []
    for each in node.values:
        if isinstance(each, ast.Constant):
            parts.append(each.value)
        elif isinstance(each, ast.FormattedValue) and each.format_spec is None and each.conversion == -1:
            parts.append(read_expression(each.value, scope))
        else:
            raise Untold(node, "no sentence says this")
    return {"is": "text", "parts": parts}


def is_name(node: ast.AST, name: str) -> bool:
    """Whether an expression is this plain name."""
    return isinstance(node, ast.Name) and node.id == name


def is_nobody_or(node: ast.expr) -> bool:
    """Whether an expression is `(None, somebody)`."""
    return isinstance(node, ast.Tuple) and len(node.elts) == 2 and is_none(node.elts[0]) and not is_none(node.elts[1])


def is_none(node: ast.AST) -> bool:
    """Whether an expression is None."""
    return isinstance(node, ast.Constant) and node.value is None


SPECIAL: dict[str, Callable[[ast.Call, Scope], Part | None]] = {
    "value": read_value,
    "min": read_bound,
    "max": read_bound,
    "count": read_count,
    "len": read_count,
    "every": read_all,
    "thing": read_thing,
    "do": read_do,
    "create": read_make,
    **dict.fromkeys(UNITS, read_span),
}
READERS: dict[str, Callable[[Any, Scope], Part]] = {
    "Constant": read_constant,
    "Name": read_name,
    "Attribute": read_attribute,
    "BinOp": read_arithmetic,
    "UnaryOp": read_sign,
    "BoolOp": read_joined,
    "Compare": lambda node, scope: {"is": "whether", "if": read_condition(node, scope)},
    "IfExp": read_either,
    "Tuple": read_items,
    "List": read_list,
    "Starred": read_spread,
    "Subscript": read_place,
    "ListComp": read_comprehension,
    "Lambda": read_lambda,
    "Call": read_call,
    "JoinedStr": read_text,
}
