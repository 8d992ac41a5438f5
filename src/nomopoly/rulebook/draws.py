"""Refusals after a draw: who refuses once the dice have fallen gives the player nothing but the sight of them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from nomopoly.rulebook.outline import called

BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
ADVICE = "Refuse before you roll: a refusal after a draw is entered with its dice, and the draw is lost"


def refusals_after_draws(tree: ast.Module) -> list[int]:
    """The lines on which a program certainly can refuse after a draw, each function by itself, in order."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    drawing = drawers(functions)
    found: set[int] = set()
    for function in functions:
        follow(function.body, drawing, False, found)
    return sorted(found)


def drawers(functions: Iterable[ast.FunctionDef]) -> set[str]:
    """The functions of a program that draw in every case: directly, or by calling another one that does."""
    known: set[str] = set()
    while True:
        more = {each.name for each in functions if each.name not in known and follow(each.body, known, False, set())}
        if not more:
            return known
        known |= more


def follow(block: Iterable[ast.AST], drawing: set[str], drawn: bool, found: set[int]) -> bool:
    """Whether something has been drawn for sure when a block ends; refusals after a draw go into `found` by line."""
    for node in block:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            continue
        for step in steps(node):
            drawn = drawn or draws(step, drawing)
            if drawn and called(step) == "refuse":
                found.add(getattr(step, "lineno", 0))
        ends = [follow(part, drawing, drawn, found) for part in branches(node)]
        if isinstance(node, ast.If) and len(ends) == 2 and all(ends):
            drawn = True
    return drawn


def branches(node: ast.AST) -> Iterator[list[ast.AST]]:
    """The blocks within a statement."""
    for name in BLOCKS:
        block = getattr(node, name, None)
        if isinstance(block, list) and block:
            yield block


def steps(node: ast.AST) -> Iterator[ast.AST]:
    """The expressions of a statement itself, in the order in which they stand, without its blocks and lambdas."""
    for name, part in ast.iter_fields(node):
        for each in part if isinstance(part, list) else [part]:
            if isinstance(each, ast.AST) and name not in BLOCKS and not isinstance(each, ast.Lambda):
                yield from steps(each)
    yield node


def draws(node: ast.AST, drawing: set[str]) -> bool:
    """Whether an expression is a draw: `chance.die()`, or the call of a function that draws."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr != "unforeseen":
        return isinstance(node.func.value, ast.Name) and node.func.value.id == "chance"
    return called(node) in drawing
