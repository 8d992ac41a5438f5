"""Standing answers: given for a player as soon as a question comes, or an action becomes possible; each time once.

They are given under the game's lock and stored with the entry that has put the question, as orders of that player.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nomopoly.runtime.host import Game as Running
from nomopoly.site import declared
from nomopoly.site.tables import live, prepared, queries
from nomopoly.site.tables.models import Membership, StandingAnswer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nomopoly.runtime.host import Game as Running
    from nomopoly.runtime.outcomes import Outcome
    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.models import Game


MOST_ORDERS = 20  # after one entry: answers may call for answers
MOST_CHOICES = 20
MOST_REMEMBERED = 200
KEPT = prepared.Rows(
    lambda game: StandingAnswer.objects.filter(seat__game=game, seat__status=Membership.Status.APPROVED).select_related(
        "seat"
    )
)


@dataclass
class Open:
    """Something that a standing answer is an answer to, now."""

    key: str
    do: str
    args: Data
    reason: str | None  # why it would be refused


def active(game: Game, moment: int) -> list[StandingAnswer]:
    """The standing answers that hold in a game at a moment, oldest first. They are read once while it is written to."""
    meanwhile = live.of(game).gathered.meanwhile
    if "standing" not in meanwhile:
        meanwhile["standing"] = KEPT.all(game.pk)
    return [each for each in meanwhile["standing"] if each.until is None or each.until > moment]


def leave(game: Game, answer: StandingAnswer, moment: int) -> None:
    """Leave a new standing answer, while the game is written to."""
    active(game, moment)
    live.of(game).gathered.meanwhile["standing"].append(answer)
    live.of(game).also(answer.save)


def give(game: Game, running: Running, at: int, order: bool = True) -> list[Outcome]:
    """Give what standing answers say to what is open. Without `order` it is only noted as answered. Returns
    outcomes."""
    outcomes: list[Outcome] = []
    for _ in range(MOST_ORDERS):
        before = len(outcomes)
        for kept in active(game, at):
            if len(outcomes) < MOST_ORDERS:
                outcomes += attend(game, kept, running, at, order)
        if len(outcomes) == before:
            break
    return outcomes


def attend(game: Game, kept: StandingAnswer, running: Running, at: int, order: bool) -> list[Outcome]:
    """See to one standing answer: at most one order, because after it all may be different."""
    noted = (list(kept.given), dict(kept.refused))
    open_now = list(whats_open(kept, running, at))
    still = {each.key for each in open_now}
    forever = kept.fields is None  # a question never comes twice
    kept.given = [key for key in kept.given if forever or key in still][-MOST_REMEMBERED:]
    kept.refused = {each.key: each.reason for each in open_now if each.reason and each.key not in kept.given}
    outcomes = []
    for each in open_now:
        if each.key in kept.given or (each.reason and order):
            continue
        kept.given.append(each.key)
        if order:
            outcome = running.order(kept.seat.player, each.do, each.args, max(at, running.now))
            outcomes.append(outcome)
            if not outcome.ok:
                kept.refused[each.key] = queries.refusal_kept(outcome)
            break
    if (kept.given, kept.refused) != noted:
        live.of(game).also(lambda: kept.save(update_fields=["given", "refused"]))
    return outcomes


def whats_open(kept: StandingAnswer, running: Running, at: int) -> Iterator[Open]:
    """What a standing answer could answer now."""
    player = kept.seat.player
    view = running.view(player, at)
    if kept.fields is None:
        for question in view["things"].values():
            if question["kind"] == "question" and player in (question.get("asked") or ()) and meant(kept, question):
                args = {"question": question["id"], "answer": chosen(kept.answer, question.get("options") or ())}
                yield Open(question["id"], "answer", args, refusal(running, player, "answer", args, at))
        return
    action = next((each for each in running.actions(player, at) if each["id"] == kept.question), None)
    if action is None or action["desk"]:
        return
    waiting = queries.waiting_for(view, player)
    for sent in filled_in(action, kept.fields):
        args, problems = declared.read(action, sent)
        if problems or not offered(action, args):
            continue
        reason = refusal(running, player, action["id"], args, at)
        if reason is None or awaited(waiting, action["id"], args):
            yield Open(json.dumps(args, sort_keys=True), action["id"], args, reason)


def meant(kept: StandingAnswer, question: Data) -> bool:
    """Whether a question is the one that is named, or has these words in it."""
    return kept.question == question["id"] or kept.question.casefold() in (question.get("text") or "").casefold()


def chosen(answer: str, options: Iterable[str]) -> str:
    """The option that was meant; anything else is left as it is, for the rules to refuse."""
    return next((each for each in options if str(each).casefold() == answer.strip().casefold()), answer)


def filled_in(action: Data, fields: Data) -> Iterator[Any]:
    """The inputs of an action, once for each way to choose what was left open."""
    left = [
        each
        for each in action["fields"]
        if each["choices"] and not fields.get(each["name"]) and (each["default"] is not None or not each["optional"])
    ]
    ways = itertools.product(*([str(choice["id"]) for choice in each["choices"]] for each in left))
    for way in itertools.islice(ways, MOST_CHOICES):
        yield fields | dict(zip([each["name"] for each in left], way, strict=True))


def offered(action: Data, args: Data) -> bool:
    """Whether what was chosen can be chosen now."""
    return all(
        args[field["name"]] in [choice["id"] for choice in field["choices"]]
        for field in action["fields"]
        if field["type"] in ("thing", "choice") and field["name"] in args
    )


def awaited(waiting: list[Any], action: str, args: Data) -> bool:
    """Whether the game waits for this player to do this."""
    said = [item["text"] for item in waiting if item["path"].startswith(f"act/{action}/")]
    things = [value for value in args.values() if isinstance(value, str)]
    return any(not things or any(text.endswith(f" {thing}") for thing in things) for text in said)


def refusal(running: Running, player: str, do: str, args: Data, at: int) -> str | None:
    """Why an order would be refused now, or None."""
    seen = running.preview(player, do, args, max(at, running.now))
    return None if seen.ok else queries.refusal_kept(seen)
