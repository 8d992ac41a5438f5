"""Amounts of money and moments in words and markup: one way, for every page, list, mail and drawing."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from html import escape
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib.humanize.templatetags.humanize import naturaltime
from django.utils import dateformat, timezone
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString
from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

PLAIN = (SafeString, int, float)  # what stands in HTML as it is
FIRST_MOMENT, LAST_MOMENT = -(6 * 10**10), 10**11  # from the year 69 to the year 5138


def together(parts: Iterable[str]) -> SafeString:
    """Pieces of text and HTML as one piece of HTML. Text is escaped."""
    return SafeString("".join([part if type(part) is SafeString else in_markup(part) for part in parts]))


def markup(text: str, *parts: object, **named: object) -> SafeString:
    """What Django's `format_html` makes, for drawings of thousands of pieces: numbers and what is HTML already need no
    look."""
    escaped = [part if type(part) in PLAIN else in_markup(part) for part in parts]
    return SafeString(
        text.format(
            *escaped, **{name: part if type(part) in PLAIN else in_markup(part) for name, part in named.items()}
        )
    )


def in_markup(part: Any) -> str:
    """Anything as HTML: text is escaped."""
    return escape(part) if type(part) is str else conditional_escape(part)


def dollars(amount: int) -> str:
    """An amount of money, the sign before the dollar; what rules have put in its place as it is."""
    if amount is None:
        return ""
    if not isinstance(amount, int):
        return str(amount)
    return f"-${-amount:,}" if amount < 0 else f"${amount:,}"


SUM = re.compile(r"\$(?:(\d{4,15})|-(\d{1,15}))(?![\d,])")


def in_thousands(text: str) -> str:
    """A text with its sums as people write them: $10,000, -$950."""
    return SUM.sub(lambda match: f"${int(match[1]):,}" if match[1] else f"-${int(match[2]):,}", text)


WHOLE = re.compile(
    r"(?P<sign>[-\u2212]?)\s*\$?\s*(?P<more>[-\u2212]?)"
    r"(?P<digits>\d{1,3}(?:[,'’\u00a0\u202f ]\d{3})+|\d+)(?:\.00)?\s*\$?"
)


def whole_number(text: str) -> int | None:
    """A whole number, or an amount of money, as people write it (-1500, $1,500, 1 500, $20.00), or None."""
    found = WHOLE.fullmatch(text.strip())
    if found is None or (found["sign"] and found["more"]):
        return None
    number = int(re.sub(r"\D", "", found["digits"]))
    return -number if found["sign"] or found["more"] else number


def has_date(seconds: int | float) -> bool:
    """Whether a moment lies in a year that has a name: what it is that rules have put in its place is shown as it
    is."""
    return isinstance(seconds, int) and FIRST_MOMENT <= seconds <= LAST_MOMENT


def local(seconds: float) -> datetime:
    """A moment (seconds since 1970) in the reader's zone."""
    return datetime.fromtimestamp(seconds, UTC).astimezone(timezone.get_current_timezone())


class Shape(dateformat.DateFormat):
    """Django's format, which names the zone in the hour that comes twice, too: it alone tells the two hours apart."""

    def T(self) -> str:
        """The zone's abbreviation."""
        return self.data.strftime("%Z")


def shaped(at: datetime, shape: str) -> str:
    """A datetime in the reader's language, in a shape as Django's filter `date` takes it."""
    return Shape(at).format(shape)


def date(at: datetime, *, whole: bool = False) -> str:
    """A date in words: Tue 5 May 2026; with `whole`, the name of the weekday is not cut."""
    return shaped(at, _("l j F Y") if whole else _("D j F Y"))


def clock(seconds: int | float) -> str:
    """A moment (seconds since 1970, or a datetime) in the reader's zone, with the zone's abbreviation: Tue 5 May 2026
    18:20 CEST."""
    if isinstance(seconds, datetime):
        seconds = int(seconds.timestamp())
    return shaped(local(seconds), _("D j F Y H:i T"))


def ago(at: datetime) -> str:
    """How long ago a moment was, in words. Of days and more, Django itself says in German "1 Tage her"."""
    if timezone.now() - at < timedelta(days=1):
        return str(naturaltime(at))
    return pgettext("days and more", "%(time)s ago") % {"time": timesince(at)}


def clock_in(seconds: float, zone: str) -> str:
    """The same in a zone of this name, say `Europe/Berlin`, by its own abbreviation."""
    return shaped(datetime.fromtimestamp(seconds, ZoneInfo(zone)), _("D j F Y H:i T"))


def moment(seconds: float | datetime | None) -> str:
    """A moment (seconds since 1970, or a datetime) in the reader's zone as markup."""
    if seconds is None:
        return ""
    if isinstance(seconds, datetime):
        seconds = int(seconds.timestamp())
    if not has_date(seconds):
        return format_html("<bdi>{}</bdi>", seconds)
    return format_html('<time datetime="{}">{}</time>', local(seconds).isoformat(), clock(seconds))


def day(seconds: float) -> str:
    """The day of a moment in the reader's zone as markup."""
    if not has_date(seconds):
        return moment(seconds)
    at = local(seconds)
    return format_html('<time datetime="{}">{}</time>', at.date().isoformat(), date(at))
