"""Keeping order, ways into a game for who hosts it, one's piece, and words whose typos the Admin mends."""

from typing import Any, Literal

from django.http import Http404, HttpRequest
from ninja import Field, Router, Schema, Status

from nomopoly.site import limits, once
from nomopoly.site.accounts.signed_in import account
from nomopoly.site.api import told
from nomopoly.site.api.acting import TOKEN
from nomopoly.site.api.door import No, Refused, enter
from nomopoly.site.api.office import at_the_desk, first_problem
from nomopoly.site.api.reading import find_proposal
from nomopoly.site.lobby import starting
from nomopoly.site.lobby.forms import Invitations
from nomopoly.site.order import complaints, conduct
from nomopoly.site.order.forms import Conduct
from nomopoly.site.play import mending, pieces, talk
from nomopoly.site.post import office
from nomopoly.site.shapes import Data
from nomopoly.site.tables import bots, domain, letters, queries, seats, visits

keeping = Router(tags=["Keeping order, hosting, pieces"])


class Reporting(Schema):
    """A report as it is sent."""

    sort: Literal["name", "proposal", "admin"] = Field(description="What you report")
    about: str = Field("", description="The name, or the proposal's id such as P3; nothing for what the Admin does")
    because: str = Field(description="What is wrong with it, for whoever looks at it alone")


class Order(Schema):
    """What the Admin does about how somebody behaves."""

    do: Literal["warn", "mute", "hear"] = Field(description="`hear` ends a mute before its time")
    player: str
    days: int | None = Field(None, description="How long a mute lasts: 1 to 90 days")
    because: str = Field("", description="Why, for all to read in the log; not wanted for `hear`")


class Answer(Schema):
    """What came of a report."""

    answer: str = Field("", description="What came of it, mailed to who has reported it", max_length=500)


class Inviting(Schema):
    """Whom to invite, and in whose name."""

    invite: list[str] = Field([], description="Addresses to which the way in is mailed")
    host: str | None = Field(None, description="Your name, as those you invite know you; left out, it stays")
    renew: bool = Field(False, description="Make a new link: the one before opens nothing any more")


class Seating(Schema):
    """A bot that comes or goes."""

    do: Literal["add", "remove"]
    name: str = Field("", description="Which bot is to leave")


class Wearing(Schema):
    """The shape of a piece."""

    piece: str = Field(description="A shape of the list")


class Mending(Schema):
    """Typos that are mended."""

    about: str = Field(description="A proposal (`P3`) or a post (`post-7`)")
    title: str | None = Field(None, description="A proposal's title; left out, it stays")
    text: str = Field(description="The words without typos; those that were written end the mending")


# ---- reports and conduct


@keeping.post("/g/{slug}/reports", response={200: Any, 409: Refused, 422: No}, summary="Report something")
def report(request: HttpRequest, slug: str, given: Reporting, token: str | None = TOKEN) -> Status[Any]:
    """Ask the Admin to look at a name or a proposal, or the operator of the site to look at what the Admin does. Nobody
    learns that it was you; a mail tells you what came of it. Posts have a report of their own."""
    seat = enter(request, slug, to_play=True)
    if not request.user.is_authenticated:
        raise seat.outsider("do this")

    def go() -> tuple[int, Data]:
        refusal = complaints.make(seat, given.sort, given.about, given.because)
        return (409, {"refused": refusal}) if refusal else (200, done(None))

    def done(n: int | None) -> Data:
        return {"asked": "operator" if complaints.to_operator(seat.game, given.sort, given.about) else "admin"}

    return Status(*once.answer(request.user, token, [slug, given.dict()], go, done))


