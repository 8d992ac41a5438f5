"""The ways by which players change the rules: what is said when changes leave none of one of them."""

from __future__ import annotations

import ast
from collections.abc import Callable

from nomopoly.rulebook.outline import Declared, called, option, parse, top_calls
from nomopoly.rulebook.problems import Problem
from nomopoly.rulebook.source import Record


def proposes(call: ast.Call) -> bool:
    """Whether it declares an action by which players propose changes of the rules."""
    return option(call, "by") != "admin" and any(called(each.value) == "change_list" for each in call.keywords)


def votes(call: ast.Call) -> bool:
    """Whether it declares a vote."""
    return option(call, "ballot") is not None


def puts_into_effect(call: ast.Call) -> bool:
    """Whether it declares how the Admin puts proposals into effect."""
    return option(call, "judges") in ("accepts", "implements")


WAYS: tuple[tuple[Callable[[ast.Call], bool], Callable[[str], Problem]], ...] = (
    (
        proposes,
        lambda rule: Problem("warning", rule, 0, "after these changes no player can propose anything any more"),
    ),
    (votes, lambda rule: Problem("warning", rule, 0, "after these changes nobody can vote any more")),
    (
        puts_into_effect,
        lambda rule: Problem(
            "warning", rule, 0, "after these changes the Admin can put no proposal into effect any more"
        ),
    ),
)


def rules_with(way: Callable[[ast.Call], bool], records: list[Record]) -> list[str]:
    """The rules that declare such an action."""
    return [each["id"] for each in records if "@action(" in each["code"] and has(way, each["code"])]


def has(way: Callable[[ast.Call], bool], code: str) -> bool:
    """Whether a program declares such an action."""
    tree = parse(code)
    calls = top_calls(tree) if isinstance(tree, ast.Module) else ()
    return any(called(call) == "action" and decorator and way(call) for call, decorator in calls)


def ways_lost(old: list[Record], new: list[Record], before: Declared, after: Declared) -> list[Problem]:
    """A warning for each way that a book had and has no more, at the rule that goes or changes with it."""
    kept = {each["id"]: each for each in new}
    gone = [each for each in old if kept.get(each["id"]) is not each]
    problems = [
        problem(rule) for way, problem in WAYS for rule in rules_with(way, gone)[:1] if not rules_with(way, new)
    ]
    counted = {event for _, event, _ in before.ballots if event in before.events}
    uncounted = [name for name, event, _ in after.ballots if event in counted and event not in after.events]
    rules = [each["id"] for each in gone if any(f'"{event}"' in each["code"] for event in counted)]
    return problems + [
        Problem("warning", rules[0] if rules else "", 0, f"after these changes no vote by '{name}' is ever counted")
        for name in uncounted
    ]
