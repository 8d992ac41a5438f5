"""How much one person may do on this site in an hour or a day, where mails or rows come of it: one table for all of it.

What the rules of a game allow is no matter of this table; nor are orders, which have limits of their own.
"""

from datetime import timedelta

from django.core.cache import cache
from django.db.models import Sum
from django.utils import timezone

from nomopoly.site.tables.models import Deed

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
LIMITS = {  # what is done -> (at most so many, in such a time, what it is called)
    "game": ((5, DAY, "games can be started"),),
    "invitation": ((40, DAY, "people can be invited by mail"),),
    "wish": ((20, DAY, "times one can ask to join a game"),),
    "library": ((10, DAY, "rules can be offered to the library"),),
    "office": ((5, DAY, "times the office of Admin can be offered"),),
    "announcement": ((5, DAY, "announcements can be mailed"),),
    "mail": ((60, HOUR, "mails can be answered"),),
    "post": ((40, HOUR, "posts can be written"), (200, DAY, "posts can be written")),
}
SPANS = {HOUR: "an hour", DAY: "a day"}

A_MINUTE = {"check": 40}  # what a page asks for by itself while one types, and how often in a minute


def refusal(user, what, count=1):
    """Why somebody cannot do this (so many times more), in a sentence; None if they can."""
    if user is None:
        return None
    for most, span, words in LIMITS[what]:
        since = timezone.now() - span
        done = Deed.objects.filter(user=user, what=what, at__gt=since).aggregate(done=Sum("count"))["done"] or 0
        if done + count > most:
            return f"At most {most} {words} in {SPANS[span]}: wait, and try again later."
    return None


def note(user, what, count=1):
    """Note that somebody has done this. What no limit looks back to is forgotten."""
    if user is not None and count:
        Deed.objects.create(user=user, what=what, count=count)
        Deed.objects.filter(at__lt=timezone.now() - 2 * DAY).delete()


def paced(user, what):
    """Whether a page may ask for something by itself once more in this minute; it is counted, and nothing is stored."""
    key = f"pace-{what}-{user.pk}-{int(timezone.now().timestamp()) // 60}"
    cache.add(key, 0, 120)
    return cache.incr(key) <= A_MINUTE[what]
