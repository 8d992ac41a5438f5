"""Small games for tests: a rulebook of a few inline rules, hosted in either runtime."""

import contextlib
import json
from collections.abc import Iterator
from typing import Any

import pytest

from nomopoly.rulebook.source import Book, load_edition
from nomopoly.runtime import entering, replay
from nomopoly.runtime.host import Game, open_game
from nomopoly.runtime.interpreters import Fault
from nomopoly.runtime.outcomes import Outcome

START = 1772442000  # Monday 2026-03-02 09:00 UTC
SECRET = "2a" * 32
RUNTIMES = ("cpython", "monty")


def rule(id: str, code: str = "", text: str = "A rule.", since: int = 0, title: str = "", **params: Any) -> dict:
    """The record of a rule; its section is what stands before the first dot of its number."""
    section = id.partition(".")[0]
    return {
        "id": id,
        "section": section,
        "section_title": f"Section {section}",
        "title": title,
        "text": text,
        "params": params,
        "code": code.strip("\n"),
        "since": since,
        "made_by": "opening",
    }


ADDING = rule(
    "1.1",
    """
attribute("player", "total", 0)

@action("add", many=number("How many"))
def add(e):
    put(e.who, "total", e.who.total + e.many)
""",
)


def small_game(*rules: dict, runtime: str = "cpython", players: tuple[str, ...] = ("Ann", "Ben")) -> Game:
    """A game of these rules alone, with players in it; programs are not checked beforehand."""
    book = Book("small", "A small game", list(rules), [])
    game = open_game(book, title="Small", game_id="small", runtime=runtime, at=START, secret=SECRET)
    game.checks = False
    return with_players(game, players)


def original(runtime: str = "cpython", players: tuple[str, ...] = ("Ann", "Ben"), game_id: str = "t") -> Game:
    """A game of the edition `original`, with players in it."""
    game = open_game(load_edition("original"), title="T", game_id=game_id, runtime=runtime, at=START, secret=SECRET)
    return with_players(game, players)


def with_players(game: Game, players: tuple[str, ...]) -> Game:
    """The game, after these have joined and were approved."""
    for name in players:
        done(game.join(name, game.now))
        done(game.admin("approve-player", {"player": name}, game.now))
    return game


def done(outcome: Outcome) -> Outcome:
    """The outcome, which must be one of success."""
    assert outcome.refused is None, outcome.refused
    assert outcome.fault is None, outcome.fault
    return outcome


@contextlib.contextmanager
def dice_by_number() -> Iterator[None]:
    """Entry n of a game rolls the same dice each time: usually they hang on its secrets and its first line too, and so
    on each word of the kernel and of the edition."""
    really = replay.dice_of

    def dice_of(content: bytes, secret: str | None, hidden: str | None, late: bool = False) -> dict:
        return really(str(json.loads(content)["n"]).encode(), secret and SECRET, hidden and SECRET, late)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(entering, "dice_of", dice_of)
        patch.setattr(replay, "dice_of", dice_of)
        yield


@contextlib.contextmanager
def tries(game: Game) -> Iterator[list[str | None]]:
    """What becomes of each try to carry an entry of this game out: None, or the message of its fault."""
    tried: list[str | None] = []
    really = game.runtime.call

    def call(name: str, data: Any = None, hurry: int = 0) -> Any:
        if name != "batch":
            return really(name, data, hurry)
        try:
            found = really(name, data, hurry)
        except Fault as fault:
            tried.append(fault.message)
            raise
        tried.append(None)
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(game.runtime, "call", call)
        yield tried


def change(game: Game, *changes: dict, run: str = "") -> Outcome:
    """Change the rules of a small game, by the act that `CHANGING` declares."""
    return game.admin("change", {"changes": list(changes), "run": run}, game.now)


CHANGING = rule(
    "0.1",
    """
@action("change", by="admin", changes=change_list(), run=program())
def change(e):
    change_rulebook(e.changes or [])
    run_once(e.run or "")
""",
)
