"""Every Decision of the four editions has a scenario that tries the input which could break it.

The tables next to this file list the Decisions in our words. A Decision without a scenario of that name, a scenario
that is named and not there, and one that was not written for the rule of the Decision fail here.
"""

import re
from functools import cache
from pathlib import Path

import pytest
import shipped
from ruamel.yaml import YAML

from nomopoly.rulebook.source import load_edition

HOW_MANY = {
    "ii": 92 + 165,
    "iv": 54 + 2,
    "mail": 140,
    "original": 37,
}  # as many as the specification decides; iv: besides, time and what is settled further


def table_of(edition):
    """The table of an edition: what each Decision comes to, and which scenarios attack it."""
    file = Path(__file__).parent / "opponents" / f"{edition}.yaml"
    return shipped.as_kept(f"opponents-{edition}", file.read_bytes(), lambda: YAML(typ="safe").load(file))


TABLES = {edition: table_of(edition) for edition in HOW_MANY}
ROWS = [(edition, row) for edition, rows in TABLES.items() for row in rows]


@cache
def titles_of(edition: str) -> set[str]:
    """What the scenarios of an edition are called."""
    return {data["scenario"] for _, data in shipped.of_edition(edition)}


def speaks_of(title: str, row: dict) -> bool:
    """Whether a scenario's title names the Decision of a row, or else the rule that carries it."""
    return any(re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.]*\d)", title) for name in (row["decision"], row["rule"]))


@pytest.mark.parametrize("edition", HOW_MANY)
def test_each_decision_stands_in_the_table_once(edition):
    named = [row["decision"] for row in TABLES[edition]]
    assert len(set(named)) == len(named) == HOW_MANY[edition]


def test_no_number_is_left_out():
    letters = {"B": 92, "D": 165}
    assert [row["decision"] for row in TABLES["ii"]] == [
        f"{each}{n}" for each in letters for n in range(1, letters[each] + 1)
    ]


@pytest.mark.parametrize("edition", HOW_MANY)
def test_each_rule_is_in_the_book(edition):
    book = {record["id"].split("/")[0] for record in load_edition(edition).records}
    assert [row["decision"] for row in TABLES[edition] if row["rule"] not in book] == []


@pytest.mark.parametrize(("edition", "row"), ROWS, ids=[f"{edition} {row['decision']}" for edition, row in ROWS])
def test_the_decision_is_attacked(edition, row):
    titles = titles_of(edition)
    assert row["says"], "say in a few words what the Decision comes to"
    assert row["attacks"], f"no scenario tries to break {row['decision']}"
    assert [title for title in row["attacks"] if title not in titles] == [], (
        "no scenario of that name is next to the edition"
    )
    assert [title for title in row["attacks"] if not speaks_of(title, row)] == [], "written for another rule"
