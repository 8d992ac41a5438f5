"""Each rule of an edition repealed alone, where the check has nothing to say of it: the rulebook loads, and play goes
on."""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from nomopoly.lab.bots import Bot, sit_at_the_desk
from nomopoly.lab.simulate import DAY, broken, play_weeks, player_names, turns_are_given
from nomopoly.rulebook.check import check_changes
from nomopoly.runtime.copies import Copy, copy_of
from nomopoly.runtime.host import Game
from nomopoly.runtime.interpreters import Fault

Data = dict[str, Any]
PLAYERS, WEEKS, DAYS = 4, 2, 14  # who plays, for how long with the rule, and for how long without it


@dataclass
class Repeals:
    """What came of the repeals of an edition: the rules that the check warned of, those without which play went on,
    and [rule, what broke, whether the check was silent] of the others."""

    warned: list[str] = field(default_factory=list)
    sound: list[str] = field(default_factory=list)
    broken: list[tuple[str, str]] = field(default_factory=list)

    @property
    def silent(self) -> int:
        """How many repeals the check had nothing to say of."""
        return len(self.sound) + len(self.broken)


def repeals(
    edition: str, only: Collection[str] | None = None, days: int = DAYS, seed: int = 1, weeks: int = WEEKS
) -> Repeals:
    """Repeal each rule of an edition (or of `only`) alone in a game that has been played for some weeks, and play
    on."""
    game, _ = play_weeks(edition, PLAYERS, weeks, seed, "cpython", "random")
    found = Repeals()
    try:
        for record in game.records():
            id = record["id"]
            if only is not None and id not in only:
                continue
            if check_changes([{"repeal": id}], "", game.records(), game.commons()):
                found.warned.append(id)
                continue
            trouble = trouble_without(game, id, days, seed)
            if trouble:
                found.broken.append((id, trouble))
            else:
                found.sound.append(id)
    finally:
        game.runtime.close()
    return found


def trouble_without(game: Game, id: str, days: int, seed: int = 1) -> str:
    """What breaks in a copy of a game from which a rule is taken out, and which goes on for some days; "" if nothing
    does."""
    copy = copy_of(game, runtime="cpython")
    copy.checks = False
    try:
        outcome = copy.put_in_force({"changes": [{"repeal": id}]})
        faults = [outcome.fault] if outcome.fault is not None else play_on(copy, days, seed)
    except Fault as fault:
        return str(fault)
    finally:
        copy.runtime.close()
    return f"rule {faults[0]['rule']}, line {faults[0]['line']}: {faults[0]['message']}" if faults else ""


def play_on(copy: Copy, days: int, seed: int) -> list[Data]:
    """Let bots go on with a game for some days. Returns the first faults."""
    names = player_names(PLAYERS)
    bots = [Bot(name, "random", seed) for name in names]
    begun = copy.now
    for day in range(days):
        now = begun + day * DAY
        faults = broken(copy.run_due(now))
        if turns_are_given(copy):
            faults += broken([copy.tick(now, "turn", {"who": name}) for name in names])
        here = {thing for thing, kind in copy.runtime.call("ids")["things"].items() if kind == "player"}
        for bot in bots:
            if bot.name in here and not faults and not copy.over():
                faults += broken(bot.play(copy, now, orders=1))
        if not faults:
            faults += broken(sit_at_the_desk(copy, seed, now))
        if faults:
            return faults
        copy.view(names[0], now)
    return broken(copy.run_due(begun + days * DAY))


def main(edition: str, days: int = DAYS) -> int:
    """Print what came of the repeals of an edition. Returns the exit status: 1 if something broke that the check is
    silent on."""
    begun = time.perf_counter()
    found = repeals(edition, days=days)
    print(
        f"{'FAILED' if found.broken else 'ok'} {edition}: of {found.silent + len(found.warned)} rules repealed alone "
        "the check "
        f"is silent on {found.silent}; play goes on for {days} days without {len(found.sound)} of these; "
        f"{time.perf_counter() - begun:.0f} s",
        *(f"  without {id}: {trouble}" for id, trouble in found.broken),
        sep="\n",
        flush=True,
    )
    return 1 if found.broken else 0
