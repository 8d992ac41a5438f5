"""Many games on one PostgreSQL, served by several processes, of which some are killed (SIGKILL) at random moments.

    make grow GROW="--active 200 --processes 4 --clients 24 --seconds 120 --kills 300"

DATABASE_URL names an empty database. One game is made, and its rows are copied. Programs give orders to the active
games through the API, each with an Idempotency-Key and until it is answered. Each game has a process that it goes to as
long as that one answers, as a proxy does that chooses by the address; `--anywhere` chooses at random. Three parts:

steady   for so many seconds: orders a second, and how long they take
kills    so many times one is killed: a web process, the clock, a sandbox worker, or whoever holds a lock at that moment
rolling  each web process in turn is told to end, and started anew: no program may be given an error

Last, the journals are compared with the answers: status 1 if an acknowledged order is lost or doubled, an answer
differs from the first one, a journal does not verify, or any answer is an error other than 503 with Retry-After.

The other words are what it starts by itself: make, web, clock, tell.
"""

import argparse
import contextlib
import http.client
import json
import os
import random
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

from kills import clock, free_port, serve

PLAYERS = ("Ann", "Ben", "Cid", "Dot")
RING = 30  # seconds from one thing due in an active game to the next
RULE = f"""
attribute("player", "count", 0)
event("ring", "rang")


@on("ring")
def ring(e):
    at(now() + {RING}, "ring")


@action("start")
def start(e):
    at(now() + {RING}, "ring")


@action("mark", word=words("Word"))
def mark(e):
    put(e.who, "count", e.who.count + chance.die())
"""
UP_WITHIN = 600  # seconds: importing a process takes some 5 s of work, and a busy machine shares that out
PLACES = ("the site", "sandboxes", "PostgreSQL")
COPIED = ("entries", "outcomes", "snapshots", "memberships")  # what a game has, see `copy`


# ---- what runs in processes of its own


def make(games, active):
    """So many games with four players, of which `active` have a key for each. Prints {address: [keys]}."""
    from django.contrib.auth import get_user_model
    from django.core.management import call_command
    from minigames import rule

    from nomopoly.rulebook.source import Book
    from nomopoly.site.accounts import keys
    from nomopoly.site.tables import domain, live
    from nomopoly.site.tables.models import Game

    call_command("migrate", interactive=False, verbosity=0)
    domain.load_edition = lambda name: Book("grown", "Grown", [rule("1.1", RULE)], [])
    with contextlib.redirect_stdout(sys.stderr):
        users = [get_user_model().objects.create(email=f"{name.lower()}@example.org") for name in PLAYERS]
        admin = get_user_model().objects.create(email="keeper@example.org")
        game = domain.start_game(admin, edition="grown", title="Grown", slug="grown")
        for name, user in zip(PLAYERS, users, strict=True):
            domain.ask_to_join(game, user, name)
            domain.desk_act(game, "approve-player", {"player": name})
    live.close_all()
    copy(game, int(games) - 1)
    chosen = Game.objects.order_by("pk")[: int(active)]
    print(json.dumps({each.slug: [keys.make(user, game=each, name="grow", scope="play")[0] for user in users]
                      for each in chosen}))  # fmt: skip


def copy(game, many, after=0):
    """Copy the rows of a game so many times: the journal with them, line for line. What is a cache of the log is left
    out.

    `after`: how many copies there are already.
    """
    from django.db import connection

    from nomopoly.site.tables.models import Game

    def columns(model, but):
        return [
            connection.ops.quote_name(field.column) for field in model._meta.local_fields if field.column not in but
        ]

    with connection.cursor() as cursor:
        own = ", ".join(columns(Game, ("id", "slug", "lined")))
        table = Game._meta.db_table
        cursor.execute(
            f"INSERT INTO {table} (slug, lined, {own}) SELECT slug || '-' || number, -1, {own} "
            f"FROM {table} CROSS JOIN generate_series(%s::int + 1, %s) AS number WHERE id = %s RETURNING id",
            [after, after + many, game.pk],
        )
        new = [number for (number,) in cursor.fetchall()]
        for name in COPIED:
            model = Game._meta.get_field(name).related_model
            own = ", ".join(f"a.{column}" for column in columns(model, ("id", "game_id")))
            into = own.replace("a.", "")
            cursor.execute(
                f"INSERT INTO {model._meta.db_table} (game_id, {into}) SELECT g.id, {own} "
                f"FROM {model._meta.db_table} AS a CROSS JOIN {table} AS g WHERE a.game_id = %s AND g.id = ANY(%s)",
                [game.pk, new],
            )
        cursor.execute("ANALYZE")


