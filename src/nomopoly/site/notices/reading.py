"""A user's notices and wishes, as pages show and change them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib.auth import get_user_model
from django.db import connection, transaction
from django.db.models import Count, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from nomopoly.site.notices import kinds, mailing, making
from nomopoly.site.notices.models import Notice, Wish
from nomopoly.site.post import office
from nomopoly.site.tables import live, prepared, roster
from nomopoly.site.tables.models import Game

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nomopoly.site.accounts.models import User
    from nomopoly.site.shapes import Data


def of(user: User) -> QuerySet[Notice]:
    """The notices of a user that are due, newest first: what was asked of them goes when the game is over, or they play
    there no more, and what waited at their desk when it is no longer theirs."""
    return due_at(user, making.moment(live.now()))


def due_at(user: Any, moment: Any) -> QuerySet[Notice]:
    """The same at a moment, or with gaps for both."""
    due = Notice.objects.filter(user=user, due__lte=moment).exclude(mail="gone")
    over, plays = Q(game__over=True), Q(game__in=roster.seats_of(user).values("game"))
    asked = Q(kind__in=(*mailing.ASKING, "removal")) & (over | ~plays)
    at_desk = Q(kind="desk") & (over | ~Q(game__in=roster.governed_by(user).values("pk")))
    return due.exclude(asked | at_desk).select_related("game")


UNREAD = prepared.Rows(
    lambda user, moment: (
        due_at(user, moment)
        .filter(read=None)
        .order_by()
        .values("user_id")
        .annotate(many=Count("pk"))
        .values_list("many", flat=True)
    )
)


def unread(user: User) -> int:
    """How many notices a user has not seen: each page asks."""
    moment = connection.ops.adapt_datetimefield_value(making.moment(live.now()))
    return UNREAD.first(user.pk, moment) or 0


def note(user: User, keys: list[Any] | None = None) -> None:
    """Note that a user has seen these notices; all of them by default."""
    seen = of(user).filter(read=None)
    if keys is not None:
        seen = seen.filter(pk__in=keys)
    seen.update(read=timezone.now())


def games_of(user: User) -> list[Game]:
    """The games of which a user may be told: those they play, and those they govern."""
    seats = [seat.game for seat in roster.seats_of(user) if not seat.game.over]
    return seats + [game for game in roster.governed_by(user) if not game.over]


def game_of(key: int | None) -> Game | None:
    """The game that an address out of a mail is about, or None for all of them."""
    return Game.objects.filter(pk=key).first() if key is not None else None


def is_account(key: int) -> bool:
    """Whether there is an account of this key (still)."""
    return get_user_model().objects.filter(pk=key).exists()


def wishes_of(user: User, games: list[Game], sent: Mapping[str, str] | None = None) -> Any:
    """One row for each kind: (kind, how in all games, [(game, how there or "")]); as sent, if it was."""
    kept = {(wish.game_id, wish.kind): wish.how for wish in Wish.objects.filter(user=user)}
    rows = []
    for kind in kinds.KINDS:
        every = (sent or {}).get(f"all-{kind.id}") or kept.get((None, kind.id), kind.how)
        there = [
            (game, sent.get(f"{game.slug}-{kind.id}", "") if sent else kept.get((game.pk, kind.id), ""))
            for game in games
        ]
        rows.append((kind, every, there))
    return rows


def keep_wishes(user: User, games: list[Game], sent: Data) -> str | None:
    """Keep what a user has chosen. Returns what is wrong with it, or None."""
    known = dict(kinds.HOW)
    hour = sent.get("digest_hour", "")
    if not (hour.isdecimal() and len(hour) < 3 and int(hour) < 24):
        return gettext("Choose an hour from 0 to 23 for the daily mail.")
    chosen: dict[tuple[int | None, str], str]
    chosen = {(None, kind.id): sent.get(f"all-{kind.id}", kind.how) for kind in kinds.KINDS}
    chosen |= {(game.pk, kind.id): sent.get(f"{game.slug}-{kind.id}", "") for game in games for kind in kinds.KINDS}
    if any(how not in known for (game, _), how in chosen.items() if game is None or how):
        return gettext("Choose for each kind one of: %(ways)s.") % {"ways": ", ".join(map(str, known.values()))}
    box = office.box_of(user)
    with transaction.atomic():
        box.digest_hour, box.names_hidden = int(hour), bool(sent.get("names_hidden"))
        if sent.get("mail_again"):
            box.off, box.bounces = None, 0
        box.save()
        Wish.objects.filter(user=user, game__in=[None, *(game.pk for game in games)]).delete()
        Wish.objects.filter(user=user, game=None).delete()
        Wish.objects.bulk_create(
            Wish(user=user, game_id=game, kind=kind, how=how)
            for (game, kind), how in chosen.items()
            if (how and game is not None) or (game is None and how != kinds.BY_ID[kind].how)
        )
    return None


def stop(user_id: int, game_id: int | None, about: list[str]) -> None:
    """Mail these kinds no more, of one game or (with None) of all; they stay on the site."""
    for kind in about:
        mailing.wish(user_id, game_id, kind, "none")
