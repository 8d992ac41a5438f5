"""The floors of the site: pages and the API ask and order; what stands in the database is changed by functions of the
domain.

The import contracts (pyproject.toml) keep models out of these modules. This keeps their rows from being changed there.
"""

import ast
import re
from functools import cache
from pathlib import Path

import pytest
from django.template import Context, Template
from django.utils import timezone
from django.utils.html import strip_tags

import nomopoly.site
from nomopoly.kernel.emergency import PHASES, RESULTS
from nomopoly.rulebook.outline import declared_by, kernel_declares
from nomopoly.rulebook.source import editions, load_edition
from nomopoly.runtime import protocol
from nomopoly.site.tables import queries

SITE = Path(nomopoly.site.__file__).parent
PAGES = sorted([*SITE.glob("*/views.py"), *SITE.glob("*/views/*.py"), *SITE.glob("api/*.py")])
LONGEST_LINE = 200  # of a template
WRITE = {"save", "create", "delete", "update", "get_or_create", "update_or_create", "bulk_create", "bulk_update", "add"}


@pytest.fixture(autouse=True)
def cold():
    """What is read here are files: no test asks a database."""


def writes(source):
    """Where a module changes rows: [(line, call)]. A function of a module that it imports is no row."""
    tree = ast.parse(source)
    imported = {
        (alias.asname or alias.name).partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    return [
        (node.lineno, ast.unparse(node.func))
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in WRITE
        if not (isinstance(node.func.value, ast.Name) and node.func.value.id in imported)
    ]


def test_there_are_pages_to_look_at():
    assert {"forum.py", "reading.py", "views.py"} <= {path.name for path in PAGES}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(SITE)))
def test_pages_change_no_row(path):
    assert writes(path.read_text()) == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("mine.filter(pk=1).delete()", [(1, "mine.filter(pk=1).delete")]),
        ("Note.objects.update_or_create(pk=1)", [(1, "Note.objects.update_or_create")]),
        ("from nomopoly.site.play.models import Note\nnote = Note()\nnote.save()", [(3, "note.save")]),
        ("from nomopoly.site.play import talk\ntalk.delete(comment)", []),
    ],
)
def test_what_changes_a_row_is_noticed(source, found):
    assert writes(source) == found


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin"])
def test_money_and_moments_read_the_same_wherever_they_stand(zone):
    page = Template(
        "{% load nomopoly %}{{ money|dollars }} {{ at|moment }}{% load play %} {{ money|dollars }} {{ at|moment }}"
    )
    with timezone.override(zone):
        drawn = strip_tags(page.render(Context({"money": -1500, "at": 1_777_998_000})))
        in_lists = f"{queries.in_words(-1500, 'money')} {queries.in_words(1_777_998_000, 'moment')}"
    assert drawn == f"{in_lists} {in_lists}"
    assert in_lists.startswith("-$1,500 Tue 5 May 2026 ")


@pytest.mark.parametrize("path", sorted(SITE.rglob("*.html")), ids=lambda path: str(path.relative_to(SITE)))
def test_lines_of_templates_can_be_read(path):
    assert [number for number, line in enumerate(path.read_text().splitlines(), 1) if len(line) > LONGEST_LINE] == []


# ---- the site knows no edition

STATES = ("status", "verdict", "outcome")
STATE_WORD = re.compile(
    rf"""(?:\\.(?:{"|".join(STATES)})\b|"(?:{"|".join(STATES)})"),? ?(?:==|!=|in|not in)? ?\(?((?:"[\w -]+"(?:, )?)+)"""
)
RULE_NUMBER = re.compile(r"\b[IVXL]+\.\d+\b")
EXAMPLES = {
    "lobby/templates/lobby/program.html",
    "lobby/templates/lobby/guide.html",
    "lobby/playing.py",
    "lobby/first_rule.py",
}  # of the guide
EVERYDAY = {  # names of editions that are as well words of the site's own data, forms or pictures
    *[
        "account",
        "actions",
        "amount",
        "block",
        "by",
        "card",
        "cast",
        "code",
        "days",
        "facts",
        "following",
        "health",
        "lines",
        "original",
        "sort",
        "squares",
        "block",
        "days",
        "last_login",  # of accounts, in Django
        "tree",
        "type",
        "words",
    ],
    *["accept", "deal", "trade", "withdraw"],  # answers to offers, the look of a field, the name of a page
    *["applied", "open", "refused", "settled"],  # as states: of migrations, doors, orders, faults
}
OF_THE_ADDRESS = {"pending", "dead"}  # what a filter of proposals may say in every game


