"""The commands `nomopoly rules`, `nomopoly check`, `nomopoly words` and `nomopoly tell`."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from nomopoly.errors import CommandError
from nomopoly.kernel.precedence import number_key
from nomopoly.rulebook.changes import ChangeError, apply_changes, proposal_in, read_data, unknown_here
from nomopoly.rulebook.check import Problem, check_book, check_changes
from nomopoly.rulebook.clashes import clashes
from nomopoly.rulebook.diff import RuleDiff
from nomopoly.rulebook.export import to_json, to_markdown
from nomopoly.rulebook.history import History, Span
from nomopoly.rulebook.own import astray, is_rules, load_rules, places_of
from nomopoly.rulebook.restoring import run_written_out
from nomopoly.rulebook.source import (
    Book,
    Record,
    editions,
    load_edition,
    load_folder,
    parse_module,
    places_in,
    read_text,
)
from nomopoly.rulebook.texts import stale
from nomopoly.rulebook.wording.offers import offers
from nomopoly.rulebook.wording.tell import share_told, tell_with
from nomopoly.rulebook.words import search, to_text, words_of

EDITION = "original"  # the first guess, where a proposal names none


def rules(
    edition_or_file: str,
    at: str | None = None,
    diff: tuple[str, str] | None = None,
    code: bool = False,
    format: str = "md",
    history: History | list[dict[str, Any]] | None = None,
) -> int:
    """Print a rulebook, or what changed in it between two moments. Returns the exit status.

    `history` is that of the game which is meant (`Game.book_history()`); without one, `edition_or_file` names an
    edition or a module of rules, which have no earlier moments. Raises CommandError.
    """
    if at is not None and diff is not None:
        raise CommandError("--at and --diff do not go together: --diff takes both moments")
    if history is not None:
        history = history if isinstance(history, History) else History(history)
        if history.now is None:
            until_now = History(history.moments, history.zone.key, int(time.time()))
            for each in diff or (at or "now",):
                until_now.locate(each)  # what is to come is not known yet
        if diff is not None:
            print_span(history.compare(*diff), code, format)
            return 0
        title, records, edition = (
            f"Rules at {history.clock(history.locate(at or 'now')[1])}",
            history.records(at or "now"),
            "",
        )
    else:
        if at is not None or diff is not None:
            raise CommandError(
                f"{edition_or_file} has no history: --at and --diff want the file of a game (nomopoly export makes one)"
            )
        book = read_book(edition_or_file)
        title, records, edition = book.title, book.records, book.edition
    if format == "json":
        sys.stdout.write(to_json(records, title, edition, code=code))
    elif format == "md":
        sys.stdout.write(to_markdown(records, title, code=code))
    else:
        raise CommandError(f"there is no format '{format}': there are md and json")
    return 0


def read_book(name: str) -> Book:
    """The book that a name means: an edition, or a module of rules. Raises CommandError."""
    path = Path(name)
    if path.suffix == ".py" and path.is_file():
        return Book("", path.name, parse_module(read_text(path), name), [])
    return load_rules(path)[0] if is_rules(path) else load_edition(name)


def print_span(span: Span, code: bool, format: str) -> None:
    """Print a comparison."""
    if format == "json":
        json.dump(
            {
                "heading": span.heading,
                "from": span.from_moment,
                "to": span.to_moment,
                "notice": span.notice,
                "rules": [rule_data(each, code) for each in span.diff.changed],
            },
            sys.stdout,
            ensure_ascii=False,
            indent=2,
        )
        print()
        return
    print(f"# {span.heading}\n")
    if span.notice:
        print(f"{span.notice}.\n")
    for each in span.causes if span.diff.changed else []:
        cause = each["cause"]
        print(
            "- "
            + " ".join(
                str(part) for part in (each["moment"], cause["kind"], cause["id"], cause["by"]) if part is not None
            )
        )
    print()
    print(span.diff.to_text(code=code), end="")


def rule_data(each: RuleDiff, code: bool) -> dict[str, Any]:
    """One rule of a comparison as data."""
    found = {"id": each.id, "was": each.old_id, "mark": each.mark, "title": each.title, "text": each.text}
    return {**found, "numbers": each.numbers, "code": each.code} if code else {**found, "numbers": each.numbers}


# ---- check


WrittenOut = Callable[[Any], Any]
Example = Callable[[Book, str, Any], str | None]


def check(
    file: str | Path,
    book: Book | None = None,
    written_out: WrittenOut | None = None,
    example: Example | None = None,
) -> int:
    """Print the problems of a proposal, a scenario's proposals, a module of rules or a whole rulebook. Returns 1 if one
    is an error.

    `book` is the rulebook to check against; without one a proposal says its `edition`, a module stands in the folder of
    one, and else the best guess is taken and named. `written_out` brings back the earlier forms that a proposal asks
    for, where a game knows them (`Game.with_earlier_forms`). `example` plays that of a proposal by a book, after a
    program has run once, and returns why it fails; it is told as an error. Raises CommandError for a file that cannot
    be read.
    """
    path = Path(file)
    against = ""
    told: list[str] = []
    places: dict[str, tuple[str, int, int]] = {}
    if path.is_dir() or (is_rules(path) and path.suffix != ".py"):
        own, beside = load_rules(path)
        problems = check_book(own.records, own.commons) + astray(own.records)
        problems += stale(beside.get("TEXTS", {}), own.records)
        places = places_of(path, beside)
    elif path.suffix == ".py":
        text = read_text(path)
        problems, told, against = check_module(path, text, book)
        places = places_in(text, str(file))
    else:
        text = read_text(path)
        problems = []
        for document in read_data(text, str(file), every=True) or [None]:
            more, notes, against = check_document(document, str(file), book, written_out, example)
            problems += more
            told += notes
    if against:
        print(f"{file}: {against}")
    for problem in dict.fromkeys(problems):
        print(f"{place_of(problem, places) or file}: {problem}")
    for note in dict.fromkeys(told):
        print(f"{file}: {note}")
    if not problems:
        print(f"{file}: no problems")
    return 1 if any(problem.level == "error" for problem in problems) else 0


def place_of(problem: Problem, places: dict[str, tuple[str, int, int]]) -> str:
    """File and line of a problem, where the rule is in a module; "" elsewhere."""
    if problem.rule not in places:
        return ""
    name, line, begins = places[problem.rule]
    return f"{name}: line {begins + problem.line - 1 if problem.line else line}"


def words(name: str, wanted: str = "", as_json: bool = False, book: Book | None = None) -> int:
    """Print the words that rules can say: of `book`, or else of an edition or a module of rules. Returns the exit
    status.

    `wanted`: only those that have these words in their name or text. Raises CommandError.
    """
    if book is None:
        book = read_book(name)
        if not book.commons and (Path(name).parent / "contents.py").is_file():
            book = load_folder(Path(name).parent)
    entries = words_of(book.records, book.commons)
    entries = search(entries, wanted) if wanted else entries
    if not entries:
        raise CommandError(f"no word of {book.title or name} has '{wanted}' in its name or text")
    sys.stdout.write(json.dumps(entries, ensure_ascii=False, indent=1) + "\n" if as_json else to_text(entries))
    return 0


def tell(name: str, rule: str = "", book: Book | None = None) -> int:
    """Print what the programs of `book`, or else of an edition or a module of rules, do in sentences. Returns the exit
    status.

    `rule`: only this rule. A part that no sentence says names its lines. Raises CommandError.
    """
    if book is None:
        book = read_book(name)
        if not book.commons and (Path(name).parent / "contents.py").is_file():
            book = load_folder(Path(name).parent)
    wanted = [each for each in book.records if rule in ("", each["id"])]
    if not wanted:
        raise CommandError(f"there is no rule {rule} in {book.title or name}")
    offered = offers(book.records, book.commons)
    for record in wanted:
        told = tell_with(record, offered)
        if told:
            print(f"# {record['id']} {record['title']}\n")
        for each in told:
            print(f"- {each['text']}")
            for word, text in each["words"]:
                print(f"  - “{word}”: {text or 'nothing is known of it'}")
        if told:
            print()
    share = share_told(wanted, book.commons, offered)
    print(f"{share['whole']} of {share['handlers']} handlers are told whole.")
    return 0


def guess(changes: object, run: str) -> tuple[Book, str]:
    """The edition that a proposal which names none is most likely meant for, and a sentence on it."""
    books = [load_edition(name) for name in (EDITION, *(each for each in editions() if each != EDITION))]
    wrong = [
        sum(each.level == "error" for each in check_changes(changes, run, book.records, book.commons)) for book in books
    ]
    best = books[wrong.index(min(wrong))]
    return best, f"checked against edition {best.edition}, a guess: choose with --edition or --game"


def check_module(path: Path, text: str, book: Book | None = None) -> tuple[list[Problem], list[str], str]:
    """The problems of a module of rules, within the edition that it stands in or else the original one; its clashes;
    and what it was checked against, where nobody has said it."""
    own = parse_module(text, str(path))
    if not own:
        raise CommandError(f"{path}: holds no rule(...)")
    against = ""
    if book is None and (path.parent / "contents.py").is_file():
        book = load_folder(path.parent)
    if book is None:
        book, against = guess([{"enact": each["id"], **content_of(each)} for each in own], "")
    numbers = {record["id"] for record in own}
    records = sorted(
        [record for record in book.records if record["id"] not in numbers] + own,
        key=lambda each: number_key(each["id"]),
    )
    told = [f"clash: {each}" for each in clashes(records) if each.winner in numbers or each.loser in numbers]
    return check_book(records, book.commons, only=numbers), told, against


def content_of(record: Record) -> dict[str, Any]:
    """What a rule says, as a change has it."""
    return {part: record[part] for part in ("text", "code", "params") if record[part]}


def check_document(
    document: object,
    file: str,
    book: Book | None = None,
    written_out: WrittenOut | None = None,
    example: Example | None = None,
) -> tuple[list[Problem], list[str], str]:
    """The problems of one proposal, or of all that a scenario makes, the clashes that they bring, and what they were
    checked against, where nobody has said it."""
    document = proposal_in(document, file) if document is not None else {}
    against = ""
    data = document.get("scenario") if "steps" not in document else None
    edition = document.get("edition") or (data.get("edition") if isinstance(data, dict) else None)
    if book is None and edition:
        book = load_edition(str(edition))
    proposals = list(proposals_of(document))
    if not proposals:
        raise CommandError(f"{file}: there is nothing to check: no changes, no run and no step that proposes any")
    if book is None:
        book, against = guess(proposals[0].get("changes") or [], proposals[0].get("run") or "")
    problems: list[Problem] = []
    told: list[str] = []
    records = book.records
    for proposal in proposals:
        try:
            proposal = written_out(proposal) if written_out is not None else proposal
            changes, run = proposal.get("changes") or [], proposal.get("run") or ""
            run = run_written_out(run, records, unknown_here) if written_out is None else run
        except ChangeError as error:
            problems.append(Problem("error", error.rule, 0, error.message))
            continue
        here = check_changes(changes, run, records, book.commons)
        problems += here
        try:
            changed = apply_changes(records, changes)
        except ChangeError:
            continue  # the check has said why
        before = set(clashes(records))
        told += [f"clash: {each}" for each in clashes(changed) if each not in before]
        if not any(problem.level == "error" for problem in here):
            records = changed
            if data and example is not None and book.edition:
                after = Book(book.edition, book.title, records, book.commons)
                failure = example(after, run, data)
                told += ["the example passes"] if failure is None else []
                problems += [] if failure is None else [Problem("error", "example", 0, f"it fails: {failure}")]
    return problems, told, against


def proposals_of(document: dict[str, Any]) -> list[dict[str, Any]]:
    """What a file proposes: itself, or the steps of a scenario that carry changes or programs."""
    if "steps" not in document:
        return [document] if {"changes", "run", "text", "title"} & set(document) else []
    found = []
    for step in document["steps"] if isinstance(document["steps"], list) else []:
        for part in ("propose", "admin", "order"):
            content = step.get(part) if isinstance(step, dict) else None
            if isinstance(content, dict) and (content.get("changes") or content.get("run")):
                found.append(content)
    return found
