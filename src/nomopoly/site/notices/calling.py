"""From notices and games to calls: a user's webhooks and devices get their notices, a game's webhooks what everybody
may see.

Each notice is told to each target once. What has gone meanwhile is not told, nor what its reader wants on the site
alone.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Max
from django.http import HttpRequest
from django.utils import timezone, translation

from nomopoly.site.busy import Busy
from nomopoly.site.door import Seat
from nomopoly.site.notices import mailing, making
from nomopoly.site.notices.models import Notice
from nomopoly.site.play import sentences
from nomopoly.site.post import calls, office
from nomopoly.site.post.models import Target
from nomopoly.site.tables import live

if TYPE_CHECKING:
    from nomopoly.site.accounts.models import User
    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.models import Game


log = logging.getLogger("nomopoly.notices")
RECENT = timedelta(days=1)  # what is older is told by no call
MOST_LINES = 15
LONGEST = 300


def call_all() -> None:
    """Put in all calls whose time has come."""
    now = making.moment(live.now())
    for target in Target.objects.filter(off=None).select_related("user", "game"):
        try:
            with translation.override("en"):
                if target.game is not None:
                    of_game(target, target.game)
                elif target.user is not None:
                    of_user(target, target.user, now)
        except Busy as error:
            log.info("calls to target %s have to wait: %s", target.pk, error)


# ---- a user's own


def of_user(target: Target, user: User, now: datetime) -> None:
    """Tell a target of a user the notices that it has not been told."""
    if not user.is_active:
        return
    since = max(target.made, now - RECENT)
    told = {int(cause) for cause in target.calls.filter(cause__regex=r"^\d+$").values_list("cause", flat=True)}
    fresh = Notice.objects.filter(user=user, due__lte=now, due__gt=since).exclude(pk__in=told)
    how, box = mailing.ways_of(user), office.box_of(user)
    for notice in fresh.exclude(mail="gone").select_related("game", "user").order_by("due", "pk"):
        wanted = how(notice) == "mail" if target.sort == Target.Sort.PUSH else how(notice) != "none"
        if wanted and mailing.still_holds(notice):
            url = office.address(f"{notice.game.address}{notice.path}")
            calls.put(
                target, str(notice.pk), notice.game.title, [{"text": mailing.say(notice, box)[:LONGEST], "url": url}]
            )


# ---- a game's


def of_game(target: Target, game: Game) -> None:
    """Tell a target of a game what has happened, as everybody may see it. Of a private game nobody is told anything."""
    newest = game.entries.aggregate(n=Max("n"))["n"] or 0
    if newest <= target.n or game.visibility == "private":
        return
    seat = Seat(HttpRequest(), game, "visitor", None)
    entries = [each for each in seat.live.facts("visitor", target.n + 1) if not each["struck"]]
    last = seat.live.n
    with timezone.override(ZoneInfo(game.time_zone)):
        lines = [told for entry in entries for told in [line_of(seat, entry)] if told]
    with transaction.atomic():
        if not Target.objects.filter(pk=target.pk, n=target.n).update(n=last):
            return  # another worker was faster
        for first in range(0, len(lines), MOST_LINES):
            some = lines[first : first + MOST_LINES]
            calls.put(target, f"entries-{target.n}-{last}-{first}", game.title, some)


def line_of(seat: Seat, entry: Data) -> dict[Any, Any] | None:
    """An entry as a line: {"text", "url"}; None where it says nothing to anybody, as a tick of the clock."""
    teller = sentences.Teller(seat, as_said=True)
    if entry["kind"] == "tick" and not any(sentences.leads(fact) for fact in teller.worth_telling(entry)):
        return None
    if entry["fault"] or entry["refused"] or entry.get("number") is None or entry["do"] == "log-in":
        return None
    text = " ".join(str(sentences.plain_line(teller, entry)).split())
    return (
        {"text": text[:LONGEST], "url": office.address(f"{seat.game.address}log/{entry['number']}/")} if text else None
    )
