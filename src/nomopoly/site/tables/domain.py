"""What may happen to the tables: one function an operation, in one transaction with the game's own entry."""

from __future__ import annotations

import contextlib
import functools
import logging
import random
import secrets
import time
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.db.models.functions import Least
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from nomopoly.rulebook.source import load_edition
from nomopoly.runtime import host
from nomopoly.runtime.calendar import MOST_TICKS
from nomopoly.runtime.checking import carries_programs, first_error
from nomopoly.runtime.entropy import new_secret
from nomopoly.runtime.journal import MemoryJournal, MovedOn
from nomopoly.runtime.outcomes import MemoryOutcomes, Outcome
from nomopoly.runtime.protocol import LOG_IN, OPERATOR_STOP_AT
from nomopoly.site import limits
from nomopoly.site.busy import Busy
from nomopoly.site.post import languages, office
from nomopoly.site.tables import letters, life, live, queries, readings, roster, sent, standing, stays, witness
from nomopoly.site.tables.called import name_of_another, reserved
from nomopoly.site.tables.journal import DatabaseJournal, DatabaseOutcomes
from nomopoly.site.tables.models import OFFER_SECONDS, Fault, Game, Membership, StandingAnswer
from nomopoly.site.tables.signals import game_opened, order_given
from nomopoly.site.watch import metrics

if TYPE_CHECKING:
    from nomopoly.rulebook.source import Book
    from nomopoly.runtime.host import Game as Running
    from nomopoly.runtime.interpreters import Incident
    from nomopoly.site.accounts.models import User
    from nomopoly.site.shapes import Data


log = logging.getLogger("nomopoly.games")
P = ParamSpec("P")
T = TypeVar("T")
CLOSED = gettext_lazy("This game takes no new players at the moment")
Status = Membership.Status
AT_ONCE, AT_ONCE_SECONDS = 20, 1.0  # due entries that are stored together, and seconds within which they begin
CATCH_UP_SECONDS = 5.0  # that an order spends on what was due before it
DAY = 86_400
MOST_BEGINNINGS = 5  # of an operation that other processes overtake
WAITS = gettext_lazy("Your order was not given: send it again in a moment.")


# ---- games


def start_game(
    user: User | None,
    *,
    title: str,
    slug: str,
    edition: str = "",
    book: Book | None = None,
    visibility: str = "public",
    time_zone: str = "UTC",
    at: int | None = None,
    secret: str | None = None,
    options: Any = None,
    demo: bool = False,
    office: str = Game.Office.PERSON,
) -> Game:
    """Open a game of an edition, or of another `book` of rules. Where a person holds the office, it is who starts
    it."""
    book = book or load_edition(edition)
    at, secret, vault = at or live.now(), secret or new_secret(), new_secret()
    journal, outcomes = MemoryJournal(), MemoryOutcomes()
    opened = host.open_game(
        book,
        title=title,
        journal=journal,
        runtime=settings.NOMOPOLY_RUNTIME,
        time_zone=time_zone,
        at=at,
        secret=secret,
        vault=vault,
        options=options,
        outcomes=outcomes,
    )
    due = opened.due()
    opened.runtime.close()
    with sent.in_one():
        game = Game.objects.create(
            slug=slug,
            title=title,
            edition=book.edition,
            visibility=visibility,
            time_zone=time_zone,
            office=office,
            starter=user,
            admin=user if office == Game.Office.PERSON else None,
            secret=secret,
            vault=vault,
            invitation=secrets.token_urlsafe(12),
            demo=demo,
            created=datetime.fromtimestamp(at, UTC),
            moved=at,
            due=due,
        )
        DatabaseJournal(game.pk).append(next(journal.lines()))
        DatabaseOutcomes(game.pk).put(*next(outcomes.get()))
        game_opened.send(sender=Game, game=game)
        transaction.on_commit(lambda: witness.keep_up(game.pk))
    return game


def invite(game: Game, addresses: Iterable[str]) -> None:
    """Mail the way in. Who is invited needs nobody's approval."""
    subject, text = letters.invitation(game)
    for address in addresses:
        office.put(address, subject, text, game=game)


# ---- the clock


def run_due(
    game: Game, moment: int | None = None, *, most: int = MOST_TICKS, claim: bool = False, seconds: float | None = None
) -> list[Outcome] | None:
    """Do what the game's clock says is due, at most so many entries, begun within so many seconds. Returns the
    outcomes.

    With `claim` None, if another one is at it.
    """
    moment = moment or live.now()
    with live.of(game).writing_if_due(moment) if claim else live.of(game).writing() as running:
        return catch_up(game, running, moment, most, seconds)[0] if running is not None else None


