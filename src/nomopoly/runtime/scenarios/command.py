"""The command `nomopoly scenario`."""

from __future__ import annotations

from pathlib import Path

from nomopoly.errors import CommandError
from nomopoly.runtime.scenarios.coverage import coverage
from nomopoly.runtime.scenarios.form import find, load, shipped
from nomopoly.runtime.scenarios.play import run


def main(paths: list[str] | None = None, runtime: str = "both", show_coverage: bool = False) -> int:
    """The command `nomopoly scenario`: run scenarios, or list the rules whose code none ran. Returns the exit status."""
    if runtime not in ("both", "cpython", "monty"):
        raise CommandError(f"there is no runtime '{runtime}': there are cpython, monty and both")
    places: list[Path] = [Path(path) for path in paths] if paths else shipped()
    if not places:
        raise CommandError("no scenarios are shipped; name a file or folder")
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
                result = run(data, where, name)
                print(result)
                total += 1
                failed += result.failure is not None
    print(f"{total - failed} passed, {failed} failed")
    return 1 if failed else 0
