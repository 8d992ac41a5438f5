"""Scenarios: small game scripts with expectations, in YAML 1.2 (design, 7).

A scenario that names an unknown thing, attribute, action, fact or moment fails with that name; it never passes by
omission. Each runs in a game of its own, in memory, with dice seeded by its name.
"""

from __future__ import annotations

import ast
import datetime
import hashlib
import importlib.resources
import re
import time
import zoneinfo
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML, YAMLError
from ruamel.yaml.constructor import SafeConstructor

from nomopoly.errors import CommandError
from nomopoly.rulebook.changes import DEEPEST
from nomopoly.rulebook.source import Book, load_edition
from nomopoly.runtime.host import Game, Outcome, open_game
from nomopoly.runtime.journal import JournalError, encodable
from nomopoly.runtime.nearest import nearest_facts, shown, shown_fact
from nomopoly.runtime.runtimes import Fault, watching
from nomopoly.runtime.scenario_keys import BESIDE, STEPS, TOP, has_gaps, moments

Data = dict[str, Any]
TOP_KEYS, STEP_KEYS, BESIDE_KEYS = tuple(TOP), tuple(STEPS), tuple(BESIDE)
EXAMPLES = {"players": ("Ann", "Ben"), "rules": ("VII.1", "VII.2")}
KERNEL_FACTS = {
    "enacted": {"number"},
    "amended": {"number"},
    "repealed": {"number"},
    "granted": {"thing", "attribute", "value", "because"},
    "told": {"text"},
    "suspended": {"number"},
    "reinstated": {"number"},
    "struck": {"entry", "because", "refused"},
}
FACT_KEYS = {"what", "event", "rule", "depth", "dice", "only"}  # what any fact may have
THING_KEYS = {
    "who",
    "mover",
    "to",
    "square",
    "owner",
    "buyer",
    "seller",
    "player",
    "author",
    "proposal",
    "offer",
    "thing",
}
OTHER_EDITIONS = {  # names that all editions share: where one is lacking, it is refused and no slip of the pen
    "take-turn",
    "transfer",
    "vote",
    "retract-proposal",
    "veto",
    "implement",
    "waste-of-time",
    "sick",
    "simplifies",
}
SLIP = re.compile(
    r"(there is no action '(?P<action>[^']*)')|(\S+ takes no '(?P<field>[^']*)')|(nothing here is called (?P<thing>.+))"
    r"|(no such (?!square:)[\w-]+: (?P<numbered>.+))|(an? [\w-]+ has no attribute '(?P<attribute>[^']*)')"
)
DEFAULT_START = "2026-03-02T09:00"
A_YEAR = 366 * 86400
SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}


class ScenarioError(Exception):
    """Why a scenario fails; the message says at which step."""


class WordConstructor(SafeConstructor):
    """YAML values as scenarios want them: moments stay words, and so do fractions (rule 12.10 is not rule 12.1)."""


for tag in ("timestamp", "float"):
    WordConstructor.add_constructor(f"tag:yaml.org,2002:{tag}", lambda loader, node: node.value)


@dataclass
class Result:
    """How one scenario ended in one runtime."""

    name: str
    where: str
    runtime: str
    failure: str | None = None

    def __str__(self) -> str:
        if self.failure is None:
            return f"ok     {self.name} [{self.runtime}]"
        return f"FAILED {self.name} [{self.runtime}] ({self.where}): {self.failure}"


@cache
def book_of(edition: str) -> Book:
    """The rulebook of an edition, read once; games only read it."""
    return load_edition(edition)


@dataclass
class Alias:
    """What `as:` names: an entry and the things that it made."""

    n: int
    things: list[str] = field(default_factory=list)


