"""The shared modules decide nothing: what a game declares, and what one edition alone means, stands in its rulebook."""

import ast
import re

import pytest
from test_dialect import COMMONS, named, tree

from nomopoly.rulebook.outline import DECLARATIONS
from nomopoly.rulebook.source import editions, load_edition

MOST_LINES = 1000
DECLARING = DECLARATIONS | {"action", "check", "instead", "on", "after", "value", "modify", "marker", "word"}
RULE_NUMBER = re.compile(r"\b([IVXL]+\.\d+|[IVXL]+\.p|\d+\.\d+)\b")


def used_by(module: str) -> list[str]:
    return [edition for edition in editions() if module in [name for name, _ in load_edition(edition).commons]]


def texts(path) -> list[str]:
    """The words and texts of a program, without its docstrings."""
    nodes = list(ast.walk(tree(path)))
    docs = {
        id(each.body[0].value)
        for each in nodes
        if isinstance(each, ast.Module | ast.FunctionDef) and ast.get_docstring(each)
    }
    return [
        each.value
        for each in nodes
        if isinstance(each, ast.Constant) and isinstance(each.value, str) and id(each) not in docs
    ]


def test_they_are_few_and_small():
    assert sum(len(path.read_text().splitlines()) for path in COMMONS) < MOST_LINES


@pytest.mark.parametrize("path", COMMONS, ids=named)
def test_each_serves_several_editions(path):
    assert len(used_by(path.stem)) > 1


@pytest.mark.parametrize("path", COMMONS, ids=named)
def test_none_declares_anything(path):
    """Functions, imports and constants alone stand at the top: no handler, no attribute, no value."""
    for node in tree(path).body:
        assert isinstance(node, ast.FunctionDef | ast.Import | ast.Assign | ast.Expr), ast.unparse(node)
        assert not isinstance(node, ast.FunctionDef) or node.decorator_list == [], node.name
        if isinstance(node, ast.Expr):
            assert isinstance(node.value, ast.Constant), ast.unparse(node)
        calls = ast.walk(node.value) if isinstance(node, ast.Assign) else ()
        assert not [each for each in calls if isinstance(each, ast.Name) and each.id in DECLARING], ast.unparse(node)


@pytest.mark.parametrize("path", COMMONS, ids=named)
def test_none_names_a_rule_or_an_edition(path):
    for said in texts(path):
        assert not RULE_NUMBER.search(said), said
        assert said not in editions(), said


def test_no_rule_asks_whether_a_rule_of_a_number_is_there():
    """Numbers change: whether something is in the rules is asked of values, events and attributes."""
    for edition in editions():
        for record in load_edition(edition).records:
            for node in ast.walk(ast.parse(record["code"])):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "rule_since":
                    assert not isinstance(node.args[0], ast.Constant), (record["id"], ast.unparse(node))
