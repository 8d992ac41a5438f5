"""A bot that writes proposals: the number that its own futures like best.

    python docs/research/proposer.py [--weeks N] [--futures N] [--out FILE.svg]

Once a week Ann looks at some numbers of the rules, a tenth larger and a tenth smaller, lets the game go on with each as
far as she may see it, and proposes what leaves her richest. The Admin accepts. Prints what she has proposed, and what
everybody has. With --out draws that (extra `lab`).
"""

import argparse
import importlib.util
import random

from nomopoly.lab.bots import Bot
from nomopoly.lab.outlook import futures
from nomopoly.lab.simulate import DAY, START, play_weeks

ME, CHOICES = "Ann", 4


def best(game, chance, many):
    """(the change that leaves her richest, by how much): of some numbers, as her own futures say."""
    numbers = [(each["id"], name, number) for each in game.records() for name, number in each["params"].items()]
    gained = []
    for rule, name, number in chance.sample(
        [each for each in numbers if type(each[2]) is int and each[2] > 1], CHOICES
    ):
        other = number + chance.choice((-1, 1)) * max(1, number // 10)
        change = {"amend": rule, "params": {name: other}}
        told = futures(game, {"changes": [change]}, many, 1, viewer=ME)
        mine = next(each for each in told["players_then"] if each["player"] == ME)
        gained.append((mine["difference"]["mean"], len(gained), change))
    gain, _, change = max(gained)
    return change, gain


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--weeks", type=int, default=8)
    parser.add_argument("--futures", type=int, default=20)
    parser.add_argument("--out")
    asked = parser.parse_args(argv)
    if asked.out and importlib.util.find_spec("matplotlib") is None:  # said before it plays
        parser.error("--out needs the extra 'lab': pip install nomopoly[lab]")
    game, _ = play_weeks("original", players=3, weeks=1, seed=5)
    bots, chance = [Bot(name) for name in ("Ann", "Ben", "Cid")], random.Random(5)
    proposed, wealth = [], []
    for week in range(1, asked.weeks + 1):
        change, gain = best(game, chance, asked.futures)
        (name, number), *_ = change["params"].items()
        written = {
            "title": f"{name} {number}",
            "text": f"Rule {change['amend']}: my futures like it.",
            "changes": [change],
        }
        if gain > 0 and game.order(ME, "propose", written, game.now).ok:
            mine = max(id for id, thing in game.view(ME)["things"].items() if thing.get("title") == written["title"])
            proposed.append((week, change["amend"], name, number, game.admin("accept", {"on": mine}, game.now).ok))
        for day in range(7):
            now = START + (7 * week + day) * DAY
            game.run_due(now)
            for bot in bots:
                game.tick(max(now, game.now), "turn", {"who": bot.name})
                bot.play(game, now, orders=1)
        wealth.append({bot.name: game.value("money", bot.name) for bot in bots})
    game.runtime.close()
    for week, rule, name, number, accepted in proposed:
        print(f"week {week}: rule {rule}, {name} becomes {number}" + ("" if accepted else ": refused"))
    print("in the end:", ", ".join(f"{name} ${amount}" for name, amount in wealth[-1].items()))
    if asked.out:
        draw(wealth, asked.out)
    return proposed, wealth


def draw(wealth, file):
    """What everybody has, week by week."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    for name, style in zip(wealth[0], ("o-", "s--", "^:"), strict=True):
        axes.plot(range(1, len(wealth) + 1), [each[name] for each in wealth], style, label=name)
    axes.set(xlabel="week", ylabel="money, $")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    axes.legend()
    figure.savefig(file)


if __name__ == "__main__":
    main()
