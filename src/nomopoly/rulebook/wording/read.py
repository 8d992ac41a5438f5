"""Programs read as sentences: each function of a rule, as far as sentences can say what it does.

Whatever is read is written again (`program`) and must give the same program; what does not is not told. So nothing is
left out of a sentence, and a part that no sentence knows makes its whole function untold, with the line on which it
stands.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Container
from dataclasses import dataclass
from typing import Any

from nomopoly.rulebook.outline import called, first_word, is_word_decorator, parse, word, words_in
from nomopoly.rulebook.source import Record
from nomopoly.rulebook.trees import program_tree
from nomopoly.rulebook.wording.offers import readable
from nomopoly.rulebook.wording.program import Unwritable, body_of
from nomopoly.rulebook.wording.reading import (
    Scope,
    Untold,
    every_kind,
    is_name,
    is_text,
    read_condition,
    read_expression,
    read_given,
    read_text,
    target_names,
)
from nomopoly.rulebook.wording.sentence import Part, Sentence

FIELDS = ("choose", "one_of", "words", "number", "moment", "yes_or_no", "goods", "change_list", "program", "anything")
SEVERAL = ("show", "notify")  # options of declarations that may be several words
SHOWN = ("all", "owner", "admin", "nobody")  # who sees an attribute, where it is one word
STATIONS = {"after": "after", "instead": "instead", "check": "forbidden", "on": "on", "action": "button"}
OF_CHANGES = {
    "add": ("more", "less"),
    "percent": ("percent", "percent less"),
    "at_least": ("at least", ""),
    "at_most": ("at most", ""),
    "set": ("exactly", ""),
}


@dataclass(frozen=True)
class Read:
    """One function or declaration of a program: its lines, and the sentence, or the line and reason why there is
    none."""

    lines: tuple[int, int]
    sort: str  # a form of a sentence, or "definition", "marker", "function", "other"
    name: str  # of the function
    sentence: Sentence | None
    untold: int = 0  # the line that no sentence says
    why: str = ""
    doc: str = ""


def read(record: Record, catalogues: Container[str] = ()) -> list[Read]:
    """What each part of the program of a rule says, in order; `catalogues` are the words that declare rows.

    Takes any record and never raises.
    """
    tree = parse(record.get("code", ""))
    if not isinstance(tree, ast.Module):
        return []
    params = record.get("params")
    numbers = params if isinstance(params, dict) else {}
    found = []
    for node in tree.body:
        first = min([node.lineno, *[each.lineno for each in getattr(node, "decorator_list", ())]])
        lines = (first, node.end_lineno or node.lineno)
        if isinstance(node, ast.FunctionDef):
            found.append(read_function(node, lines, numbers))
        else:
            found += read_declaration(node, lines, numbers, catalogues)
    return joined(found)


def read_run(run: str) -> list[Read]:
    """What a program that runs once says: each of its functions, and then all that it does. Takes any and never
    raises."""
    tree = parse(run)
    if not isinstance(tree, ast.Module):
        return []
    found, body = [], []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            found.append(read_function(node, (node.lineno, node.end_lineno or node.lineno), {}))
        else:
            body.append(node)
    return [*found, read_once(body)] if body else found


def read_once(body: list[ast.stmt]) -> Read:
    """What is done once, without a function around it."""
    lines = (body[0].lineno, body[-1].end_lineno or body[-1].lineno)
    scope = Scope({}, "on", "", {"proposal"})
    try:
        condition_part, then = read_body(body, scope)
        must_be_same(body[0], [], body, condition_part, then, scope)
        return Read(lines, "once", "", {"form": "once", "if": condition_part, "then": then})
    except Untold as reason:
        return Read(lines, "once", "", None, reason.line or lines[0], str(reason))


def joined(reads: list[Read]) -> list[Read]:
    """A moment of the calendar together with what happens then, as one sentence."""
    moments = {each.sentence["moment"]: each for each in reads if each.sort == "every" and each.sentence is not None}
    found = []
    for each in reads:
        sentence = each.sentence
        if sentence is not None and each.sort == "when" and sentence["how"] == "on" and sentence["event"] in moments:
            calendar = moments[sentence["event"]].sentence or {}
            whole = {**calendar, "if": sentence["if"], "then": sentence["then"]}
            found.append(Read(each.lines, "every", each.name, whole, doc=each.doc))
        else:
            found.append(each)
    kept = {id(each.sentence) for each in found if each.sort == "every" and each.name}
    handled = {each.sentence["moment"] for each in found if id(each.sentence) in kept and each.sentence}
    return [each for each in found if each.sort != "every" or each.name or each.sentence["moment"] not in handled]  # type: ignore[index]


# ---- functions


def read_function(node: ast.FunctionDef, lines: tuple[int, int], numbers: dict[str, Any]) -> Read:
    """A function at the top of a rule."""
    decorator = next((each for each in node.decorator_list if isinstance(each, ast.Call)), None)
    name = called(decorator) if decorator is not None else ""
    body = node.body
    doc = ast.get_docstring(node) or ""
    if doc:
        body = body[1:]
    sort = "when" if name in STATIONS else {"value": "definition", "modify": "value", "marker": "marker"}.get(name, "")
    sort = "button" if name == "action" else sort or "function"
    try:
        if len(node.decorator_list) > 1 or (sort == "function" and not plain_function(node)):
            raise Untold(node, "it has several decorators")
        sentence = function_sentence(node, decorator, name, sort, body, numbers)
        return Read(lines, sort, node.name, sentence, doc=doc)
    except Untold as reason:
        return Read(lines, sort, node.name, None, reason.line or node.lineno, str(reason), doc)


def plain_function(node: ast.FunctionDef) -> bool:
    """Whether it is a function of its own or lent to others, and no more."""
    return all(is_word_decorator(each) for each in node.decorator_list)


def function_sentence(
    node: ast.FunctionDef,
    decorator: ast.Call | None,
    station: str,
    sort: str,
    body: list[ast.stmt],
    numbers: dict[str, Any],
) -> Sentence:
    """The sentence of a function. Raises Untold."""
    takes = node.args
    if takes.vararg or takes.kwarg or takes.kwonlyargs or takes.posonlyargs:
        raise Untold(node, "it takes any number of things")
    names = [each.arg for each in takes.args]
    if sort in ("when", "button") and len(names) != 1:
        raise Untold(node, "it does not take an event")
    how = STATIONS.get(station, sort)
    scope = Scope(numbers, how, names[0] if sort in ("when", "button") else "", set(names))
    condition_part, then = read_body(body, scope)
    must_be_same(node, names, body, condition_part, then, scope)
    whole: Sentence = {"if": condition_part, "then": then}
    if decorator is None:
        return {"form": "function", "name": node.name, "as": names, **whole}
    first = first_word(decorator)
    if first is None:
        raise Untold(decorator, "what it is about is no plain word")
    if sort == "when":
        return {"form": "when", "event": first, "how": how, **whole}
    if sort == "button":
        return button_sentence(decorator, first, whole, scope)
    if sort == "value":
        if not names or names[-1] != "base":
            raise Untold(node, "it does not take base last")
        return {"form": "value", "value": first, "as": names[:-1], **whole}
    if sort == "marker":
        return {"form": "marker", "kind": first, "as": names, **whole}
    label = next((word(each.value) or "" for each in decorator.keywords if each.arg == "label"), "")
    return {"form": "definition", "value": first, "label": label, "as": names, **whole}


def must_be_same(
    node: ast.stmt,
    names: list[str],
    body: list[ast.stmt],
    condition_part: Part | None,
    then: list[Part],
    scope: Scope,
) -> None:
    """Raise Untold unless the sentence gives the same program again."""
    try:
        again = program_tree("\n".join(body_of(condition_part, then)))
    except (Unwritable, SyntaxError, ValueError, RecursionError) as error:
        raise Untold(node, f"it cannot be written again: {error}") from None
    if scope.event and scope.event != "e":
        raise Untold(node, "its event is not called e")
    for old, new in zip(body, again.body):
        if shape(old) != shape(new):
            raise Untold(old, "it cannot be written again in the same way")
    if len(body) != len(again.body):
        raise Untold(body[-1], "it cannot be written again in the same way")


def shape(node: ast.AST) -> str:
    """What a piece of a program says, however it is written: the order of arguments by name means nothing."""
    copy = program_tree(ast.unparse(node))
    for each in ast.walk(copy):
        if isinstance(each, ast.Call):
            each.keywords.sort(key=lambda keyword: keyword.arg or "")
    return ast.dump(copy)


def button_sentence(decorator: ast.Call, action: str, whole: Sentence, scope: Scope) -> Sentence:
    """The sentence of an action: what its decorator says that forms know, the rest under `more`."""
    given = {each.arg: each.value for each in decorator.keywords if each.arg}
    label = word(decorator.args[1]) if len(decorator.args) > 1 else word(given.get("label"))
    fields: list[Part] = []
    more: dict[str, str] = {}
    secret = False
    asked = [label_of(name, node) for name, node in given.items()]
    for name, node in given.items():
        if name in ("say", "label"):
            continue
        made = button_field(name, node, scope)
        if made is not None:
            fields.append(made)
        elif name == "private" and ast.unparse(node) == "True":
            secret = True
        elif not (name == "fact" and word(node) == action and "say" in given):
            more[name] = word(node) or ("yes" if ast.unparse(node) == "True" else "")
    found = {"form": "button", "action": action, "label": label or "", "say": word(given.get("say")) or ""}
    asks = [each for each in asked if each] if more else []
    return {**found, "fields": fields, "secret": secret, **({"more": more, "asks": asks} if more else {}), **whole}


def label_of(name: str, node: ast.expr) -> str:
    """What a field of a form is called; "" for what is no field."""
    if called(node) not in FIELDS or not isinstance(node, ast.Call):
        return ""
    at = 1 if called(node) in ("choose", "one_of") else 0
    told = word(node.args[at]) if len(node.args) > at else None
    return told or readable(name)


def button_field(name: str, node: ast.expr, scope: Scope) -> Part | None:
    """A field of a form that sentences know, or None."""
    takes = called(node)
    if not isinstance(node, ast.Call) or takes not in ("choose", "one_of", "words", "number", "yes_or_no"):
        return None
    given = {each.arg: each.value for each in node.keywords}
    texts = [word(each) for each in node.args]
    optional = "optional" in given and ast.unparse(given["optional"]) == "True"
    known = {"optional"} | {"words": {"limit"}, "number": {"least", "most"}}.get(takes, set())
    if set(given) - known or (takes == "one_of" and not (node.args and isinstance(node.args[0], ast.Tuple))):
        return None
    if takes == "choose" and len(texts) == 2 and None not in texts:
        return {"name": name, "takes": takes, "label": texts[1], "kind": texts[0], "optional": optional}
    if takes == "one_of" and len(texts) == 2 and texts[1] is not None and isinstance(node.args[0], ast.Tuple):
        options = [word(each) for each in node.args[0].elts]
        return (
            None
            if None in options
            else {"name": name, "takes": takes, "label": texts[1], "options": options, "optional": optional}
        )
    if len(texts) != 1 or texts[0] is None:
        return None
    if takes == "yes_or_no":
        return {"name": name, "takes": takes, "label": texts[0]}
    numbers = {key: limit_of(given[key], scope) for key in ("limit", "least", "most") if key in given}
    if None in numbers.values():
        return None
    if takes == "words":
        return (
            {"name": name, "takes": takes, "label": texts[0], "limit": numbers["limit"], "optional": optional}
            if "limit" in numbers
            else None
        )
    if "least" not in numbers:
        return None
    return {
        "name": name,
        "takes": takes,
        "label": texts[0],
        "least": numbers["least"],
        "most": numbers.get("most"),
        "optional": optional,
    }


def limit_of(node: ast.expr, scope: Scope) -> Any:
    """A whole number, plain or named; None for anything else."""
    try:
        part = read_expression(node, scope)
    except Untold:
        return None
    if part["is"] != "number":
        return None
    return part if part["name"] else part["value"]


# ---- declarations


def read_declaration(
    node: ast.stmt, lines: tuple[int, int], numbers: dict[str, Any], catalogues: Container[str]
) -> list[Read]:
    """A declaration that sentences can make; any other one is left to what pages show of it."""
    call = node.value if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) else None
    reader = DECLARATIONS.get(called(call)) if call is not None else None
    if call is None:
        return []
    try:
        if called(call) in catalogues:
            sentence = row_sentence(call, numbers)
        elif called(call) == "calendar":
            sentence = every_sentence(call, numbers)
        elif reader is not None:
            sentence = reader(call)
        else:
            return []
    except (Untold, KeyError, TypeError):
        return []
    return [Read(lines, sentence["form"], "", sentence)]


def plain_arguments(call: ast.Call, places: tuple[str, ...], known: tuple[str, ...] | None) -> dict[str, Any]:
    """The arguments of a declaration by name, all of them plain contents. Raises Untold."""
    arguments: dict[str, Any] = {}
    if len(call.args) > len(places):
        raise Untold(call, "it has more arguments than sentences know")
    for name, node in [*zip(places, call.args), *[(each.arg or "", each.value) for each in call.keywords]]:
        if known is not None and name not in known:
            raise Untold(call, f"sentences do not know {name}")
        if isinstance(node, ast.Tuple) and not node.elts:
            arguments[name] = []
        elif isinstance(node, ast.Tuple) and len(words_in(node)) == len(node.elts) and name in SEVERAL:
            arguments[name] = words_in(node)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            arguments[name] = -node.operand.value  # type: ignore[operator]
        elif isinstance(node, ast.Constant) and (node.value is None or type(node.value) in (bool, int, str)):
            arguments[name] = node.value
        else:
            raise Untold(node, "it is no plain content")
    return arguments


def attribute_sentence(call: ast.Call) -> Sentence:
    """What everybody has; of several kinds that have it, all are under `more`."""
    places = ("kind", "name", "default", "label", "show", "type", "summary")
    first = call.args[0] if call.args else None
    kinds = words_in(first) if isinstance(first, ast.Tuple) else []
    if isinstance(first, ast.Tuple) and kinds and len(kinds) == len(first.elts):
        call = ast.Call(call.func, [first.elts[0], *call.args[1:]], call.keywords)
    given = {"default": None, "label": "", "show": "all", "type": "", "summary": False}
    given |= plain_arguments(call, places, (*places, "moment", "fixed"))
    more: dict[str, Any] = {name: given[name] for name in ("moment", "fixed") if name in given}
    if given["show"] not in SHOWN:
        more["show"], given["show"] = given["show"], "all"
    if kinds:
        more["kind"] = kinds
    return {
        "form": "attribute",
        **({"more": more} if more else {}),
        **{part: given[part] for part in ("kind", "name", "default", "label", "type", "show", "summary")},
    }


def event_sentence(call: ast.Call) -> Sentence:
    """An event of the rule's own."""
    given = plain_arguments(call, ("event", "fact", "say"), None)
    notify = given.pop("notify", [])
    fields = {name: kind for name, kind in given.items() if name not in ("event", "fact", "say")}
    if not set([notify] if isinstance(notify, str) else notify) <= set(fields):
        raise Untold(call, "what is called notify is a field of its own")
    return {
        "form": "event",
        **({"more": {"notify": notify}} if notify else {}),
        "event": given["event"],
        "fact": given.get("fact", ""),
        "say": given.get("say", ""),
        "fields": fields,
    }


