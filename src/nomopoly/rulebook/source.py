"""Literate section modules: prose first, the program under it; parsed into rule records and written back.

A module begins a section with `section("VIII", "Ownership")`, and a rule with `rule(number, prose, title=...,
**numbers)`; all code until the next `rule` belongs to it. The records are described in docs/decisions/0002.
"""

from __future__ import annotations

import ast
import difflib
import importlib.resources
import pickle
import re
import warnings
from dataclasses import dataclass
from functools import cache
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from nomopoly.errors import CommandError
from nomopoly.kernel.precedence import number_key
from nomopoly.rulebook.bytecode import kept
from nomopoly.rulebook.trees import program_tree

Record = dict[str, Any]
# What a contents.py may say, and how.
CONTENTS = {
    "TITLE": 'what the game is called: TITLE = "Harbour"',
    "ABOUT": 'what the game is, in a sentence or two: ABOUT = "Ships, berths and letters."',
    "SECTIONS": 'the modules of rules in their order, each in quotes, with a comma: SECTIONS = ("rules",)',
    "COMMONS": 'the shared modules that the rules use, each in quotes, with a comma: COMMONS = ("language", "board")',
    "MOMENTS": 'what scenarios can wait for, each with what it is: MOMENTS = {"tide": "Sunday 18:00"}',
    "GAPS": "whether squares need not be numbered one after the other: GAPS = True",
}
# P1 is no rule's number: what a proposal's program did says P1 in a rule's place.
RULE_NUMBER = re.compile(r"(?!P\d+\Z)\w[\w-]*(\.[\w-]+)*(/[\w.$ -]*\w)?")


class SourceError(CommandError):
    """A section module that cannot be read; the message names file and line."""


@dataclass(frozen=True)
class Book:
    """A whole rulebook: its records in book order and the shared modules it uses, as (name, source)."""

    edition: str
    title: str
    records: list[Record]
    commons: list[tuple[str, str]]


OWN: dict[str, tuple[Book, dict[str, Any]]] = {}  # editions of this process alone: the rulebook, and its contents.py


def parse_module(source: str, filename: str = "<rulebook>") -> list[Record]:
    """The rule records of a section module, in the order in which they stand.

    Code is kept verbatim, comments included, without the blank lines at both ends; comments directly above a `rule` or
    `section` belong to no rule. Raises SourceError, which names file and line.
    """
    body = parse_python(source, filename)
    lines = source.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    section: tuple[str, str] | None = None
    records: list[Record] = []
    begins = 0  # index of the line on which the code of the last rule begins
    last = 0  # line on which the statement before ends
    for at, node in enumerate(body):
        place = f"{filename}: line {node.lineno}"
        if node.lineno == last:
            raise SourceError(f"{place}: begin each rule(...), and its code, on a line of its own")
        call = marker_call(node)
        if call is None:
            if not records and not (at == 0 and is_docstring(node)):
                raise SourceError(f"{place}: code before the first rule(...)")
            if begins < 0:
                raise SourceError(f"{place}: code right after section(...): it belongs under a rule(...)")
        else:
            if records and begins >= 0:
                records[-1]["code"] = trim("\n".join(lines[begins : first_line(lines, node.lineno, last)]))
            name, positional, named = call_literals(call, place)
            if name == "section":
                section = read_section(positional, named, place)
                begins = -1 if records else 0
            else:
                if section is None:
                    raise SourceError(
                        f'{place}: rule(...) before section(...): write section("VIII", "Ownership") above it'
                    )
                records.append(new_record(section, positional, named, place))
                if any(record["id"] == records[-1]["id"] for record in records[:-1]):
                    raise SourceError(f"{place}: rule {records[-1]['id']} stands here twice")
                begins = node.end_lineno or node.lineno
        last = node.end_lineno or node.lineno
    if records and begins >= 0:
        records[-1]["code"] = trim("\n".join(lines[begins:]))
    return records


def places_in(source: str, filename: str) -> dict[str, tuple[str, int, int]]:
    """Where the rules of a module stand: {number: (file, line of its rule(...), line on which its program begins)}."""
    lines = source.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    found = {}
    for node in parse_python(source, filename):
        call = marker_call(node)
        if call is not None and isinstance(call.func, ast.Name) and call.func.id == "rule" and call.args:
            begins = node.end_lineno or node.lineno
            while begins < len(lines) and not lines[begins].strip():
                begins += 1
            found[str(ast.literal_eval(call.args[0]))] = (filename, node.lineno, begins + 1)
    return found


