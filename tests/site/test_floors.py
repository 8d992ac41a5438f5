"""The floors of the site: pages and the API ask and order; what stands in the database is changed by functions of the domain.

The import contracts (pyproject.toml) keep models out of these modules. This keeps their rows from being changed there.
"""

import ast
from pathlib import Path

import pytest
from django.template import Context, Template
from django.utils import timezone
from django.utils.html import strip_tags

import nomopoly.site
from nomopoly.site.tables import queries

SITE = Path(nomopoly.site.__file__).parent
PAGES = sorted([*SITE.glob("*/views.py"), *SITE.glob("*/views/*.py"), *SITE.glob("api/*.py")])
LONGEST_LINE = 200  # of a template
WRITE = {"save", "create", "delete", "update", "get_or_create", "update_or_create", "bulk_create", "bulk_update", "add"}


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
