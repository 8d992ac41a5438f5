"""Serves a real site on 127.0.0.1, lets programs play on it, and kills its processes at random moments (SIGKILL).

python kills.py run [--workers N] [--clock N] [--server N] [--logs N] [--full N] [--seconds S] [--seed S]

Each program gives orders with an Idempotency-Key of their own, and gives one again until it is answered. In turn are
killed: sandbox workers (of the server and of the clock), the clock, the server. Then, on copies of what the last kill
has left, the end of SQLite's log is cut off or damaged (--logs), and the disk is full for a while (--full, with a small
file system in memory: wants root). Last, the journal is compared with the answers: status 1 if an acknowledged order is
lost or doubled, an answer differs from the first one, a journal does not verify, a rule is blamed, or a loss is not
named.

The other words are what it starts by itself: make, serve, clock, tell, go-on, look.
"""

import argparse
import contextlib
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import emptysite
import nursery

PLAYERS = ("Ann", "Ben", "Cid", "Dot")
BELLS = """
attribute("player", "count", 0)
event("ring", "rang", who="player")


@on("ring")
def ring(e):
    put(e.who, "count", e.who.count + 1)
    at(now() + 1, "ring", who=e.who)


@action("start")
def start(e):
    at(now() + 1, "ring", who=e.who)


@action("mark", word=words("Word"))
def mark(e):
    put(e.who, "count", e.who.count + chance.die())
"""


# ---- what runs in processes of its own


def make():
    """A game with four players and a bell, and a key for each. Prints the keys."""
    from django.contrib.auth import get_user_model
    from minigames import rule

    from nomopoly.rulebook.source import Book
    from nomopoly.site.accounts import keys
    from nomopoly.site.tables import domain, live

    emptysite.arrange()
    domain.load_edition = lambda name: Book("bells", "Bells", [rule("1.1", BELLS)], [])
    made = {}
    with contextlib.redirect_stdout(sys.stderr):
        users = {name: get_user_model().objects.create(email=f"{name.lower()}@example.org") for name in PLAYERS}
        admin = get_user_model().objects.create(email="keeper@example.org")
        game = domain.start_game(admin, edition="bells", title="Bells", slug="bells")
        for name, user in users.items():
            domain.ask_to_join(game, user, name)
            domain.desk_act(game, "approve-player", {"player": name})
            made[name] = keys.make(user, game=game, name="kills", scope="play")[0]
        domain.order(game, "Ann", "start", {})
    live.close_all()
    print(json.dumps(made))


def serve(port):
    from nomopoly.site.api import door
    from nomopoly.site.serve import serve

    door.PER_KEY.num_requests = 10**6  # how often they may is not what this is about
    serve(port=int(port), clock=False)


def clock():
    from nomopoly.site import clock

    clock.run()


def tell():
    """Prints what the journal holds: the words of orders, the moments of the bell, whether it verifies, and faults."""
    from nomopoly.runtime.verify import verify
    from nomopoly.site.tables import witness
    from nomopoly.site.tables.journal import DatabaseJournal
    from nomopoly.site.tables.models import Fault, Game

    game = Game.objects.get(slug="bells")
    lines = list(DatabaseJournal(game.pk).lines())
    witness.keep_up(game.pk)  # whoever should have done it may have been killed
    try:
        problem = "" if verify(lines).entries == len(lines) else "entries are missing"
    except Exception as error:
        problem = str(error)
    beside = [json.loads(line) for line in witness.path_of(game.pk).read_text().split("\n")[: len(lines)]]
    marks = [[line["args"]["word"], line["hash"]] for line in lines if line["do"] == "mark"]
    print(
        json.dumps(
            {
                "marks": marks,
                "ticks": [line["at"] for line in lines if line["kind"] == "tick"],
                "problem": problem or ("" if beside == lines else "the witness differs from the journal"),
                "faults": list(Fault.objects.values_list("message", flat=True)),
                "entries": len(lines),
            }
        )
    )


