"""From notices to letters: what has come up within a quarter of an hour goes in one mail for each game, the rest in the
daily one.

Before a notice is mailed its cause is looked at once more, through the eyes of its reader: what is struck, answered,
voted on or taken back meanwhile is not mailed. The letter and the note that its notices are in it are written together.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.core import signing
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext, ngettext, override

from nomopoly.site import formats
from nomopoly.site.bymail import addresses
from nomopoly.site.bymail.reading import ABOVE
from nomopoly.site.door import Seat
from nomopoly.site.notices import kinds, making
from nomopoly.site.notices.models import Notice, Wish
from nomopoly.site.play import calendars, watched
from nomopoly.site.post import languages, office
from nomopoly.site.tables import holidays, letters, live, queries, whereabouts

if TYPE_CHECKING:
    from nomopoly.site.accounts.models import User
    from nomopoly.site.post.models import Mailbox
    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.models import Game


BATCH = timedelta(minutes=15)
STALE = timedelta(days=3)  # what could not be mailed for so long is on the site alone
SALT = "nomopoly.notices.stop"
MOST_LINES = 40  # of one mail
MOST_AT_ONCE = 500  # entries, or notices, that are asked for in one query
ASKING = ("turn", "asked", "due", "vote")


def mail_all() -> int:
    """Put all mails in whose time has come. Returns how many."""
    now = making.moment(live.now())
    stale = Notice.objects.filter(mail="waiting", due__lt=now - STALE)
    stale.exclude(holidays.held(since=live.now() - int(STALE.total_seconds()))).update(mail="none")
    put = 0
    for user in users_with_mail(now):
        put += mail_user(user, now)
    return put


def users_with_mail(now: datetime) -> QuerySet[Any]:
    """The users for whom notices wait to be mailed."""
    from django.contrib.auth import get_user_model

    waiting = Notice.objects.filter(mail="waiting", due__lte=now).exclude(holidays.held()).values("user")
    return get_user_model().objects.filter(pk__in=waiting, is_active=True)


def mail_user(user: User, now: datetime) -> int:
    """Put the mails of one user in. Returns how many."""
    box = office.box_of(user)
    waiting = list(
        Notice.objects.filter(user=user, mail="waiting", due__lte=now).select_related("game").order_by("due", "pk")
    )
    how = ways_of(user)
    by_how = {name: [each for each in waiting if how(each) == name] for name, _ in kinds.HOW}
    if box.off is not None:
        return close(waiting, Notice.Mail.NONE)
    close(by_how["none"], Notice.Mail.NONE)
    put = 0
    for game in {each.game_id: each.game for each in by_how["mail"]}.values():
        batch = [each for each in by_how["mail"] if each.game_id == game.pk]
        if batch[0].due <= now - BATCH or any(each.until and each.until - live.now() < 3600 for each in batch):
            put += put_in(user, game, batch)
    if by_how["digest"] and digest_is_due(user, box, now):
        put += put_in(user, None, by_how["digest"], box, now)
    return put


def ways_of(user: User) -> Callable[[Any], Any]:
    """how(notice) for a user: "mail", "digest" or "none"; "held" while they are away from a game and want no mail of
    it."""
    wishes = {(wish.game_id, wish.kind): wish.how for wish in Wish.objects.filter(user=user)}
    left = holidays.games_left_by(user)

    def how(notice: Notice) -> str:
        if notice.game_id in left and notice.kind not in holidays.URGENT:
            return "held"
        every = wishes.get((None, notice.kind), kinds.BY_ID[notice.kind].how)
        return wishes.get((notice.game_id, notice.kind), every)

    return how


def digest_is_due(user: User, box: Mailbox, now: datetime) -> bool:
    """Whether it is time for the daily mail: after the hour that the user has chosen, by their clock, once a day."""
    here = now.astimezone(languages.zone_of(user))
    return here.hour >= box.digest_hour and box.last_digest != here.date()


def put_in(
    user: User,
    game: Game | None,
    notices: list[Notice],
    box: Mailbox | None = None,
    now: datetime | None = None,
) -> int:
    """Put one mail in with those of these notices that still hold. Returns 1, or 0 where none does.

    `game` None: the daily mail, from all games; `box` notes that it is that of the day of `now`.
    """
    held = that_hold(notices)
    known = {each.pk for each in held}
    close([each for each in notices if each.pk not in known], Notice.Mail.GONE)
    if not held:
        return 0
    with transaction.atomic(), timezone.override(languages.zone_of(user, game)), languages.of(user):
        if mark(held, Notice.Mail.SENT) != len(held):  # another worker was faster
            transaction.set_rollback(True)
            return 0
        letter = compose(user, game, held)
        office.put(user.email, user=user, **letter)
        if box is not None:
            box.last_digest = timezone.localdate(now)
            box.save(update_fields=["last_digest"])
    return 1


def close(notices: list[Notice], mail: str) -> int:
    """Mail these notices no more. Returns 0."""
    mark(notices, mail)
    return 0


def mark(notices: list[Notice], mail: str) -> int:
    """Note of notices that wait what has become of them. Returns how many of them did wait."""
    marked, numbers = 0, [each.pk for each in notices]
    for at in range(0, len(numbers), MOST_AT_ONCE):
        some = Notice.objects.filter(pk__in=numbers[at : at + MOST_AT_ONCE], mail="waiting")
        marked += some.update(mail=mail)
    return marked


def still_holds(notice: Notice) -> bool:
    """Whether what a notice tells is so, for its reader, now."""
    return bool(that_hold([notice]))


def that_hold(notices: list[Notice]) -> list[Notice]:
    """Those of a reader's notices that are so now. Each seat is taken once, however many there are."""
    held = []
    with override("en"):  # as causes are
        for group in by_seat(notices):
            held += still_so(group)
    wanted = {id(each) for each in held}
    return [each for each in notices if id(each) in wanted]


