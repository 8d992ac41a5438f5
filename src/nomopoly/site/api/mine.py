"""What is one's own: what waits, notices, standing answers, drafts, moments to come; and one's trial copies."""

from typing import TYPE_CHECKING, Any

from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest
from ninja import Field, Router, Schema, Status

from nomopoly.runtime.outcomes import Outcome
from nomopoly.site import once
from nomopoly.site.accounts.signed_in import account
from nomopoly.site.api import told
from nomopoly.site.api.acting import TOKEN, Act, Sheet
from nomopoly.site.api.door import No, Refused, enter, key_of, may_play, signed_in
from nomopoly.site.door import Seat
from nomopoly.site.notices import reading
from nomopoly.site.play import answers as standing
from nomopoly.site.play import calendars, drafts, proposals, sheets, watched
from nomopoly.site.play.views import acts
from nomopoly.site.play.views.proposals import find
from nomopoly.site.post import office
from nomopoly.site.shapes import Data
from nomopoly.site.tables import domain, holidays, live, queries, roster, whereabouts
from nomopoly.site.trial import trials
from nomopoly.site.trial import views as trial_pages

if TYPE_CHECKING:
    from nomopoly.site.play.models import Draft as DraftRow
    from nomopoly.site.tables.models import Holiday, StandingAnswer
    from nomopoly.site.trial.models import Trial

mine = Router(tags=["What is yours"])
A_PAGE = 60


class Advance(Schema):
    """A standing answer as it is sent."""

    question: str = Field(description="An action's id, a question's id, or words of a question", max_length=200)
    answer: str = Field(
        "", description="The answer, or the action's fields: `#12`, or `square=#12 name=Elm`", max_length=500
    )
    until: str = Field("", description="A moment, such as 2026-05-06; a date means its end. Nothing: for ever")


class Seen(Schema):
    """Which notices were seen."""

    ids: list[int] | None = Field(None, description="Their ids; nothing: all of them", max_length=1000)


class Mails(Schema):
    """Which mails an account wants; what is left out stays as it is."""

    all: dict[str, str] = Field({}, description="Kind of notice -> mail, digest or none, in all games")
    games: dict[str, dict[str, str]] = Field(
        {}, description="Address of a game -> kind -> mail, digest, none; nothing: as in all games"
    )
    hour: int | None = Field(None, description="From which hour on the daily mail comes, by your clock", ge=0, le=23)
    names_hidden: bool | None = Field(None, description="Whether mails may name what only you see")


class Watching(Schema):
    """Whether to be told of news about a thing."""

    watch: bool = True


class Days(Schema):
    """A holiday as it is sent."""

    since: str = Field(description="The first day, such as 2026-05-06, as the game has it", max_length=10)
    until: str = Field(description="The last day", max_length=10)
    hold: bool = Field(True, description="Whether mails about the game wait until you are back")


class Draft(Schema):
    """A draft of a proposal as it is sent."""

    fields: dict[str, str] = Field(description="The fields of the form for proposals, by name")
    number: int | None = Field(
        None, description="The draft that these take the place of; without it, a new one is kept"
    )


class Copy(Sheet):
    """What a trial copy is made from."""

    proposal: int | None = Field(None, description="A proposal that was made, in place of one of your own")


class Clock(Schema):
    """How far the clock of a trial copy goes on."""

    span: str = Field(description="How much time is to pass: one of `spans` in the list of trial copies")


class As(Schema):
    """Whom to play in a trial copy."""

    player: str = Field("", description="Whom to play; nobody: the Admin")


def at_games(request: HttpRequest) -> list[Any]:
    """The seats of whoever asks: of a key its own game's alone."""
    user, key = signed_in(request), key_of(request)
    return [seat for seat in roster.seats_of(user) if key is None or seat.game_id == key.game_id]


