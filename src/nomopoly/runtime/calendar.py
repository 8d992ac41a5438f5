"""The clock of a game: what falls due, by the wall clock of its time zone, and what comes of it."""

from __future__ import annotations

import datetime
import zoneinfo
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from nomopoly.kernel.budgets import MOST_AT_ONE_MOMENT
from nomopoly.runtime.ballots import counted
from nomopoly.runtime.entering import Entering
from nomopoly.runtime.outcomes import Outcome
from nomopoly.runtime.protocol import (
    EMERGENCY_CLOSES,
    END_OUTAGE,
    HOLD,
    PAUSE,
    RESUMED_AT,
)
from nomopoly.runtime.reading import DUE

Data = dict[str, Any]
MOST_TICKS = 10_000


def next_occurrence(moment: Data, zone: str, after: int) -> int:
    """When a calendar event begins next after a moment, by the wall clock of the game's time zone."""
    return next_time(moment["weekday"], moment["hour"], moment["minute"], zone, after)


@lru_cache(4096)  # every look at the clock asks this of each event of the calendar
def next_time(weekday: int, hour: int, minute: int, zone: str, after: int) -> int:
    """When it is next, after a moment, so late on this day of the week (0: Monday; -1: any day)."""
    local = datetime.datetime.fromtimestamp(after, zoneinfo.ZoneInfo(zone))
    day = local.date()
    while True:
        if weekday in (-1, day.weekday()):
            begins = datetime.datetime.combine(day, datetime.time(hour, minute), zoneinfo.ZoneInfo(zone)).timestamp()
            if begins > after:
                return int(begins)
        day += datetime.timedelta(days=1)


class Clock(Entering):
    """A game with a clock: somebody has to look at it, see `run_due`."""

    def next_due(self) -> Data | None:
        """What is due next: {"at", "do", "args"}, the moment not before the last entry's; None if nothing is."""
        if self.stopped():
            return None
        timer = self._stands(DUE)
        candidates = [{**timer, "args": {"timer": timer["timer"]}}] if timer else []
        paused = self.paused()
        resumed = self._stands(RESUMED_AT).get("value") or 0
        for moment in self.describe()["calendar"]:
            if moment["real"] or not paused:
                last = max(self.last_moments.get(moment["name"], 0), moment["from"], 0 if moment["real"] else resumed)
                at = next_occurrence(moment, self.time_zone, last)
                candidates.append({"at": at, "do": moment["name"], "args": {}, "about": []})
        if not candidates:
            return None
        if self.over():
            return None
        first = min(candidates, key=lambda each: each["at"])
        return {**first, "at": max(first["at"], self.now)}

    def due(self) -> int | None:
        """The moment of the next thing due (seconds since 1970), or None."""
        found = self.next_due()
        return found["at"] if found else None

    def run_due(self, until: int, most: int = MOST_TICKS) -> list[Outcome]:
        """Do everything that is due up to and including a moment, each at its own moment, in order; at most so many."""
        done: list[Outcome] = []
        if most < 1:
            return done
        for _, outcomes in self.passing(until):
            done += outcomes
            if len(done) >= most:
                break
        return done

    def passing(
        self, until: int, since: int = 0, more: Callable[[], Data] = dict
    ) -> Iterator[tuple[Data | None, list[Outcome]]]:
        """Time passes: do one thing after the other that is due up to and including a moment, and yield each with its
        outcome.

        It ends when nothing is left, or when what is due cannot be done; whoever reads it may stop earlier. Where too
        many timers came for one moment, it yields None with the pause, and ends. `since`: nothing is done at an earlier
        moment; `more`: what each entry is to hold beside (a scenario's draws).
        """
        while True:
            due = self.next_due()
            if due is None or due["at"] > until:
                return
            endless = self.end_endless(due)
            if endless:
                yield None, endless
                return
            outcome = self.submit_due(due, max(due["at"], since), **more())
            if outcome.refused and not due["args"]:
                self.last_moments[due["do"]] = due["at"]  # a moment that the rules refuse goes by
            yield due, [outcome]
            if not outcome.ok and self.next_due() == due:
                return

    def end_endless(self, found: Data) -> list[Outcome]:
        """Pause the game where what is due is one of too many timers of one moment; nothing otherwise."""
        if self.fold.at_once < MOST_AT_ONE_MOMENT or not found["args"] or found["at"] != self.now:
            return []
        rule = found["rule"] or "kernel"
        because = f"rule {rule} set one timer after another for one moment: {MOST_AT_ONE_MOMENT} of them came"
        return self.disrupt(because, found["args"]["timer"])

    def disrupt(self, because: str, timer: int | None = None) -> list[Outcome]:
        """Pause the game as a disruption, which the Admin can end; a timer that is due waits until then."""
        done: list[Outcome] = []
        if not self.paused():
            args = {"because": because, "kind": "disruption"}
            done.append(self.submit("admin", "kernel", PAUSE, args, self.now))
        if timer is not None:
            done.append(self.submit("admin", "kernel", HOLD, {"timer": timer}, self.now))
        return done

    def outage(self, since: int, until: int) -> list[Outcome]:
        """Enter that nobody was there between two moments: a pause, so that it fines nobody (iv 10.4).

        What was due before has to be done. A game that is paused already goes on being paused.
        """
        done: list[Outcome] = []
        since = max(since, self.now)
        if since >= until:
            return done
        if not self.paused():
            args = {"because": "the site was away", "kind": "outage"}
            done.append(self.submit("admin", "kernel", PAUSE, args, since))
        done.append(self.submit("admin", "kernel", END_OUTAGE, {"since": since}, until))
        return done

    def tick(self, at: int, do: str, args: Data | None = None, **more: Any) -> Outcome:
        """A moment is reached: a timer's event, or one started from outside (a scenario's turn)."""
        return self.submit("tick", None, do, args, at, **more)

    def submit_due(self, due: Data, at: int | None = None, **more: Any) -> Outcome:
        """Enter what `next_due` has found; if ballots wait for it, they are counted and go in with it."""
        about = (*due["about"], "game")
        every = not due["about"]  # it names nothing: what waits for it may be about anything
        waiting = [each for each in self.ballots.ballots() if every or each.about in about]
        if due["do"] == EMERGENCY_CLOSES:  # it sees to what the rules' own close has left
            ballots = [each for each in waiting if each.about in due["about"]]
        else:
            ballots = [each for each in waiting if each.closes == due["do"] and not self.used(each)]
        votes = [how for how in self.describe()["ballots"].values() if how["closes"] == due["do"]]
        if not ballots and due["do"] != EMERGENCY_CLOSES and not votes:
            return self.submit("tick", None, due["do"], due["args"], at or due["at"], **more)
        things = self.things()
        players = [id for id, kind in things.items() if kind == "player"]
        further = list(dict.fromkeys(name for how in votes for name in how["more"]))
        spoken = () if any(how["things"] for how in votes) or due["do"] == EMERGENCY_CLOSES else things
        args = {**due["args"], **counted(self.valid(ballots), players, self.ballots, further, spoken)}
        return self.submit("ballots", None, due["do"], args, at or due["at"], **more)
