"""Problems of rules and proposals, found before anyone votes, in words that say what to do.

`check_changes` looks at the book as it would be after the changes. Errors are what could not be carried out, or would
get round the verbs or remember outside the state; warnings are what a voter should know. Programs are read, never run.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import json
import keyword
import re
import threading
import time
from collections.abc import Collection, Iterable
from typing import Any

from nomopoly.rulebook.ballots import ballot_problems
from nomopoly.rulebook.changes import Change, ChangeError, apply_changes, read_changes
from nomopoly.rulebook.dialect import MOST, Checker
from nomopoly.rulebook.dialect.names import near
from nomopoly.rulebook.draws import ADVICE, refusals_after_draws
from nomopoly.rulebook.leaning import Lost, a, by, leaning, lost_between
from nomopoly.rulebook.letters import look_alike, program_letters, prose_letters
from nomopoly.rulebook.outline import (
    Declared,
    Unreadable,
    called,
    collect,
    declared_by,
    first_word,
    parse,
    top_calls,
)
from nomopoly.rulebook.problems import Problem
from nomopoly.rulebook.secrecy import draws_that_tell
from nomopoly.rulebook.seen import seen_problems
from nomopoly.rulebook.slips import slips
from nomopoly.rulebook.source import Record
from nomopoly.rulebook.typecheck import type_problems
from nomopoly.rulebook.usage import usage_problems
from nomopoly.rulebook.ways import ways_lost

__all__ = ["Problem", "check_book", "check_changes", "check_once", "check_program", "check_record", "declared_by"]

MOST_SHOWN = 100  # problems of a proposal
TYPE_SECONDS = 4.0  # within which programs are looked through for type errors
MOST_REMEMBERED = 8  # checks
UNKNOWN = re.compile(
    r"there is no (event|value|kind of thing called) '|no thing has an attribute '|has no (field|attribute) '"
    r"|needs the "
)  # what is said of a name that nothing declares
HINT = re.compile(r": (did you mean|declare it with) .*|, which no rule declares$")
NO_RULE = re.compile(
    r"there is no rule \S+"
)  # one that another goes before or behind: where it is gone, that says nothing
EVENT = re.compile(r"event '([^']+)'")
RUN = "run"  # where a problem is, when it is in a proposal's one-time program

_lock = threading.Lock()
_checked: dict[bytes, list[Problem]] = {}  # what was checked -> its problems, the last used at the end


def check_changes(
    changes: object, run: object = "", records: Iterable[Record] = (), commons: Iterable[Iterable[str]] = ()
) -> list[Problem]:
    """The problems of a proposal, sorted: its changes of the rulebook `records`, and its one-time program `run`.

    `changes` is a list of changes, or their text in YAML or JSON; `commons` the shared modules, as (name, source).
    Takes anything: what is no list of changes, or no program, is a problem and not an exception.
    """
    book = list(records)
    shared = [tuple(each) for each in commons]
    try:
        wanted, impossible = those_possible(book, read_changes(changes or []))
        after = apply_changes(book, wanted)
    except ChangeError as error:
        return [Problem("error", error.rule, 0, error.message)]
    before = {record["id"]: record for record in book}
    touched = {record["id"] for record in after if before.get(record["id"]) is not record}
    declared = declared_by(after, shared)
    changed = [record for record in after if record["id"] in touched]
    problems = [*impossible, *check_rules(changed, declared), *usage_problems(changed, after, before, declared)]
    unread = [record for record in after if record["id"] in touched and isinstance(parse(record["code"]), Unreadable)]
    for change in wanted:
        if change.get("enact") in before and {"repeal": change["enact"]} not in wanted:
            problems.append(
                Problem(
                    "warning", change["enact"], 0, "there already is a rule of this number: the new one gets the next"
                )
            )
    problems += numbers_amended(wanted, before, after)
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
    untouched = [before[id] for id in before if id in left]
    lost = lost_between(earlier, declared, book, after)
    again = declared_again([record for record in after if record["id"] in touched], earlier)
    behind = left_behind(untouched, earlier, declared, lost, again)
    behind += leaning_on(untouched, earlier, lost, {(each.rule, each.line) for each in behind})
    problems += in_few_lines(behind) + kinds_that_go(book, after, earlier, declared, run)
    problems += ways_lost(book, after, earlier, declared)
    texts = [record["code"] for record in (*unread, *(before[each["id"]] for each in unread if each["id"] in before))]
    return bounded(first_causes(problems, [*texts, *misspelt(after, touched, declared)]))


def those_possible(book: list[Record], changes: list[Change]) -> tuple[list[Change], list[Problem]]:
    """The changes that can be made one after the other, and a problem for each other one, so that all are named at
    once: an amendment of a rule that is not there, say."""
    with contextlib.suppress(ChangeError):
        apply_changes(book, changes)
        return changes, []
    possible: list[Change] = []
    problems = []
    for change in changes:
        try:
            book = apply_changes(book, [change])
        except ChangeError as error:
            problems.append(Problem("error", error.rule, 0, error.message))
        else:
            possible.append(change)
    return possible, problems


def numbers_amended(changes: list[Change], before: dict[str, Record], after: list[Record]) -> list[Problem]:
    """Problems of amendments of numbers alone: one that nothing reads, and one that becomes something else than it
    was."""
    problems = []
    now = {record["id"]: record for record in after}
    for change in changes:
        rule, given = str(change.get("amend", "")), change.get("params") or {}
        if rule not in before or rule not in now or {"code", "functions"} & set(change):
            continue
        old = before[rule]["params"]
        for name, number in given.items():
            was = old.get(name)
            if was is not None and number is not None and type(number) is not type(was):
                words = f"the number '{name}' has been {was!r}, and becomes {number!r}: a value of another sort"
                problems.append(Problem("warning", rule, 0, words))
            elif name not in old and number is not None and not is_read(name, now[rule], after):
                hint = near(name, old) or (f": its numbers are {', '.join(old)}" if old else "")
                problems.append(Problem("warning", rule, 0, f"nothing reads its new number '{name}'{hint}"))
    return problems


def is_read(name: str, record: Record, book: list[Record]) -> bool:
    """Whether the prose of a rule says one of its numbers, or a program of the book may read it: as `rule.name`, or by
    the name as a word. A word of the language may have that name too, such as `days(...)`."""
    read = re.compile(rf"\brule\.{name}\b|([\"']){name}\1")
    return f"{{{name}}}" in record["text"] or any(read.search(each["code"]) for each in book)


def misspelt(records: list[Record], touched: set[str], declared: Declared) -> list[str]:
    """The declarations of the rules that change whose word nothing knows, such as `atribute("player", "mood")`."""
    found = []
    for record in records:
        tree = parse(record["code"]) if record["id"] in touched else None
        for call, _ in top_calls(tree) if isinstance(tree, ast.Module) else ():
            if called(call) and called(call) not in declared.words:
                found.append(ast.unparse(call))
    return found


def first_causes(problems: list[Problem], doubtful: list[str]) -> list[Problem]:
    """Problems without those that an earlier one causes: names that programs declare which cannot be read."""
    names = re.compile(r"\"([^\"\n]*)\"|'([^'\n]*)'|(\w+)=")
    quoted = {each for text in doubtful for found in names.findall(text) for each in found if each}
    return [
        each
        for each in problems
        if not (UNKNOWN.search(each.message) and any(name in quoted for name in re.findall(r"'([^']*)'", each.message)))
    ]


def check_once(
    changes: object, run: object = "", records: Iterable[Record] = (), commons: Iterable[Iterable[str]] = ()
) -> list[Problem]:
    """What `check_changes` finds; the last few checks are remembered, as a form is checked before it is sent."""
    book, shared = list(records), [list(each) for each in commons]
    try:
        key = hashlib.sha256(
            json.dumps([changes, run, book, shared], sort_keys=True).encode("utf-8", "replace")
        ).digest()
    except (TypeError, ValueError, RecursionError):
        return check_changes(changes, run, book, shared)
    with _lock:
        problems = _checked.pop(key, None)
    if problems is None:
        problems = check_changes(changes, run, book, shared)
    with _lock:
        _checked[key] = problems
        if len(_checked) > MOST_REMEMBERED:
            _checked.pop(next(iter(_checked)))
    return problems[:]


def bounded(problems: Iterable[Problem]) -> list[Problem]:
    """The first problems in order, and a last one that says how many more there are."""
    every = in_order(problems)
    if len(every) <= MOST_SHOWN:
        return every
    left = [each for each in every if each.more]
    shown = [each for each in every if not each.more][:MOST_SHOWN]
    more = len(every) - len(left) - len(shown) + sum(each.more for each in left)
    return [*shown, Problem(shown[-1].level, "", 0, f"and {more:,} more problems")]


def check_run(run: object, declared: Declared, earlier: Declared) -> list[Problem]:
    """The problems of a proposal's one-time program, which runs when its changes are made."""
    problems = check_program(RUN, run, {}, declared)
    if any(problem.level == "error" for problem in check_program(RUN, run, {}, earlier, types=False)):
        return problems
    hint = '. The changes come first: to tidy up after a rule, let the program do it and then say repeal("its number")'
    return [
        Problem(each.level, each.rule, each.line, each.message + hint if each.level == "error" else each.message)
        for each in problems
    ]


