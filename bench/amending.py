"""What one amendment of a rule costs: in `ii`, in a book of n rules that hear one event, and in one of n events.

    python bench/amending.py --sizes 500,1000,2000 --out amending.json

Seconds are CPU of the interpreter, the best of several; what is put in force is taken back each time. The exponent is
that of the last two sizes: 1 is linear, 0 is flat (below 0.2 it is called so).
"""

import argparse
import json
import math
import os
import resource
import sys
import time

from nomopoly.rulebook.source import Book, load_edition
from nomopoly.runtime.host import open_game

INSIDE = """
def amend_again(data):
    for _ in range(data["times"]):
        begin_entry({"n": world.n + 1, "at": world.now})
        mark = savepoint()
        change_rulebook(data["changes"])
        roll_back(mark)
        world.n -= 1
    return len(world.records)


CALLS["amend-again"] = amend_again
"""
# A rule of each sort: a number only, one with an action and handlers, one of a section's first lines.
OF_II = ("XIV.5", "XXIX.3", "IX.1")


def rule(id, code, **params):
    section = id.partition(".")[0]
    about = {
        "section": section,
        "section_title": "Section",
        "title": "",
        "text": "A rule.",
        "since": 0,
        "made_by": "opening",
    }
    return {"id": id, **about, "params": params, "code": code}


def of_one_event(size, stated=False):
    """A book of so many rules that hear one event; `stated`: one of them says that it overrides another."""
    rules = [rule("1.1", 'event("step", who="player")')]
    code = '@after("step")\ndef follow(e):\n    pass'
    return [
        *rules,
        *[rule(f"2.{n}", code + ('\n\n\noverrides("2.7")' if stated and n == 9 else "")) for n in range(1, size)],
    ]


def of_own_events(size):
    """A book of so many rules that each have an event of their own."""
    return [
        rule(f"2.{n}", f'event("step-{n}")\n\n\n@on("step-{n}")\ndef step(e):\n    pass') for n in range(1, size + 1)
    ]


def worker_cpu():
    """Seconds of CPU that this process and those that it has started have taken."""
    took, tick = sum(resource.getrusage(resource.RUSAGE_SELF)[:2]), os.sysconf("SC_CLK_TCK")
    for task in os.listdir("/proc/self/task"):
        with open(f"/proc/self/task/{task}/children") as file:
            for child in file.read().split():
                with open(f"/proc/{child}/stat") as stat:
                    took += sum(map(int, stat.read().rpartition(")")[2].split()[11:13])) / tick
    return took


def measured(game, changes, times):
    """Milliseconds of CPU of one amendment, the best of five rounds."""
    game.runtime.add(INSIDE)
    data = {"changes": changes, "times": times}
    game.runtime.call("amend-again", {**data, "times": 1})
    rounds = []
    for _ in range(5):
        before = worker_cpu()
        game.runtime.call("amend-again", data)
        rounds.append((worker_cpu() - before) / times * 1000)
    return round(min(rounds), 2)


def opened(book, runtime):
    game = open_game(book, title="T", runtime=runtime, at=int(time.time()))
    game.checks = False
    return game


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="500,1000,2000")
    parser.add_argument("--runtimes", default="cpython,monty")
    parser.add_argument("--out")
    asked = parser.parse_args()
    sizes, told = [int(size) for size in asked.sizes.split(",")], {}
    for runtime in asked.runtimes.split(","):
        game = opened(load_edition("ii"), runtime)
        for id in OF_II:
            told[f"{runtime}: {id} of ii"] = measured(game, [{"amend": id, "text": "Other words."}], 20)
        code = '@after("join")\ndef follow(e):\n    pass'
        told[f"{runtime}: a new rule in ii"] = measured(game, [{"enact": "XL.1", "code": code}], 20)
        game.runtime.close()
        books = {"rules on one event": of_one_event, "one states precedence": lambda size: of_one_event(size, True)}
        for name, book in {**books, "events of their own": of_own_events}.items():
            costs = []
            for size in sizes:
                game = opened(Book("many", "Many", book(size), []), runtime)
                costs.append(measured(game, [{"amend": "2.9", "text": "Other words."}], 5))
                game.runtime.close()
            grows = math.log(max(costs[-1], 0.01) / max(costs[-2], 0.01)) / math.log(sizes[-1] / sizes[-2])
            told[f"{runtime}: {name}"] = [*costs, "flat" if grows < 0.2 else round(grows, 2)]
    print("ms of CPU of one amendment; sizes", sizes)
    for name, costs in told.items():
        print(f"{name:40} {costs}")
    if asked.out:
        with open(asked.out, "w") as file:
            json.dump({"sizes": sizes, "costs": told}, file, indent=1)


if __name__ == "__main__":
    sys.exit(main())
