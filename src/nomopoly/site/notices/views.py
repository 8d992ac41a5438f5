"""What a user is told, how they want to be told, and the door out of a mail."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core import signing
from django.core.paginator import Paginator
from django.http import Http404
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from nomopoly.site import once
from nomopoly.site.notices import kinds, mailing, reading

A_PAGE = 50


@require_safe
@login_required
def notices(request):
    """All notices of a user, newest first. What they have been shown is no news any more."""
    page = Paginator(reading.of(request.user), A_PAGE).get_page(request.GET.get("page"))
    shown = [(notice, notice.read is None) for notice in page]
    reading.note(request.user, [notice.pk for notice, new in shown if new])
    return render(request, "notices/notices.html", {"page": page, "shown": shown})


@require_POST
@login_required
def all_read(request):
    """Mark all notices as read."""
    reading.note(request.user)
    messages.success(request, _("All notices are marked as read."))
    return redirect("notices")


@login_required
def wishes(request):
    """How a user wants to hear of each kind, in all games and in each."""
    user = request.user
    games = reading.games_of(user)
    if request.method == "POST":

        def keep():
            problem = reading.keep_wishes(user, games, request.POST)
            if problem:
                messages.error(request, problem)
                return draw(request, games)
            return once.Done(_("Your choice is kept."), "/settings/notices/")

        return once.send(request, keep)
    return draw(request, games)


def draw(request, games):
    """The form of what is mailed, as it stands or as it was sent."""
    rows = reading.wishes_of(request.user, games, request.POST or None)
    box = mailing.office.box_of(request.user)
    parts = {"rows": rows, "hows": kinds.HOW, "games": games, "hours": range(24), "box": box}
    return render(request, "notices/wishes.html", parts)


@csrf_exempt
def stop(request, word):
    """Out of a mail: nothing happens by opening it, and one click ends mails like it (RFC 8058)."""
    try:
        user, game, about = mailing.read_token(word)
    except (signing.BadSignature, KeyError, TypeError):
        raise Http404(_("This address ends no mails. Choose what is mailed to you in the settings.")) from None
    found = reading.game_of(game)
    if request.method == "POST":
        reading.stop(user, game, about)
    labels = [kinds.BY_ID[each].label for each in about]
    return render(request, "notices/stop.html", {"labels": labels, "found": found, "stopped": request.method == "POST"})
