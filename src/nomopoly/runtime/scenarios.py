"""Scenarios: small game scripts with expectations, in YAML 1.2 (design, 7).

A scenario that names an unknown thing, attribute, action, fact or moment fails with that name; it never passes by
omission. Each runs in a game of its own, in memory, with dice seeded by its name.
"""

from __future__ import annotations

import datetime
import hashlib
import importlib.resources
import json
import re
import sys
import zoneinfo
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

from ruamel.yaml import YAML, YAMLError
from ruamel.yaml.constructor import SafeConstructor

from nomopoly.errors import CommandError
from nomopoly.rulebook.source import load_edition
from nomopoly.runtime.host import Game, Outcome, open_game
from nomopoly.runtime.journal import JournalError

Data = dict[str, Any]
TOP_KEYS = ("scenario", "edition", "rules", "players", "start", "time_zone", "given", "steps")
STEP_KEYS = (
    "order",
    "turn",
    "expect",
    "advance",
    "until",
    "propose",
    "vote",
    "admin",
    "join",
    "leave",
    "withdraw",
    "view",
)
BESIDE_KEYS = ("draws", "refused", "fault", "as", "queued")
KERNEL_FACTS = {"enacted", "amended", "repealed", "granted", "told", "struck"}
DEFAULT_START = "2026-03-02T09:00"
SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}


class ScenarioError(Exception):
    """Why a scenario fails; the message says at which step."""


class WordConstructor(SafeConstructor):
    """YAML values as scenarios want them: moments stay words."""


WordConstructor.add_constructor("tag:yaml.org,2002:timestamp", lambda loader, node: node.value)


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


@dataclass
class Alias:
    """What `as:` names: an entry and the things that it made."""

    n: int
    things: list[str] = field(default_factory=list)


def load(path: Path) -> list[tuple[str, Any]]:
    """The scenarios of a file, as (where, data); a file may hold several documents. Raises CommandError."""
    yaml = YAML(typ="safe", pure=True)
    yaml.Constructor = WordConstructor
    try:
        text = path.read_text(encoding="utf-8")
        documents = list(yaml.load_all(text))
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{path}: cannot be read ({error})") from error
    except (YAMLError, ValueError, RecursionError) as error:
        raise CommandError(f"{path}: not YAML: {' '.join(str(error).split())}") from error
    if not documents:
        raise CommandError(f"{path}: holds no scenario")
    return [(f"{path}" if len(documents) == 1 else f"{path} #{at + 1}", each) for at, each in enumerate(documents)]


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


def run(data: Any, where: str = "", runtime: str = "cpython") -> Result:
    """Run one scenario in one runtime."""
    name = str(data.get("scenario", "")) if isinstance(data, dict) else ""
    result = Result(name or where or "?", where, runtime)
    play: Play | None = None
    try:
        play = Play(data, runtime)
        play.run()
    except ScenarioError as error:
        result.failure = str(error)
    except (CommandError, JournalError) as error:
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


