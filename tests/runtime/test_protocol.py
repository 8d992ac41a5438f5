"""The names by which the host meets the rules stand in one table, in the code and in the decisions, and nowhere
else."""

import ast
from pathlib import Path

import pytest

from nomopoly.runtime import protocol

ROOT = Path(__file__).parents[2]
NAMES = {**protocol.RULES, **protocol.KERNEL}
UNMISTAKABLE = [name for name in NAMES if "-" in name or "_" in name]
DIALECT = (
    "views.py",
    "forms.py",
    "opening.py",
    "window.py",
    "older.py",
    "audit.py",
    "counters.py",
    "counted_functions.py",
)  # they run in the sandbox, beside the kernel
HOST = [
    path
    for path in (ROOT / "src/nomopoly/runtime").rglob("*.py")
    if path.name not in (*DIALECT, "protocol.py", "keys.py")
]


def test_each_name_is_in_the_table_once():
    constants = [value for name, value in vars(protocol).items() if name.isupper() and isinstance(value, str)]
    assert sorted(constants) == sorted(name.removeprefix("<kind>") for name in NAMES)
    assert not set(protocol.RULES) & set(protocol.KERNEL)


@pytest.mark.parametrize("path", HOST, ids=lambda path: path.name)
def test_the_host_writes_no_name_out(path):
    texts = [node.value for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Constant)]
    assert [text for text in texts if text in UNMISTAKABLE] == []


@pytest.mark.parametrize("name", NAMES)
def test_the_interfaces_list_it(name):
    what, does = NAMES[name]
    text = (ROOT / "docs/decisions/0002-interfaces.md").read_text("utf-8")
    assert f"| `{name}` | {what} | {does} |" in text