def load(path: Path) -> list[tuple[str, Any]]:
    """The scenarios of a file, as (where, data); a file may hold several documents. Raises CommandError."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{path}: cannot be read ({error})") from error
    documents = read(text, str(path))
    if not documents:
        raise CommandError(f"{path}: holds no scenario")
    return [(f"{path}" if len(documents) == 1 else f"{path} #{at + 1}", each) for at, each in enumerate(documents)]


def read(text: str, name: str) -> list[Any]:
    """The documents in a text of YAML. Raises CommandError, which names `name`."""
    yaml = YAML(typ="safe", pure=True)
    yaml.max_depth = DEEPEST
    yaml.Constructor = WordConstructor
    try:
        return list(yaml.load_all(text))
    except (YAMLError, ValueError, RecursionError) as error:
        raise CommandError(f"{name}: not YAML: {' '.join(str(error).split())}") from error


def read_one(text: str, name: str = "the scenario") -> Any:
    """The one scenario in a text by anybody: without anchors, which could make it endless. Raises CommandError."""
    documents = read(text, name)
    anchored = any(getattr(event, "anchor", None) for event in YAML(typ="safe", pure=True).parse(text))
    if anchored or len(documents) != 1:
        raise CommandError(f"{name}: {'anchors (&, *) are not wanted here' if anchored else 'one document is wanted'}")
    return documents[0]


def find(paths: Iterable[str | Path]) -> Iterator[Path]:
    """The scenario files at some paths, folders searched for *.yaml and *.yml. Raises CommandError."""
    for each in paths:
        path = Path(each)
        if path.is_dir():
            found = sorted(file for file in path.rglob("*") if file.suffix in (".yaml", ".yml") and file.is_file())
            if not found:
                raise CommandError(f"{path}: holds no scenario (*.yaml)")
            yield from found
        elif path.is_file():
            yield path
        else:
            raise CommandError(f"{path}: there is no such file or folder")


def shipped() -> list[Path]:
    """The folders of scenarios that come with the editions."""
    folder = Path(str(importlib.resources.files("nomopoly.editions")))
    return sorted(each for each in folder.glob("*/scenarios") if each.is_dir())


def run(
    data: Any,
    where: str = "",
    runtime: str = "cpython",
    *,
    book: Book | None = None,
    once: str = "",
    seconds: float | None = None,
) -> Result:
    """Run one scenario in one runtime.

    `book`: play by this rulebook and not by that of an edition; `once`: a program that runs before the first step;
    `seconds`: give up after so long.
    """
    name = str(data.get("scenario", "")) if isinstance(data, dict) else ""
    result = Result(name or where or "?", where, runtime)
    play: Play | None = None
    try:
        play = Play(data, runtime, book, once, seconds)
        play.run()
    except ScenarioError as error:
        result.failure = str(error)
    except (CommandError, JournalError, Fault) as error:
        result.failure = str(error)
    finally:
        if play is not None:
            play.close()
    return result


def parse_span(text: Any) -> int:
    """Seconds of a span such as 90m, 5h, 2d or 1w. Raises ScenarioError."""
    parts = re.findall(r"(\d+)\s*([smhdw])", str(text))
    if not parts or "".join("".join(part) for part in parts) != re.sub(r"\s", "", str(text)):
        raise ScenarioError(f"advance: {text!r} is no span of time (wanted: 90m, 5h, 2d, 1w)")
    return sum(int(number) * SECONDS[unit] for number, unit in parts)


def is_same(found: Any, wanted: Any) -> bool:
    """Whether a value is the one expected; 1 and true differ."""
    if isinstance(found, list) and isinstance(wanted, list):
        return len(found) == len(wanted) and all(is_same(a, b) for a, b in zip(found, wanted, strict=True))
    if isinstance(found, dict) and isinstance(wanted, dict):
        return found.keys() == wanted.keys() and all(is_same(found[key], wanted[key]) for key in found)
    return type(found) is type(wanted) and bool(found == wanted)


def is_loosely(found: Any, wanted: Any) -> bool:
    """Whether a value could be the one meant, whatever its sort: what must never happen is looked for generously."""
    if isinstance(found, list) and isinstance(wanted, list):
        return len(found) == len(wanted) and all(is_loosely(a, b) for a, b in zip(found, wanted, strict=True))
    return str(found).casefold() == str(wanted).casefold() or (found is True and wanted == 1)


def are_pairs(found: list[Any]) -> bool:
    """Whether a list is a table as things keep it: of pairs, so that a scenario may write `{key: value}` for it."""
    return all(isinstance(each, list) and len(each) == 2 for each in found)


class Play:
    """One scenario being played."""

    def __init__(
        self, data: Any, runtime: str, book: Book | None = None, once: str = "", seconds: float | None = None
    ) -> None:
        self.game: Game | None = None
        if book is not None and isinstance(data, dict):
            data = {"edition": book.edition, **data}
        self.check_form(data)
        if book is not None and data["edition"] != book.edition:
            raise ScenarioError(f"edition: this game is one of {book.edition}, not of {data['edition']}")
        self.book = book
        self.once = once
        self.deadline = None if seconds is None else time.monotonic() + seconds
        self.data = data
        self.runtime = runtime
        self.zone = self.read_zone(data.get("time_zone", "UTC"))
        self.aliases: dict[str, Alias] = {}
        self.facts: list[Data] = []
        self.seen: dict[str, set[str]] = {}  # words of facts that happened, with their fields
        self.seen_rules: set[str] = set()
        self.draws: list[Any] = []
        self.waiting_draws: list[tuple[int, list[Any]]] = []  # of steps that wait: the number of the step, its draws
        self.read_until = 0  # the last entry at the last expect
        self.now = self.moment(data.get("start", DEFAULT_START), "start")

    # ---- form

    @staticmethod
    def check_form(data: Any) -> None:
        """Refuse what is no scenario."""
        if not isinstance(data, dict):
            raise ScenarioError("a scenario is a list of keys: scenario, edition, players, steps")
        for key in data:
            if key not in TOP_KEYS:
                raise ScenarioError(f"unknown key '{key}' (known: {', '.join(TOP_KEYS)})")
        for key in ("scenario", "edition", "steps"):
            if not data.get(key):
                raise ScenarioError(f"'{key}' is missing")
        for key in ("scenario", "edition"):
            if not isinstance(data[key], str):
                raise ScenarioError(f"'{key}' must be words, not {data[key]!r}")
        if not isinstance(data["steps"], list):
            raise ScenarioError("'steps' must be a list")
        for key in ("players", "rules"):
            listed = data.get(key)
            if listed is not None and (not isinstance(listed, list) or not all(isinstance(one, str) for one in listed)):
                raise ScenarioError(f"'{key}' must be a list, as in {key}: [{', '.join(EXAMPLES[key])}]")
        if not encodable([data]):
            raise ScenarioError("there is half a character in it, or one that is none: type it anew")
        if data.get("given") is not None and not isinstance(data["given"], dict):
            raise ScenarioError("'given' must say thing: {attribute: value}")

    @staticmethod
    def read_zone(name: Any) -> zoneinfo.ZoneInfo:
        """The game's time zone."""
        try:
            return zoneinfo.ZoneInfo(str(name))
        except (zoneinfo.ZoneInfoNotFoundError, ValueError) as error:
            raise ScenarioError(f"time_zone: there is no zone '{name}'") from error

    def moment(self, text: Any, label: str) -> int:
        """The moment (seconds since 1970) that an ISO text in the game's time zone means."""
        try:
            found = datetime.datetime.fromisoformat(str(text))
        except ValueError as error:
            raise ScenarioError(f"{label}: {text!r} is not a moment (wanted: 2026-03-02T09:00)") from error
        if found.tzinfo is None:
            found = found.replace(tzinfo=self.zone)
        return int(found.timestamp())

    # ---- running

    def run(self) -> None:
        """Open the game, let the players join, patch the state, and play all steps."""
        book = self.book or book_of(str(self.data["edition"]))
        numbers = {record["id"] for record in book.records}
        for rule in self.data.get("rules") or []:
            if not any(covers(str(rule), number) for number in numbers):
                raise ScenarioError(f"rules: there is no rule {rule} in edition {book.edition}")
        name = str(self.data["scenario"])
        self.game = open_game(
            book,
            title=name,
            game_id=f"scenario:{name}",
            runtime="cpython-timed" if self.runtime == "cpython" else self.runtime,
            time_zone=self.zone.key,
            at=self.now,
            secret=hashlib.sha256(f"scenario:{name}".encode()).hexdigest(),
            recipe=1,  # dice by place: what a scenario comes to does not hang on every word of the rulebook
        )
        self.run_clock(self.now, None)
        for player in self.data.get("players") or []:
            outcome = self.join(str(player))
            if not outcome.ok:
                raise ScenarioError(f"players: {player} cannot join: {outcome.refused}")
        self.facts = []
        if self.data.get("given"):
            self.give(self.data["given"])
            self.facts = []
        if self.once:
            outcome = self.submit("admin", "Admin", "put-in-force", {"run": self.once, "by": "admin"})
            if not outcome.ok:
                raise ScenarioError(f"run: {outcome.refused or said_of(outcome.fault)}")
        self.read_until = self.host.n
        for at, step in enumerate(self.data["steps"]):
            try:
                self.step(step, at + 1)
            except ScenarioError as error:
                raise ScenarioError(f"step {at + 1}: {error}") from None
        if self.draws:
            raise ScenarioError(f"step {self.place_of_draws()}: draws: {self.draws} were never drawn")

    def give(self, given: Data) -> None:
        """Patch the opening state. The rules on granting hear of moments, so that clocks can be set by them."""
        last_first = sorted((str(key) for key in given if given[key] is None), key=number_in, reverse=True)
        order = [key for key in given if given[key] is not None]
        things = {key: self.given_values(str(key), given[key]) for key in order} | dict.fromkeys(last_first)
        told = {"things": things, "alone": has_gaps(str(self.data["edition"]))}
        outcomes = [self.submit("admin", "Admin", "given", told)]
        kinds = self.ids()
        for id, values in things.items():
            for name, value in (values or {}).items():
                if outcomes[0].ok and value is not None and self.schema_type(kinds[id], name) == "moment":
                    wanted = {"thing": id, "attribute": name, "value": value, "because": "given"}
                    outcomes.append(self.submit("admin", "Admin", "grant", wanted))
        for outcome in outcomes:
            if not outcome.ok:
                raise ScenarioError(outcome.refused or f"given: {said_of(outcome.fault)}")

    def close(self) -> None:
        """Give the runtime back."""
        if self.game is not None:
            self.game.runtime.close()

    @property
    def host(self) -> Game:
        """The game, once it is open."""
        if self.game is None:
            raise ScenarioError("the game is not open")
        return self.game

    def hurry(self) -> None:
        """Raise ScenarioError when it has taken too long."""
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise ScenarioError("the scenario takes too long here")

    def place_of_draws(self) -> int:
        """The number of the step beside which the draws stood that are left."""
        left, place = len(self.draws), 0
        for number, drawn in reversed(self.waiting_draws):
            place, left = number, left - len(drawn)
            if left <= 0:
                break
        return place

    def step(self, step: Any, number: int = 0) -> None:
        """Play one step; `number` is its place in the scenario."""
        self.hurry()
        if not isinstance(step, dict):
            raise ScenarioError(f"a step says what happens, e.g. turn: Ann; not {step!r}")
        kinds = [key for key in step if key in STEP_KEYS]
        for key in step:
            if key not in STEP_KEYS and key not in BESIDE_KEYS:
                raise ScenarioError(f"unknown key '{key}' (known: {', '.join(STEP_KEYS + BESIDE_KEYS)})")
        if len(kinds) != 1:
            raise ScenarioError(f"a step has exactly one of {', '.join(STEP_KEYS)}")
        kind = kinds[0]
        if kind in ("expect", "view"):
            if len(step) > 1:
                raise ScenarioError(f"nothing may stand beside '{kind}'")
            (self.expect if kind == "expect" else self.check_view)(step[kind])
            return
        drawn = step.get("draws", [])
        if not isinstance(drawn, list):
            raise ScenarioError("draws must be a list")
        if step.get("queued") and (kind != "order" or "order-waits" not in self.host.describe()["events"]):
            raise ScenarioError(
                f"queued: {'in this edition every order' if kind == 'order' else kind} is done when it arrives"
            )
        self.run_clock(self.now, None)  # what is overdue comes before any step, without its draws
        earlier = self.draws
        self.draws = [*earlier, *drawn]
        before = set(self.ids())
        label = step.get("as", step[kind].get("as") if isinstance(step[kind], dict) else None)
        if label is not None and not (isinstance(label, str) and label):
            raise ScenarioError(f"as: must be a name, not {label!r}")
        outcomes = getattr(self, "do_" + kind)(step[kind], step)
        self.judge(kind, step, outcomes)
        if step.get("queued") and outcomes[0].ok:
            self.check_waits(str(step[kind]["do"]), outcomes[0])
        if len(outcomes) == 1 and not outcomes[0].ok:
            self.draws = earlier  # what was drawn in it is undone, and was meant for it alone
        self.check_draws(step, drawn, number)
        if label is not None:
            last = outcomes[0] if kind == "admin" else outcomes[-1]
            if last.n is not None:
                self.aliases[label] = Alias(last.n, [id for id in self.ids() if id not in before])

    def check_waits(self, order: str, outcome: Outcome) -> None:
        """Raise if an order does not wait though it is `queued`; one that asks others for agreement may do so later."""
        described = self.host.describe()
        if outcome.n is None or (order in described["at_once"] and f"order-{outcome.n}" not in self.ids()):
            raise ScenarioError(f"queued: {order} never waits: it is done when it arrives")

    def check_draws(self, step: Data, drawn: list[Any], number: int) -> None:
        """Raise if a step has left draws over that stood beside it; those of an order that waits are for later."""
        if drawn and step.get("queued"):
            self.waiting_draws.append((number, drawn))
        elif drawn and self.draws:
            left = self.draws[-len(drawn) :]
            raise ScenarioError(f"draws: {left} were never drawn in this step")

    def judge(self, kind: str, step: Data, outcomes: list[Outcome]) -> None:
        """Compare how a step ended with what it says about that."""
        for outcome in outcomes:
            message = (outcome.fault or {}).get("message", "")
            if "draws: " in message:
                raise ScenarioError(message[message.index("draws: ") :])
        if kind == "admin":  # the first is the act itself, the others what was overdue after it
            outcomes = outcomes[:1]
        bad = next((outcome for outcome in outcomes if not outcome.ok), None)
        if bad is not None and bad.refused:
            self.check_slip(kind, step, bad)
        fault = next((outcome.fault for outcome in outcomes if outcome.fault), None)
        if "fault" in step:
            said = f"rule {fault['rule']}, line {fault['line']}: {fault['message']}" if fault else None
            self.match_reason("fault", step["fault"], said, bad)
        if "refused" in step:
            reason = None
            if bad is not None:
                reason = bad.refused if bad.refused is not None else said_of(bad.fault)
            self.match_reason("refused", step["refused"], reason, bad)
        if "fault" not in step and "refused" not in step and bad is not None and kind not in ("advance", "until"):
            rule = f" (rule {bad.rule})" if bad.rule not in (None, "", "kernel") else ""
            raise ScenarioError(
                f"{kind} was refused: {bad.refused}{rule}" if bad.refused else f"fault: {said_of(bad.fault)}"
            )

    def check_slip(self, kind: str, step: Data, bad: Outcome) -> None:
        """Fail where an entry was refused for a name that this game does not know, unless the scenario says just that."""
        said = str(bad.refused)
        slip = SLIP.match(said) if bad.rule in (None, "kernel") else None
        if slip is None:
            return
        wanted = step.get("refused")
        name = next(part for part in slip.groupdict().values() if part is not None)
        elsewhere = slip["action"] is not None and (name in OTHER_EDITIONS or name in self.host.describe()["actions"])
        if wanted is None or (elsewhere and wanted is True):
            return
        if not isinstance(wanted, str) or wanted.casefold() not in slip[0].casefold():
            raise ScenarioError(f"{kind}: {said}")

    @staticmethod
    def match_reason(key: str, wanted: Any, said: str | None, bad: Outcome | None) -> None:
        """Raise unless what was said is what was wanted (`true`, `false` or a part of the reason)."""
        if wanted is False:
            if said is not None:
                raise ScenarioError(f"{key}: false, but: {said}")
            return
        if not isinstance(wanted, bool) and not (isinstance(wanted, str) and wanted):
            raise ScenarioError(f"{key} must be true or a part of the reason, not {wanted!r}")
        if said is None:
            happened = "it happened" if bad is None else f"it was refused: {bad.refused}"
            raise ScenarioError(f"{key}: {wanted} was expected, but {happened}")
        if isinstance(wanted, str) and wanted.casefold() not in said.casefold():
            raise ScenarioError(f"{key}: {wanted!r} was expected, but the reason is: {said}")

    def keep(self, outcome: Outcome, undrawn: bool = False) -> Outcome:
        """Remember the facts of an outcome, and which draws it has left (`undrawn`: it can have used none)."""
        facts = list(outcome.facts)
        if outcome.fault is not None and outcome.n is not None:  # a pause that follows is an entry of its own
            facts += [fact for _, later in self.host.outcomes.get(outcome.n + 1) for fact in later.get("facts", ())]
        self.facts.extend(facts)
        for fact in facts:
            self.seen.setdefault(str(fact.get("what")), set()).update(fact)
            self.seen_rules.add(str(fact.get("rule")))
        if outcome.ok and not undrawn:
            self.draws = list(outcome.unused)
        return outcome

    def submit(self, kind: str, by: str | None, do: str | None, args: Data, queued: bool = False) -> Outcome:
        """One entry, with the draws that are prescribed. A ballot is cast, and is no entry."""
        more: Data = {"draws": self.draws} if self.draws else {}
        if queued:
            more["queued"] = True
        if (
            kind == "order"
            and do
            and (do in self.host.describe()["ballots"] or (do == "vote" and self.host.disrupted()))
        ):
            return self.keep(self.host.cast(str(by), do, args, self.now))
        return self.keep(self.host.submit(kind, by, do, args, self.now, **more))

    # ---- steps that act

    def do_order(self, said: Any, step: Data) -> list[Outcome]:
        """`order: {by: Ann, do: buy-square, square: "#5"}`."""
        args = self.arguments(said, "order", "by", "do")
        by = "Admin" if str(said["by"]).casefold() == "admin" else self.player(said["by"])
        return [self.submit("order", by, str(said["do"]), args, bool(step.get("queued")))]

    def do_propose(self, said: Any, step: Data) -> list[Outcome]:
        """`propose: {by: Ann, as: P1, title: T, text: words, changes: [...], run: code}`."""
        args = self.arguments(said, "propose", "by")
        if str(said["by"]).casefold() == "admin":
            return [self.submit("admin", "Admin", "propose", args)]
        return [self.submit("order", self.player(said["by"]), "propose", args)]

    def do_vote(self, said: Any, step: Data) -> list[Outcome]:
        """`vote: {by: Ben, on: P1, choice: "yes"}`."""
        args = self.arguments(said, "vote", "by")
        by = "Admin" if str(said["by"]).casefold() == "admin" else self.player(said["by"])
        return [self.submit("order", by, "vote", args)]

    def do_turn(self, said: Any, step: Data) -> list[Outcome]:
        """`turn: Ann`: this player takes a turn now."""
        kind = self.ids().get(str(said), "player")
        if kind != "player" and f"{kind}-move" in self.host.describe()["events"]:
            return [self.submit("tick", None, f"{kind}-move", {kind: str(said)})]
        return [self.submit("tick", None, "turn", {"who": self.player(said)})]

    def do_admin(self, said: Any, step: Data) -> list[Outcome]:
        """`admin: {do: accept, on: P1}`."""
        args = self.arguments(said, "admin", "do")
        was_paused = self.host.paused()
        outcome = self.act(said, args)
        if outcome.ok and (said["do"] == "strike" or (was_paused and not self.host.paused())):
            return [outcome, *self.run_clock(self.now, None)]
        return [outcome]

    def act(self, said: Data, args: Data) -> Outcome:
        """An act of the Admin's desk."""
        if said["do"] == "strike":
            if set(args) - {"on", "because"} or "on" not in args:
                raise ScenarioError(
                    "admin: strike says on (what an earlier step is called, or an entry's number), because"
                )
            alias = self.aliases.get(str(said["on"]))
            if alias is None and type(said["on"]) is not int:
                raise ScenarioError(f"admin: strike: no earlier step is called {said['on']}")
            entry = alias.n if alias else said["on"]
            return self.keep(self.host.strike(entry, str(args.get("because", "")), self.now), undrawn=True)
        if said["do"] == "run-again" or (said["do"] == "resume" and self.host.resume_runs_again()):
            more: Data = {"draws": self.draws} if self.draws else {}
            return self.keep(self.host.run_again(self.now, **more))
        return self.submit("admin", "Admin", str(said["do"]), args)

    def do_join(self, said: Any, step: Data) -> list[Outcome]:
        """`join: Cid`: asks, and is approved at once."""
        return [self.join(self.only(said, "join", "name", "by"))]

    @staticmethod
    def only(said: Any, kind: str, *keys: str) -> str:
        """The one name that a step gives, plainly or as the value of one of these keys (`as` may stand beside it)."""
        if isinstance(said, dict):
            found = [key for key in said if key != "as"]
            if len(found) != 1 or found[0] not in keys:
                raise ScenarioError(f"{kind} names a player, as in {kind}: {{{keys[-1]}: Cid}}")
            said = said[found[0]]
        if not isinstance(said, str):
            raise ScenarioError(f"{kind} names a player, not {said!r}")
        return said

    def join(self, name: str) -> Outcome:
        """Ask to join and be approved."""
        asked = self.submit("join", name, None, {})
        return self.submit("admin", "Admin", "approve-player", {"player": name}) if asked.ok else asked

    def do_leave(self, said: Any, step: Data) -> list[Outcome]:
        """`leave: {by: Cid}`."""
        return [self.submit("leave", self.player(self.only(said, "leave", "by")), None, {})]

    def do_withdraw(self, said: Any, step: Data) -> list[Outcome]:
        """`withdraw: {by: Ann, order: E1}`: take a waiting order back."""
        if set(self.arguments(said, "withdraw", "by", "order")) != {"order"}:
            raise ScenarioError("withdraw says by and order, and nothing else")
        alias = self.aliases.get(str(said["order"]))
        if alias is None:
            raise ScenarioError(f"withdraw: no earlier step is called {said['order']}")
        return [self.submit("withdraw", self.player(said["by"]), None, {"order": alias.n})]

    def do_advance(self, said: Any, step: Data) -> list[Outcome]:
        """`advance: 2d`: time passes, and what falls due happens."""
        target = self.now + parse_span(said)
        if self.over():
            return []
        outcomes = self.run_clock(target, None)
        self.now = target
        return outcomes

    def do_until(self, said: Any, step: Data) -> list[Outcome]:
        """`until: update`: up to and including the next moment of that name."""
        if not isinstance(said, str) or said not in self.host.describe()["events"]:
            known = "; ".join(f"{name}: {meaning}" for name, meaning in moments()[str(self.data["edition"])].items())
            raise ScenarioError(f"until: there is no moment '{said}' in this game. Moments are: {known}")
        outcomes = [] if self.over() else self.run_clock(None, str(said))
        if not outcomes:
            raise ScenarioError(f"until: no '{said}' is to come within a year")
        return outcomes

    def over(self) -> bool:
        """Whether the game has ended: its clock stands still."""
        return bool(self.schema_type("game", "over")) and self.host.value("over", "game") is True

    def run_clock(self, target: int | None, name: str | None) -> list[Outcome]:
        """Do what is due, up to a moment or up to an event of that name."""
        done: list[Outcome] = []
        begun, went_on = self.now, not self.host.paused()
        while True:
            self.hurry()
            due = self.host.next_due()
            if name is not None and done and went_on and self.host.paused():
                return done
            if due is None or due["at"] > (begun + A_YEAR if target is None else target):
                return done if name is None else []
            self.now = max(self.now, due["at"])
            more = {"draws": self.draws} if self.draws else {}
            outcome = self.keep(self.host.submit_due(due, self.now, **more))
            done.append(outcome)
            if due["do"] == name or self.over():
                return done
            if outcome.refused and not due["args"]:
                self.host.last_moments[due["do"]] = due["at"]  # a moment that the rules refuse goes by
            elif not outcome.ok and not self.host.paused() and self.host.next_due() == due:
                raise ScenarioError(f"the clock cannot go on: {outcome.refused or said_of(outcome.fault)}")
            if len(done) > 100_000:
                raise ScenarioError("the clock does not come to an end")

    # ---- names

    def ids(self) -> dict[str, str]:
        """Ids and kinds of all things."""
        return self.host.runtime.call("ids")["things"]  # type: ignore[no-any-return]

    def player(self, name: Any) -> str:
        """A player of the game, for steps; fails with the name otherwise."""
        kinds = self.ids()
        if str(name) in kinds and kinds[str(name)] != "player":
            raise ScenarioError(f"{name} is a {kinds[str(name)]}, not a player")
        if str(name) not in kinds and str(name) not in self.seen_players():
            raise ScenarioError(f"there is no player {name}")
        return str(name)

    def seen_players(self) -> set[str]:
        """Everybody who was ever in the game or asked to be: naming them is no slip of the pen."""
        names = {str(name) for name in self.data.get("players") or []}
        for step in self.data["steps"]:
            if isinstance(step, dict) and "join" in step:
                said = step["join"]
                names.add(str(next(iter(said.values()), "") if isinstance(said, dict) else said))
        return names

    def name(self, said: Any) -> str:
        """The id that a name in the scenario means."""
        alias = self.aliases.get(str(said))
        return alias.things[0] if alias and alias.things else str(said)

    def resolve(self, said: Any) -> Any:
        """A value with the names of earlier steps replaced by ids."""
        if isinstance(said, str):
            return self.name(said)
        if isinstance(said, list):
            return [self.resolve(each) for each in said]
        if isinstance(said, dict):
            return {key: self.resolve(each) for key, each in said.items()}
        return said

    def arguments(self, said: Any, kind: str, *wanted: str) -> Data:
        """The arguments of a step, without its own keys."""
        if not isinstance(said, dict):
            raise ScenarioError(f"{kind} must say {', '.join(wanted)}")
        for key in wanted:
            if key not in said:
                raise ScenarioError(f"{kind}: '{key}' is missing")
        own = ("by", "do", "as") if kind != "admin" or str(said.get("by")).casefold() == "admin" else ("do", "as")
        rest = {key: each for key, each in said.items() if key not in own}
        unresolved = ("title", "text", "changes", "run", "because", "name", "words")
        return {key: each if key in unresolved else self.resolve(each) for key, each in rest.items()}

    def schema_type(self, kind: str, name: str) -> str:
        """The declared type of an attribute or shown value, or ""."""
        for entry in self.host.describe()["schema"].get(kind, ()):
            if entry["name"] == name:
                return str(entry["type"])
        return ""

    def given_values(self, id: str, values: Any) -> Any:
        """The values to patch a thing with."""
        if values is None:
            return None
        if not isinstance(values, dict):
            raise ScenarioError(f"given: {id} must say {{attribute: value}}")
        kind = self.ids().get(id, "square" if id.startswith("#") else "")
        return {name: self.given_value(kind, name, value) for name, value in values.items()}

    def given_value(self, kind: str, name: str, value: Any) -> Any:
        """One of them as things keep it: a moment in seconds, a table as a list of pairs."""
        if isinstance(value, str) and self.schema_type(kind, name) == "moment":
            return self.moment(value, name)
        return [[key, each] for key, each in value.items()] if isinstance(value, dict) else value

    # ---- expectations

    def read(self, id: str, said: str) -> Any:
        """An attribute or value of a thing; `name(a, b)` has further arguments."""
        match = re.fullmatch(r"([\w-]+)(?:\((.*)\))?", said)
        if match is None:
            raise ScenarioError(f"{id}: '{said}' is no attribute or value")
        name, rest = match.groups()
        further = [self.resolve(part.strip()) for part in rest.split(",")] if rest else []
        of = [id, *(int(part) if re.fullmatch(r"-?\d+", part) else part for part in further)]
        try:
            return self.host.value(name, *of)
        except KeyError as error:
            raise ScenarioError(f"{id}: {error.args[0]}") from error
        except Exception as error:
            raise ScenarioError(f"{id}: '{said}' cannot be read: {error}") from error

    def expect(self, said: Any) -> None:
        """`expect: {Ann: {money: 950}, events: [...], never: [...]}`."""
        if not isinstance(said, dict) or not said:
            raise ScenarioError("expect: says nothing; name a thing, events or never")
        for key, wanted in said.items():
            if key == "events":
                self.expect_events(wanted)
            elif key == "never":
                self.expect_never(wanted)
            else:
                self.expect_thing(self.name(key), wanted)
        self.facts = []
        self.read_until = self.host.n

    def expect_thing(self, id: str, wanted: Any) -> None:
        """Compare what is named of a thing."""
        things = self.ids()
        if wanted is None:
            known = self.host.runtime.call("ids")["gone"]
            if id in things:
                raise ScenarioError(f"expect: {id} exists, but should not")
            if id not in known and not self.could_exist(id):
                raise ScenarioError(f"expect: nothing here could be called {id}")
            return
        if id not in things:
            raise ScenarioError(f"expect: nothing here is called {id}")
        if not isinstance(wanted, dict) or not wanted:
            raise ScenarioError(f"expect: {id} must say {{attribute: value}}")
        for said, value in wanted.items():
            found = self.read(id, str(said))
            if not self.is_expected(found, value, self.schema_type(things[id], str(said))):
                raise ScenarioError(f"expect: {said} of {id} is {shown(found)}, not {shown(value)}")

    def could_exist(self, id: str) -> bool:
        """Whether an id has the form of some kind of thing, or is a player's or a label of this scenario."""
        prefixes = [re.escape(prefix) for prefix in self.host.describe()["prefixes"]]
        if prefixes and re.fullmatch(f"(?:{'|'.join(prefixes)})\\d+", id):
            return True
        return id in self.seen_players() or id == "Admin"

    def is_expected(self, found: Any, value: Any, sort: str = "") -> bool:
        """Whether a value is the expected one: as written, or with moments and earlier steps' names read as such."""
        if isinstance(value, dict) and isinstance(found, list) and are_pairs(found):
            found = {str(key): each for key, each in found}
            return is_same(found, {self.name(key): self.resolve(each) for key, each in value.items()})
        return is_same(found, value) or is_same(found, self.expected(value, found, sort))

    def expected(self, value: Any, found: Any, sort: str = "") -> Any:
        """An expected value in the form in which values are read."""
        if (
            isinstance(value, str)
            and isinstance(found, int)
            and not isinstance(found, bool)
            and sort in ("moment", "fact")
        ):
            return self.moment(value, "expect")
        return self.resolve(value)

    def matches(self, fact: Data, wanted: Data, loosely: bool = False) -> bool:
        """Whether a fact has all that is wanted."""
        for key, value in wanted.items():
            if key not in fact:
                if value is None:
                    continue
                return False
            if key == "rule" and "what" in fact:
                if not covers(str(value), str(fact["rule"])):
                    return False
                continue
            if key == "entry" and value in self.aliases and fact[key] == self.aliases[value].n:
                continue
            is_moment = isinstance(value, str) and re.match(r"\d{4}-\d\d-\d\d", value)
            if loosely and is_loosely(fact[key], self.resolve(value)):
                continue
            if not self.is_expected(fact[key], value, "fact" if is_moment else ""):
                return False
        return True

    def wanted_facts(self, said: Any, key: str, more: Iterable[str] = ()) -> list[Data]:
        """The list of facts an expectation names, refused where it could not match anything.

        `more`: further names that it may use, where it looks at orders as well.
        """
        if not isinstance(said, list) or not said or not all(isinstance(each, dict) and each for each in said):
            raise ScenarioError(f"{key} must be a list of {{what: ..., ...}}")
        fields, by_event = self.fact_fields()
        here = set(self.ids()) | set(self.host.runtime.call("ids")["gone"]) | self.seen_players() | set(self.aliases)
        for each in said:
            word = each.get("what")
            if "what" in each and (not isinstance(word, str) or word not in fields):
                meant = by_event.get(str(word))
                meant = f"; the word for the event '{word}' is '{meant}'" if meant else ""
                raise ScenarioError(f"{key}: no fact is called '{word}'{meant}")
            if "rule" in each and not self.rule_known(str(each["rule"])):
                raise ScenarioError(f"{key}: there is no rule {each['rule']}")
            known = FACT_KEYS.union(fields[""], *([fields[word]] if "what" in each else fields.values()))
            if "do" in more and "what" not in each:
                known = known.union(more)
            for name, content in each.items():
                if name not in known:
                    raise ScenarioError(f"{key}: a fact '{word}' has no '{name}'")
                if name in THING_KEYS and content is not None and (not isinstance(content, str) or content not in here):
                    raise ScenarioError(f"{key}: nothing here is called {content}")
        return said

    def fact_fields(self) -> tuple[dict[str, set[str]], dict[str, str]]:
        """The fields that facts of each word may have ("": those of any word), and the word of each event."""
        events = self.host.describe()["events"]
        commons = [source for _, source in self.host.first["args"]["commons"]]
        fields = fields_told([*commons, *(record["code"] for record in self.host.records())])
        for event in events.values():
            if event["fact"]:
                fields.setdefault(event["fact"], set()).update(event["fields"])
        for word, more in (*KERNEL_FACTS.items(), *self.seen.items()):
            fields.setdefault(word, set()).update(more)
        return fields, {name: event["fact"] for name, event in events.items()}

    def rule_known(self, rule: str) -> bool:
        """Whether a rule of that number is, or was at the opening, in the book, or has made a fact."""
        numbers = {record["id"] for record in self.host.records()} | set(self.aliases) | self.seen_rules
        numbers |= {record["id"] for record in self.host.first["args"]["rules"]}
        return any(covers(rule, number) for number in numbers)

    def expect_events(self, said: Any, facts: list[Data] | None = None) -> None:
        """All these facts happened since the last expect, in this order. `facts`: those to look at, if not all."""
        facts = self.facts if facts is None else facts
        at, before = 0, None
        for wanted in self.wanted_facts(said, "events"):
            hit = next((place for place in range(at, len(facts)) if self.matches(facts[place], wanted)), None)
            if hit is None:
                earlier = [fact for fact in facts[:at] if self.matches(fact, wanted)]
                raise ScenarioError(f"events: {nearest_facts(wanted, before, earlier, facts[at:], self.differs)}")
            at, before = hit + 1, wanted

    def differs(self, fact: Data, wanted: Data) -> list[str]:
        """The keys in which a fact is not what is wanted."""
        return [key for key in wanted if not self.matches(fact, {key: wanted[key]})]

    def expect_never(self, said: Any) -> None:
        """None of these facts happened since the last expect."""
        for wanted in self.wanted_facts(said, "never"):
            for fact in self.facts:
                if self.matches(fact, wanted, loosely=True):
                    raise ScenarioError(f"never: {shown_fact(fact)} did happen")

    def check_view(self, said: Any) -> None:
        """`view: {by: Ben, sees: {Ann: {money: 9844}}, hides: {Ann: [cards]}}`."""
        if not isinstance(said, dict) or "by" not in said or not set(said) <= {"by", "sees", "hides"} or len(said) < 2:
            raise ScenarioError("view must say by, and sees or hides")
        for part in ("sees", "hides"):
            if part in said and (not isinstance(said[part], dict) or not said[part]):
                raise ScenarioError(f"view: {part} must name things")
        viewer = str(said["by"])
        if viewer.casefold() in ("admin", "visitor"):
            viewer = viewer.casefold()
        else:
            self.player(viewer)
        things = self.host.view(viewer, self.now)["things"]
        for key, wanted in said.get("sees", {}).items():
            if key in ("events", "never"):
                self.check_log(viewer, key, wanted)
            else:
                self.check_seen(viewer, things, self.name(key), wanted)
        for key, names in said.get("hides", {}).items():
            self.check_hidden(viewer, things, self.name(key), names)

    def check_log(self, viewer: str, key: str, wanted: Any) -> None:
        """Raise unless a viewer sees these facts since the last expect (`events`), or nothing of the kind (`never`)."""
        entries = self.host.facts(viewer, self.read_until + 1)
        if key == "events":
            try:
                self.expect_events(wanted, [fact for entry in entries for fact in entry["facts"]])
            except ScenarioError as error:
                raise ScenarioError(f"view: what {viewer} sees: {error}") from None
            return
        for each in self.wanted_facts(wanted, "never", self.order_fields()):
            for entry in entries:
                order = {**entry["args"], **{part: entry[part] for part in ("by", "do", "kind")}}
                for part in (*entry["facts"], order):
                    if self.matches(part, each, loosely=True):
                        raise ScenarioError(f"view: never: {viewer} sees {shown_fact(part)}")

    def order_fields(self) -> set[str]:
        """What an entry of the log may say besides its facts: who did what, and the fields of every form."""
        described = self.host.describe()
        fields = {name.rstrip("_") for action in described["actions"] for name in described["events"][action]["fields"]}
        return fields | {"by", "do", "kind"}

    def check_seen(self, viewer: str, things: Data, id: str, wanted: Any) -> None:
        """Raise unless a viewer sees these attributes of a thing with these values."""
        if id not in things:
            raise ScenarioError(f"view: {viewer} sees no {id}")
        if not isinstance(wanted, dict) or not wanted:
            raise ScenarioError(f"view: sees: {id} must say {{attribute: value}}")
        for name, value in wanted.items():
            if name not in things[id]:
                raise ScenarioError(f"view: {viewer} does not see {name} of {id}")
            found = self.kind_of(id, things[id]) if name == "kind" else things[id][name]
            if not self.is_expected(found, value, self.schema_type(things[id]["kind"], name)):
                raise ScenarioError(f"view: {viewer} sees {name} of {id} as {shown(found)}, not {shown(value)}")

    def kind_of(self, id: str, seen: Data) -> Any:
        """What is shown as the kind of a thing: a value of that name where rules declare one for it, as of creatures."""
        try:
            return self.host.value("kind", id)
        except KeyError:
            return seen["kind"]

    def check_hidden(self, viewer: str, things: Data, id: str, names: Any) -> None:
        """Raise unless these attributes of a thing (None: all of it) are hidden from a viewer."""
        if id not in self.ids():
            raise ScenarioError(f"view: nothing here is called {id}")
        if names is None:
            if id in things:
                raise ScenarioError(f"view: {viewer} sees {id}")
            return
        if not isinstance(names, list) or not names:
            raise ScenarioError(f"view: hides: {id} must be a list of attributes, or null for all of it")
        for name in names:
            self.read(id, str(name))
            if name in things.get(id, {}):
                raise ScenarioError(f"view: {viewer} sees {name} of {id}")


