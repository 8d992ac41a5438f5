"""The command `nomopoly scenario`."""

from __future__ import annotations

from pathlib import Path

from nomopoly.errors import CommandError
from nomopoly.rulebook.own import add_edition
from nomopoly.rulebook.source import editions, load_edition
from nomopoly.runtime.scenarios.coverage import coverage
from nomopoly.runtime.scenarios.form import find, load, shipped
from nomopoly.runtime.scenarios.keys import EDITIONS
from nomopoly.runtime.scenarios.play import run


def main(paths: list[str] | None = None, runtime: str = "both", show_coverage: bool = False, edition: str = "") -> int:
    """The command `nomopoly scenario`: run scenarios, or list the rules whose code none ran. Returns the exit status.

    `edition`: a folder or file of rules, or the name of an edition, that they play, whatever edition they name; without
    paths its own scenarios are run.
    """
    if runtime not in ("both", "cpython", "monty"):
        raise CommandError(f"there is no runtime '{runtime}': there are cpython, monty and both")
    own = Path(edition) if edition and edition not in editions() else None
    if own is not None:
        edition = added(own)
    book = load_edition(edition) if own is not None else None
    places: list[Path] = [Path(path) for path in paths] if paths else scenarios_of(edition, own)
    for path in places:
        add_edition_of(path)
    if show_coverage:
        missing = coverage(places, edition)
        for edition, rules in missing.items():
            print(f"{edition}: {'every rule with code was run' if not rules else 'never run: ' + ', '.join(rules)}")
        return 1 if any(missing.values()) or not missing else 0
    failed = total = 0
    runtimes = ("cpython", "monty") if runtime == "both" else (runtime,)
    for path in find(places):
        try:
            documents = load(path)
        except CommandError as error:
            print(f"FAILED {error}")
            failed, total = failed + 1, total + 1
            continue
        for where, data in documents:
            for name in runtimes:
                if edition and isinstance(data, dict):
                    data = {**data, "edition": edition}
                result = run(data, where, name, book=book)
                print(result)
                total += 1
                failed += result.failure is not None
    print(f"{total - failed} passed, {failed} failed")
    return 1 if failed else 0


def added(path: Path) -> str:
    """Make rules in a folder or file an edition; returns its name. Raises CommandError if there is nothing there."""
    if not path.exists():
        raise CommandError(f"there is no edition, folder or file '{path}': editions are {', '.join(editions())}")
    return add_edition(path)


def scenarios_of(edition: str, own: Path | None) -> list[Path]:
    """The folders of scenarios that come with an edition: a shipped one, all of these ("") or the one in the folder
    `own`.

    Raises CommandError if it has none.
    """
    places = shipped(edition or "*") if own is None else [own / "scenarios"]
    if not all(each.is_dir() for each in places):
        raise CommandError(f"{own}: no scenarios come with it: name their files or folders before --edition")
    return places


def add_edition_of(path: Path) -> None:
    """Scenarios in the folder of a rulebook of one's own play that rulebook."""
    for folder in path.resolve().parents if path.is_file() else (path.resolve(), *path.resolve().parents):
        if (folder / "contents.py").is_file():
            if folder.parent != EDITIONS.resolve():
                add_edition(folder)
            return
