"""Copies of a game, to try things out on: in memory, with dice of their own, and nothing that happens there is real.

A copy's first line holds the state it begins with. `as_seen` makes a state that holds nothing but what one player may
see: the rest is left out, or invented from what that player knows.
"""

from __future__ import annotations

import json
import random
import re
import uuid
from collections.abc import Iterator
from typing import Any

from nomopoly.runtime.ballots import MemoryBallots
from nomopoly.runtime.entropy import commitment, new_secret
from nomopoly.runtime.fold import Fold
from nomopoly.runtime.host import Game
from nomopoly.runtime.interpreters import Fault, Incident, Runtime, make_runtime
from nomopoly.runtime.journal import FIRST_HASH, Line, MemoryJournal, iso, seal
from nomopoly.runtime.outcomes import Outcome

Data = dict[str, Any]
CARD = re.compile(r"(10|[2-9JQKA])[SHDC]")
DECK = tuple(
    rank + suit for suit in "SHDC" for rank in ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
)


class CopyJournal(MemoryJournal):
    """Lines in memory that begin with any number."""

    def lines(self, start: int = 0) -> Iterator[Line]:
        """The lines from entry `start` on."""
        return (line for line in self._lines if line["n"] >= start)


class Copy(Game):
    """A copy of a game: the lines of `first_of`, and what has been tried since."""

    def __init__(self, lines: list[Line], secret: str, runtime: str = "monty") -> None:
        first = lines[0]
        self._start: Data = first["args"]["state"]
        fold = Fold(first, begun(first, runtime))
        fold.trusted = fold.vouched = False
        super().__init__(CopyJournal(lines), fold, secret, ballots=MemoryBallots())
        self.outcomes.put(self.n, {})
        for line in lines[1:]:
            if "limit" in line:
                fold.advance(line)
                continue
            outcome = fold.take(line)
            self.outcomes.put(line["n"], fold.with_sentences(outcome))

    @property
    def start(self) -> Data:
        """The state that it began with."""
        return self._start

    def _rewind(self) -> None:
        """Bring the runtime back to the end of the journal."""
        self.runtime.close()
        again = Copy(list(self.journal.lines()), self.secret or new_secret(), self.runtime.name)
        self.fold.runtime = again.runtime
        self.fold.forget_rules()

    def enter(self, entry: Data) -> Data:
        """Carry out an entry that came from elsewhere, under its own number and dice; it leaves no line.

        Returns its outcome: facts, {"refused", "rule"} or {"fault"}.
        """
        try:
            outcome: Data = self.runtime.call("batch", {"entries": [entry]})[0]
        except (Fault, Incident) as fault:
            outcome = {"fault": {"rule": fault.rule, "line": fault.line, "message": fault.message}}
        if "rules" in outcome:
            self.fold.forget_rules()
        if "refused" not in outcome:
            self.fold.now = max(self.now, entry["at"])
        if entry["kind"] in ("tick", "ballots") and "timer" not in entry["args"]:
            self.last_moments[entry["do"]] = entry["at"]
        return outcome

    def book_history(self) -> list[Data]:
        """As of any game; what was put in force here has the cause "tried", if no proposal is named."""
        history = super().book_history()
        tried = {line["n"] for line in self.journal.lines() if line["do"] == "put-in-force"}
        for each in history:
            if each["n"] in tried and each["cause"]["kind"] == "correction":
                each["cause"] = {"kind": "tried", "id": None, "by": None}
        return history

    def put_in_force(self, proposal: Data, by: str = "admin") -> Outcome:
        """What a proposal says holds from now on."""
        args = {"changes": proposal.get("changes") or [], "run": proposal.get("run") or "", "by": by}
        args |= {"carrier": proposal["id"]} if proposal.get("id") else {}
        return self.submit("admin", "Admin", "put-in-force", args, self.now)


def begun(first: Line, runtime: str) -> Runtime:
    """A runtime in the state that a copy begins with."""
    made = make_runtime(runtime)
    try:
        made.call("restore", {"commons": first["args"]["commons"], "state": first["args"]["state"]})
    except (Fault, Incident):
        made.close()
        raise
    return made


def first_of(game: Game, state: Data, secret: str, at: int | None = None) -> Line:
    """The first line of a copy that begins with a state (`Game.state()`, or one by `as_seen`)."""
    args = game.first["args"]
    kept = {name: args[name] for name in ("edition", "title", "time_zone", "kernel", "commons") if name in args}
    line: Line = {
        "n": state["n"],
        "at": iso(max(at or 0, state["now"])),
        "kind": "open",
        "by": None,
        "do": None,
        "args": {
            **kept,
            "id": uuid.uuid4().hex,
            "commitment": commitment(secret),
            "rules": state["rules"],
            "state": state,
        },
        "out": "",
    }
    return seal(line, FIRST_HASH)