def repealed_by(run: object) -> list[str]:
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
    return in_order(check_rules([record for record in book if only is None or record["id"] in only], declared))


def check_rules(records: Iterable[Record], declared: Declared) -> list[Problem]:
    """The problems of these rules, of which the first are looked through for type errors as well, as long as that may
    take."""
    until = time.monotonic() + TYPE_SECONDS
    return [problem for record in records for problem in check_record(record, declared, types=time.monotonic() < until)]


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
        elif keyword.iskeyword(name):
            problems.append(
                Problem("error", id, 0, f"'{name}' cannot name a number: it is a word of Python. Write {name}_")
            )
        elif not fixed(number):
            problems.append(Problem("error", id, 0, f"the number '{name}' must be a whole number, a word or yes/no"))
    code = record.get("code") or ""
    for part, where in (("text", "its prose"), ("title", "its title"), ("section_title", "the title of its section")):
        for line, message in prose_letters(str(record.get(part) or "")):
            problems.append(Problem("error", id, 0, f"{where}, line {line}, {message}"))
    named = dict.fromkeys(re.findall(r"\{([^\W\d]\w*)\}", text))
    read = set(re.findall(r"\brule\.(\w+)", code)) if isinstance(code, str) else set()
    missing = [name for name in named if name not in params and name not in read]  # of what is read, an error tells
    for name in missing[:MOST]:
        problems.append(Problem("warning", id, 0, f"the prose has {{{name}}}, but the rule has no number '{name}'"))
    if len(missing) > MOST:
        problems.append(more_like_it("warning", id, len(missing) - MOST))
    if code:
        problems += check_program(id, code, params, declared, types)
    return in_order(problems)


