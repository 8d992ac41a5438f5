"""What the table decides: the questions before the players, their answers, and the program of a proposal in words
alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from nomopoly.site import declared, once
from nomopoly.site.door import seated
from nomopoly.site.tables import deciding

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.tables.models import TableQuestion


MOST_SETTLED = 20
# The form of a program, as the desk has it for an act that carries one.
PROGRAM = {
    "fields": [
        {
            "name": "changes",
            "type": "changes",
            "label": gettext_lazy("Changes of the rules"),
            "optional": True,
            "long": True,
        },
        {
            "name": "run",
            "type": "code",
            "label": gettext_lazy("Program that runs once"),
            "optional": True,
            "long": True,
        },
    ]
}


def need_table(seat: Seat) -> None:
    """Refuse (404) games in which the players have no say in the office."""
    if seat.game.office != "table":
        raise Http404(_("In this game the table decides nothing."))


@require_safe
@seated("table")
def table(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The questions that the players of a game decide."""
    return table_page(seat)


def table_page(seat: Seat, refusal: str | None = None) -> HttpResponse:
    """The page of these questions, with a refusal if there is one."""
    need_table(seat)
    questions = seat.game.table_questions.select_related("game")
    mine = seat.membership if seat.role == "player" else None
    given = dict(mine.table_answers.values_list("question", "choice")) if mine is not None else {}
    return seat.page(
        "lobby/table.html",
        open=[shown(each, given.get(each.pk), seat) for each in questions.filter(settled=None)],
        settled=[
            (deciding.text_of(each), deciding.result_of(each))
            for each in questions.exclude(settled=None).order_by("-settled")[:MOST_SETTLED]
        ],
        can_answer=mine is not None,
        refusal=refusal,
    )


def shown(question: TableQuestion, given: str | None, seat: Seat) -> dict[Any, Any]:
    """A question as a reader sees it: what it leads to, and what they have answered."""
    about = question.about
    thing = seat.view["things"].get(about, {})
    where = f"proposals/{about.lstrip('P')}/" if thing.get("kind") == "proposal" else ""
    program = deciding.for_program(question)
    return {
        "question": question,
        "text": deciding.text_of(question),
        "answers": deciding.answers_to(question),
        "given": given,
        "where": where,
        "program": program,
        "mine": program and seat.role == "player" and thing.get("author") == seat.player_name,
    }


@require_POST
@seated("table", signed_in=True)
def answer(request: HttpRequest, seat: Seat, number: int) -> HttpResponse:
    """Take a player's answer to a question of the table."""
    need_table(seat)
    seat.need_player("answer this")
    question = get_object_or_404(seat.game.table_questions, pk=number)
    choice = request.POST.get("choice", "")

    def go() -> once.Done | HttpResponse:
        refusal = deciding.answer(question, seat.place, choice)
        if refusal:
            return table_page(seat, refusal)
        label = dict(deciding.answers_to(question))[choice]
        question.refresh_from_db(fields=["settled"])
        if question.settled is None:
            told = _("Your answer: %(label)s. You can change it until the question is closed.") % {"label": label}
        else:
            told = _("Your answer: %(label)s. Everybody has answered, and the question is closed.") % {"label": label}
        return once.Done(told, seat.game.address if request.POST.get("back") == "dock" else place_of(seat))

    return once.send(request, go, what=choice)


@seated("table", signed_in=True)
def program(request: HttpRequest, seat: Seat, number: int) -> HttpResponse:
    """The author of a proposal in words alone adds its program."""
    need_table(seat)
    question = get_object_or_404(seat.game.table_questions, pk=number, settled=None)
    seat.need_player("add a program")
    if deciding.author_of(question) != seat.player_name or not deciding.for_program(question):
        raise Http404(_("There is no program to add."))
    sent = request.POST if request.method == "POST" else None
    args, problems = declared.read(PROGRAM, request.POST) if sent is not None else ({}, [])

    def page(refusal: str | None = None) -> HttpResponse:
        fields = declared.inputs(PROGRAM, sent)
        return seat.page("lobby/program.html", question=question, fields=fields, refusal=refusal)

    def go() -> once.Done | HttpResponse:
        refusal = deciding.add_program(question, seat.place, args.get("changes"), args.get("run"))
        if refusal:
            return page(refusal)
        return once.Done(_("Your program is added, and the proposal is carried out with it."), place_of(seat))

    if sent is None or problems:
        return page(". ".join(problems) or None)
    return once.send(request, go)


def place_of(seat: Seat) -> str:
    """The address of that page."""
    return f"{seat.game.address}table/"
