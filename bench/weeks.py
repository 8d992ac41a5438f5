"""A week of `ii` with n players, each of whom gives three orders: what its entries cost and how much their outcomes
hold.

    python bench/weeks.py --sizes 8,50,100,200,400 --runtimes cpython,monty --out weeks.json

Seconds are CPU of the interpreter. The exponent is that of the last two sizes, of the whole week: 1 is linear in
players.
"""

import argparse
import cProfile
import json
import math
import pstats
import sys

from amending import worker_cpu

from nomopoly.rulebook.source import load_edition
from nomopoly.runtime.host import open_game

MONDAY = 1772442000  # 2026-03-02 09:00 UTC
WEEK = 7 * 86_400
ORDERS = (("buy-square", {}), ("deposit", {"amount": 10}), ("withdraw", {"amount": 5}))


def opened(players, runtime):
    """A game of `ii` in which so many players are, and have given their orders for the first update."""
    game = open_game(load_edition("ii"), title="T", game_id="weeks", runtime=runtime, at=MONDAY, secret="2a" * 32)
    game.checks = False
    for n in range(players):
        name = f"Player {n}"
        game.join(name, game.now)
        game.admin("approve-player", {"player": name}, game.now)
    for n in range(players):
        for do, args in ORDERS:
            outcome = game.order(f"Player {n}", do, args, game.now)
            assert outcome.refused is None, outcome
    return game


def a_week(game):
    """Let a week pass. Returns seconds of CPU, entries and characters of their outcomes."""
    begun, entries = worker_cpu(), game.n
    game.run_due(game.now + WEEK)
    took = worker_cpu() - begun
    told = [json.dumps(outcome) for _, outcome in game.outcomes.get(entries + 1)]
    return took, game.n - entries, sum(map(len, told))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="8,50,100,200")
    parser.add_argument("--runtimes", default="cpython")
    parser.add_argument("--profile", action="store_true", help="say where the time of the largest goes")
    parser.add_argument("--out")
    asked = parser.parse_args()
    sizes, told = [int(size) for size in asked.sizes.split(",")], {}
    for runtime in asked.runtimes.split(","):
        rows = []
        for size in sizes:
            game = opened(size, runtime)
            profile = cProfile.Profile()
            if asked.profile and size == sizes[-1]:
                profile.enable()
            took, entries, held = a_week(game)
            profile.disable()
            rows.append((took, entries, held))
            print(
                f"{runtime:8} {size:5} players {took:8.2f} s {entries:6} entries {took / entries * 1000:6.2f} ms an "
                f"entry {held // 1024:7} KB"
            )
            if asked.profile and size == sizes[-1]:
                pstats.Stats(profile).sort_stats("tottime").print_stats(35)
            game.runtime.close()
        if len(sizes) > 1:
            by = math.log(sizes[-1] / sizes[-2])
            grows = [round(math.log(rows[-1][part] / rows[-2][part]) / by, 2) for part in (0, 2)]
            print(f"{runtime:8} exponent of time {grows[0]}, of what outcomes hold {grows[1]}")
            told[runtime] = {"sizes": sizes, "rows": rows, "exponents": grows}
    if asked.out:
        with open(asked.out, "w") as file:
            json.dump(told, file, indent=1)


if __name__ == "__main__":
    sys.exit(main())