def number_in(id: str) -> int:
    """The number at the end of an id, for taking the last away first: squares have no gaps."""
    found = re.search(r"\d+$", id)
    return int(found[0]) if found else 0


def fields_told(sources: Iterable[str]) -> dict[str, set[str]]:
    """The details that programs give to facts, by word: `fact("paid", how=...)`; `note(how=...)` counts for any ("")."""
    told: dict[str, set[str]] = {"": set()}
    for source in sources:
        for word, names in told_by(source):
            told.setdefault(word, set()).update(names)
    return told


@lru_cache(4096)
def told_by(source: str) -> list[tuple[str, set[str]]]:
    """The details that one program gives to facts, by word."""
    told = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            names = {keyword.arg for keyword in node.keywords if keyword.arg is not None}
            if node.func.id == "note":
                told.append(("", names))
            elif node.func.id == "fact" and node.args and isinstance(node.args[0], ast.Constant):
                told.append((str(node.args[0].value), names))
    return told


def covers(said: str, rule: str) -> bool:
    """Whether a rule number in a scenario means this rule: itself or one of its rows."""
    return said == rule or rule.startswith(said + "/")


def said_of(fault: Data | None) -> str:
    """A fault in one line."""
    return f"rule {fault['rule']}, line {fault['line']}: {fault['message']}" if fault else ""