def stop_for(game: Game, incident: Incident) -> None:
    """Pause a game whose clock the machine cannot carry on: the pause names the rule, and the Admin ends it."""
    with live.of(game).writing() as running:
        due = running.next_due()
        because = f"the machine did not get to the end of rule {incident.rule or '?'}, line {incident.line}"
        for outcome in running.disrupt(because, due["args"].get("timer") if due else None):
            settle(game, running, outcome)


def catch_up(
    game: Game, running: Running, moment: int, most: int = MOST_TICKS, seconds: float | None = None
) -> tuple[list[Outcome], bool]:
    """Bring a game that is being written to up to a moment: an outage of the site first, then what is due.

    Returns (outcomes, whether some is left to do: after so many entries or seconds it stops).
    """
    until = None if seconds is None else time.monotonic() + seconds
    outcomes: list[Outcome] = []
    behind = False
    row = live.of(game).row
    if row is not None and row.away_since is not None:
        outcomes, behind = run_for(running, row.away_since, most, seconds)
        if not behind:
            outcomes += running.outage(row.away_since, row.away_until or row.away_since)
            rows = Game.objects.filter(pk=game.pk, away_since=row.away_since)
            live.of(game).also(lambda: rows.update(away_since=None, away_until=None))
    answered: list[Outcome] = []
    if not behind:
        left = None if until is None else until - time.monotonic()
        give = answered_by(game, running, answered) if standing.active(game, running.now) else None
        done, behind = run_for(running, moment, most, left, give)
        outcomes += done
    for outcome in outcomes + answered:
        note(game, running, outcome)
    return outcomes, behind


def answered_by(game: Game, running: Running, answered: list[Outcome]) -> Callable[[], None]:
    """What is called after each entry: standing answers are given, and their outcomes noted."""

    def give() -> None:
        answered.extend(standing.give(game, running, running.now))

    return give


def run_for(
    running: Running,
    moment: int,
    most: int = MOST_TICKS,
    seconds: float | None = None,
    after: Callable[[], None] | None = None,
) -> tuple[list[Outcome], bool]:
    """Do what is due up to a moment: at most so many entries, begun within so many seconds; after() follows each.

    Returns (outcomes, whether some is left to do). What is refused again and again is not waited for.
    """
    until = None if seconds is None else time.monotonic() + seconds
    outcomes: list[Outcome] = []
    for found, came in running.passing(moment):
        outcomes += came
        if after is not None:
            after()
        if len(outcomes) >= most or (until is not None and time.monotonic() > until):
            due = running.next_due()
            return outcomes, due is not None and due["at"] <= moment and due != found
    return outcomes, False


@contextlib.contextmanager
def acting(game: Game, answers: bool = True) -> Iterator[Running]:
    """The runtime's Game, to be written to by somebody: what was due before has been done.

    What this calls for is answered for players with standing answers; without `answers`, by nobody but themselves.
    Where more is due than can be done at once it raises Busy: what was done of it is kept, and the clock does the rest.
    """
    moment = live.now()
    life.sign(moment)
    until = time.monotonic() + CATCH_UP_SECONDS
    while True:
        with live.of(game).writing() as running:
            sent.check()
            _, behind = catch_up(game, running, moment, AT_ONCE, AT_ONCE_SECONDS)
            if not behind:
                yield running
                for outcome in standing.give(game, running, live.now(), order=answers):
                    note(game, running, outcome)
                return
        if time.monotonic() > until:
            raise Busy(
                10,
                gettext("%(title)s is catching up with its clock: more was due than can be done at once. %(waits)s")
                % {"title": game.title, "waits": WAITS},
            )


@contextlib.contextmanager
def acting_first(game: Game) -> Iterator[Running]:
    """The runtime's Game, to be written to before anything that is due."""
    life.sign(live.now())
    with live.of(game).writing() as running:
        sent.check()
        yield running


def begun_again(operation: Callable[Concatenate[Game, P], T]) -> Any:
    """Let an operation begin again where another process has written to the game meanwhile; a few times, then it is
    Busy."""

    @functools.wraps(operation)
    def inner(game: Game, *args: P.args, **named: P.kwargs) -> T:
        for _ in range(MOST_BEGINNINGS):
            try:
                return operation(game, *args, **named)
            except MovedOn:
                time.sleep(0.05 * random.random())
        raise Busy(
            3,
            gettext("%(title)s is being written to again and again. %(waits)s") % {"title": game.title, "waits": WAITS},
        )

    return inner