def tell():
    """Prints of each game that has moved which words its journal holds with which hashes, and what is wrong with it."""
    from django.db.models import Max

    from nomopoly.runtime.verify import verify
    from nomopoly.site.tables import journal
    from nomopoly.site.tables.models import Fault, Game

    first = Game.objects.order_by("pk").values_list("pk", flat=True)[0]
    asleep = 2 * len(PLAYERS)  # the last entry of a game in which nobody has done anything: two for each player's seat
    moved = Game.objects.annotate(last=Max("entries__n")).filter(last__gt=asleep).order_by("pk")
    told = {}
    for game in [*moved, Game.objects.order_by("-pk").first()]:
        lines = list(journal.DatabaseJournal(game.pk).lines())
        try:
            problem = "" if verify(lines).entries == len(lines) else "entries are missing"
        except Exception as error:
            problem = str(error)
        marks = [[line["args"]["word"], line["hash"]] for line in lines if line["do"] == "mark"]
        ticks = Counter(line["at"] for line in lines if line["kind"] == "tick")
        doubled = "a tick is doubled" if any(many > 1 for many in ticks.values()) else ""
        told[game.slug] = {"marks": marks, "entries": len(lines), "problem": problem or doubled}
    faults = list(Fault.objects.values_list("message", flat=True))
    print(json.dumps({"games": told, "faults": faults, "of": Game.objects.count(), "first": first}))


# ---- the site


class Site:
    """The processes of a site: `web-0`, `web-1`..., and `clock`. The database knows each by that name."""

    def __init__(self, folder, processes):
        self.log = (folder / "log").open("a+")
        self.folder = folder / "data"
        self.ports = [free_port() for _ in range(processes)]
        self.names = [*(f"web-{number}" for number in range(processes)), "clock"]
        self.running = {}
        self.lock = threading.Lock()

    def environment(self, name):
        url = os.environ["DATABASE_URL"]
        own = f"{url}{'&' if '?' in url else '?'}application_name={name}"
        usual = {"NOMOPOLY_SECONDS": "5", "NOMOPOLY_WARM_GAMES": "96", "NOMOPOLY_SANDBOXES": "192"}
        given = {"NOMOPOLY_DATA": str(self.folder), "DATABASE_URL": own, "PYTHONUNBUFFERED": "1"}
        return {**usual, **os.environ, **given}

    def ask(self, *words):
        """What a process of this program prints, as data."""
        command = [sys.executable, __file__, *map(str, words)]
        done = subprocess.run(command, env=self.environment("asks"), capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr)
        return json.loads(done.stdout.splitlines()[-1])

    def start(self, name):
        words = ["clock"] if name == "clock" else ["web", str(self.ports[int(name.partition("-")[2])])]
        command = [sys.executable, __file__, *words]
        self.running[name] = subprocess.Popen(command, env=self.environment(name), stdout=self.log, stderr=self.log)

    def end(self, name, by=signal.SIGKILL):
        self.running[name].send_signal(by)
        self.running[name].wait(UP_WITHIN)

    def is_up(self, name, seconds=0):
        """Whether a web process takes requests; waits for it so long."""
        until = time.monotonic() + seconds
        while True:
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", self.ports[int(name.partition("-")[2])]), 1).close()
                return True
            if time.monotonic() >= until:
                return False
            time.sleep(0.1)

    def workers(self):
        """The process ids of all sandbox workers."""
        from kills import is_worker

        parents = {process.pid for process in self.running.values()}
        return [pid for pid in map(int, filter(str.isdecimal, os.listdir("/proc"))) if is_worker(pid, parents)]

    def memory(self):
        """Megabytes that the site's own processes hold, and how many sandbox workers there are with how many."""
        page = os.sysconf("SC_PAGESIZE") / 2**20

        def resident(pid):
            try:
                return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * page
            except OSError:
                return 0

        workers = self.workers()
        own = [resident(process.pid) for process in self.running.values()]
        return sum(own), len(workers), sum(map(resident, workers))

    def worked(self):
        """Seconds of work of the site's own processes, of their sandboxes, and of PostgreSQL, until now."""
        tick = os.sysconf("SC_CLK_TCK")

        def of(pid):
            try:
                used = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                return (int(used[11]) + int(used[12])) / tick
            except OSError:
                return 0.0

        database = []
        for each in filter(str.isdecimal, os.listdir("/proc")):
            with contextlib.suppress(OSError):
                if Path(f"/proc/{each}/cmdline").read_text().startswith("postgres"):
                    database.append(each)
        own = [process.pid for process in self.running.values()]
        return [sum(map(of, pids)) for pids in (own, self.workers(), database)]

    def holder(self):
        """The name of a process that holds a lock of the database at this moment, or None."""
        import psycopg

        query = (
            "SELECT DISTINCT a.application_name FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid "
            "WHERE l.granted AND l.mode IN ('RowShareLock', 'RowExclusiveLock') AND a.application_name = ANY(%s)"
        )
        with psycopg.connect(os.environ["DATABASE_URL"]) as connection:
            for _ in range(400):
                found = connection.execute(query, [self.names]).fetchone()
                connection.rollback()
                if found is not None:
                    return found[0]
                time.sleep(0.005)
        return None

    def said(self):
        """What the processes have written: which errors how often, and from the first traceback on."""
        self.log.seek(0)
        written = self.log.read()
        errors = Counter(line[:200] for line in written.splitlines() if line.partition(":")[0].endswith("Error"))
        counted = "\n".join(f"{many} times {line}" for line, many in errors.most_common(10))
        return f"{counted}\n{written[max(0, written.find('Traceback')) :][:12000]}"

    def close(self):
        for name in self.running:
            self.end(name)
        self.log.close()


