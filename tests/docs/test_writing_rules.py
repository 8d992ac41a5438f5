"""The guide to writing rules: every proposal in it passes the check, every scenario in it holds in both runtimes, and
its tables leave nothing out."""

import ast
import importlib.resources
import inspect
import re
from functools import cache

import pytest
import shipped

from nomopoly.rulebook import changes, check, outline
from nomopoly.rulebook.changes import apply_changes, read_data
from nomopoly.rulebook.check import check_changes
from nomopoly.rulebook.dialect import calls, checker, names, top, vocabulary
from nomopoly.rulebook.source import Book, load_edition
from nomopoly.runtime.scenarios import form, play

FOLDER = importlib.resources.files("nomopoly.site.lobby").joinpath("guide/rules")
CHAPTERS = sorted((each for each in FOLDER.iterdir() if each.name.count(".") == 1), key=lambda each: each.name)
GUIDE = "\n".join(each.read_text("utf-8") for each in CHAPTERS)
BOOK = load_edition("iv")


@cache
def examples():
    """The scenarios of the guide, each with the proposal that it stands under (None: the edition as it is)."""
    return shipped.as_kept("guide", GUIDE.encode(), read_examples)


def read_examples():
    proposal, found = None, []
    for block in re.findall(r"^```yaml\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE):
        if block.startswith("title:"):
            proposal = read_data(block)
        elif block.startswith("scenario:"):
            found.append((proposal, form.read_one(block)))
        else:
            raise AssertionError(f"an example is neither a proposal nor a scenario: {block[:60]}")
    return found


def proposals():
    found = {proposal["title"]: proposal for proposal, _ in examples()}
    assert len(found) == len(re.findall(r"^title:", GUIDE, re.MULTILINE)), (
        "a proposal has no scenario, or a double title"
    )
    return found


def problems_of(changes, run=""):
    return check_changes(changes, run, BOOK.records, BOOK.commons)


@pytest.mark.parametrize("title", proposals())
def test_a_proposal_of_the_guide_has_no_problems(title):
    proposal = proposals()[title]
    assert set(proposal) <= {"title", "text", "changes", "run"}
    assert [str(each) for each in problems_of(proposal.get("changes") or [], proposal.get("run") or "")] == []


@pytest.mark.parametrize("runtime", ["cpython", "monty"])
@pytest.mark.parametrize("at", range(len(examples())), ids=[data["scenario"] for _, data in examples()])
def test_a_scenario_of_the_guide_holds(at, runtime):
    proposal, data = examples()[at]
    records = apply_changes(BOOK.records, proposal.get("changes") or [])
    book = Book(BOOK.edition, BOOK.title, records, BOOK.commons)
    assert play.run(data, "the guide", runtime, book=book, once=proposal.get("run") or "").failure is None


STARS = """
attribute("player", "stars", 0)
event("shine", who="player")

@after("roll")
def a_star(e):
    put(e.who, "stars", 7)
    at(now() + days(8), "shine", who=e.who)

@on("shine")
def shine(e):
    gain(e.who, 100 // 0)
"""


def voted(name, change):
    """Steps that change the rules while the game goes on."""
    return [
        {"propose": {"by": "Ann", "as": name, "title": name, "changes": [change]}},
        {"vote": {"by": "Ann", "on": name, "choice": "yes"}},
        {"admin": {"do": "implement", "on": name}},
        {"advance": "5d"},
    ]


def test_what_things_have_outlasts_a_rule_and_its_timers_do_not():
    steps = [
        *voted("P1", {"enact": "3.6", "text": "Stars.", "code": STARS}),
        {"turn": "Ann"},
        {"expect": {"Ann": {"stars": 7}}},
        *voted("P2", {"repeal": "3.6"}),
        {"advance": "4d"},
        {"expect": {"game": {"paused": False}}},
        *voted("P3", {"enact": "3.6", "text": "Stars.", "code": 'attribute("player", "stars", 0)'}),
        {"expect": {"Ann": {"stars": 7}}},
    ]
    data = {"scenario": "stars", "edition": "iv", "players": ["Ann", "Ben"], "steps": steps}
    assert play.run(data).failure is None


def test_a_fault_on_the_clock_pauses_the_game():
    taxes = apply_changes(BOOK.records, proposals()["Taxes by the army"]["changes"])
    steps = [{"advance": "6d"}, {"expect": {"game": {"paused": True, "pause_kind": "disruption"}}}]
    data = {"scenario": "taxes", "edition": "iv", "players": ["Ann", "Ben"], "steps": steps}
    book = Book(BOOK.edition, BOOK.title, taxes, BOOK.commons)
    assert play.run(data, book=book).failure is None


# ---- the tables of what the check refuses

REFUSALS = re.findall(r"^\| `(.+)` \| (.+?) \| .+ \| .+ \|$", GUIDE.partition("# What Check refuses")[2], re.MULTILINE)
ELSEWHERE = {  # what nobody writes by hand: tested with the checker itself
    "the program must be text",
    "the program is nested too deeply",
    "this is not Python: it holds signs that no text may hold",
    "it has that form now: nothing would change",  # only a game knows earlier forms
    "there is no earlier form of it",
    "there was no such rule then",
    "this game was begun before a rule could drop a number: leave the number, or repeal the rule and enact it",
    "there already is a rule of this number: choose another one",  # numbers of other editions
    "there must be one document",  # of a file
    " lists or maps within one another",  # of a file
    "too long: ",
    " characters, at most ",
    " in one proposal. Make two of it",  # tested in test_check_bounds.py, as what follows
    "posals of it",
    " more problems",
    " with plain letters (a label may have others)",  # tested in test_letters.py
    "its number looks like that of rule ",
}


def refused(written):
    """The problems of what stands in the left column: a program, or changes (and the program that runs once)."""
    if written.startswith("- ") or written == "T":
        parts, _, run = written.partition("; run: ")
        return problems_of(parts.replace("; - ", "\n- "), run)
    code = re.sub(r"^(@.*\)) def ", r"\1\ndef ", written)
    return problems_of([{"enact": "13.1", "text": "T", "code": code}])


@cache
def all_refused():
    return [problem for written, _ in REFUSALS for problem in refused(written)]


@pytest.mark.parametrize(("written", "said"), REFUSALS)
def test_the_check_says_what_the_guide_says(written, said):
    level = "warning" if said.endswith(" (warning)") else "error"
    problems = refused(written)
    told = said.removesuffix(" (warning)")
    assert [each for each in problems if told in each.message and each.level == level], [str(each) for each in problems]


def literal(node):
    """The longest fixed part of a message."""
    parts = [each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    return max(parts, key=len, default="")


def messages():
    """The fixed parts of all messages of the check."""
    found = {*vocabulary.FORBIDDEN_NODES.values(), *vocabulary.FORBIDDEN_NAMES.values()}
    places = {"add": 1, "Problem": 3, "Unreadable": 1, "ChangeError": 1}
    for module in (calls, checker, names, top, check, outline, changes):
        for node in ast.walk(ast.parse(inspect.getsource(module))):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "attr", getattr(node.func, "id", ""))
                if name in places and len(node.args) > places[name]:
                    found.add(literal(node.args[places[name]]))
    return sorted(each for each in found if len(each) > 8 and not any(part in each for part in ELSEWHERE))


def test_every_message_of_the_check_is_in_the_guide():
    assert len(messages()) > 60
    told = "\n".join(problem.message for problem in all_refused())
    assert [each for each in messages() if each not in told] == []