def give_answers(game: Game) -> None:
    """Give the standing answers that are waited for in a game now."""
    with acting(game):
        pass


def answer_what_is_open(see_to: Callable[[Game], None] = give_answers) -> None:
    """Look at the games in which time alone may have made possible what a standing answer waits for; `see_to(game)`
    gives it."""
    waiting = StandingAnswer.objects.filter(seat__status=Status.APPROVED, fields__isnull=False)
    for game in Game.objects.filter(pk__in=waiting.values("seat__game")):
        try:
            see_to(game)
        except (Busy, MovedOn) as error:
            log.info("standing answers of game %s have to wait: %s", game.slug, error)
        except Exception:
            log.exception("standing answers of game %s", game.slug)


# ---- who sits where


@begun_again
def ask_to_join(
    game: Game, user: User, name: str, message: str = "", invited: bool = False, piece: str = ""
) -> Outcome:
    """Ask for a seat under a name, with a piece. The rules may refuse the name. Who is invited is approved at once."""
    if refusal := reserved(name):
        return Outcome(None, refused=refusal)
    if too_many := limits.refusal(user, "wish"):
        return Outcome(None, refused=too_many)
    with acting(game) as running:
        kept = Membership.objects.filter(game=game, user=user).first()
        if refusal := cannot_ask(game, user, kept, invited) or name_of_another(game, user, name, running):
            return Outcome(None, refused=refusal)
        outcome = running.join(name, live.now())
        if outcome.ok:
            kept = stays.asked_again(kept) if kept else Membership(game=game, user=user)
            kept.player, kept.message, kept.answer, kept.piece = name, message, "", piece or kept.piece
            kept.status, kept.asked, kept.answered, kept.left = Status.ASKED, live.present(), None, None
            if invited or game.office == Game.Office.HOUSE:
                let_in(game, running, kept)
            live.of(game).also(kept.save)
            live.of(game).also(lambda: limits.note(user, "wish"))
        settle(game, running, outcome)
    return outcome


def let_in(game: Game, running: Running, seat: Membership) -> None:
    """Approve who has asked just now, in the name of whoever decides. What the rules forbid stays a wish."""
    outcome = running.admin("approve-player", {"player": seat.player}, live.now(), by=game.decider_name)
    if outcome.ok:
        seat.status, seat.answered = Status.APPROVED, live.present()
    note(game, running, outcome)


def cannot_ask(game: Game, user: User, kept: Membership | None, invited: bool = False) -> str | None:
    """Why this user cannot ask for a seat at this game, or None. An invitation holds also while applications are
    closed."""
    if game.admin_id == user.pk:
        return gettext("You are the Admin of this game, and the Admin does not play")
    if kept is None:
        return str(CLOSED) if game.closed and not invited else None
    if kept.barred:
        return gettext("The Admin has removed you from this game")
    if kept.status == Status.APPROVED:
        return gettext("You have a seat in this game already, as %(player)s") % {"player": kept.player}
    if kept.status == Status.ASKED and game.is_vacant:
        return gettext("You have asked already; nobody is the Admin of this game now")
    if kept.status == Status.ASKED:
        return gettext("You have asked already; %(decider)s has not answered yet") % {"decider": game.decider}
    return str(CLOSED) if game.closed and not invited else None


@begun_again
def leave(game: Game, membership: Membership) -> Outcome:
    """Leave the game for good."""
    with acting(game) as running:
        outcome = running.leave(membership.player, live.now())
        if outcome.ok:
            live.of(game).also(lambda: stays.seat_lost(membership))
        settle(game, running, outcome)
    return outcome


@begun_again
def withdraw(game: Game, membership: Membership) -> Outcome:
    """Take back a wish to join."""
    with acting(game) as running:
        args = {"player": membership.player, "because": "The wish to join was taken back"}
        outcome = running.admin("decline-player", args, live.now(), by="kernel")
        if outcome.ok:
            live.of(game).also(lambda: stays.wish_ends(membership))
        settle(game, running, outcome)
    return outcome


# ---- orders and acts


