"""Hosts one game: a journal, a runtime that computes what follows from it, and the outcomes of its entries.

Every change goes through `Game.submit`: the entry is carried out in the runtime, sealed with the hash of its outcome,
and appended. An entry that is refused before it has drawn leaves no line; after a draw it leaves one, so that nobody
has a second try. A fault leaves a line, because a replay has to know of it, and changes nothing; on the clock it pauses
the game as well.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

from nomopoly.kernel.budgets import MOST_ORDERS_A_DAY, MOST_REFUSALS_A_DAY
from nomopoly.runtime import sealing
from nomopoly.runtime.ballots import MOST_SUBJECT, Ballot, BallotBox
from nomopoly.runtime.calendar import Clock
from nomopoly.runtime.checking import UNWRITABLE
from nomopoly.runtime.corrections import Correction, strike_fact, why_not, why_not_again, without
from nomopoly.runtime.entropy import commitment, derived, new_secret
from nomopoly.runtime.fold import DAY, Fold, open_data, promises_of
from nomopoly.runtime.interpreters import make_runtime
from nomopoly.runtime.interpreters.text import kernel_version
from nomopoly.runtime.journal import (
    FIRST_HASH,
    Journal,
    JournalError,
    Line,
    MemoryJournal,
    as_written,
    check_follows,
    encodable,
    iso,
    moment_of,
)
from nomopoly.runtime.moments import offsets_of
from nomopoly.runtime.outcomes import Outcome, OutcomeStore, out_hash, result_of, sealed
from nomopoly.runtime.protocol import (
    EMERGENCY_VOTE,
    LOG_IN,
    NOTE_VOTE,
    ORDER_WAITS,
    PAUSE,
    PAUSED_AT,
    RESUME,
    RESUME_RUNS_AGAIN,
)
from nomopoly.runtime.replay import (
    HIDDEN_DRAWS,
    first_line,
    run_through,
)
from nomopoly.runtime.unreadable import unreadable

Data = dict[str, Any]


class Game(Clock):
    """A hosted game. Make one with `open_game` or `load_game`.

    Each floor below it is a module: what can be read (`reading`), what is checked (`checking`), how an entry is made
    (`entering`), and time (`calendar`). Here is what people do.
    """

    def join(self, name: str, at: int) -> Outcome:
        """Somebody asks to join; the Admin's `approve-player` makes them a player."""
        return self.submit("join", name, None, {}, at)

    def leave(self, name: str, at: int) -> Outcome:
        """A player leaves."""
        return self.submit("leave", name, None, {}, at)

    def order(self, by: str, do: str, args: Data | None, at: int) -> Outcome:
        """A player's order. A ballot is no entry: see `cast`."""
        reason = self._too_often(by, at)
        if reason:
            return Outcome(None, refused=reason)
        known = self.describe()
        waits = ORDER_WAITS in known["events"] and do not in known["at_once"]
        wrong = unreadable(known["forms"].get(do, {}), self._with_seconds(do, args) or {}) if waits else None
        if do in known["ballots"]:
            outcome = self.cast(by, do, args, at)
        elif wrong is not None:
            outcome = Outcome(None, refused=wrong)
        else:
            more = {"queued": True} if ORDER_WAITS in known["events"] else {}
            outcome = self.submit("order", by, do, args, at, **more)
        if outcome.refused is not None:
            self.fold.turned_down[by] = self.fold.turned_down.get(by, 0) + 1
        return outcome

    def _too_often(self, by: str, at: int) -> str | None:
        """Why a player gives no more orders today, or None."""
        self.fold.begin_day(max(at, self.now))
        given, refused = self.fold.given.get(by, 0), self.fold.turned_down.get(by, 0)
        if given < MOST_ORDERS_A_DAY and refused < MOST_REFUSALS_A_DAY:
            return None
        tomorrow = iso((self.fold.day + 1) * DAY)
        if given >= MOST_ORDERS_A_DAY:
            return f"you have given {MOST_ORDERS_A_DAY} orders today, and that is all one may: go on after {tomorrow}"
        return (
            f"{MOST_REFUSALS_A_DAY} of your orders were refused today, and that is all one may: go on after {tomorrow}"
        )

    def admin(self, do: str, args: Data | None, at: int, by: str = "Admin") -> Outcome:
        """An act of the Admin's desk. `strike` wants `entry` and `because`."""
        if do == "strike":
            wanted = dict(args or {})
            return self.strike(wanted.get("entry"), str(wanted.get("because") or ""), at)
        if do == "run-again" or (do == RESUME and self.resume_runs_again()):
            return self.run_again(at, by)
        if do == PAUSE and self.paused() and not self.stopped():
            return Outcome(None, refused="the game is paused already")
        if do == RESUME and not self.paused():  # rules may stop time without a pause
            seen = self.preview(None, do, args, at)
            if seen.ok and not seen.changes:
                return Outcome(None, refused="the game is not paused")
        return self.submit("admin", by, do, args, at)

    def operate(self, do: str, because: str, at: int) -> Outcome:
        """An act of the operator of the site, beyond every rule and the Admin: `stop` pauses the game until
        `resume`."""
        return self.submit("operator", "operator", do, {"because": because} if because else {}, at)

    def cast(self, by: str, do: str, args: Data | None, at: int) -> Outcome:
        """A player's ballot: checked now by the rules, kept in the ballot box, changed by casting another one.

        The outcome has no number: it is no entry. That the player was here is entered, as `log-in`, where rules want
        that, and as `note-vote` that they have cast a ballot that stays sealed.
        """
        args = dict(args or {})
        with self.journal.lock():
            self._at_the_end()
            at = max(at, self.now)
            if not encodable([by, do, args]):
                return Outcome(None, refused=UNWRITABLE)
            things = self.things()
            if things.get(by) != "player":
                return Outcome(None, refused=f"not approved: {by} is not a player of this game")
            args = self._with_seconds(do, args)
            described = self.describe()["ballots"]
            first = described[do]["subject"] if do in described else "on"
            if self.disrupted() and (do not in described or things.get(str(args.get(first))) == "emergency"):
                do = EMERGENCY_VOTE
            if do not in described:
                return Outcome(None, refused=f"there is no action '{do}' for players", code="no-action")
            how = described[do]
            told = self.preview(by, do, args, at)
            if told.ok:
                for note in (LOG_IN, NOTE_VOTE) if how["sealed"] else (LOG_IN,):
                    if note in self.describe()["actions"]:
                        self._submit("order", by, note, {}, at, {})
                said = self.runtime.call("ballot", {"by": by, "do": do, "args": args, "at": at})
                if len(said["about"]) > MOST_SUBJECT:
                    return Outcome(None, refused=f"{how['subject']} is too long: at most {MOST_SUBJECT} characters")
                more = {name: each for name, each in said["more"].items() if each is not None}
                joined = self.joined_at(by)
                self.ballots.cast(
                    Ballot(said["about"], by, said["choice"], how["closes"], how["sealed"], at, more, joined)
                )
            facts = [{**fact, "only": [by]} for fact in told.facts]
            return Outcome(None, told.refused, told.rule, told.fault, facts=facts, code=told.code)

    # ---- after a disruption

    def resume_runs_again(self) -> bool:
        """Whether the rules end a disruption by `resume` only if what broke holds now (the value
        `resume_runs_again`)."""
        found = self.runtime.call("value", {"name": RESUME_RUNS_AGAIN, "of": ["game"]})
        return found.get("value") is True and self.disrupted() and self._held() is not None

    def _held(self) -> Line | None:
        """The entry that the present disruption has undone, or None."""
        since = self.runtime.call("value", {"name": PAUSED_AT, "of": ["game"]}).get("value")
        for line in reversed(list(self.journal.lines(1))):
            if line.get("after") and line["do"] == PAUSE and moment_of(line["at"]) == since:
                return next(self.journal.lines(line["after"]))
        return None

    def run_again(self, at: int, by: str = "Admin", **more: Any) -> Outcome:
        """Carry out the entry that a disruption has undone; if it holds now, the game goes on."""
        line = self._held()
        if line is None or not self.disrupted():
            return Outcome(None, refused="no entry is held: the game is not paused because a rule broke")
        return self.submit(line["kind"], line["by"], line["do"], line["args"], at, again=line["n"], **more)

    # ---- corrections

    def strike(self, entry: Any, because: str, at: int, confirm: str | None = None) -> Outcome:
        """Take an entry out as if it had never been; later ones keep their dice. Undo a strike by striking it.

        `confirm`: the hash of a `strike_preview`; if the game has moved on since, it is refused.
        """
        with self.journal.lock():
            self._at_the_end()
            refused = why_not(entry, self.fold, self.journal)
            if refused or not encodable(because):
                return Outcome(None, refused=refused or UNWRITABLE)
            corrected = self._without(entry)
            told = corrected.told
            refused = self._shown_before(corrected)
            if refused:
                corrected.fold.runtime.close()
                return Outcome(None, refused=refused)
            if confirm is not None and told["hash"] != confirm:
                corrected.fold.runtime.close()
                return Outcome(None, refused="the game has moved on: preview again")
            line: Line = {
                "n": self.n + 1,
                "at": iso(max(at, self.now)),
                "kind": "strike",
                "by": "Admin",
                "do": "strike",
            }
            line["args"] = {"entry": entry, "because": because}
            if self.recipe > 1:
                self._dice_for(line)
                line.update(corrected.fold.redrawn)
            outcome = {"facts": [strike_fact(entry, because, told)], "changes": told["changes"]}
            outcome["veiled"] = corrected.fold.runtime.call("veiled", {"changes": told["changes"]})
            self._keep(line, outcome)
            self.runtime.close()
            self.fold.correct((line["n"], int(entry)), corrected.fold)
            self._read_anew()
            before = dict(self.outcomes.get(1))
            for n, recomputed in corrected.outcomes.get(1):
                self.outcomes.put(n, sealing.with_first(recomputed, before.get(n, {})))
            return result_of(line["n"], outcome)

    def strike_preview(self, entry: Any) -> Data:
        """What striking an entry would change: `changes`, `refused` (later entries that would be), `hash`.

        A reason why it cannot be struck is in `impossible`.
        """
        refused = why_not(entry, self.fold, self.journal)
        if refused:
            return {"impossible": refused}
        corrected = self._without(entry)
        corrected.fold.runtime.close()
        refused = self._shown_before(corrected)
        return {"impossible": refused} if refused else corrected.told

    def _shown_before(self, corrected: Correction) -> str:
        """Why a strike would hide again what has been shown; "" if it would not."""
        if corrected.shown is None:
            return ""
        return why_not_again(corrected.shown, {entry["n"]: entry["number"] for entry in self.facts("admin")})

    def _without(self, entry: int) -> Correction:
        """The game without an entry, and what that changes."""
        return without(entry, self.fold, self.journal, self.outcomes, (self.secret, self.hidden_secret))