# ---- who plays on it


class Program(threading.Thread):
    """Gives orders to its games, one after the other, each until it is answered, and some a second time."""

    def __init__(self, site, number, games, seed, anywhere):
        super().__init__(daemon=True)
        self.site, self.number, self.games, self.anywhere = site, number, games, anywhere
        self.chance = random.Random(f"{seed}-{number}")
        self.stop, self.part = threading.Event(), "steady"
        self.answers = {}  # (game, player, word) -> what was answered first
        self.waits = []  # (part, seconds) of each order that was answered
        self.statuses, self.problems, self.count = Counter(), [], 0

    def run(self):
        while not self.stop.is_set():
            if self.answers and self.chance.random() < 0.1:
                order = self.chance.choice(list(self.answers))
            else:
                self.count += 1
                order = (*self.chance.choice(self.games), f"{self.number}-{self.count}")
            begun = time.monotonic()
            if self.until_answered(order):
                self.waits.append((self.part, time.monotonic() - begun))

    def until_answered(self, order):
        """Send one order until it is answered. Returns whether it was."""
        at = self.chance.randrange(10**6) if self.anywhere else hash(order[0])
        patience = 400
        while patience:
            status, answer, retry = self.send(order, self.site.ports[at % len(self.site.ports)])
            self.statuses[status] += 1
            if status == 200:
                first = self.answers.setdefault(order, answer)
                if first != answer:
                    self.problems.append(f"{order}: answered {answer}, before {first}")
                return True
            if status in ("refused", "broken"):  # a proxy goes on to the next one
                at += 1
            if status == "broken" and self.part == "rolling":
                self.problems.append(f"{order}: no answer from a process that was told to end")
            if status not in ("refused", "broken") and not (status == 503 and retry):
                self.problems.append(f"{order}: {status} {answer}")
                return False
            patience -= 1
            time.sleep(0.05 if status == "refused" else 0.3)
        self.problems.append(f"{order}: never answered")
        return False

    def send(self, order, port):
        """(status, hash of the entry or what was said, Retry-After) of one order."""
        (slug, key), word = order[:2], order[2]
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        headers = {"Authorization": f"Bearer {key}", "Idempotency-Key": word, "Content-Type": "application/json"}
        try:
            connection.connect()
        except OSError:
            return "refused", None, None
        try:
            body = json.dumps({"fields": {"word": word}})
            connection.request("POST", f"/api/v1/g/{slug}/act/mark", body, headers)
            answer = connection.getresponse()
            said = answer.read()
            if answer.status == 200:
                return 200, json.loads(said)["hash"], None
            return answer.status, said[:200].decode(errors="replace"), answer.headers["Retry-After"]
        except (OSError, http.client.HTTPException):
            return "broken", None, None
        finally:
            connection.close()