@keeping.get("/g/{slug}/admin/conduct", summary="Reports, and who is warned or muted")
def order(request: HttpRequest, slug: str) -> dict[Any, Any]:
    """What is reported and not answered, the warnings that stand, by their entries, and who may not write in the forum
    until when."""
    game = at_the_desk(request, slug).game
    return {
        "reports": [
            {"id": each.pk, "sort": each.sort, "about": each.about, "what": each.in_words(), "because": each.because}
            | {"made": int(each.made.timestamp()), "says": complaints.shown(each)[0]}
            for each in complaints.waiting(game)
        ],
        "warned": {name: [entry["number"] for entry in given] for name, given in conduct.warnings(game).items()},
        "muted": [
            {"player": each.name, "until": int(each.until.timestamp()), "because": each.because}
            for each in conduct.muted(game)
        ],
    }


@keeping.post("/g/{slug}/admin/conduct", response={200: Any, 409: Refused, 422: No}, summary="Warn, mute, hear again")
def act_on_conduct(request: HttpRequest, slug: str, given: Order, token: str | None = TOKEN) -> Status[Any]:
    """Warn a player, let one write nothing in the forum for some days, or let one write again. It stands in the public
    log."""
    seat = at_the_desk(request, slug, to_play=True)

    def go() -> tuple[int, Data]:
        if given.do == "hear":
            outcome = conduct.hear(seat.game, given.player)
        else:
            form = Conduct(given.dict(), players=[each.player for each in queries.players_seated(seat.game)])
            if not form.is_valid():
                return 409, {"refused": first_problem(form)}
            sent = form.cleaned_data
            if given.do == "warn":
                outcome = conduct.warn(seat.game, sent["player"], sent["because"])
            else:
                outcome = conduct.mute(seat.game, sent["player"], sent["days"], sent["because"])
        return (200, entry(outcome.n)) if outcome.ok else (409, told.refusal(outcome))

    def entry(n: int | None) -> Any:
        return told.entry_of(enter(request, slug), n)

    return Status(*once.answer(request.user, token, [slug, given.dict()], go, entry))


@keeping.post("/g/{slug}/admin/conduct/reports/{int:id}", response={200: Any}, summary="Answer a report")
def settle(request: HttpRequest, slug: str, id: int, given: Answer) -> Status[Any]:
    """Take a report off the desk; who made it is told by mail what you answer."""
    seat = at_the_desk(request, slug, to_play=True)
    found = next((each for each in complaints.waiting(seat.game) if each.pk == id), None)
    if found is None:
        raise Http404("There is no such report, or it is answered already.")
    complaints.settle(found, given.answer)
    return Status(200, {"answered": id})


# ---- hosting


@keeping.get("/g/{slug}/invitations", summary="The ways into a game")
def ways_in(request: HttpRequest, slug: str) -> dict[Any, Any]:
    """The link that lets anybody in, seats that wait for their players with the link to each, the bots at the table,
    and to which addresses invitations have not arrived."""
    seat = enter(request, slug)
    seat.need_host()
    return {
        "link": letters.way_in(seat.game),
        "host": seat.game.host,
        "free": [{"player": each.player, "path": seats.link(seat.game, each)} for each in seats.free(seat.game)],
        "bots": [each.seat.player for each in bots.bots_of(seat.game)],
        "most_bots": bots.MOST,
        "not_arrived": [
            {"to": each.to, "tried_again": each.next_try is not None} for each in office.not_arrived(seat.game)
        ],
    }


@keeping.post("/g/{slug}/invitations", response={200: Any, 409: Refused, 422: No}, summary="Invite")
def invite(request: HttpRequest, slug: str, given: Inviting, token: str | None = TOKEN) -> Status[Any]:
    """Mail the way in, set the name under which you invite, or make a new link."""
    seat = enter(request, slug, to_play=True)
    seat.need_host()

    def go() -> tuple[int, Data]:
        host = seat.game.host if given.host is None else given.host
        form = Invitations({"host": host, "invite": "\n".join(given.invite)})
        if not form.is_valid():
            return 409, {"refused": first_problem(form)}
        addresses = form.cleaned_data["invite"]
        refusal = limits.refusal(account(request), "invitation", len(addresses)) or limits.refusal_to(addresses)
        if refusal:
            return 409, {"refused": refusal}
        domain.change_game(seat.game, host=form.cleaned_data["host"])
        starting.send_invitations(account(request), seat.game, addresses)
        if given.renew:
            starting.renew(seat.game)
        return 200, ways_in(request, slug)

    return Status(*once.answer(request.user, token, [slug, given.dict()], go, lambda n: ways_in(request, slug)))


