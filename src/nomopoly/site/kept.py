"""Forms that are kept in the session: what was typed is not lost where one logs in first, and Back is never a browser's
error.

    token = keep(request)         the fields that were sent, and to which address
    found = find(request, token)  {"path": ..., "fields": {name: [values]}}, or None

Who sends a form without being logged in (any more) logs in, comes to `/again/<token>/`, sees there what was typed, and
sends it by one click. A form that is tried out before it is sent is kept too, so that the page with what it would do is
read with GET.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from nomopoly.site import busy

if TYPE_CHECKING:
    from nomopoly.site.shapes import Data


KEY = "kept-forms"
MOST_FORMS = 5
MOST_CHARACTERS = 100_000
ANONYMOUS_SECONDS = 3600  # that what somebody typed waits for their log-in
SHOWS_IT_ITSELF = "/proposals/new/"  # with ?kept=<token>: a form of so many parts is read where it is written
WORKINGS = ("csrfmiddlewaretoken", "once", "drawn", "preview", "foreseen")  # fields that nobody types


def keep(request: HttpRequest) -> str:
    """Keep the fields that were sent. Returns the token to find them by; "" where there are too many."""
    fields = {name: values for name, values in request.POST.lists() if name != "csrfmiddlewaretoken"}
    if sum(len(each) for values in fields.values() for each in values) > MOST_CHARACTERS:
        return ""
    token = secrets.token_urlsafe(12)
    forms = request.session.get(KEY, {}) | {token: {"path": request.path, "fields": fields}}
    request.session[KEY] = dict(list(forms.items())[-MOST_FORMS:])
    if not request.user.is_authenticated:
        request.session.set_expiry(ANONYMOUS_SECONDS)
    return token


def find(request: HttpRequest, token: str) -> Any:
    """A form that was kept; None if it is forgotten."""
    return request.session.get(KEY, {}).get(token)


def log_in_address(request: HttpRequest) -> str:
    """Where one logs in, and comes back to what one was about to do, with what was typed."""
    token = keep(request) if request.method == "POST" else ""
    back = f"/again/{token}/" if token else request.get_full_path() if request.method != "POST" else request.path
    return f"/account/login/?{urlencode({'next': back})}"


def was_here(request: HttpRequest) -> bool:
    """Whether somebody who is not logged in was at something: has sent a form, or comes with what is left of a
    session."""
    from django.conf import settings

    return request.method == "POST" or settings.SESSION_COOKIE_NAME in request.COOKIES


def typed(fields: dict[Any, Any]) -> list[Any]:
    """What a form holds, as its page shows it again: [(name, value, what it is called or "" if nobody typed it)]."""
    return [
        (
            name,
            value,
            "" if name in WORKINGS or not value.strip() else _(name.replace("_", " ").replace("-", " ").capitalize()),
        )
        for name, values in fields.items()
        for value in values
        if name != "csrfmiddlewaretoken"
    ]


@require_safe
def again(request: HttpRequest, token: str) -> HttpResponse:
    """The page on which a form that was kept is sent."""
    found = find(request, token)
    if found is None:
        raise Http404(_("What you typed is not kept any more."))
    told = _("You are logged in again. This is what you were sending: nothing of it has been done yet.")
    context = {"told": told, "address": found["path"], "typed": typed(found["fields"])}
    response = render(request, "again.html", context)
    response["Cache-Control"] = "private, no-store"
    return response


def expired(request: HttpRequest) -> HttpResponse | None:
    """A form whose page is out of date, with what was typed, to be sent once more; None where it may come from
    elsewhere."""
    own = request.headers.get("Origin") == f"{request.scheme}://{request.get_host()}"
    fields = busy.typed(request) if own else []
    if not fields:
        return None
    several: Data = {}
    for name, value in fields:
        several.setdefault(name, []).append(value)
    told = _(
        "This page was out of date, so that nothing was done yet. What you typed is here: look at it, and send it."
    )
    if request.path.endswith(SHOWS_IT_ITSELF) and (token := keep(request)):
        messages.warning(request, told)
        return redirect(f"{request.path}?{urlencode({'kept': token})}")
    context = {"told": told, "address": request.get_full_path(), "typed": typed(several)}
    return render(request, "again.html", context, status=403)