def read_text(path: Path) -> str:
    """The text of a file, without the mark that some editors set before it. Raises CommandError."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text in UTF-8"
        raise CommandError(f"{path}: cannot be read: {reason}") from None


def parse_python(source: str, filename: str) -> list[ast.stmt]:
    """The statements of a module. Raises SourceError for whatever Python cannot read."""
    try:
        if "\0" in source:  # Python says it so since 3.11.4
            raise SyntaxError("source code string cannot contain null bytes")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return program_tree(source).body
    except SyntaxError as error:
        raise SourceError(f"{filename}: line {error.lineno or 1}: this is not Python: {error.msg}") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise SourceError(f"{filename}: line 1: this cannot be read: {error or 'it is nested too deeply'}") from None


def read_section(positional: list[Any], named: dict[str, Any], place: str) -> tuple[str, str]:
    """Number and title of a section."""
    if len(positional) != 2 or named or not all(isinstance(each, str) and each for each in positional):
        raise SourceError(f'{place}: write section("VIII", "Ownership")')
    return positional[0], positional[1]


def new_record(section: tuple[str, str], positional: list[Any], named: dict[str, Any], place: str) -> Record:
    """A record without its code. Raises SourceError where number or prose is missing or not what it should be."""
    example = 'write rule("VIII.1", """prose""", title="...", number=7)'
    if not positional or not isinstance(positional[0], str):
        raise SourceError(f"{place}: the rule's number is missing: {example}")
    id = positional[0]
    if not RULE_NUMBER.fullmatch(id):
        raise SourceError(f"{place}: '{id}' is no rule number: VIII.1, 9.10 and XXII.4/house are")
    if len(positional) == 1 or not isinstance(positional[1], str) or not positional[1].strip():
        raise SourceError(f"{place}: the prose of rule {id} is missing: {example}")
    if len(positional) > 2:
        raise SourceError(f"{place}: the numbers of rule {id} need names: {example}")
    title = named.pop("title", "")
    if not isinstance(title, str):
        raise SourceError(f"{place}: the title of rule {id} must be text")
    return {
        "id": id,
        "section": section[0],
        "section_title": section[1],
        "title": title,
        "text": positional[1].strip("\n"),
        "params": named,
        "code": "",
        "since": 0,
        "made_by": "opening",
    }


def marker_call(node: ast.stmt) -> ast.Call | None:
    """The call of `section` or `rule` that a statement is, or None."""
    call = node.value if isinstance(node, ast.Expr) else None
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in ("section", "rule"):
        return call
    return None


def is_docstring(node: ast.stmt) -> bool:
    """Whether a statement is a bare text."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def call_literals(call: ast.Call, place: str) -> tuple[str, list[Any], dict[str, Any]]:
    """Name, arguments and keywords of a marker call; all must be plain literals."""
    assert isinstance(call.func, ast.Name)
    name = call.func.id
    if any(each.arg is None for each in call.keywords):
        raise SourceError(f"{place}: {name}(...) takes no **")
    try:
        return (
            name,
            [ast.literal_eval(each) for each in call.args],
            {str(each.arg): ast.literal_eval(each.value) for each in call.keywords},
        )
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        raise SourceError(f"{place}: {name}(...) takes plain words and numbers alone, nothing computed") from None


def first_line(lines: list[str], lineno: int, last: int) -> int:
    """Index of the line where the comments directly above a marker begin; they stand below line `last`."""
    at = lineno - 1
    while at > last and lines[at - 1].startswith("#"):
        at -= 1
    return at


def trim(code: str) -> str:
    """A program without the blank lines at both ends."""
    return re.sub(r"\A(?:[ \t\f]*\n)+", "", code + "\n").rstrip()


