"""A scenario being played: in a game of its own, in memory, with dice seeded by its name, step by step."""

from __future__ import annotations

import hashlib
import re
import time
from dataclasses import dataclass
from functools import cache
from typing import Any

from nomopoly.errors import CommandError
from nomopoly.rulebook.source import Book, editions, load_edition
from nomopoly.runtime.host import open_game
from nomopoly.runtime.interpreters import Fault
from nomopoly.runtime.journal import JournalError
from nomopoly.runtime.outcomes import Outcome
from nomopoly.runtime.protocol import (
    APPROVE_PLAYER,
    GRANT,
    MOVE,
    ORDER_WAITS,
    PAUSE_BECAUSE,
    PROPOSE,
    RESUME,
    TURN,
    VOTE,
)
from nomopoly.runtime.scenarios.expect import Alias, Expectations, covers
from nomopoly.runtime.scenarios.form import (
    BESIDE_KEYS,
    STEP_KEYS,
    ScenarioError,
    check_form,
    parse_span,
    read_zone,
    unknown_key,
)
from nomopoly.runtime.scenarios.keys import has_gaps, moments

Data = dict[str, Any]
SLIPS = ("no-action", "no-field", "no-attribute", "no-thing")  # refusals that show a slip of the pen (see `refuse_as`)
A_SQUARE = "no-thing:square"  # its number is none: it may be that the board has not so many
DEFAULT_START = "2026-03-02T09:00"
A_YEAR = 366 * 86400
MOST_ON_THE_CLOCK = 100_000  # entries


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


@cache
def shipped_actions() -> frozenset[str]:
    """The names of all actions that the rules of shipped editions declare."""
    codes = [record["code"] for edition in editions() for record in book_of(edition).records]
    return frozenset(name for code in codes for name in re.findall(r'@action\(\s*"([\w-]+)"', code))


