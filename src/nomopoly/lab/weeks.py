"""Plays weeks of an edition by its own calendar inside the interpreter: a week of a game is one call.

Nothing is sealed, and no log is kept: it is for numbers. `simulate.play_weeks` plays weeks in a hosted game, with a
journal. How a day goes is in `nomopoly.lab.ahead`. The same edition, players, weeks, seed and policy give the same game
on every machine and in both runtimes.
"""

from __future__ import annotations

import datetime
import time
from typing import Any

from nomopoly.lab.bots import Bot, seated
from nomopoly.lab.inside import MEMORY, let_play
from nomopoly.lab.simulate import START, how_it_ended, load, player_names, told_of_weeks, verify_numbers, whole_rules
from nomopoly.rulebook.source import Book
from nomopoly.runtime.interpreters import CPythonRuntime, MontyRuntime, Runtime
from nomopoly.runtime.moments import offsets_of

Data = dict[str, Any]
SECONDS, ROOM = 600.0, 1024 * 1024 * 1024  # of one week in the sandbox, and bytes of the game
VOTES, ORDERS = 100, 1000  # per cent of days on which a bot votes; per thousand, on which it orders


def simulate_weeks(
    edition: str,
    players: int = 4,
    weeks: int = 1,
    seed: int | str = 1,
    runtime: str = "cpython",
    policy: str = "greedy",
    book: Book | None = None,
    proposes: bool = True,
) -> Data:
    """Play an edition (or `book`) for so many weeks: each day a move of every bot, its votes, and the desk's decisions.

    Somebody new takes the place of who is out, a week later at the latest. Play ends where the game ends, or a rule
    breaks on the clock. Returns what `simulate` tells, with `weeks`, `updates`, `entries`, and what nobody did in
    `never`. Raises CommandError.
    """
    verify_numbers(players, weeks, policy, runtime)
    names = player_names(players * (weeks + 1))
    bots = seated(edition, names[:players], policy, seed, proposes)
    newcomers = names[players:]
    book = book or load(edition)
    made = opened(book, f"Simulation {seed}", runtime)
    begun = time.perf_counter()
    try:
        asked = {"seed": f"weeks {seed}", "offsets": offsets(), "seats": [[bot.name, how_of(bot)] for bot in bots]}
        made.call("seats", asked)
        told: Data = {}
        entries = 0
        for _ in range(weeks):
            told = made.call("week", {"days": 7, "newcomers": newcomers[:players]})
            newcomers = newcomers[told["took"] :]
            entries += told["entries"]
            if told["over"] or told["stopped"]:
                break
        seconds = time.perf_counter() - begun
        state = made.call("dump")
    finally:
        made.close()
    faults = [{"rule": each["rule"], "message": each["message"]} for each in told["troubles"]]
    return {
        "edition": edition,
        "players": players,
        "policy": policy,
        "seed": seed,
        "runtime": runtime,
        "weeks": weeks,
        **told_of_weeks(told["done"], entries, seconds),
        "never": told["never"],
        **how_it_ended(state, faults, book),
    }


def opened(book: Any, title: str, runtime: str) -> Runtime:
    """An interpreter with a game of a book that has just been opened, and what plays it."""
    made: Runtime = CPythonRuntime() if runtime == "cpython" else MontyRuntime(seconds=SECONDS, memory=ROOM)
    commons = [list(module) for module in book.commons]
    weekday = datetime.datetime.fromtimestamp(START, datetime.UTC).weekday()
    about = {"title": title, "at": START, "weekday": weekday, "offsets": offsets()}
    with whole_rules():
        made.call("open", {**about, "commons": commons, "rules": book.records})
    let_play(made, "ahead")
    return made


def offsets() -> list[list[int]]:
    """The clock of a simulation: UTC."""
    return offsets_of("UTC", START)


def how_of(bot: Bot) -> Data:
    """How a bot plays, as `ahead.act` wants it."""
    how = {name: getattr(bot, name) for name in ("policy", "likes", "says", "proposes", *MEMORY)}
    return {**how, "avoids": list(bot.avoids), "votes": VOTES, "often": ORDERS}
