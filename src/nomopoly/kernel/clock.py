"""Time: moments, timers and the pause.

A moment is a number of seconds since 1970 (UTC). Game time stands still in a pause: a timer set with `real=True`, and a
moment attribute declared `moment="real"`, are not put off by it.
"""

from bisect import bisect_left, insort
from typing import Any

from nomopoly.kernel.beyond import voting
from nomopoly.kernel.budgets import (
    BYTES_A_STEP,
    MOST_STATE,
    MOST_TIMERS,
    MOST_TIMERS_MADE,
    MOST_WORD,
    RESERVE,
    exhausted,
    heft,
    reserve,
    spend,
    spent,
)
from nomopoly.kernel.events import has_fields, plan_for_rules
from nomopoly.kernel.index import Program
from nomopoly.kernel.precedence import in_order
from nomopoly.kernel.sorts import fit_for_timer
from nomopoly.kernel.things import Thing, declared, every, in_short, plain, put, put_each
from nomopoly.kernel.world import world, writable


class Timer:
    """An event that is to happen at a moment."""

    def __init__(self, number: int, at: int, event: str, fields: Any, rule: str, real: bool, more: Any) -> None:
        self.number = number
        self.place: Any = None  # of those of one moment, which came first
        self.at, self.event, self.fields, self.rule, self.real = at, event, fields, rule, real
        self.record, self.quiet = more  # the rule that will carry it out, if that is settled now; whether it may fail
        self.heft = sum([heft(fields[name]) for name in fields])
        if self.record is not None:
            self.heft += len(self.record["text"]) + len(self.record["code"])

    def moved(self, moment: int, real: bool, place: Any) -> Any:
        """The same at another moment."""
        made = Timer(self.number, moment, self.event, self.fields, self.rule, real, (self.record, self.quiet))
        made.place = place
        return made


def now() -> int:
    """The moment of this entry."""
    return world.now


def game_time() -> int:
    """The moment by the game's own clock: now, or when the pause began. What is counted in game time starts from
    here."""
    game = world.things["game"]
    return game.paused_at if game.paused else world.now


def minutes(n: int) -> int:
    """So many minutes, in seconds."""
    return int(n) * 60


def hours(n: int) -> int:
    """So many hours, in seconds."""
    return int(n) * 3600


def days(n: int) -> int:
    """So many days of 24 hours, in seconds."""
    return int(n) * 86400


def weeks(n: int) -> int:
    """So many weeks of 168 hours, in seconds."""
    return int(n) * 604800


def next_moment(name: str) -> Any:
    """When a moment of the calendar comes next: `next_moment("payday")`. None in a game that does not know its time
    zone."""
    day = world.index.calendar.get(name)
    if day is None:
        raise ValueError(f"there is no moment of the calendar '{name}'")
    offsets = world.things["game"].offsets
    today = (world.now + clock_at(offsets, world.now)) // 86400 if offsets else 0
    for date in range(today, today + 9) if offsets else ():
        begins = date * 86400 + day["hour"] * 3600 + day["minute"] * 60
        begins -= clock_at(offsets, begins, True)
        if day["weekday"] in (-1, (date + 3) % 7) and begins > world.now:  # day 0 of 1970 was a Thursday
            return begins
    return None


def clock_at(offsets: Any, moment: int, local: bool = False) -> int:
    """How many seconds the clock of the game is before UTC at a moment, which may be `local`: what that clock says."""
    found = offsets[0][1]
    for since, offset in offsets:
        if moment >= since + (max(found, offset) if local else 0):
            found = offset
    return int(found)


def enter_timer(timer: Any) -> None:
    """Put a timer among those of its moment, as the last one if it has no place there."""
    w = world
    if timer.place is None:
        w.placed += 1
        timer.place = w.placed
    w.timers[timer.number] = timer
    w.timers_heft += timer.heft
    insort(w.soonest, (timer.at, timer.number))
    if w.queue and timer.at <= w.queue[0].at:
        w.queue = []


