"""The sandbox dialect: every module of kernel, commons and editions loads in both interpreters and keeps to it."""

import ast
import re
from pathlib import Path

import minigames
import pydantic_monty
import pytest

import nomopoly
from nomopoly.kernel import MODULES
from nomopoly.rulebook.source import editions, load_edition
from nomopoly.runtime.host import open_game
from nomopoly.runtime.interpreters.text import RECURSION, kernel_source

SOURCE = Path(nomopoly.__file__).parent
KERNEL = [SOURCE / "kernel" / f"{name}.py" for name in MODULES]
COMMONS = sorted(path for path in (SOURCE / "commons").glob("*.py") if path.stem != "__init__")
RULES = sorted(path for path in (SOURCE / "editions").glob("*/*.py") if path.stem not in ("__init__", "contents"))
WINDOW = [SOURCE / "runtime" / f"{name}.py" for name in ("views", "forms", "opening", "window")]
OLDER = SOURCE / "runtime" / "older.py"
AUDIT = SOURCE / "runtime" / "audit.py"
COUNTERS = [SOURCE / "runtime" / f"{name}.py" for name in ("counters", "counted_functions")]
BUDGETS = SOURCE / "kernel" / "budgets.py"  # what it counts stands in two names of its own, for speed
DIALECT = [*KERNEL, *COUNTERS, OLDER, *WINDOW, AUDIT, *COMMONS, *RULES]
MOST_LINES = 3505
FORBIDDEN_MODULES = {"random", "time", "secrets", "uuid", "os", "sys", "threading", "datetime", "decimal", "fractions"}
FORBIDDEN_NODES = (
    ast.Yield,
    ast.YieldFrom,
    ast.AsyncFunctionDef,
    ast.Await,
    ast.Delete,
    ast.Global,
    ast.Nonlocal,
    ast.Set,
    ast.SetComp,
    ast.With,
)
FORBIDDEN_NAMES = {
    "vars",
    "globals",
    "locals",
    "dir",
    "property",
    "staticmethod",
    "classmethod",
    "super",
    "float",
    "id",
}
GAME_WORDS = re.compile(
    r"\b(squares?|money|rents?|houses?|votes?|dollars?|bank|boards?|cards? of|buy|sell|bankrupt|fines?|proposals?)\b",
    re.I,
)
# What others rely on (docs/decisions/0002): the name of a marker's place, and the part of a form's goods that is a
# number.
INTERFACE = {
    "fields": {"money", " money", " must say what, for example money: 60"},
    "persons": {"money"},
    "things": {"money"},
}
VOTES = [
    SOURCE / "kernel" / f"{name}.py" for name in ("emergency", "beyond")
]  # the one vote that no rule may break (design, 4)


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def named(path: Path) -> str:
    return str(path.relative_to(SOURCE))


