"""The guide to writing rules: every proposal in it passes the check, every scenario in it holds in both runtimes, and its
tables leave nothing out."""

import importlib.resources
import re
from functools import cache

import pytest

from nomopoly.rulebook.changes import apply_changes, read_data
from nomopoly.rulebook.check import check_changes
from nomopoly.rulebook.source import Book, load_edition
from nomopoly.runtime import scenarios

GUIDE = importlib.resources.files("nomopoly.site.lobby").joinpath("guide/writing_rules.md").read_text("utf-8")
BOOK = load_edition("iv")


@cache
def examples():
    """The scenarios of the guide, each with the proposal that it stands under (None: the edition as it is)."""
    proposal, found = None, []
    for block in re.findall(r"^```yaml\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE):
        if block.startswith("title:"):
            proposal = read_data(block)
        elif block.startswith("scenario:"):
            found.append((proposal, scenarios.read_one(block)))
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
    assert scenarios.run(data, "the guide", runtime, book=book, once=proposal.get("run") or "").failure is None
