"""The forum, rulings, and one's own notes."""

from typing import TYPE_CHECKING, Any

from django.http import HttpRequest
from ninja import Field, Router, Schema, Status

from nomopoly.site import once
from nomopoly.site.api import told
from nomopoly.site.api.acting import TOKEN, Words
from nomopoly.site.api.door import No, Refused, enter
from nomopoly.site.door import Seat
from nomopoly.site.play import notes as sheets
from nomopoly.site.play import rulings as book
from nomopoly.site.play import talk
from nomopoly.site.play.views import forum
from nomopoly.site.shapes import Data

if TYPE_CHECKING:
    from nomopoly.site.play.models import Thread

talking = Router(tags=["Talk and notes"])


class NewThread(Schema):
    """A new thread of the forum as it is sent."""

    title: str = Field(description="Up to 200 characters. A title that the rules make an order of is refused here")
    body: str = Field(description="Markdown, up to 10,000 characters")
    announcement: bool = Field(False, description="The Admin's: it stays at the top, and is mailed to all players")


class Notes(Schema):
    """Private notes as they are sent."""

    body: str = Field(description="All of your notes, up to 50,000 characters")
    before: str = Field("", description="The `version` that you have read: if it is another by now, nothing is kept")


@talking.get("/g/{slug}/rulings", summary="Rulings, and what has been asked")
def rulings(request: HttpRequest, slug: str) -> dict[Any, Any]:
    """What the Admin has ruled, newest first, with the rules concerned; and the entries that something was asked of."""
    seat = enter(request, slug)
    entries = seat.live.facts(seat.viewer).where(open_to_all=True)
    numbers = entries.where(kind="strike").numbers()
    return {
        "rulings": [
            {"entry": each["number"], "at": each["at"], "text": each["args"].get("text", ""), "rules": each["concerns"]}
            | {"struck": numbers.get(each["struck"])}
            for each in book.rulings(entries)
        ],
        "questions": [
            {"entry": entry["number"], "comments": told.comments(talk.about(seat, f"entry-{entry['n']}"))}
            for entry, _ in book.questions(seat, entries)
        ],
    }


@talking.get("/g/{slug}/forum", summary="What is talked about")
def threads(request: HttpRequest, slug: str) -> list[Any]:
    """All talk of the game, announcements first, then what was spoken of last: threads of the forum, proposals,
    entries."""
    seat = enter(request, slug)
    return [
        {"title": each["title"], "by": each["name"], "path": each["path"], "count": each["count"]}
        | {"last": int(each["at"].timestamp()), "announcement": each["pinned"]}
        for each in forum.listed(seat)
    ]


@talking.get("/g/{slug}/forum/{int:number}", summary="One thread")
def thread(request: HttpRequest, slug: str, number: int) -> dict[Any, Any]:
    """A thread of the forum with all that is said in it, oldest first."""
    seat = enter(request, slug)
    return one_thread(seat, talk.thread(seat, number))


def one_thread(seat: Seat, found: "Thread") -> Data:
    """A thread with its comments as data."""
    comments = told.comments(talk.about(seat, f"thread-{found.number}"))
    said = {"number": found.number, "title": talk.title_of(seat, found), "by": found.name}
    return said | {"announcement": found.announcement, "comments": comments}


@talking.post("/g/{slug}/forum", response={200: Any, 409: Refused, 422: No}, summary="Begin a thread")
def begin(request: HttpRequest, slug: str, given: NewThread, token: str | None = TOKEN) -> Status[Any]:
    """Begin a thread. Talk is never an action: what the rules make an order of by its title is given as an order."""
    seat = enter(request, slug, to_play=True)

    def go() -> tuple[int, dict[str, str]] | tuple[int, Data] | tuple[int, Any]:
        meant = talk.exploit_title(seat, given.title) if seat.role == "player" else None
        if meant and meant[1]:
            return 409, {"refused": f"A post with this title is an order: give the order {meant[0]}"}
        made, refusal = talk.open_thread(seat, given.title, given.body, given.announcement)
        return (409, {"refused": refusal}) if made is None else (200, one_thread(seat, made))

    return Status(*once.answer(request.user, token, [slug, given.title, given.body], go))


@talking.post("/g/{slug}/forum/{int:number}", response={200: Any, 409: Refused, 422: No}, summary="Write in a thread")
def write(request: HttpRequest, slug: str, number: int, given: Words, token: str | None = TOKEN) -> Status[Any]:
    """Say something in a thread of the forum."""
    seat = enter(request, slug, to_play=True)

    def go() -> tuple[int, Data] | tuple[int, Any]:
        found = talk.thread(seat, number)
        refusal = talk.say(seat, f"thread-{number}", given.body, talk.may_write_in(seat, found))
        return (409, {"refused": refusal}) if refusal else (200, one_thread(seat, found))

    def thread(n: int) -> dict[Any, Any]:
        return one_thread(seat, talk.thread(seat, number))

    return Status(*once.answer(request.user, token, [slug, number, given.body], go, thread))


