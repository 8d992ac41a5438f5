"""Pages of an account beyond those that come with allauth: keys for programs, taking one's data along, closing it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from nomopoly.site import once
from nomopoly.site.accounts import closing, feeds, forms, keys, takeout
from nomopoly.site.accounts.signed_in import account

if TYPE_CHECKING:
    from nomopoly.site.accounts.models import User
    from nomopoly.site.once import Done


@require_safe
@login_required
@reauthentication_required
def data(request: HttpRequest) -> JsonResponse:
    """Everything the site keeps of who asks, as a file."""
    answer = JsonResponse(
        takeout.everything_of(account(request)),
        DjangoJSONEncoder,
        json_dumps_params={"indent": 1, "ensure_ascii": False},
    )
    answer["Content-Disposition"] = 'attachment; filename="nomopoly-my-data.json"'
    answer["Cache-Control"] = "private, no-store"
    return answer


@never_cache
@login_required
@reauthentication_required
def api_keys(request: HttpRequest) -> HttpResponse:
    """My keys, and the form for a new one. A key is shown in the answer to that form, and never again."""
    games = keys.games_for(account(request))
    form = forms.NewKey(request.POST or None, user=account(request), games=games)
    shown = made = None
    if request.method == "POST" and form.is_valid():
        shown, made = keys.make(account(request), **form.cleaned_data)
        form = forms.NewKey(user=account(request), games=games)
    mine = account(request).api_keys.select_related("game")
    context = {"form": form, "games": games, "keys": mine, "shown": shown, "made": made}
    return render(request, "accounts/keys.html", context)


@require_POST
@login_required
def revoke(request: HttpRequest, number: int) -> HttpResponse:
    """Revoke a key."""
    key = get_object_or_404(account(request).api_keys, pk=number)

    def go() -> Done:
        keys.revoke(key)
        return once.Done(_("The key “%(name)s” opens nothing any more.") % {"name": key.name}, "/settings/keys/")

    return once.send(request, go)


@never_cache
@login_required
def feed_addresses(request: HttpRequest) -> HttpResponse:
    """My secret addresses: made, renewed, closed."""
    if request.method == "POST":
        return once.send(request, lambda: change_feeds(account(request), request.POST.get("do", "")))
    context = {
        "address": feeds.address_of(account(request)),
        "games": keys.games_for(account(request)),
        "site": f"{request.scheme}://{request.get_host()}",
    }
    return render(request, "accounts/feeds.html", context)


def change_feeds(user: User, do: str) -> Done:
    """Make new secret addresses of feeds, or close them."""
    if do == "close":
        feeds.close(user)
        return once.Done(_("Nothing is at your secret addresses any more."), "/settings/feeds/")
    first = feeds.renew(user)
    if first:
        sentence = _("Here are your secret addresses.")
    else:
        sentence = _("These are new addresses; nothing is at the old ones any more.")
    return once.Done(sentence, "/settings/feeds/")


@login_required
@reauthentication_required
def close(request: HttpRequest) -> HttpResponse:
    """Closing the account. Sent twice, it finds nobody signed in any more."""
    ties = closing.ties(account(request))
    form = forms.Close(request.POST or None, user=account(request), offices=ties.offices)
    if request.method != "POST" or not form.is_valid():
        return render(request, "accounts/close.html", {"form": form, "ties": ties})
    held = closing.close(account(request), nameless=form.cleaned_data["words"] == "former")
    logout(request)
    messages.success(request, _("Your account is closed. Goodbye!"))
    if held:
        pairs = [{"player": seat.player, "game": seat.game.title} for seat in held]
        players = ", ".join(_("%(player)s in %(game)s") % pair for pair in pairs)
        told = _("The rules did not let go of %(players)s: these players stay there, and belong to nobody.")
        messages.warning(request, told % {"players": players})
    return redirect("/")
