"""The benchmarks: what the program must be able to do, and what it does on this machine.

Ratios compare runs of the same process, best of several, so that they say something on any machine.
"""

from __future__ import annotations

import gzip
import importlib.util
import json
import multiprocessing
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

from nomopoly.errors import CommandError
from nomopoly.lab.futures import HARDENED, SANDBOX, Worker, prepare
from nomopoly.lab.simulate import START, Simulation, load, play_weeks, player_names, secret_of, simulate
from nomopoly.lab.weeks import simulate_weeks
from nomopoly.rulebook.source import editions
from nomopoly.runtime.counted import counted
from nomopoly.runtime.fold import state_digest
from nomopoly.runtime.host import Game, load_game, open_game, take_snapshot
from nomopoly.runtime.interpreters import CPythonRuntime, MontyRuntime, cpython
from nomopoly.runtime.journal import FIRST_HASH, FileJournal, digest, iso, seal
from nomopoly.runtime.verify import JournalFile, verify

Data = dict[str, Any]

PLAYERS = 6
SEED = 1
PAIR = 240  # ms: 1,000 pairs of futures in two minutes, on two cores
PLAIN = Path(__file__).parents[3] / "bench" / "plain_original.py"


class Figures:
    """The table: one row a figure, with its target."""

    def __init__(self) -> None:
        self.rows: list[Data] = []

    def add(self, name: str, figure: float, unit: str, least: float | None = None, most: float | None = None) -> None:
        """One row. `least` or `most` is the target; without either the figure is for information."""
        met = (
            None if least is None and most is None else figure >= least if least is not None else figure <= (most or 0)
        )
        target = f">= {least:,.10g}" if least is not None else f"<= {most:,.10g}" if most is not None else ""
        self.rows.append({"name": name, "figure": round(figure, 3), "unit": unit, "target": target, "met": met})
        print(self.line(self.rows[-1]), file=sys.stderr, flush=True)

    @staticmethod
    def line(row: Data) -> str:
        """A row for readers."""
        mark = {None: "", True: "met", False: "MISSED"}[row["met"]]
        figure = f"{row['figure']:,.0f}" if row["figure"] >= 1000 else f"{row['figure']:,.2f}"
        return f"{row['name']:<64} {figure:>10} {row['unit']:<12} {row['target']:>10}  {mark}".rstrip()


def best(of: int, run: Callable[[], Any]) -> tuple[float, Any]:
    """The shortest time of several runs, and the last result."""
    times = []
    for _ in range(of):
        begun = time.perf_counter()
        result = run()
        times.append(time.perf_counter() - begun)
    return min(times), result


def plain_loop() -> Any:
    """The game written by hand as a plain loop: `bench/plain_original.py`."""
    if not PLAIN.is_file():
        raise CommandError(f"{PLAIN}: not there; the benchmarks want a checkout of the project")
    spec = importlib.util.spec_from_file_location("plain_original", PLAIN)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.play


def turns(figures: Figures, count: int) -> None:
    """A simulation against the plain loop, in both runtimes; money, squares and state must be the same."""
    play = plain_loop()
    names = player_names(PLAYERS)
    rounds = [(best(1, lambda: play(names, count, secret_of(SEED), 2 * PLAYERS + 1)), one_run(count)) for _ in range(3)]
    plain = min(seconds for (seconds, _), _ in rounds)
    ours = min((run for _, run in rounds), key=lambda run: run["seconds"])
    money, squares, _ = rounds[0][0][1]
    assert (ours["money"], ours["squares"]) == (money, squares), "the plain loop comes out otherwise"
    sandboxed = min((one_run(count, "monty") for _ in range(2)), key=lambda run: run["seconds"])
    assert sandboxed["state_hash"] == ours["state_hash"], "the two runtimes differ"
    figures.add("a plain loop, turns", count / plain, "a second")
    figures.add("simulate in CPython, turns", count / ours["seconds"], "a second")
    figures.add("simulate in CPython against the plain loop", ours["seconds"] / plain, "times slower", most=10)
    figures.add("simulate in Monty, turns", count / sandboxed["seconds"], "a second")
    figures.add("simulate in Monty against CPython", sandboxed["seconds"] / ours["seconds"], "times slower", most=6)


def one_run(count: int, runtime: str = "cpython") -> Data:
    """`simulate original --players 6 --seed 1`."""
    return simulate("original", PLAYERS, count, SEED, runtime)