def fixed(number: object) -> bool:
    """Whether a rule may have this as a number: a whole number, a word, yes/no, or a tuple (in a journal: list) of
    these."""
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
    problems += [Problem(level, rule, line, message) for level, line, message in ballot_problems(tree, declared)]
    problems += [Problem("warning", rule, line, message) for line, message in draws_that_tell(tree, declared)]
    problems += [Problem("warning", rule, line, message) for line, message in seen_problems(tree, declared, params)]
    problems += [Problem(level, rule, line, message) for level, line, message in slips(tree, declared, rule == RUN)]
    if types and not any(problem.level == "error" for problem in problems):
        problems += [
            Problem(level, rule, line, message)
            for level, line, message in type_problems(code, params, declared.commons)
        ]
    for level, count in checker.counts.items():
        if count > MOST:
            problems.append(more_like_it(level, rule, count - MOST))
    return in_order(problems)


def more_like_it(level: str, rule: str, count: int) -> Problem:
    """What stands for problems of a rule that are counted only."""
    return Problem(level, rule, 0, f"and {count:,} more problems", more=count)


def declared_again(changed: list[Record], before: Declared) -> dict[str, str]:
    """The events that there were before and that rules which change declare with other fields: event -> rule."""
    found: dict[str, str] = {}
    for record in changed:
        own, tree = Declared(templates=before.templates), parse(record["code"])
        if isinstance(tree, ast.Module):
            collect(tree, own)
        found |= {
            name: record["id"] for name in own.events if before.events.get(name, own.events[name]) != own.events[name]
        }
    return found


