"""What grows with the age of a game: pages of a game of `original` with n entries, in the sandbox, on SQLite.

    python bench/growth.py --sizes 1000,10000,60000 --out growth.json

For each size a game is played in memory, put into a fresh database, and its pages are asked for in a process of their
own: seconds of CPU and kilobytes of the answer, the first page after a start apart, and by how many megabytes it made
the process grow. The exponent is that of the last two sizes: 1 is linear, 0 is flat (below 0.2 it is called so).
"""

import argparse
import json
import math
import os
import resource
import subprocess
import sys
import tempfile
import time

PAGES = {
    "overview": "",
    "log": "log/",
    "log, last page": "log/?page=100000",
    "log?q=": "log/?q=Ben+rolls",
    "log?rule=": "log/?rule=IV.1",
    "entry": "log/300/",
    "feed": "log/feed.atom",
    "statement": "players/Cid/account/",
    "square": "squares/12/",
    "players": "players/",
    "player": "players/Ann/",
    "table as it was": "?at=MIDDLE",
}


def cpu():
    """Seconds of CPU of this process and of the children that it has waited for."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def set_up():
    os.environ["DJANGO_SETTINGS_MODULE"] = "nomopoly.site.settings"
    os.environ.setdefault("NOMOPOLY_HOSTS", "testserver,localhost")
    import django

    django.setup()


def make(size):
    """A game of `size` entries in the database of NOMOPOLY_DATA: six players who take turns and buy what they can."""
    set_up()
    from django.core.management import call_command

    from nomopoly.rulebook.source import load_edition
    from nomopoly.runtime.host import open_game
    from nomopoly.site.files import put_up

    call_command("migrate", verbosity=0)
    names, at = ("Ann", "Ben", "Cid", "Dot", "Eva", "Fay"), int(time.time()) - size * 600
    game = open_game(load_edition("original"), title="Long", runtime="cpython", at=at)
    game.checks = False
    for name in names:
        game.join(name, at)
        game.admin("approve-player", {"player": name}, at)
    while game.n < size:
        who = names[game.n % len(names)]
        at += 600
        game.tick(at, "turn", {"who": who})
        if game.n < size and game.n % 3 == 0:
            game.order(who, "buy-square", {}, at)
    put_up(game, "long", invitation="x", visibility="public")
    print(json.dumps({"entries": game.n + 1, "middle": game.n // 2}))


def look(middle):
    """The pages of the game in the database, each asked for three times."""
    set_up()
    from django.contrib.auth import get_user_model
    from django.core.management import call_command
    from django.test import Client

    from nomopoly.site.tables.models import Game, Membership

    call_command("migrate", verbosity=0)  # a database of an earlier run
    game, user = Game.objects.get(), get_user_model().objects.get_or_create(email="ann@example.org")[0]
    Membership.objects.get_or_create(game=game, user=user, player="Ann", status="approved")
    told = {}
    client = Client()
    client.force_login(user)
    client.get("/")  # what is loaded once
    for name, path in {"first page": "log/", **PAGES}.items():
        memory, seen = resident(), []
        for turn in range(1 if name == "first page" else 3):
            before, wall = cpu(), time.perf_counter()
            answer = client.get(game.address + path.replace("MIDDLE", str(middle - 7 * turn)))
            seen.append((cpu() - before, time.perf_counter() - wall))
            assert answer.status_code == 200, (path, answer.status_code)
        told[name] = {
            "cpu": round(min(seen)[0], 3),
            "first": round(seen[0][1], 3),
            "kb": len(answer.content) // 1024,
            "mb": round(resident() - memory, 1),
        }
    print(json.dumps(told))


def resident():
    """Megabytes that this process holds."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 2**20


def exponent(sizes, found):
    """By which power of the size the last two numbers grow."""
    (small, large), (before, after) = sizes[-2:], found[-2:]
    return round(math.log(max(after, 0.001) / max(before, 0.001)) / math.log(large / small), 2)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="1000,10000,60000")
    parser.add_argument("--out")
    parser.add_argument(
        "--keep", help="a folder for the databases, made if they are not there, so that they can be used again"
    )
    parser.add_argument("--make", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--look", type=int, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.make is not None:
        return make(asked.make)
    if asked.look is not None:
        return look(asked.look)
    sizes, told = [int(size) for size in asked.sizes.split(",")], {}
    for size in sizes:
        folder = os.path.join(asked.keep, str(size)) if asked.keep else tempfile.mkdtemp()
        environment = {**os.environ, "NOMOPOLY_DATA": folder}
        if not os.path.exists(os.path.join(folder, "made.json")):
            os.makedirs(folder, exist_ok=True)
            made = run(environment, "--make", size)
            with open(os.path.join(folder, "made.json"), "w") as file:
                file.write(made)
        with open(os.path.join(folder, "made.json")) as file:
            middle = json.load(file)["middle"]
        told[size] = json.loads(run(environment, "--look", middle))
    print(f"{'page':20}" + "".join(f"{size:>28,}" for size in sizes) + "  exponent")
    for name in told[sizes[0]]:
        cells = [told[size][name] for size in sizes]
        grows = exponent(sizes, [cell["cpu"] for cell in cells]) if len(sizes) > 1 else 0
        shown = "".join(f"{each['cpu']:10.3f}s {each['kb']:6} KB {each['mb']:4.0f} MB" for each in cells)
        print(f"{name:20}{shown}  {'flat' if grows < 0.2 else grows}")
    if asked.out:
        with open(asked.out, "w") as file:
            json.dump({"sizes": sizes, "pages": told}, file, indent=1)
    return None


def run(environment, *words):
    """This program in a process of its own: the last line that it printed."""
    done = subprocess.run(
        [sys.executable, __file__, *map(str, words)], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(done.stderr)
    return done.stdout.strip().splitlines()[-1]


if __name__ == "__main__":
    main()
