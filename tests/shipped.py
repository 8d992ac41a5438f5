"""The scenarios that come with the editions, for the tests that play them: read once, and which rules they run is
noted.

A scenario of 700 lines takes a while to read: what was read is kept in .pytest_cache as long as the file and its reader
are the same. Where NOMOPOLY_RAN names a folder, each process of the tests writes into it which rules ran, and
`python tests/shipped.py FOLDER` then lists the rules with code that no scenario ran: status 1 if there are any. So each
is played once.
"""

import fcntl
import hashlib
import json
import marshal
import os
import sys
from functools import cache
from pathlib import Path

from nomopoly.rulebook import changes
from nomopoly.runtime.interpreters.probes import watching
from nomopoly.runtime.scenarios import coverage, form, play

KEPT = Path(__file__).parents[1] / ".pytest_cache" / "scenarios"
RUNTIMES = ("cpython", "monty")
READER = hashlib.sha256(
    b"".join(Path(each.__file__).read_bytes() for each in (form, changes)) + sys.version.encode()
).digest()


@cache
def of_edition(edition: str) -> list[tuple[str, dict]]:
    """The scenarios of an edition, as (where, data): the same ones for whoever asks, who changes nothing in them."""
    files = list(form.find([folder_of(edition)]))
    turn = -1 if os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:] in "13579" else 1  # two processes meet in the middle
    read_in_turn = {file: read(file) for file in files[::turn]}
    return [each for file in files for each in read_in_turn[file]]


def folder_of(edition: str) -> Path:
    """The folder of an edition's scenarios."""
    return next(folder for folder in form.shipped() if folder.parent.name == edition)


def read(file: Path) -> list[tuple[str, dict]]:
    """The scenarios of a file, from what was kept if it is still the same file."""
    name = f"{file.parents[1].name}-{file.stem}"
    documents = as_kept(name, file.read_bytes(), lambda: [data for _, data in form.load(file)])
    return [(f"{file}" if len(documents) == 1 else f"{file} #{at + 1}", each) for at, each in enumerate(documents)]


def as_kept(name: str, text: bytes, read_it):
    """The plain data that `read_it()` reads from a text, from what was kept under this name if it is still the same
    text."""
    key = hashlib.sha256(READER + text).hexdigest()
    KEPT.mkdir(parents=True, exist_ok=True)
    with open(KEPT / name, "a+b") as kept:
        fcntl.flock(kept, fcntl.LOCK_EX)
        kept.seek(0)
        data = kept.read()
        if data[:64] != key.encode():
            data = key.encode() + marshal.dumps(read_it())
            kept.truncate(0)
            kept.write(data)
    return marshal.loads(data[64:])


def failure(where: str, data: dict, runtime: str = "cpython") -> str | None:
    """Play a scenario, and in CPython note which rules it runs. Returns why it fails, or None.

    Both interpreters take a scenario one after the other: what its proposals are checked for is known then.
    """
    if runtime != "cpython":
        return play.run(data, where, runtime).failure
    ran: set[str] = set()
    watching.append(ran)
    try:
        found = play.run(data, where, "cpython").failure
    finally:
        watching.pop()
    if found is None and "NOMOPOLY_RAN" in os.environ:
        with open(Path(os.environ["NOMOPOLY_RAN"]) / str(os.getpid()), "a") as file:
            file.write(json.dumps([data["edition"], sorted(ran)]) + "\n")
    return found


def never_run(folder: Path) -> dict[str, list[str]]:
    """For each edition the rules with code that none of the scenarios ran of which notes are in a folder."""
    ran: dict[str, set[str]] = {place.parent.name: set() for place in form.shipped()}
    for file in folder.iterdir():
        for line in file.read_text().splitlines():
            edition, rules = json.loads(line)
            ran[edition].update(rules)
    return {edition: coverage.not_among(edition, rules) for edition, rules in ran.items()}


def main() -> int:
    missing = never_run(Path(sys.argv[1]))
    for edition, rules in missing.items():
        print(f"{edition}: {'every rule with code was run' if not rules else 'never run: ' + ', '.join(rules)}")
    return int(any(missing.values()))


if __name__ == "__main__":
    sys.exit(main())
