"""A game as one reads it: what it holds, what its rules declare, what a viewer may see of it, and what has happened."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from typing import Any

from nomopoly.rulebook.heeding import Heeding
from nomopoly.runtime.ballots import Ballot, BallotBox, box_beside
from nomopoly.runtime.fold import Fold
from nomopoly.runtime.halves import mended
from nomopoly.runtime.interpreters import Fault, Runtime
from nomopoly.runtime.journal import (
    Journal,
    moment_of,
)
from nomopoly.runtime.log import Log, cause_of
from nomopoly.runtime.moments import exact_in
from nomopoly.runtime.outcomes import MemoryOutcomes, OutcomeStore
from nomopoly.runtime.protocol import (
    JOINED_AT,
    OPERATOR_STOP,
    OVER,
    PAUSE_KIND,
    PAUSED,
    RESUMED_AT,
)
from nomopoly.runtime.replay import (
    hidden_secret_of,
    struck_numbers,
)
from nomopoly.runtime.seeing import ANSWERS, Answers, unpacked

Data = dict[str, Any]
TRIED_TOGETHER = 12  # actions
DUE, IDS = "due", "ids"
STANDS: dict[str, tuple[str, Data]] = {  # what is asked before and after each entry: the call for it
    DUE: ("due", {}),
    **{
        name: ("value", {"name": name, "of": ["game"]})
        for name in (OPERATOR_STOP, OVER, PAUSED, PAUSE_KIND, RESUMED_AT)
    },
}
MOST_LOGS = 8  # viewers for whom the log is kept as they see it


class Reading:
    """A game that can be read and not changed."""

    def __init__(
        self,
        journal: Journal,
        fold: Fold,
        secret: str | None,
        outcomes: OutcomeStore | None = None,
        ballots: BallotBox | None = None,
        vault: str | None = None,
    ) -> None:
        args = fold.first["args"]
        self.id: str = args["id"]
        self.title: str = args["title"]
        self.edition: str = args["edition"]
        self.time_zone: str = args["time_zone"]
        self.commitment: str = args["commitment"]
        self.journal = journal
        self.fold = fold
        self.outcomes: OutcomeStore = outcomes if outcomes is not None else MemoryOutcomes()
        self.ballots: BallotBox = ballots if ballots is not None else box_beside(journal)
        self.first = fold.first
        self.secret = secret
        self.recipe: int = args.get("recipe", 1)
        self.vault = vault
        self._content: bytes | None = None  # what the entry is that is being made
        self.earlier: list[str] = []  # secrets of the time before the game came here, to be revealed at its end
        self.checks = True  # refuse programs in which `rulebook.check` finds errors
        self._described: Data | None = None  # by the fold, with the moments from which the calendar holds
        self._logs: dict[str, Log] = {}  # by viewer, the last asked for at the end
        self._history: list[Data] = []
        self._history_until = 0

    @property
    def runtime(self) -> Runtime:
        """The interpreter in which the game is."""
        return self.fold.runtime

    @property
    def n(self) -> int:
        """The number of the last entry."""
        return self.fold.n

    @property
    def now(self) -> int:
        """The moment of the last entry (seconds since 1970)."""
        return self.fold.now

    @property
    def opened_at(self) -> int:
        """The moment of the first entry."""
        return self.fold.opened_at

    @property
    def last_hash(self) -> str:
        """The hash of the last entry."""
        return self.fold.last_hash

    @property
    def strikes(self) -> list[tuple[int, int]]:
        """Which entries strike which, see `replay.struck_numbers`."""
        return self.fold.strikes

    @property
    def refused(self) -> list[int]:
        """Entries that are refused since an earlier one was struck."""
        return self.fold.refused

    @property
    def last_moments(self) -> dict[str, int]:
        """When each event of the calendar last began."""
        return self.fold.last_moments

    @property
    def hidden_secret(self) -> str | None:
        """The second secret: of draws that are hidden from somebody. Not there where the vault is not."""
        return hidden_secret_of(self.vault)

    # ---- how it stands

    def _stands(self, what: str) -> Any:
        """One of STANDS, by its name. All are asked at once, and kept until something is carried out; where a rule
        breaks, that one is asked alone."""
        kept = self.runtime.kept
        if what not in kept:
            try:
                kept.update(zip(STANDS, self.runtime.call("together", {"calls": list(STANDS.values())}), strict=True))
            except Fault:
                return self.runtime.call(*STANDS[what])
        return kept[what]

    def disrupted(self) -> bool:
        """Whether the game is paused because a rule broke."""
        return bool(self._stands(PAUSE_KIND).get("value") == "disruption")

    def over(self) -> bool:
        """Whether the game has ended, where rules say that games end."""
        return self._stands(OVER).get("value") is True

    def stopped(self) -> bool:
        """Whether the operator of the site has stopped the game."""
        return self._stands(OPERATOR_STOP).get("value") is not None

    def paused(self) -> bool:
        """Whether the game is paused now."""
        return bool(self._stands(PAUSED).get("value"))

    def value(self, name: str, *of: Any) -> Any:
        """A value or attribute now, as plain data. Raises KeyError if there is none of that name."""
        found = self.runtime.call("value", {"name": name, "of": list(of)})
        if "unknown" in found:
            raise KeyError(found["unknown"])
        return mended(found["value"])

    def reckoning(self, name: str, thing: str, viewer: str, at: int) -> list[list[Any]] | None:
        """What a value of a thing is made of, as a viewer may know it: [[rule, how, amount, divisor]], the definition
        as "base"; None where there is nothing like that, or a rule breaks."""
        found = self.runtime.call("reckoning", {"name": name, "of": thing, "viewer": viewer, "now": at})
        return None if found is None else [list(part) for part in found]

    def numbers(self) -> Data:
        """What players have that can be counted, after the last entry: {player: [what all see, the owner, the Admin]}.

        For the owner and the Admin it holds only what differs from what all see; nothing at all if a rule never ends.
        """
        try:
            return self.runtime.call("numbers", {"now": self.now})  # type: ignore[no-any-return]
        except Fault:
            return {}

    def things(self) -> dict[str, str]:
        """The kind of each thing there is, by its id."""
        return self.ids()["things"]  # type: ignore[no-any-return]

    def ids(self) -> Data:
        """The kind of each thing there is ("things") and of each that has gone ("gone"), by its id; kept until
        something is carried out."""
        kept = self.runtime.kept
        if IDS not in kept:
            kept[IDS] = self.runtime.call(IDS)
        return kept[IDS]  # type: ignore[no-any-return]

    def leaving(self, at: int) -> Data:
        """When the rules take players out of the game: {player: [moment, [days of warning], what keeps them in]}."""
        return self.runtime.call("leaving", {"now": at})  # type: ignore[no-any-return]

    def state(self) -> Data:
        """The whole state as data: what a snapshot holds."""
        return self.fold.state()

    def state_hash(self) -> str:
        """The hash of the state: the same on every machine and in every runtime. Says nothing of the clock."""
        return self.fold.state_hash()

    # ---- its rules

    def describe(self) -> Data:
        """What the rules in force declare: events with their sentences, values, actions, clashes, calendar."""
        described = self.fold.describe()
        if described is not self._described:
            for moment in described["calendar"]:
                moment["from"] = self._moment_of_entry(moment["since"])
            self._described = described
        return described

    def declares(self) -> Data:
        """What each rule in force declares, by its id: {"values": [names], "rows": [[catalogue, id]], ...}."""
        return self.fold.declares()

    def _moment_of_entry(self, n: int) -> int:
        """When an entry was made; one that is not in the journal yet is being made now."""
        line = next(iter(self.journal.lines(n)), None) if n > 0 else None
        return self.opened_at if n <= 0 else self.now if line is None else moment_of(line["at"])

    def clashes(self) -> list[Data]:
        """Which rules compete, who wins and why."""
        return self.describe()["clashes"]  # type: ignore[no-any-return]

    def records(self) -> list[Data]:
        """The rulebook in force, in book order."""
        return mended(self.fold.records())  # type: ignore[no-any-return]

    def commons(self) -> list[tuple[str, str]]:
        """The shared modules, as (name, source)."""
        return [(name, text) for name, text in self.first["args"]["commons"]]

    # ---- what a viewer may see

    def view(self, viewer: str, now: int | None = None) -> Data:
        """What a viewer (a player's name, "admin" or "visitor") may see of the state."""
        wanted: Data = {"viewer": viewer, "now": now or 0}
        answers: Answers | None = self.runtime.kept.get(ANSWERS)
        try:
            known = answers.at_hand(wanted["now"]) if answers else {}
            shown: Data = self.runtime.call("view", {**wanted, "known": known})
        except Fault:  # a value or marker that never ends: what things have is there to be seen
            shown = self.runtime.call("view", {**wanted, "bare": True})
        if "kept" in shown:
            answers = answers or Answers(self._heeding(), self.describe()["schema"], wanted["now"])
            shown = answers.filled(shown)
            self.runtime.kept[ANSWERS] = answers
        shown = unpacked(mended(shown))
        shown["schema"] = self.describe()["schema"]
        shown["edition"] = self.edition
        shown["ballots"] = self.own_ballots(viewer)
        return shown

    def _heeding(self) -> Heeding:
        """What the answers of the rules in force hang on."""
        return Heeding(((record["id"], record["code"]) for record in self.records()), self.commons())

    def actions(
        self, viewer: str, now: int | None = None, untried: bool = False, only: Iterable[str] | None = None
    ) -> list[Data]:
        """The actions of a viewer, with their forms and whether each is possible now; `only` these, if not all.

        `untried`: without asking the rules that, which takes most of the time; then an action counts as possible unless
        there is nothing that one could choose.
        """
        wanted = {"viewer": viewer, "now": now or 0, "untried": untried}
        names = list(self.describe()["actions"])
        chosen = names if only is None else [name for name in names if name in set(only)]
        actions: list[Data] = []
        for at in range(0, len(chosen), TRIED_TOGETHER):  # a call has its limit of time, whatever the number of actions
            several = chosen[at : at + TRIED_TOGETHER]
            try:
                actions += self.runtime.call("actions", {**wanted, "only": several})
            except Fault:
                for name in several:
                    actions += self._action_alone({**wanted, "only": [name]})
        for asked in [asked for action in actions for asked in action["fields"] if asked["type"] == "moment"]:
            asked.update(zone=self.time_zone, default=exact_in(asked["default"], self.time_zone))
        return mended(actions)  # type: ignore[no-any-return]

    def _action_alone(self, wanted: Data) -> list[Data]:
        """One action; without its choices if a rule breaks there."""
        try:
            return self.runtime.call("actions", wanted)  # type: ignore[no-any-return]
        except Fault:
            return self.runtime.call("actions", {**wanted, "bare": True})  # type: ignore[no-any-return]

    def own_ballots(self, player: str) -> Data:
        """What a player has voted: {thing: choice}, on the game itself only since votes on it were last counted.

        For nobody else's eyes.
        """
        cast = [ballot for ballot in self.ballots.ballots() if ballot.player == player]
        return {each.about: each.choice for each in self.valid(cast) if each.about != "game" or not self.used(each)}

    def used(self, ballot: Ballot) -> bool:
        """Whether a ballot has been counted already: another vote on the same thing begins with an empty box."""
        return ballot.at < self.fold.last_counts.get(ballot.closes, {}).get(ballot.about, -1)

    def valid(self, cast: list[Ballot]) -> list[Ballot]:
        """The ballots of those who have been players ever since they cast them: who returns has not voted."""
        joined = {name: self.joined_at(name) for name in {ballot.player for ballot in cast}}
        return [
            ballot
            for ballot in cast
            if ballot.at >= joined[ballot.player] and ballot.joined in (None, joined[ballot.player])
        ]

    def joined_at(self, player: str) -> int:
        """When a player has joined, in seconds since 1970; the opening, where no rule says it. Kept until something is
        carried out."""
        known = self.runtime.kept.setdefault(JOINED_AT, {})
        if player not in known:
            found = self.runtime.call("value", {"name": JOINED_AT, "of": [player]}).get("value")
            known[player] = found if isinstance(found, int) else self.opened_at
        return known[player]  # type: ignore[no-any-return]

    def facts(self, viewer: str, start: int = 0) -> list[Data]:
        """The log from entry `start` on, one dict an entry, with what this viewer may see.

        `number` counts what everybody may see; a private entry has None. A struck entry has `struck`: the strike.
        """
        log = self._logs.pop(viewer, None) or Log()
        if log.n != self.n:
            log.read_on(viewer, self.journal, self.outcomes, self.strikes)
        self._logs[viewer] = log
        if len(self._logs) > MOST_LOGS:
            self._logs.pop(next(iter(self._logs)))
        return log.entries[bisect_left(log.entries, start, key=lambda entry: entry["n"]) :]

    # ---- its book

    def book_history(self) -> list[Data]:
        """The moments at which the book changed, oldest first: moment (0 is the opening), at, cause, records."""
        if not self._history:
            opening = {"kind": "opening", "id": None, "by": None}
            moment = {"moment": 0, "n": 0, "at": moment_of(self.first["at"]), "cause": opening, "touched": []}
            self._history = [{**moment, "records": mended(self.first["args"]["rules"])}]
            self._history_until = 0
        history = self._history
        first = self._history_until + 1
        records = {record["id"]: record for record in history[-1]["records"]}
        lines = {line["n"]: line for line in self.journal.lines(first)} if first <= self.n else {}
        for n, outcome in self.outcomes.get(first) if lines else ():
            if not outcome.get("rules") or n in struck_numbers(self.strikes):
                continue
            for id, record in mended(outcome["rules"]):
                if record is None:
                    records.pop(id, None)
                else:
                    records[id] = record
            history.append(
                {
                    "moment": len(history),
                    "n": n,
                    "at": moment_of(lines[n]["at"]),
                    "cause": cause_of(lines[n], outcome),
                    "records": list(records.values()),
                    "touched": [id for id, _ in outcome["rules"]],
                }
            )
        self._history_until = self.n
        return history[:]

    def _read_anew(self) -> None:
        """Forget what was read of the journal: it is now another one, or says something else."""
        self.fold.forget_rules()
        self._logs, self._history = {}, []