def counters(figures: Figures, count: int) -> None:
    """What it costs that programs count what they do: turns with their counters and without, one after the other."""
    for edition in editions():
        times: dict[str, list[float]] = {"with": [], "without": []}
        for _ in range(9):
            for way, reader in (("with", counted), ("without", str)):
                game = game_read_by(reader, edition)
                begun = time.process_time()
                game.play(count if edition == "original" else count // 10)
                times[way].append(time.process_time() - begun)
                game.runtime.close()
        slowdown = 100 * (min(times["with"]) / min(times["without"]) - 1)
        figures.add(f"counters in the programs of {edition} slow a turn by", slowdown, "per cent")


def game_read_by(reader: Callable[[str], str], edition: str) -> Simulation:
    """A game in CPython whose programs are carried out as `reader` puts them; `counted` is what players have."""
    with mock.patch.object(cpython, "counted", reader):
        return Simulation(load(edition), PLAYERS, SEED, "cpython", "greedy")


def idle_rules(figures: Figures, count: int) -> None:
    """What a thousand rules that listen to other events cost a turn."""
    book = load("original")
    code = "@after('trade-made')\ndef listen(e):\n    gain(e.buyer, rule.bonus)\n"
    blank = {"section": "X", "section_title": "Extra", "title": "", "text": "", "params": {"bonus": 1}, "code": code}
    extra = [{**blank, "id": f"X.{at}", "since": 0, "made_by": "opening"} for at in range(1, 1001)]
    many = type(book)(book.edition, book.title, [*book.records, *extra], book.commons)
    few_seconds, many_seconds = [], []
    for _ in range(5):
        few_seconds.append(simulate("original", PLAYERS, count, SEED, book=book)["seconds"])
        many_seconds.append(simulate("original", PLAYERS, count, SEED, book=many)["seconds"])
    slowdown = 100 * (min(many_seconds) / min(few_seconds) - 1)
    figures.add("1,000 rules that listen to other events slow a turn by", slowdown, "per cent", most=10)


class Forgotten:
    """Keeps no outcomes: they can be computed again."""

    def put(self, n: int, outcome: Data, facts: Any = None) -> None:
        """Forget it."""

    def get(self, start: int = 0) -> Iterator[tuple[int, Data]]:
        """Nothing."""
        return iter(())


def play_logged(path: Path, count: int) -> tuple[Game, float]:
    """A game with a file journal: proposals judged, turns taken, squares bought and named. Returns it and its
    seconds."""
    journal = FileJournal(path, durable=False)
    game = open_game(
        load("original"), title="Bench", runtime="cpython", at=START, secret=secret_of(SEED), journal=journal
    )
    names = player_names(PLAYERS)
    for name in names:
        game.join(name, START)
        game.admin("approve-player", {"player": name}, START)
    begun, first = time.perf_counter(), game.n
    with journal.lock():
        while game.n - first < count:
            name = names[game.n % PLAYERS]
            outcome = game.tick(game.now + 1, "turn", {"who": name})
            for fact in outcome.facts:
                if fact["what"] == "option":
                    game.order(name, "buy-square", {"square": fact["square"]}, game.now + 1)
                    game.order(name, "name-square", {"square": fact["square"], "name": f"Place {game.n}"}, game.now + 1)
    return game, (time.perf_counter() - begun) / (game.n - first)


def journals(figures: Figures, folder: Path, count: int, long: int) -> None:
    """Logged moves, appends at the start and at the end of a long journal, and verification."""
    path = folder / "game.jsonl"
    game, each = play_logged(path, count)
    figures.add("logged, hash-chained moves in a file journal (with the rules)", 1 / each, "a second", least=10_000)
    seconds, found = best(2, lambda: verify(JournalFile(path)))
    assert state_digest(found.state) == game.state_hash(), "the verified game is another one"
    figures.add(f"verify ({found.runtime})", found.entries / seconds, "a second", least=20_000)
    appends(figures, folder / "long.jsonl", long)


def appends(figures: Figures, path: Path, long: int) -> None:
    """How fast sealed lines go into a journal when it is short, and when it is long."""
    journal = FileJournal(path, durable=False)
    prev = FIRST_HASH
    marks = {}
    block = 1000
    for start in range(0, long + block, block):
        begun = time.perf_counter()
        for n in range(start, start + block):
            with journal.lock():
                line: Data = {"n": n, "at": iso(START + n), "kind": "tick", "by": None, "do": "turn"}
                line.update(args={"who": "Ann"}, out=prev)
                seal(line, prev)
                journal.append(line)
            prev = line["hash"]
        marks[start + block] = block / (time.perf_counter() - begun)
    early = statistics.median(rate for at, rate in marks.items() if at <= 20 * block)
    late = statistics.median(rate for at, rate in marks.items() if at > long - 20 * block)
    figures.add("appends to a short journal", early, "a second")
    figures.add(f"appends at entry {long:,} against entry 1,000", 100 * late / early, "per cent", least=90)


def cold_open(figures: Figures) -> None:
    """A game with a rulebook of 280 KB, opened in a fresh sandbox from its snapshot."""
    book = load("original")
    text = "This rule says at length what it says, so that the book has the size of one that was played for years. " * 3
    code = "@after('trade-made')\ndef listen(e):\n    if e.price > rule.bonus:\n        gain(e.buyer, rule.bonus)\n"
    records = list(book.records)
    while len(json.dumps(records)) < 280_000:
        at = len(records)
        record = {"id": f"X.{at}", "section": "X", "section_title": "Extra", "title": "", "text": text, "code": code}
        records.append({**record, "params": {"bonus": at}, "since": 0, "made_by": "opening"})
    runtime = MontyRuntime()
    commons = [list(module) for module in book.commons]
    runtime.call("open", {"title": "T", "at": START, "commons": commons, "rules": records})
    blob = runtime.dump_session()
    state = runtime.call("dump")
    runtime.close()
    times = []
    for _ in range(7):
        begun = time.perf_counter()
        opened = MontyRuntime.from_session(blob)
        found = opened.call("value", {"name": "paused", "of": ["game"]})
        times.append(1000 * (time.perf_counter() - begun))
        assert found["value"] is False
        assert digest(opened.call("dump")) == digest(state), "the opened game is another one"
        opened.close()
    figures.add("cold open in Monty, 280 KB of rules", statistics.median(times), "ms", most=60)
    figures.add("its snapshot", len(blob) / 1024, "KB")


def site_orders(figures: Figures, folder: Path, count: int) -> None:
    """Orders through the site: forms of the test client, the sandbox, SQLite."""
    os.environ["NOMOPOLY_DATA"] = str(folder)
    from nomopoly.site.serve import prepare

    prepare(folder)
    from django.conf import settings
    from django.contrib.auth import get_user_model
    from django.core.management import call_command
    from django.test import Client
    from django.test.utils import setup_test_environment

    setup_test_environment()
    settings.ALLOWED_HOSTS = ["*"]
    call_command("migrate", interactive=False, verbosity=0)
    from nomopoly.site.tables import domain, live

    users = get_user_model().objects
    admin = users.create(email="admin@example.org")
    user = users.create(email="ann@example.org")
    game = domain.start_game(admin, edition="original", title="Bench", slug="bench", at=live.now() - 60)
    domain.ask_to_join(game, user, "Ann")
    domain.desk_act(game, "approve-player", {"player": "Ann"})
    client = Client()
    client.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    times = []
    for at in range(count):
        form = {"title": f"Proposal {at}", "text": "Words."}
        before = live.of(game).n
        begun = time.perf_counter()
        response = client.post("/g/bench/act/propose/", form)
        times.append(1000 * (time.perf_counter() - begun))
        assert response.status_code in (200, 302, 303), response.content[:500]
        assert live.of(game).n > before, "the order did not arrive"
    live.close_all()
    figures.add("an order through the site, median", statistics.median(times), "ms", most=50)


def site_clock(figures: Figures, count: int) -> None:
    """Games in which something is due at one moment, none of them warm: how long after it each is done.

    They are copies of one game, some weeks old, in the database of `site_orders`. The clock is that of
    `nomopoly clock`.
    """
    from nomopoly.site.clock import Worker, hands
    from nomopoly.site.tables import domain, live
    from nomopoly.site.tables.models import Entry, Game, Outcome, Snapshot

    began = live.now() - 30 * 86400
    model = domain.start_game(None, edition="original", title="Clock", slug="clock", at=began)
    with live.of(model).writing() as running:
        for name in player_names(PLAYERS):
            running.join(name, began)
            running.admin("approve-player", {"player": name}, began)
    with live.of(model).writing() as running:
        while running.n < 60:
            running.tick(running.now + 60, "turn", {"who": player_names(PLAYERS)[running.n % PLAYERS]})
        time_to_buy = (running.due() or running.now) - running.now
        running.run_due(live.now() - time_to_buy)
        while running.due() is None:  # a player may buy, until now
            running.tick(live.now() - time_to_buy, "turn", {"who": player_names(PLAYERS)[running.n % PLAYERS]})
    live.close_all()
    kinds: tuple[Any, ...] = (Entry, Outcome, Snapshot)
    kept = {kind: list(kind.objects.filter(game=model)) for kind in kinds}
    model.refresh_from_db()
    shared = {"edition": model.edition, "secret": model.secret, "due": live.now()}
    games = Game.objects.bulk_create(Game(slug=f"clock-{at}", title=f"Clock {at}", **shared) for at in range(count))
    Game.objects.filter(pk=model.pk).delete()
    for kind, rows in kept.items():
        names = [field.name for field in kind._meta.fields if field.name not in ("id", "game")]
        values = [{name: getattr(row, name) for name in names} for row in rows]
        kind.objects.bulk_create((kind(game=game, **each) for game in games for each in values), 500)
    done: list[float] = []

    class Watched(Worker):
        def attend(self, game: Any, moment: int) -> None:
            super().attend(game, moment)
            done.append(time.perf_counter() - begun)

    begun = time.perf_counter()
    worker = Watched(hands())
    while worker.round():
        pass
    live.close_all()
    assert not Game.objects.filter(due__lte=live.now()).exists(), "something due was left undone"
    done.sort()
    name = f"{count:,} games due at one moment: done after,"
    figures.add(f"{name} median", statistics.median(done), "s")
    figures.add(f"{name} 99 %", done[int(0.99 * (len(done) - 1))], "s")
    figures.add(f"{name} all", done[-1], "s")


def site_pages(figures: Figures, count: int) -> None:
    """Pages of a game of edition `iv` with 100 squares, 20 players and 300 rules, in the database of `site_orders`."""
    from django.contrib.auth import get_user_model
    from django.test import Client

    from nomopoly.rulebook.source import load_edition
    from nomopoly.site.tables import domain, live

    user = get_user_model().objects.create(email="pages@example.org")
    game = domain.start_game(user, edition="iv", title="Pages", slug="pages", at=live.now() - 3600)
    changes = [
        {"enact": f"13.{at}", "section": "More", "text": f"Rule number {at} pays ${{n}}. " * 8, "params": {"n": at}}
        for at in range(1, 301 - len(load_edition("iv").records))
    ]
    with live.of(game).writing() as running:
        for at in range(20):
            name = f"Player{at + 1}"
            running.join(name, live.now() - 3600)
            running.admin("approve-player", {"player": name}, live.now() - 3600)
        running.order(
            "Player1", "propose", {"title": "More", "changes": changes, "run": "add_squares(80)"}, running.now
        )
        running.admin("implement", {"on": "P1"}, running.now)
        running.order(
            "Player2", "propose", {"title": "Less", "changes": [{"amend": "8.3", "text": "No."}]}, running.now
        )
        running.cast("Player1", "vote", {"on": "P1", "choice": "yes"}, running.now)
        running.run_due(live.now() + 6 * 86400)
    assert len(live.of(game).records()) == 300, "the proposal was not implemented"
    client = Client()
    client.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    pages = {"overview with the board": "", "the whole rulebook": "rules/", "a comparison": "rules/diff/?from=0&to=1"}
    for name, address in pages.items():
        times = []
        for _ in range(count):
            begun = time.perf_counter()
            response = client.get(f"/g/pages/{address}")
            times.append(1000 * (time.perf_counter() - begun))
            assert response.status_code == 200, response.content[:500]
        size = len(response.content) / 1024
        most = 300 if not address else None
        figures.add(f"page: {name}, 100 squares, 300 rules, {size:.0f} KB", statistics.median(times), "ms", most=most)
    live.close_all()


def edition_ii(figures: Figures, folder: Path, weeks: int) -> None:
    """A year of edition `ii` played by bots, in both runtimes: speed, memory, journal; its pages in the tenth month.

    The sandbox plays a quarter of it. For the database of `site_orders`.
    """
    from nomopoly.site.files import put_up

    tenth, last = max(1, weeks * 7 * 10 // 12), weeks * 7
    marks: Data = {}

    def watch(game: Game, day: int) -> None:
        if day == tenth:
            put_up(game, "year")
        if day == last:
            marks["snapshot"] = take_snapshot(game)

    quarter = max(1, weeks // 4)
    game, told = play_weeks("ii", 8, weeks, SEED, "cpython", "mixed", proposes=True, watch=watch)
    sandboxed, its = play_weeks("ii", 8, quarter, SEED, "monty", "mixed", proposes=True)
    sandboxed.runtime.close()
    alone = simulate_weeks("ii", 8, weeks, SEED, "cpython", "mixed")
    inside = simulate_weeks("ii", 8, quarter, SEED, "monty", "mixed")
    for name, each in (("hosted, CPython", told), ("hosted, Monty", its), ("CPython", alone), ("Monty", inside)):
        what = f"edition ii, 8 bots, {each['weeks']} weeks, {name}:"
        figures.add(f"{what} turns", each["turns"] / each["seconds"], "a second")
        figures.add(f"{what} updates", each["updates"] / each["seconds"], "a second")
    pairs(figures, game)
    path = folder / "year.jsonl"
    journal = FileJournal(path, durable=False)
    with journal.lock():
        for line in game.journal.lines():
            journal.append(line)
    size = path.read_bytes()
    figures.add(f"its journal, {game.n:,} entries", len(size) / 1e6, "MB")
    figures.add("its journal, gzipped", len(gzip.compress(size)) / 1e6, "MB")
    seconds, found = best(1, lambda: verify(JournalFile(path)))
    assert state_digest(found.state) == told["state_hash"], "the verified year is another one"
    figures.add(f"verifying it ({found.runtime})", seconds, "s")
    seconds, found = best(1, lambda: verify(sandboxed.journal.lines(), "monty"))
    assert state_digest(found.state) == its["state_hash"], "the verified quarter is another one"
    figures.add(f"verifying {quarter} weeks of it (monty)", seconds, "s")
    for name in ("cpython", "monty"):
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as process:
            memory = process.submit(taken_up, path, name, marks["snapshot"]).result()
        figures.add(f"memory of such a game ({name})", memory, "MB")
    year_pages(figures, 5)


def pairs(figures: Figures, game: Game) -> None:
    """Futures of a game, each once as the rules are and once with a number of one of them changed."""
    rule, name, number = next(
        (each["id"], name, number)
        for each in game.records()
        for name, number in each["params"].items()
        if type(number) is int and number > 5
    )
    change = {"changes": [{"amend": rule, "params": {name: number + 1}}]}
    for runtime, many in ((HARDENED, 8), (SANDBOX, 3)):
        work = replace(prepare(game, change, many + 1, 4), watched=frozenset())  # as all but the first of a thousand
        worker = Worker(work, runtime)
        worker.play(work.seeds[0])  # it starts, and takes up the game
        begun = processor()
        for seed in work.seeds[1:]:
            worker.play(seed)
        each = 1000 * (processor() - begun) / many
        worker.close()
        most = PAIR if runtime == HARDENED else None
        figures.add(f"a pair of futures, four weeks of ii, 8 players ({runtime})", each, "ms of CPU", most=most)


def taken_up(path: Path, runtime: str, snapshot: Data) -> float:
    """How many megabytes this process, and the sandboxes it starts, grow by when it takes a game up and shows it."""
    before = resident()
    game = load_game(FileJournal(path), runtime=runtime, snapshot=snapshot)
    game.view("visitor")
    game.actions("Ann")
    return (resident() - before) / 1e6


def resident() -> int:
    """The resident memory of this process and of those it has started, in bytes; 0 where the system does not say."""
    pages = [int(Path(f"/proc/{each}/statm").read_text().split()[1]) for each in processes()]
    return sum(pages) * os.sysconf("SC_PAGE_SIZE")


def processor() -> float:
    """The seconds of CPU that this process and those it has started have taken; of itself alone where the system does
    not say."""
    started = [Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split() for each in processes()[1:]]
    ticks = sum(int(part) for each in started for part in each[11:13])
    return time.process_time() + ticks / os.sysconf("SC_CLK_TCK")


def processes() -> list[str]:
    """The number of this process and of those that it has started; none where the system does not say."""
    me = str(os.getpid())
    try:
        return [me, *Path(f"/proc/{me}/task/{me}/children").read_text().split()]
    except OSError:
        return []


def year_pages(figures: Figures, count: int) -> None:
    """The pages of the game that `edition_ii` has put on the site, as one of its players sees them."""
    from django.contrib.auth import get_user_model
    from django.test import Client

    from nomopoly.site.tables import live
    from nomopoly.site.tables.models import Game as GameRow
    from nomopoly.site.tables.models import Membership

    row = GameRow.objects.get(slug="year")
    user = get_user_model().objects.create(email="year@example.org")
    view = live.of(row).view("visitor")["things"]
    name = next(id for id, thing in view.items() if thing["kind"] == "player")
    Membership.objects.create(game=row, user=user, player=name, status=Membership.Status.APPROVED)
    client = Client()
    client.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    proposal = next(id[1:] for id, thing in reversed(view.items()) if thing["kind"] == "proposal")
    week = view["game"].get("week") or 1
    pages = ("", "act/", "board/table/", "squares/1/", "market/", "trades/", "rules/", "rules/history/", "proposals/")
    more = (
        f"proposals/{proposal}/",
        "players/",
        f"players/{name}/",
        "accounts/",
        "log/",
        f"log/week/{week - 1}/",
        "forum/",
        "dice/",
    )
    for address in (*pages, *more):
        times = []
        for _ in range(count):
            live.of(row).shown = {}  # as after a move: nothing of it is kept
            begun = time.perf_counter()
            response = client.get(f"/g/year/{address}")
            times.append(1000 * (time.perf_counter() - begun))
            assert response.status_code == 200, (address, response.status_code)
        size = len(response.content) / 1024
        figures.add(f"edition ii in its tenth month: /{address}, {size:.0f} KB", statistics.median(times), "ms")
    live.close_all()


def faults(figures: Figures, count: int) -> None:
    """What a rule that breaks costs: the order that meets it, in the sandbox, with the search for the line."""
    game = open_game(load("iv"), title="Faults", runtime="monty", at=START, secret=secret_of(SEED))
    for name in player_names(2):
        game.join(name, START)
        game.admin("approve-player", {"player": name}, START)
    endless = "@after('land')\ndef again(e):\n    while e:\n        e.who.money + 1\n"
    for title, code in (("an exception", "@after('land')\ndef bad(e):\n    1 // 0\n"), ("an endless loop", endless)):
        name = player_names(1)[0]
        game.order(
            name, "propose", {"title": title, "changes": [{"enact": "13.1", "text": title, "code": code}]}, game.now
        )
        proposal = [id for id, kind in game.runtime.call("ids")["things"].items() if kind == "proposal"][-1]
        game.cast(name, "vote", {"on": proposal, "choice": "yes"}, game.now)
        game.admin("implement", {"on": proposal}, game.now)
        game.run_due(game.now + 120 * 3600)
        times = []
        for _ in range(count):
            begun = time.perf_counter()
            outcome = game.submit("tick", None, "turn", {"who": name}, game.now)
            times.append(time.perf_counter() - begun)
            assert outcome.fault is not None, outcome
        figures.add(f"a turn in which a rule breaks by {title}", 1000 * statistics.median(times), "ms", most=2000)
        repeal = {"title": "Away", "changes": [{"repeal": "13.1"}]}
        game.admin("propose", repeal, game.now)
        proposal = [id for id, kind in game.runtime.call("ids")["things"].items() if kind == "proposal"][-1]
        game.cast(name, "vote", {"on": proposal, "choice": "yes"}, game.now)
        game.run_due(game.now + 120 * 3600 + 10)
        assert not game.paused(), "the way out does not lead out"
    game.runtime.close()


def main(as_json: bool = False, quick: bool = False) -> int:
    """Run all benchmarks. Returns 1 if a target is missed."""
    figures = Figures()
    scale = 10 if quick else 1
    CPythonRuntime().close()
    Simulation(load("original"), 2, SEED, "monty", "greedy").play(10)  # so that nothing is measured cold
    turns(figures, 40_000 // scale)
    counters(figures, 4000 // scale)
    idle_rules(figures, 10_000 // scale)
    with tempfile.TemporaryDirectory() as folder:
        journals(figures, Path(folder), 30_000 // scale, 1_000_000 // scale)
        cold_open(figures)
        site_orders(figures, Path(folder) / "data", 200 // scale)
        site_clock(figures, 1000 // scale)
        site_pages(figures, 20)
        edition_ii(figures, Path(folder), 4 if quick else 52)
    faults(figures, 3)
    if as_json:
        print(json.dumps(figures.rows, indent=2))
    else:
        print("\n".join(figures.line(row) for row in figures.rows))
    return 1 if any(row["met"] is False for row in figures.rows) else 0