def remove_timer(timer: Any, next_timer: int) -> None:
    """Take a timer out."""
    w = world
    w.next_timer = next_timer
    w.timers_heft -= w.timers.pop(timer.number).heft
    w.soonest.pop(bisect_left(w.soonest, (timer.at, timer.number)))


def put_timer(timer: Any) -> None:
    """Set a timer, undoably."""
    world.undo.append((remove_timer, timer, world.next_timer))
    enter_timer(timer)


def drop_timers(numbers: Any) -> None:
    """Take timers out, undoably."""
    for number in numbers:
        timer = world.timers[number]
        world.undo.append((enter_timer, timer))
        remove_timer(timer, world.next_timer)


def move_timers(moved: Any) -> None:
    """Put others in the place of timers of the same numbers, undoably."""
    for timer in moved:
        drop_timers([timer.number])
        put_timer(timer)


def at(moment: int, event: str, real: bool = False, fixed: bool = False, quiet: bool = False, **fields: Any) -> int:
    """Make an event happen at a moment (at once after this entry, if it is past). Returns the number of the timer.

    `real`: a pause does not put it off. `fixed`: the rule that holds for it now will, whatever becomes of the rule.
    `quiet`: if it breaks, it is dropped, and the game goes on.
    """
    writable()
    plan = plan_for_rules(event)
    if plan is None:
        return 0  # the number of no timer
    has_fields(plan, fields)
    fit_for_timer(event, moment, fields, plan.sorts)
    return set_timer(moment, plan, fields, real, fixed, quiet)