@begun_again
def leave_answer(game: Game, /, membership: Membership, **kept: object) -> StandingAnswer:
    """Leave a standing answer; what is open already is answered at once."""
    with acting(game) as running:
        found = StandingAnswer(seat=membership, **kept)
        standing.leave(game, found, running.now)
        live.of(game).also(lambda: sent.keep(where=f"{game.address}answers/"))
    found.refresh_from_db()
    return found


def remove_answer(membership: Membership, pk: int) -> None:
    """Give a standing answer of this seat no more."""
    membership.standing_answers.filter(pk=pk).delete()


@metrics.timed("order")
@begun_again
def order(game: Game, player: str, do: str, args: Data, by_program: bool = False) -> Outcome:
    """A player's order, by the player's name. `by_program`: a program of theirs gives it, with a key.

    The programs of a proposal are checked before anybody waits for the game.
    """
    problem = first_error(args, live.of(game).check) if carries_programs(args) else None
    if problem is not None:
        return Outcome(None, refused=problem)
    with acting(game) as running:
        outcome = running.order(player, do, args, live.now())
        settle(game, running, outcome, player, by_program=by_program)
    if outcome.ok:
        order_given.send(sender=Game, game=game)
    return outcome


def is_here(game: Game, player: str | None) -> bool:
    """Note in the journal that a player is here, where the rules want to know, as often as they say."""
    if LOG_IN not in live.of(game).describe()["actions"] or not live.of(game).preview(player, LOG_IN, {}).ok:
        return False
    with sent.aside():
        return order(game, player, LOG_IN, {}).ok


@metrics.timed("desk")
@begun_again
def desk_act(game: Game, do: str, args: Data, by: str = "Admin", by_program: bool = False) -> Outcome:
    """An act of the Admin, or of the table or house in the Admin's place (`by`, as the journal has it). A pause comes
    before anything that is due: no storm of timers puts it off. `by_program`: it is given with a key."""
    first = do == "pause" and not Game.objects.filter(pk=game.pk, away_since__isnull=False).exists()
    with acting_first(game) if first else acting(game) as running:
        outcome = running.admin(do, args, live.now(), by=by)
        if outcome.ok:
            waits = any(fact["what"] == "approved" for fact in outcome.facts)
            live.of(game).also(lambda: stays.seat_by_act(game, do, args, waits))
        settle(game, running, outcome, by_program=by_program)
    return outcome


@begun_again
def strike(game: Game, entry: int | str, because: str, confirm: str | None = None, by_program: bool = False) -> Outcome:
    """Take an entry out of the game. `confirm` is the hash of the preview the Admin has seen. `by_program`: it is
    given with a key."""
    with acting(game, answers=False) as running:
        outcome = running.strike(entry, because, live.now(), confirm)
        if outcome.ok:
            things = running.view("admin", live.now())["things"].values()
            live.of(game).also(lambda: readings.forget(game))
            live.of(game).also(lambda: stays.reseat(game, things))
        settle(game, running, outcome, by_program=by_program)
    return outcome


def settle(game: Game, running: Running, outcome: Outcome, player: str = "", by_program: bool = False) -> None:
    """What the site notes of what somebody, `player`, did; the token it was sent with is kept with its entry."""
    if by_program and outcome.n is not None:
        live.of(game).gathered.journal.by_program.add(outcome.n)
    note(game, running, outcome, player)
    if outcome.ok or outcome.n is not None:
        live.of(game).also(lambda: sent.keep(outcome.n, outcome.ok, f"{game.address}log/"))


def note(game: Game, running: Running, outcome: Outcome, player: str = "") -> None:
    """What the site notes of every outcome: faults for the desk, and players whom the rules have removed."""
    fault = outcome.fault or outcome.broke  # what broke, and was left out of an act that stands, is for the desk too
    if fault is not None:
        message = fault["message"].replace("\0", "\N{REPLACEMENT CHARACTER}")  # which PostgreSQL would not take
        noted = Fault(
            game=game, n=outcome.n, rule=(fault["rule"] or "")[:80], line=fault["line"] or None, message=message
        )
        live.of(game).also(noted.save)
        log.warning("game %s: rule %s line %s: %s", game.slug, fault["rule"], fault["line"], fault["message"])
    gone = {fact["who"]: fact.get("because") for fact in outcome.facts if fact.get("event") == "remove"}
    if gone:
        things = running.view("visitor", live.now())["things"]
        gone = {name: why for name, why in gone.items() if things.get(name, {}).get("kind") != "player"}
        live.of(game).also(lambda: stays.lose_seats(game, gone, player))


