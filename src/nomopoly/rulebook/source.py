"""Literate section modules: prose first, the program under it; parsed into rule records and written back.

A module begins a section with `section("VIII", "Ownership")`, and a rule with `rule(number, prose, title=..., **numbers)`;
all code until the next `rule` belongs to it. The records are described in docs/decisions/0002.
"""

from __future__ import annotations

import ast
import importlib.resources
import re
from dataclasses import dataclass
from typing import Any

from nomopoly.errors import CommandError
from nomopoly.kernel.index import number_key

Record = dict[str, Any]


class SourceError(CommandError):
    """A section module that cannot be read; the message names file and line."""


@dataclass(frozen=True)
class Book:
    """A whole rulebook: its records in book order and the shared modules it uses, as (name, source)."""

    edition: str
    title: str
    records: list[Record]
    commons: list[tuple[str, str]]


def parse_module(source: str, filename: str = "<rulebook>") -> list[Record]:
    """The rule records of a section module, in the order in which they stand. Raises SourceError."""
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise SourceError(f"{filename}: line {getattr(error, 'lineno', None) or 1}: {error}") from error
    lines = source.splitlines()
    section: tuple[str, str] | None = None
    records: list[Record] = []
    begins: list[int] = []
    ends: list[int] = []
    for at, node in enumerate(body):
        call = marker_call(node)
        if call is None:
            if not records and not (at == 0 and is_docstring(node)):
                raise SourceError(f"{filename}: line {node.lineno}: code before the first rule(...)")
            continue
        name, positional, named = call_literals(call, filename)
        if records:
            ends.append(first_line(lines, node.lineno))
        if name == "section":
            if len(positional) != 2 or named:
                raise SourceError(f'{filename}: line {node.lineno}: write section("VIII", "Ownership")')
            section = (str(positional[0]), str(positional[1]))
            if records and len(ends) == len(records):
                ends[-1] = ends[-1]
            continue
        if section is None:
            raise SourceError(f"{filename}: line {node.lineno}: rule(...) before section(...)")
        if len(positional) != 2 or not all(isinstance(each, str) for each in positional):
            raise SourceError(f'{filename}: line {node.lineno}: write rule("VIII.1", """prose""", title="...", number=7)')
        if any(record["id"] == positional[0] for record in records):
            raise SourceError(f"{filename}: line {node.lineno}: rule {positional[0]} stands here twice")
        while len(ends) > len(records):
            ends.pop()
        records.append(new_record(section, positional, named))
        begins.append(node.end_lineno or node.lineno)
    while len(ends) < len(records):
        ends.append(len(lines))
    for record, begin, end in zip(records, begins, ends, strict=True):
        record["code"] = "\n".join(lines[begin:end]).strip("\n").rstrip()
    return records


def new_record(section: tuple[str, str], positional: list[Any], named: dict[str, Any]) -> Record:
    """A record without its code."""
    title = named.pop("title", "")
    return {
        "id": positional[0],
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
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Name):
        if node.value.func.id in ("section", "rule"):
            return node.value
    return None


def is_docstring(node: ast.stmt) -> bool:
    """Whether a statement is a bare text."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def call_literals(call: ast.Call, filename: str) -> tuple[str, list[Any], dict[str, Any]]:
    """Name, arguments and keywords of a marker call; all must be plain literals."""
    assert isinstance(call.func, ast.Name)
    try:
        positional = [ast.literal_eval(each) for each in call.args]
        named = {each.arg: ast.literal_eval(each.value) for each in call.keywords if each.arg is not None}
    except ValueError as error:
        raise SourceError(
            f"{filename}: line {call.lineno}: {call.func.id}(...) takes plain words and numbers alone"
        ) from error
    if len(named) != len(call.keywords):
        raise SourceError(f"{filename}: line {call.lineno}: {call.func.id}(...) takes no **")
    return call.func.id, positional, named


def first_line(lines: list[str], lineno: int) -> int:
    """Index of the line where the comments directly above a marker begin."""
    at = lineno - 1
    while at > 0 and lines[at - 1].startswith("#"):
        at -= 1
    return at


def write_module(records: list[Record], docstring: str = "") -> str:
    """The section module of these records: the inverse of `parse_module`."""
    parts = [f'"""{docstring}"""\n'] if docstring else []
    section = None
    for record in records:
        if (record["section"], record["section_title"]) != section:
            section = (record["section"], record["section_title"])
            parts.append(f"section({section[0]!r}, {section[1]!r})\n")
        numbers = "".join(f", {name}={value!r}" for name, value in record["params"].items())
        title = f", title={record['title']!r}" if record["title"] else ""
        parts.append(f"rule({record['id']!r}, {record['text']!r}{title}{numbers})\n")
        if record["code"]:
            parts.append(f"\n{record['code']}\n")
    return "\n".join(parts)


def prose(record: Record) -> str:
    """A rule's text with its numbers filled in; braces that name no number stay as they are."""
    params = record["params"]
    return re.sub(r"\{(\w+)\}", lambda found: str(params.get(found[1], found[0])), record["text"])


def editions() -> list[str]:
    """Names of the editions that are shipped."""
    folder = importlib.resources.files("nomopoly.editions")
    return sorted(each.name for each in folder.iterdir() if each.joinpath("contents.py").is_file())


def load_edition(name: str) -> Book:
    """The rulebook of a shipped edition. Raises CommandError if there is none of that name."""
    if name not in editions():
        raise CommandError(f"there is no edition '{name}': there are {', '.join(editions())}")
    folder = importlib.resources.files("nomopoly.editions").joinpath(name)
    contents: dict[str, Any] = {}
    for node in ast.parse(folder.joinpath("contents.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            contents[node.targets[0].id] = ast.literal_eval(node.value)
    records: list[Record] = []
    for module in contents["SECTIONS"]:
        text = folder.joinpath(f"{module}.py").read_text(encoding="utf-8")
        for record in parse_module(text, f"{name}/{module}.py"):
            if any(other["id"] == record["id"] for other in records):
                raise SourceError(f"{name}/{module}.py: rule {record['id']} stands in two sections")
            records.append(record)
    shared = importlib.resources.files("nomopoly.commons")
    commons = [(word, shared.joinpath(f"{word}.py").read_text(encoding="utf-8")) for word in contents["COMMONS"]]
    return Book(name, contents["TITLE"], sorted(records, key=lambda each: number_key(each["id"])), commons)