def write_module(records: list[Record], docstring: str = "") -> str:
    """The section module of these records: the inverse of `parse_module`.

    Age and origin (`since`, `made_by`) are not written. Raises SourceError for records that a module cannot hold.
    """
    parts = [quoted(docstring)] if docstring else []
    section = None
    for record in records:
        if (record["section"], record["section_title"]) != section:
            section = (record["section"], record["section_title"])
            parts.append(f"section({quoted(section[0])}, {quoted(section[1])})")
        title = f", title={quoted(record['title'])}" if record["title"] else ""
        numbers = "".join(f", {name}={quoted(value)}" for name, value in record["params"].items())
        parts.append(f"rule({quoted(record['id'])}, {prose_literal(record['text'])}{title}{numbers})")
        if record["code"]:
            parts[-1] += f"\n\n\n{record['code']}\n"
    text = "\n\n".join(parts) + "\n"
    written = [[record[part] for part in WRITTEN] for record in records]
    if written != [[record[part] for part in WRITTEN] for record in parse_module(text, "<written>")]:
        raise SourceError("these rules cannot be written as a module: their programs would read differently there")
    return text


WRITTEN = ("id", "section", "section_title", "title", "text", "params", "code")


def quoted(value: object) -> str:
    """A literal, texts with double quotes where that needs no escapes."""
    plain = isinstance(value, str) and value.isprintable() and '"' not in value and "\\" not in value
    return f'"{value}"' if plain else repr(value)


def prose_literal(text: str) -> str:
    """The prose of a rule as it stands in a module: lines of their own between triple quotes, where it can be."""
    plain = all(line.isprintable() for line in text.split("\n")) and '"""' not in text and "\\" not in text
    return f'"""\n{text}\n"""' if plain else repr(text)


def prose(record: Record) -> str:
    """A rule's text with its numbers filled in; braces that name no number stay as they are."""
    params = record["params"]
    return re.sub(
        r"\{(\w+)\}", lambda found: shown(params[found[1]]) if found[1] in params else found[0], record["text"]
    )


def with_gaps(say: str) -> str:
    """A sentence of the log as a rule declares it, with gaps for what is filled in: `… pays … $…`."""
    return re.sub(r"\{[^{}]*\}", "…", say)


def shown(number: object) -> str:
    """A number of a rule as prose has it."""
    if isinstance(number, bool):
        return "yes" if number else "no"
    if isinstance(number, (tuple, list)):
        return ", ".join(shown(each) for each in number)
    return str(number)


def editions() -> list[str]:
    """Names of the editions: those that are shipped, and those that this process was given (`rulebook.own`)."""
    return sorted({*shipped_editions(), *OWN})


@cache
def shipped_editions() -> tuple[str, ...]:
    """Names of the editions that are shipped."""
    folder = importlib.resources.files("nomopoly.editions")
    return tuple(each.name for each in folder.iterdir() if each.joinpath("contents.py").is_file())


def offered_editions() -> list[tuple[str, str]]:
    """The editions that one can begin a game with, and what they are in a sentence or two: `ABOUT` in their
    contents.py."""
    return [(each["name"], f"{each['title']}. {each['about']}") for each in described_editions()]


def described_editions() -> list[dict[str, str]]:
    """The editions that one can begin a game with, the shortest first, after the shipped ones those of this process
    alone.

    Each has name, title, what it is in a sentence or two (`about`), and a drawing as SVG text, if there is one
    (`picture`).
    """
    folder = importlib.resources.files("nomopoly.editions")
    found: list[tuple[tuple[bool, int], dict[str, str]]] = []
    for name in editions():
        said = contents_named(name)
        if "ABOUT" in said:
            drawing = folder.joinpath(name, "picture.svg")
            picture = drawing.read_text(encoding="utf-8") if drawing.is_file() and name not in OWN else ""
            parts = {"name": name, "title": said["TITLE"], "about": said["ABOUT"]}
            found.append(((name in OWN, len(said["SECTIONS"])), {**parts, "picture": said.get("PICTURE", picture)}))
    return [parts for _, parts in sorted(found, key=lambda each: each[0])]


def contents_named(name: str) -> dict[str, Any]:
    """What the contents.py of an edition says; of rules in a file, their title. Raises CommandError if there is no such
    edition."""
    if name in OWN:
        book, said = OWN[name]
        return {"TITLE": book.title, "ABOUT": "Rules that came with this site.", "SECTIONS": (), **said}
    if name not in editions():
        raise CommandError(f"there is no edition '{name}': there are {', '.join(editions())}")
    return contents_of(importlib.resources.files("nomopoly.editions").joinpath(name))


def load_edition(name: str) -> Book:
    """The rulebook of an edition. Raises CommandError if there is none of that name."""
    if name in OWN:
        return OWN[name][0]
    if name not in editions():
        raise CommandError(f"there is no edition '{name}': there are {', '.join(editions())}")
    book: Book = pickle.loads(read_edition(name))
    return book


