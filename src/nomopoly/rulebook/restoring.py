"""`restore("8.3")` in a program that runs once: the earlier form of the rule is written out before anybody votes on
it."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from nomopoly.rulebook.changes import ChangeError, written_out
from nomopoly.rulebook.trees import program_tree

Record = dict[str, Any]
FROM = "from_"  # `from` is a word of Python


def run_written_out(
    run: str, records: list[Record], earlier: Callable[[str, str | None], Record | None], in_part: bool = True
) -> str:
    """A program that runs once in which each `restore(number, from_=moment)` is the `amend` (or `enact`) that brings
    the earlier form back, on the same line. What is no Python stays as it is.

    `records`, `earlier` and `in_part` are those of `changes.written_out`. Raises ChangeError.
    """
    try:
        tree = program_tree(run)
    except SyntaxError:
        return run
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and is_restore(node)]
    lines = run.encode().split(b"\n")
    for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset), reverse=True):
        change = written_out([change_of(call)], records, earlier, in_part)[0]
        until, end = call.end_lineno or call.lineno, call.end_col_offset or 0
        last = lines[until - 1][end:]
        whole = lines[call.lineno - 1][: call.col_offset] + spoken(change).encode() + last
        lines[call.lineno - 1 : until] = [whole, *[b""] * (until - call.lineno)]
    return b"\n".join(lines).decode()


def is_restore(call: ast.Call) -> bool:
    """Whether a call is one of `restore`."""
    return isinstance(call.func, ast.Name) and call.func.id == "restore"


def change_of(call: ast.Call) -> dict[str, Any]:
    """What a `restore(...)` asks for, as a change. Raises ChangeError unless it names a rule, and a moment, as they
    are."""
    said = [each.value for each in call.args if isinstance(each, ast.Constant)]
    since = [each.value.value for each in call.keywords if each.arg == FROM and isinstance(each.value, ast.Constant)]
    if len(said) != 1 or len(call.args) != 1 or type(said[0]) is not str or len(since) != len(call.keywords):
        raise ChangeError("run", 'restore names a rule and a moment as they are: restore("8.3", from_="start")')
    return {"restore": said[0], **({"from": since[0]} if since else {})}


def spoken(change: dict[str, Any]) -> str:
    """A change of the rulebook as the call that makes it, on one line."""
    verb = "amend" if "amend" in change else "enact"
    parts = [f"{name}={content!r}" for name, content in change.items() if name != verb]
    return f"{verb}({', '.join([repr(change[verb]), *parts])})"
