"""A mail that came in, from its bytes to the answer: who may play by it, what was ordered, and what became of it.

An answer goes to the player's own address, whatever a mail says of its sender. Each order is carried out as `once` has
it, so that a mail that a server brings a second time, or that was being carried out when the machine went down, does
nothing twice.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from allauth.account.models import EmailAddress
from django.db import transaction
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from nomopoly.runtime.outcomes import Outcome
from nomopoly.site import limits, once
from nomopoly.site.bymail import addresses, orders, reading
from nomopoly.site.bymail.models import Received
from nomopoly.site.door import Seat
from nomopoly.site.play import pages, queued, tasks
from nomopoly.site.play.views import acts
from nomopoly.site.post import languages, office
from nomopoly.site.tables import domain, queries

if TYPE_CHECKING:
    from nomopoly.site.accounts.models import User
    from nomopoly.site.bymail.addresses import Right
    from nomopoly.site.bymail.orders import Order
    from nomopoly.site.bymail.reading import Incoming
    from nomopoly.site.shapes import Data


log = logging.getLogger("nomopoly.bymail")
KEPT = timedelta(days=30)  # longer than a token is good for
LATE = gettext_lazy(
    "The address that you wrote to was good for 7 days. Answer a newer mail of this game, or play on the site."
)
NOT_YOURS = gettext_lazy(
    "A mail from {sender} came for you, and nothing was done: only mails from an address of your account play. If "
    "you did not write it, somebody has got hold of a mail of yours: the address to answer to ends after 7 days."
)
GONE = gettext_lazy("You do not play in this game any more.")


class Refused(Exception):
    """A mail that cannot be accepted: its sender's server gets these words as the reason."""


class Later(Exception):
    """A mail that cannot be taken in now: more have come from one person than are answered in an hour."""


def take(raw: bytes, to: Iterable[str] = (), envelope_sender: str | None = None) -> str:
    """Take in a mail and do what it says. Returns what became of it in one word: "answered", "again" or "ignored".

    Args:
        raw: its bytes
        to: addresses that it was brought to; where none is said, those in its headers
        envelope_sender: who is to be told if it cannot be brought; "" for mails that programs write about mails
    Raises Refused; Later, and Busy where the game is: then it is to be brought again.
    """
    right = right_of(to)
    try:
        mail = reading.read(raw)
    except reading.Malformed as error:
        raise Refused(str(error)) from None
    right = right or right_of(mail.to)
    if right is None:
        raise Refused("Nobody plays at this address.")
    if mail.automatic or envelope_sender == "":
        return ignored("a program wrote it", right)
    received, _ = Received.objects.get_or_create(user=right.user, game=right.game, mark=mail.mark)
    if received.done:
        return "again"
    if limits.refusal(right.user, "mail"):
        raise Later
    with timezone.override(languages.zone_of(right.user, right.game)), languages.of(right.user):
        return answer(received, right, mail, *outcome_of(right, mail))


def ignored(why: str, right: Right) -> str:
    """Note that a mail is not answered."""
    log.info("a mail for user %s is left alone: %s", right.user.pk, why)
    return "ignored"


def right_of(to: Iterable[str]) -> Right | None:
    """The right that the first address with a token gives; None without any. Raises Refused where it gives none."""
    token = addresses.token_in(to)
    if token is None:
        return None
    try:
        return addresses.read(token)
    except addresses.Unknown:
        raise Refused("Nobody plays at this address.") from None


def outcome_of(right: Right, mail: Incoming) -> tuple[Data, Seat | None]:
    """(What an answer says, the seat or None) of a mail, once it is done."""
    theirs = {each.email.casefold() for each in EmailAddress.objects.filter(user=right.user, verified=True)}
    if not theirs.issuperset(mail.senders):
        return {"problem": str(NOT_YOURS).format(sender=mail.senders[0][:100])}, None
    if right.late:
        return {"problem": LATE}, None
    seat = seat_of(right)
    if seat is None:
        return {"problem": GONE}, None
    if domain.is_here(right.game, seat.player_name):
        seat.cache.clear()
    try:
        wanted = orders.read(seat, mail.typed, mail.refers)
    except orders.NotUnderstood as error:
        nothing = gettext("Nothing was done.")
        return {"problem": f"{error} {nothing}", "examples": orders.examples(seat)}, seat
    return {"done": carried_out(seat, right.user, mail, wanted)}, seat