# ---- one run


class Trial:
    """The site, those who play on it, and what came of it."""

    def __init__(self, folder, asked):
        self.asked, self.chance = asked, random.Random(asked.seed)
        self.site = Site(folder, asked.processes)
        begun = time.monotonic()
        self.keys = self.site.ask("make", asked.games, asked.active)
        self.row("games made", f"{asked.games} in {time.monotonic() - begun:.1f} s")
        games = [(slug, key) for slug, keys in self.keys.items() for key in keys]
        self.programs = [
            Program(self.site, number, games, asked.seed, asked.anywhere) for number in range(asked.clients)
        ]
        self.kills, self.problems = Counter(), []

    @staticmethod
    def row(name, value):
        print(f"{name:24} {value}", flush=True)

    def begin(self, part):
        for program in self.programs:
            program.part = part
        return time.monotonic()

    def waits(self, part):
        return sorted(wait for program in self.programs for each, wait in program.waits if each == part)

    def run(self):
        """All of it. Returns what was wrong."""
        for name in self.site.names:
            self.site.start(name)
        for name in self.site.names[:-1]:
            if not self.site.is_up(name, UP_WITHIN):
                raise RuntimeError(f"{name} does not come up")
        self.begin("warming")
        for program in self.programs:
            program.start()
        time.sleep(self.asked.warming)
        self.steady()
        if self.asked.kills:
            self.kill_them()
        self.rolling()
        for program in self.programs:
            program.stop.set()
        for program in self.programs:
            program.join(300)
        self.compare()
        return self.problems

    def report(self, part, seconds):
        waits = self.waits(part)
        if len(waits) < 2:
            self.problems.append(f"{part}: no order was acknowledged")
            return
        cuts = statistics.quantiles(waits, n=100)
        self.row(part, f"{len(waits)} orders in {seconds:.0f} s, {len(waits) / seconds:.1f} a second; "
                 f"median {cuts[49] * 1000:.0f} ms, p95 {cuts[94] * 1000:.0f} ms, longest {waits[-1]:.1f} s")  # fmt: skip

    def wait(self, part, seconds=0):
        """For so many seconds, and on a busy machine until a few orders of this part are answered."""
        begun = time.monotonic()
        while (gone := time.monotonic() - begun) < seconds or (len(self.waits(part)) < 5 and gone < 120):
            time.sleep(0.2)

    def steady(self):
        begun, before = self.begin("steady"), self.site.worked()
        self.wait("steady", self.asked.seconds)
        self.report("steady", time.monotonic() - begun)
        spent = [
            1000 * (after - then) / max(1, len(self.waits("steady")))
            for then, after in zip(before, self.site.worked(), strict=True)
        ]
        told = [f"{each:.1f} ms in {place}" for each, place in zip(spent, PLACES, strict=True)]
        self.row("work for an order", f"{sum(spent):.1f} ms: {', '.join(told)}; what is due and notices are in it")
        own, workers, held = self.site.memory()
        self.row("memory", f"{own:.0f} MB in {len(self.site.running)} processes, {held:.0f} MB in {workers} sandboxes")

    def kill_them(self):
        begun, kinds = self.begin("kills"), ("web", "clock", "sandbox", "holder")
        for number in range(self.asked.kills):
            if time.monotonic() - begun > self.asked.within:
                self.row("", f"{self.asked.kills - number} kills were not made within {self.asked.within} s")
                break
            time.sleep(self.chance.uniform(0.05, 0.6))
            self.kill(kinds[number % len(kinds)])
            if number % 25 == 24:
                told = ", ".join(f"{many} {kind}" for kind, many in self.kills.items())
                self.row(f"after {time.monotonic() - begun:.0f} s", told)
        for name in self.site.names[:-1]:
            self.site.is_up(name, UP_WITHIN)
        self.wait("kills", 1)
        self.report("kills", time.monotonic() - begun)
        self.row("", ", ".join(f"{many} {kind}" for kind, many in self.kills.items()))

    def kill(self, kind):
        """Kill one of a kind. A site of which the last web process is gone has nothing to show: then one comes up
        first."""
        webs = self.site.names[:-1]
        while sum(map(self.site.is_up, webs)) < min(2, len(webs)):
            time.sleep(0.2)
        if kind == "sandbox":
            workers = self.site.workers()
            if workers:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(self.chance.choice(workers), signal.SIGKILL)
                self.kills[kind] += 1
            return
        name = {"web": self.chance.choice(webs), "clock": "clock"}.get(kind) or self.site.holder()
        if name is None:
            self.kills["holder not met"] += 1
            return
        self.site.end(name)
        self.site.start(name)
        self.kills[kind] += 1

    def rolling(self):
        begun = self.begin("rolling")
        for name in self.site.names:
            self.site.end(name, signal.SIGTERM)
            self.site.start(name)
            if name != "clock" and not self.site.is_up(name, UP_WITHIN):
                self.problems.append(f"{name} does not come up again")
        self.wait("rolling", 1)
        self.report("rolling", time.monotonic() - begun)

    def compare(self):
        told = self.site.ask("tell")
        marks, answered = Counter(), {}
        hashes = {}
        for slug, game in told["games"].items():
            for word, found in game["marks"]:
                marks[slug, word] += 1
                hashes[slug, word] = found
            self.problems += [f"{slug}: {game['problem']}"] * bool(game["problem"])
        for program in self.programs:
            answered |= {(slug, word): found for (slug, _, word), found in program.answers.items()}
            self.problems += program.problems
        lost = [order for order, found in answered.items() if hashes.get(order) != found]
        doubled = [order for order, many in marks.items() if many > 1]
        statuses = sum((program.statuses for program in self.programs), Counter())
        self.problems += [f"lost: {order}" for order in lost] + [f"doubled: {order}" for order in doubled]
        self.problems += [f"fault: {message}" for message in told["faults"]]
        entries = sum(game["entries"] for game in told["games"].values())
        self.row("acknowledged", f"{len(answered)} orders: {len(lost)} lost, {len(doubled)} doubled")
        self.row("answers", ", ".join(f"{status}: {many}" for status, many in statuses.items()))
        self.row("journals", f"{len(told['games'])} of {told['of']} with {entries} entries verified")


