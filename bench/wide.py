"""A view of a board with very many squares: what it costs in each interpreter, and how much it is.

    python bench/wide.py --editions original,ii --squares 5000 --runtimes cpython,monty

Seconds are CPU of the interpreter and of this process together, the best of some rounds: of a view when nothing is
known, of another viewer's, and of one after an entry (Ann is given money).
"""

import argparse
import json
import sys

from nomopoly.lab.bench import processor
from nomopoly.rulebook.source import load_edition
from nomopoly.runtime.host import open_game

MONDAY = 1772442000  # 2026-03-02 09:00 UTC


def opened(edition, squares, runtime):
    """A game of an edition with so many squares and two players."""
    book = load_edition(edition)
    game = open_game(book, title="T", game_id="wide", runtime=runtime, at=MONDAY, secret="2a" * 32)
    for name in ("Ann", "Ben"):
        game.join(name, game.now)
        game.admin("approve-player", {"player": name}, game.now)
    state = game.runtime.call("dump")
    kind = [each for each in state["things"] if each[1] == "square"]
    rest = [[f"#{n}", "square", {**kind[0][2], "number": n}] for n in range(len(kind) + 1, squares + 1)]
    state["things"] += rest
    game.runtime.call("restore", {"commons": game.runtime.call("commons"), "state": state})
    return game


def measured(game, money):
    """The seconds of three views."""
    took = []
    game.runtime.kept.clear()
    for viewer, given in (("Ann", False), ("Ben", False), ("Ann", True)):
        if given:
            grant = {"thing": "Ann", "attribute": "money", "value": money + 1, "because": "measured"}
            assert game.admin("grant", grant, game.now).ok
        begun = processor()
        game.view(viewer)
        took.append(processor() - begun)
    return took


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--editions", default="original,ii")
    parser.add_argument("--squares", type=int, default=5000)
    parser.add_argument("--runtimes", default="cpython,monty")
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    for edition in asked.editions.split(","):
        for runtime in asked.runtimes.split(","):
            game = opened(edition, asked.squares, runtime)
            took = [measured(game, money) for money in range(asked.rounds)]
            shown = game.view("Ann")
            size = len(json.dumps(shown)) // 1024
            told = " ".join(f"{min(each):6.3f} s" for each in zip(*took, strict=True))
            print(f"{edition:9} {runtime:8} {len(shown['things'])} things {told} {size} KB")
            game.runtime.close()


if __name__ == "__main__":
    sys.exit(main())
