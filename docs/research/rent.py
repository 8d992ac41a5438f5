"""Does rent make `original` end sooner?

    python docs/research/rent.py [--futures N] [--weeks N] [--rent DOLLARS] [--out FILE.svg]

That edition has neither rent nor an end of its own, so two proposals are compared: an end alone, and the same end with
rent. The seeds are the same, and so are the dice. Five games are a week old, and their players keep some money, so that
they do not end at once. The end hears of money that is spent and of money that is paid to somebody. Prints how many
futures end; with --out draws it (extra `lab`).
"""

import argparse
import importlib.util

from nomopoly.lab.outlook import futures
from nomopoly.lab.simulate import play_weeks

END = """
@after("lose")
@after("pay")
def broke(e):
    if min([each.money for each in every("player")]) < 250:
        do("end", because="somebody is nearly broke")
"""
RENT = """
@after("land")
def pay_rent(e):
    if e.square.owner is not None and e.square.owner is not e.who:
        pay(e.who, e.square.owner, min(rule.rent, e.who.money))
"""
ENDING = {"enact": "XX.1", "text": "The game ends when somebody has less than $250.", "code": END}
RENTING = {"enact": "XX.2", "text": "Rent is ${rent}.", "code": RENT}
GAMES = 5


def ended(many, weeks, rent):
    """How many of so many futures of each game end within 1, 2, ... weeks: {"without rent": [...], "with rent":
    [...]}."""
    renting = {**RENTING, "params": {"rent": rent}}
    found = {"without rent": [0] * weeks, "with rent": [0] * weeks}
    for seed in range(1, GAMES + 1):
        game, _ = play_weeks("original", players=3, weeks=1, seed=seed, policy="careful")
        for name, changes in (("without rent", [ENDING]), ("with rent", [ENDING, renting])):
            for week in range(weeks):  # its rules are those above: they need no process that is shut in
                told = futures(game, {"changes": changes}, many, week + 1, runtime="cpython")
                found[name][week] += told["ends"]["then"]["over"]
        game.runtime.close()
    return found


def draw(found, many, file):
    """One line for each of the two, told apart by dashes and marks too."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    for (name, numbers), style in zip(found.items(), ("o--", "s-"), strict=True):
        axes.plot(range(1, len(numbers) + 1), [100 * each / many for each in numbers], style, label=name)
    axes.set(xlabel="weeks", ylabel="futures that have ended, %", ylim=(0, 100))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    axes.legend()
    figure.savefig(file)


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--futures", type=int, default=20, help="of each game")
    parser.add_argument("--weeks", type=int, default=8)
    parser.add_argument("--rent", type=int, default=100, help="of a square, in dollars")
    parser.add_argument("--out")
    asked = parser.parse_args(argv)
    if asked.out and importlib.util.find_spec("matplotlib") is None:  # said before it plays
        parser.error("--out needs the extra 'lab': pip install nomopoly[lab]")
    found = ended(asked.futures, asked.weeks, asked.rent)
    many = GAMES * asked.futures
    for name, numbers in found.items():
        print(f"{name}: of {many} futures have ended by the end of each week: {', '.join(map(str, numbers))}")
    if asked.out:
        draw(found, many, asked.out)
    return found


if __name__ == "__main__":
    main()
