"""A rulebook as a file: Markdown to read, JSON for programs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from itertools import groupby
from typing import Any

from nomopoly.rulebook.source import Record, prose

KEPT = "Kept by the players and the Admin"


def to_markdown(records: Iterable[Record], title: str = "", *, code: bool = False) -> str:
    """The book as Markdown: a chapter a section, numbers filled in; with `code` the program under each rule, its
    numbers by name, and the prose as it stands in the book: `{start_money}`."""
    parts = [f"# {title}"] if title else []
    for (number, name), rules in groupby(records, key=lambda each: (each["section"], each["section_title"])):
        parts.append(f"## {number}. {name}" if name else f"## {number}")
        for record in rules:
            parts.append(f"### {record['id']} {record['title']}".rstrip())
            parts.append((record["text"] if code else prose(record)).strip("\n"))
            if code and record["params"]:
                numbers = ", ".join(f"`{name}: {json.dumps(number)}`" for name, number in record["params"].items())
                parts.append(f"Numbers: {numbers}")
            if not record["code"].strip():
                parts.append(f"*{KEPT}*")
            elif code:
                parts.append(fenced(record["code"]))
    return "\n\n".join(part for part in parts if part) + "\n"


def fenced(code: str) -> str:
    """A program as a Markdown block, whatever it holds."""
    longest = max((len(run) for run in re.findall(r"`{3,}", code)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}python\n{code}\n{fence}"


def to_data(records: Iterable[Record], title: str = "", edition: str = "", *, code: bool = False) -> dict[str, Any]:
    """The book as plain data: each record, with `prose` (numbers filled in) and `by_program`; programs only with
    `code`."""
    rules = []
    for record in records:
        rule = {key: value for key, value in record.items() if key != "code"}
        rule["prose"] = prose(record)
        rule["by_program"] = bool(record["code"].strip())
        if code:
            rule["code"] = record["code"]
        rules.append(rule)
    return {"edition": edition, "title": title, "rules": rules}


def to_json(records: Iterable[Record], title: str = "", edition: str = "", *, code: bool = False) -> str:
    """The book as JSON text (see `to_data`)."""
    return json.dumps(to_data(records, title, edition, code=code), ensure_ascii=False, indent=2) + "\n"