def open_game(
    book: Any,
    *,
    title: str,
    journal: Journal | None = None,
    game_id: str | None = None,
    runtime: str = "monty",
    time_zone: str = "UTC",
    at: int,
    secret: str | None = None,
    vault: str | None = None,
    recipe: int = sealing.RECIPE,
    options: Data | None = None,
    outcomes: OutcomeStore | None = None,
    ballots: BallotBox | None = None,
) -> Game:
    """Open a game of a rulebook (`rulebook.source.Book`): its first entry holds everything but the kernel.

    `secret` and `vault` are hex text, 32 bytes each. Give none, and both are made; give both, and keep both. With a
    secret alone the vault follows from it: for a game that is the same every time, and that keeps no secret after a
    reveal. `recipe`: 1 for lines and dice as games had them before there were two secrets.
    Raises Fault if the rulebook does not load.
    """
    journal = journal if journal is not None else MemoryJournal()
    if journal.last() is not None:
        raise JournalError("this journal already holds a game: take an empty one")
    vault = vault or (derived(secret, "vault") if secret else new_secret())
    secret = secret or new_secret()
    line: Line = {
        "n": 0,
        "at": iso(at),
        "kind": "open",
        "by": None,
        "do": None,
        "args": {
            "id": game_id or uuid.uuid4().hex,
            "edition": book.edition,
            "title": title,
            "time_zone": time_zone,
            "commitment": commitment(secret),
            "kernel": runtime.partition("@")[2] or kernel_version(),
            "commons": [list(module) for module in book.commons],
            "rules": as_written(book.records),
            "offsets": offsets_of(time_zone, at),
            **(options or {}),
        },
    }
    if recipe > 1:
        line["args"] |= {"recipe": recipe, "hidden_commitment": commitment(derived(vault, HIDDEN_DRAWS))}
        line["salt"] = sealing.salt_of(derived(vault, "salts"), FIRST_HASH)
    made = make_runtime(runtime)
    outcome: Data = made.call("open", open_data(line))
    journal.append(line, sealed(line, FIRST_HASH, outcome))
    game = Game(journal, Fold(line, made), secret, outcomes, ballots, vault)
    game.outcomes.put(0, outcome)
    return game