@mine.get("/me", summary="What waits for you")
def me(request: HttpRequest) -> dict[Any, Any]:
    """The games you play or govern, and what waits for you in each, soonest first (`until`: a moment, or null). A key
    tells of its own game."""
    user, key = signed_in(request), key_of(request)
    governed = [game for game in roster.governed_by(user) if key is None or game.pk == key.game_id]
    places = [whereabouts.at_seat(seat) for seat in at_games(request)] + [
        whereabouts.at_desk(game) for game in governed
    ]
    return {
        "games": [
            {
                "slug": place["game"].slug,
                "title": place["game"].title,
                "address": place["game"].address,
                "player": place["membership"].player if "membership" in place else None,
                "admin": "membership" not in place,
                "waiting": [
                    {"text": item["text"], "until": item.get("until"), "where": item["where"]}
                    for item in place["waiting"]
                ],
            }
            for place in places
        ]
    }


@mine.get("/me/mails", summary="What is mailed to you")
def mails(request: HttpRequest) -> dict[Any, Any]:
    """For each kind of notice how you hear of it (`mail`: soon, `digest`: in the daily mail, `none`: on the site
    alone), in all games and where you want it otherwise; the hour of the daily mail; and whether your address takes our
    mails."""
    user = signed_in(request)
    box = office.box_of(user)
    rows = reading.wishes_of(user, reading.games_of(user))
    return {
        "all": {kind.id: how for kind, how, _ in rows},
        "games": {
            game.slug: {kind.id: how for kind, _, there in rows for at, how in there if at == game and how}
            for game in reading.games_of(user)
        },
        "hour": box.digest_hour,
        "names_hidden": box.names_hidden,
        "off": box.off is not None,
    }


@mine.post("/me/mails", response={200: Any, 422: No}, summary="Choose what is mailed to you")
def choose_mails(request: HttpRequest, given: Mails) -> Status[Any]:
    """Set what you name; what you leave out stays as it is."""
    user, now = signed_in(request), mails(request)
    if key_of(request) is not None:
        raise PermissionDenied("A key plays one game: sign in to choose what is mailed to you.")
    sent = {f"all-{kind}": how for kind, how in {**now["all"], **given.all}.items()}
    for slug, wishes in {**now["games"], **given.games}.items():
        sent |= {f"{slug}-{kind}": how for kind, how in {**now["games"].get(slug, {}), **wishes}.items()}
    sent["digest_hour"] = str(now["hour"] if given.hour is None else given.hour)
    named = now["names_hidden"] if given.names_hidden is None else given.names_hidden
    sent |= {"names_hidden": "1"} if named else {}
    problem = reading.keep_wishes(user, reading.games_of(user), sent)
    return Status(422, {"error": problem}) if problem else Status(200, mails(request))


@mine.post("/g/{slug}/proposals/{int:number}/watch", summary="Watch a proposal")
def watch(request: HttpRequest, slug: str, number: int, given: Watching) -> dict[Any, Any]:
    """Get news when a proposal is commented on and when its state changes, or stop getting them."""
    seat = enter(request, slug, to_play=True)
    found = find(seat, number)
    watched.watch(signed_in(request), seat.game, found["id"], given.watch)
    return {"watch": given.watch}


@mine.get("/me/notices", summary="What you have been told")
def notices(request: HttpRequest, page: int = 1, unread: bool = False) -> dict[Any, Any]:
    """Your notices, newest first: what about, in which game, and whether you have seen it. Reading them here marks none
    as seen."""
    user, key = signed_in(request), key_of(request)
    found = reading.of(user)
    if key is not None:
        found = found.filter(game=key.game)
    pager = Paginator(found.filter(read=None) if unread else found, A_PAGE)
    shown = pager.get_page(page)
    return {
        "count": pager.count,
        "page": shown.number,
        "pages": pager.num_pages,
        "notices": [
            {
                "id": each.pk,
                "kind": each.kind,
                "game": each.game.slug,
                "text": each.text,
                "where": each.game.address + each.path,
                "at": int(each.due.timestamp()),
                "until": each.until,
                "read": each.read is not None,
            }
            for each in shown
        ],
    }