def set_timer(moment: int, plan: Any, fields: Any, real: bool, fixed: bool = False, quiet: bool = False) -> int:
    """What `at` does, for every event."""
    w = world
    moment = int(moment)
    spend(len(w.timers) // BYTES_A_STEP)
    if spent("timers", 1) > MOST_TIMERS_MADE:
        exhausted(f"too many timers: an entry sets at most {MOST_TIMERS_MADE}")
    if len(w.timers) >= MOST_TIMERS + reserve(RESERVE):
        exhausted(f"too many timers: a game has at most {MOST_TIMERS}")
    number = max(w.next_timer, w.n * 1000)  # by the entry, so that it stays the same when an earlier one is struck
    record = w.records.get(plan.ons[0][1]) if fixed and plan.ons else None
    timer = Timer(number, moment, plan.name, fields, w.rule or "", real, (record, quiet))
    if timer.heft and w.timers_heft + timer.heft > MOST_STATE + reserve(MOST_WORD):
        exhausted(f"too much: the timers of a game hold at most {MOST_STATE} characters")
    put_timer(timer)
    w.next_timer = number + 1
    return number


def pending(number: Any) -> bool:
    """Whether a timer is still to come, given the number that `at` returned."""
    return number in world.timers


def cancel(event: str, **fields: Any) -> None:
    """Take back what was set with `at`: all timers of this event with these fields."""
    writable()
    timers = world.timers
    spend(len(timers) // BYTES_A_STEP)
    gone: Any = timers
    for name, content in fields.items():
        gone = [number for number in gone if timers[number].fields.get(name) == content]
    gone = [number for number in gone if timers[number].event == event]
    if event == "emergency-closes" and world.rule != "kernel":
        gone = [number for number in gone if not voting(*timers[number].fields.values())]
    if gone:
        drop_timers(gone)


def next_timer() -> Any:
    """The Timer that is due first (in a pause: of those in real time), or None."""
    w = world
    game = w.things.get("game")
    if game is None or game.operator_stop is not None or getattr(game, "over", False):
        return None
    if w.queued[0] is not w.index or w.queued[1] != game.paused:
        w.queue = []
    while w.queue and w.timers.get(w.queue[-1].number) is not w.queue[-1]:
        w.queue.pop()
    if not w.queue:
        w.queue, w.queued = lined_up(game.paused), (w.index, game.paused)
    return w.queue[-1] if w.queue else None


def lined_up(paused: bool) -> Any:
    """The timers of the first moment, the last one first: by precedence, then in the order in which what they are about
    came into the game, then as they were set."""
    due: list[Any] = []
    for moment, number in world.soonest:
        if due and moment > due[0].at:
            break
        if world.timers[number].real or not paused:
            due.append(world.timers[number])
    if len(due) < 2:
        return due
    due.sort(key=lambda timer: (min([place_of(each) for each in timer.fields.values()], default=0), timer.place))
    due = [timer for _, timer in in_order([(program_of(timer.event), timer) for timer in due])]
    due.reverse()
    return due


def place_of(content: Any) -> int:
    """When the thing in a field of a timer came into the game; 0 for what is no thing."""
    about = plain(content)
    return int(world.places.get(about, 0)) if type(about) is str else 0


def program_of(event: str) -> Any:
    """The program of the rule that carries an event out."""
    plan = world.index.events.get(event)
    return world.programs.get(plan.owner if plan is not None else "") or Program("kernel", -2)


def pause(because: str = "", kind: str = "admin") -> None:
    """Stop the game: orders are refused and game time stands still until `resume`."""
    game = world.things["game"]
    writable()
    if type(because) is not str and because is not None:
        raise ValueError(f"pause_because of game must be a word: {in_short(because)}")
    if not game.paused:
        put_each(game, paused=True, paused_at=world.now, pause_kind=kind, pause_because=because)


def resume() -> None:
    """Let the game go on; what was to come is put off by the length of the pause."""
    game = world.things["game"]
    writable()
    if not game.paused:
        return
    if world.given.get("kind") == "admin" and world.given["do"] == "pause":
        raise ValueError("the Admin has just paused the game: no rule ends that in the same entry")
    length = world.now - game.paused_at if game.paused_at is not None else 0
    spend(4 * (2 + len(world.timers)))
    put_each(game, paused=False, paused_at=None, pause_kind=None, pause_because=None, resumed_at=world.now)
    move_timers([each.moved(each.at + length, False, each.place) for each in world.timers.values() if not each.real])
    move_moments("game", lambda moment: moment + length)


def move_moments(sort: str, moved: Any) -> None:
    """Give the moments of a sort ("game" or "real") that things hold other values."""
    for kind in world.kinds:
        for attribute in declared(kind).values():
            if attribute.moment == sort:
                spend(len(every(kind)) // 4)
                rule, world.rule = world.rule, "kernel"
                for member in every(kind):
                    moment = getattr(member, attribute.name)
                    if moment is not None and moved(moment) != moment:
                        put(member, attribute.name, moved(moment))
                world.rule = rule


def end_outage(since: int) -> None:
    """Nobody was there since a moment: what was to come meanwhile in real time comes in a day, and the game goes on.

    The game was paused with the kind "outage" at that moment, if it was not paused before.
    """
    reached = world.now

    def later(moment: int) -> int:
        return reached + hours(24) if since < moment <= reached else moment

    moved = []
    for timer in world.timers.values():
        moment = later(timer.at) if timer.real else timer.at
        if moment != timer.at:  # an emergency vote sees to what the rules' own close has left
            moved.append(timer.moved(moment + int(timer.event == "emergency-closes"), True, timer.place))
    move_timers(moved)
    move_moments("real", later)
    if world.things["game"].pause_kind == "outage":
        resume()


def hold(number: int) -> None:
    """Put a timer that has broken off until the pause is over; a quiet one is dropped."""
    timer = world.timers.get(number)
    if timer is not None:
        drop_timers([number])
        if not timer.quiet:
            put_timer(timer.moved(game_time(), False, None))


def lapsed(timer: Any) -> bool:
    """Whether something that a timer is about has gone."""
    return bool([each for each in timer.fields.values() if type(each) is Thing and each.id not in world.things])