def replay(
    journal: Journal,
    runtime: str,
    secret: str | None = None,
    *,
    strikes: list[tuple[int, int]] | None = None,
    until: int | None = None,
    outcomes: OutcomeStore | None = None,
    watch: Callable[[Game, Line], None] | None = None,
    vault: str | None = None,
    known: OutcomeStore | None = None,
) -> Game:
    """Compute a game again from its journal, without the entries that are struck.

    `strikes` stands in for the journal's own; `until` stops after that entry; `watch` sees the game before each entry.
    With the secrets, entries may draw more than they did: what they draw then is in the fold's `redrawn`. `known`:
    outcomes that say where entries broke, which takes longer to find than all the rest.
    """
    fold = Fold(first_line(journal), make_runtime(runtime))
    game = Game(journal, fold, secret, outcomes, vault=vault)
    game.outcomes.put(0, fold.open())
    run_through(
        fold,
        [line for line in journal.lines(1) if until is None or line["n"] <= until],
        game.outcomes,
        strikes=strikes,
        secrets=(secret, game.hidden_secret),
        known=known,
        watch=None if watch is None else lambda line: watch(game, line),
    )
    return game


def load_game(
    journal: Journal,
    *,
    runtime: str = "monty",
    secret: str | None = None,
    vault: str | None = None,
    earlier: Iterable[str] = (),
    snapshot: Data | None = None,
    outcomes: OutcomeStore | None = None,
    ballots: BallotBox | None = None,
) -> Game:
    """Take up a game from its journal, from a snapshot if there is one that fits.

    With a snapshot the outcomes of the entries before it are those that `outcomes` has kept. `vault`: the secret from
    which that of hidden draws and the salts are derived; `earlier`: secrets of former sites, to be revealed at the end.
    """
    if snapshot is None:
        game: Game = replay(journal, runtime, secret, outcomes=outcomes)
    else:
        game = from_snapshot(journal, runtime, secret, snapshot, outcomes)
    take_secrets(game, secret, vault)
    game.earlier = list(earlier)
    if ballots is not None:
        game.ballots = ballots
    return game