@mine.post("/me/notices/read", summary="You have seen your notices")
def notices_read(request: HttpRequest, given: Seen) -> Any:
    """Mark notices as seen: those of these ids, or all. With a key, those of its own game."""
    user, key = signed_in(request), key_of(request)
    may_play(key)
    found = reading.of(user) if key is None else reading.of(user).filter(game=key.game)
    wanted = found.filter(read=None) if given.ids is None else found.filter(read=None, pk__in=given.ids)
    ids = list(wanted.values_list("pk", flat=True))
    reading.note(user, ids)
    return {"seen": len(ids)}


@mine.get("/g/{slug}/calendar", summary="Moments to come")
def calendar(request: HttpRequest, slug: str) -> dict[Any, Any]:
    """What everybody can see coming, and (`own`) what falls due for you, soonest first."""
    seat = enter(request, slug)

    def shown(found: list[Data]) -> list[Data]:
        return [{"at": each["at"], "what": each["what"], "where": seat.game.address + each["path"]} for each in found]

    own = calendars.own_moments(seat.game, seat.player) if seat.role == "player" else []
    return {"now": live.now(), "moments": shown(calendars.public_moments(seat.game)), "own": shown(own)}


# ---- standing answers


@mine.get("/g/{slug}/answers", summary="Your standing answers")
def standing_answers(request: HttpRequest, slug: str) -> list[Any]:
    """What you have left to be answered when it is asked, or done when it becomes possible, oldest first. Nobody else
    sees it."""
    seat = enter(request, slug)
    seat.need_player("leave standing answers")
    return [one_answer(each) for each in queries.standing_answers(seat.place)]


def one_answer(kept: "StandingAnswer") -> dict[Any, Any]:
    """A standing answer as data."""
    return {
        "number": kept.pk,
        "question": kept.question,
        "answer": kept.answer,
        "fields": kept.fields,
        "until": kept.until,
        "given": len(kept.given),
        "refused": list(kept.refused.values()),
    }


@mine.post("/g/{slug}/answers", response={200: Any, 409: Refused, 422: No}, summary="Leave a standing answer")
def leave_answer(request: HttpRequest, slug: str, given: Advance, token: str | None = TOKEN) -> Status[Any]:
    """Leave an answer or an order in advance. What is open already is answered at once."""
    seat = enter(request, slug, to_play=True)
    seat.need_player("leave standing answers")

    def go() -> tuple[int, dict[str, str]] | tuple[int, Any]:
        if len(queries.standing_answers(seat.place)) >= standing.MOST:
            return 409, {"refused": f"You have {standing.MOST} standing answers: remove one first"}
        try:
            read = standing.read(seat, given.dict())
        except standing.Unclear as error:
            return 409, {"refused": str(error)}
        return 200, one_answer(domain.leave_answer(seat.game, seat.membership, **read))

    return Status(*once.answer(request.user, token, [slug, "answers", given.dict()], go))


@mine.post("/g/{slug}/answers/{int:number}/remove", summary="Take a standing answer back")
def remove_answer(request: HttpRequest, slug: str, number: int) -> list[Any]:
    """Remove a standing answer. Returns those that are left."""
    seat = enter(request, slug, to_play=True)
    seat.need_player("leave standing answers")
    domain.remove_answer(seat.place, number)
    return standing_answers(request, slug)


# ---- holidays


@mine.get("/g/{slug}/holiday", summary="Your holiday")
def my_holiday(request: HttpRequest, slug: str) -> Data | None:
    """The days on which you are away, now or later, as moments; null if there are none."""
    seat = enter(request, slug)
    seat.need_player("go on holiday")
    return one_holiday(holidays.of_seat(seat.place))


def one_holiday(kept: "Holiday | None") -> Data | None:
    """A holiday as data; None where there is none."""
    return None if kept is None else {"since": kept.since, "until": kept.until, "hold": kept.hold}


@mine.post("/g/{slug}/holiday", response={200: Any, 409: Refused, 422: No}, summary="Go on holiday")
def take_holiday(request: HttpRequest, slug: str, given: Days, token: str | None = TOKEN) -> Status[Any]:
    """Say from which day to which you are away. All who play see it; rules hear of it where the rulebook says so."""
    seat = enter(request, slug, to_play=True)
    seat.need_player("go on holiday")

    def go() -> tuple[int, Data] | tuple[int, Any]:
        kept = holidays.take(seat.place, given.since, given.until, hold=given.hold)
        if isinstance(kept, dict):
            return 409, {"refused": kept["reason"], "rule": kept.get("rule")}
        return 200, one_holiday(kept)

    return Status(*once.answer(request.user, token, [slug, "holiday", given.dict()], go))