class Play:
    """One scenario being played."""

    def __init__(self, data: Any, runtime: str) -> None:
        self.game: Game | None = None
        self.check_form(data)
        self.data = data
        self.runtime = runtime
        self.zone = self.read_zone(data.get("time_zone", "UTC"))
        self.aliases: dict[str, Alias] = {}
        self.facts: list[Data] = []
        self.all_facts: set[str] = set()
        self.draws: list[Any] = []
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
        if not isinstance(data["steps"], list):
            raise ScenarioError("'steps' must be a list")
        if not isinstance(data.get("players") or [], list):
            raise ScenarioError("'players' must be a list of names")
        if not isinstance(data.get("given") or {}, dict):
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
        book = load_edition(str(self.data["edition"]))
        numbers = {record["id"] for record in book.records}
        for rule in self.data.get("rules") or []:
            if not any(covers(str(rule), number) for number in numbers):
                raise ScenarioError(f"rules: there is no rule {rule} in edition {book.edition}")
        name = str(self.data["scenario"])
        self.game = open_game(
            book,
            title=name,
            game_id=f"scenario:{name}",
            runtime=self.runtime,
            time_zone=self.zone.key,
            at=self.now,
            secret=hashlib.sha256(f"scenario:{name}".encode()).hexdigest(),
        )
        for player in self.data.get("players") or []:
            outcome = self.join(str(player))
            if not outcome.ok:
                raise ScenarioError(f"players: {player} cannot join: {outcome.refused}")
        self.facts = []
        if self.data.get("given"):
            things = {
                self.name(key): self.given_values(self.name(key), each) for key, each in self.data["given"].items()
            }
            outcome = self.game.admin("given", {"things": things}, self.now)
            if not outcome.ok:
                raise ScenarioError(outcome.refused or f"given: {outcome.fault and outcome.fault['message']}")
            self.facts = []
        for at, step in enumerate(self.data["steps"]):
            try:
                self.step(step)
            except ScenarioError as error:
                raise ScenarioError(f"step {at + 1}: {error}") from None
        if self.draws:
            raise ScenarioError(f"draws: {self.draws} were never drawn")

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

    def step(self, step: Any) -> None:
        """Play one step."""
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
        self.draws = [*self.draws, *drawn]
        before = set(self.ids())
        outcomes = getattr(self, "do_" + kind)(step[kind], step)
        label = step.get("as") or (step[kind].get("as") if isinstance(step[kind], dict) else None)
        self.judge(kind, step, outcomes)
        if label is not None:
            last = outcomes[-1]
            if last.n is not None:
                self.aliases[str(label)] = Alias(last.n, [id for id in self.ids() if id not in before])

    def judge(self, kind: str, step: Data, outcomes: list[Outcome]) -> None:
        """Compare how a step ended with what it says about that."""
        for outcome in outcomes:
            message = (outcome.fault or {}).get("message", "")
            if "draws: " in message:
                raise ScenarioError(message[message.index("draws: ") :])
        bad = next((outcome for outcome in outcomes if not outcome.ok), None)
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
            raise ScenarioError(f"{kind} was refused: {bad.refused}" if bad.refused else f"fault: {said_of(bad.fault)}")

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

    def keep(self, outcome: Outcome) -> Outcome:
        """Remember the facts of an outcome, and which draws it has left."""
        self.facts.extend(outcome.facts)
        self.all_facts.update(str(fact.get("what")) for fact in outcome.facts)
        if outcome.ok:
            self.draws = list(outcome.unused)
        return outcome

    def submit(self, kind: str, by: str | None, do: str | None, args: Data) -> Outcome:
        """One entry, with the draws that are prescribed."""
        more: Data = {"draws": self.draws} if self.draws else {}
        return self.keep(self.host.submit(kind, by, do, args, self.now, **more))

    # ---- steps that act

    def do_order(self, said: Any, step: Data) -> list[Outcome]:
        """`order: {by: Ann, do: buy-square, square: "#5"}`."""
        args = self.arguments(said, "order", "by", "do")
        return [self.submit("order", self.player(said["by"]), str(said["do"]), args)]

    def do_propose(self, said: Any, step: Data) -> list[Outcome]:
        """`propose: {by: Ann, as: P1, title: T, text: words, changes: [...], run: code}`."""
        args = self.arguments(said, "propose", "by")
        if str(said["by"]).casefold() == "admin":
            return [self.submit("admin", "Admin", "propose", args)]
        return [self.submit("order", self.player(said["by"]), "propose", args)]

    def do_vote(self, said: Any, step: Data) -> list[Outcome]:
        """`vote: {by: Ben, on: P1, choice: "yes"}`."""
        args = self.arguments(said, "vote", "by")
        return [self.submit("order", self.player(said["by"]), "vote", args)]

    def do_turn(self, said: Any, step: Data) -> list[Outcome]:
        """`turn: Ann`: this player takes a turn now."""
        return [self.submit("tick", None, "turn", {"who": self.player(said)})]

    def do_admin(self, said: Any, step: Data) -> list[Outcome]:
        """`admin: {do: accept, on: P1}`."""
        args = self.arguments(said, "admin", "do")
        if said["do"] == "strike":
            alias = self.aliases.get(str(said.get("on")))
            entry = alias.n if alias else said.get("on")
            return [self.keep(self.host.strike(entry, str(args.get("because", "")), self.now))]
        return [self.submit("admin", "Admin", str(said["do"]), args)]

    def do_join(self, said: Any, step: Data) -> list[Outcome]:
        """`join: Cid`: asks, and is approved at once."""
        return [self.join(str(said.get("name", said.get("by"))) if isinstance(said, dict) else str(said))]

    def join(self, name: str) -> Outcome:
        """Ask to join and be approved."""
        asked = self.submit("join", name, None, {})
        return self.submit("admin", "Admin", "approve-player", {"player": name}) if asked.ok else asked

    def do_leave(self, said: Any, step: Data) -> list[Outcome]:
        """`leave: {by: Cid}`."""
        name = said.get("by") if isinstance(said, dict) else said
        return [self.submit("leave", self.player(name), None, {})]

    def do_withdraw(self, said: Any, step: Data) -> list[Outcome]:
        """`withdraw: {by: Ann, order: E1}`: take a waiting order back."""
        self.arguments(said, "withdraw", "by", "order")
        alias = self.aliases.get(str(said["order"]))
        if alias is None:
            raise ScenarioError(f"withdraw: no earlier step is called {said['order']}")
        return [self.submit("withdraw", self.player(said["by"]), None, {"order": alias.n})]

    def do_advance(self, said: Any, step: Data) -> list[Outcome]:
        """`advance: 2d`: time passes, and what falls due happens."""
        target = self.now + parse_span(said)
        outcomes = self.run_clock(target, None)
        self.now = target
        return outcomes

    def do_until(self, said: Any, step: Data) -> list[Outcome]:
        """`until: update`: up to and including the next moment of that name."""
        if said not in self.host.describe()["events"]:
            raise ScenarioError(f"until: there is no moment '{said}' in this game")
        outcomes = self.run_clock(None, str(said))
        if not outcomes:
            raise ScenarioError(f"until: no '{said}' is to come")
        return outcomes

    def run_clock(self, target: int | None, name: str | None) -> list[Outcome]:
        """Do what is due, up to a moment or up to an event of that name."""
        done: list[Outcome] = []
        while True:
            due = self.host.next_due()
            if due is None or (target is not None and due["at"] > target):
                return done if name is None else []
            self.now = max(self.now, due["at"])
            outcome = self.submit("tick", None, due["do"], due["args"])
            done.append(outcome)
            if due["do"] == name:
                return done
            if not outcome.ok and not self.host.paused():
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
                names.add(str(said.get("name", said.get("by")) if isinstance(said, dict) else said))
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
        rest = {key: each for key, each in said.items() if key not in ("by", "do", "as")}
        unresolved = ("title", "text", "changes", "run", "because", "name", "words")
        return {key: each if key in unresolved else self.resolve(each) for key, each in rest.items()}

    def schema_type(self, kind: str, name: str) -> str:
        """The declared type of an attribute or shown value, or ""."""
        for entry in self.host.describe()["schema"].get(kind, ()):
            if entry["name"] == name:
                return str(entry["type"])
        return ""

    def given_values(self, id: str, values: Any) -> Any:
        """The values to patch a thing with; moments become seconds."""
        if values is None:
            return None
        if not isinstance(values, dict):
            raise ScenarioError(f"given: {id} must say {{attribute: value}}")
        kind = self.ids().get(id, "square" if id.startswith("#") else "")
        return {
            name: self.moment(value, name)
            if isinstance(value, str) and self.schema_type(kind, name) == "moment"
            else value
            for name, value in values.items()
        }

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
            expected = self.expected(value, found, self.schema_type(things[id], str(said)))
            if not is_same(found, expected):
                raise ScenarioError(f"expect: {said} of {id} is {shown(found)}, not {shown(value)}")

    def could_exist(self, id: str) -> bool:
        """Whether an id has the form of some kind of thing, or is a player's or a label of this scenario."""
        prefixes = [re.escape(prefix) for prefix in self.host.describe()["prefixes"]]
        if prefixes and re.fullmatch(f"(?:{'|'.join(prefixes)})\\d+", id):
            return True
        return id in self.seen_players()

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

    def matches(self, fact: Data, wanted: Data) -> bool:
        """Whether a fact has all that is wanted."""
        for key, value in wanted.items():
            if key not in fact:
                if value is None:
                    continue
                return False
            if key == "rule":
                if not covers(str(value), str(fact["rule"])):
                    return False
                continue
            is_moment = isinstance(value, str) and re.match(r"\d{4}-\d\d-\d\d", value)
            if not is_same(fact[key], self.expected(value, fact[key], "fact" if is_moment else "")):
                return False
        return True

    def wanted_facts(self, said: Any, key: str) -> list[Data]:
        """The list of facts an expectation names, refused where it could not match anything."""
        if not isinstance(said, list) or not said or not all(isinstance(each, dict) and each for each in said):
            raise ScenarioError(f"{key} must be a list of {{what: ..., ...}}")
        described = self.host.describe()
        words = {event["fact"] for event in described["events"].values()} | KERNEL_FACTS | self.all_facts
        for record in self.host.records():
            words.update(re.findall(r"\bfact\(\s*[\"']([\w-]+)[\"']", record["code"]))
        for each in said:
            if "what" in each and each["what"] not in words:
                raise ScenarioError(f"{key}: no fact is called '{each['what']}'")
            if "rule" in each and not self.rule_known(str(each["rule"])):
                raise ScenarioError(f"{key}: there is no rule {each['rule']}")
        return said

    def rule_known(self, rule: str) -> bool:
        """Whether a rule of that number is, or was at the opening, in the book."""
        numbers = {record["id"] for record in self.host.records()} | set(self.aliases)
        numbers |= {record["id"] for record in self.host.first["args"]["rules"]}
        numbers |= {str(fact.get("rule")) for fact in self.facts}
        return any(covers(rule, number) for number in numbers)

    def expect_events(self, said: Any) -> None:
        """All these facts happened since the last expect, in this order."""
        left = iter(self.facts)
        for wanted in self.wanted_facts(said, "events"):
            if not any(self.matches(fact, wanted) for fact in left):
                there = ", ".join(shown_fact(fact) for fact in self.facts) or "nothing"
                raise ScenarioError(f"events: {wanted} did not happen (in this order). Since the last expect: {there}")

    def expect_never(self, said: Any) -> None:
        """None of these facts happened since the last expect."""
        for wanted in self.wanted_facts(said, "never"):
            for fact in self.facts:
                if self.matches(fact, wanted):
                    raise ScenarioError(f"never: {shown_fact(fact)} did happen")

    def check_view(self, said: Any) -> None:
        """`view: {by: Ben, sees: {Ann: {money: 9844}}, hides: {Ann: [cards]}}`."""
        if not isinstance(said, dict) or "by" not in said or not set(said) <= {"by", "sees", "hides"} or len(said) < 2:
            raise ScenarioError("view must say by, and sees or hides")
        viewer = str(said["by"])
        if viewer.casefold() in ("admin", "visitor"):
            viewer = viewer.casefold()
        else:
            self.player(viewer)
        things = self.host.view(viewer, self.now)["things"]
        for key, wanted in (said.get("sees") or {}).items():
            id = self.name(key)
            if id not in things:
                raise ScenarioError(f"view: {viewer} sees no {id}")
            for name, value in wanted.items():
                if name not in things[id]:
                    raise ScenarioError(f"view: {viewer} does not see {name} of {id}")
                found = things[id][name]
                if not is_same(found, self.expected(value, found, self.schema_type(things[id]["kind"], name))):
                    raise ScenarioError(f"view: {viewer} sees {name} of {id} as {shown(found)}, not {shown(value)}")
        for key, names in (said.get("hides") or {}).items():
            id = self.name(key)
            if id not in self.ids():
                raise ScenarioError(f"view: nothing here is called {id}")
            if names is None:
                if id in things:
                    raise ScenarioError(f"view: {viewer} sees {id}")
                continue
            for name in names:
                self.read(id, str(name))
                if name in things.get(id, {}):
                    raise ScenarioError(f"view: {viewer} sees {name} of {id}")


