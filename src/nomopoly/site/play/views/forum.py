"""The forum: threads of its own, and the talk about proposals and entries of the log in one list with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from nomopoly.site import once
from nomopoly.site.door import seated
from nomopoly.site.order import conduct
from nomopoly.site.play import pages, proposals, sentences, talk

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.once import Done
    from nomopoly.site.play.models import Comment, Thread
    from nomopoly.site.shapes import Data


A_PAGE = 40


@require_safe
@seated("forum")
def index(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The threads of the forum."""
    threads = Paginator(listed(seat), A_PAGE).get_page(request.GET.get("page"))
    return pages.show(
        seat,
        "play/forum.html",
        threads=threads,
        may_speak=talk.may_speak(seat),
        may_introduce=talk.applicant(seat) is not None,
        muted=sorted(talk.muted(seat)),
    )


def listed(seat: Seat) -> list[Any]:
    """All talk of the game, announcements first, then what was spoken of last."""
    said: Data = {}
    for comment in talk.everything(seat):
        first, count = said.get(comment.about, (comment, 0))[0], said.get(comment.about, (None, 0))[1]
        said[comment.about] = (first, count + 1, comment)
    talks = []
    for thread in talk.threads(seat):
        _, count, last = said.get(f"thread-{thread.number}", (None, 0, None))
        talks.append(
            {
                "title": talk.title_of(seat, thread),
                "name": thread.name,
                "path": f"forum/{thread.number}/",
                "count": count,
                "last": last,
                "at": last.written if last else thread.made,
                "pinned": thread.announcement,
            }
        )
    titles = {each["id"]: each for each in proposals.listed(seat.view)}
    numbers = [subject.removeprefix("entry-") for subject in said if subject.startswith("entry-")]
    spoken_of = [int(each) for each in numbers if each.isdecimal() and len(each) < 10]
    entries = {each["n"]: each for each in seat.live.facts(seat.viewer).where(n=spoken_of, open_to_all=True)}
    teller = sentences.Teller(seat)
    for subject, (first, count, last) in said.items():
        more = {"name": first.name, "count": count, "last": last, "at": last.written, "pinned": False}
        if subject in titles:
            each = titles[subject]
            title = gettext("Proposal %(number)s: %(title)s") % {
                "number": each["number"],
                "title": each["title"] or gettext("without a title"),
            }
            talks.append({"title": title, "path": f"proposals/{each['number']}/#talk", **more})
        number = subject.removeprefix("entry-")
        if subject != number and number.isdecimal() and int(number) in entries:
            entry = entries[int(number)]
            title = gettext("Entry %(number)s: %(line)s") % {
                "number": entry["number"],
                "line": sentences.plain_line(teller, entry),
            }
            talks.append({"title": title, "path": f"log/{entry['number']}/#talk", **more})
    return sorted(talks, key=lambda each: (each["pinned"], each["at"]), reverse=True)


@seated("forum")
def thread(request: HttpRequest, seat: Seat, number: int) -> HttpResponse:
    """A thread with its comments; what is sent there is added to it."""
    found = talk.thread(seat, number)
    allowed = talk.may_write_in(seat, found)
    if request.method == "POST":

        def act() -> once.Done | HttpResponse:
            refusal = talk.say(seat, f"thread-{number}", request.POST.get("body", ""), allowed)
            if refusal:
                return draw_thread(seat, found, allowed, refusal, request.POST.get("body", ""))
            return once.Done(gettext("It is said."), f"{seat.game.address}forum/{number}/#talk")

        return once.send(request, act)
    return draw_thread(seat, found, allowed)


def draw_thread(seat: Seat, found: Thread, allowed: bool, refusal: str | None = None, body: str = "") -> HttpResponse:
    """The page of a thread, with a refusal of what was typed if there is one."""
    return pages.show(
        seat,
        "play/thread.html",
        thread=found,
        title=talk.title_of(seat, found),
        comments=talk.about(seat, f"thread-{found.number}"),
        may_speak=allowed,
        refusal=refusal,
        body=body,
    )


@require_POST
@seated("forum", signed_in=True)
def introduce(request: HttpRequest, seat: Seat) -> HttpResponseRedirect:
    """To the thread for introductions, which comes into being when it is wanted."""
    if not talk.may_speak(seat) and talk.applicant(seat) is None:
        seat.need_player("introduce yourself")
    return redirect(f"{seat.game.address}forum/{talk.introductions(seat).number}/")