@cache
def words_of_editions():
    """What the rulebooks declare and the host does not look for: (attributes, kinds and actions, words of states,
    numbers of rules)."""
    names, states, numbers = set(), set(), set()
    for edition in editions():
        book = load_edition(edition)
        declared = declared_by(book.records, book.commons)
        names |= declared.attributes.keys() | declared.kinds | declared.actions
        numbers |= {record["id"] for record in book.records}
        for record in book.records:
            for said in STATE_WORD.findall(record["code"]):
                states |= set(re.findall(r'"([\w -]+)"', said))
    kernel = kernel_declares()
    known = (
        kernel.attributes.keys()
        | kernel.kinds
        | kernel.actions
        | protocol.RULES.keys()
        | protocol.READ.keys()
        | EVERYDAY
    )
    states = {word.casefold() for word in states} - set(PHASES) - set(RESULTS) - EVERYDAY
    return names - known, states - known, numbers


@cache
def texts_in(source):
    """The texts that a program holds: [(line, text, whether the program says it of itself)]."""
    nodes = list(ast.walk(ast.parse(source)))
    docs = {id(node.value) for node in nodes if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)}
    found = [node for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return [(node.lineno, node.value, id(node) in docs) for node in found]


def said_in(source):
    """The texts that a program of the site holds, without what it says of itself: [(line, text)]."""
    return [(line, text) for line, text, is_doc in texts_in(source) if not is_doc]


def foreign(texts):
    """The texts that are a word of an edition, or hold the number of a rule."""
    names, states, numbers = words_of_editions()
    return [
        (line, text)
        for line, text in texts
        if text in names or text.casefold() in states - OF_THE_ADDRESS or text in numbers or RULE_NUMBER.search(text)
    ]


def read_in(template):
    """What a template reads of things and compares with, line by line: [(line, word)]."""
    found = []
    for line, text in enumerate(template.splitlines(), 1):
        for code in re.findall(r"{[{%](.*?)[%}]}", text):
            found += [(line, word) for word in re.findall(r"\.([a-z_]+)", code)]
            found += [(line, word) for word in re.findall(r'"([^"]*)"', code) + re.findall(r"'([^'\s]*)'", code)]
    return found


def test_the_words_of_editions_are_known():
    names, states, numbers = words_of_editions()
    assert {"option_of", "idle_for", "exploit", "on_ballot", "buy-square"} <= names
    assert {"undecided", "pending", "sent-back", "discarded", "dead"} <= states
    assert {"IX.3", "9.7"} <= numbers


@pytest.mark.parametrize(
    "path",
    [path for path in sorted(SITE.rglob("*.py")) if "migrations" not in path.parts],
    ids=lambda path: str(path.relative_to(SITE)),
)
def test_no_program_names_a_word_of_an_edition(path):
    if str(path.relative_to(SITE)) not in EXAMPLES:
        assert foreign(said_in(path.read_text())) == []


@pytest.mark.parametrize("path", sorted(SITE.rglob("*.html")), ids=lambda path: str(path.relative_to(SITE)))
def test_no_template_names_a_word_of_an_edition(path):
    if str(path.relative_to(SITE)) not in EXAMPLES:
        assert foreign(read_in(path.read_text())) == []


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        (said_in("if thing['status'] == 'Pending':\n    pass"), []),
        (said_in("closed = thing.get('status') in ('sent-back', 'voting')"), [(1, "sent-back")]),
        (
            said_in("if thing.get('option_of') == player or each['kind'] == 'exploit': pass"),
            [(1, "option_of"), (1, "exploit")],
        ),
        (said_in('"""By IX.3."""\nx = "as rule IX.3 says"'), [(2, "as rule IX.3 says")]),
        (
            read_in('{% if proposal.status == "undecided" %}{{ proposal.on_ballot }}'),
            [(1, "undecided"), (1, "on_ballot")],
        ),
    ],
)
def test_a_word_of_an_edition_is_noticed(texts, found):
    assert sorted(foreign(texts)) == sorted(found)


@pytest.mark.parametrize("name", ["implement", "reject", "veto"])
def test_acts_that_decide_proposals_are_not_named(name):
    """`accept` is a word for other things too; these three are not."""
    saying = [path for path in SITE.rglob("*.py") if any(text == name for _, text, _ in texts_in(path.read_text()))]
    assert saying == []
    assert not [
        path
        for path in SITE.rglob("*.html")
        if re.search(rf"admin/{name}/|act={name}\b|can\.{name}\b", path.read_text())
    ]
