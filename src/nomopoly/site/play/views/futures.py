"""The page of a proposal's futures: in words, as fans, as a table, for whoever asked for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods

from nomopoly.lab.outlook import ENOUGH, LONGEST_WAY, amount, gaining, signed
from nomopoly.site import once
from nomopoly.site.door import seated
from nomopoly.site.play import fans, pages, sentences, talk
from nomopoly.site.play import futures as jobs
from nomopoly.site.play.views.proposals import find

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data


MOST_IDLE = 12  # rules that do nothing which a page names
LEFT_OUT = (
    gettext_lazy("What becomes of the proposal itself: nobody votes or decides on it meanwhile."),
    gettext_lazy("New proposals: only those that are open are voted on."),
    gettext_lazy("What players would say to each other, and what they would do otherwise because of the proposal."),
    gettext_lazy("People who join, and players who leave."),
)


@require_http_methods(["GET", "HEAD", "POST"])
@seated("proposals")
def futures(request: HttpRequest, seat: Seat, number: int) -> HttpResponse:
    """The futures of an open proposal: how far they are, and what they come to; by a form one begins, goes on,
    cancels."""
    proposal = find(seat, number)
    if not proposal["open"] or seat.trial:
        raise Http404(_("Only an open proposal has futures to play."))
    if request.method != "POST":
        return draw(seat, proposal)
    if not request.user.is_authenticated or not talk.may_speak(seat):
        seat.need_player("play futures")
    here = f"{seat.game.address}proposals/{number}/futures/"
    job, what = jobs.find(seat, proposal), request.POST.get("do")

    def act() -> once.Done | HttpResponse:
        if what == "begin":
            refused = jobs.begin(seat, proposal)
            return draw(seat, proposal, refused) if refused else once.Done(_("The futures are being played."), here)
        if job is None:
            return redirect(here)
        if what == "more":
            jobs.go_on(job)
            return once.Done(_("More futures are being played."), here)
        jobs.cancel(job)
        return once.Done(_("No more futures are played."), here)

    return once.send(request, act, f"{what}-"[:8])


def draw(seat: Seat, proposal: Data, refused: str = "") -> HttpResponse:
    """The page of a proposal's futures, as far as they are played, with a refusal if there is one."""
    job = jobs.find(seat, proposal)
    told = job and job.told
    context: Data = {"wealth": None, "players": [], "fans": [], "endings": [], "left_out": LEFT_OUT}
    if told and told["futures"]:
        context |= shown(seat, told)
    return pages.show(
        seat,
        "play/futures.html",
        status=409 if refused else 200,
        proposal=proposal,
        refused=refused,
        job=job,
        told=told,
        first=jobs.FIRST,
        most=jobs.ALL,
        weeks=jobs.WEEKS,
        moved_on=job is not None and seat.live.ask(lambda game: game.n) != job.entry,
        may_begin=seat.request.user.is_authenticated and talk.may_speak(seat),
        **context,
    )


def shown(seat: Seat, told: Data) -> dict[Any, Any]:
    """What a page says of futures that have been looked at."""
    wealth = told["wealth"]
    money = bool(wealth and wealth["money"])
    gain, lose = gaining(told) if wealth else ([], [])
    return {
        "wealth": wealth,
        "sort": "money" if money else "",
        "enough": told["futures"] >= ENOUGH,
        "halted": told["ends"]["then"]["halted"],
        "players": [of_player(each, money) for each in told["players_then"]],
        "fans": fans.of_players(told),
        "gain": gain,
        "lose": lose,
        "endings": [ending(seat, told, base) for base in fans.BASES],
        "idle": told["idle"]["then"][:MOST_IDLE],
        "more_idle": max(0, len(told["idle"]["then"]) - MOST_IDLE),
    }


def of_player(each: Any, money: bool) -> dict[Any, Any]:
    """What difference the proposal makes to a player."""
    about = each["difference"]
    return {
        "name": each["player"],
        "same": about["up"] == about["down"] == 0,
        "middle": signed(about["middle"], money),
        "from": signed(about["from"], money),
        "to": signed(about["to"], money),
        "up": about["up"],
        "down": about["down"],
        "ends": [amount(each[base]["middle"], money) for base in fans.BASES],
    }


def ending(seat: Seat, told: Data, base: str) -> dict[Any, Any]:
    """How the game goes on by one of the two books."""
    return {
        **told["ends"][base],
        "base": base,
        "won": ", ".join(f"{who} {often}" for who, often in told["ends"][base]["winners"].items()),
        "troubles": [each | {"steps": steps_to(seat, each)} for each in told["troubles"][base]],
    }


def steps_to(seat: Seat, trouble: Data) -> list[tuple[int, str]]:
    """The steps that lead to what breaks, and what it breaks at: the moment and the words of each. Of a long way, those
    in the middle are counted (moment 0)."""
    teller = sentences.Teller(seat)
    entries = [
        {"at": at, "kind": "order" if kind == "vote" else kind, "by": by, "do": do, "args": args}
        for at, kind, by, do, args in trouble["way"]
    ]
    steps = [(each["at"], teller.asked(each) + teller.with_what(each)) for each in entries]
    more = len(steps) - LONGEST_WAY
    if more > 0:
        counted = ngettext("%(many)s more step", "%(many)s more steps", more) % {"many": more}
        steps = [*steps[:2], (0, counted), *steps[2 - LONGEST_WAY :]]
    if not entries or (entries[-1]["at"], entries[-1]["do"]) != (trouble["at"], trouble["do"]):
        kind = "order" if trouble["do"] in teller.labels else "tick"
        steps.append((trouble["at"], teller.what({"kind": kind, "do": trouble["do"]})))
    return steps
