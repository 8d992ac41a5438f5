"""Time: moments, timers and the pause.

A moment is a number of seconds since 1970 (UTC). Game time stands still in a pause: a timer set with `real=True`, and a
moment attribute declared `moment="real"`, are not put off by it.
"""

from typing import Any

from nomopoly.kernel.things import Thing, declared, every, put
from nomopoly.kernel.world import MOST_MOMENT, world, writable


class Timer:
    """An event that is to happen at a moment."""

    def __init__(self, number: int, at: int, event: str, fields: Any, rule: str, real: bool) -> None:
        self.number = number
        self.at = at
        self.event = event
        self.fields = fields
        self.rule = rule
        self.real = real


def now() -> int:
    """The moment of this entry."""
    return world.now


def minutes(n: int) -> int:
    """So many minutes, in seconds."""
    return n * 60


def hours(n: int) -> int:
    """So many hours, in seconds."""
    return n * 3600


def days(n: int) -> int:
    """So many days of 24 hours, in seconds."""
    return n * 86400


def weeks(n: int) -> int:
    """So many weeks of 168 hours, in seconds."""
    return n * 604800


def restore_timers(timers: Any, next_timer: int) -> None:
    """Undo a change of the timers."""
    world.timers = timers
    world.next_timer = next_timer


def use_timers(timers: Any) -> None:
    """Replace the timers, undoably."""
    w = world
    w.undo.append((restore_timers, w.timers, w.next_timer))
    w.timers = timers


def at(moment: int, event: str, real: bool = False, **fields: Any) -> None:
    """Make an event happen at a moment (at once after this entry, if it is past)."""
    w = world
    writable()
    plan = w.index.events.get(event)
    if plan is None:
        raise ValueError(f"there is no event '{event}'")
    for field in fields:
        if field not in plan.sorts:
            raise ValueError(f"event '{event}' has no field '{field}'")
    moment = int(moment)
    if not -MOST_MOMENT < moment < MOST_MOMENT:
        raise ValueError(f"there is no moment {moment}")
    number = w.next_timer
    use_timers({**w.timers, number: Timer(number, moment, event, fields, w.rule or "", real)})
    w.next_timer = number + 1


def cancel(event: str, **fields: Any) -> None:
    """Take back what was set with `at`: all timers of this event with these fields."""
    writable()
    left = {}
    for number, timer in world.timers.items():
        hit = timer.event == event
        for field in fields:
            if timer.fields.get(field) is not fields[field] and timer.fields.get(field) != fields[field]:
                hit = False
        if not hit:
            left[number] = timer
    if len(left) < len(world.timers):
        use_timers(left)


def next_timer() -> Any:
    """The Timer that is due first (in a pause: of those in real time), or None."""
    game = world.things.get("game")
    paused = game is not None and game.paused
    first = None
    for timer in world.timers.values():
        if timer.real or not paused:
            if first is None or timer.at < first.at:
                first = timer
    return first


def pause(because: str = "", kind: str = "admin") -> None:
    """Stop the game: orders are refused and game time stands still until `resume`."""
    game = world.things["game"]
    writable()
    if not game.paused:
        put(game, "paused", True)
        put(game, "paused_at", world.now)
        put(game, "pause_kind", kind)
        put(game, "pause_because", because)


def resume() -> None:
    """Let the game go on; what was to come is put off by the length of the pause."""
    game = world.things["game"]
    writable()
    if not game.paused:
        return
    length = world.now - game.paused_at if game.paused_at is not None else 0
    put(game, "paused", False)
    put(game, "paused_at", None)
    put(game, "pause_kind", None)
    put(game, "pause_because", None)
    moved = {}
    for number, timer in world.timers.items():
        moment = timer.at if timer.real else timer.at + length
        moved[number] = Timer(number, moment, timer.event, timer.fields, timer.rule, timer.real)
    use_timers(moved)
    for kind in world.kinds:
        for attribute in declared(kind).values():
            if attribute.moment == "game":
                for member in every(kind):
                    moment = getattr(member, attribute.name)
                    if moment is not None:
                        put(member, attribute.name, moment + length)


def lapsed(timer: Any) -> bool:
    """Whether something that a timer is about has gone."""
    for content in timer.fields.values():
        if type(content) is Thing and content.id not in world.things:
            return True
    return False