def lines_of_code(path: Path) -> int:
    """Lines that are neither blank nor comment nor docstring, nor an import of another module of the kernel.

    The kernel is loaded as one text, without those imports.
    """
    said = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("nomopoly.kernel"):
            said.update(range(node.lineno, node.end_lineno + 1))
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
            said.update(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    lines = enumerate(path.read_text().splitlines(), 1)
    return sum(1 for at, line in lines if line.strip() and not line.strip().startswith("#") and at not in said)


def test_the_kernel_stays_small():
    assert sum(lines_of_code(path) for path in KERNEL) < MOST_LINES


def test_no_two_modules_of_the_one_text_use_a_name_for_different_things():
    """The kernel is loaded as one text, with what its host adds: a second function of a name would replace the
    first."""
    named: dict[str, str] = {}
    for path in [*KERNEL, *COUNTERS, AUDIT, OLDER, *WINDOW]:
        for node in tree(path).body:
            names = [node.name] if isinstance(node, ast.FunctionDef | ast.ClassDef) else []
            if isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                names = [target.id for target in targets if isinstance(target, ast.Name)]
            for name in names:
                assert named.setdefault(name, path.stem) == path.stem, f"{name}: {named[name]} and {path.stem}"


def test_the_list_of_kernel_modules_is_complete():
    assert {path.stem for path in (SOURCE / "kernel").glob("*.py")} == {*MODULES, "__init__"}


@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
@pytest.mark.parametrize("edition", editions())
def test_kernel_commons_and_edition_load(edition, runtime):
    book = load_edition(edition)
    game = open_game(book, title="T", game_id="t", runtime=runtime, at=minigames.START, secret=minigames.SECRET)
    assert len(game.records()) == len(book.records)


@pytest.mark.parametrize("path", KERNEL, ids=named)
def test_each_kernel_module_is_read_by_the_sandbox(path):
    """Modules are put together to run: here each is read up to its end, with those before it."""
    text = kernel_source()
    with pydantic_monty.Monty(min_processes=1) as pool, pool.checkout(limits={"max_recursion_depth": RECURSION}) as one:
        names = [node.name for node in tree(path).body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
        assert one.feed_run(text + "\nlen([" + ", ".join(names) + "])") == len(names)


def test_kernel_modules_share_no_name():
    owners: dict[str, str] = {}
    for path in KERNEL:
        for node in tree(path).body:
            names = [node.name] if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else []
            if isinstance(node, (ast.Assign, ast.AnnAssign)):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                names = [target.id for target in targets if isinstance(target, ast.Name)]
            for name in names:
                assert name not in owners, f"{name} is in {owners[name]} and in {path.stem}"
                owners[name] = path.stem


@pytest.mark.parametrize("path", DIALECT, ids=named)
def test_forbidden_constructs(path):
    for node in ast.walk(tree(path)):
        where = f"{named(path)}:{getattr(node, 'lineno', 0)}"
        if not (path == BUDGETS and isinstance(node, ast.Global)):
            assert not isinstance(node, FORBIDDEN_NODES), f"{where}: {type(node).__name__}"
        if isinstance(node, ast.Constant):
            assert not isinstance(node.value, (float, complex, bytes)), f"{where}: {node.value!r}"
        if isinstance(node, ast.BinOp):
            assert not isinstance(node.op, ast.Div), f"{where}: / makes fractions"
        if isinstance(node, ast.ClassDef):
            assert not node.bases, f"{where}: inheritance"
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            assert not FORBIDDEN_MODULES & {module.split(".")[0] for module in modules}, f"{where}: {modules}"
            assert not any(alias.name == "*" for alias in node.names), f"{where}: wildcard import"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in FORBIDDEN_NAMES | {"frozenset", "hash"}, f"{where}: {node.func.id}()"


@pytest.mark.parametrize("path", KERNEL, ids=named)
def test_the_kernel_has_no_sets(path):
    """In rules `set` is a word of the language; the kernel has no business with sets, which have no order."""
    calls = [node for node in ast.walk(tree(path)) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    assert not [node.lineno for node in calls if node.func.id == "set"]


def kernel_words(path: Path) -> list[str]:
    """Names and texts of the program; docstrings and comments may give examples from games."""
    parsed = tree(path)
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    docs = {
        id(node.body[0].value) for node in ast.walk(parsed) if isinstance(node, documented) and ast.get_docstring(node)
    }
    found = []
    for node in ast.walk(parsed):
        if isinstance(node, ast.Name):
            found.append(node.id)
        elif isinstance(node, ast.Attribute):
            found.append(node.attr)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.append(node.name)
        elif isinstance(node, ast.arg):
            found.append(node.arg)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            found.append(node.value)
    return found


@pytest.mark.parametrize("path", [path for path in KERNEL if path not in VOTES], ids=named)
def test_no_game_in_the_kernel(path):
    found = {word for word in kernel_words(path) if GAME_WORDS.search(word.replace("_", " "))}
    found = {word for word in found if word not in INTERFACE.get(path.stem, ())}
    assert not found, f"{named(path)}: {sorted(found)}"