def take_secrets(game: Game, secret: str | None, vault: str | None) -> None:
    """Give a game its secrets, if they are those that the journal's last commitments are of."""
    known = game.fold.promised
    if known is None:  # from a snapshot that did not say
        reveals = [line["args"] for line in game.journal.lines() if line["kind"] in ("open", "reveal")]
        known = game.fold.promised = {name: each for args in reveals for name, each in promises_of(args).items()}
    hidden, game.recipe = known.get("hidden_commitment"), known.get("recipe", game.recipe)
    if secret is not None and commitment(secret) != known["commitment"]:
        raise JournalError("this is not the secret that the game has committed itself to")
    if vault is not None and hidden is not None and commitment(derived(vault, HIDDEN_DRAWS)) != hidden:
        raise JournalError("this is not the vault whose hidden draws the game has committed itself to")
    game.secret, game.vault = secret, vault


def take_snapshot(game: Game) -> Data:
    """A snapshot: the state after the last entry, with the hash of that entry."""
    return game.fold.snapshot()


def from_snapshot(
    journal: Journal, runtime: str, secret: str | None, snapshot: Data, outcomes: OutcomeStore | None
) -> Game:
    """A game from a snapshot and the entries after it. Raises JournalError if the snapshot is of another journal."""
    lines = list(journal.lines(snapshot["n"]))
    if not lines or lines[0]["hash"] != snapshot["hash"]:
        raise JournalError("the snapshot does not belong to this journal: throw it away")
    if any(line["kind"] == "strike" for line in lines[1:]):
        return replay(journal, runtime, secret, outcomes=outcomes)
    fold = Fold(first_line(journal), make_runtime(runtime))
    game = Game(journal, fold, secret, outcomes)
    fold.restore(snapshot, lines[0])
    try:
        go_on(game, lines[1:])
    except JournalError:
        fold.runtime.close()
        raise
    return game


def go_on(game: Game, lines: list[Line]) -> None:
    """Bring a game to the end of the lines that follow its last entry. Raises JournalError where one does not
    follow."""
    kept = {n for n, _ in game.outcomes.get(lines[0]["n"])} if lines else set()
    for line in lines:
        if "limit" in line:
            game.fold.advance(line)
            continue
        outcome = game.fold.take(line)
        if out_hash(line, outcome) != line["out"]:  # something was remembered that is not in the state
            raise JournalError(f"entry {line['n']} does not follow from the snapshot: throw it away")
        if line["n"] not in kept:
            game.outcomes.put(line["n"], game.fold.with_sentences(outcome))


def follow(game: Game, most: int = 400) -> bool:
    """Take up what another process has appended to a game's journal, as long as these are no more than `most` entries.

    Returns whether the game is at the end now; if not, load it again: after a strike, or with new secrets. Raises
    JournalError where the journal does not go on from the game's last entry; then the game is of no more use.
    """
    lines = list(game.journal.lines(game.n))
    if not lines or lines[0]["hash"] != game.last_hash:
        raise JournalError("the journal does not go on where this game has ended: load it again")
    if len(lines) > most or any(line["kind"] in ("strike", "reveal") for line in lines[1:]):
        return False
    for before, line in pairwise(lines):
        check_follows(line, before)
    go_on(game, lines[1:])
    return True
