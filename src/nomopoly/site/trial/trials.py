"""Trial copies: made, kept warm, played in, thrown away. All that happens in one stays in its row."""

from __future__ import annotations

import contextlib
import secrets
import threading
from collections.abc import Callable, Hashable, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TypeVar

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy, gettext_noop

from nomopoly.lab import examples
from nomopoly.runtime.ballots import Ballot
from nomopoly.runtime.copies import Copy, as_seen, first_of
from nomopoly.runtime.entropy import new_secret
from nomopoly.runtime.lines import rolled
from nomopoly.runtime.outcomes import Outcome
from nomopoly.site.busy import Busy
from nomopoly.site.tables import domain, lines, live
from nomopoly.site.trial.models import LIFE, Trial, TrialGame

if TYPE_CHECKING:
    from nomopoly.runtime.host import Game as Running
    from nomopoly.site.accounts.models import User
    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.lines import Kept
    from nomopoly.site.tables.models import Game


MOST = 3
MOST_LINES = 1000
SPANS = {
    "1h": (gettext_lazy("1 hour"), 3600),
    "1d": (gettext_lazy("1 day"), 86400),
    "1w": (gettext_lazy("1 week"), 604800),
}
TOO_MANY = gettext_lazy("Too many trial copies: throw one away")
TOO_SLOW = gettext_lazy("So much falls due in this time that it takes too long: let less time pass. Nothing was done.")
OVERTAKEN = gettext_noop("This trial copy is being played in from another page. Nothing was done.")
TOO_LONG = gettext_lazy("This trial copy is full: throw it away and make another one")


T = TypeVar("T")


class TooSlow(Exception):
    """What falls due takes too long to be carried out at once."""


# ---- kept warm


class WarmTrial(live.Warm):
    """One trial copy of this process."""

    game: Copy | None

    def __init__(self, trial_id: int) -> None:
        self.trial_id = trial_id
        self.lock = threading.RLock()
        self.game = None
        self.shown = {}
        self.lined = -1

    def fresh(self) -> Copy:
        """The loaded copy, at the end of its lines; loaded again if another process has played in it."""
        n = Trial.objects.values_list("n", flat=True).get(pk=self.trial_id)
        if self.game is None or self.game.n != n:
            self.drop()
            self.game = self.load()
        return self.game

    def load(self) -> Copy:
        """The copy from its first line and those played since."""
        row = Trial.objects.select_related("game").get(pk=self.trial_id)
        copy = Copy([row.first, *row.lines], row.secret, row.game.runtime)
        for ballot in row.ballots:
            copy.ballots.cast(Ballot(**ballot))
        return copy

    def kept(self, key: Hashable, question: Callable[[Running], T]) -> T:
        """The answer to a question, kept as long as nothing happens and the copy's clock stands still."""
        return super().kept((live.now(), key), question)

    def example(self, trial: Trial) -> tuple[str, str]:
        """The steps played so far as a scenario: see `nomopoly.lab.examples.make`."""
        return self.ask(lambda game: examples.make(self.fresh(), trial.title, trial.proposal, trial.steps))

    def facts(self, viewer: str, start: int = 0) -> Kept:
        """The log as a viewer may see it: a copy is in memory, and so is its log."""
        return lines.Kept(self.ask(lambda game: game.facts(viewer, start)))

    @contextlib.contextmanager
    def played(self) -> Iterator[tuple[Trial, Running]]:
        """The row and its running game, to be written to; stored at the end, unless another process was faster."""
        with self.turn():
            try:
                row = Trial.objects.get(pk=self.trial_id)
                before = {"pk": row.pk, "n": row.n, "at": row.at}
                game = self.fresh()
                yield row, game
                row.lines = list(game.journal.lines(row.first["n"] + 1))
                row.ballots = [asdict(ballot) for ballot in game.ballots.ballots()]
                row.n = game.n
                with transaction.atomic():
                    if not Trial.objects.select_for_update().filter(**before).exists():
                        raise Busy(1, OVERTAKEN)
                    row.save(update_fields=["lines", "ballots", "n", "steps", "at"])
                self.shown = {}
            except BaseException:
                self.drop()
                raise


def warm(trial: Trial) -> WarmTrial:
    """The warm game of a trial copy."""
    return live.keep(("trial", trial.pk), lambda: WarmTrial(trial.pk))


# ---- made and thrown away


def alive() -> QuerySet[Trial]:
    """The trial copies that have not had their time."""
    return Trial.objects.filter(made__gt=timezone.now() - LIFE)


