"""What a backup, its restoration, and `nomopoly verify --all` cost, on PostgreSQL and on SQLite.

    sh tools/test-postgres.sh .venv/bin --run bench/keeping.py --games 1000 --entries 200 --verified 10

DATABASE_URL names an empty database. A game of `original` with so many entries is played, and its rows are copied.
Prints the seconds of `verify --all` with the first few copies there, and of `backup` and `restore` with all; the backup
is restored into a database of its own, beside the first, and into SQLite.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent
NOMOPOLY = ("-c", "import sys; from nomopoly.cli import main; sys.exit(main())")


def set_up():
    sys.path[:0] = [str(HERE), str(HERE.parent / "tests" / "site")]
    import growth

    growth.set_up()


def make(entries):
    """The one game that is copied."""
    set_up()
    import growth

    growth.make(int(entries))


def copy(many):
    """So many games more, each as the first one."""
    set_up()
    import grow

    from nomopoly.site.tables.models import Game

    game = Game.objects.order_by("pk").first()
    grow.copy(game, int(many), after=Game.objects.count() - 1)


def timed(what, environment, *command):
    """Run a command, which has to succeed. Print how long it took, how much of that it worked itself (without
    PostgreSQL), and the most memory that it had at once."""
    begun = time.monotonic()
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen([sys.executable, *map(str, command)], env=environment, stdout=said, stderr=said)
        _, status, used = os.wait4(process.pid, 0)
        if status:
            said.seek(0)
            sys.exit(f"{what}: {said.read().decode()}")
    work, memory = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
    told = f"{time.monotonic() - begun:8.1f} s, of which it works {work:6.1f} s, with {memory:4.0f} MB"
    print(f"{what:40} {told}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, usual in {"games": 1000, "entries": 200, "verified": 10}.items():
        parser.add_argument(f"--{name}", type=int, default=usual)
    parser.add_argument("--all", action="store_true", help="verify all of the games, on both databases")
    asked = parser.parse_args()
    import psycopg

    url = os.environ["DATABASE_URL"]
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE DATABASE restored")
    begin, _, options = url.partition("?")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        one = {**os.environ, "NOMOPOLY_DATA": str(folder / "data")}
        other = {**one, "NOMOPOLY_DATA": str(folder / "other")}
        other["DATABASE_URL"] = f"{begin.rpartition('/')[0]}/restored?{options}"
        timed(f"a game of {asked.entries} entries", one, __file__, "make", asked.entries)
        timed(f"{asked.verified} games copied", one, __file__, "copy", asked.verified - 1)
        timed(f"verify --all, {asked.verified} games", one, *NOMOPOLY, "verify", "--all")
        timed(f"{asked.games} games copied", one, __file__, "copy", asked.games - asked.verified)
        archive = folder / "site.tar.gz"
        timed(f"backup, {asked.games} games", one, *NOMOPOLY, "backup", archive)
        print(f"{'':40} {archive.stat().st_size / 2**20:8.1f} MB")
        timed(f"restore, {asked.games} games", other, *NOMOPOLY, "restore", archive)
        lite = {name: value for name, value in one.items() if name != "DATABASE_URL"}
        lite["NOMOPOLY_DATA"] = str(folder / "lite")
        timed("the same into SQLite", lite, *NOMOPOLY, "restore", archive)
        timed("backup from SQLite", lite, *NOMOPOLY, "backup", folder / "lite.tar.gz")
        if asked.all:
            timed(f"verify --all, {asked.games} games", one, *NOMOPOLY, "verify", "--all")
            timed("the same on SQLite", lite, *NOMOPOLY, "verify", "--all")


if __name__ == "__main__":
    if sys.argv[1:2] in (["make"], ["copy"]):
        {"make": make, "copy": copy}[sys.argv[1]](sys.argv[2])
    else:
        main()