@keeping.post(
    "/g/{slug}/bots", response={200: Any, 409: Refused, 422: No}, summary="Give a bot a seat, or take it away"
)
def change_bots(request: HttpRequest, slug: str, given: Seating, token: str | None = TOKEN) -> Status[Any]:
    """`add` seats a further bot; `remove` lets the one of that `name` leave, by the rules on leaving."""
    seat = enter(request, slug, to_play=True)
    seat.need_host()

    def go() -> tuple[int, Any]:
        if given.do == "add":
            outcome = bots.put(seat.game)
        else:
            bot = next((each for each in bots.bots_of(seat.game) if each.seat.player == given.name), None)
            if bot is None:
                raise Http404(f"No bot {given.name} plays here.")
            outcome = bots.take_away(seat.game, bot)
        return (200, playing(None)) if outcome.ok else (409, told.refusal(outcome))

    def playing(n: int | None) -> Data:
        return {"bots": [each.seat.player for each in bots.bots_of(seat.game)]}

    return Status(*once.answer(request.user, token, [slug, given.dict()], go, playing))


# ---- pieces


@keeping.get("/g/{slug}/pieces", summary="The shapes of pieces, and who has which")
def shapes(request: HttpRequest, slug: str) -> dict[Any, Any]:
    """All shapes by their ids, each with what it is called and the players who have it."""
    seat = enter(request, slug)
    worn: Data = {}
    for name, look in seat.looks.items():
        worn.setdefault(look.shape, []).append(name)
    return {shape: {"label": str(label), "players": worn.get(shape, [])} for shape, (label, _) in pieces.SHAPES.items()}


@keeping.post("/g/{slug}/piece", response={200: Any, 409: Refused}, summary="Choose your piece")
def wear(request: HttpRequest, slug: str, given: Wearing) -> Status[Any]:
    """Let your piece have another shape. It changes nothing of the game."""
    seat = enter(request, slug, to_play=True)
    seat.need_player("choose a piece")
    if given.piece not in pieces.SHAPES:
        return Status(409, {"refused": f"There is no such shape; there are: {', '.join(pieces.SHAPES)}."})
    visits.choose_piece(seat.place, given.piece)
    return Status(200, {"piece": given.piece})


# ---- typos


@keeping.post("/g/{slug}/admin/mend", response={200: Any, 409: Refused}, summary="Mend typos")
def mend(request: HttpRequest, slug: str, given: Mending) -> Status[Any]:
    """Show a proposal or a post without its typos; what was written stays readable beside it, and the game keeps that.
    A number is no typo."""
    seat = at_the_desk(request, slug, to_play=True)
    sort, _, number = given.about.partition("-")
    if sort == "post" and number.isdecimal() and len(number) < 10:
        thing = mending.post(talk.readable(seat, int(number)))
    elif given.about[:1] == "P" and given.about[1:].isdecimal() and len(given.about) < 10:
        thing = find_proposal(seat, int(given.about[1:]))
    else:
        raise Http404("Say which proposal (P3) or post (post-7).")
    written = mending.words_of(thing)
    title = written["title"] if given.title is None or sort == "post" else given.title.strip()
    words = {"title": title, "text": given.text.replace("\r\n", "\n").strip()}
    if refusal := mending.refusal(thing, **words):
        return Status(409, {"refused": refusal})
    mending.mend(seat.game, thing, **words)
    return Status(200, {"about": given.about, "written": written, "mended": words})