def rules_run(data: Any) -> set[str]:
    """The rules whose code a scenario runs (in CPython). Raises CommandError if it fails: then it shows nothing."""
    ran: set[str] = set()
    watching.append(ran)
    try:
        failure = run(data, runtime="cpython").failure
    finally:
        watching.pop()
    if failure is not None:
        raise CommandError(f"{data.get('scenario')}: {failure}")
    return ran


def coverage(paths: Iterable[Path]) -> dict[str, list[str]]:
    """For each edition that these scenarios play: the rules with code that none of them ran."""
    ran: dict[str, set[str]] = {}
    told = [data for path in find(paths) for _, data in load(path) if isinstance(data, dict) and data.get("edition")]
    for data in told:
        seen = ran.setdefault(str(data["edition"]), set())
        if not data.get("rules") or not all(str(rule) in seen for rule in data["rules"]):
            seen.update(rules_run(data))
    return {edition: not_among(edition, rules) for edition, rules in ran.items()}


def not_among(edition: str, ran: set[str]) -> list[str]:
    """The rules of an edition that have code and are not among those that ran."""
    records = load_edition(edition).records
    with_code = [record["id"] for record in records if re.search(r"^\s*(def |.*\blambda\b)", record["code"], re.M)]
    return [id for id in with_code if id not in ran]


def main(paths: list[str] | None = None, runtime: str = "both", show_coverage: bool = False) -> int:
    """The command `nomopoly scenario`: run scenarios, or list the rules whose code none ran. Returns the exit status."""
    if runtime not in ("both", "cpython", "monty"):
        raise CommandError(f"there is no runtime '{runtime}': there are cpython, monty and both")
    places: list[Path] = [Path(path) for path in paths] if paths else shipped()
    if not places:
        raise CommandError("no scenarios are shipped; name a file or folder")
    if show_coverage:
        missing = coverage(places)
        for edition, rules in missing.items():
            print(f"{edition}: {'every rule with code was run' if not rules else 'never run: ' + ', '.join(rules)}")
        return 1 if any(missing.values()) or not missing else 0
    failed = total = 0
    runtimes = ("cpython", "monty") if runtime == "both" else (runtime,)
    for path in find(places):
        try:
            documents = load(path)
        except CommandError as error:
            print(f"FAILED {error}")
            failed, total = failed + 1, total + 1
            continue
        for where, data in documents:
            for name in runtimes:
                result = run(data, where, name)
                print(result)
                total += 1
                failed += result.failure is not None
    print(f"{total - failed} passed, {failed} failed")
    return 1 if failed else 0
