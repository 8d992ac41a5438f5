"""The site's sign of life: a moment kept in the database while the site is there, by which it knows how long it was
not.

Clocks give it, and so does every write. It is given before a game is locked, never while one is: who comes back from an
outage marks all games, and would wait for that one.
"""

import logging
from datetime import UTC, datetime

from django.core.cache import caches
from django.db import transaction
from django.db.models import F
from django.db.models.functions import Coalesce, Least

from nomopoly.site.tables.models import Game, Life, TableQuestion

log = logging.getLogger("nomopoly.clock")
SIGN_EVERY = 30  # seconds
GIVEN = "sign-of-life"
OUTAGE = 3600  # a silence of more seconds than that is an outage


def sign(moment: int) -> None:
    """Give the sign of life. After an outage, mark the games that have to enter it."""
    cache = caches["local"]
    if 0 <= moment - cache.get(GIVEN, moment + 1) < SIGN_EVERY // 3:
        return  # this process has looked just now
    cache.set(GIVEN, moment)
    last = Life.objects.filter(pk=1).values_list("at", flat=True).first()
    if last is None:
        Life.objects.get_or_create(pk=1, defaults={"at": moment})
    elif moment - last > OUTAGE:
        come_back(moment)
    elif moment - last >= SIGN_EVERY:
        Life.objects.filter(pk=1, at__lt=moment).update(at=moment)


def come_back(moment: int) -> None:
    """Mark the games whose clocks run. One in which a mark has not been seen to yet was away all the time since
    then."""
    with transaction.atomic():
        life = Life.objects.select_for_update().get(pk=1)
        if moment - life.at <= OUTAGE:
            return  # another process has seen to it
        marked = Game.objects.filter(due__isnull=False).update(
            away_since=Coalesce("away_since", life.at), away_until=moment, due=Least("due", moment)
        )
        running = TableQuestion.objects.filter(settled=None, closes__gt=life.at)
        running.update(closes=F("closes") + moment - life.at)  # nobody could answer
        since, until = (datetime.fromtimestamp(each, UTC).isoformat(timespec="seconds") for each in (life.at, moment))
        log.warning("the site was away from %s to %s: %s games", since, until, marked)
        life.at = moment
        life.save()
