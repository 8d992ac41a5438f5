"""The command `nomopoly scenario`."""

from __future__ import annotations

from pathlib import Path

from nomopoly.errors import CommandError
from nomopoly.rulebook.own import add_edition
from nomopoly.rulebook.source import load_edition
from nomopoly.runtime.scenarios.coverage import coverage
from nomopoly.runtime.scenarios.form import find, load, shipped
from nomopoly.runtime.scenarios.keys import EDITIONS
from nomopoly.runtime.scenarios.play import run


def main(
    paths: list[str] | None = None, runtime: str = "both", show_coverage: bool = False, book_at: Path | None = None
) -> int:
    """The command `nomopoly scenario`: run scenarios, or list the rules whose code none ran. Returns the exit status.

    `book_at`: a folder or file of rules that they play, whatever edition they name.
    """
    if runtime not in ("both", "cpython", "monty"):
        raise CommandError(f"there is no runtime '{runtime}': there are cpython, monty and both")
    places: list[Path] = [Path(path) for path in paths] if paths else shipped()
    if not places:
        raise CommandError("no scenarios are shipped; name a file or folder")
    for path in places:
        add_edition_of(path)
    book = load_edition(add_edition(book_at)) if book_at is not None else None
    if show_coverage:
        missing = coverage(places)
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
                if book is not None and isinstance(data, dict):
                    data = {**data, "edition": book.edition}
                result = run(data, where, name, book=book)
                print(result)
                total += 1
                failed += result.failure is not None
    print(f"{total - failed} passed, {failed} failed")
    return 1 if failed else 0


def add_edition_of(path: Path) -> None:
    """Scenarios in the folder of a rulebook of one's own play that rulebook."""
    for folder in path.resolve().parents if path.is_file() else (path.resolve(), *path.resolve().parents):
        if (folder / "contents.py").is_file():
            if folder.parent != EDITIONS.resolve():
                add_edition(folder)
            return
