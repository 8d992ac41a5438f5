"""Holidays: a player says to be away from one day to another.

The site shows that to all who play, holds mails back if the player wants that, and warns nobody of a removal who can
still be warned when they are back. The game itself goes on as its rules say: it hears of a holiday only where its
rulebook declares the actions `take-holiday` and `end-holiday`. Then the rules also decide who may go and for how long.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from nomopoly.runtime.protocol import END_HOLIDAY, TAKE_HOLIDAY
from nomopoly.site import formats
from nomopoly.site.tables import domain, live, queries
from nomopoly.site.tables.models import Holiday, Membership
from nomopoly.site.tables.signals import holiday_taken

if TYPE_CHECKING:
    from nomopoly.site.accounts.models import User
    from nomopoly.site.tables.models import Game


DAY = 86_400
YEAR = 365 * DAY
MOST_DAYS = 14  # in a year, where the rules say nothing of holidays
AHEAD = YEAR  # how far ahead a holiday can be


# ---- who is away


def of(game: Game) -> list[Any]:
    """The holidays of those who play a game, under way or to come, the first one first."""
    mine = Holiday.objects.filter(seat__game=game, seat__status=Membership.Status.APPROVED, until__gt=live.now())
    return list(mine.select_related("seat"))


def of_seat(seat: Membership) -> Holiday | None:
    """The holiday of a player (a Membership) that is under way or to come, or None."""
    return seat.holidays.filter(until__gt=live.now()).first()


def now_of(seat: Membership) -> Holiday | None:
    """The holiday on which a player (a Membership) is, or None."""
    return seat.holidays.filter(since__lte=live.now(), until__gt=live.now()).first()


def games_left_by(user: User) -> set[Any]:
    """The games (ids) of which a user gets no mail now, because they are on a holiday from them."""
    at = live.now()
    mine = Holiday.objects.filter(seat__user=user, hold=True, since__lte=at, until__gt=at)
    return set(mine.values_list("seat__game", flat=True))


URGENT = ("desk", "removal")  # kinds of notices that no holiday holds back


def held(since: int | None = None) -> Q:
    """Which notices are held back now, or were since a moment (seconds since 1970), as a condition on notices."""
    at = live.now()
    rows = Holiday.objects.filter(hold=True, since__lte=at, until__gt=at if since is None else since)
    found = Q(pk__in=[])
    for user, game in set(rows.values_list("seat__user", "seat__game")):
        found |= Q(user=user, game=game) & ~Q(kind__in=URGENT)
    return found


def cause(holiday: Holiday) -> str:
    """What makes a notice of a holiday another one than the last."""
    return f"holiday-{holiday.pk}:{holiday.until}"


def stands(game: Game, wanted: str) -> bool:
    """Whether the holiday with this cause is still so."""
    return any(cause(each) == wanted for each in of(game))


def in_words(holiday: Holiday, game: Game) -> str:
    """`is away until Mon 4 May 2026`, or `will be away from ... to ...`, by the days of the game."""
    last = day(holiday.until - 1, game)
    if holiday.since <= live.now():
        return _("is away until %(last)s") % {"last": last}
    return _("will be away from %(first)s to %(last)s") % {"first": day(holiday.since, game), "last": last}


def day(at: int, game: Game) -> str:
    """The day of a moment in the time zone of a game, in words."""
    return formats.date(datetime.fromtimestamp(at, ZoneInfo(game.time_zone)))


# ---- going, and coming back


def rules_hear(game: Game) -> bool:
    """Whether the rulebook of a game wants to know of holidays."""
    return TAKE_HOLIDAY in live.of(game).describe()["actions"]


def days_left(seat: Membership, since: int) -> int:
    """How many days a player may still be away in the year before the end of a holiday that begins at `since`."""
    used = sum(days_of(seat.game, each.since, each.until) for each in seat.holidays.filter(until__gt=since - YEAR))
    return max(0, MOST_DAYS - used)


def days_of(game: Game, since: int, until: int) -> int:
    """How many days there are from one moment to another by the calendar of a game, at whatever hours they are."""
    first, last = (datetime.fromtimestamp(each, ZoneInfo(game.time_zone)).date() for each in (since, until))
    return (last - first).days


def read(game: Game, typed: str) -> datetime | None:
    """The beginning of a day as it was typed (2026-05-06), in the time zone of the game; None where it is no day."""
    try:
        return datetime.strptime(typed, "%Y-%m-%d").replace(tzinfo=ZoneInfo(game.time_zone))
    except ValueError:
        return None


def span(game: Game, first: str, last: str) -> str | tuple[int, int]:
    """(since, until) of the days from one to another, both of them included, or why they are none, in a sentence."""
    begins, ends = read(game, first), read(game, last)
    if begins is None or ends is None:
        return _("Give both days as a date, such as 2026-05-06.")
    today = datetime.fromtimestamp(live.now(), ZoneInfo(game.time_zone)).replace(
        hour=0, minute=0, second=0, microsecond=0
    )
    if begins < today:
        return _("The first day is past. Begin today or later.")
    if ends < begins:
        return _("The last day comes before the first one.")
    if ends.timestamp() > live.now() + AHEAD:
        return _("That is more than a year ahead.")
    until = (ends + timedelta(days=1)).timestamp()
    return max(int(begins.timestamp()), live.now()), int(until)


def take(seat: Membership, first: str, last: str, hold: bool = True) -> dict[Any, Any] | Holiday:
    """Let a player (a Membership) be away from one day to another. Returns the holiday, or why not: {"reason",
    "rule"}."""
    game = seat.game
    if game.over:
        return {"reason": _("The game is over.")}
    away = span(game, first, last)
    if isinstance(away, str):
        return {"reason": away}
    since, until = away
    if of_seat(seat) is not None:
        return {"reason": _("You have a holiday already. End that one first.")}
    left = days_left(seat, since)
    heard = rules_hear(game)
    if not heard and days_of(game, since, until) > left:
        days = _("a day") if left == 1 else _("%(many)s days") % {"many": left}
        return {
            "reason": _("You can be away for %(most)s days in a year; %(days)s of them are left.")
            % {"most": MOST_DAYS, "days": days}
        }
    if heard:
        outcome = domain.order(game, seat.player, TAKE_HOLIDAY, {"since": since, "until": until})
        if not outcome.ok:
            return queries.refusal_of(outcome)
    with transaction.atomic():
        Membership.objects.select_for_update().get(pk=seat.pk)
        if of_seat(seat) is not None:
            return {"reason": _("You have a holiday already. End that one first.")}
        holiday_taken.send(None, game_id=game.pk)
        return Holiday.objects.create(seat=seat, since=since, until=until, hold=hold)


def end(seat: Membership) -> dict[Any, Any] | None:
    """Let a player (a Membership) be back, or stay. Returns None, or why not: {"reason", "rule"}."""
    holiday = of_seat(seat)
    if holiday is None:
        return None
    if END_HOLIDAY in live.of(seat.game).describe()["actions"]:
        outcome = domain.order(seat.game, seat.player, END_HOLIDAY, {})
        if not outcome.ok:
            return queries.refusal_of(outcome)
    if holiday.since > live.now():
        holiday.delete()
    else:
        Holiday.objects.filter(pk=holiday.pk, until__gt=live.now()).update(until=live.now())
    return None
