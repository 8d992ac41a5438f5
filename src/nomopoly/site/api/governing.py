"""Who decides in a game what its rules leave to the Admin, and the questions before the table."""

from typing import Any

from django.http import Http404, HttpRequest
from ninja import Field, Router, Schema, Status

from nomopoly.site import once
from nomopoly.site.api.acting import TOKEN
from nomopoly.site.api.door import No, Refused, enter
from nomopoly.site.shapes import Data
from nomopoly.site.tables import deciding

governing = Router(tags=["Joining and the desk"])
MOST_SETTLED = 50


class Answering(Schema):
    """An answer to a question of the table."""

    choice: str = Field(description="One of the question's choices")


class Program(Schema):
    """What carries a proposal out."""

    changes: list[dict[str, Any]] = Field([], description="As in the field `changes` of the action `propose`")
    run: str = Field("", description="A program that runs once")


@governing.get("/g/{slug}/table", summary="Who decides, and the questions before the table")
def table(request: HttpRequest, slug: str) -> dict[Any, Any]:
    """`office`: person, table or house. By the table, the open `questions` with their choices and your own answer
    (`given`), and what has been decided. Nobody is told how others have answered."""
    seat = enter(request, slug)
    asked = seat.game.table_questions
    mine = seat.membership if seat.role == "player" else None
    given = dict(mine.table_answers.values_list("question", "choice")) if mine is not None else {}
    return {
        "office": seat.game.office,
        "questions": [
            {
                "id": each.pk,
                "about": each.about,
                "text": each.text,
                "closes": each.closes,
                "choices": [{"choice": choice, "label": label} for choice, label, _, _ in each.choices],
                "given": given.get(each.pk),
            }
            for each in asked.filter(settled=None)
        ],
        "decided": [
            {"about": each.about, "text": each.text, "result": each.result, "at": each.settled}
            for each in asked.exclude(settled=None).order_by("-settled")[:MOST_SETTLED]
        ],
    }


@governing.post("/g/{slug}/table/{int:id}", response={200: Any, 409: Refused, 422: No}, summary="Answer a question")
def answer(request: HttpRequest, slug: str, id: int, given: Answering, token: str | None = TOKEN) -> Status[Any]:
    """Answer a question of the table; you can change your answer until it is closed."""
    seat = enter(request, slug, to_play=True)
    seat.need_player("answer this")
    question = seat.game.table_questions.filter(pk=id).first()
    if question is None:
        raise Http404("There is no such question.")

    def go() -> tuple[int, Data] | tuple[int, dict[str, str]]:
        refusal = deciding.answer(question, seat.place, given.choice)
        return (409, {"refused": refusal}) if refusal else (200, {"given": given.choice})

    return Status(*once.answer(request.user, token, [slug, id, given.dict()], go, lambda n: {"given": given.choice}))


@governing.post("/g/{slug}/table/{int:id}/program", response={200: Any, 409: Refused, 422: No}, summary="Add a program")
def add_program(request: HttpRequest, slug: str, id: int, given: Program, token: str | None = TOKEN) -> Any:
    """The author of a proposal in words alone adds what carries it out, once the table has accepted it."""
    seat = enter(request, slug, to_play=True)
    seat.need_player("add a program")
    question = seat.game.table_questions.filter(pk=id, settled=None).first()
    may = question is not None and deciding.author_of(question) == seat.player
    if question is None or not may or not deciding.for_program(question):
        raise Http404("There is no program to add.")

    def go() -> Any:
        refusal = deciding.add_program(question, seat.place, given.changes, given.run)
        return (409, {"refused": refusal}) if refusal else (200, {"added": True})

    return Status(*once.answer(request.user, token, [slug, id, given.dict()], go, lambda n: {"added": True}))