@mine.post("/g/{slug}/holiday/end", response={200: Any, 409: Refused}, summary="Be back, or stay")
def end_holiday(request: HttpRequest, slug: str) -> Status[Any]:
    """End your holiday, or take back one that has not begun."""
    seat = enter(request, slug, to_play=True)
    seat.need_player("go on holiday")
    problem = holidays.end(seat.place)
    if problem is not None:
        return Status(409, {"refused": problem["reason"], "rule": problem.get("rule")})
    return Status(200, None)


# ---- drafts


@mine.get("/g/{slug}/drafts", summary="Your drafts of proposals")
def all_drafts(request: HttpRequest, slug: str) -> list[Any]:
    """Proposals that you have not made yet, newest first. Nobody else sees them."""
    return [one_draft(each) for each in drafts.of(enter(request, slug))]


def one_draft(draft: drafts.Draft) -> Data:
    """A draft as data."""
    return {"number": draft.pk, "title": draft.title, "saved": int(draft.saved.timestamp()), "fields": draft.fields}


@mine.post("/g/{slug}/drafts", response={200: Any, 404: No}, summary="Keep a draft")
def keep_draft(request: HttpRequest, slug: str, given: Draft) -> dict[Any, Any]:
    """Keep a proposal that you do not make yet, for yourself alone. Its `fields` are those of the form at
    `proposals/new/`."""
    seat = enter(request, slug, to_play=True)
    seat.need_player("keep drafts")
    older = None if given.number is None else own_draft(seat, given.number)
    return one_draft(drafts.keep(seat, sheets.read_sheet(given.fields).fields(), older))


@mine.post("/g/{slug}/drafts/{int:number}/discard", summary="Throw a draft away")
def throw_draft_away(request: HttpRequest, slug: str, number: int) -> list[Any]:
    """It is gone at once. Returns the drafts that are left."""
    seat = enter(request, slug, to_play=True)
    drafts.throw_away(own_draft(seat, number))
    return all_drafts(request, slug)


def own_draft(seat: Seat, number: int) -> "DraftRow":
    """One's own draft. Raises Http404."""
    found = drafts.find(seat, number)
    if found is None:
        raise Http404(f"You have no draft {number} in this game.")
    return found


# ---- trial copies


@mine.get("/g/{slug}/trials", summary="Your trial copies")
def trial_copies(request: HttpRequest, slug: str) -> dict[Any, Any]:
    """Copies of the game for you alone, in which you play everybody, and `spans` of time that can pass there."""
    seat = enter(request, slug)
    seat.need_player("try things out")
    return {
        "trials": [one_trial(each) for each in trials.of(seat)],
        "spans": {span: words for span, (words, _) in trials.SPANS.items()},
    }


def one_trial(trial: "Trial") -> dict[Any, Any]:
    """A trial copy as data."""
    return {
        "token": trial.token,
        "title": trial.title,
        "now": trial.at,
        "playing": trial.playing or None,
        "address": trial.address,
        "invented": trial.invented,
    }


@mine.post("/g/{slug}/trials", response={200: Any, 409: Refused}, summary="Make a trial copy")
def make_trial(request: HttpRequest, slug: str, given: Copy) -> Status[Any]:
    """A copy of the game with a proposal in force: one of your own, or a `proposal` that was made. What you may not see
    is made up (`invented`)."""
    seat = enter(request, slug, to_play=True)
    seat.need_player("try things out")
    proposal, by = given.dict(exclude={"proposal"}), "admin"
    if given.proposal is not None:
        older = next((each for each in proposals.listed(seat.view) if each["number"] == given.proposal), None)
        if older is None:
            raise Http404(f"There is no proposal {given.proposal} in this game.")
        proposal, by = {name: older.get(name) or "" for name in ("title", "text", "run")}, older["id"]
        proposal["changes"] = older["changes"]
    form = sheets.Sheet(proposal["title"], proposal["text"], proposal["run"]).fields()
    made = trials.make(seat, proposal, proposal["title"], form, by)
    return Status(409, told.refusal(made)) if isinstance(made, Outcome) else Status(200, one_trial(made))


