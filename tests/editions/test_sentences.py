"""Everything that the rules of the editions declare has words of its own for the log and the pages: none is made of its
name."""

import ast
import re

import pytest

from nomopoly.rulebook.source import editions, load_edition
from nomopoly.runtime.host import open_game

CLOCK = {
    "at": 1,
    "follow": 0,
    "step": 2,
    "begin": None,
}  # words that let the clock start events -> which argument names one
NAMELIKE = re.compile(r"\b[a-z0-9]+(?:_[a-z0-9]+)+\b")


def known(edition):
    """What a new game of an edition declares, and its programs."""
    book = load_edition(edition)
    game = open_game(book, title="T", game_id="t", runtime="cpython", at=1772442000, secret="ab" * 32)
    trees = {record["id"]: ast.parse(record["code"]) for record in book.records}
    return game.describe(), trees


def calls(tree, *names):
    """The calls of these words in a program, each with the word."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
            yield node, node.func.id


def words_in(nodes):
    return [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]


@pytest.fixture(scope="module", params=editions())
def edition(request):
    return known(request.param)


def test_every_fact_has_a_sentence(edition):
    described, _ = edition
    silent = [name for name, event in described["events"].items() if event["fact"] and not event["say"]]
    assert silent == []


def test_every_moment_of_the_clock_has_a_sentence(edition):
    described, trees = edition
    started = {moment["name"] for moment in described["calendar"]}
    for tree in trees.values():
        for call, word in calls(tree, *CLOCK):
            place = CLOCK[word]
            started.update(words_in(call.args if place is None else call.args[place : place + 1]))
    silent = [name for name in sorted(started & set(described["events"])) if not described["events"][name]["say"]]
    assert silent == []


def test_every_attribute_that_somebody_sees_has_a_label(edition):
    _, trees = edition
    bare = []
    for rule, tree in trees.items():
        for call, _ in calls(tree, "attribute"):
            said = {each.arg: each.value for each in call.keywords}
            hidden = "show" in said and "nobody" in words_in(ast.walk(said["show"]))
            if not hidden and "label" not in said and len(call.args) < 4:
                bare.append(f"{rule}: {ast.unparse(call)}")
    assert bare == []


def test_every_action_has_a_label(edition):
    described, _ = edition
    assert [name for name in described["actions"] if not described["labels"].get(name)] == []


def test_no_sentence_or_label_is_made_of_a_name_in_the_program(edition):
    described, _ = edition
    said = {name: event["say"] for name, event in described["events"].items()} | described["labels"]
    made = []
    for name, sentence in said.items():
        plain = re.sub(r"\{[^}]*\}", "", sentence)
        if NAMELIKE.search(plain) or ("-" in name and name in plain):
            made.append((name, sentence))
    assert made == []