def copy_of(
    game: Game, state: Data | None = None, *, runtime: str = "monty", secret: str | None = None, at: int | None = None
) -> Copy:
    """A copy of a game as it is now, or in another state."""
    secret = secret or new_secret()
    return Copy([first_of(game, state if state is not None else game.state(), secret, at)], secret, runtime)


# ---- what one player knows


def as_seen(state: Data, view: Data, seed: str) -> tuple[Data, list[tuple[str, str]]]:
    """A state with nothing in it but what a view shows: (state, what was invented: [(thing, label of the attribute)]).

    What is hidden from the viewer is made up from things of the same kind that they see, or has its default; things
    they know nothing of are not there, nor is what only the clock knows of, nor are open questions: what follows from
    an answer is hidden from all.
    """
    seen = view["things"]
    chance = random.Random(seed)
    known = json.dumps(view["things"])
    told = known + json.dumps(state["rules"])
    cards = cards_in(known)
    models: dict[tuple[str, str], list[Any]] = {}  # by kind and attribute: the values that the viewer sees
    for id, kind, values in state["things"]:
        for name in values:
            if name in seen.get(id, {}):
                models.setdefault((kind, name), []).append(values[name])
    things, invented = [], []
    for id, kind, values in state["things"]:
        if (id not in seen and id != "game") or kind == "question":
            continue
        shown = seen.get(id, {"id": id})
        kept = {name: value for name, value in values.items() if name in shown}
        for attribute in view["schema"].get(kind, ()):
            name = attribute["name"]
            if name in shown or attribute["derived"]:
                continue
            if any(viewer != "nobody" for viewer in attribute["show"]):  # else what rules keep for themselves
                invented.append((id, attribute["label"] or name.replace("_", " ")))
            if (kind, name) in models:
                kept[name] = made_up(chance.choice(models[kind, name]), chance, cards)
        things.append([id, kind, kept])
    there = {id for id, _, _ in things}
    open_kinds = {
        kind
        for kind, attributes in view["schema"].items()
        if not attributes or any("all" in each["show"] for each in attributes)
    }
    moments = {value for thing in seen.values() for value in thing.values() if type(value) is int}
    timers = [timer for timer in state["timers"] if told_of(timer, moments, there, told)]
    named = set(ids_in([values for _, _, values in things])) | set(ids_in([timer[3] for timer in timers]))
    named |= gone_openly(state, open_kinds)
    kinds = dict([*(each[:2] for each in state["things"]), *state["ghosts"]])
    ghosts = [[id, kind] for id, kind in kinds.items() if id not in there and id in named]
    made = {
        **{part: content for part, content in state.items() if part != "waiting"},
        "things": things,
        "ghosts": ghosts,
        "timers": timers,
        "counters": {
            series: number if series not in view["schema"] or series in open_kinds else highest(series, kinds, there)
            for series, number in state["counters"].items()
        },
    }
    return made, invented


def gone_openly(state: Data, open_kinds: set[str]) -> set[str]:
    """The ids of things that are gone and were no secret."""
    return {id for id, kind in state["ghosts"] if kind in open_kinds}


def highest(series: str, kinds: dict[str, str], there: set[str]) -> int:
    """The highest number that a known thing of a kind bears."""
    numbers = [re.search(r"\d+$", id) for id in there if kinds[id] == series]
    return max((int(found[0]) for found in numbers if found), default=0)


def cards_in(told: str) -> set[str]:
    """The cards that stand somewhere in an encoded text."""
    return {card for card in DECK if f'"{card}"' in told}


def made_up(value: Any, chance: random.Random, known: set[str]) -> Any:
    """A value like one that the viewer knows: other cards than the known ones, a tossed coin, else the same."""
    if isinstance(value, dict) and "thing" in value:
        return value
    if isinstance(value, dict):
        return {key: made_up(part, chance, known) for key, part in value.items()}
    if isinstance(value, list):
        made: list[Any] = []
        for part in value:
            made.append(made_up(part, chance, known | cards_in(json.dumps(made))))
        return made
    if isinstance(value, bool):
        return chance.random() < 0.5
    if isinstance(value, str) and CARD.fullmatch(value):
        return chance.choice([card for card in DECK if card not in known] or [value])
    return value


def told_of(timer: list[Any], moments: set[int], there: set[str], told: str) -> bool:
    """Whether a viewer knows of a timer: its moment stands in their view, and so does all that it is about."""
    at, fields = timer[1], timer[3]
    if not {at, at - 1} & moments or not set(ids_in([fields])) <= there:
        return False
    return all(json.dumps(word)[1:-1] in told for word in words_in([fields]))


def ids_in(data: Any) -> Iterator[str]:
    """The things that packed values name."""
    if isinstance(data, dict):
        if isinstance(data.get("thing"), str):
            yield data["thing"]
        for part in data.values():
            yield from ids_in(part)
    elif isinstance(data, list):
        for part in data:
            yield from ids_in(part)


def words_in(data: Any) -> Iterator[str]:
    """All texts in data."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for part in data.values():
            yield from words_in(part)
    elif isinstance(data, list):
        for part in data:
            yield from words_in(part)
