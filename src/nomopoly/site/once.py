"""Forms that act once, however often they are sent.

A page puts `{{ once }}` into its form (`{% include "_guard.html" %}` does, with the CSRF token), and its view says:

    return once.send(request, act)

`act()` does the work and returns Done("what happened", "where it is seen"), or the response that shows the refusal. A
second sending of the same form leads to the first result with the notice "Already done".
"""

from dataclasses import dataclass

from django.contrib import messages
from django.shortcuts import redirect

from nomopoly.site.tables import domain


@dataclass
class Done:
    say: str
    where: str


def send(request, act):
    token = request.POST.get("once", "")[:40]
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