def run(
    data: object,
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


class Play(Expectations):
    """One scenario being played."""

    def __init__(
        self, data: Any, runtime: str, book: Book | None = None, once: str = "", seconds: float | None = None
    ) -> None:
        if book is not None and isinstance(data, dict):
            data = {"edition": book.edition, **data}
        check_form(data)
        if book is not None and data["edition"] != book.edition:
            raise ScenarioError(f"edition: this game is one of {book.edition}, not of {data['edition']}")
        self.book = book
        self.once = once
        self.deadline = None if seconds is None else time.monotonic() + seconds
        self.runtime = runtime
        super().__init__(data, read_zone(data.get("time_zone", "UTC")))
        self.draws: list[Any] = []
        self.waiting_draws: list[tuple[int, list[Any]]] = []  # of steps that wait: the number of the step, its draws
        self.drawn = 0  # in this step, from the dice that the title seeds
        self.short_of_draws: list[int] = []  # the numbers of steps that drew more than their draws say
        self.now = self.moment(data.get("start", DEFAULT_START), "start")

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
            runtime=self.interpreter(),
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
                raise ScenarioError(f"step {at + 1}: {error}{self.more_draws()}") from None
        if self.draws:
            raise ScenarioError(f"step {self.place_of_draws()}: draws: {self.draws} were never drawn")

    def interpreter(self) -> str:
        """The runtime that plays it: of a shipped book one that games use in turn."""
        shared = {"cpython": "cpython-timed"} | ({"monty": "monty-shared"} if self.book is None else {})
        return shared.get(self.runtime, self.runtime)

    def give(self, given: Data) -> None:
        """Patch the opening state. The rules on granting hear of moments, so that clocks can be set by them."""
        things = {str(id): self.given_values(str(id), values) for id, values in given.items()}
        told = {"things": things, "alone": has_gaps(str(self.data["edition"]))}
        outcomes = [self.submit("admin", "Admin", "given", told)]
        kinds = self.ids()
        for id, values in things.items():
            for name, value in (values or {}).items():
                if outcomes[0].ok and value is not None and self.schema_type(kinds[id], name) == "moment":
                    wanted = {"thing": id, "attribute": name, "value": value, "because": "given"}
                    outcomes.append(self.submit("admin", "Admin", GRANT, wanted))
        for outcome in outcomes:
            if not outcome.ok:
                raise ScenarioError(outcome.refused or f"given: {said_of(outcome.fault)}")

    def given_values(self, id: str, values: object) -> Any:
        """The values to patch a thing with."""
        if values is None:
            return None
        if not isinstance(values, dict):
            raise ScenarioError(f"given: {id} must say {{attribute: value}}")
        kind = self.ids().get(id, "square" if id.startswith("#") else "")
        return {name: self.given_value(kind, name, value) for name, value in values.items()}

    def given_value(self, kind: str, name: str, value: object) -> Any:
        """One of them as things keep it: a moment in seconds, a table as a list of pairs."""
        if isinstance(value, str) and self.schema_type(kind, name) == "moment":
            return self.moment(value, name)
        return [[key, each] for key, each in value.items()] if isinstance(value, dict) else value

    def close(self) -> None:
        """Give the runtime back."""
        if self.game is not None:
            self.game.runtime.close()

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

    def step(self, step: object, number: int = 0) -> None:
        """Play one step; `number` is its place in the scenario."""
        self.hurry()
        if not isinstance(step, dict):
            raise ScenarioError(f"a step says what happens, e.g. turn: Ann; not {step!r}")
        kinds = [key for key in step if key in STEP_KEYS]
        for key in step:
            if key not in STEP_KEYS and key not in BESIDE_KEYS:
                raise ScenarioError(unknown_key(key, STEP_KEYS + BESIDE_KEYS))
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
        if step.get("queued") and (kind != "order" or ORDER_WAITS not in self.host.describe()["events"]):
            raise ScenarioError(
                f"queued: {'in this edition every order' if kind == 'order' else kind} is done when it arrives"
            )
        self.run_clock(self.now, None)  # what is overdue comes before any step, without its draws
        earlier = self.draws
        self.draws = [*earlier, *drawn]
        self.drawn, prescribed = 0, bool(self.draws)
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
        if prescribed and self.drawn:
            self.short_of_draws.append(number)
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

    def more_draws(self) -> str:
        """What to add to a failure after a step that drew more than its draws say: it may be due to that."""
        if not self.short_of_draws:
            return ""
        return f" (step {self.short_of_draws[-1]} drew more than its draws say: the dice of the title made the rest)"

    # ---- how a step ended

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
        """Fail where an entry was refused for a name that this game does not know, unless the scenario says just
        that."""
        slip = bad.code.partition(":")[0] in SLIPS and bad.code != A_SQUARE and bad.rule in (None, "kernel")
        wanted = step.get("refused")
        if not slip or wanted is None:
            return
        asked = step[kind]["do"] if kind in ("order", "admin") else kind
        if wanted is True and bad.code == "no-action" and self.is_an_action(str(asked)):
            return
        reason = str(bad.refused).split(";")[0]  # without the list of what there is
        if not isinstance(wanted, str) or wanted.casefold() not in reason.casefold():
            raise ScenarioError(f"{kind}: {bad.refused}")

    def is_an_action(self, name: str) -> bool:
        """Whether an action of that name is known here, to others, or in some edition: then it is no slip of the
        pen."""
        return name in self.host.describe()["actions"] or name in shipped_actions()

    @staticmethod
    def match_reason(key: str, wanted: object, said: str | None, bad: Outcome | None) -> None:
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
        self.drawn += outcome.drawn
        if outcome.ok and not undrawn:
            self.draws = list(outcome.unused)
        return outcome

    def submit(self, kind: str, by: str | None, do: str | None, args: Data, queued: bool = False) -> Outcome:
        """One entry, with the draws that are prescribed. A ballot is cast, and is no entry."""
        more: Data = {"draws": self.draws} if self.draws else {}
        if queued:
            more["queued"] = True
        if kind == "order" and do and (do in self.host.describe()["ballots"] or (do == VOTE and self.host.disrupted())):
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
            return [self.submit("admin", "Admin", PROPOSE, args)]
        return [self.submit("order", self.player(said["by"]), PROPOSE, args)]

    def do_vote(self, said: Any, step: Data) -> list[Outcome]:
        """`vote: {by: Ben, on: P1, choice: "yes"}`."""
        args = self.arguments(said, "vote", "by")
        by = "Admin" if str(said["by"]).casefold() == "admin" else self.player(said["by"])
        return [self.submit("order", by, VOTE, args)]

    def do_turn(self, said: object, step: Data) -> list[Outcome]:
        """`turn: Ann`: this player takes a turn now."""
        kind = self.ids().get(str(said), "player")
        if kind != "player" and f"{kind}{MOVE}" in self.host.describe()["events"]:
            return [self.submit("tick", None, f"{kind}{MOVE}", {kind: str(said)})]
        return [self.submit("tick", None, TURN, {"who": self.player(said)})]

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
        if said["do"] == "run-again" or (said["do"] == RESUME and self.host.resume_runs_again()):
            more: Data = {"draws": self.draws} if self.draws else {}
            return self.keep(self.host.run_again(self.now, **more))
        return self.submit("admin", "Admin", str(said["do"]), args)

    def do_join(self, said: object, step: Data) -> list[Outcome]:
        """`join: Cid`: asks, and is approved at once."""
        return [self.join(self.only(said, "join", "name", "by"))]

    @staticmethod
    def only(said: object, kind: str, *keys: str) -> str:
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
        return self.submit("admin", "Admin", APPROVE_PLAYER, {"player": name}) if asked.ok else asked

    def do_leave(self, said: object, step: Data) -> list[Outcome]:
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

    def do_advance(self, said: object, step: Data) -> list[Outcome]:
        """`advance: 2d`: time passes, and what falls due happens."""
        target = self.now + parse_span(said)
        if self.host.over():
            return []
        outcomes = self.run_clock(target, None)
        self.now = target
        return outcomes

    def do_until(self, said: object, step: Data) -> list[Outcome]:
        """`until: update`: up to and including the next moment of that name."""
        if not isinstance(said, str) or said not in self.host.describe()["events"]:
            known = "; ".join(f"{name}: {meaning}" for name, meaning in moments()[str(self.data["edition"])].items())
            raise ScenarioError(f"until: there is no moment '{said}' in this game. Moments are: {known}")
        outcomes = [] if self.host.over() else self.run_clock(None, str(said))
        if not outcomes and self.host.paused():
            why = self.host.value(PAUSE_BECAUSE, "game")
            raise ScenarioError(f"until: no '{said}' comes while the game is paused ({why})")
        if not outcomes:
            raise ScenarioError(f"until: no '{said}' is to come within a year")
        return outcomes

    def run_clock(self, target: int | None, name: str | None) -> list[Outcome]:
        """Do what is due, up to a moment or up to an event of that name."""
        done: list[Outcome] = []
        due: Data | None = None
        went_on = not self.host.paused()
        until = self.now + A_YEAR if target is None else target
        for due, outcomes in self.host.passing(until, self.now, lambda: {"draws": self.draws} if self.draws else {}):
            done += [self.keep(outcome, undrawn=due is None) for outcome in outcomes]
            if any(outcome.fault for outcome in outcomes) and self.host.paused():
                self.draws = []  # what it drew is undone, and how much that was nobody says
            if due is None:
                return done
            self.now = max(self.now, due["at"])
            if due["do"] == name or self.host.over():
                return done
            if name is not None and went_on and self.host.paused():
                return done
            if len(done) > MOST_ON_THE_CLOCK:
                raise ScenarioError("the clock does not come to an end")
            self.hurry()
        if done and not done[-1].ok and not self.host.paused() and self.host.next_due() == due:
            raise ScenarioError(f"the clock cannot go on: {done[-1].refused or said_of(done[-1].fault)}")
        return done if name is None else []

    def arguments(self, said: object, kind: str, *wanted: str) -> Data:
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


def said_of(fault: Data | None) -> str:
    """A fault in one line."""
    return f"rule {fault['rule']}, line {fault['line']}: {fault['message']}" if fault else ""
