"""A scenario as it is written: its file, its form, its moments and spans of time."""

from __future__ import annotations

import datetime
import difflib
import importlib.resources
import json
import re
import zoneinfo
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.composer import MaxDepthExceededError
from ruamel.yaml.constructor import SafeConstructor
from ruamel.yaml.error import YAMLError

from nomopoly.errors import CommandError
from nomopoly.rulebook.changes import DEEPEST
from nomopoly.rulebook.source import read_text
from nomopoly.runtime.journal import encodable
from nomopoly.runtime.scenarios.keys import BESIDE, STEPS, TOP

Data = dict[str, Any]
TOP_KEYS, STEP_KEYS, BESIDE_KEYS = tuple(TOP), tuple(STEPS), tuple(BESIDE)
EXAMPLES = {"players": ("Ann", "Ben"), "rules": ("VII.1", "VII.2")}
WANTED = {
    "scenario": "the title, as in scenario: Rent on a card",
    "edition": "which edition it plays, as in edition: ii",
    "steps": "what happens, as in steps: [{turn: Ann}]",
}
SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}


class ScenarioError(Exception):
    """Why a scenario fails; the message says at which step."""


class WordConstructor(SafeConstructor):
    """YAML values as scenarios want them: moments stay words, and so do fractions (rule 12.10 is not rule 12.1)."""


for tag in ("timestamp", "float"):
    WordConstructor.add_constructor(f"tag:yaml.org,2002:{tag}", lambda loader, node: node.value)


def load(path: Path) -> list[tuple[str, Any]]:
    """The scenarios of a file, as (where, data); a file may hold several documents. Raises CommandError."""
    documents = read(read_text(path), str(path))
    if not documents:
        raise CommandError(f"{path}: holds no scenario")
    return [(f"{path}" if len(documents) == 1 else f"{path} #{at + 1}", each) for at, each in enumerate(documents)]


def read(text: str, name: str) -> list[Any]:
    """The documents in a text of YAML. Raises CommandError, which names `name`."""
    yaml = YAML(typ="safe", pure=True)
    yaml.max_depth = DEEPEST
    yaml.Constructor = WordConstructor
    try:
        return list(yaml.load_all(text))
    except MaxDepthExceededError:
        raise CommandError(f"{name}: nested too deeply: at most {DEEPEST} lists or maps within one another") from None
    except (YAMLError, ValueError, RecursionError) as error:
        raise CommandError(f"{name}: not YAML: {' '.join(str(error).split())}") from error


def read_one(text: str, name: str = "the scenario") -> Any:
    """The one scenario in a text by anybody: without anchors, which could make it endless. Raises CommandError."""
    documents = read(text, name)
    anchored = any(getattr(event, "anchor", None) for event in YAML(typ="safe", pure=True).parse(text))
    if anchored or len(documents) != 1:
        raise CommandError(f"{name}: {'anchors (&, *) are not wanted here' if anchored else 'one document is wanted'}")
    return documents[0]


def find(paths: Iterable[str | Path]) -> Iterator[Path]:
    """The scenario files at some paths, folders searched for *.yaml and *.yml; of a rulebook's folder its `scenarios`.

    Raises CommandError.
    """
    for each in paths:
        path = Path(each)
        if path.is_dir():
            inside = path / "scenarios" if (path / "contents.py").is_file() else path  # of a rulebook: not its texts
            found = sorted(file for file in inside.rglob("*") if file.suffix in (".yaml", ".yml") and file.is_file())
            if not found:
                raise CommandError(f"{path}: holds no scenario (*.yaml)")
            yield from found
        elif path.is_file():
            yield path
        else:
            raise CommandError(f"{path}: there is no such file or folder")


def shipped(edition: str = "*") -> list[Path]:
    """The folders of scenarios that come with the editions, or with one of them."""
    folder = Path(str(importlib.resources.files("nomopoly.editions")))
    return sorted(each for each in folder.glob(f"{edition}/scenarios") if each.is_dir())


def check_form(data: object) -> None:
    """Refuse what is no scenario."""
    if not isinstance(data, dict):
        raise ScenarioError("a scenario is a list of keys: scenario, edition, players, steps")
    for key in data:
        if key not in TOP_KEYS:
            raise ScenarioError(unknown_key(key, TOP_KEYS))
    for key in ("scenario", "edition", "steps"):
        if not data.get(key):
            if key in data:
                raise ScenarioError(f"'{key}' is empty: it says {WANTED[key]}")
            raise ScenarioError(f"'{key}' is missing: it says {WANTED[key]}")
    for key in ("scenario", "edition"):
        if not isinstance(data[key], str):
            raise ScenarioError(f"'{key}' must be words, not {data[key]!r}")
    if not isinstance(data["steps"], list):
        raise ScenarioError("'steps' must be a list")
    for key in ("players", "rules"):
        listed = data.get(key)
        if listed is not None and (not isinstance(listed, list) or not all(isinstance(one, str) for one in listed)):
            raise ScenarioError(f"'{key}' must be a list of names, as in {key}: [{', '.join(EXAMPLES[key])}]")
    if not encodable([data]):
        raise ScenarioError("the scenario contains an invalid character: remove it, then try again")
    if data.get("given") is not None and not isinstance(data["given"], dict):
        raise ScenarioError("'given' must say thing: {attribute: value}")
    for key in no_words(data):
        raise ScenarioError(f"the key {json.dumps(key, default=str)} is no word: put it in quotes")


def no_words(data: object) -> Iterator[Any]:
    """The keys in a scenario that are none: numbers, `true`, `null`, lists."""
    for part in data if isinstance(data, list) else data.values() if isinstance(data, dict) else ():
        yield from no_words(part)
    if isinstance(data, dict):
        yield from (key for key in data if not isinstance(key, str))


def unknown_key(key: object, known: tuple[str, ...]) -> str:
    """What to say of a key that there is none of: which one was meant, as far as that can be guessed, and which there
    are."""
    near = difflib.get_close_matches(str(key), known, 1)
    if near:
        return f"unknown key '{key}': did you mean '{near[0]}'? (known: {', '.join(known)})"
    return f"unknown key '{key}' (known: {', '.join(known)})"


def read_zone(name: object) -> zoneinfo.ZoneInfo:
    """The game's time zone."""
    try:
        return zoneinfo.ZoneInfo(str(name))
    except (zoneinfo.ZoneInfoNotFoundError, ValueError) as error:
        raise ScenarioError(f"time_zone: there is no zone '{name}'") from error


def moment_in(zone: zoneinfo.ZoneInfo, text: object, label: str) -> int:
    """The moment (seconds since 1970) that an ISO text means in a time zone. Raises ScenarioError, which names
    `label`."""
    try:
        moment = datetime.datetime.fromisoformat(str(text))
    except ValueError as error:
        raise ScenarioError(f"{label}: {text!r} is not a moment (wanted: 2026-03-02T09:00)") from error
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=zone)
    return int(moment.timestamp())


def parse_span(text: object) -> int:
    """Seconds of a span such as 90m, 5h, 2d or 1w. Raises ScenarioError."""
    parts = re.findall(r"(\d+)\s*([smhdw])", str(text))
    if not parts or "".join("".join(part) for part in parts) != re.sub(r"\s", "", str(text)):
        raise ScenarioError(f"advance: {text!r} is no span of time (wanted: 90m, 5h, 2d, 1w)")
    return sum(int(number) * SECONDS[unit] for number, unit in parts)