def left_behind(
    untouched: list[Record], before: Declared, after: Declared, gone: Lost, again: dict[str, str]
) -> list[Problem]:
    """Problems that changes make in rules which they do not touch: what those name is declared no more, or, where rules
    declare it `again`, has other fields."""
    lost = names_lost(before, after)
    problems = []
    for record in untouched if lost else ():
        if any(name in record["code"] for name in lost):
            known = {(each.line, said(each)) for each in check_record(record, before, types=False)}
            for each in check_record(record, after, types=False):
                if (each.line, said(each)) not in known and not NO_RULE.fullmatch(said(each)):
                    named = next((name for name in re.findall(r"'([^']*)'", each.message) if name in gone.makers), "")
                    event = EVENT.match(each.message)
                    newer = again.get(event[1], "") if event else ""
                    sentence = f"after these changes {said(each)}{by(gone, named)}"
                    sentence += f", as rule {newer} declares it" if newer else ""
                    problems.append(Problem(each.level, each.rule, each.line, sentence))
    return problems


def leaning_on(untouched: list[Record], before: Declared, lost: Lost, known: set[tuple[str, int]]) -> list[Problem]:
    """Where rules that are not touched read what nothing has any more; `known`: rules and lines with a problem
    already."""
    return [
        Problem(level, record["id"], line, f"after these changes {message}")
        for record in (untouched if lost else ())
        if record["code"]
        for level, line, message in leaning(record, before, lost)
        if (record["id"], line) not in known
    ]


def in_few_lines(problems: list[Problem]) -> list[Problem]:
    """Report a problem that several lines of a rule have once, for the first of them."""
    lines: dict[tuple[str, str, str], set[int]] = {}
    for each in problems:
        lines.setdefault((each.level, each.rule, each.message), set()).add(each.line)
    found = []
    for (level, rule, message), several in lines.items():
        first, *others = sorted(several)
        more = f"; so in line{'s' if len(others) > 1 else ''} {', '.join(map(str, others[:8]))}" if others else ""
        found.append(Problem(level, rule, first, message + more + (" ..." if len(others) > 8 else "")))
    return found


def kinds_that_go(
    old: list[Record], new: list[Record], before: Declared, after: Declared, run: object
) -> list[Problem]:
    """A kind that is declared no more, while there may be things of it, keeps its rule from going."""
    problems = []
    for kind in sorted(before.kinds - after.kinds):
        rule = next((each["id"] for each in old if each not in new and declares_kind(each, kind)), "")
        if not (isinstance(run, str) and "destroy(" in run):
            tidy = f'for each in every("{kind}"): destroy(each)'
            problems.append(
                Problem(
                    "warning",
                    rule,
                    0,
                    f"the rule that declares a kind cannot go as long as there is {a(kind)}. In place of this "
                    "change, let a "
                    f'program that runs once say: {tidy}; and on its last line: repeal("{rule}")',
                )
            )
    return problems


def declares_kind(record: Record, kind: str) -> bool:
    """Whether a rule declares a kind of thing."""
    tree = parse(record["code"])
    return isinstance(tree, ast.Module) and any(
        called(call) == "kind" and first_word(call) == kind for call, _ in top_calls(tree)
    )


def said(problem: Problem) -> str:
    """What a problem says, without the hint at what was meant, which is not given every time."""
    return HINT.sub("", problem.message)


def names_lost(before: Declared, after: Declared) -> set[str]:
    """The names that are declared no more, and the shared words that need one of them."""
    lost = (before.values - after.values) | (before.kinds - after.kinds) | (before.words - after.words)
    for number in before.rules - after.rules:
        lost |= {f'"{number}"', f"'{number}'"}
    for name, fields in before.events.items():
        if name in after.events:
            lost |= set(fields) - set(after.events[name])
        elif ("event", name) not in after.absent:
            lost.add(name)
    lost |= {name for name, kinds in before.attributes.items() if kinds - after.attributes.get(name, set())}
    return lost | {word for word, needs in before.needs.items() if any(name in lost for _, name in needs)}


def in_order(problems: Iterable[Problem]) -> list[Problem]:
    """Each problem once, errors first, then by rule and line."""
    return sorted(set(problems), key=lambda each: (each.level, each.rule, each.line, each.message))
