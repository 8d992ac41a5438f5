"""Rulebooks of one's own, from a folder or a file, with all the rights of the shipped editions.

A folder is laid out as those of the shipped editions are: `contents.py`, section modules, `scenarios/` and `texts/` in
other languages if there are any. A file is one module of rules (.py), or a rulebook as
`nomopoly rules NAME --code --format json` prints it (.json).
"""

from __future__ import annotations

import ast
import importlib.resources
import json
import re
from pathlib import Path
from typing import Any

from nomopoly.errors import CommandError
from nomopoly.kernel.precedence import number_key
from nomopoly.kernel.rules import section_of
from nomopoly.rulebook import texts
from nomopoly.rulebook.problems import Problem
from nomopoly.rulebook.source import (
    OWN,
    Book,
    Record,
    contents_of,
    editions,
    load_edition,
    load_folder,
    new_record,
    parse_module,
    parse_python,
    places_in,
    read_text,
)

MOST_NAME = 20  # characters of an edition's name


def is_rules(path: Path) -> bool:
    """Whether a path is a folder or file of rules; of a JSON file, whether there are `rules` in it, and no proposal."""
    if path.is_dir():
        return (path / "contents.py").is_file()
    if path.suffix != ".json":
        return path.suffix == ".py" and path.is_file()
    try:
        said = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(said, dict) and isinstance(said.get("rules"), list)


def add_edition(path: Path, beside: bool = False) -> str:
    """Make a folder or file of rules an edition of this process. Returns its name, under which it is loaded from now
    on.

    Where a shipped edition has that name, it stands in its place; with `beside` that is an error. Raises CommandError.
    """
    book, contents = load_rules(path)
    if beside and book.edition in editions():
        raise CommandError(f"{path}: there is an edition '{book.edition}' already: give yours another name")
    OWN[book.edition] = (book, contents)
    return book.edition


def load_rules(path: Path) -> tuple[Book, dict[str, Any]]:
    """(the rulebook in a folder or file, what its contents.py says, as far as there is one). Raises CommandError."""
    path = path.resolve()
    if path.is_dir():
        if not (path / "contents.py").is_file():
            raise CommandError(f"{path}: a folder of rules has a contents.py, with TITLE, SECTIONS and COMMONS")
        book = load_folder(path)
        contents = contents_of(path)
        drawing = path / "picture.svg"
        beside = {"PICTURE": drawing_in(drawing), "TEXTS": texts.checked(path)}
        return Book(name_of(path), book.title, book.records, book.commons), contents | beside
    if path.suffix == ".py":
        text = read_text(path)
        return Book(
            name_of(path), title_in(text, path), in_order(parse_module(text, str(path)), path), all_commons()
        ), {}
    if path.suffix == ".json":
        title, records = read_json(path)
        return Book(name_of(path), title, in_order(records, path), all_commons()), {}
    raise CommandError(f"{path}: rules are a folder with a contents.py, a module (.py) or a rulebook as JSON (.json)")


def places_of(path: Path, contents: dict[str, Any]) -> dict[str, tuple[str, int, int]]:
    """Where the rules of a folder stand: see `source.places_in`. Of rules in a JSON file nothing is known."""
    found: dict[str, tuple[str, int, int]] = {}
    for module in contents.get("SECTIONS", ()):
        file = path / f"{module}.py"
        found |= places_in(read_text(file), str(file))
    return found


def astray(records: list[Record]) -> list[Problem]:
    """The rules whose number is not one of the section in which they stand: games go by the number alone."""
    found = []
    for each in records:
        section, example = each["section"], f"{each['section']}.1"
        if section_of(each["id"]) != section:
            told = (
                f"its number is not one of section {section}, as {example} is: games take it for a rule of another "
                "section, which has no title"
            )
            found.append(Problem("warning", each["id"], 0, told))
    return found


def name_of(path: Path) -> str:
    """The name of an edition that a path gives: small letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", path.stem.lower()).strip("-")[:MOST_NAME] or "rules"


def title_in(text: str, path: Path) -> str:
    """What a module of rules is called: the first line of its docstring, or its name."""
    said = ast.get_docstring(ast.Module(parse_python(text, str(path)), []))
    return said.splitlines()[0].rstrip(".") if said else path.stem


def drawing_in(file: Path) -> str:
    """The drawing beside a contents.py, if there is one."""
    return read_text(file) if file.is_file() else ""


def in_order(records: list[Record], path: Path) -> list[Record]:
    """Records in book order; there must be some."""
    if not records:
        raise CommandError(f"{path}: holds no rule(...)")
    return sorted(records, key=lambda each: number_key(each["id"]))


def all_commons() -> list[tuple[str, str]]:
    """All shared modules, in an order in which each finds what it needs: a file does not say which of them it uses."""
    shipped = [load_edition(name).commons for name in editions() if name not in OWN]
    names = dict.fromkeys(name for commons in sorted(shipped, key=len, reverse=True) for name, _ in commons)
    shared = importlib.resources.files("nomopoly.commons")
    return [(name, shared.joinpath(f"{name}.py").read_text(encoding="utf-8")) for name in names]


def read_json(path: Path) -> tuple[str, list[Record]]:
    """Title and records of a rulebook as `nomopoly rules` prints it. Raises CommandError."""
    try:
        said = json.loads(read_text(path))
        rules = said["rules"]
        return str(said.get("title") or path.stem), [read_record(each, str(path)) for each in rules]
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        wanted = "`nomopoly rules NAME --code --format json` prints one"
        raise CommandError(f"{path}: this is no rulebook with its programs: {wanted}") from None


def read_record(said: dict[str, Any], place: str) -> Record:
    """One record of such a file, of an opening."""
    section = (str(said["section"]), str(said["section_title"]))
    numbers = {
        str(name): tuple(number) if isinstance(number, list) else number for name, number in said["params"].items()
    }
    record = new_record(section, [said["id"], said["text"]], {"title": said["title"], **numbers}, place)
    return record | {"code": str(said["code"])}