def by_seat(notices: list[Notice]) -> Collection[list[Notice]]:
    """Notices in groups that one seat sees: those of a game, but for what is for its Admin, and what anybody sees who
    watches."""
    groups: dict[tuple[int, int, str], list[Notice]] = {}
    for each in notices:
        sort = each.kind if each.kind in ("desk", "watched") else ""
        groups.setdefault((each.user_id, each.game_id, sort), []).append(each)
    return groups.values()


def still_so(group: list[Notice]) -> list[Notice]:
    """Those of a group of notices, which one seat sees, that are so now."""
    first = group[0]
    if first.kind == "watched":
        return group if watched.may_read(first.game, first.user) else []
    seat = seat_of(first)
    if seat is None:
        return []
    if first.kind == "desk":
        tasks = tuple(f"{task['text']}|" for task in whereabouts.at_desk(first.game)["waiting"])
        return [each for each in group if each.cause.startswith(tasks)]
    wanted = {each.n for each in group if each.n is not None and each.kind not in (*ASKING, "away")}
    standing = standing_of(seat, sorted(wanted))
    asks = any(each.kind in ASKING for each in group)
    leaves = seat.live.leaving().get(seat.player) if any(each.kind == "removal" for each in group) else None
    waiting = {making.cause_of(item)[:250] for item in making.waiting_for(seat)} if asks else ()

    def is_so(notice: Notice) -> bool:
        if notice.kind in ASKING:
            return notice.cause in waiting
        if notice.kind == "removal":
            return leaves is not None and leaves[0] <= notice.until
        if notice.kind == "away":
            return holidays.stands(notice.game, notice.cause)
        return notice.n is None or notice.n in standing

    return [each for each in group if is_so(each)]


def standing_of(seat: Seat, numbers: list[Any]) -> set[Any]:
    """Those of these entries (n) that the seat sees and that are not struck."""
    facts, found = seat.live.facts(seat.viewer), set()
    for at in range(0, len(numbers), MOST_AT_ONCE):
        found |= {n for n, _, _ in facts.where(n=numbers[at : at + MOST_AT_ONCE], standing=True).moments()}
    return found


def seat_of(notice: Notice) -> Seat | None:
    """The seat from which its reader sees the game of a notice, or None if there is none any more."""
    if notice.kind == "desk":
        return Seat(HttpRequest(), notice.game, "admin", None) if notice.game.admin_id == notice.user_id else None
    membership = queries.membership(notice.game, notice.user)
    if membership is None or membership.status != membership.Status.APPROVED:
        return None
    seat = Seat(HttpRequest(), notice.game, "player", membership.player, membership)
    return seat if seat.player_name in seat.view["things"] else None


# ---- the mail itself


def say(notice: Notice, box: Mailbox) -> str:
    """What is said of a notice outside of the site: nothing that is hidden from others, unless its reader allows
    that."""
    return notice.text if box.names_hidden else notice.elsewhere or notice.text