def go_on():
    """A few entries more, which stand in the log of SQLite alone, as one killed at once leaves it.

    Prints how many bytes of the log hold something that the last entry needs: what is damaged there loses an entry.
    """
    from django.db import connection

    from nomopoly.site.tables import domain
    from nomopoly.site.tables.models import Game

    game = Game.objects.get(slug="bells")
    log = Path(os.environ["NOMOPOLY_DATA"]) / "nomopoly.sqlite3-wal"
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert cursor.fetchone()[0] == 0, "somebody else is at the database"
        cursor.execute("PRAGMA wal_autocheckpoint = 0")
    for number in range(3):
        domain.order(game, "Ann", "mark", {"word": f"after all {number}"})
    before = log.stat().st_size
    domain.order(game, "Ann", "mark", {"word": "the last"})
    assert before < log.stat().st_size
    print(json.dumps({"log": before}), flush=True)
    os._exit(0)


def look():
    """Prints what the start of the site would say of its games, and how many entries there are."""
    from nomopoly.site.tables import witness
    from nomopoly.site.tables.models import Entry

    print(json.dumps({"says": list(witness.look_at_all()), "entries": Entry.objects.count()}))


# ---- the site, and who plays on it


def free_port():
    """A port of this machine at which nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


class Site:
    """The processes of a site."""

    def __init__(self, folder):
        self.folder = folder
        self.environment = {**os.environ, "NOMOPOLY_DATA": str(folder), "PYTHONUNBUFFERED": "1"}
        self.environment.setdefault("NOMOPOLY_SECONDS", "5")
        self.log = (folder.parent / "log").open("a+")
        self.port = free_port()
        self.running = {}

    def ask(self, *words, folder=None):
        """What a process of this program prints, as data."""
        environment = self.environment | ({"NOMOPOLY_DATA": str(folder)} if folder else {})
        done = nursery.run([__file__, *words], env=environment, capture_output=True, text=True, timeout=900)
        if done.returncode:
            raise RuntimeError(done.stderr)
        return json.loads(done.stdout.splitlines()[-1])

    def start(self, what):
        words = [what, str(self.port)] if what == "serve" else [what]
        command = [__file__, *words]
        self.running[what] = nursery.start(command, env=self.environment, stdout=self.log, stderr=self.log)

    def kill(self, what):
        self.running[what].kill()
        self.running[what].wait()

    def kill_worker(self, chance):
        """Kill one sandbox worker. Returns whether there was one."""
        parents = {process.pid for process in self.running.values()}
        found = [pid for pid in map(int, filter(str.isdecimal, os.listdir("/proc"))) if is_worker(pid, parents)]
        if found:
            with contextlib.suppress(ProcessLookupError):
                os.kill(chance.choice(found), signal.SIGKILL)
        return bool(found)

    def wait(self, seconds=600):
        """Until it answers."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
            time.sleep(0.1)
        raise RuntimeError(f"the site does not come up:\n{self.said()}")

    def said(self):
        self.log.seek(0)
        return self.log.read()[-5000:]

    def close(self):
        for what in self.running:
            self.kill(what)
        self.log.close()


def is_worker(pid, parents):
    """Whether a process is a sandbox worker of one of these."""
    try:
        parent = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
        return parent in parents and "monty" in Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return False


class Program(threading.Thread):
    """Gives orders, each until it is answered, and some a second time."""

    def __init__(self, site, name, key, seed):
        super().__init__(daemon=True)
        self.site, self.player, self.key = site, name, key
        self.chance = random.Random(seed)
        self.stop = threading.Event()
        self.answers = {}  # word -> what was answered first
        self.statuses = Counter()
        self.problems = []
        self.number = 0

    def run(self):
        while not self.stop.is_set():
            if self.answers and self.chance.random() < 0.3:
                word = self.chance.choice(list(self.answers))
            else:
                self.number += 1
                word = f"{self.player}-{self.number}"
            self.until_answered(word)
            self.stop.wait(self.chance.uniform(0, 0.2))

    def until_answered(self, word):
        while True:
            status, answer = self.send(word)
            self.statuses[status] += 1
            if status == 200:
                first = self.answers.setdefault(word, answer)
                if (first["hash"], first["args"]) != (answer["hash"], answer["args"]):
                    self.problems.append(f"{word}: answered {answer['hash']}, before {first['hash']}")
                return
            if status not in ("no connection", 429, 503):  # 429: more orders than one player may give in a minute
                self.problems.append(f"{word}: {status} {str(answer)[:200]}")
            if self.stop.is_set():
                return
            time.sleep(0.3)

    def send(self, word):
        address = f"http://127.0.0.1:{self.site.port}/api/v1/g/bells/act/mark"
        headers = {"Authorization": f"Bearer {self.key}", "Idempotency-Key": word, "Content-Type": "application/json"}
        body = json.dumps({"fields": {"word": word}}).encode()
        try:
            with urllib.request.urlopen(urllib.request.Request(address, body, headers), timeout=60) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, error.read()
        except (OSError, ValueError, EOFError) as error:  # the server is killed, before or within its answer
            if type(error).__name__ in ("IncompleteRead", "JSONDecodeError"):
                return "no connection", None
            return "no connection", None
        except Exception as error:  # http.client has exceptions of its own for an answer that is cut off
            if type(error).__module__ == "http.client":
                return "no connection", None
            raise


