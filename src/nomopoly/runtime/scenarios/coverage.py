"""Of which rules scenarios run the code, and of which none does."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from nomopoly.errors import CommandError
from nomopoly.rulebook.source import load_edition
from nomopoly.runtime.interpreters.probes import watching
from nomopoly.runtime.scenarios.form import find, load
from nomopoly.runtime.scenarios.play import run


def rules_run(data: Any) -> set[str]:
    """The rules whose code a scenario runs (in CPython). Raises CommandError if it fails: then it shows nothing."""
    ran: set[str] = set()
    watching.append(ran)
    try:
        failure = run(data, runtime="cpython").failure
    finally:
        watching.pop()
    if failure is not None:
        raise CommandError(f"{data.get('scenario')}: {failure}")
    return ran


def coverage(paths: Iterable[Path], edition: str = "") -> dict[str, list[str]]:
    """For each edition that these scenarios play: the rules with code that none of them ran.

    `edition`: the one that they play, whatever they name.
    """
    ran: dict[str, set[str]] = {}
    told = [data for path in find(paths) for _, data in load(path) if isinstance(data, dict)]
    told = [data | {"edition": edition or data.get("edition")} for data in told if edition or data.get("edition")]
    for data in told:
        seen = ran.setdefault(str(data["edition"]), set())
        if not data.get("rules") or not all(str(rule) in seen for rule in data["rules"]):
            seen.update(rules_run(data))
    return {edition: not_among(edition, rules) for edition, rules in ran.items()}


def not_among(edition: str, ran: set[str]) -> list[str]:
    """The rules of an edition that have code and are not among those that ran."""
    records = load_edition(edition).records
    with_code = [record["id"] for record in records if re.search(r"^\s*(def |.*\blambda\b)", record["code"], re.M)]
    return [id for id in with_code if id not in ran]
