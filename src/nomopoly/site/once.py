"""Forms that act once, however often they are sent.

A page puts `{{ once }}` into its form (`{% include "_guard.html" %}` does, with the CSRF token), and its view says:

    return once.send(request, act)

`act()` does the work and returns Done("what happened", "where it is seen"), or the response that shows the refusal. A
second sending of the same form leads to the first result with the notice "Already done".

Programs have no forms: they send a token of their own, and `answer` gives them the first answer again.

Tokens are kept with what they do (see tables/sent.py), and what is answered is added afterwards: where that fails, a
second sending makes the answer again from what is kept.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.utils.translation import get_language, gettext_noop
from django.utils.translation import gettext as _

from nomopoly.site import busy
from nomopoly.site.accounts.models import User
from nomopoly.site.tables import sent as sendings

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from nomopoly.site.tables.models import Once


DONE = gettext_noop("It was carried out, but the answer has to wait. Send it again to see it: nothing is done twice.")
FAILED = gettext_noop("This was sent before. It could not be carried out; the log says why.")  # as it is kept

SAYS = "\x1f"  # between the language of an answer that is kept and what it says


@dataclass
class Done:
    """That something is done: what to say, and where to go."""

    say: str
    where: str


def send(request: HttpRequest, act: Callable[[], Done | HttpResponse], what: str = "") -> HttpResponse:
    """Act once for this form. `what` tells apart what the buttons of one form do: each may be done once."""
    sent = request.POST.get("once", "")
    token = f"{what}{sent}"[:40] if sent else ""
    user = request.user
    if not token or not isinstance(user, User):
        return shown(request, act())
    kept = sendings.before(user, token)
    if kept is not None:
        return already(request, kept)
    try:
        with carried_out(user, token, lambda n, done: "" if done else FAILED) as now:
            answer = act()
    except sendings.AlreadyDone:
        return already(request, known(user, token))
    if isinstance(answer, Done):
        sendings.answered(now, in_its_language(answer.say), answer.where)
    return shown(request, answer)


@contextlib.contextmanager
def carried_out(user: User, token: str, note: Callable[[int | None, bool], str]) -> Iterator[sendings.Sent]:
    """Let a token be carried out. Who would have to wait when it is done already has to wait for the answer alone."""
    with sendings.sending(user, token, note) as now:
        try:
            yield now
        except Exception as error:
            waits = busy.busy_of(error) if now.done else None
            if waits is None:
                raise
            raise busy.Busy(waits.retry_after, DONE) from error


def shown(request: HttpRequest, answer: Done | HttpResponse) -> HttpResponse:
    """The response to what a form did."""
    if not isinstance(answer, Done):
        return answer
    if answer.say:
        messages.success(request, answer.say)
    return redirect(answer.where)


def in_its_language(say: str) -> str:
    """The answer to a form as it is kept: with its language, unless that is English."""
    language = get_language() or "en"
    return say if language == "en" else f"{language}{SAYS}{say}"


def said_again(result: str) -> str:
    """A kept answer, to be shown again; "" if its reader has another language by now."""
    language, mark, say = result.partition(SAYS)
    language, say = (language, say) if mark else ("en", result)
    return say if language == (get_language() or "en") else ""


def known(user: User, token: str) -> Once:
    """What is kept of a sending that is known to have been carried out."""
    kept = sendings.before(user, token)
    if kept is None:
        raise sendings.AlreadyDone
    return kept


def already(request: HttpRequest, kept: Once) -> HttpResponseRedirect:
    """The response to a form that was sent before."""
    result = said_again(kept.result)
    said = _(FAILED) if kept.result == FAILED else _("Already done. %(result)s") % {"result": result}
    messages.info(request, said.strip())
    return redirect(kept.where or request.path)


BROKEN_OFF = "This was broken off: look at the log, and send it with a new Idempotency-Key."
OTHER = "This Idempotency-Key came with something else before: take a new one for each order."


def answer(
    user: User | AnonymousUser,
    token: str | None,
    sent: object,
    act: Callable[[], tuple[int, Any]],
    again: Callable[..., Any] | None = None,
) -> tuple[int, Any]:
    """The answer to a program that sent something (JSON) with a token: (status, data). `act()` does the work and says
    so.

    What was refused and has left no entry has not happened, so it is not kept: sent again, it is tried again.
    `again(n)` makes the data of a first answer that was lost, from the number of the entry that was made (None: it was
    no entry).
    """
    if not token or not isinstance(user, User):
        return act()
    name, content = f"api-{digest(token)[:36]}", digest(json.dumps(sent, sort_keys=True))
    kept = sendings.before(user, name)
    if kept is not None:
        return first_answer(kept, content, again)

    def note(n: int | None, done: bool) -> str:
        return json.dumps({"content": content, "n": n, "done": done})

    try:
        with carried_out(user, name, note) as now:
            status, told = act()
    except sendings.AlreadyDone:
        return first_answer(known(user, name), content, again)
    if status == 200 or now.kept:
        sendings.answered(now, json.dumps({"content": content, "status": status, "told": told}))
    return status, told


def first_answer(kept: Once, content: str, again: Callable[[int | None], Any] | None) -> Any:
    """What was answered when this was first sent."""
    found = json.loads(kept.result) if kept.result else None
    if found is None:  # before tokens were kept with what they do
        return 409, {"refused": BROKEN_OFF}
    if found["content"] != content:
        return 422, {"error": OTHER}
    if "told" in found:
        return found.get("status", 200), found["told"]
    if not found["done"]:
        return 409, {"refused": FAILED}
    return 200, again(found["n"]) if again else {"entry": found["n"]}


def digest(text: str) -> str:
    """A mark of a text, which is shorter."""
    return hashlib.sha256(text.encode()).hexdigest()
