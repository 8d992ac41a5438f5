"""Small games in which players go a step, and rules leave a trace of what they heard: for the tests of the language."""

import minigames
from minigames import CHANGING, rule

from nomopoly.runtime.host import Game, load_game, take_snapshot

BASE = rule(
    "0.2",
    """
attribute("player", "money", 10, type="money")
attribute("player", "trace", ())
event("step", "stepped", who="player", n="")


def mark(e, word):
    put(e.who, "trace", (*e.who.trace, word))


@action("go", n=number(optional=True, least=None))
def go(e):
    do("step", who=e.who, n=e.n)
""",
)
# What other rules write with: rules have no functions in common, so each test's rules say it themselves.
MARK = "def mark(e, word):\n    put(e.who, 'trace', (*e.who.trace, word))\n\n\n"


def opener(runtime: str):
    """Yields what opens small games with BASE and CHANGING in them; closes them in the end."""
    opened: list[Game] = []

    def open_one(*rules: dict, base: bool = True, **more) -> Game:
        given = (CHANGING, BASE, *rules) if base else (CHANGING, *rules)
        opened.append(minigames.small_game(*given, runtime=runtime, **more))
        return opened[-1]

    yield open_one
    for game in opened:
        game.runtime.close()


def go(game: Game, by: str = "Ann", **args):
    return game.order(by, "go", args, game.now)


def trace(game: Game, of: str = "Ann") -> list:
    return game.value("trace", of)


def rebuilt(game: Game) -> list[str]:
    copies = [
        load_game(game.journal, runtime=game.runtime.name),
        load_game(game.journal, runtime=game.runtime.name, snapshot=take_snapshot(game)),
    ]
    return [copy.state_hash() for copy in copies]