def covers(said: str, rule: str) -> bool:
    """Whether a rule number in a scenario means this rule: itself or one of its rows."""
    return said == rule or rule.startswith(said + "/")


def said_of(fault: Data | None) -> str:
    """A fault in one line."""
    return f"rule {fault['rule']}, line {fault['line']}: {fault['message']}" if fault else ""


def shown(value: Any) -> str:
    """A value in a message, as YAML writes it."""
    return json.dumps(value, ensure_ascii=False)


def shown_fact(fact: Data) -> str:
    """A fact in a message."""
    rest = {key: each for key, each in fact.items() if key not in ("what", "event", "depth", "say")}
    return f"{fact.get('what')} {rest}"


def rules_run(data: Any) -> set[str]:
    """The rules whose code a scenario runs (in CPython)."""
    ran: set[str] = set()

    def watch(frame: FrameType, event: str, arg: Any) -> None:
        if event == "call" and frame.f_code.co_filename == "<string>" and frame.f_code.co_name != "<module>":
            rule = frame.f_globals.get("rule")
            if rule is not None:
                ran.add(rule.id)

    sys.setprofile(watch)
    try:
        run(data, runtime="cpython")
    finally:
        sys.setprofile(None)
    return ran


def coverage(paths: Iterable[Path]) -> dict[str, list[str]]:
    """For each edition that these scenarios play: the rules with code that none of them ran."""
    ran: dict[str, set[str]] = {}
    for path in find(paths):
        for _, data in load(path):
            if isinstance(data, dict) and data.get("edition"):
                ran.setdefault(str(data["edition"]), set()).update(rules_run(data))
    missing = {}
    for edition, rules in ran.items():
        records = load_edition(edition).records
        with_code = [record["id"] for record in records if re.search(r"^\s*(def |.*\blambda\b)", record["code"], re.M)]
        missing[edition] = [id for id in with_code if id not in rules]
    return missing


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
