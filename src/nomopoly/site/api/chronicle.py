"""What a game has come to, and what it says of itself; and what an open proposal's example and futures say now."""

from typing import Any, Literal

from django.http import Http404, HttpRequest
from ninja import Field, Router, Schema, Status

from nomopoly.site import once
from nomopoly.site.api import told
from nomopoly.site.api.acting import TOKEN
from nomopoly.site.api.door import No, Refused, enter
from nomopoly.site.api.reading import find_proposal
from nomopoly.site.lobby import playing
from nomopoly.site.play import ending, futures, pages, talk, tryouts
from nomopoly.site.play.views import log
from nomopoly.site.shapes import Data

chronicle = Router(tags=["The game"])


class Futures(Schema):
    """What to do with the futures of a proposal."""

    do: Literal["begin", "more", "cancel"] = Field(
        description="`begin` with the first ones, from the game as it is now, play `more`, or `cancel` those not begun"
    )


@chronicle.get("/g/{slug}/about", summary="What a game says of itself")
def about(request: HttpRequest, slug: str) -> dict[Any, Any]:
    """Who runs it (`host`, their own words `about`, or who decides), who reads what is said in it, and what newcomers
    ask of its edition, with the answers."""
    game = enter(request, slug).game
    return {
        "title": game.title,
        "edition": game.edition,
        "host": game.host,
        "decides": game.office,
        "about": game.about,
        "readers": str(talk.readers(game)),
        "questions": [
            {"question": asked, "answer": told.words(answer)} for asked, answer in playing.questions(game.edition)
        ],
    }


@chronicle.get("/g/{slug}/log/week/{int:number}", summary="The report of a week")
def week(request: HttpRequest, slug: str, number: int) -> dict[Any, Any]:
    """In a game that counts weeks: its parts in the order in which things happened, each update (by its number) apart
    from what lay between, with their entries; the proposals it was about; and the weeks before and after it."""
    seat = enter(request, slug)
    report = log.report_of(seat, number)
    told_log = told.Log(seat)
    parts = [
        {"update": update, "at": entries[0]["at"], "entries": [told_log.entry(entry) for entry in entries]}
        for update, entries in report["parts"]
    ]
    return report | {"parts": parts, "proposals": [each["number"] for each in report["proposals"]]}


@chronicle.get("/g/{slug}/end", summary="How a game ended")
def end(request: HttpRequest, slug: str) -> dict[Any, Any]:
    """Who won, the entry in which it ended, after how many seconds, the rules that players made and that hold, and how
    often each face of a die came. 404 while the game goes on."""
    seat = enter(request, slug)
    state = seat.view["things"]["game"]
    if not state.get("over"):
        raise Http404("This game is not over.")
    entries = seat.live.facts(seat.viewer)
    last = ending.last_entry(entries.having("change:game.over"))
    names = [*(player["id"] for player in pages.players(seat.view)), *ending.former_players(seat)]
    together, players = ending.record_of_dice(entries.having("dice"), names)
    return {
        "winner": state.get("winner"),
        "entry": last and told.Log(seat).entry(last),
        "took": (last or entries[-1])["at"] - entries.opened_at(),
        "rules": [each | {"rule": each["rule"]["id"]} for each in ending.rules_of_players(seat)],
        "dice": {"together": dice(together), "players": {each.name: dice(each) for each in players}},
    }


def dice(record: ending.Dice) -> dict[str, Any]:
    """How often one has rolled, and how often each face came."""
    return {"rolls": record.rolls, "faces": dict(sorted(record.faces.items()))}


@chronicle.post(
    "/g/{slug}/proposals/{int:number}/example",
    response={200: Any, 409: Refused, 422: No},
    summary="Play the example of a proposal",
)
def play_example(request: HttpRequest, slug: str, number: int, token: str | None = TOKEN) -> Status[Any]:
    """Play the example that an open proposal carries by the rules of now: `failure` says where it ends otherwise, null
    where it holds. For players and the Admin."""
    seat = enter(request, slug, to_play=True)
    if not talk.may_speak(seat):
        seat.need_player("play an example")
    found = find_proposal(seat, number)
    example = tryouts.example_of(seat, found)
    if example is None or not found["open"]:
        raise Http404("There is no example to play here.")

    def last(n: int | None = None) -> Data:
        kept = tryouts.example_of(seat, found)
        return {"scenario": kept.text, "failure": kept.failure or None} if kept is not None else {}

    def go() -> tuple[int, Data]:
        tryouts.keep_example(seat, found["id"], found, example.text)
        return 200, last()

    return Status(*once.answer(request.user, token, [slug, number, "example"], go, last))


@chronicle.get("/g/{slug}/proposals/{int:number}/futures", summary="The futures of a proposal")
def all_futures(request: HttpRequest, slug: str, number: int) -> dict[Any, Any]:
    """The futures of an open proposal that you have asked for: how many are `wanted` and `done`, whether they are being
    played (`running`), why they could not be (`failed`), and what they come to so far (`told`), null before the first
    look. `wanted` is 0 where there are none: a restart of the site forgets them."""
    seat = enter(request, slug)
    job = futures.find(seat, find_proposal(seat, number))
    if job is None:
        return {"wanted": 0, "done": 0, "running": False, "failed": "", "told": None}
    return {"wanted": job.wanted, "done": job.done, "running": job.runs, "failed": job.failed, "told": job.told}


@chronicle.post(
    "/g/{slug}/proposals/{int:number}/futures",
    response={200: Any, 409: Refused, 422: No},
    summary="Play futures of a proposal",
)
def play_futures(
    request: HttpRequest, slug: str, number: int, given: Futures, token: str | None = TOKEN
) -> Status[Any]:
    """Begin to play the game on, with an open proposal and without it; play more; or leave out what has not begun. They
    are played in the background: ask for them again. For players and the Admin."""
    seat = enter(request, slug, to_play=True)
    if not talk.may_speak(seat):
        seat.need_player("play futures")
    found = find_proposal(seat, number)
    if not found["open"]:
        raise Http404("Only an open proposal has futures to play.")

    def go() -> tuple[int, Data]:
        job = futures.find(seat, found)
        if given.do == "begin":
            refused = futures.begin(seat, found)
            return (409, {"refused": refused}) if refused else (200, all_futures(request, slug, number))
        if job is not None:
            (futures.go_on if given.do == "more" else futures.cancel)(job)
        return 200, all_futures(request, slug, number)

    def again(n: int | None = None) -> Data:
        return all_futures(request, slug, number)

    return Status(*once.answer(request.user, token, [slug, number, given.dict()], go, again))