def seat_of(right: Right) -> Seat | None:
    """The seat from which somebody plays, or None if they have none any more."""
    membership = queries.membership(right.game, right.user)
    if membership is None or membership.status != membership.Status.APPROVED:
        return None
    seat = Seat(HttpRequest(), right.game, "player", membership.player, membership)
    return seat if seat.player_name in seat.view["things"] else None


def carried_out(seat: Seat, user: User, mail: Incoming, wanted: list[Order]) -> list[Data]:
    """What became of each order: [{"line", "say", "waits"} or {"line", "refused", "rule"}]. After a refusal nothing
    more is done."""
    results: list[Any] = []
    for place, order in enumerate(wanted):
        if results and "refused" in results[-1]:
            results.append({"line": order.line, "left": True})
            continue
        seat.cache.clear()

        def act(order: Order = order) -> tuple[int, Data]:
            args, problem = orders.arguments(seat, order)
            if problem:
                return 409, {"refused": problem, "rule": None}
            outcome = seat.order(order.action, args)
            if not outcome.ok:
                refusal = pages.refusal(seat, outcome)
                return 409, {"refused": refusal["reason"], "rule": refusal["rule"]}
            return 200, said_of(seat, order, args, outcome)

        def again(n: int | None) -> Data:
            return {"say": gettext("Done.") if n is None else entry_words(seat, n)}

        what = [seat.game.pk, order.action, order.sent]
        _, told = once.answer(user, f"mail-{seat.game.pk}-{mail.mark}-{place}", what, act, again)
        results.append({"line": order.line} | told)
    seat.cache.clear()
    return results


def said_of(seat: Seat, order: Order, args: Data, outcome: Outcome) -> Data:
    """What an order did, in the words of the page that would follow it (`say`); `waits`: it is for the next update."""
    seat.cache.clear()
    action = next((each for each in seat.live.actions(seat.viewer) if each["id"] == order.action), None)
    if action and action["ballot"]:
        return {"say": acts.voted(seat, action, args)}
    if action and action["waits"]:
        refused = queued.refusal_now(seat, order.action, args)
        why = gettext("As things stand it would be refused: %(reason)s") % refused if refused else ""
        return {"say": f"{gettext(acts.ORDERED)} {why}".rstrip(), "waits": True}
    return {"say": acts.told(seat, outcome)}


def entry_words(seat: Seat, n: int) -> str:
    """The sentence of an entry that was made before."""
    return acts.told(seat, Outcome(n))


def answer(received: Received, right: Right, mail: Incoming, told: Data, seat: Seat | None) -> str:
    """Write the answer, once: with it the mail is done with."""
    waiting = tasks.waiting(seat) if seat is not None else []
    parts = told | {
        "game": right.game,
        "waiting": waiting,
        "site": office.address(""),
        "above": gettext(reading.ABOVE),
    }
    reply_to = addresses.address(right.user, right.game) if seat is not None else ""
    headers = {"Auto-Submitted": "auto-replied"} | ({"Reply-To": reply_to} if reply_to else {})
    if mail.message_id and mail.message_id.isprintable() and len(mail.message_id) < 300:
        headers |= {"In-Reply-To": mail.message_id, "References": mail.message_id}
    subject = f"Re: [{right.game.title}] {mail.subject.removeprefix('Re: ').removeprefix(f'[{right.game.title}] ')}"
    with transaction.atomic():
        if not Received.objects.filter(pk=received.pk, done=None).update(done=timezone.now()):
            return "again"
        limits.note(right.user, "mail")
        text = render_to_string("bymail/answer.txt", parts)
        office.put(right.user.email, subject, text, user=right.user, headers=headers)
    return "answered"


def tidy() -> None:
    """Forget mails that came in a month ago: their addresses are good for nothing any more."""
    Received.objects.filter(at__lt=timezone.now() - KEPT).delete()
