"""A random history of 200 amendments of edition `iv`: every comparison, applied to the earlier book, gives the later
one."""

import random

from nomopoly.rulebook.changes import apply_changes
from nomopoly.rulebook.diff import content, diff_books, patched
from nomopoly.rulebook.history import History
from nomopoly.rulebook.source import load_edition, number_key, prose

AMENDMENTS = 200
WORDS = [
    "a",
    "player",
    "may",
    "not",
    "land",
    "on",
    "the",
    "square",
    "unless",
    "its",
    "owner",
    "pays",
    "$50",
    "|",
    "table",
    "|",
    "cell",
    "|\n",
    "once",
    "a",
    "week,",
    "says",
    "the",
    "Admin",
]


def history(seed):
    """The books of a random history, oldest first."""
    dice = random.Random(seed)
    books = [load_edition("iv").records]
    while len(books) <= AMENDMENTS:
        books.append(apply_changes(books[-1], [change(dice, books[-1], len(books))]))
    return books


def change(dice, book, at):
    """One random change of a book: words, numbers, programs, new rules, rules that go."""
    record = dice.choice(book)
    text = " ".join(dice.choices(WORDS, k=dice.randint(3, 30)))
    kind = dice.choice(("enact", "text", "text", "code", "params", "repeal", "row"))
    if kind == "enact":
        return {"enact": f"{dice.randint(13, 15)}.{at}", "text": text, "code": f"x = {at}"}
    if kind == "row":
        return {"enact": f"12.7/kind-{at}", "text": text, "code": f'unit("kind-{at}", "Kind {at}", attack={at})'}
    if kind == "repeal" and len(book) > 20:
        return {"repeal": record["id"]}
    if kind == "code":
        lines = record["code"].split("\n")
        lines.insert(dice.randint(0, len(lines)), f"y = {at}")
        return {"amend": record["id"], "code": "\n".join(lines)}
    if kind == "params" and record["params"]:
        return {"amend": record["id"], "params": {dice.choice(list(record["params"])): at}}
    words = record["text"].split(" ")
    place = dice.randint(0, len(words))
    return {"amend": record["id"], "text": " ".join([*words[:place], text, *words[place + dice.randint(0, 4) :]])}


def rebuilt(earlier, later):
    """What a comparison makes of the earlier book: {id: (text, program)}."""
    diff = diff_books(earlier, later)
    before = {each["id"]: each for each in earlier}
    assert {each.old_id for each in diff.rules if each.before} == set(before)
    return {
        each.id: (
            patched(prose(before[each.old_id]) if each.before else "", each.text),
            patched(before[each.old_id]["code"] if each.before else "", each.code),
        )
        for each in diff.rules
        if each.after
    }


def contents(book):
    return {record["id"]: (prose(record), record["code"]) for record in book}


def test_each_step_of_the_history():
    books = history(1)
    for earlier, later in zip(books, books[1:], strict=False):
        assert rebuilt(earlier, later) == contents(later)


def test_any_two_moments_of_the_history():
    books = history(2)
    dice = random.Random(3)
    for _ in range(40):
        a, b = sorted(dice.sample(range(len(books)), 2))
        assert rebuilt(books[a], books[b]) == contents(books[b])


def forms(books, rule):
    """The forms of a rule, each with the moment from which on it held, found book by book; None where there was no
    rule."""
    found = [(0, None)]
    for moment, book in enumerate(books):
        record = next((record for record in book if record["id"] == rule), None)
        before = found[-1][1]
        if (record is None) != (before is None) or (record and content(record) != content(before)):
            found.append((moment, record))
    return found[1:]


def test_the_forms_of_every_rule_and_what_each_moment_touched():
    books = history(4)
    told = History(
        {"moment": at, "at": at, "cause": {"kind": "proposal", "id": f"P{at}"}, "records": book}
        for at, book in enumerate(books)
    )
    ids = {record["id"] for book in books for record in book}
    assert any(forms(books, id)[-1][1] is None for id in ids), "no rule of this history went"
    for id in ids:
        assert [(each.moment, each.record) for each in told.versions(id)] == forms(books, id)
    assert told.versions("99.99") == []
    for at in range(1, len(books)):
        changed = diff_books(books[at - 1], books[at]).changed
        ids = {each.id for each in changed} | {each.old_id for each in changed}
        assert told.touched(at) == sorted(ids, key=number_key)
