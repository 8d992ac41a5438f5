"""A game as tables for a statistician: entries, facts, balances, holdings, votes and rules by time, as somebody may see
them.

CSV needs nothing but the standard library; Parquet the extra `lab`. In CSV a text that a spreadsheet would take for a
formula has an apostrophe before it.
"""

from __future__ import annotations

import contextlib
import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nomopoly.errors import CommandError
from nomopoly.lab.outlook import need_arrow
from nomopoly.runtime.files import whole
from nomopoly.runtime.host import Game
from nomopoly.runtime.journal import moment_of
from nomopoly.runtime.replay import struck_numbers

Data = dict[str, Any]
Row = tuple[Any, ...]
COLUMNS = {
    "entries": ("n", "number", "hash", "at", "kind", "by", "do", "args", "refused", "fault"),
    "facts": ("n", "at", "place", "what", "event", "rule", "fact"),
    "balances": ("n", "at", "of", "name", "before", "after"),
    "holdings": ("n", "at", "of", "name", "before", "after"),
    "votes": ("n", "at", "closes", "about", "choice", "by", "many"),
    "rules": ("n", "at", "rule", "title", "text", "params", "code"),
}
FORMATS = ("csv", "parquet")
FORMULA = re.compile(r"[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")  # with which one begins, by the advice of OWASP
NUMBER = re.compile(r"-?\d+")


def tables(game: Game, viewer: str = "visitor") -> dict[str, list[Row]]:
    """The rows of each table of COLUMNS, oldest first, with nothing in them that the viewer may not see.

    `n` numbers all entries; `number` those that everybody may see, as pages do, and is None for others; `hash` is that
    of the journal. `at` is a moment in seconds since 1970. `args`, `fact`, `choice`, `params` and what holdings hold
    are JSON. A rule that is repealed has no title, text, params and code any more. Struck entries and what came of them
    are left out; all others are as they are without them.
    """
    found: dict[str, list[Row]] = {name: [] for name in COLUMNS}
    opened = moment_of(game.first["at"])
    for record in game.first["args"]["rules"]:
        found["rules"].append((0, opened, *rule_row(record["id"], record)))
    lines = {line["n"]: (line["hash"], moment_of(line["at"])) for line in game.journal.lines(1)}
    for entry in game.facts(viewer, 1):
        if entry["struck"] is None:
            read_entry(found, entry, lines[entry["n"]][0])
    struck = struck_numbers(game.strikes)
    for n, outcome in game.outcomes.get(1):
        for id, record in outcome.get("rules", ()) if n not in struck else ():
            found["rules"].append((n, lines[n][1], *rule_row(id, record)))
    return found


def read_entry(found: dict[str, list[Row]], entry: Data, hash: str) -> None:
    """Put what an entry says, and what came of it, into the tables: an entry of the log as the viewer has it."""
    n, at = entry["n"], entry["at"]
    asked = (entry["kind"], entry["by"], entry["do"], as_json(entry["args"]))
    refused, fault = entry["refused"] is not None, as_json(entry["fault"])
    found["entries"].append((n, entry["number"], hash, at, *asked, refused, fault))
    for place, fact in enumerate(entry["facts"]):
        found["facts"].append((n, at, place, fact["what"], fact["event"], fact["rule"], as_json(fact)))
    # what a strike changes is in the rows of the entries that stand, which are as they would have been without it
    for id, name, before, after in entry["changes"] if entry["kind"] != "strike" else ():
        numbers = [type(each) is int or each is None for each in (before, after)]
        if all(numbers) and (before, after) != (None, None):
            found["balances"].append((n, at, id, name, before, after))
        else:
            found["holdings"].append((n, at, id, name, as_json(before), as_json(after)))
    for about, choice, who, *_ in entry["args"].get("ballots", ()) if entry["kind"] == "ballots" else ():
        by, many = (None, who) if type(who) is int else (who, 1)
        found["votes"].append((n, at, entry["do"], about, as_json(choice), by, many))


def rule_row(id: str, record: Data | None) -> Row:
    """A rule as a row: what it is from now on."""
    if record is None:
        return (id, None, None, None, None)
    return (id, record["title"], record["text"], as_json(record["params"]), record["code"])


def as_json(content: object) -> str | None:
    """Plain data as text; None stays None."""
    return None if content is None else json.dumps(content, sort_keys=True, ensure_ascii=False)


def write(found: dict[str, list[Row]], folder: Path, format: str = "csv") -> list[Path]:
    """Write each table into a file of a folder, which is made if it is not there: all of them, or none. Returns the
    files. Raises CommandError."""
    if format not in FORMATS:
        raise CommandError(f"there is no format '{format}': there are {' and '.join(FORMATS)}")
    libraries = need_arrow() if format == "parquet" else ()
    if folder.exists() and not folder.is_dir():
        raise CommandError(f"{folder}: cannot be written: it is no folder; name one")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CommandError(f"{folder}: cannot be written: {error.strerror}") from error
    files = [folder / f"{name}.{format}" for name in found]
    with contextlib.ExitStack() as kept:
        for file, name in zip(files, found, strict=True):
            half = kept.enter_context(whole(file))
            if libraries:
                arrow, parquet = libraries
                types = [(column, type_of(name, column)) for column in COLUMNS[name]]
                parquet.write_table(arrow.table(dict(columns_of(name, found[name])), arrow.schema(types)), half)
            else:
                with half.open("w", encoding="utf-8", newline="") as out:
                    writer = csv.writer(out)
                    writer.writerow(COLUMNS[name])
                    writer.writerows([safe_cell(cell) for cell in row] for row in found[name])
    return files


def safe_cell(cell: object) -> object:
    """What a cell of a CSV file holds so that no spreadsheet takes a text for a formula; numbers stay as they are."""
    formula = isinstance(cell, str) and FORMULA.match(cell) and not NUMBER.fullmatch(cell)
    return f"'{cell}" if formula else cell


def columns_of(name: str, rows: list[Row]) -> Iterator[tuple[str, list[Any]]]:
    """A table by columns: (its name, its contents)."""
    for place, column in enumerate(COLUMNS[name]):
        yield column, [row[place] for row in rows]


def type_of(name: str, column: str) -> str:
    """What a column of a table holds, as Arrow calls it: the same in every game, also where it is empty."""
    if column == "refused":
        return "bool"
    number = column in ("n", "number", "at", "place", "many") or (name == "balances" and column in ("before", "after"))
    return "int64" if number else "string"


def main(game: Game, folder: Path, viewer: str, format: str) -> int:
    """The command `nomopoly tables`."""
    if viewer not in ("admin", "visitor") and game.view(viewer)["things"].get(viewer, {}).get("kind") != "player":
        raise CommandError(f"there is no player '{viewer}' in this game: say visitor, admin or a player's name")
    found = tables(game, viewer)
    for file, rows in zip(write(found, folder, format), found.values(), strict=True):
        print(f"{file}: {len(rows)} rows")
    return 0