def of(seat: Seat) -> list[Any]:
    """The trial copies of a player."""
    return list(alive().filter(game=seat.game, user=seat.user))


def find(game: Game, user: User, token: str) -> Trial | None:
    """One's own trial copy, or None."""
    return alive().filter(game=game, user=user, token=token).select_related("game").first()


def make(seat: Seat, proposal: Data, title: str, fields: Data, by: str = "admin") -> Trial | Outcome:
    """A trial copy of the game as a player sees it, with a proposal in force; the Outcome that refuses it if there is
    none.

    `by` is the id of a proposal that has been made.
    """
    Trial.objects.filter(made__lte=timezone.now() - LIFE).delete()
    if len(of(seat)) >= MOST:
        return Outcome(None, refused=str(TOO_MANY))
    secret, now = new_secret(), live.now()

    def taken(game: Running) -> tuple[Data, list[tuple[str, str]]]:
        state, invented = as_seen(game.state(), game.view(seat.player, now), secret)
        return first_of(game, state, secret, now), invented

    first, invented = seat.live.ask(taken)
    copy = Copy([first], secret, seat.game.runtime)
    try:
        if proposal.get("changes") or proposal.get("run"):
            outcome = copy.put_in_force(proposal, by)
            if not outcome.ok:
                return outcome
        lines = list(copy.journal.lines(first["n"] + 1))
    finally:
        copy.runtime.close()
    return Trial.objects.create(
        game=seat.game,
        user=seat.user,
        token=secrets.token_urlsafe(9),
        title=title[:200],
        proposal=proposal,
        fields=fields,
        at=now,
        secret=secret,
        first=first,
        lines=lines,
        n=lines[-1]["n"] if lines else first["n"],
        invented=invented,
        playing=seat.player,
    )


def game_of(trial: Trial) -> TrialGame:
    """The game's row as the pages of a trial copy want it."""
    return TrialGame.of(trial)


def throw_away(trial: Trial) -> None:
    """Delete a trial copy."""
    live.forget(("trial", trial.pk))
    trial.delete()


def play_as(trial: Trial, name: str) -> None:
    """Choose whose actions are played: a player, or the Admin ("")."""
    trial.playing = name
    trial.save(update_fields=["playing"])


# ---- played in


def order(trial: Trial, player: str | None, do: str, args: Data) -> Outcome:
    """A player's order, or an act of the Admin (`player` None)."""
    said = {"by": player} if player else {}
    if do in ("propose", "vote") and player:
        step = {do: {**said, **args}}
    elif player:
        step = {"order": {**said, "do": do, **args}}
    else:
        step = {"admin": {"do": do, **args}}
    return done(
        trial,
        step,
        lambda game, at: game.order(player, do, args, at) if player else game.admin(do, args, at),
    )


def turn(trial: Trial, player: str) -> Outcome:
    """This player takes a turn now, whatever the rules say of when."""
    return done(trial, {"turn": player}, lambda game, at: game.tick(at, "turn", {"who": player}))


def done(trial: Trial, step: Data, act: Callable[[Running, int], Outcome]) -> Outcome:
    """Carry out one step; what was refused leaves no trace."""
    with warm(trial).played() as (row, game):
        if len(row.lines) >= MOST_LINES:
            return Outcome(None, refused=str(TOO_LONG))
        things = set(game.runtime.call("ids")["things"])
        outcome = act(game, row.at)
        if outcome.ok:
            made = [id for id in game.runtime.call("ids")["things"] if id not in things]
            named = {"as": made[0]} if made and ("order" in step or "propose" in step) else {}
            row.steps.append({**step, **named, **drawn([outcome])})
    return outcome


def drawn(outcomes: list[Any]) -> dict[Any, Any]:
    """The dice of a step, as a scenario prescribes them."""
    dice = [die for outcome in outcomes for fact in outcome.facts for die in rolled(fact)]
    return {"draws": dice} if dice else {}


def let_pass(trial: Trial, span: str) -> list[Outcome]:
    """Let time pass in a copy, and do what falls due: the outcomes."""
    try:
        with warm(trial).played() as (row, game):
            if len(row.lines) >= MOST_LINES:
                return [Outcome(None, refused=str(TOO_LONG))]
            row.at += SPANS[span][1]
            outcomes, behind = domain.run_for(game, row.at, MOST_LINES, domain.CATCH_UP_SECONDS)
            if behind:
                raise TooSlow
            row.steps.append({"advance": span, **drawn(outcomes)})
    except TooSlow:
        return [Outcome(None, refused=str(TOO_SLOW))]
    return outcomes