def settle_fault(fault: Fault) -> None:
    """The Admin has dealt with a fault."""
    fault.settled = timezone.now()
    fault.save(update_fields=["settled"])


# ---- the office of the Admin


def offer_office(game: Game, address: str) -> None:
    """Offer the office to whoever has an address; they accept it, or do not. Nobody is told whether there is an
    account."""
    with transaction.atomic():
        until = live.now() + OFFER_SECONDS
        change_game(game, successor=address, successor_until=until)
        with timezone.override(languages.zone_of(None, game)):
            ends = queries.in_words(until, "moment")
        office.put(
            address,
            gettext("[%(title)s] You are offered the office of Admin") % {"title": game.title},
            "\n\n".join(
                [
                    gettext(
                        "The Admin of %(title)s would like to hand the office over to you. The Admin lets players in, "
                        "judges and rules, and does not play."
                    ),
                    gettext("Accept or decline here, signed in with this address: %(link)s"),
                    gettext("If you do nothing, the offer ends on %(ends)s, and nothing changes."),
                ]
            )
            % {"title": game.title, "ends": ends, "link": letters.link_to(game, "office/")}
            + "\n",
        )


def withdraw_office(game: Game) -> None:
    """Offer the office of a game to nobody."""
    change_game(game, successor="", successor_until=None)


def decline_office(game: Game) -> None:
    """Whoever is offered the office does not take it: its Admin is told by mail, and stays."""
    with transaction.atomic():
        withdraw_office(game)
        letters.mail(
            game.admin,
            lambda: gettext("[%(title)s] The office of Admin is declined"),
            lambda: (
                gettext("Your offer of the office of Admin of %(title)s has been declined. You stay the Admin."),
                gettext("Offer it to somebody else: %(link)s"),
            ),
            {"title": game.title, "link": letters.link_to(game, "admin/hand-over/")},
        )


@begun_again
def hand_over(
    game: Game,
    user: User,
    say: str = "The office of Admin has passed to another person, who has accepted it.",
    offered: str = "",
) -> Outcome:
    """Make somebody the Admin of a game, for all to see in its log; that of a game that is over takes nothing more.
    `offered`: the address to which the office was offered, which it must be still."""
    with acting(game) as running:
        game.refresh_from_db()
        if offered and (game.successor != offered or not roster.offer_stands(game)):
            return Outcome(None, refused=gettext("Nobody offers you the office of this game, or no longer."))
        if roster.takes_part(game, user):
            return Outcome(
                None, refused=gettext("The Admin does not play: leave the game, or take back the wish to join, first")
            )
        outcome = Outcome(None) if running.over() else running.admin("rule", {"text": say}, live.now())
        if outcome.ok:
            live.of(game).also(lambda: change_admin(game, user))
        settle(game, running, outcome)
    return outcome


def change_admin(game: Game, user: User) -> None:
    """Give the office of a game to another account, and tell the one who had it by mail."""
    if game.office == Game.Office.TABLE:
        game.table_questions.filter(settled=None).update(result="It has been settled otherwise.", settled=live.now())
    former, game.admin, game.office = game.admin, user, Game.Office.PERSON
    game.successor, game.successor_until = "", None
    game.host = game.host if game.starter_id == user.pk else ""  # the name of somebody else
    game.save(update_fields=["admin", "successor", "successor_until", "office", "host"])
    if former is not None:
        letters.mail(
            former,
            lambda: gettext("[%(title)s] The office has been handed over"),
            lambda: (gettext("%(title)s has another Admin now."),),
            {"title": game.title},
        )


# ---- the operator's stop


def operate(game: Game, do: str, because: str = "") -> Outcome:
    """Stop a game, or let it go on, as the operator of the site: before anything that is due, and whatever its rules
    say."""
    with acting_first(game) as running:
        since = running.value(OPERATOR_STOP_AT, "game") if running.stopped() else None
        outcome = running.operate(do, because, live.now())
        if outcome.ok and do == "resume":  # nobody could answer the table meanwhile
            asked = game.table_questions.filter(settled=None)
            latest = live.now() + DAY  # a day is what a question has
            live.of(game).also(lambda: asked.update(closes=Least(F("closes") + live.now() - since, latest)))
        settle(game, running, outcome)
    return outcome


# ---- settings of a game


def change_game(game: Game, **changes: object) -> None:
    """Change what the site keeps of a game: visibility, the Admin's words."""
    for name, value in changes.items():
        setattr(game, name, value)
    game.save(update_fields=list(changes))