def run(**more):
    """A trial; what is not said is as the command has it. Returns what was wrong."""
    asked = words().parse_args([])
    vars(asked).update(more)
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        trial = Trial(Path(folder), asked)
        stack.callback(trial.site.close)
        problems = trial.run()
        if problems:
            print(trial.site.said(), file=sys.stderr)
        return problems


def words():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    usual = {"games": 10_000, "active": 200, "processes": 4, "clients": 24, "seconds": 120, "kills": 300, "seed": 1}
    for name, number in usual.items():
        parser.add_argument(f"--{name}", type=int, default=number, help=f"default: {number}")
    parser.add_argument("--warming", type=int, default=60, help="seconds before anything is measured (default: 60)")
    parser.add_argument("--within", type=int, default=3600, help="seconds for the kills (default: 3600)")
    parser.add_argument("--anywhere", action="store_true", help="send each order to any process")
    return parser


def main():
    what, *more = sys.argv[1:] or ["--help"]
    if what.startswith("--"):
        signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended from outside"))  # what was started is ended too
        problems = run(**vars(words().parse_args()))
        print("\n".join(problem[:160].replace("\n", " ") for problem in problems[:40]))
        sys.exit(bool(problems))
    from nomopoly.site.serve import prepare

    prepare(None)
    {"make": make, "web": serve, "clock": clock, "tell": tell}[what](*more)


if __name__ == "__main__":
    main()
