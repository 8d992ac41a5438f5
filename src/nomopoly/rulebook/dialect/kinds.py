"""Of which kind the things are that a function reads, as far as it says so itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from nomopoly.rulebook.dialect.names import parameters
from nomopoly.rulebook.dialect.vocabulary import ALWAYS_KNOWN, EVENT_PARTS
from nomopoly.rulebook.outline import Declared, called, first_word, word

LISTS = {"players": "player", "squares": "square"}


def foreign_reads(
    function: ast.FunctionDef, events: list[str], declared: Declared
) -> Iterator[tuple[ast.Attribute, str]]:
    """(what reads it, kind) of each attribute that a function reads from a thing of a kind for which no rule declares
    one of that name. `events` are those that it is given; a name of which it asks the kind is left out."""
    given = parameters(function)[0] if events and parameters(function) else ""
    unsure = dict.fromkeys(asked(function), "")
    for node, kinds in reads(function, looped(function)):
        if node.attr in ALWAYS_KNOWN | EVENT_PARTS | declared.columns:
            continue
        kind = kind_of(node.value, kinds | unsure, given, events, declared)
        with_it = declared.attributes.get(node.attr, set())
        if kind in declared.kinds and with_it and kind not in with_it and (kind, node.attr) not in declared.absent:
            yield node, kind


def reads(node: ast.AST, kinds: dict[str, str]) -> Iterator[tuple[ast.Attribute, dict[str, str]]]:
    """All that is read with a dot, with the kinds of the variables there."""
    if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        for each in node.generators:
            yield from reads(each.iter, kinds)
            kinds = kinds | dict.fromkeys(stored(each.target), "")
            if isinstance(each.target, ast.Name):
                kinds[each.target.id] = kind_listed(each.iter)
            for condition in each.ifs:
                yield from reads(condition, kinds)
        for made in (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,):
            yield from reads(made, kinds)
        return
    if isinstance(node, ast.Lambda):
        kinds = kinds | dict.fromkeys(parameters(node), "")
    if isinstance(node, ast.Attribute):
        yield node, kinds
    for part in ast.iter_child_nodes(node):
        yield from reads(part, kinds)


def kind_of(node: ast.expr, kinds: dict[str, str], given: str, events: list[str], declared: Declared) -> str:
    """The kind of the thing that an expression is, or ""."""
    if isinstance(node, ast.Name):
        return kinds.get(node.id, "")
    if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name) or node.value.id != given:
        return ""
    found = {declared.events.get(event, {}).get(node.attr, "") for event in events}
    return found.pop() if len(found) == 1 else ""


def looped(function: ast.FunctionDef) -> dict[str, str]:
    """The variables with which a function only ever goes through the things of one kind, with that kind."""
    found: dict[str, set[str]] = {name: {""} for name in parameters(function)}
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda)):
            continue
        if isinstance(node, ast.For) and isinstance(node.target, ast.Name):
            found.setdefault(node.target.id, set()).add(kind_listed(node.iter))
            waiting += [node.iter, *node.body, *node.orelse]
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.setdefault(node.id, set()).add("")
        else:
            waiting += ast.iter_child_nodes(node)
    return {name: next(iter(kinds)) for name, kinds in found.items() if len(kinds) == 1}


def stored(target: ast.AST) -> list[str]:
    """The names that a target gives a meaning."""
    return [each.id for each in ast.walk(target) if isinstance(each, ast.Name)]


def kind_listed(node: ast.expr) -> str:
    """The kind of the things in a list: `players()`, `every("flag")`, `here(place, "flag")`; or ""."""
    name = called(node)
    if not isinstance(node, ast.Call) or node.keywords:
        return ""
    if name in LISTS and not node.args:
        return LISTS[name]
    if name == "every" and len(node.args) == 1:
        return first_word(node) or ""
    if name == "here" and node.args:
        return "player" if len(node.args) == 1 else word(node.args[1]) or ""
    return ""


def asked(function: ast.FunctionDef) -> set[str]:
    """The names of which a function asks what kind of thing they are."""
    return {
        node.value.id
        for node in ast.walk(function)
        if isinstance(node, ast.Attribute) and node.attr == "kind" and isinstance(node.value, ast.Name)
    }
