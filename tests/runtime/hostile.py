"""Makes hostile programs by combining shapes, does with each what a player would do, and sees what becomes of it.

python hostile.py COUNT [SEED] [--table]: prints how many programs came to what, and the worst time and memory, as a
table in Markdown if you like; status 1 if any is wrong.

A program is a *core* (what it does) in a *wrap* (a loop, a function, a try, ...) at a *site* (an action, a timer, a
value, the top of a rule, ...). It is checked like a proposal. Then the check is off, and it is enacted in a game and
triggered in the sandbox, whatever the check said; only what the check accepts runs in CPython as well, in a process of
its own with limits.

An accepted program is *wrong* if its state, replay or runtimes differ, or it wrote past the verbs. Any program is wrong
if a secret of the host or of a hand comes out by a message, a file is touched, another game changes, the Admin's way
out is shut, or the host breaks. It is late if something takes over two seconds of work twice, or runs into the guard;
what the check refuses may be that.
"""

import contextlib
import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import textwrap
import threading
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import measured
import minigames
from hostile_programs import CORES, REFUSING, WHOLE
from measured import peak, worked, workers
from minigames import CHANGING, SECRET, done, rule, small_game

from nomopoly.runtime import sealing
from nomopoly.runtime.corrections import state_difference
from nomopoly.runtime.host import load_game, take_snapshot
from nomopoly.runtime.interpreters import Fault, Incident
from nomopoly.runtime.journal import JournalError, MemoryJournal
from nomopoly.runtime.verify import verify

SECONDS = 2.0
ACCEPTED, REFUSED = "accepted", "refused by the check"
OUTCOMES = {  # what became of a program -> in words
    "harmless": "harmless",
    "refused by a rule": "a refusal",
    "fault": "a fault of its rule, and nothing else changed",
    "late": "late: over two seconds of work, or ended by the guard",
    "wrong": "the host broke",
}
HAND = "seven-of-swords-4711"  # a secret of Ben's
OURS = "the-host-keeps-this-4712"  # in the environment and in a file
HONEST = rule(
    "1.2",
    """
attribute("player", "money", 5)
attribute("player", "word", "")
attribute("player", "several", ())
attribute("player", "hand", "", show="owner")
event("ring", who="player", depth="")
kind("token", "token")


@action("work")
def work(e):
    put(e.who, "money", e.who.money + 1)


@action("take-hand", private=True)
def take_hand(e):
    put(e.who, "hand", "seven-of-" + "swords-4711")


@action("wind")
def wind(e):
    at(now() + 5, "ring", who=e.who)
""",
)

# ---- how it is wrapped: statements -> statements


def indented(program: str) -> str:
    return textwrap.indent(program, "    ")


def caught(program: str) -> str:
    return f"try:\n{indented(program)}\nexcept BaseException:\n    put(ME, 'money', 7)"


WRAPS = {
    "plain": lambda it: it,
    "in a function": lambda it: f"def inner(e=None):\n{indented(it)}\ninner(None)",
    "in a closure": lambda it: (
        f"def outer(me):\n    def inner():\n{indented(indented(it))}\n    return inner\nouter(ME)()"
    ),
    "caught": caught,
    "caught again and again": lambda it: f"while True:\n{indented(caught(it))}",
    "at last": lambda it: f"try:\n    1 // 0\nfinally:\n{indented(it)}",
    "in a loop": lambda it: f"for turn in (1, 2, 3):\n{indented(it)}",
    "in an else": lambda it: f"for turn in ():\n    pass\nelse:\n{indented(it)}",
    "in a match": lambda it: f"match 7:\n    case int(seven) if (walrus := seven):\n{indented(indented(it))}",
    "for one player": lambda it: f"if ME.money == 5:\n{indented(it)}",
    "after a write": lambda it: f"put(ME, 'money', ME.money + 7)\n{it}",
    "after a draw": lambda it: f"put(ME, 'money', chance.die(6))\n{it}",
    "before a refusal": lambda it: f"{it}\nrefuse('no')",
    "before a break": lambda it: f"{it}\n1 // 0",
    "in a class": lambda it: f"class Body:\n{indented(it)}",
    "by many": lambda it: "".join(f"def f{n}():\n    return {n}\n" for n in range(300)) + it,
    "with a memory": lambda it: (
        f"def kept(seen=[]):\n    seen.append(1)\n    return len(seen)\nput(ME, 'money', kept())\n{it}"
    ),
    "in a generator": lambda it: f"def many():\n{indented(it)}\n    yield 1\nfor each in many():\n    pass",
    "in a coroutine": lambda it: f"async def waits():\n{indented(it)}\nwaits()",
    "behind a list": lambda it: f"[each for each in (1, 2) if (lambda: each)()]\n{it}",
    "in odd letters": lambda it: f"\u00e9t\u00e9 = '\u202e\u2066'\n\uff45\uff4e\uff44 = 1\n{it}",
    "with a lone return": lambda it: f"x = 1 #\r{it}",
}


