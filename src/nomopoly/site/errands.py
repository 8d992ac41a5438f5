"""What a clock does in a game is done where the game has its home: by that process, where several serve the site.

An errand is a word and what it does in a game at a moment; what that returns, and what it raises, passes between
processes. A clock is nobody's home itself: where a game has none, the clock does it under the lock of the game's row.
"""

from __future__ import annotations

import functools
import json
from typing import Any

from django.http import Http404, HttpRequest, JsonResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from nomopoly.runtime.interpreters import Incident
from nomopoly.runtime.journal import MovedOn
from nomopoly.site import handing
from nomopoly.site.busy import Busy, busy_of
from nomopoly.site.notices import making
from nomopoly.site.tables import deciding, domain, live
from nomopoly.site.tables.models import Game
from nomopoly.site.watch import logs

ENTRIES_AT_ONCE = 20
SECONDS_AT_ONCE = 2.0


def do_due(game: Game, moment: int) -> bool:
    """Do a portion of what is due. Returns whether nothing of it went well, and it is due still."""
    outcomes = domain.run_due(game, moment, most=ENTRIES_AT_ONCE, claim=True, seconds=SECONDS_AT_ONCE)
    if outcomes is None or any(outcome.ok for outcome in outcomes):
        return False
    return Game.objects.filter(pk=game.pk, due__lte=moment).exists()


ERRANDS = {
    "due": do_due,
    "answers": lambda game, moment: domain.give_answers(game),
    "decide": lambda game, moment: deciding.decide(game),
    "notices": making.attend,
}


def run(what: str, game: Game, moment: int | None = None) -> Any:
    """Do an errand at the game's home, or here where it has none. Returns and raises what the errand does."""
    moment = moment or live.now()
    said = handing.errand(game.slug, what, moment=moment)
    if said is None:
        return ERRANDS[what](game, moment)
    if "busy" in said:
        raise Busy(*said["busy"])
    if "moved_on" in said:
        raise MovedOn(said["moved_on"])
    if "incident" in said:
        rule, line, message = said["incident"]
        raise Incident(rule, line, message, [])
    return said["done"]


def do_here(what: str, game: Game, moment: int) -> dict[Any, Any]:
    """What an errand returns or raises, as data for the process that asked for it."""
    try:
        with live.patience(live.CLAIM_WAIT):
            return {"done": ERRANDS[what](game, moment)}
    except MovedOn as error:
        return {"moved_on": str(error)}
    except Incident as error:
        return {"incident": [error.rule, error.line, error.message]}
    except Exception as error:
        waits = busy_of(error)
        if waits is None:
            raise
        return {"busy": [waits.retry_after, str(waits.sentence)]}


@csrf_exempt
@require_POST
def at_home(request: HttpRequest, slug: str, what: str) -> JsonResponse:
    """Do an errand that a process of this site asks for; nobody else finds this page."""
    if handing.HANDED not in getattr(request, "scope", {}) or what not in ERRANDS:
        raise Http404
    game = get_object_or_404(Game, slug=slug)
    with logs.about_game(slug):
        return JsonResponse(do_here(what, game, json.loads(request.body)["moment"]))


# ---- chores of a clock


def answer_what_is_open() -> None:
    """See `domain.answer_what_is_open`."""
    domain.answer_what_is_open(functools.partial(run, "answers"))


def decide_what_waits() -> None:
    """See `deciding.attend`."""
    deciding.attend(functools.partial(run, "decide"))


def make_notices() -> Any:
    """See `making.look_all`: where a game is loaded already, its players' views are there too."""
    return making.look_all(functools.partial(run, "notices"))
