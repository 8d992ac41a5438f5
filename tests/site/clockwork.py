"""Games whose rules do nothing but ring bells, and the clock as a process that may be killed: for test_clock.py.

python clockwork.py make    bring the database up to date and make the games
python clockwork.py work    a clock; with KILL_AT=n it kills itself in the middle of the n-th entry it makes
python clockwork.py tell    for each line that comes in: print as JSON what the journals hold, and "due": what is due alone
"""

import json
import os
import signal
import sys
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import emptysite
from minigames import rule

from nomopoly.rulebook.source import Book
from nomopoly.site.serve import prepare

BELLS = rule(
    "1.1",
    """
attribute("player", "rung", ())
attribute("player", "until", None, moment="game")
event("ring", "rang", who="player", number="")


@on("ring")
def ring(e):
    put(e.who, "rung", (*e.who.rung, (e.number, now(), chance.die())))


@action("wind", after=number(), every=number(), times=number())
def wind(e):
    for number in range(e.times):
        at(now() + e.after + number * e.every, "ring", who=e.who, number=number)
    put(e.who, "until", now() + e.after)


@action("wind-real", after=number())
def wind_real(e):
    at(now() + e.after, "ring", real=True, who=e.who, number=0)


@action("touch", in_pause=True)
def touch(e):
    pass
""",
)
GAMES, TIMES = 4, 60


def book(edition="bells"):
    return Book("bells", "Bells", [BELLS], [])


def bell_game(slug, at, admin=None):
    """A game of bells with one player, Ann."""
    from nomopoly.site.tables import domain, live

    domain.load_edition = book
    game = domain.start_game(admin, edition="bells", title=slug, slug=slug, at=at)
    with live.of(game).writing() as running:
        assert running.join("Ann", at).ok
        assert running.admin("approve-player", {"player": "Ann"}, at).ok
    return game


def wind(game, at, after, every=1, times=1, do="wind"):
    """Let Ann's bell ring. Returns the moments."""
    from nomopoly.site.tables import live

    args = {"after": after, "every": every, "times": times} if do == "wind" else {"after": after}
    with live.of(game).writing() as running:
        assert running.order("Ann", do, args, at).ok
    return [at + after + number * every for number in range(times)]


def make():

    from nomopoly.site.tables import live

    emptysite.arrange()
    start = live.now() - 1000
    expected = {}
    for number in range(GAMES):  # the last bells ring some seconds from now
        game = bell_game(f"g{number}", start)
        expected[game.slug] = wind(game, start, 1003 - 6 * (TIMES - 1) + number, 6, TIMES)
    live.close_all()
    print(json.dumps(expected))


def work():
    from nomopoly.site import clock
    from nomopoly.site.tables.journal import DatabaseJournal

    kill_at = int(os.environ.get("KILL_AT") or 0)
    create = DatabaseJournal.create
    made = []

    def perhaps(journal, line, *args, **more):
        create(journal, line, *args, **more)
        made.append(line["n"])
        if len(made) == kill_at:
            os.kill(os.getpid(), signal.SIGKILL)

    DatabaseJournal.create = perhaps
    if kill_at:
        clock.hands = lambda: 1  # which entry is the n-th must be certain
    clock.run()


def tell():
    from nomopoly.site.tables.models import Game

    for line in sys.stdin:
        told = dict(Game.objects.values_list("slug", "due")) if line.strip() == "due" else journals()
        print(json.dumps(told), flush=True)


def journals():
    from nomopoly.runtime import host
    from nomopoly.runtime.journal import MemoryJournal
    from nomopoly.site.tables import live
    from nomopoly.site.tables.journal import DatabaseJournal
    from nomopoly.site.tables.models import Game

    told = {}
    for game in Game.objects.all():
        lines = list(DatabaseJournal(game.pk).lines())
        again = host.load_game(MemoryJournal(lines), runtime="cpython", secret=game.secret)
        rung = again.value("rung", "Ann")
        told[game.slug] = {
            "numbers": [line["n"] for line in lines],
            "ticks": [seconds(line["at"]) for line in lines if line["kind"] == "tick"],
            "rung": [[number, moment] for number, moment, _ in rung],
            "due": game.due,
            "same": live.of(game).state_hash() == again.state_hash(),
        }
    live.close_all()  # the next time, too, the games are read from what is kept
    return told


def seconds(moment):
    return int(datetime.fromisoformat(moment).replace(tzinfo=UTC).timestamp())


if __name__ == "__main__":
    prepare(None)
    {"make": make, "work": work, "tell": tell}[sys.argv[1]]()
