"""The second demo: a game of edition `iv` some weeks old, with a fort, warriors, and proposals in every state."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from nomopoly.runtime.journal import JournalError
from nomopoly.runtime.outcomes import Outcome
from nomopoly.site.tables import domain, live

if TYPE_CHECKING:
    from nomopoly.site.tables.models import Game


HOUR = 3600
DAY = 24 * HOUR
PLAYERS = ("Ann", "Ben", "Cid", "Dot")

SCV = """unit("scv", "SCV", hit_points=20, attack=2, range=1, armor=0, speed=9)"""
TOWER = """building("tower", "Tower", hit_points=400, attack=25, range=2, armor=5, price=2500)"""
TOLL = """@after("land")
def toll(e):
    owner = value("occupant", e.square)
    if owner is not None and owner is not e.who:
        pay(e.who, owner, rule.toll)
"""

# day, hour, who (None: the Admin), what, its fields
SCRIPT = (
    (1, 2, "Ann", "propose", {
        "title": "A smaller fine",
        "text": "A hundred dollars for being on holiday is harsh. Fifty will do.",
        "changes": [{"amend": "8.3", "params": {"turn_fine": 50}}],
    }),
    (1, 3, "Ann", "vote", {"on": "P1", "choice": "yes"}),
    (1, 5, "Ben", "vote", {"on": "P1", "choice": "yes"}),
    (2, 4, "Dot", "vote", {"on": "P1", "choice": "no"}),
    (2, 6, "Ben", "build", {"building": "fort"}),
    (2, 7, "Ben", "command-recruit-warrior", {"unit": "fort-1"}),
    (3, 1, "Cid", "propose", {
        "title": "Everybody gives me $1000",
        "text": "I have lost at dice.",
        "run": "for who in players():\n    lose(who, 1000)",
    }),
    (3, 2, "Ann", "vote", {"on": "P2", "choice": "no"}),
    (3, 2, "Ben", "vote", {"on": "P2", "choice": "no"}),
    (3, 9, "Cid", "vote", {"on": "P2", "choice": "yes"}),
    (7, 1, None, "implement", {"on": "P1"}),
    (7, 4, "Ben", "command-recruit-warrior", {"unit": "fort-1"}),
    (8, 3, "Ben", "propose", {
        "title": "A worker and a tower",
        "text": "A unit that will dig one day, and a tower that shoots two squares far.",
        "changes": [
            {"enact": "12.7/scv", "text": "SCV: 20 hit points, attack 2, range 1, armor 0, speed 9.", "code": SCV},
            {
                "enact": "12.8/tower",
                "text": "Tower: 400 hit points, attack 25, range 2, armor 5. Price: $2500.",
                "code": TOWER,
            },
        ],
    }),
    (8, 4, "Ben", "vote", {"on": "P3", "choice": "yes"}),
    (9, 4, "Cid", "vote", {"on": "P3", "choice": "yes"}),
    (9, 6, "Dot", "vote", {"on": "P3", "choice": "yes"}),
    (14, 2, None, "implement", {"on": "P3"}),
    (14, 6, "Ann", "build", {"building": "tower"}),
    (15, 2, "Dot", "build", {"building": "fort"}),
    (15, 3, "Dot", "command-recruit-warrior", {"unit": "fort-2"}),
    (16, 2, "Ann", "propose", {
        "title": "A toll at forts",
        "text": "Whoever lands where somebody has units or buildings pays them.",
        "changes": [
            {
                "enact": "13.1",
                "section": "Additions",
                "text": "Who lands on a square where another player has units or buildings pays that player ${toll}.",
                "code": TOLL,
                "params": {"toll": 150},
            }
        ],
    }),
    (16, 3, "Ann", "vote", {"on": "P4", "choice": "yes"}),
    (17, 4, "Ben", "vote", {"on": "P4", "choice": "yes"}),
    (18, 4, "Cid", "vote", {"on": "P4", "choice": "no"}),
    (22, 3, "Dot", "propose", {
        "title": "Faster turns",
        "text": "Three days are long: a turn every two.",
        "changes": [{"amend": "8.1", "params": {"turn_wait": 48}}],
    }),
    (22, 4, "Dot", "vote", {"on": "P5", "choice": "yes"}),
)  # fmt: skip


def make_demo_iv(now: int) -> None:
    """Make the game as it stands at a moment."""
    begun = now - 23 * DAY
    game = domain.start_game(
        None, edition="iv", title="The Fourth Table", slug="demo-iv", at=begun, demo=True, office="house"
    )
    with live.of(game).writing() as running:
        for name in PLAYERS:
            must(running.join(name, begun + HOUR))
            must(running.admin("approve-player", {"player": name}, begun + HOUR))
        steps = [(at, count, *step) for count, (at, *step) in enumerate([*scripted(begun), *daily(begun, now)])]
        heapq.heapify(steps)
        while steps and steps[0][0] <= now:
            at, count, who, do, args = heapq.heappop(steps)
            running.run_due(at)
            if who is None:
                must(running.admin(do, args, at))
            elif do in ("take-turn", "log-in"):
                running.order(who, do, args, at)  # refused where it is too soon, which does not matter
            elif do == "build" or do.startswith("command-"):
                if running.order(who, do, args, at).refused:  # as the dice have it, somebody else stands there
                    heapq.heappush(steps, (at + DAY, count, who, do, args))
            else:
                must(running.order(who, do, args, at))
        running.run_due(now)


def scripted(begun: int) -> list[Any]:
    """What the script says, at its moments."""
    return [(begun + day * DAY + hour * HOUR, who, do, args) for day, hour, who, do, args in SCRIPT]


def daily(begun: int, now: int) -> Iterator[Any]:
    """Everybody looks in now and then, and takes a turn where one is possible; Dot is often late."""
    for day, (at, name) in itertools.product(range(1, 23), enumerate(PLAYERS)):
        moment = begun + day * DAY + (17 + at) * HOUR
        if moment < now and not (name == "Dot" and day % 6):
            yield (moment, name, "log-in", {})
            yield (moment + 60, name, "take-turn", {})


def attend_iv(game: Game) -> None:
    """The players of the demo go on playing."""
    view = live.of(game).view("admin")
    if view["things"]["game"].get("over") or view["things"]["game"].get("paused"):
        return
    for name in PLAYERS:
        player = view["things"].get(name, {})
        if player.get("kind") == "player" and (player.get("turn_open_at") or 0) <= live.now() - DAY:
            domain.order(game, name, "take-turn", {})


def must(outcome: Outcome) -> Outcome:
    """An outcome of the demo, which must be neither a refusal nor a fault."""
    if not outcome.ok:
        raise JournalError(f"the demo game cannot be made: {outcome.refused or outcome.fault}")
    return outcome