# ---- where it stands: statements -> (code of a rule, one-time program)


def handler(station: str, event: str):
    def at(program):
        return f"@{station}({event!r})\ndef f(e):\n{indented(program)}\n\n\n@action('go')\ndef go(e):\n    pass\n", ""

    return at


def reader(head: str):
    def at(program):
        return f"{head}\ndef f(who):\n{indented(program)}\n    return 1\n\n\n@action('go')\ndef go(e):\n    pass\n", ""

    return at


SITES = {
    "an action": lambda it: (f"@action('go')\ndef go(e):\n{indented(it)}\n", ""),
    "a private action": lambda it: (f"@action('go', private=True)\ndef go(e):\n{indented(it)}\n", ""),
    "an action with a default": lambda it: (
        f"@action('go')\ndef go(e, seen=[]):\n    seen.append(1)\n{indented(it)}\n",
        "",
    ),
    "a decorated action": lambda it: (
        f"def twice(f):\n    return lambda e: (f(e), f(e))\n\n\n@action('go')\n@twice\ndef go(e):\n{indented(it)}\n",
        "",
    ),
    "a timer": handler("on", "ring"),
    "before everything": handler("check", "*"),
    "before an entry": handler("check", "entry"),
    "after an entry": handler("after", "entry"),
    "instead of an order": handler("instead", "work"),
    "after an order": handler("after", "work"),
    "before a pause": handler("check", "pause"),
    "after a resume": handler("after", "resume"),
    "after a grant": handler("after", "grant"),
    "before a suspension": handler("check", "suspend"),
    "the end of the way out": handler("on", "emergency-closes"),
    "a value": reader("@value('v', of='player', label='V')"),
    "a marker": reader("@marker('player')"),
    "choices": lambda it: (
        f"def f(who):\n{indented(it)}\n    return (1, 2)\n\n\n@action('go', n=one_of(f))\ndef go(e):\n    pass\n",
        "",
    ),
    "the top": lambda it: (f"{it}\n\n\n@action('go')\ndef go(e):\n    pass\n", ""),
    "a one-time program": lambda it: ("", it),
}
READERS = ("a value", "a marker", "choices")


@dataclass
class Program:
    """A hostile program: `code` of a rule, or a `once` program; `leaks` if nothing of a hand may be seen afterwards.

    `refuses`: it says the hand in a refusal, which is a rule's word to whoever tries that action.
    """

    name: str
    code: str
    once: str = ""
    leaks: bool = False
    refuses: bool = False


def make(seed: int, folder: Path) -> Program:
    """The program of this seed. Each core comes round before the first one comes again."""
    pick = random.Random(seed)
    if seed % 7 == 6:
        at = seed // 7 % len(WHOLE)
        many = pick.choice((80, 300, 1000, 2500))
        return Program(f"{seed}: whole {at} of {many}", WHOLE[at](many)[:99_000])
    kind, core = CORES[seed * 5 % len(CORES)]
    wrap, site = pick.choice(list(WRAPS)), pick.choice(list(SITES))
    if pick.random() < 0.35:
        wrap = "plain"
    if pick.random() < 0.3:
        site = "an action"
    me = "who" if site in READERS else "thing('Ann')" if site in ("the top", "a one-time program") else "e.who"
    big = pick.choice(("10**4", "10**6", "10**9", "10**12", "2**70"))
    body = WRAPS[wrap](core.replace("~", "\n"))
    for word, now in (
        ("HANDWORD", "thing('Ben').hand"), ("ME", me), ("BIG", big), ("N", str(pick.randrange(1, 9))),
        ("FILE", str(folder / "secret")), ("TOUCH", str(folder / "touched")),
    ):  # fmt: skip
        body = replaced(body, word, now)
    code, once = SITES[site](body)
    return Program(
        f"{seed}: {core.replace('~', ' / ')!r}, {wrap}, at {site}", code, once, kind == "leak", core in REFUSING
    )


def replaced(body: str, word: str, now: str) -> str:
    """A capital word of a core, but not within others (`None`, `NAME`)."""
    return re.sub(rf"(?<![A-Za-z_]){word}(?![A-Za-z_])", lambda _: now, body)


