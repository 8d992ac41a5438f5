"""Examples made by playing: the steps of a trial copy as a scenario, with the state in which they began."""

from __future__ import annotations

import datetime
import io
import zoneinfo
from typing import Any

from ruamel.yaml import YAML

from nomopoly.lab.differences import differences, seen
from nomopoly.lab.forecast import changed_book
from nomopoly.rulebook.source import Book
from nomopoly.runtime.copies import Copy
from nomopoly.runtime.host import Game, open_game
from nomopoly.runtime.interpreters import Fault, Incident
from nomopoly.runtime.scenarios import play

Data = dict[str, Any]
SECONDS = 20.0
SHORT = {"player", "square", "game", "account"}  # kinds whose attributes an example expects at its end


def make(copy: Copy, title: str, proposal: Data, steps: list[Data]) -> tuple[str, str]:
    """The steps played in a copy as a scenario: (its text, why it fails when it is played again, or "")."""
    start = Copy([next(copy.journal.lines())], copy.secret or "00" * 32, copy.runtime.name)
    try:
        records = changed_book(start.records(), proposal.get("changes") or []) or start.records()
        commons = [(name, source) for name, source in copy.first["args"]["commons"]]
        book = Book(copy.edition, copy.title, records, commons)
        zone = zoneinfo.ZoneInfo(copy.time_zone)
        players = [id for id, kind, _ in start.start["things"] if kind == "player"]
        given = opening(start, book, players, steps, zone)
        wanted = outcome_of(start, copy)
    finally:
        start.runtime.close()
    data: Data = {
        "scenario": title or "What was tried",
        "edition": copy.edition,
        "players": players,
        "start": clock(start.now, zone),
    }
    if copy.time_zone != "UTC":
        data["time_zone"] = copy.time_zone
    if given:
        data["given"] = given
    data["steps"] = [*steps, *([{"expect": wanted}] if wanted else [])]
    result = play.run(data, "", copy.runtime.name, book=book, once=proposal.get("run") or "", seconds=SECONDS)
    return text_of(data), result.failure or ""


def opening(start: Copy, book: Book, players: list[str], steps: list[Data], zone: zoneinfo.ZoneInfo) -> Data:
    """What a scenario's `given` has to say, so that a new game is in the state in which a copy began."""
    try:
        fresh = open_game(book, title="", runtime=start.runtime.name, time_zone=start.time_zone, at=start.now)
    except (Fault, Incident):
        return {}
    try:
        for name in players:
            fresh.join(name, fresh.now)
            fresh.admin("approve-player", {"player": name}, fresh.now)
        before = {id: values for id, _, values in fresh.state()["things"]}
    finally:
        fresh.runtime.close()
    named, sorts, prefixes = set(words_of(steps)), sorts_of(start), start.describe()["prefixes"]
    given: Data = {}
    for id, kind, values in start.start["things"]:
        can_be_made = any(id.startswith(prefix) and id[len(prefix) :].isdigit() for prefix in prefixes)
        if (kind == "proposal" and id not in named) or (id not in before and not can_be_made):
            continue
        was = before.pop(id, {})
        found = {
            name: as_written(start.value(name, id), sorts[kind, name], zone)
            for name in {**was, **values}
            if (kind, name) in sorts and was.get(name) != values.get(name)
        }
        if found:
            given[id] = found
    return {**given, **dict.fromkeys(before)}


def sorts_of(game: Game) -> dict[tuple[Any, str], str]:
    """The type of each declared attribute that somebody sees, by kind and name."""
    schema = game.describe()["schema"]
    return {
        (kind, each["name"]): each["type"]
        for kind, listed in schema.items()
        for each in listed
        if not each["derived"] and {"all", "owner"} & set(each["show"])
    }


def outcome_of(start: Copy, copy: Copy) -> Data:
    """What an example expects at its end: what is different since its beginning and open to all."""
    sorts = sorts_of(copy)
    after = seen(copy, "visitor")
    wanted: Data = {}
    for thing, name, _, value in differences(seen(start, "visitor"), after):
        kind = after.get(thing, {}).get("kind")
        if kind in SHORT and name != "exists" and sorts.get((kind, name), "moment") != "moment":
            wanted.setdefault(thing, {})[name] = value
    return wanted


def as_written(value: Any, sort: str, zone: zoneinfo.ZoneInfo) -> Any:
    """A value as a scenario writes it."""
    return clock(value, zone) if sort == "moment" and type(value) is int else value


def clock(moment: int, zone: zoneinfo.ZoneInfo) -> str:
    """A moment as a scenario writes it, in the game's time zone; with its offset where the same hour comes a second
    time."""
    shown = datetime.datetime.fromtimestamp(moment, zone)
    return (shown if shown.fold else shown.replace(tzinfo=None)).isoformat()


def words_of(data: Any) -> list[str]:
    """All texts in data."""
    if isinstance(data, dict):
        data = list(data.values())
    if isinstance(data, list):
        return [word for part in data for word in words_of(part)]
    return [data] if isinstance(data, str) else []


def text_of(data: Data) -> str:
    """A scenario as YAML: short lists and steps in a line."""
    yaml = YAML(typ="safe", pure=True)
    yaml.default_flow_style = None
    yaml.width = 110
    yaml.sort_base_mapping_type_on_output = False  # type: ignore[assignment]
    text = io.StringIO()
    yaml.dump(data, text)
    return text.getvalue()
