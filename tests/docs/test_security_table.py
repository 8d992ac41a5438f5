"""The table of docs/security.md: every point of OWASP ASVS 5, levels 1 and 2, once, with tests and modules that there
are."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROW = re.compile(r"^\| (\d+\.\d+\.\d+) \| (.+?) \| (.+?) \|$")


def rows():
    found = [ROW.match(line) for line in (ROOT / "docs" / "security.md").read_text().splitlines()]
    return [row.groups() for row in found if row]


def test_every_point_of_levels_1_and_2_is_in_the_table_once():
    numbers = [number for number, _, _ in rows()]
    assert len(numbers) == len(set(numbers)) == 253


def test_every_test_that_the_table_names_is_there():
    named = {each for _, _, how in rows() for each in re.findall(r"`(test_\w+)(?:::(test_\w+))?`", how)}
    files = {path.stem: path for path in (ROOT / "tests").rglob("test_*.py")}
    missing = [
        f"{file}::{test}" for file, test in named if file not in files or f"def {test}" not in source(files[file])
    ]
    assert missing == []
    assert len(named) > 30


def source(path):
    return path.read_text()


def test_every_module_that_the_table_names_is_there():
    named = {
        each for _, _, how in rows() for each in re.findall(r"`((?:site|runtime|kernel|rulebook)/[\w/]+\.py)`", how)
    }
    assert [each for each in named if not (ROOT / "src" / "nomopoly" / each).is_file()] == []
