"""Clashes: two rules that cannot both hold, which of them wins, and why. Read from the programs, without running
them."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from nomopoly.kernel.index import Program
from nomopoly.kernel.precedence import in_order, reason_between
from nomopoly.rulebook.outline import called, first_word, is_word, parse, words_given
from nomopoly.rulebook.source import Record

WHAT = {
    "on": "say what happens on '{name}'",
    "value": "define the value '{name}'",
    "attribute": "declare '{name}'",
    "event": "declare the event '{name}'",
    "word": "lend the word '{name}'",
    "row": "declare the row '{name}'",
}


@dataclass(frozen=True)
class Clash:
    """Of two rules that say the same thing, `winner` holds. `what` is "on", "value", "attribute", "event", "word",
    "row" (of a catalogue: "unit archer") or "set" (a modifier that sets a value), `name` what they both speak of, and
    `reason` why: "older form", "lower number"..."""

    what: str
    name: str
    winner: str
    loser: str
    reason: str

    def __str__(self) -> str:
        return f"{self.winner} and {self.loser} both {self.both}: {self.winner} wins ({self.reason})"

    @property
    def both(self) -> str:
        """What both of them do."""
        return WHAT.get(self.what, "set the value '{name}'").format(name=self.name)


def clashes(records: Iterable[Record]) -> list[Clash]:
    """The clashes of a book, in order of name. Precedence is the kernel's: what rules state, then age, then number."""
    contenders: dict[tuple[str, str], dict[str, Program]] = {}
    for record in records:
        tree = parse(record["code"])
        if not isinstance(tree, ast.Module):
            continue
        program = Program(record["id"], record["since"])
        for what, name in sorted(claims(tree, program)):
            contenders.setdefault((what, name), {})[record["id"]] = program
    found = []
    for (what, name), programs in sorted(contenders.items()):
        ordered = [entry[0] for entry in in_order([(program,) for program in programs.values()])]
        for loser in ordered[1:]:
            found.append(Clash(what, name, ordered[0].id, loser.id, reason_between(ordered[0], loser)))
    return found


def claims(tree: ast.Module, program: Program) -> set[tuple[str, str]]:
    """What a program claims for itself alone; what it says of precedence goes into `program`."""
    claimed = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and is_word(node):
            claimed.add(("word", node.name))
        calls = node.decorator_list if isinstance(node, ast.FunctionDef) else []
        if isinstance(node, ast.Expr):
            calls = [node.value]
        for call in calls:
            what, name = called(call), first_word(call)
            if what in ("overrides", "defers_to") and isinstance(call, ast.Call):
                named = [
                    each.value for each in call.args if isinstance(each, ast.Constant) and isinstance(each.value, str)
                ]
                getattr(program, what).extend(named)
            elif what == "attribute" and isinstance(call, ast.Call):
                claimed |= {("attribute", each) for each in attributes_of(call)}
            elif name is None:
                continue
            elif what == "action":
                claimed |= {("on", name), ("event", name)}
            elif what in ("on", "event"):
                claimed.add((what, name))
            elif what in ("value", "setting"):
                claimed.add(("value", name))
            elif what == "row" and isinstance(call, ast.Call) and len(words := words_given(call.args[:2])) == 2:
                claimed.add(("row", " ".join(words)))
            elif what == "modify" and isinstance(node, ast.FunctionDef) and sets(node):
                claimed.add(("set", name))
    return claimed


def attributes_of(call: ast.Call) -> list[str]:
    """What an `attribute(kind, name)` declares: `player.money`."""
    if len(call.args) < 2:
        return []
    try:
        kinds, name = ast.literal_eval(call.args[0]), ast.literal_eval(call.args[1])
    except ValueError:
        return []
    return [f"{kind}.{name}" for kind in ((kinds,) if isinstance(kinds, str) else kinds)]


def sets(function: ast.FunctionDef) -> bool:
    """Whether a modifier may return `set(...)`."""
    return any(called(node) == "set" for node in ast.walk(function))
