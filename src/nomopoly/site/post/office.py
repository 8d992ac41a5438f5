"""The post office: takes letters in with what causes them, and sends them, each once, however many work here.

A letter is a row of the same transaction as its cause, so that neither stands without the other. Whoever sends one
takes it first (`claim`): it is out of reach of others until LEASE has gone by. A worker that is killed between sending
a letter and noting it leaves one that is sent a second time; nothing else is ever sent twice, and nothing is lost.
"""

from __future__ import annotations

import logging
import smtplib
import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from email.utils import make_msgid
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from django.conf import settings
from django.core import mail
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.crypto import salted_hmac

from nomopoly.site.post.models import Call, Letter, Mailbox

if TYPE_CHECKING:
    from django.core.mail import EmailMessage

    from nomopoly.site.accounts.models import User
    from nomopoly.site.tables.models import Game


log = logging.getLogger("nomopoly.mail")
LEASE = timedelta(minutes=5)  # longer than any one attempt takes
PAUSES = tuple(timedelta(minutes=each) for each in (1, 5, 15, 60, 180, 360, 720, 720, 720))  # three days in all
MOST_BOUNCES = 3
KEPT = timedelta(days=30)  # letters that are done with
AT_ONCE = 50
# By which a mail server knows what no person has written: it does not answer "I am away", but says what it refuses.
BY_A_PROGRAM = {"Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "DR, RN, NRN, OOF, AutoReply"}
S = TypeVar("S", Letter, Call)

_letters = threading.Event()


def put(
    to: str,
    subject: str,
    text: str,
    *,
    user: User | None = None,
    game: Game | None = None,
    html: str = "",
    calendar: str = "",
    headers: dict[Any, Any] | None = None,
) -> None:
    """Put a letter in, in the transaction that is under way: it goes out once that is through.

    `game`: the one that it invites to; `subject` is cut to one line of 250 characters; `calendar`: an iCalendar file
    that comes with it; `headers`: {name: value} beside the usual ones.
    """
    subject = " ".join(subject.split())[:250]
    Letter.objects.create(
        user=user,
        game=game,
        to=to,
        subject=subject,
        text=text,
        html=html,
        calendar=calendar,
        headers=headers or {},
    )
    transaction.on_commit(wake)


def keep(message: EmailMessage, problem: str) -> None:
    """Keep a message that the mail server has not taken at once: it is tried again as a letter."""
    html = next((body for body, sort in getattr(message, "alternatives", ()) if sort == "text/html"), "")
    when = timezone.now() + PAUSES[0]
    for to in message.to:
        Letter.objects.create(
            to=to,
            subject=message.subject[:250],
            text=str(message.body),
            html=html,
            tries=1,
            next_try=when,
            problem=problem[:500],
        )


def wake() -> None:
    """Tell the worker of this process that there is a letter. Another process finds it when it looks next."""
    _letters.set()


def wait(seconds: int) -> None:
    """Until there is a letter, or for so many seconds."""
    _letters.wait(seconds)
    _letters.clear()


def claim(model: type[S], now: datetime | None = None) -> S | None:
    """Take the next letter or call (`model`) that is due, or None. It is this caller's alone for as long as LEASE."""
    now = now or timezone.now()
    for found in model.objects.filter(next_try__lte=now).order_by("next_try", "pk")[:AT_ONCE]:
        mine = model.objects.filter(pk=found.pk, next_try=found.next_try)
        if mine.update(next_try=now + LEASE, tries=F("tries") + 1):
            found.refresh_from_db()
            return found
    return None


def deliver(most: int = AT_ONCE, stopped: Callable[[], bool] = bool) -> int:
    """Send the letters that are due, at most so many, and none more once it is stopped. Returns how many were taken on,
    and sent or not."""
    taken = 0
    while taken < most and not stopped() and (letter := claim(Letter)) is not None:
        attempt(letter)
        taken += 1
    return taken


def attempt(letter: Letter) -> Any:
    """Send one claimed letter, and note what became of it."""
    if letter.user is not None and not letter.user.is_active:
        return done(letter, "The account is closed.")
    try:
        send(letter)
    except smtplib.SMTPRecipientsRefused as error:
        code, said = next(iter(error.recipients.values()), (550, b""))
        if 400 <= code < 500:
            return later(letter, f"{code} {said!r}")
        bounced(letter)
        return done(letter, f"{code} {said!r}")
    except (smtplib.SMTPException, OSError) as error:
        return later(letter, f"{type(error).__name__}: {error}")
    Letter.objects.filter(pk=letter.pk).update(sent=timezone.now(), next_try=None, problem="")
    Mailbox.objects.filter(user=letter.user_id, bounces__gt=0, off=None).update(bounces=0)
    return None


def send(letter: Letter) -> None:
    """Hand a letter to the mail server. Raises SMTPException or OSError."""
    straight = mail.get_connection(patient=False)
    headers = BY_A_PROGRAM | {"Message-ID": message_id(letter)} | letter.headers
    message = mail.EmailMultiAlternatives(
        letter.subject, letter.text, None, [letter.to], headers=headers, connection=straight
    )
    if letter.html:
        message.attach_alternative(letter.html, "text/html")
    if letter.calendar:
        message.attach("deadlines.ics", letter.calendar, "text/calendar; method=PUBLISH")
    message.send()


def at_once() -> dict[str, str]:
    """The headers of a mail that does not wait here, such as one with a code."""
    return BY_A_PROGRAM | {"Message-ID": make_msgid(domain=host())}


def host() -> str:
    """Where mails come from, for their Message-ID: the site, not its machine, whose name is often "localhost"."""
    return urlsplit(settings.NOMOPOLY_ADDRESS).hostname or "localhost"


def message_id(letter: Letter) -> str:
    """What tells a mail from all others: the same each time that it is sent."""
    name = f"{letter.pk} {letter.made.isoformat()}"  # a site that comes back from a backup gives numbers once more
    return f"<{salted_hmac('letter', name).hexdigest()}@{host()}>"


def later(letter: Letter | Call, problem: str) -> None:
    """Try again after a pause that grows, until it has been tried for three days."""
    log.warning("%s %s was not taken (%s)", letter._meta.model_name, letter.pk, problem)
    if letter.tries > len(PAUSES):
        return done(letter, problem)
    when = timezone.now() + PAUSES[letter.tries - 1]
    type(letter).objects.filter(pk=letter.pk).update(next_try=when, problem=problem[:500])
    return None


def done(letter: Letter | Call, problem: str) -> None:
    """Give a letter or call up."""
    type(letter).objects.filter(pk=letter.pk).update(next_try=None, problem=problem[:500])


def bounced(letter: Letter) -> None:
    """Note that an address refuses mail. After three letters in a row nothing more is mailed to it."""
    if letter.user_id is None:
        return
    box, _ = Mailbox.objects.get_or_create(user_id=letter.user_id)
    Mailbox.objects.filter(pk=box.pk).update(bounces=F("bounces") + 1)
    Mailbox.objects.filter(pk=box.pk, bounces__gte=MOST_BOUNCES, off=None).update(off=timezone.now())


def not_arrived(game: Game) -> list[Letter]:
    """The last invitation to a game for each address, where the mail server has not taken it: it has a `next_try`, or
    is given up."""
    last = {each.to: each for each in Letter.objects.filter(game=game).order_by("pk")}
    return [each for each in last.values() if each.sent is None and each.problem]


def box_of(user: User) -> Mailbox:
    """The mailbox of a user, made where there is none."""
    return Mailbox.objects.get_or_create(user=user)[0]


def open_again(user: User) -> None:
    """Mail to a user again, as after a change of address."""
    Mailbox.objects.filter(user=user).update(bounces=0, off=None)


def is_down() -> bool:
    """Whether letters wait because the mail server takes none."""
    return Letter.objects.filter(sent=None, next_try__isnull=False, tries__gt=0).exclude(problem="").exists()


def tidy() -> None:
    """Forget letters that were done with a month ago."""
    Letter.objects.filter(next_try=None, made__lt=timezone.now() - KEPT).delete()


def address(path: str) -> str:
    """A path of the site as a whole address, as letters give it."""
    return f"{settings.NOMOPOLY_ADDRESS}{path}"