def kind_sentence(call: ast.Call) -> Sentence:
    """A kind of things of the rule's own."""
    places, further = ("kind", "label", "prefix"), ("numbered", "named", "page")
    given = {"label": "", "prefix": ""} | plain_arguments(call, places, (*places, *further))
    more = {name: given[name] for name in further if name in given}
    return {"form": "kind", **({"more": more} if more else {}), **{part: given[part] for part in places}}


def every_sentence(call: ast.Call, numbers: dict[str, Any]) -> Sentence:
    """A moment of the calendar; what else its declaration says, for the log and for a pause, under `more`, as are the
    numbers of the rule that it is given."""
    places = ("moment", "weekday", "hour", "minute")
    scope = Scope(numbers, "calendar")
    given_by_name = [each for each in call.keywords if isinstance(each.value, ast.Attribute)]
    named: dict[str, Any] = {each.arg or "": limit_of(each.value, scope) for each in given_by_name}
    if not all(type(each) is dict and type(each["value"]) is int for each in named.values()):
        raise Untold(call, "it is no plain content")
    rest = ast.Call(call.func, call.args, [each for each in call.keywords if each.arg not in named])
    given = {"weekday": -1, "hour": 0, "minute": 0} | {name: each["value"] for name, each in named.items()}
    given |= plain_arguments(rest, places, (*places, "real", "say", "label"))
    more = {name: each for name, each in given.items() if name not in places} | named
    return {
        "form": "every",
        **({"more": more} if more else {}),
        **{part: given[part] for part in ("moment", "weekday", "hour", "minute")},
        "if": None,
        "then": [],
    }


