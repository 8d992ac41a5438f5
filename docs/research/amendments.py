"""What do random amendments do to the inequality of wealth?

    python docs/research/amendments.py [--games N] [--weeks N] [--out FILE.svg]

Each game is another one of `original`, a week old. One number of one of its rules becomes a tenth larger, and the game
goes on with that and without it, with the same dice. What is told is by how much the Gini coefficient of the players'
money changes, in thousandths. With --out draws all of them (extra `lab`).
"""

import argparse
import importlib.util
import random

from nomopoly.lab.futures import play_all, prepare
from nomopoly.lab.simulate import play_weeks


def gini(amounts):
    """How unequal some amounts are, in thousandths: 0 if all are the same, near 1000 if one has all."""
    amounts = sorted(max(0, each) for each in amounts)
    many, whole = len(amounts), sum(amounts)
    if not whole:
        return 0
    return 1000 * sum((2 * place - many + 1) * each for place, each in enumerate(amounts)) // (many * whole)


def changed(seed, weeks):
    """One game: (rule, number, by how much inequality changes)."""
    game, _ = play_weeks("original", players=4, weeks=1, seed=seed)
    numbers = [(each["id"], name, number) for each in game.records() for name, number in each["params"].items()]
    rule, name, number = random.Random(seed).choice([each for each in numbers if type(each[2]) is int])
    change = {"amend": rule, "params": {name: number + max(1, number // 10)}}
    # numbers of shipped rules alone are amended: nobody's program runs here
    (found,) = play_all(prepare(game, {"changes": [change]}, 1, weeks), runtime="cpython")
    ends = [
        gini([told["money"] for told in found[rules]["numbers"][-1].values() if "money" in told])
        for rules in ("now", "then")
    ]
    game.runtime.close()
    return rule, name, ends[1] - ends[0]


def draw(found, file):
    """How often inequality changes by how much."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    axes.hist([each[2] for each in found], bins=21, edgecolor="black")
    axes.set(xlabel="change of the Gini coefficient, thousandths", ylabel="games")
    figure.savefig(file)


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--weeks", type=int, default=4)
    parser.add_argument("--out")
    asked = parser.parse_args(argv)
    if asked.out and importlib.util.find_spec("matplotlib") is None:  # said before it plays
        parser.error("--out needs the extra 'lab': pip install nomopoly[lab]")
    if asked.games < 1:
        parser.error(f"--games must be 1 or more: not {asked.games}")
    found = [changed(seed, asked.weeks) for seed in range(1, asked.games + 1)]
    changes = sorted(each[2] for each in found)
    print(
        f"{len(found)} games: less equal in {sum(each > 0 for each in changes)}, more equal in"
        f" {sum(each < 0 for each in changes)}, the same in {sum(each == 0 for each in changes)}"
    )
    print(
        f"the median {changes[len(changes) // 2]:+}, from {changes[0]:+} to {changes[-1]:+} thousandths; the largest:"
    )
    for rule, name, change in sorted(found, key=lambda each: -abs(each[2]))[:5]:
        print(f"  {rule} {name}: {change:+}")
    if asked.out:
        draw(found, asked.out)
    return found


if __name__ == "__main__":
    main()