@cache
def read_edition(name: str) -> bytes:
    """The rulebook of a shipped edition, pickled: it is read once, and who asks for it has it for themselves."""
    folder = importlib.resources.files("nomopoly.editions").joinpath(name)
    source = "\n".join((edition_text(name), *commons_texts().values()))
    return kept(f"edition-{name}", source, lambda: pickle.dumps(load_folder(folder)))


def texts(*path: str) -> dict[str, str]:
    """The modules in a folder of the program: text by name."""
    folder = importlib.resources.files("nomopoly").joinpath(*path)
    found = [each for each in folder.iterdir() if each.name.endswith(".py")] if folder.is_dir() else []
    return {
        each.name.removesuffix(".py"): read_resource(each, each.name)
        for each in sorted(found, key=lambda each: each.name)
    }


@cache
def commons_texts() -> dict[str, str]:
    """The modules of the commons: text by name."""
    return texts("commons")


@cache
def edition_text(name: str) -> str:
    """All that the modules of a shipped edition say; empty for an edition of this process alone."""
    return "\n".join(texts("editions", name).values())


def contents_of(folder: Traversable) -> dict[str, Any]:
    """What the contents.py of a folder says, by constant. Raises SourceError."""
    name = folder.name
    contents: dict[str, Any] = {}
    unknown = ""
    for node in parse_python(
        read_resource(folder.joinpath("contents.py"), f"{name}/contents.py"), f"{name}/contents.py"
    ):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            constant, place = node.targets[0].id, f"{name}/contents.py: line {node.lineno}"
            try:
                contents[constant] = ast.literal_eval(node.value)
            except ValueError:
                raise SourceError(f"{place}: write plain words") from None
            if constant in CONTENTS and not fits_contents(constant, contents[constant]):
                raise SourceError(f"{place}: write {CONTENTS[constant]}")
            meant = difflib.get_close_matches(constant, set(CONTENTS) - set(contents), n=1)
            if constant not in CONTENTS and meant:
                unknown = unknown or f"{place}: {constant} means nothing: did you mean {meant[0]}?"
    for constant in ("TITLE", "SECTIONS", "COMMONS"):
        if constant not in contents:
            raise SourceError(unknown or f"{name}/contents.py: {constant} is missing: write {CONTENTS[constant]}")
    return contents


def fits_contents(constant: str, content: object) -> bool:
    """Whether a constant of a contents.py is of the sort that it has to be."""
    if constant in ("TITLE", "ABOUT"):
        return isinstance(content, str) and bool(content.strip())
    if constant in ("SECTIONS", "COMMONS"):
        return isinstance(content, (tuple, list)) and all(isinstance(each, str) for each in content)
    if constant == "MOMENTS":
        return isinstance(content, dict) and all(isinstance(each, str) for pair in content.items() for each in pair)
    return True


def load_folder(folder: Traversable) -> Book:
    """The rulebook whose contents.py and section modules lie in a folder. Raises SourceError."""
    name, contents = folder.name, contents_of(folder)
    records: list[Record] = []
    for module in contents["SECTIONS"]:
        text = read_resource(folder.joinpath(f"{module}.py"), f"{name}/{module}.py")
        for record in parse_module(text, f"{name}/{module}.py"):
            if any(other["id"] == record["id"] for other in records):
                raise SourceError(f"{name}/{module}.py: rule {record['id']} stands in two sections")
            records.append(record)
    shared = importlib.resources.files("nomopoly.commons")
    for word in contents["COMMONS"]:
        if word not in commons_texts():
            known = ", ".join(each for each in commons_texts() if each != "__init__")
            raise SourceError(f"{name}/contents.py: COMMONS has no '{word}': there are {known}")
    commons = [
        (word, read_resource(shared.joinpath(f"{word}.py"), f"commons/{word}.py")) for word in contents["COMMONS"]
    ]
    return Book(name, contents["TITLE"], sorted(records, key=lambda each: number_key(each["id"])), commons)


def read_resource(file: Traversable, name: str) -> str:
    """The text of a module that `contents.py` names. Raises SourceError."""
    try:
        return file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        raise SourceError(f"{name}: contents.py names this module, but it cannot be read") from None