# ---- one post, wherever it stands


class Report(Schema):
    """A report of a comment as it is sent."""

    because: str = Field("", description="What is wrong with it, for the Admin alone", max_length=500)


class Hide(Schema):
    """Why a comment is hidden."""

    because: str = Field(description="Why, for all to read", max_length=500)


class Silence(Schema):
    """Whose words somebody does not want to see."""

    name: str = Field(description="Whose words you do not want to see, or want to see again", max_length=40)
    muted: bool = True


def one_post(seat: Seat, pk: int) -> Data:
    """A comment as its reader sees it, as data."""
    return told.comments([talk.shown(seat, talk.comment(seat, pk))])[0]


@talking.post("/g/{slug}/posts/{int:post}", response={200: Any, 409: Refused}, summary="Change what you have said")
def edit(request: HttpRequest, slug: str, post: int, given: Words) -> Status[Any]:
    """Put other words in the place of a post of yours. After a quarter of an hour the change is marked."""
    seat = enter(request, slug, to_play=True)
    refusal = talk.edit(seat, talk.own(seat, post), given.body)
    return Status(409, {"refused": refusal}) if refusal else Status(200, one_post(seat, post))


@talking.post("/g/{slug}/posts/{int:post}/delete", summary="Delete what you have said")
def delete(request: HttpRequest, slug: str, post: int) -> Data:
    """Its words are gone, and the place where it stood says so."""
    seat = enter(request, slug, to_play=True)
    talk.delete(talk.own(seat, post))
    return one_post(seat, post)


@talking.post("/g/{slug}/posts/{int:post}/report", summary="Ask the Admin to look at a post")
def report(request: HttpRequest, slug: str, post: int, given: Report) -> Data:
    """It comes to the Admin's desk. Nobody learns that it was you."""
    seat = enter(request, slug, to_play=True)
    if not talk.may_speak(seat):
        seat.need_player("do this")
    talk.report(seat, talk.comment(seat, post).pk, given.because)
    return one_post(seat, post)


@talking.post("/g/{slug}/posts/{int:post}/hide", response={200: Any, 409: Refused}, summary="Hide a post (the Admin)")
def hide(request: HttpRequest, slug: str, post: int, given: Hide) -> Status[Any]:
    """Take words away from everybody's sight, with a reason that all can read."""
    seat = enter(request, slug, to_play=True)
    seat.need_admin()
    if not given.because.strip():
        return Status(409, {"refused": "Give a reason: it is shown to everybody."})
    talk.hide(seat, talk.comment(seat, post).pk, given.because)
    return Status(200, one_post(seat, post))


@talking.post("/g/{slug}/posts/{int:post}/show", summary="Show a hidden post again (the Admin)")
def show(request: HttpRequest, slug: str, post: int) -> Data:
    """What was hidden can be read again by everybody."""
    seat = enter(request, slug, to_play=True)
    seat.need_admin()
    talk.unhide(seat, talk.comment(seat, post).pk)
    return one_post(seat, post)


@talking.get("/g/{slug}/muted", summary="Whose words you do not see")
def muted(request: HttpRequest, slug: str) -> list[Any]:
    """The names of those whom you have muted, in order."""
    return sorted(talk.muted(enter(request, slug)))


@talking.post("/g/{slug}/muted", summary="Mute somebody, or hear them again")
def mute(request: HttpRequest, slug: str, given: Silence) -> list[Any]:
    """For you alone; nobody learns of it. Returns the names."""
    seat = enter(request, slug, to_play=True)
    if not talk.may_speak(seat):
        seat.need_player("do this")
    talk.mute(seat, given.name, given.muted)
    seat.cache.pop("muted", None)
    return sorted(talk.muted(seat))


# ---- notes


@talking.get("/g/{slug}/notes", summary="Your notes")
def notes(request: HttpRequest, slug: str) -> dict[Any, Any]:
    """Your private sheet of this game, which nobody else sees, and its version."""
    return one_sheet(keeper(enter(request, slug)))


@talking.post("/g/{slug}/notes", response={200: Any, 409: Refused, 422: No}, summary="Keep your notes")
def keep(request: HttpRequest, slug: str, given: Notes) -> Status[Any]:
    """Save the sheet. Refused if it has changed since the version `before`."""
    seat = keeper(enter(request, slug, to_play=True))
    refusal = sheets.keep(seat, given.body, given.before)
    return Status(409, {"refused": refusal}) if refusal else Status(200, one_sheet(seat))


def keeper(seat: Seat) -> Seat:
    """A seat that keeps private notes: of a player, or of a former one. Others are refused."""
    if seat.role not in ("player", "former"):
        raise seat.outsider("keep notes here")
    return seat


def one_sheet(seat: Seat) -> dict[Any, Any]:
    """Private notes as data, with the version that the next change has to name."""
    note = sheets.of(seat)
    return {"body": note.body, "version": sheets.version(note)}