class Trial:
    """One run: the site, those who play on it, and what came of it."""

    def __init__(self, folder, seed):
        self.chance = random.Random(seed)
        self.folder = folder / "data"
        self.folder.mkdir()
        self.site = Site(self.folder)
        self.problems = []
        self.kills = Counter()
        self.site_keys = self.site.ask("make")
        self.programs = []

    def play(self, what, kill, count, until):
        """Let programs play while `kill()` is called so many times."""
        self.programs = [
            Program(self.site, f"{what}-{name}", key, f"{name}{what}") for name, key in self.site_keys.items()
        ]
        begun = time.monotonic()
        for program in self.programs:
            program.start()
        while self.kills[what] < count and time.monotonic() < until:
            time.sleep(self.chance.uniform(0.05, 0.6))
            if kill():
                self.kills[what] += 1
        time.sleep(1)
        self.wait_for_answers(1)
        for program in self.programs:
            program.stop.set()
        for program in self.programs:
            program.join(900)
        self.sum_up(what, time.monotonic() - begun)

    def sum_up(self, what, seconds):
        told = self.site.ask("tell")
        answered = {word: each["hash"] for program in self.programs for word, each in program.answers.items()}
        marks = Counter(word for word, _ in told["marks"])
        hashes = dict(told["marks"])
        lost = [word for word, hash in answered.items() if hashes.get(word) != hash]
        doubled = [word for word, many in marks.items() if many > 1]
        statuses = sum((program.statuses for program in self.programs), Counter())
        odd = [problem for program in self.programs for problem in program.problems]
        twice = len(told["ticks"]) - len(set(told["ticks"]))
        print(
            f"{what}: {self.kills[what]} kills in {seconds:.0f} s, {len(answered)} orders acknowledged, "
            f"{len(lost)} lost, "
            f"{len(doubled)} doubled, {twice} ticks doubled, {len(told['faults'])} faults, answers {dict(statuses)}; "
            f"{told['entries']} entries, {told['problem'] or 'which verify'}",
            flush=True,
        )
        self.problems += [f"lost: {word}" for word in lost] + [f"doubled: {word}" for word in doubled] + odd
        self.problems += [f"fault: {message}" for message in told["faults"]]
        self.problems += [told["problem"]] * bool(told["problem"]) + ["a tick is doubled"] * bool(twice)
        if self.kills[what] and not answered:
            self.problems.append(f"{what}: no order was acknowledged at all")

    # ---- who is killed

    def worker(self):
        killed = self.site.kill_worker(self.chance)
        if self.chance.random() < 0.8:  # now and then the worker that takes its place is killed too
            self.wait_for_answers(self.chance.randrange(1, 4))
        return killed

    def clock(self):
        self.site.kill("clock")
        self.site.start("clock")
        time.sleep(self.chance.uniform(0, 3))  # it takes some time to begin, and may be killed before
        return True

    def server(self):
        self.site.kill("serve")
        self.site.start("serve")
        if self.chance.random() < 0.8:  # now and then one is killed that has hardly begun
            self.site.wait()
            self.wait_for_answers(self.chance.randrange(1, 8))
            time.sleep(self.chance.uniform(0, 0.5))
        return True

    def wait_for_answers(self, more, seconds=120):
        """Until so many more orders are answered; on a busy machine a site that has just begun takes its time."""
        until, wanted = time.monotonic() + seconds, self.answered() + more
        while self.answered() < wanted and time.monotonic() < until:
            time.sleep(0.02)

    def answered(self):
        """How many answers there were so far."""
        return sum(program.statuses[200] for program in self.programs)

    # ---- a log that is cut off, a disk that is full

    def logs(self, count):
        """Damage the log of SQLite in copies of what a kill has left: each loss of an entry has to be named."""
        for what in list(self.site.running):
            self.site.kill(what)
        size = self.site.ask("go-on")["log"]
        log = self.folder / "nomopoly.sqlite3-wal"
        whole = self.site.ask("look", folder=self.copied("whole"))["entries"]
        lost = named = 0
        for number in range(count):
            copy = self.copied(f"copy{number}")
            with open(copy / log.name, "r+b") as file:
                place = self.chance.randrange(size)
                if number % 2:
                    file.truncate(place)
                else:
                    file.seek(place)
                    file.write(self.chance.randbytes(64))
            found = self.site.ask("look", folder=copy)
            if found["entries"] < whole:
                lost += 1
                named += f"entries {found['entries']} to {whole - 1}" in str(found["says"]) or (
                    found["entries"] == whole - 1 and f"entry {whole - 1} of" in str(found["says"])
                )
            shutil.rmtree(copy)
        print(
            f"log of {size} bytes damaged {count} times: {lost} times entries were lost, {named} times this was named"
        )
        if named < lost or lost < count:
            self.problems.append(f"of {count} damaged logs {lost} lost entries, and {named} of these were named")
        for what in ("serve", "clock"):
            self.site.start(what)
        self.site.wait()

    def copied(self, name):
        """A copy of the data folder; the last one of that name makes way."""
        place = self.folder.parent / name
        shutil.rmtree(place, ignore_errors=True)
        return Path(shutil.copytree(self.folder, place))

    def full(self):
        """Fill the disk for a while."""
        filler = self.folder / "filler"
        with open(filler, "wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(b"x" * 4096)
        time.sleep(self.chance.uniform(0.5, 2))
        filler.unlink()
        time.sleep(self.chance.uniform(0.5, 2))
        return True


@contextlib.contextmanager
def small_disk(folder, megabytes):
    """A small file system in memory; without the right to mount one, RuntimeError."""
    words = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"--full wants a small disk: {done.stderr}")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def run(workers=0, clock=0, server=0, logs=0, full=0, seconds=600, seed=1):
    """All of it. Returns what was wrong."""
    until = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        if full:
            stack.enter_context(small_disk(folder, 24))
        trial = Trial(Path(folder), seed)
        stack.callback(trial.site.close)
        for what in ("serve", "clock"):
            trial.site.start(what)
        trial.site.wait()
        wanted = {"workers": workers, "clock": clock, "server": server, "full": full}
        kinds = {"workers": trial.worker, "clock": trial.clock, "server": trial.server, "full": trial.full}
        for what, count in wanted.items():
            if count:
                trial.play(what, kinds[what], count, until)
                if trial.kills[what] < count:
                    print(f"{what}: {count - trial.kills[what]} kills were not made within {seconds} s", flush=True)
            if what == "server" and logs:
                trial.logs(logs)
        if trial.problems:
            print(trial.site.said())
        return trial.problems


def main():
    what, *more = sys.argv[1:] or ["run"]
    if what == "run":
        words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
        for name, usual in {
            "workers": 0,
            "clock": 0,
            "server": 0,
            "logs": 0,
            "full": 0,
            "seconds": 600,
            "seed": 1,
        }.items():
            words.add_argument(f"--{name}", type=int, default=usual)
        problems = run(**vars(words.parse_args(more)))
        print("\n".join(problems[:40]))
        sys.exit(bool(problems))
    from nomopoly.site.serve import prepare

    prepare(None)
    {"make": make, "serve": serve, "clock": clock, "tell": tell, "go-on": go_on, "look": look}[what](*more)


if __name__ == "__main__":
    main()
