"""Standing answers as their owner writes them: read from a form, shown in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext

from nomopoly.errors import CommandError
from nomopoly.runtime import protocol
from nomopoly.site import declared
from nomopoly.site.play import books, forms
from nomopoly.site.tables import live

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.models import StandingAnswer


MOST = 50
NOT_IN_ADVANCE = (protocol.LEAVE_GAME,)


class Unclear(Exception):
    """What was typed is no standing answer. The reason is for the top of the form."""


def actions(seat: Seat) -> list[Any]:
    """The actions that can be given in advance: no votes, and not leaving."""
    return [
        each
        for each in seat.live.actions(seat.viewer)
        if not (each["desk"] or each["hidden"] or each["ballot"] or each["id"] in NOT_IN_ADVANCE)
    ]


def read(seat: Seat, sent: Data) -> dict[Any, Any]:
    """The fields of a standing answer from its form. Raises Unclear."""
    if seat.game.over:
        raise Unclear(gettext("The game is over"))
    question, answer = sent.get("question", "").strip(), sent.get("answer", "").strip()
    if not question:
        raise Unclear(gettext("Say what is to be answered: an action, or words of the question"))
    if len(question) > 200 or len(answer) > 500:
        raise Unclear(gettext("That is too long: at most 200 characters for the question, and 500 for the answer"))
    named = next((each for each in actions(seat) if each["id"] == question), None)
    if named is None and question in {each["id"] for each in seat.live.actions(seat.viewer)}:
        raise Unclear(gettext("%(question)s cannot be left in advance") % {"question": question})
    if named is None and not answer:
        raise Unclear(gettext("Say what the answer to the question is to be"))
    return {
        "question": question,
        "answer": answer,
        "fields": inputs(named, answer) if named else None,
        "until": moment(seat, sent.get("until", "").strip()),
    }


def inputs(action: Data, answer: StandingAnswer) -> dict[str, str]:
    """The inputs of an action from `#12`, or `square=#12 name=Elm`. What can be chosen may be left open."""
    try:
        _, typed = forms.read_command(f"{action['id']} {answer}", [action])
    except forms.CommandUnknown as error:
        raise Unclear(str(error)) from None
    open_choices = [each["name"] for each in action["fields"] if each["type"] in ("thing", "choice")]
    certain = [each for each in action["fields"] if each["name"] in typed or each["name"] not in open_choices]
    _, problems = declared.read(action | {"fields": certain}, typed)
    if problems:
        raise Unclear(". ".join(problems))
    return typed


def moment(seat: Seat, typed: str | None) -> int | None:
    """Until when, in seconds; a date means its end. None: for ever."""
    if not typed:
        return None
    try:
        until = books.history(seat).read(typed, last=True)
    except CommandError:
        raise Unclear(
            gettext("Not a moment: %(typed)s. Write 2026-05-06 or 2026-05-06T18:20, or nothing") % {"typed": typed[:60]}
        ) from None
    if until <= live.now():
        raise Unclear(gettext("That moment is past"))
    return until