def in_trial(request: HttpRequest, slug: str, token: str) -> tuple[Any, Any]:
    """The seat at one's own trial copy. Raises Http404."""
    real = enter(request, slug, to_play=True)
    real.need_player("try things out")
    trial = trials.find(real.game, account(request), token)
    if trial is None:
        raise Http404(trial_pages.GONE)
    return real, trial


@mine.get("/g/{slug}/trials/{token}", summary="What stands in a trial copy")
def trial_view(request: HttpRequest, slug: str, token: str) -> dict[Any, Any]:
    """All things of the copy as whom you play there sees them, and what they can do."""
    real, trial = in_trial(request, slug, token)
    with live.clock_at(trial.at):
        seat = trial_pages.sit(request, real, trial, "overview")
        return one_trial(trial) | {"view": seat.view, "actions": seat.live.actions(seat.viewer)}


@mine.post("/g/{slug}/trials/{token}/act/{action}", response={200: Any, 409: Refused}, summary="Act in a trial copy")
def trial_act(request: HttpRequest, slug: str, token: str, action: str, given: Act) -> dict[Any, Any] | Status[Any]:
    """Give an order as whom you play in the copy. Nothing happens in the game."""
    real, trial = in_trial(request, slug, token)
    with live.clock_at(trial.at):
        seat = trial_pages.sit(request, real, trial, "actions")
        acts.find(seat, action)
        if given.preview:
            outcome = seat.live.preview(seat.player_name, action, given.fields)
            return told.preview(seat, outcome) if outcome.ok else Status(409, told.refusal(outcome))
        outcome = seat.order(action, given.fields)
        if not outcome.ok:
            return Status(409, told.refusal(outcome))
        return Status(200, told.entry_of(seat, outcome.n) or {"entry": None})


@mine.post("/g/{slug}/trials/{token}/clock", response={200: Any, 409: Refused, 422: No}, summary="Let time pass in it")
def trial_clock(request: HttpRequest, slug: str, token: str, given: Clock) -> Status[Any]:
    """Let a span of time pass in the copy, with all that falls due. Returns the copy, and how many things fell
    `due`."""
    _, trial = in_trial(request, slug, token)
    if given.span not in trials.SPANS:
        return Status(422, {"error": "Let how much time pass? " + ", ".join(trials.SPANS)})
    with live.clock_at(trial.at):
        outcomes = trials.let_pass(trial, given.span)
    trial.refresh_from_db()
    bad = next((outcome for outcome in outcomes if not outcome.ok), None)
    return Status(409, told.refusal(bad)) if bad is not None else Status(200, one_trial(trial) | {"due": len(outcomes)})


@mine.post("/g/{slug}/trials/{token}/playing", response={200: Any, 422: No}, summary="Choose whom you play in it")
def trial_playing(request: HttpRequest, slug: str, token: str, given: As) -> Status[Any]:
    """Play somebody else in the copy; without a name, the Admin."""
    real, trial = in_trial(request, slug, token)
    with live.clock_at(trial.at):
        seat = trial_pages.sit(request, real, trial, "overview")
        names = [thing["id"] for thing in seat.view["things"].values() if thing["kind"] == "player"]
    if given.player and given.player not in names:
        return Status(422, {"error": "Nobody of that name plays here."})
    trials.play_as(trial, given.player)
    return Status(200, one_trial(trial))


@mine.post("/g/{slug}/trials/{token}/discard", summary="Throw a trial copy away")
def throw_trial_away(request: HttpRequest, slug: str, token: str) -> dict[Any, Any]:
    """It is gone at once. Returns the trial copies that are left."""
    _, trial = in_trial(request, slug, token)
    trials.throw_away(trial)
    return trial_copies(request, slug)
