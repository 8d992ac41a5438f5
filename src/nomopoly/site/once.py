"""Forms that act once, however often they are sent.

A page puts `{{ once }}` into its form (`{% include "_guard.html" %}` does, with the CSRF token), and its view says:

    return once.send(request, act)

`act()` does the work and returns Done("what happened", "where it is seen"), or the response that shows the refusal. A
second sending of the same form leads to the first result with the notice "Already done".

Programs have no forms: they send a token of their own, and `answer` gives them the first answer again.
"""

import hashlib
import json
from dataclasses import dataclass

from django.contrib import messages
from django.shortcuts import redirect

from nomopoly.site.tables import domain


@dataclass
class Done:
    say: str
    where: str


def send(request, act, what=""):
    """Act once for this form. `what` tells apart what the buttons of one form do: each may be done once."""
    sent = request.POST.get("once", "")
    token = f"{what}{sent}"[:40] if sent else ""
    claim, first = domain.claim(request.user, token) if token and request.user.is_authenticated else (None, True)
    if not first:
        messages.info(request, f"Already done. {claim.result}".strip())
        return redirect(claim.where or request.path)
    try:
        answer = act()
    except BaseException:
        domain.release(claim)
        raise
    if not isinstance(answer, Done):
        domain.release(claim)
        return answer
    domain.record(claim, answer.say, answer.where)
    if answer.say:
        messages.success(request, answer.say)
    return redirect(answer.where)


BROKEN_OFF = "This is being carried out, or was broken off: look at the log, and send it with a new Idempotency-Key."
OTHER = "This Idempotency-Key came with something else before: take a new one for each order."


def answer(user, token, sent, act):
    """What a program is told that sent something (JSON) with a token: (status, data). `act()` does the work and says so.

    What was refused has not happened, so it is not kept: sent again, it is tried again.
    """
    if not token or not user.is_authenticated:
        return act()
    name, content = f"api-{digest(token)[:36]}", digest(json.dumps(sent, sort_keys=True))
    claim, first = domain.claim(user, name)
    if not first:
        kept = json.loads(claim.result) if claim.result else None
        if kept is None:
            return 409, {"refused": BROKEN_OFF}
        return (200, kept["told"]) if kept["content"] == content else (422, {"error": OTHER})
    try:
        status, told = act()
    except BaseException:
        domain.release(claim)
        raise
    if status == 200:
        domain.record(claim, json.dumps({"content": content, "told": told}), "")
    else:
        domain.release(claim)
    return status, told


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()
