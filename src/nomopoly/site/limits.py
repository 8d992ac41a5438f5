"""How much one person may do on this site in an hour or a day, where mails or rows come of it: one table for all of it.

What the rules of a game allow is no matter of this table; nor are orders, which have limits of their own. All of it is
kept in the database, so that it holds for all processes together. From one network address FROM_ADDRESS times as much
is possible as for one account: a class or a club sits behind one address, and a hundred new accounts of one person do
too.
"""

from __future__ import annotations

import math
from datetime import timedelta
from typing import TYPE_CHECKING

from django.core.cache import caches
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from nomopoly.site import knocks
from nomopoly.site.tables.models import Deed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nomopoly.site.accounts.models import User
    from nomopoly.site.order.models import Knock


HOUR, DAY = timedelta(hours=1), timedelta(days=1)
POSTS = gettext_lazy("posts")
LIMITS = {  # what is done -> (at most so many, in such a time, what it is called)
    "game": ((5, DAY, gettext_lazy("new games")),),
    "invitation": ((40, DAY, gettext_lazy("invitations by mail")),),
    "wish": ((20, DAY, gettext_lazy("requests to join a game")),),
    "library": ((10, DAY, gettext_lazy("rules for the library")),),
    "office": ((5, DAY, gettext_lazy("offers of the office of Admin")),),
    "announcement": ((5, DAY, gettext_lazy("announcements by mail")),),
    "mail": ((60, HOUR, gettext_lazy("answers by mail")),),
    "post": ((40, HOUR, POSTS), (200, DAY, POSTS)),
    "report": ((20, DAY, gettext_lazy("reports")),),
}
FROM_ADDRESS = 5  # times as much as one account, from one network address
TO_ADDRESS = 3  # invitations a day to one mail address, whoever sends them
SPANS = {HOUR: gettext_lazy("an hour"), DAY: gettext_lazy("a day")}

A_MINUTE = {"check": 40}  # what a page asks for by itself while one types, and how often in a minute


def refusal(user: User, what: str, count: int = 1) -> str | None:
    """Why somebody cannot do this (so many times more), in a sentence that says when they can; None if they can."""
    if user is None:
        return None
    here = knocks.here()
    for most, span, words in LIMITS[what]:
        since = timezone.now() - span
        mine = Deed.objects.filter(user=user, what=what, at__gt=since).order_by("at")
        if wait := wait_for(mine, most, span, count):
            told = {"most": most, "words": words, "span": SPANS[span], "wait": wait}
            return _("At most %(most)s %(words)s in %(span)s: try again in %(wait)s.") % told
        most *= FROM_ADDRESS
        if here and (wait := wait_for(knocks.knocks(here, what, since), most, span, count)):
            told = {"most": most, "words": words, "span": SPANS[span], "wait": wait}
            return _("At most %(most)s %(words)s in %(span)s from one address: try again in %(wait)s.") % told
    return None


def refusal_to(recipients: Iterable[str]) -> str | None:
    """Why these mail addresses cannot be invited now, in a sentence; None if they can."""
    since = timezone.now() - DAY
    for recipient in recipients:
        if wait := wait_for(knocks.knocks(recipient, "invited", since), TO_ADDRESS, DAY, 1):
            told = {"address": recipient, "times": TO_ADDRESS, "span": SPANS[DAY], "wait": wait}
            sentence = _("%(address)s was invited %(times)s times in %(span)s: leave it out, or try again in %(wait)s.")
            return sentence % told
    return None


def wait_for(rows: QuerySet[Deed] | QuerySet[Knock], most: int, span: timedelta, count: int) -> str | None:
    """In which time so many more are possible beside what these rows (oldest first) count, in words; None: now."""
    kept = list(rows.values_list("at", "count"))
    free = most - sum(many for at, many in kept)
    if free >= count:
        return None
    for at, many in kept:
        free += many
        if free >= count:
            return in_time(at + span - timezone.now())
    return in_time(span)  # more at once than is ever possible


def in_time(span: timedelta) -> str:
    """A span in words: "12 minutes", "3 hours"."""
    minutes = max(1, math.ceil(span.total_seconds() / 60))
    if minutes > 90:
        hours = math.ceil(minutes / 60)
        return ngettext("%(hours)s hour", "%(hours)s hours", hours) % {"hours": hours}
    return ngettext("a minute", "%(minutes)s minutes", minutes) % {"minutes": minutes}


def note(user: User, what: str, count: int = 1) -> None:
    """Note that somebody has done this. What no limit looks back to is forgotten."""
    if user is not None and count:
        Deed.objects.create(user=user, what=what, count=count)
        Deed.objects.filter(at__lt=timezone.now() - 2 * DAY).delete()
        knocks.note(knocks.here(), what, count)


def note_to(recipients: Iterable[str]) -> None:
    """Note that these mail addresses were invited."""
    for recipient in recipients:
        knocks.note(recipient, "invited")


def lift(user: User) -> int:
    """Forget what counts for somebody's limits. Returns how much that was."""
    return Deed.objects.filter(user=user).delete()[0]


def paced(user: User, what: str) -> bool:
    """Whether a page may ask for something by itself once more in this minute; it is counted, and nothing is stored."""
    cache = caches["local"]
    key = f"pace-{what}-{user.pk}-{int(timezone.now().timestamp()) // 60}"
    cache.add(key, 0, 120)
    return cache.incr(key) <= A_MINUTE[what]