DECLARATIONS: dict[str, Callable[[ast.Call], Sentence]] = {
    "attribute": attribute_sentence,
    "event": event_sentence,
    "kind": kind_sentence,
}


def row_sentence(call: ast.Call, numbers: dict[str, Any]) -> Sentence:
    """A row of a catalogue, made by a word that declares such rows. Raises Untold."""
    texts = [word(each) for each in call.args]
    if len(texts) != 2 or None in texts or any(each.arg is None for each in call.keywords):
        raise Untold(call, "it is no plain row")
    scope = Scope(numbers, "row")
    columns = {each.arg: read_expression(each.value, scope) for each in call.keywords}
    if any(each["is"] not in ("number", "word", "yes", "nothing") for each in columns.values()):
        raise Untold(call, "it is no plain row")
    return {"form": "row", "catalogue": called(call), "id": texts[0], "name": texts[1], "columns": columns}


# ---- statements


def read_body(body: list[ast.stmt], scope: Scope) -> tuple[Part | None, list[Part]]:
    """The condition that all of a body stands under, if there is one, and its effects."""
    if len(body) == 1 and isinstance(body[0], ast.If) and not body[0].orelse:
        return read_condition(body[0].test, scope), read_effects(body[0].body, scope)
    return None, read_effects(body, scope)


