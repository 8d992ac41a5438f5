"""Every definition is the players' own: once it is amended, the game goes by its new form, in rules that were not
touched."""

import ast
from functools import cache

import pytest
import shipped

from nomopoly.rulebook.outline import is_word
from nomopoly.rulebook.source import editions, load_edition
from nomopoly.runtime.interpreters import Fault
from nomopoly.runtime.interpreters.cpython import TimedRuntime
from nomopoly.runtime.scenarios import form
from nomopoly.runtime.scenarios.play import Play

TRIED = 30  # scenarios of the rules that use a definition's words
DEFINITIONS = [
    (edition, record["id"])
    for edition in editions()
    for record in load_edition(edition).records
    if record["section"] == "D"
    and "absent(" not in record["code"]  # those hold where nothing is said: tests/kernel/test_absence.py
]


@cache
def book_of(edition):
    return load_edition(edition)


def scenarios_of(edition):
    return [data for _, data in shipped.of_edition(edition)]


def is_defining(node):
    """Whether a statement is a function that other rules use: a word, or what a value or an event comes to."""
    decorated = [each.func.id for each in getattr(node, "decorator_list", ()) if isinstance(each, ast.Call)]
    return is_word(node) or "value" in decorated


def declares(node):
    """Whether rules call a function at their top, to declare something."""
    names = {each.func.id for each in ast.walk(node) if isinstance(each, ast.Call) and isinstance(each.func, ast.Name)}
    return bool(names & {"row", "event", "action"})


def amended(record):
    """The program of a definition whose functions break off what calls them."""
    tree = ast.parse(record["code"])
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and is_defining(node) and not declares(node):
            node.body = ast.parse(f"int('{record['id']} has been amended')").body
    return ast.unparse(tree)


@cache
def names_in(code):
    nodes = list(ast.walk(ast.parse(code)))
    return {node.id for node in nodes if isinstance(node, ast.Name)} | {
        node.args[0].value
        for node in nodes
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant)
    }


def users_of(edition, record):
    """The other rules whose programs use what a definition defines."""
    defined = {
        name
        for node in ast.parse(record["code"]).body
        if isinstance(node, ast.FunctionDef) and is_defining(node)
        for name in {node.name}
        | {str(each.args[0].value) for each in node.decorator_list if isinstance(each, ast.Call)}
    }
    others = [each for each in book_of(edition).records if each["id"] != record["id"]]
    return [each["id"].partition("/")[0] for each in others if defined & names_in(each["code"])]


class Followed(Exception):
    """The game goes by the amended definition: the rest of the scenario is not played."""


def follows(data, once, words):
    """Whether an entry of a scenario breaks with these words, or the scenario fails with them."""
    play = Play(data, "cpython", None, once)
    keep = play.keep

    def looking(outcome, **more):
        if words in str(outcome.fault):
            raise Followed
        return keep(outcome, **more)

    play.keep = looking
    try:
        play.run()
    except Followed:
        return True
    except (form.ScenarioError, Fault) as error:
        return words in str(error)
    finally:
        play.close()
    return False


@pytest.mark.parametrize(
    ("edition", "number"), DEFINITIONS, ids=[f"{edition} {number}" for edition, number in DEFINITIONS]
)
def test_the_game_follows_an_amended_definition(edition, number, monkeypatch):
    monkeypatch.setattr(TimedRuntime, "finds_places", False)  # the words of the fault tell
    record = next(each for each in book_of(edition).records if each["id"] == number)
    users = users_of(edition, record)
    assert users, "no other rule uses it"
    about = [each for each in scenarios_of(edition) if set(map(str, each.get("rules") or [])) & {*users, number}]
    once = f"amend({number!r}, code={amended(record)!r})"
    tried = about[:: max(len(about) // TRIED, 1)]
    tried.sort(key=lambda each: -len(set(map(str, each["rules"])) & {*users, number}))  # more of them, more likely
    if any(follows(data, once, f"{number} has been amended") for data in tried):
        return
    raise AssertionError(f"{len(about)} scenarios do not go by the new form of {number}")
