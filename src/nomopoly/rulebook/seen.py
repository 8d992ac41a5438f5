"""What rules declare for the pages: what attributes ask, what is said when an act is done, how proposals stand.

Nothing of it stops a game, so that what is wrong with it is a warning: pages would show less than the rule means.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from nomopoly.kernel.emergency import PHASES, RESULTS
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
)

OF = {"phase": "proposal", "result": "proposal", "standing": "proposal", "leaves_at": "player"}
WORDS = {"phase": PHASES, "result": RESULTS}


def seen_problems(tree: ast.Module, declared: Declared) -> Iterator[tuple[int, str]]:
    """What pages could not show of what a program declares for them: (line, message)."""
    for call, _ in top_calls(tree):
        if called(call) in ("attribute", "value"):
            yield from asks_in_vain(call, declared)
        elif called(call) == "action":
            yield from says_in_vain(call)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                if isinstance(decorator, ast.Call) and called(decorator) == "value":
                    yield from stands_nowhere(decorator, node)


def asks_in_vain(call: ast.Call, declared: Declared) -> Iterator[tuple[int, str]]:
    """An attribute or value asks for an action, or until a moment, that nothing declares."""
    asks, until = option(call, "asks"), option(call, "until")
    if asks and asks not in declared.actions:
        yield call.lineno, f"there is no action '{asks}' to ask for"
    if until and until not in declared.attributes and until not in declared.values:
        yield call.lineno, f"there is no attribute or value '{until}' that says until when"
    if until and not asks:
        yield call.lineno, "`until` says by when something is asked: say what, asks=..."


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
