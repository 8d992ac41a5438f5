"""Files that one can take in: what is longer is two things."""

from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MOST_LINES = 600  # of a program
FILES = sorted(path for room in ("src", "tests", "tools", "bench") for path in (ROOT / room).rglob("*.py"))


@pytest.mark.parametrize("room", ["src", "tests", "tools", "bench"])
def test_no_file_is_too_long(room):
    sizes = {str(path.relative_to(ROOT)): len(path.read_text("utf-8").splitlines()) for path in FILES}
    sizes = {path: lines for path, lines in sizes.items() if path.startswith(room)}
    assert sizes
    assert {path: lines for path, lines in sizes.items() if lines > MOST_LINES} == {}


def test_each_file_of_tests_has_a_name_of_its_own():
    """pytest takes two of one name for the same module, and collects none of them."""
    files = [path for path in Path(__file__).parent.rglob("test_*.py") if not (path.parent / "__init__.py").exists()]
    names = sorted(path.name for path in files)
    assert [name for name, next_one in pairwise(names) if name == next_one] == []
