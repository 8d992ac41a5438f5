"""A game that looks at orders before they become entries: programs and changes are checked, and an order can be
tried."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from nomopoly.rulebook.changes import ChangeError, written_out
from nomopoly.rulebook.check import Problem, check_once, check_program, check_record, declared_by
from nomopoly.rulebook.history import History
from nomopoly.rulebook.restoring import run_written_out
from nomopoly.runtime.halves import mended
from nomopoly.runtime.interpreters import Fault
from nomopoly.runtime.journal import (
    MovedOn,
)
from nomopoly.runtime.moments import with_seconds
from nomopoly.runtime.outcomes import Outcome, result_of
from nomopoly.runtime.reading import Reading

Data = dict[str, Any]
UNWRITABLE = "this text contains an invalid character: remove it, then try again"


def carries_programs(args: Any) -> bool:
    """Whether an entry with these arguments brings programs or changes along."""
    return isinstance(args, dict) and bool(args.get("changes") or args.get("run") or args.get("code"))


def first_error(args: Data, check: Callable[..., list[Problem]]) -> str | None:
    """Why a program that an entry carries could not be carried out, by check(changes, run); None if it could.

    `code` is the program of a rule that is to come.
    """
    problems = check(args.get("changes") or [], args.get("run") or "")
    if args.get("code"):
        to_come = check([{"enact": "new", "text": "A rule to come.", "code": args["code"]}])
        problems += [replace(each, rule="") for each in to_come]
    return next((f"check: {problem.reason}" for problem in problems if problem.level == "error"), None)


def no_such_item(wanted: Any, known: set[str]) -> str | None:
    """Why somebody cannot be given these items: no rule declares one of them; None if all are known."""
    for each in wanted if isinstance(wanted, (list, tuple)) else ():
        if isinstance(each, str) and each not in known:
            near = get_close_matches(each, sorted(known), n=3)
            meant = f": did you mean {' or '.join(near)}?" if near else ""
            return f"there is no item called {each[:60]}{meant}"
    return None


class Checking(Reading):
    """A game that says what is wrong with an order, and what it would do."""

    def check(self, changes: Any, run: str = "") -> list[Problem]:
        """The problems of changes and a one-time program, against the rulebook in force."""
        return check_once(changes, run, self.records(), self.commons())

    def _first_error(self, args: Data) -> str | None:
        """Why a program that an entry carries could not be carried out, by `rulebook.check`; None if it could."""
        return first_error(args, self.check)

    def _made_up(self, outcome: Data) -> str | None:
        """The first error in the programs that an entry enacted or ran: rules may have put them together meanwhile."""
        changed = [record for _, record in outcome.get("rules", ()) if record is not None]
        ran = outcome.get("ran", [])
        if not changed and not ran:
            return None
        commons = [tuple(module) for module in self.first["args"]["commons"]]
        records = mended(self.runtime.call("records"))  # as the entry leaves them, which is not noted yet
        declared = declared_by(records, commons)
        problems = [problem for record in changed for problem in check_record(record, declared, types=False)]
        gone = [self._last_form(id) for id, record in outcome.get("rules", ()) if record is None] if ran else []
        if gone:  # a program may tidy up after rules before it takes them out
            declared = declared_by([*records, *gone], commons)
        problems += [problem for code in ran for problem in check_program("run", code, {}, declared, types=False)]
        return next((f"check: {problem.reason}" for problem in problems if problem.level == "error"), None)

    def _last_form(self, id: str) -> Data:
        """A rule as it was before the entry that is being carried out."""
        found: Data = next((record for record in self.first["args"]["rules"] if record["id"] == id), {})
        for _, outcome in self.outcomes.get():
            found = next((record for number, record in outcome.get("rules", ()) if number == id and record), found)
        return found

    # ---- as an order enters the journal

    def with_earlier_forms(self, args: Data) -> Data:
        """What is proposed, as it enters the journal: see `written_out` and `run_written_out`. Raises ChangeError."""
        if args.get("changes"):
            args = {**args, "changes": self.written_out(args["changes"])}
        if args.get("run"):
            args = {**args, "run": self.run_written_out(args["run"])}
        return args

    def run_written_out(self, run: str) -> str:
        """A program that runs once as it enters the journal: `restore(...)` says the form it brings back. Raises
        ChangeError."""
        if not isinstance(run, str) or "restore" not in run:
            return run
        in_part = not self.commons() or any("LANGUAGE = " in text for _, text in self.commons())
        history = History(self.book_history(), self.time_zone, self.now)
        return run_written_out(run, self.records(), history.earlier, in_part)

    def written_out(self, changes: Any) -> Any:
        """A list of changes as it enters the journal: what brings an earlier form of a rule back says that form.

        Raises ChangeError. What is no list of changes, or needs no writing out, stays as it is.
        """
        in_part = not self.commons() or any("LANGUAGE = " in text for _, text in self.commons())
        found = [each for each in changes if isinstance(each, dict)] if isinstance(changes, list) else []
        if any("restore" in each or not in_part for each in found):
            history = History(self.book_history(), self.time_zone, self.now)
            return written_out(changes, self.records(), history.earlier, in_part)
        return changes

    def _with_seconds(self, do: str | None, args: Any) -> Any:
        """The arguments of an order with seconds where its form wants a moment and people wrote a date."""
        fields = self.describe()["moments"].get(do) if args else None
        return with_seconds(args, fields, self.time_zone) if fields else args

    # ---- before it does

    def _at_the_end(self) -> None:
        """Raise JournalError if another writer has appended."""
        last, fold = self.journal.last(), self.fold
        if last is None or last["hash"] != fold.last_hash:
            raise MovedOn("the game has moved on: load it again")

    def preview(self, by: str | None, do: str, args: Data | None, at: int, waits: bool = False) -> Outcome:
        """What an order would do, without doing it; it stops at the first roll (`rolls`). `by` None: the Admin.

        `waits`: say also whether it would wait, which takes another try.
        """
        args = self._with_seconds(do, args)
        try:
            args = self.with_earlier_forms(args or {})
            said = {"by": by, "do": do, "args": args or {}, "at": max(at, self.now), "waits": waits}
            found = self.runtime.call("preview", said)
        except ChangeError as error:
            return Outcome(None, refused=f"check: {error}")
        except Fault as fault:
            return Outcome(None, fault=mended({"rule": fault.rule, "line": fault.line, "message": fault.message}))
        found = mended(found)
        if "refused" in found:
            refused = result_of(None, found)
            refused.waits = found["waits"]
            return refused
        seen = {part: found[part] for part in ("facts", "changes", "rolls", "waits")}
        return Outcome(None, **seen)

    def order_waits(self, n: int) -> bool:
        """Whether the order of entry `n` waits until it is carried out."""
        return bool(self.runtime.call("waits", {"n": n}))
