"""Which versions `pip install nomopoly` takes: bounded, and those that are tested are among them."""

import ast
import re
import sys
import tomllib
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
HOUSE = ROOT / "src" / "nomopoly"
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


EXTRAS = {"lab/env.py": {"pettingzoo", "gymnasium", "numpy"}}  # modules that nobody reads without their extra


def read_at_start(tree):
    """The packages that a module imports as it is read: not those within functions, or for types alone."""
    for node in tree.body:
        if isinstance(node, ast.Import):
            yield from (each.name.partition(".")[0] for each in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield (node.module or "").partition(".")[0]


def with_what_they_need(names):
    """Distributions and all that these require without an extra, by name."""
    todo, all_of_them = list(names), set()
    while todo:
        name = todo.pop()
        if name in all_of_them:
            continue
        all_of_them.add(name)
        try:
            needs = metadata.requires(name) or []
        except metadata.PackageNotFoundError:  # for another system
            continue
        wanted = [Requirement(each) for each in needs]
        todo += [name_of(each.name) for each in wanted if each.marker is None or each.marker.evaluate({"extra": ""})]
    return all_of_them


def test_the_program_starts_without_extras():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needed = with_what_they_need(name_of(Requirement(each).name) for each in project["dependencies"])
    owners = metadata.packages_distributions()
    missing = {}
    for path in sorted(HOUSE.rglob("*.py")):
        place = path.relative_to(HOUSE).as_posix()
        packages = set(read_at_start(ast.parse(path.read_text()))) - set(sys.stdlib_module_names) - {"nomopoly"}
        lacking = {
            each
            for each in packages - EXTRAS.get(place, set())
            if not needed & {name_of(owner) for owner in owners.get(each, ())}
        }
        if lacking:
            missing[place] = sorted(lacking)
    assert missing == {}


def test_tables_of_the_database_know_of_nothing_but_one_another():
    """The contract of the site's floors leaves models out, so no way may lead through one."""
    found = {
        f"{node.module}.{each.name}"
        for path in (HOUSE / "site").glob("*/models.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("nomopoly.site")
        for each in node.names
    }
    others = {name for name in found if ".models." not in name}
    assert found - others  # a trial copy's row points to a game
    assert others == {"nomopoly.site.notices.kinds"}  # the words of choices that a table has


def test_the_version_stands_in_one_place():
    told = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert "version" not in told["project"], "a release would give its number to one of two places"
    assert told["project"]["dynamic"] == ["version"]
    assert "__version__ = " in (ROOT / told["tool"]["hatch"]["version"]["path"]).read_text()
