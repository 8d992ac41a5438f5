"""Which versions `pip install nomopoly` takes: bounded, and those that are tested are among them."""

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
BY_YEARS = {"tzdata", "distributed"}  # whose versions are dates: nothing can be said of the next one


def name_of(text):
    return re.sub(r"[-_.]+", "-", text).lower()


def required():
    """The direct dependencies of who runs the program, extras for research among them: [Requirement]."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = [each for extra, words in project["optional-dependencies"].items() if extra != "dev" for each in words]
    return [Requirement(each) for each in (*project["dependencies"], *extras)]


def pinned_versions():
    """{name: version} of constraints.txt."""
    lines = (ROOT / "constraints.txt").read_text().split()
    return {name_of(name): version for name, _, version in (line.partition("==") for line in lines)}


def test_each_dependency_has_bounds():
    def bounded(each):
        marks = {part.operator for part in each.specifier}
        return "==" in marks or (">=" in marks and ("<" in marks or each.name in BY_YEARS))

    assert len(required()) > 20
    assert [str(each) for each in required() if not bounded(each)] == []


def test_what_is_tested_is_within_the_bounds():
    pinned = pinned_versions()
    found = [(each, pinned[name_of(each.name)]) for each in required() if name_of(each.name) in pinned]
    assert len(found) > 18
    assert [str(each) for each, version in found if not each.specifier.contains(version)] == []


def test_what_decides_results_is_one_version():
    found = [str(each.specifier) for each in required() if each.name == "pydantic-monty"]
    assert found == [f"=={pinned_versions()['pydantic-monty']}"]