def read_effects(body: list[ast.stmt], scope: Scope) -> list[Part]:
    """Statements as effects."""
    if len(body) == 1 and isinstance(body[0], ast.Pass):
        return []
    return [read_effect(node, scope) for node in body]


def read_effect(node: ast.stmt, scope: Scope) -> Part:
    """One statement. Raises Untold."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        return read_act(node.value, scope)
    if isinstance(node, ast.If):
        return {
            "is": "if",
            "if": read_condition(node.test, scope),
            "then": read_effects(node.body, scope),
            "otherwise": read_effects(node.orelse, scope) if node.orelse else [],
        }
    if isinstance(node, ast.Return):
        return read_return(node, scope)
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        return read_let(node, scope)
    if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add) and isinstance(node.target, ast.Name):
        return {"is": "add to", "name": node.target.id, "by": read_expression(node.value, scope)}
    if isinstance(node, ast.For) and not node.orelse:
        return read_loop(node, scope)
    if isinstance(node, ast.While) and not node.orelse:
        return {"is": "while", "if": read_condition(node.test, scope), "then": read_effects(node.body, scope)}
    if isinstance(node, ast.Break):
        return {"is": "break"}
    if isinstance(node, ast.Continue):
        return {"is": "next"}
    raise Untold(node, "no sentence says this")


def read_let(node: ast.Assign, scope: Scope) -> Part:
    """A name for something."""
    target = node.targets[0]
    be = read_expression(node.value, scope)
    if isinstance(target, ast.Name):
        scope.known.add(target.id)
        if be["is"] == "make":
            return {**be, "as": target.id}
        return {"is": "let", "name": target.id, "be": be}
    if isinstance(target, ast.Tuple) and all(isinstance(each, ast.Name) for each in target.elts):
        names = [each.id for each in target.elts if isinstance(each, ast.Name)]
        scope.known.update(names)
        return {"is": "let many", "names": names, "be": be}
    raise Untold(node, "no sentence says this")


def read_loop(node: ast.For, scope: Scope) -> Part:
    """The same for each of several."""
    names = target_names(node.target)
    scope.known.update(names)
    condition_part, then = read_body(node.body, scope)
    kind = every_kind(node.iter)
    if kind is not None and len(names) == 1:
        return {"is": "each", "as": names[0], "kind": kind, "if": condition_part, "then": then}
    of = read_expression(node.iter, scope)
    return {"is": "for", "as": names, "of": of, "if": condition_part, "then": then}


def read_act(node: ast.Call, scope: Scope) -> Part:
    """A call that does something."""
    if called(node) == "put" and len(node.args) == 3 and not node.keywords and word(node.args[1]) is not None:
        of, name = read_expression(node.args[0], scope), word(node.args[1])
        new = node.args[2]
        if isinstance(new, ast.BinOp) and ast.unparse(new.left) == f"{ast.unparse(node.args[0])}.{name}":
            verb = {"Add": "raise", "Sub": "lower"}.get(type(new.op).__name__)
            if verb is not None:
                return {"is": verb, "of": of, "name": name, "by": read_expression(new.right, scope)}
        return {"is": "set", "of": of, "name": name, "to": read_expression(new, scope)}
    return read_expression(node, scope)


def read_return(node: ast.Return, scope: Scope) -> Part:
    """What a `return` means where it stands."""
    value = node.value
    if value is None:
        return {"is": "stop"}
    if scope.how == "forbidden":
        if isinstance(value, ast.Constant) and value.value is True:
            return {"is": "allow"}
        if is_text(value):
            return {"is": "forbid", "because": read_text(value, scope)}
    elif scope.how == "instead":
        if isinstance(value, ast.Constant) and value.value is False:
            return {"is": "prevent"}
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and is_name(value.func.value, "e"):
            if value.func.attr == "but" and not value.args:
                return {"is": "but", "with": read_given(value, scope)}
            if value.func.attr == "to" and len(value.args) == 1 and first_word(value) is not None:
                return {"is": "to", "event": first_word(value), "with": read_given(value, scope)}
    elif scope.how == "value":
        change = read_change(value, scope)
        if change is not None:
            return change
    return {"is": "return", "be": read_expression(value, scope)}


def read_change(node: ast.expr, scope: Scope) -> Part | None:
    """A contribution to a value, or None."""
    name = called(node)
    if not isinstance(node, ast.Call) or node.keywords:
        return None
    if name == "factor" and len(node.args) == 1:
        return {"is": "change", "how": "times", "amount": read_expression(node.args[0], scope)}
    if name == "factor" and len(node.args) == 2 and isinstance(node.args[0], ast.Constant) and node.args[0].value == 1:
        return {"is": "change", "how": "divided by", "amount": read_expression(node.args[1], scope)}
    if name not in OF_CHANGES or len(node.args) != 1:
        return None
    amount = node.args[0]
    up, down = OF_CHANGES[name]
    if isinstance(amount, ast.UnaryOp) and isinstance(amount.op, ast.USub) and down:
        return {"is": "change", "how": down, "amount": read_expression(amount.operand, scope)}
    return {"is": "change", "how": up, "amount": read_expression(amount, scope)}
