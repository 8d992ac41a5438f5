"""Problems of rules and proposals, found before anyone votes, in words that say what to do.

`check_changes` looks at the book as it would be after the changes. Errors are what could not be carried out, or would get
round the verbs or remember outside the state; warnings are what a voter should know. Programs are read, never run.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable
from typing import Any

from nomopoly.rulebook.changes import ChangeError, apply_changes, read_changes
from nomopoly.rulebook.dialect import Checker
from nomopoly.rulebook.draws import ADVICE, refusals_after_draws
from nomopoly.rulebook.letters import look_alike, program_letters, prose_letters
from nomopoly.rulebook.outline import Declared, Unreadable, called, declared_by, first_word, parse
from nomopoly.rulebook.problems import Problem
from nomopoly.rulebook.source import Record
from nomopoly.rulebook.typecheck import type_problems

__all__ = ["Problem", "check_book", "check_changes", "check_program", "check_record", "declared_by"]

RUN = "run"  # where a problem is, when it is in a proposal's one-time program


def check_changes(
    changes: Any, run: Any = "", records: Iterable[Record] = (), commons: Iterable[Iterable[str]] = ()
) -> list[Problem]:
    """The problems of a proposal, sorted: its changes of the rulebook `records`, and its one-time program `run`.

    `changes` is a list of changes, or their text in YAML or JSON; `commons` the shared modules, as (name, source). Takes
    anything: what is no list of changes, or no program, is a problem and not an exception.
    """
    book = list(records)
    shared = [tuple(each) for each in commons]
    try:
        wanted = read_changes(changes or [])
        after = apply_changes(book, wanted)
    except ChangeError as error:
        return [Problem("error", error.rule, 0, error.message)]
    before = {record["id"]: record for record in book}
    touched = {record["id"] for record in after if before.get(record["id"]) is not record}
    declared = declared_by(after, shared)
    problems = check_book(after, shared, only=touched, declared=declared)
    for change in wanted:
        if change.get("enact") in before and {"repeal": change["enact"]} not in wanted:
            problems.append(
                Problem(
                    "warning", change["enact"], 0, "there already is a rule of this number: the new one gets the next"
                )
            )
    for id in sorted({record["id"] for record in after} - set(before)):
        alike = look_alike(id, before)
        if alike:
            problems.append(Problem("error", id, 0, f"its number looks like that of rule {alike}: choose another one"))
    earlier = declared_by(book, shared)
    if run:
        problems += check_run(run, declared, earlier)
        repealed = repealed_by(run)
        after = [record for record in after if record["id"] not in repealed]
        declared = declared_by(after, shared) if repealed else declared
    left = {record["id"] for record in after} - touched
    problems += left_behind([before[id] for id in before if id in left], earlier, declared)
    return in_order(problems)


def check_run(run: Any, declared: Declared, earlier: Declared) -> list[Problem]:
    """The problems of a proposal's one-time program, which runs when its changes are made."""
    problems = check_program(RUN, run, {}, declared)
    if any(problem.level == "error" for problem in check_program(RUN, run, {}, earlier, types=False)):
        return problems
    hint = '. The changes come first: to tidy up after a rule, let the program do it and then say repeal("its number")'
    return [
        Problem(each.level, each.rule, each.line, each.message + hint if each.level == "error" else each.message)
        for each in problems
    ]


def repealed_by(run: Any) -> list[str]:
    """The rules that a one-time program takes out, as far as it names them."""
    tree = parse(run)
    nodes = ast.walk(tree) if isinstance(tree, ast.Module) else ()
    return [number for node in nodes if called(node) == "repeal" and (number := first_word(node)) is not None]


def check_book(
    records: Iterable[Record],
    commons: Iterable[Iterable[str]] = (),
    only: Collection[str] | None = None,
    declared: Declared | None = None,
) -> list[Problem]:
    """The problems of all rules of a book, sorted; `only`: the numbers of those to look at."""
    book = list(records)
    declared = declared or declared_by(book, commons)
    problems: list[Problem] = []
    for record in book:
        if only is None or record["id"] in only:
            problems += check_record(record, declared)
    return in_order(problems)


def check_record(record: Record, declared: Declared, types: bool = True) -> list[Problem]:
    """The problems of one rule in a book that declares what `declared` says; `types`: look for type errors too."""
    id, text, params = record["id"], record.get("text"), record.get("params") or {}
    problems = []
    if not isinstance(text, str) or not text.strip():
        problems.append(Problem("warning", id, 0, "it has no prose: say in words what it does"))
        text = ""
    for name, number in params.items():
        if not isinstance(name, str) or not name.isidentifier() or name.startswith("_") or name == "id":
            problems.append(Problem("error", id, 0, f"'{name}' cannot name a number: use letters, digits and _"))
        elif not fixed(number):
            problems.append(Problem("error", id, 0, f"the number '{name}' must be a whole number, a word or yes/no"))
    code = record.get("code") or ""
    for part, where in (("text", "its prose"), ("title", "its title"), ("section_title", "the title of its section")):
        for line, message in prose_letters(str(record.get(part) or "")):
            problems.append(Problem("error", id, 0, f"{where}, line {line}, {message}"))
    for name in re.findall(r"\{([^\W\d]\w*)\}", text):
        if name not in params:
            problems.append(Problem("warning", id, 0, f"the prose has {{{name}}}, but the rule has no number '{name}'"))
    if code:
        problems += check_program(id, code, params, declared, types)
    return in_order(problems)


def fixed(number: Any) -> bool:
    """Whether a rule may have this as a number: a whole number, a word, yes/no, or a tuple (in a journal: list) of these."""
    if isinstance(number, (tuple, list)):
        return all(fixed(each) for each in number)
    return number is None or isinstance(number, (int, str))


def check_program(
    rule: str, code: Any, params: dict[str, Any], declared: Declared, types: bool = True
) -> list[Problem]:
    """The problems of a rule's program; `rule` is `run` for a proposal's one-time program."""
    tree = parse(code)
    letters = [Problem(level, rule, line, message) for level, line, message in program_letters(str(code))]
    if isinstance(tree, Unreadable):
        return in_order([*letters, Problem("error", rule, tree.line, tree.message)])
    checker = Checker(rule, params, declared, once=rule == RUN)
    try:
        checker.check(tree)
    except RecursionError:
        return [*letters, Problem("error", rule, 0, "the program is nested too deeply")]
    problems = [*letters, *checker.problems]
    problems += [Problem("warning", rule, line, ADVICE) for line in refusals_after_draws(tree)]
    if types and not any(problem.level == "error" for problem in problems):
        problems += [
            Problem(level, rule, line, message)
            for level, line, message in type_problems(code, params, declared.commons)
        ]
    return in_order(problems)


def left_behind(untouched: list[Record], before: Declared, after: Declared) -> list[Problem]:
    """Problems that changes make in rules which they do not touch: what those name is declared no more."""
    lost = (
        before.values - after.values
        or before.kinds - after.kinds
        or before.rules - after.rules
        or any(name not in after.events or set(before.events[name]) - set(after.events[name]) for name in before.events)
        or any(before.attributes[name] - after.attributes.get(name, set()) for name in before.attributes)
    )
    problems = []
    for record in untouched if lost else ():
        known = check_record(record, before, types=False)
        for each in check_record(record, after, types=False):
            if each not in known:
                problems.append(Problem(each.level, each.rule, each.line, f"after these changes {each.message}"))
    return problems


def in_order(problems: Iterable[Problem]) -> list[Problem]:
    """Each problem once, errors first, then by rule and line."""
    return sorted(set(problems))