@seated("forum", signed_in=True)
def new(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The page on which one begins a thread."""
    if not talk.may_speak(seat):
        seat.need_player("write in the forum")
    title, body = request.POST.get("title", ""), request.POST.get("body", "")
    if request.method != "POST":
        silent = conduct.silence_of(seat)
        return draw_new(seat, request.GET.get("title", ""), request.GET.get("body", ""), refusal=silent)
    meant = talk.exploit_title(seat, title) if seat.role == "player" else None

    def act() -> once.Done | HttpResponse:
        if meant and meant[1]:
            if request.POST.get("sure") != "1":
                return draw_new(seat, title, body, order=meant)
            return order(seat, title, body, meant)
        made, refusal = talk.open_thread(seat, title, body, bool(request.POST.get("announcement")))
        if made is None:
            return draw_new(seat, title, body, refusal=refusal)
        told = [gettext("The thread is there.")]
        if meant:
            hint = gettext(
                'It is talk alone: to make an order of it, the title must begin with "%(title)s: " and a name.'
            )
            told.append(hint % {"title": meant[2]})
        return once.Done(" ".join(told), f"{seat.game.address}forum/{made.number}/")

    return once.send(request, act)


def order(seat: Seat, title: str, body: str, meant: Any) -> HttpResponse | Done:
    """A post that the rules make an order of: what it says is in the journal, and people talk about that entry."""
    action, name, _ = meant
    described = next(each for each in seat.live.actions(seat.viewer) if each["id"] == action)
    fields = [field["name"] for field in described["fields"]]
    outcome = seat.order(action, dict(zip(fields, (name, talk.tidy(body)), strict=False)))
    if not outcome.ok:
        return draw_new(
            seat, title, body, refusal=pages.refusal(seat, outcome), earlier=posted(seat, action, fields[0], name)
        )
    entry = next(iter(seat.live.facts(seat.viewer).where(n=outcome.n)))
    return once.Done(
        gettext("It is posted, and is an order of the game."), f"{seat.game.address}log/{entry['number']}/#talk"
    )


def posted(seat: Seat, action: Data, field: Data, name: str) -> Data | None:
    """The entry in which an order of this name was posted before, or None."""
    before = seat.live.facts(seat.viewer).where(do=action, open_to_all=True, standing=True)
    wanted = name.casefold()
    return next((each for each in before if str(each["args"].get(field, "")).strip().casefold() == wanted), None)


def draw_new(
    seat: Seat,
    title: str,
    body: str,
    refusal: str | Data | None = None,
    order: Data | None = None,
    earlier: object = None,
) -> HttpResponse:
    """That page, filled in as it was sent, with a refusal if there is one."""
    beginnings = list(seat.live.describe()["posts"]) if seat.role == "player" else []
    return pages.show(
        seat,
        "play/new_thread.html",
        title=title,
        body=body,
        refusal=refusal,
        order=order,
        earlier=earlier,
        beginnings=beginnings,
    )


# ---- one comment, wherever it stands


@seated("forum", signed_in=True)
def edit(request: HttpRequest, seat: Seat, pk: int) -> HttpResponse:
    """The page on which one changes or deletes a comment of one's own."""
    comment = talk.own(seat, pk)
    if request.method != "POST":
        return pages.show(seat, "play/edit_comment.html", comment=comment, body=comment.body)

    def act() -> once.Done | HttpResponse:
        if request.POST.get("delete"):
            talk.delete(comment)
            return once.Done(gettext("It is deleted."), place_of(seat, comment))
        refusal = talk.edit(seat, comment, request.POST.get("body", ""))
        if refusal:
            return pages.show(
                seat, "play/edit_comment.html", comment=comment, body=request.POST.get("body", ""), refusal=refusal
            )
        return once.Done(gettext("It is changed."), place_of(seat, comment))

    return once.send(request, act)


@require_POST
@seated("forum", signed_in=True)
def mind(request: HttpRequest, seat: Seat, pk: int) -> HttpResponseRedirect:
    """Report, mute, hide or show again what somebody has said."""
    comment = talk.comment(seat, pk)
    if not talk.may_speak(seat):
        seat.need_player("do this")
    what, because = request.POST.get("do", ""), request.POST.get("because", "")
    if what == "report":
        talk.report(seat, pk, because)
        messages.info(request, gettext("The Admin is asked to look at it. Nobody learns that it was you."))
    elif what == "mute":
        talk.mute(seat, comment.name, True)
    elif what == "hide" and not because.strip():
        messages.error(request, gettext("Say why: the reason is shown to everybody. Nothing is hidden yet."))
    elif what == "hide":
        talk.hide(seat, pk, because)
    elif what == "show":
        talk.unhide(seat, pk)
    elif what == "leave":
        talk.settle(seat, pk)
        return redirect(f"{seat.game.address}admin/")
    return redirect(place_of(seat, comment))


@require_POST
@seated("forum", signed_in=True)
def unmute(request: HttpRequest, seat: Seat) -> HttpResponseRedirect:
    """Show again what somebody says."""
    talk.mute(seat, request.POST.get("name", ""), False)
    return redirect(f"{seat.game.address}forum/")


def place_of(seat: Seat, comment: Comment) -> str:
    """The page on which a comment stands."""
    sort, _, rest = comment.about.partition("-")
    if sort == "thread":
        return f"{seat.game.address}forum/{rest}/#comment-{comment.pk}"
    if sort == "entry":
        entry = next(iter(seat.live.facts(seat.viewer).where(n=int(rest))), None) if rest.isdecimal() else None
        return f"{seat.game.address}log/{entry['number']}/#talk" if entry else f"{seat.game.address}log/"
    return f"{seat.game.address}proposals/{comment.about.lstrip('P')}/#talk"