def compose(user: User, game: Game | None, notices: list[Notice]) -> Data:
    """Subject, text, html, calendar and headers of a mail with these notices."""
    box = office.box_of(user)
    games = list({each.game_id: each.game for each in notices}.values())
    groups = [(each, [one for one in notices if one.game_id == each.pk][:MOST_LINES]) for each in games]
    own_words = {each.pk: letters.closing(each) for each, lines in groups if any(one.kind != "desk" for one in lines)}
    for each in notices:
        each.said = say(each, box)
        with timezone.override(languages.zone_of(user, each.game)):  # of one in the daily mail, too
            each.when = "" if each.until is None or not formats.has_date(each.until) else formats.clock(each.until)
    stop = office.address(f"/notices/stop/{token(user, game, {each.kind for each in notices})}/")
    parts = {
        "groups": [(each, lines, own_words.get(each.pk, "")) for each, lines in groups],
        "more": len(notices) - sum(len(lines) for _, lines in groups),
        "site": office.address(""),
        "stop": stop,
        "digest": game is None,
        "for_desk": all(each.kind == "desk" for each in notices),
        "reply_to": addresses.address(user, game) if notices[0].kind != "desk" else "",
        "above": gettext(ABOVE),
    }
    subject = subject_of(game, notices)
    return {
        "subject": subject,
        "text": render_to_string("notices/mail.txt", parts),
        "html": render_to_string("notices/mail.html", parts | {"subject": subject}),
        "calendar": deadlines(subject, groups),
        "headers": {
            "List-Unsubscribe": f"<{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        }
        | ({"Reply-To": parts["reply_to"]} if parts["reply_to"] else {})
        | thread_of(user, game, notices),
    }


def deadlines(title: str, groups: list[tuple[Game, list[Notice]]]) -> str:
    """The deadlines that a mail tells of as an iCalendar file, which a mail program offers to keep; "" where there are
    none."""
    moments = [
        (
            game,
            [
                {"at": each.until, "what": each.said, "uid": f"{each.path}-{each.text.lower()}", "path": each.path}
                for each in notices
                if each.until is not None and formats.has_date(each.until) and each.until > live.now()
            ],
        )
        for game, notices in groups
    ]
    if not any(found for _, found in moments):
        return ""
    return calendars.as_file(title, moments, office.address(""), "PUBLISH").decode()


def subject_of(game: Game | None, notices: list[Notice]) -> str:
    """What a mail is about: the game, and what is most pressing in it."""
    if game is None:
        many = {"many": len(notices)}
        return (
            ngettext("Nomopoly: %(many)s notice of today", "Nomopoly: %(many)s notices of today", len(notices)) % many
        )
    order = [kind.id for kind in kinds.KINDS]
    first = min(notices, key=lambda each: order.index(each.kind))
    text = first.said.split("\n")[0].rstrip(".")
    said = {"title": game.title, "text": text[:120], "more": len(notices) - 1}
    return (gettext("[%(title)s] %(text)s (and %(more)s more)") if said["more"] else "[%(title)s] %(text)s") % said


def thread_of(user: User, game: Game | None, notices: list[Notice]) -> dict[str, str]:
    """Headers by which mail programs keep the mails of a game together, and those of one proposal within it."""
    host = office.address("").partition("//")[2].partition(":")[0] or "localhost"
    whose = hashlib.sha256(f"{user.pk}".encode()).hexdigest()[:12]
    root = f"<{game.slug if game else 'daily'}.{whose}@{host}>"
    paths = {each.path for each in notices}
    path = next(iter(paths)) if len(paths) == 1 else ""
    if game is not None and path.startswith("proposals/"):
        return {"References": f"{root} <{game.slug}.{path.strip('/').replace('/', '-')}.{whose}@{host}>"}
    return {"References": root, "In-Reply-To": root}


# ---- mailing no more


def token(user: User, game: Game | None, about: set[str]) -> str:
    """What an address carries that ends mails of these kinds, of one game or (without one) of all."""
    told = {"u": user.pk, "g": game.pk if game else None, "k": sorted(about)}
    return signing.dumps(told, salt=SALT, compress=True)


def read_token(word: str) -> tuple[int, int | None, list[str]]:
    """(user's key, game's key or None, kinds) of such an address. Raises django.core.signing.BadSignature."""
    told = signing.loads(word, salt=SALT)
    return told["u"], told["g"], [kind for kind in told["k"] if kind in kinds.BY_ID]


def wish(user_id: int, game_id: int | None, kind: str, how: str) -> None:
    """Keep how a user wants to hear of a kind of notice, in one game or (with None) in all."""
    about: Data = {"user_id": user_id, "game_id": game_id, "kind": kind}
    Wish.objects.update_or_create(**about, defaults={"how": how})
