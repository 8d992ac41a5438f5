"""Where an account plays or governs, and what waits for it there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext, ngettext

from nomopoly.site.tables import answered, deciding, live, office, queries
from nomopoly.site.tables.models import Game, Membership

if TYPE_CHECKING:
    from nomopoly.site.shapes import Data


def at_seat(membership: Membership) -> dict[Any, Any]:
    """A game a user sits at, and what waits for them there."""
    game = membership.game
    view = live.of(game).view(membership.player if membership.status == Membership.Status.APPROVED else "visitor")
    waiting = []
    plays = membership.status == Membership.Status.APPROVED and membership.player in view["things"]
    if plays:
        waiting = queries.waiting_for(view, membership.player) + queries.refused_answers(membership)
        waiting += queries.votes_about_the_game(live.of(game), view, membership.player)
        waiting += queries.actions_wanted(live.of(game), membership.player)
        waiting = answered.left_open(live.of(game), membership.player, waiting)
        waiting += deciding.asked_of(membership)
    return {
        "game": game,
        "membership": membership,
        "plays": plays,
        "view": view,
        "waiting": [item | {"game": game, "where": game.address + item["path"]} for item in waiting],
    }


def task_in_words(id: str, act: Data, thing: Data) -> str:
    """A thing that an act of the desk waits for, by its name, or by what the act's form shows beside it."""
    beside = next((field["shows"] for field in act["fields"] if field["type"] == "thing"), "")
    name, called = thing.get("name") or thing.get(beside), id.replace("-", " ")
    if not thing.get("name"):
        called = f"{act['label']}: {called}"
        return f"{called}, {name}" if name else called
    return f"{called}: {name}"


def at_desk(game: Game) -> dict[Any, Any]:
    """A game a user is the Admin of, and its tasks."""
    view = live.of(game).view("admin")
    tasks = [{"text": gettext("%(name)s asks to join") % {"name": seat.player}} for seat in queries.applicants(game)]
    if judged := len(queries.undecided(view)):
        text = ngettext("a proposal to judge", "%(many)s proposals to judge", judged) % {"many": judged}
        tasks.append({"text": text, "about": "proposals"})
    if game.open_faults.exists():
        tasks.append({"text": gettext("a rule broke")})
    if queries.reported(game).exists():
        tasks.append({"text": gettext("somebody asks you to look at what was said")})
    if queries.complaints(game).exists():
        tasks.append({"text": gettext("somebody has reported something"), "path": "conduct/"})
    tasks += [{"text": task["text"]} for task in office.tasks(game)]
    for id, acts in queries.tasks_of(live.of(game).actions("admin", untried=True)).items():
        tasks.append({"text": task_in_words(id, acts[0], view["things"].get(id, {}))})
    return {
        "game": game,
        "view": view,
        "waiting": [task | {"game": game, "where": f"{game.address}admin/{task.get('path', '')}"} for task in tasks],
    }
