"""Pages of what is told elsewhere: a user's webhooks and devices, a game's webhooks, and the program as an app."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.utils.html import escape
from django.utils.translation import gettext, gettext_lazy, gettext_noop, override
from django.views.decorators.http import require_POST, require_safe

from nomopoly.site import once
from nomopoly.site.accounts.signed_in import account
from nomopoly.site.door import seated
from nomopoly.site.post import calls, push
from nomopoly.site.post.models import Target

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data


SORTS = [each for each in Target.Sort.choices if calls.is_sort(each[0])]
MOST_DEVICE = 4000  # bytes of what a device sends of itself
SEEN_LAST = gettext_noop("No connection: this is what you saw last. Nothing you send arrives.")
NOT_PRIVATE = gettext_lazy(
    "Nobody outside may see this private game, so nothing is told. Make it readable by a link first."
)


@login_required
def mine(request: HttpRequest) -> HttpResponse:
    """A user's webhooks and devices."""
    where = "/settings/elsewhere/"
    context = {"push_key": push.public_key(), "heading": gettext("Webhooks and devices"), "game": None}
    return page(request, where, {"user": request.user}, lambda more: render(request, ALONE, context | more))


@seated("desk")
def of_game(request: HttpRequest, seat: Seat) -> HttpResponse:
    """A game's webhooks, set by its Admin."""
    seat.need_admin()
    where = f"{seat.game.address}admin/webhooks/"
    whose = {"game": seat.game}
    refusal = NOT_PRIVATE if seat.game.visibility == "private" else None
    return page(request, where, whose, lambda more: seat.page(IN_GAME, **more), refusal, n=seat.live.n)


ALONE, IN_GAME = "notices/targets.html", "notices/game_targets.html"


def page(
    request: HttpRequest,
    where: str,
    whose: dict[Any, Any] | Data,
    draw: Callable[[Any], HttpResponse] | Callable[[Any], Any],
    refusal: StrPromise | None = None,
    n: int = 0,
) -> HttpResponse:
    """The list of somebody's targets, with the form for another one."""
    sent = request.POST
    parts = {"sorts": SORTS, "sent": {name: sent.get(name, "") for name in ("url", "sort")}, "where": where}

    def drawn(problem: StrPromise | str | None = None) -> HttpResponse:
        return draw(parts | {"targets": Target.objects.filter(**whose), "refusal": problem})

    if request.method != "POST":
        return drawn()

    def keep() -> once.Done | HttpResponse:
        if sent.get("remove", "").isdecimal():
            Target.objects.filter(pk=int(sent["remove"]), **whose).delete()
            return once.Done(gettext("It is removed. Nothing is told there any more."), where)
        if refusal:
            return drawn(refusal)
        if not calls.is_sort(sent.get("sort", "")):
            return drawn(gettext("Choose a form: %(forms)s.") % {"forms": ", ".join(str(label) for _, label in SORTS)})
        made = calls.add(sent["sort"], sent.get("url", "").strip(), n=n, **whose)
        if isinstance(made, str):
            return drawn(made)
        return once.Done(gettext("It is kept, and a first message goes there now."), where)

    return once.send(request, keep, what=f"r{sent.get('remove', '')}-" if sent.get("remove") else "")


@require_POST
@login_required
def device(request: HttpRequest) -> JsonResponse:
    """Keep the device whose browser asks, as a script sends it. It is told what is mailed soon."""
    try:
        if len(request.body) > MOST_DEVICE:
            raise ValueError
        told = json.loads(request.body)
        url, keys = told["endpoint"], told["keys"]
        keys = {name: keys[name] for name in ("p256dh", "auth")}
    except (ValueError, KeyError, TypeError):
        return JsonResponse({"error": "This is no subscription of a browser."}, status=400)
    problem = push.problem(keys) or (None if isinstance(url, str) else gettext("This device has no address."))
    if problem:
        return JsonResponse({"error": problem}, status=400)
    made = calls.add(Target.Sort.PUSH, url, user=account(request), keys=keys, name=str(told.get("name", "")))
    if isinstance(made, str):
        return JsonResponse({"error": made}, status=400)
    messages.success(request, gettext("This device is told from now on."))
    return JsonResponse({"kept": made.pk})


# ---- the program as an app


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """What a browser wants to know to install the site as an app."""
    told = {
        "name": "Nomopoly",
        "short_name": "Nomopoly",
        "id": "/",
        "start_url": "/me/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#1d4a37",
        "theme_color": "#1d4a37",
        "icons": [{"src": static("nomopoly/mark.svg"), "sizes": "any", "type": "image/svg+xml", "purpose": "any"}],
    }
    return HttpResponse(json.dumps(told), content_type="application/manifest+json")


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker, at the root so that it serves all pages."""
    said = {}
    for language, _ in settings.LANGUAGES:
        with override(language):
            said[language] = escape(gettext(SEEN_LAST))
    context = {"seen_last": json.dumps(said)}
    response = render(request, "notices/worker.js", context, content_type="text/javascript")
    response["Cache-Control"] = "no-cache"
    return response


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """What is shown without a connection where nothing was seen before. It says nothing of anybody."""
    return render(request, "notices/offline.html")