# ---- what a player would do with it


@dataclass
class Tale:
    """What became of a program: its class behind the check, what the check said, what is wrong, and the slowest
    step."""

    accepted: bool
    became: str = "harmless"
    wrong: list[str] = field(default_factory=list)
    slowest: tuple[float, str] = (0.0, "")
    notes: Counter = field(default_factory=Counter)


class Trial:
    """A folder with secrets, another game, a watch on the memory of workers, and CPython in a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "secret").write_text(OURS)
        os.environ["HOSTILE_SECRET"] = OURS
        self.other = minigames.original("monty", game_id="other")
        self.unnoticed = self.other.state_hash()
        self.worker = self.cpython = 0  # the most memory of a sandbox worker, and in CPython, in kB
        self.stop = threading.Event()
        self.watch = threading.Thread(target=self._watch, daemon=True)
        self.watch.start()
        self.second = subprocess.Popen(
            [sys.executable, __file__, "follow"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def _watch(self) -> None:
        while not self.stop.wait(0.05):
            for pid in workers():
                with contextlib.suppress(OSError, ValueError, IndexError):
                    self.worker = max(self.worker, peak(pid))

    def close(self) -> None:
        self.stop.set()
        self.watch.join()
        self.second.stdin.close()
        self.second.wait(300)
        self.other.runtime.close()

    def judge(self, program: Program) -> Tale:
        """What becomes of a program; what is late is tried again, since the machine may have been busy."""
        tale = self.once(program)
        most = SECONDS * measured.slowness()
        if tale.slowest[0] > most and tale.became != "late":
            again = self.once(program)
            tale.slowest = min(tale.slowest, again.slowest)
            tale.wrong += [each for each in again.wrong if each not in tale.wrong]
        if tale.slowest[0] > most:
            tale.became = "late"
        return tale

    def once(self, program: Program) -> Tale:
        game = small_game(CHANGING, HONEST, runtime="monty", players=("Ann", "Ben", "Cid"))
        done(game.order("Ben", "take-hand", {}, game.now))
        try:
            return Run(self, game, program).tale()
        finally:
            game.runtime.close()

    def follow(self, lines: list[dict]) -> str:
        """The hash of the state in CPython of what these lines do, or what went wrong."""
        file = self.folder / "journal.json"
        file.write_text(json.dumps(lines))
        self.second.stdin.write(f"{file}\n")
        self.second.stdin.flush()
        most, _, words = self.second.stdout.readline().strip().partition(" ")
        self.cpython = max(self.cpython, int(most))
        return words


class Run:
    """One program in one game."""

    def __init__(self, trial: Trial, game, program: Program) -> None:
        self.trial, self.game, self.program = trial, game, program
        self.at = game.now
        self.told: list[str] = []  # everything that others may read
        self.faults = self.refusals = 0
        self.guarded = ""  # what ran into the guard, and how

    def step(self, name: str, act, *args):
        """Do something, and see how long it takes. None if the guard ended it."""
        if self.guarded and not name.startswith("the Admin"):
            return None  # it is late already
        begun = worked()
        try:
            return act(*args)
        except Incident as error:
            self.guarded = f"{name}: {error.message}"
        except Exception as error:
            self.result.wrong.append(f"{name}: the host broke: {type(error).__name__}: {str(error)[:200]}")
        finally:
            self.result.slowest = max(self.result.slowest, (round(worked() - begun, 2), name))

    def enter(self, name: str, act, *args):
        """Enter something: what is refused or breaks changes nothing, what goes well changes what it says."""
        before = self.game.state()
        self.at = max(self.at, self.game.now)
        outcome = self.step(name, act, *args, self.at)
        if outcome is None:
            return None
        after = self.game.state()
        changed = {(each[0], each[1]) for each in state_difference(before, after)}
        said = {(each[0], each[1]) for each in outcome.changes}
        if outcome.fault:
            self.faults += 1
            if changed - {("game", name) for _, name in changed}:  # it may have been paused
                self.result.wrong.append(f"{name}: a fault that changed {changed}")
        elif outcome.refused is not None:
            self.refusals += 1
            if changed:
                self.result.wrong.append(f"{name}: a refusal that changed {changed}")
        elif {each for each in changed - said if not each[0].startswith("rule ") and each[1] != "exists"}:
            self.result.wrong.append(f"{name}: past the verbs: {changed - said}")
        return outcome

    def tale(self) -> Tale:
        program, game = self.program, self.game
        changes = [{"enact": "9.1", "text": "It is so.", "code": program.code}] if program.code else []
        self.result = Tale(accepted=False)
        problems = self.step("the check", lambda: game.check(changes, program.once))
        self.result.accepted = problems is not None and not [each for each in problems if each.level == "error"]
        outcome = self.enter("enacting", lambda at: game.admin("change", {"changes": changes, "run": program.once}, at))
        game.checks = False
        snapshot = None
        if outcome is not None:
            snapshot = self.play()
        self.look()
        if not self.guarded:
            self.replay(snapshot)
        self.way_out()
        self.beside()
        if self.guarded:
            self.result.became = "late"
        elif self.faults:
            self.result.became = "fault"
        elif self.refusals:
            self.result.became = "refused by a rule"
        return self.result

    def play(self):
        game = self.game
        for name in ("Ann", "Ann", "Ben"):
            args = {"n": 1} if "one_of(f)" in self.program.code else {}
            self.enter("go", lambda at, name=name, args=args: game.order(name, "go", args, at))
        snapshot = take_snapshot(game)
        self.enter("work", lambda at: game.order("Ben", "work", {}, at))
        self.enter("wind", lambda at: game.order("Ann", "wind", {}, at))
        for later in (6, 60):
            done = self.step("the clock", lambda later=later: game.run_due(self.at + later, 20)) or []
            self.faults += sum(each.fault is not None for each in done)
            self.at += later
        self.step("a preview", lambda: game.preview("Ann", "go", {}, self.at))
        return snapshot

    def look(self) -> None:
        """What everybody else reads: Cid, the Admin, a visitor; nothing of the host, and of a hand nothing by a
        message."""
        game = self.game
        for viewer in ("Cid", "visitor", "admin"):
            seen = [
                self.step(f"the view of {viewer}", game.view, viewer),
                [] if self.program.refuses else self.step(f"the actions of {viewer}", game.actions, viewer),
                self.step(f"the log for {viewer}", game.facts, viewer),
            ]
            words = json.dumps(seen, default=str)
            if self.program.leaks and viewer != "admin" and HAND in words:
                self.result.wrong.append(f"{viewer} reads the hand: ...{around(words, HAND)}...")
            if OURS in words or SECRET in words:
                self.result.wrong.append(f"{viewer} reads a secret of the host")
        self.step("the view of Ann", game.view, "Ann")
        self.step("the actions of Ann", game.actions, "Ann")
        lines = json.dumps(list(game.journal.lines()), default=str) + json.dumps(game.state(), default=str)
        if OURS in lines:
            self.result.wrong.append("the journal holds a secret of the host")
        if self.program.leaks:
            export = self.step("the export", copy_for, game, "visitor")
            if HAND in json.dumps(export, default=str):
                self.result.wrong.append("the export shows the hand")

    def replay(self, snapshot) -> None:
        """Replays give the same. What the check refuses because it remembers need not: that is only noted, of some."""
        game = self.game
        if not self.result.accepted and int(self.program.name.partition(":")[0]) % 5:
            return
        lines = list(game.journal.lines())
        state = game.state_hash()
        differs = []
        try:
            verify(lines, "monty")
            if snapshot:
                copy = load_game(MemoryJournal(lines), runtime="monty", snapshot=snapshot)
                if copy.state_hash() != state:
                    differs.append("from a snapshot it is another state")
                copy.runtime.close()
        except (JournalError, Incident, Fault) as error:
            differs.append(f"it does not verify: {str(error)[:200]}")
        if self.result.accepted:
            second = self.trial.follow(lines)
            if second != state:
                differs.append(f"in CPython: {second}")
            self.result.wrong += differs
        elif differs:
            self.result.notes[f"refused by the check, and would not replay: {differs[0][:90]}"] += 1

    def way_out(self) -> None:
        """Pause, suspend, resume: whatever the program does."""
        game = self.game
        rules = {each["id"] for each in game.records()}
        acts = [("pause", {"kind": "disruption", "because": "Stop"})] * (not game.paused())
        acts += [("suspend", {"rule": "9.1"})] * ("9.1" in rules) + [("resume", {})]
        if game.over():
            return
        for do, args in acts:
            outcome = self.step(f"the Admin's {do}", lambda do=do, args=args: game.admin(do, args, self.at))
            self.at = max(self.at, game.now)
            if outcome is None or not outcome.ok:
                self.result.wrong.append(f"the way out is shut: {do}: {outcome and (outcome.refused or outcome.fault)}")

    def beside(self) -> None:
        """Nobody else notices."""
        other = self.trial.other
        if other.state_hash() != self.trial.unnoticed:
            self.result.wrong.append("another game has changed")
        if (self.trial.folder / "touched").exists():
            self.result.wrong.append("a file was touched")
            (self.trial.folder / "touched").unlink()


def around(words: str, word: str) -> str:
    at = words.index(word)
    return words[max(0, at - 120) : at + 60]


def copy_for(game, viewer: str) -> list[dict]:
    """The journal as a viewer downloads it, where nobody has yet been approved but the players."""
    outcomes = dict(game.outcomes.get())
    return [sealing.shown_line(line, outcomes[line["n"]], viewer, True) for line in game.journal.lines()]


def follow() -> None:
    """Reads names of files with journals, and follows each in CPython in a process with limits.

    Prints the most memory that it took, in kB, and the hash of the state.
    """
    for name in sys.stdin:
        read, write = os.pipe()
        child = os.fork()
        if not child:
            os.close(read)
            resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
            resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
            try:
                lines = json.loads(Path(name.strip()).read_text())
                words = load_game(MemoryJournal(lines), runtime="cpython").state_hash()
            except BaseException as error:
                words = f"{type(error).__name__}: {error}".replace("\n", " ")[:300]
            os.write(write, f"{peak()} {words}".encode(errors="replace"))
            os._exit(0)
        os.close(write)
        with os.fdopen(read) as words:
            answer = words.read()
        status = os.waitpid(child, 0)[1]
        print(answer or f"0 ended with {status}", flush=True)


def run(count: int, first: int = 0, says=lambda tale: None) -> tuple[Counter, list[str], dict]:
    """(what became of so many programs, what is wrong, the worst time and memory)"""
    counted, wrong, worst = Counter(), [], (0.0, "", "")
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(Path(folder))
        try:
            for seed in range(first, first + count):
                program = make(seed, Path(folder))
                try:
                    tale = trial.judge(program)
                except Exception as error:  # whatever comes out of the host is what this looks for
                    tale = Tale(False, "wrong", [f"the host broke: {type(error).__name__}: {str(error)[:300]}"])
                counted[f"{ACCEPTED if tale.accepted else REFUSED}: {tale.became}"] += 1
                counted += tale.notes
                wrong += [f"{program.name}: {each}" for each in tale.wrong]
                if tale.accepted and tale.became == "late":
                    wrong.append(f"{program.name}: late: {tale.slowest}")
                worst = max(worst, (*tale.slowest, program.name))
                says(f"{program.name}: {tale}")
            other = trial.other
            done(other.order("Ann", "propose", {"title": "All is well"}, other.now + 1))
        finally:
            trial.close()
    memory = {
        "host MB": peak() // 1024,
        "worker MB": trial.worker // 1024,
        "CPython MB": trial.cpython // 1024,
    }
    return counted, wrong, {"slowest": worst, **memory}


def table(counted: Counter, wrong: list[str], worst: dict) -> str:
    """What became of the programs, in Markdown: a row for each outcome, and what took longest and most."""
    columns = [{what: counted[f"{start}: {what}"] for what in OUTCOMES} for start in (ACCEPTED, REFUSED)]
    rows = [(OUTCOMES[what], *[column[what] for column in columns]) for what in OUTCOMES]
    rows.append(("all", *[sum(column.values()) for column in columns]))
    lines = [
        "| what became of a program | accepted by the check | refused by it, and enacted nevertheless |",
        "|---|--:|--:|",
    ]
    lines += [f"| {what} | {accepted} | {refused} |" for what, accepted, refused in rows]
    unlike = sum(many for what, many in counted.items() if "would not replay" in what)
    seconds, step, _ = worst["slowest"]
    lines += [
        "",
        f"Wrong: {len(wrong)}. Refused by the check, and a replay would differ: {unlike}. The slowest step, "
        f"{step}, took"
        f" {seconds} s of work; memory was {worst['worker MB']} MB at most in a worker, {worst['CPython MB']} MB "
        "in CPython"
        f" and {worst['host MB']} MB in the host.",
    ]
    return "\n".join(lines)


def main() -> None:
    if sys.argv[1:] == ["follow"]:
        follow()
        return
    numbers = [int(each) for each in sys.argv[1:] if each != "--table"]
    says = (lambda tale: print(tale, flush=True)) if os.environ.get("HOSTILE_SAYS") else (lambda tale: None)
    counted, wrong, worst = run(*numbers, says=says)
    if "--table" in sys.argv:
        print(table(counted, wrong, worst))
    else:
        print(", ".join(f"{many} {what}" for what, many in counted.most_common()))
        print(worst)
    print("\n".join(wrong))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
