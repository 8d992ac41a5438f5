"""Proposals: the list, one of them, and the form in which one is written."""

from __future__ import annotations

import dataclasses
import secrets
from collections.abc import Callable, Iterable, Reversible
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.contrib.auth.views import redirect_to_login
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from nomopoly.runtime.protocol import RETRACT_PROPOSAL
from nomopoly.site import formats, kept, limits, middleware, once
from nomopoly.site.accounts.signed_in import account
from nomopoly.site.door import seated
from nomopoly.site.play import (
    books,
    broken,
    doors,
    drafts,
    foreseen,
    implement,
    loglines,
    pages,
    proposals,
    readback,
    sheets,
    talk,
    tryouts,
    words,
)
from nomopoly.site.play.views import vocabulary
from nomopoly.site.play.views.acts import told
from nomopoly.site.tables import domain, judging, live, queries

if TYPE_CHECKING:
    from django.http import QueryDict

    from nomopoly.site.door import Seat
    from nomopoly.site.once import Done
    from nomopoly.site.play.models import Draft
    from nomopoly.site.play.proposals import Checked
    from nomopoly.site.play.sheets import Sheet
    from nomopoly.site.shapes import Data


A_PAGE = 40
# keys of the forms of which proposals were made in this visit: they need no draft any more
MADE, MOST_MADE = "made", 20
OPEN_OR_NOT = {"voting": True, "pending": True, "dead": False}  # what the address may say in every game
FILTERS = {  # of the list: phases of proposals, and what came of them
    "made": "made",
    "voting": gettext_lazy("in voting"),
    "to-judge": gettext_lazy("waiting for the Admin"),
    "decided": gettext_lazy("decided, not in force yet"),
    "done": "done",
    "accepted": "accepted",
    "rejected": "rejected",
    "withdrawn": "withdrawn",
    "replaced": "replaced",
    "unfinished": proposals.UNFINISHED,
}


@require_safe
@seated("proposals")
def index(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The proposals, as they are filtered."""
    asked = {name: request.GET.get(name, "").strip() for name in ("status", "by", "rule")}
    asked["status"] = next((each for each in FILTERS if each == asked["status"].casefold()), asked["status"])
    everything = proposals.listed(seat.view)
    chosen = sorted(
        (each for each in everything if fits(each, asked)),
        key=lambda each: (not (each["voting"] and each["ballot"] is None), not each["open"]),
    )
    chosen, folded = (chosen, []) if any(asked.values()) else proposals.fold_customary(seat, chosen)
    return pages.show(
        seat,
        "play/proposals.html",
        folded=folded,
        proposals=Paginator(chosen, A_PAGE).get_page(request.GET.get("page")),
        votes=any(each.get("closes_at") or each["voting"] for each in everything),
        statuses=statuses(everything, asked),
        asked=asked,
        any=bool(everything),
        drafts=drafts.of(seat),
        proposing=proposing(seat),
        pages_of_rules=books.with_a_page(seat),
    )


def fits(proposal: Data, asked: dict[str, str] | Data) -> bool:
    """Whether a proposal passes the filters."""
    words = {
        str(each or "").casefold() for each in (*stages(proposal), proposal.get("standing"), proposal.get("status"))
    }
    wanted = asked["status"].casefold()
    if wanted and wanted not in words and OPEN_OR_NOT.get(wanted) is not proposal["open"]:
        return False
    if asked["by"] and str(proposal.get("author") or "").casefold() != asked["by"].casefold():
        return False
    return not asked["rule"] or asked["rule"] in proposal["rules"]


def stages(proposal: Data) -> tuple[str | None, str | None]:
    """How far a proposal is, and what came of it."""
    return ("unfinished" if proposal["unfinished"] else proposal.get("phase")), proposal.get("result")


def statuses(everything: list[Any], asked: Data) -> list[tuple[str, Reversible[Any]]] | list[Any]:
    """What the list can be filtered by, as it says of proposals that there are: [(word, what it is called)]."""
    there = {stage for each in everything for stage in stages(each)}
    found = [(word, told) for word, told in FILTERS.items() if word in there or word == asked["status"]]
    known = not asked["status"] or asked["status"] in dict(found)
    return found if known else [*found, (asked["status"], asked["status"].lower())]


def proposing(seat: Seat) -> Data | None:
    """The action by which a player proposes, possible now or not; None for who is no player."""
    possible, impossible = pages.menu_of_actions(seat, ("propose",)) if seat.role == "player" else ([], [])
    return next(iter(possible + impossible), None)


@require_safe
@seated("proposals")
def proposal(request: HttpRequest, seat: Seat, number: int) -> HttpResponse:
    """The page of one proposal."""
    return draw_proposal(seat, find(seat, number))


def draw_proposal(
    seat: Seat, proposal: Data, refusal: str | dict[Any, Any] | None = None, body: str = ""
) -> HttpResponse:
    """The page of a proposal; with a refusal on top, and what was said below as it was typed (`body`)."""
    everything = proposals.listed(seat.view)
    entries = loglines.about(seat, proposal["id"])
    diff, against = proposals.difference(seat, proposal)
    otherwise, corrections = proposals.otherwise(seat, proposal)
    older, newer = proposals.versions_of(seat, proposal, everything)
    way = proposals.way(proposal, refused_after_vote(seat, proposal, entries))
    return pages.show(
        seat,
        "play/proposal.html",
        proposal=proposal,
        refusal=refusal,
        body=body,
        outcome=proposals.outcome_words(proposal),
        comments=talk.about(seat, proposal["id"]),
        pages_of_rules=books.with_a_page(seat),
        may_speak=talk.may_speak(seat),
        hash=proposals.content_hash(proposal),
        diff=diff.changed if diff else None,
        told=readback.of_changes(seat, diff.changed if diff else (), proposal["run"] or ""),
        against=against,
        otherwise=otherwise,
        fell_away=proposals.fell_away(seat, proposal),
        corrections=corrections,
        moved_on=proposals.moved_on(seat, proposal),
        lines=loglines.lines(seat, entries),
        judged=None
        if proposal["open"] or proposal["unfinished"]
        else next((entry for entry in entries[::-1] if not entry["struck"]), None),
        foreseen=foreseen.of_proposal(seat, proposal),
        older=older,
        reworded=proposals.otherwise_than(older, proposal),
        newer=newer,
        broke=broken.of(seat, proposal),
        example=tryouts.example_of(seat, proposal),
        way=way,
        because=words.reason_beside(str([step[1] for step in way]), proposal),
        ballot=proposals.ballot_action(seat, proposal),
        may_retract=proposals.retracting(seat, proposal),
        **judged_by(seat, proposal),
    )


def refused_after_vote(seat: Seat, proposal: Data, entries: Iterable[Data]) -> bool:
    """Whether the Admin has refused to put into effect what the players had voted for."""
    refusing, closed = judging.names(seat.live, judging.REJECTS), proposal.get("closes_at")
    return closed is not None and any(
        each["do"] in refusing and not each["struck"] and each["at"] >= closed for each in entries
    )


def judged_by(seat: Seat, proposal: Data) -> dict[Any, Any]:
    """The acts by which the Admin who looks can decide a proposal; what is done might be implemented again,
    corrected."""
    if seat.role != "admin":
        return {}
    acts = seat.live.actions("admin", only=judging.names(seat.live, *judging.WAYS), untried=True)
    ways = judging.ways(acts, proposal["id"])
    if proposal.get("phase") == "done" and proposal.get("result") == "accepted":
        ways[judging.IMPLEMENTS] = next((act for act in acts if act["judges"] == judging.IMPLEMENTS), None)
    yes = ways[judging.IMPLEMENTS] or ways[judging.ACCEPTS]
    judged = yes is not None and proposal.get("phase") == "to-judge"
    return ways | {"impossible": implement.refusal(seat, yes, proposal["id"]) if judged else None}


def find(seat: Seat, number: int) -> Data:
    """The proposal of that number, as this viewer sees it."""
    found = next((each for each in proposals.listed(seat.view) if each["number"] == number), None)
    if found is None:
        raise Http404(_("There is no proposal %(number)s in this game.") % {"number": number})
    return found


@require_POST
@seated("proposals", signed_in=True)
def vote(request: HttpRequest, seat: Seat, number: int) -> HttpResponse:
    """Cast a vote on a proposal."""
    seat.need_player("vote")
    proposal = find(seat, number)
    page = f"{seat.game.address}proposals/{number}/"
    choice = request.POST.get("choice", "")

    def cast() -> once.Done | HttpResponse:
        how = proposals.ballot_action(seat, proposal)
        if how is None:
            closed = proposal.get("closes_at")
            when = (
                _("Voting closed at %(moment)s") % {"moment": queries.in_words(closed, "moment")}
                if closed
                else _("Nobody votes on this proposal")
            )
            return draw_proposal(seat, proposal, refusal=when)
        chosen = next((each for each in how["choices"] if str(each) == choice), choice)
        outcome = seat.order(how["id"], dict(zip(how["fields"], (proposal["id"], chosen), strict=False)))
        if not outcome.ok:
            return draw_proposal(seat, find(seat, number), refusal=pages.refusal(seat, outcome))
        said = _("Your vote: %(choice)s. You can change it until voting closes.")
        if proposal.get("closes_at"):
            said = _("Your vote: %(choice)s. You can change it until %(until)s.")
        until = queries.in_words(proposal.get("closes_at"), "moment")
        return once.Done(said % {"choice": choice.capitalize(), "until": until}, page)

    return once.send(request, cast)


@seated("proposals", signed_in=True)
def retract(request: HttpRequest, seat: Seat, number: int) -> HttpResponse:
    """The page on which an author takes a proposal back."""
    seat.need_player("retract a proposal")
    proposal = find(seat, number)
    if request.method != "POST":
        return pages.show(seat, "play/retract.html", proposal=proposal, possible=proposals.retracting(seat, proposal))

    def take_back() -> once.Done | HttpResponse:
        outcome = seat.order(RETRACT_PROPOSAL, {"on": proposal["id"]})
        if not outcome.ok:
            told = pages.refusal(seat, outcome)
            return pages.show(seat, "play/retract.html", proposal=proposal, possible=False, refusal=told)
        return once.Done(
            _("Proposal %(number)s is retracted.") % {"number": number}, f"{seat.game.address}proposals/{number}/"
        )

    return once.send(request, take_back)


@require_safe
@seated("proposals")
def difference(request: HttpRequest, seat: Seat, number: int) -> HttpResponseRedirect:
    """The older address of what a proposal changes."""
    return redirect(f"{seat.game.address}proposals/{find(seat, number)['number']}/#what-changes")


@require_safe
@seated("proposals")
def canonical(request: HttpRequest, seat: Seat, number: int) -> HttpResponse:
    """The text whose SHA-256 a proposal's page shows."""
    found = next((each for each in proposals.listed(seat.view) if each["number"] == number), None)
    if found is None:
        raise Http404(_("There is no proposal %(number)s in this game.") % {"number": number})
    return pages.plain_file(proposals.canonical(found), "application/json")


@require_POST
@seated("proposals", signed_in=True)
def comment(request: HttpRequest, seat: Seat, number: int) -> HttpResponse:
    """Say something about a proposal."""
    found = find(seat, number)
    page = f"{seat.game.address}proposals/{number}/"
    return said(request, seat, found["id"], page, lambda **typed: draw_proposal(seat, found, **typed))


def said(request: HttpRequest, seat: Seat, subject: str, page: str, draw: Callable[..., Any]) -> HttpResponse:
    """Keep a comment and go back to the page it stands on; draw that with the refusal and what was typed, if it is
    refused."""
    body = request.POST.get("body", "")

    def act() -> once.Done | HttpResponse:
        refusal = talk.say(seat, subject, body)
        if refusal:
            return draw(refusal=refusal, body=body)
        return once.Done(_("Your comment is there."), f"{page}#talk")

    return once.send(request, act)


@seated("proposals")
def new(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The page on which a proposal is written: from it one saves, checks, tries out and submits."""
    if request.method == "POST" and not request.user.is_authenticated:
        back = f"{request.path}?{urlencode({'kept': kept.keep(request)})}"
        return redirect_to_login(back, "/account/login/")
    asked = request.POST.get("office") or request.GET.get("act") or ""
    if seat.role != "admin" or not (asked or "draft" in request.GET):
        seat.need_player("propose")
    if request.method != "POST":
        draft = drafts.find(seat, request.GET.get("draft") or "")
        sheet = opened(request, seat, draft)
        return draw_doors(seat) if sheet is None else draw(seat, sheet, draft=draft, lacks=sheet.lacks)
    sheet = sheets.read_sheet(request.POST.dict())
    sheet.door = doors.known(sheet.door)
    if seat.role != "admin":
        sheet.office = sheet.on = ""
    elif implement.act_of(seat, sheet.office) is None:
        raise Http404(_("The desk of this game has no act %(office)s that takes changes.") % {"office": sheet.office})
    draft = drafts.find(seat, request.POST.get("draft") or "") or drafts.of_form(seat, sheet.key)
    records = seat.live.records()
    sheets.note_records(sheet, records)
    missing = doors.say(sheet, request.POST, records, seat.live.ask(lambda game: game.commons()))
    button = sheets.button_of(request.POST) or ("look" if searches(request.POST) else "")
    if button:
        refusal = press(seat, sheet, button, request.POST.get(button, ""), records)
        return draw(seat, sheet, draft=draft, refusal=refusal)
    if "save" in request.POST:
        return once.send(request, lambda: save(seat, sheet, draft))
    if "discard" in request.POST:
        drafts.throw_away(draft)
        return redirect(f"{seat.game.address}proposals/")
    return check_or_submit(request, seat, sheet, draft, records, missing)


def searches(sent: QueryDict) -> bool:
    """Whether Enter was pressed in a field that searches."""
    return "enter" in sent and any(sent.get(name, "") != sent.get(f"{name}-was", "") for name in ("q", "word_q"))


def check_or_submit(
    request: HttpRequest, seat: Seat, sheet: Sheet, draft: Draft | None, records: list[Data], missing: list[Any]
) -> HttpResponse:
    """Show what is wrong with a form, and what it would do; or make the proposal."""
    changes, problems = sheets.changes_of(sheet, records)
    wrong = [] if sheet.office else proposals.read_further(sheet, proposing(seat))
    problems = [*(missing or problems), *wrong]
    if not (sheet.title or sheet.text or changes or sheet.run or any(sheet.further.values())):
        problems.append(_("There is nothing in this proposal yet: say in a few words what should change"))
    quick = request.POST.get("check") == "quick"
    if quick and not limits.paced(account(request), "check"):
        return HttpResponse(status=429)
    if problems:
        return draw(seat, sheet, draft=draft, refusal=". ".join(problems) + ".")
    titled = dataclasses.replace(sheet, title=sheet.title or doors.title_of(changes, sheet.run, records))
    if sheet.office:
        return of_the_office(request, seat, titled, changes, draft, quick)
    if "submit" not in request.POST:
        checked = proposals.check(seat, titled, changes)
        wanted = not checked.forbids and not quick
        tried = tryouts.shown(seat, proposals.arguments(titled, changes), sheet.scenario) if wanted else None
        return draw(seat, sheet, draft=draft, checked=checked, tried=tried)
    return once.send(request, lambda: submit(seat, titled, changes, draft))


def of_the_office(
    request: HttpRequest, seat: Seat, sheet: Sheet, changes: list[Data], draft: Draft | None, quick: bool
) -> HttpResponse:
    """The same for the Admin, who puts a proposal into effect or makes one."""
    act, voted = implement.act_of(seat, sheet.office), implement.about(seat, sheet)
    if act is None or (voted is None and not implement.makes_one(act)):
        raise Http404(_("There is no proposal %(on)s in this game.") % {"on": sheet.on})
    args = implement.arguments(seat, act, sheet, changes, voted)
    if "submit" not in request.POST:
        checked = proposals.check(seat, sheet, changes, (act["id"], args))
        wanted = not checked.forbids and not quick
        tried = tryouts.shown(seat, proposals.arguments(sheet, changes), sheet.scenario) if wanted else None
        return draw(seat, sheet, draft=draft, checked=checked, tried=tried, changes=changes)

    def go() -> once.Done | HttpResponse:
        outcome = domain.desk_act(seat.game, act["id"], args)
        if not outcome.ok:
            return draw(seat, sheet, draft=draft, refusal=pages.refusal(seat, outcome), changes=changes)
        drafts.throw_away(draft)
        if voted is None:
            return once.Done(told(seat, outcome), f"{seat.game.address}admin/")
        return once.Done(
            _("%(label)s: %(id)s is done.") % {"label": act["label"], "id": voted["id"]},
            f"{seat.game.address}proposals/{voted['number']}/",
        )

    return once.send(request, go)


def press(seat: Seat, sheet: Sheet, button: str, value: str, records: list[Data]) -> str:
    """One of the form's own buttons. Returns what stands against it, or ""."""
    if button not in sheets.OF_DOORS:
        return sheets.rework(sheet, button, value, records)
    return doors.press(sheet, button, value, records, seat.live.ask(lambda game: game.commons()))


@require_POST
@seated("proposals")
def autosave(request: HttpRequest, seat: Seat) -> JsonResponse:
    """Save what somebody is typing as a draft, without their asking: JSON with its number
    and the time of day, by the clock of the account, or why it is not saved."""
    if not request.user.is_authenticated:
        return JsonResponse({"error": "You are no longer logged in."}, status=401)
    if seat.role not in drafts.WRITERS:
        return JsonResponse({"error": "Only players of this game keep drafts."}, status=403)
    sheet = sheets.read_sheet(request.POST.dict())
    if sheet.key in request.session.get(MADE, ()):
        return JsonResponse({"made": True})
    draft = drafts.find(seat, request.POST.get("draft") or "")
    saved = drafts.keep(seat, sheet.fields(), draft, request.POST.get("saving", ""))
    return JsonResponse({"draft": saved.pk, "at": formats.shaped(formats.local(live.now()), "H:i")})


def opened(request: HttpRequest, seat: Seat, draft: Draft | None) -> Sheet | None:
    """The form at first: a draft, what was typed before one logged in, a copy of an older proposal, one rule filled in,
    or empty. None where no door was chosen yet."""
    records = seat.live.records()
    asked = request.GET
    typed = kept.find(request, asked.get("kept", ""))
    if draft is not None:
        return sheets.read_sheet(draft.fields)
    if typed is not None and typed["path"] == request.path:
        return sheets.read_sheet({name: values[-1] for name, values in typed["fields"].items()})
    if asked.get("copy", "").isdecimal():
        older = next((each for each in proposals.listed(seat.view) if str(each["number"]) == asked["copy"]), None)
        if older is not None:
            return copy_of(seat, older, records)
    act = implement.act_of(seat, asked.get("act", ""))
    if act is not None and not implement.makes_one(act):
        voted = next((each for each in proposals.listed(seat.view) if each["id"] == asked.get("on")), None)
        if voted is None:
            raise Http404(_("There is no such proposal in this game."))
        sheet = copy_of(seat, voted, records)
        sheet.office, sheet.on, sheet.follows = act["id"], voted["id"], ""
        return sheet
    if act is None and not {"door", "rule", "copy", "library"} & set(asked):
        return None
    sheet = sheets.Sheet(boxes=[sheets.Box(0)], office=act["id"] if act is not None else "")
    if asked.get("rule"):
        sheet.boxes[0].rule = asked["rule"]
        sheets.fill_in(sheet.boxes[0], records)
    if asked.get("library"):
        commons = seat.live.ask(lambda game: game.commons())
        sheet.lacks = doors.start_from(sheet, asked["library"], records, commons)
        return sheet
    doors.enter(sheet, asked.get("door"), records, seat.live.ask(lambda game: game.commons()))
    return sheet


def draw_doors(seat: Seat) -> HttpResponse:
    """The page on which one chooses how to write a proposal."""
    return pages.show(seat, "play/doors.html", doors=doors.DOORS, drafts=drafts.of(seat), proposing=proposing(seat))


def copy_of(seat: Seat, older: Data, records: list[Data]) -> Sheet:
    """A new version of a proposal: its words and changes, to be gone on with."""
    sheet = sheets.Sheet(older.get("title") or "", older.get("text") or "", older.get("run") or "")
    sheet.follows = str(older["number"])
    sheet.scenario = tryouts.example_text(seat, older)
    then = proposals.book_of(books.history(seat), older)
    for at, change in enumerate(older["changes"]):
        box = sheets.Box(at)
        box.kind = next((verb for verb in ("enact", "amend", "repeal") if verb in change), "")
        box.rule = str(change.get(box.kind, ""))
        if box.kind == "amend" and sheets.fill_in(box, records):
            was = sheets.find(then, box.rule)
            if was is not None and ("text" in change or "code" in change):
                box.since = str(was["since"])  # Its words were written against the form of then.
        box.text, box.code = change.get("text", box.text), change.get("code", box.code)
        box.title = change.get("title", box.title)
        params = {name: value for name, value in (change.get("params") or {}).items() if value is not None}
        dropped = [name for name in change.get("params") or {} if name not in params]
        box.functions, box.drop = change.get("functions") or "", " ".join([*(change.get("drop") or ()), *dropped])
        box.numbers |= {name: sheets.written(value) for name, value in params.items() if name in box.numbers}
        box.params = sheets.write_params({name: value for name, value in params.items() if name not in box.numbers})
        sheet.boxes.append(box)
    sheet.boxes = sheet.boxes or [sheets.Box(0)]
    return sheet


def save(seat: Seat, sheet: Sheet, draft: Draft | None) -> Done:
    """Keep a draft."""
    draft = drafts.keep(seat, sheet.fields(), draft, seat.request.POST.get("saving", ""))
    return once.Done(
        _("The draft is kept; nobody else sees it."), f"{seat.game.address}proposals/new/?draft={draft.pk}"
    )


def submit(seat: Seat, sheet: Sheet, changes: list[Data], draft: Draft | None) -> HttpResponse | Done:
    """Propose what was written, unless the rules have moved on since."""
    stale = proposals.mark_moved(seat, sheet, seat.live.records())
    if stale:
        why = " ".join(
            _("%(id)s has changed since, by %(by)s.") % {"id": moved.then["id"], "by": moved.by} for moved in stale
        )
        return draw(
            seat, sheet, draft=draft, refusal=_("The game has moved on since this was written. %(why)s") % {"why": why}
        )
    outcome = domain.order(seat.game, seat.player_name, "propose", proposals.arguments(sheet, changes) | sheet.further)
    if not outcome.ok:
        checked = proposals.check(seat, sheet, changes)
        return draw(seat, sheet, draft=draft, refusal=pages.refusal(seat, outcome), checked=checked)
    drafts.throw_away(draft)
    session = seat.request.session
    session[MADE] = [sheet.key, *session.get(MADE, ())][:MOST_MADE]
    made = [fact["proposal"] for fact in outcome.facts if fact.get("what") == "proposed" and fact.get("proposal")]
    older = [each["id"] for each in proposals.listed(seat.view) if str(each["number"]) == sheet.follows]
    if made and older:
        proposals.note_version(seat, made[0], older[0])
    if made and sheet.scenario:
        tryouts.keep_example(seat, made[0], proposals.arguments(sheet, changes), sheet.scenario)
    where = f"proposals/{made[0].lstrip('P')}/" if made else "proposals/"
    said = told(seat, outcome)
    if made and sheet.vote_yes:
        said += vote_yes(seat, made[0])
    return once.Done(said, seat.game.address + where)


def vote_yes(seat: Seat, id: str) -> str:
    """Cast the author's vote on a proposal just made; what there is to say about that."""
    seat.cache.pop("view", None)
    made = next((each for each in proposals.listed(seat.view) if each["id"] == id), None)
    how = proposals.ballot_action(seat, made) if made else None
    if how is None or "yes" not in how["choices"]:
        return " " + _("It is not voted on yet.")
    voted = seat.order(how["id"], dict(zip(how["fields"], (id, "yes"), strict=False)))
    if voted.ok:
        return " " + _("Your vote: Yes.")
    return " " + _("Your vote was refused: %(reason)s") % {"reason": pages.refusal(seat, voted)["reason"]}


def office(seat: Seat, sheet: Sheet, changes: list[Data] | None) -> dict[Any, Any]:
    """What the page says of the act of the Admin that the form is for."""
    act, voted = (implement.act_of(seat, sheet.office), implement.about(seat, sheet)) if sheet.office else (None, None)
    if act is None or voted is None:
        return {"office": act}
    found = implement.otherwise(seat, changes, voted) if changes is not None else None
    return {"office": act, "voted": voted, "otherwise": found, "compared": changes is not None}


def draw(
    seat: Seat,
    sheet: Sheet,
    draft: Draft | None = None,
    refusal: str | dict[Any, Any] | None = None,
    checked: Checked | None = None,
    tried: dict[Any, Any] | None = None,
    lacks: str = "",
    changes: list[Data] | None = None,
) -> HttpResponse:
    """The page on which a proposal is written, as far as it is."""
    records = seat.live.records()
    proposals.mark_moved(seat, sheet, records)
    if sheet.door == "program" and not sheet.boxes:
        sheet.boxes = [sheets.Box(0)]
    for box in sheet.boxes:
        chosen = box.kind == "amend" and box.record is not None and box.filled != box.rule
        if chosen and not sheets.typed(box, records):
            sheets.fill_in(box, records)
    asked = proposing(seat)
    nonce = secrets.token_urlsafe(16)
    written = {box.rule for box in sheet.boxes if box.kind in ("enact", "amend")}
    response = pages.show(
        seat,
        "play/new_proposal.html",
        sheet=sheet,
        pages_of_rules=books.with_a_page(seat),
        records=records,
        kinds=sheets.KINDS,
        draft=draft,
        unsaved=seat.request.method == "POST" and not drafts.has(draft, sheet),
        refusal=refusal,
        lacks=lacks,
        checked=checked,
        tried=tried,
        problems=proposals.place(seat, checked, sheet) if checked else [],
        told=readback.of_changes(seat, checked.diff.changed, sheet.run) if checked and checked.diff and tried else [],
        clashes=[proposals.clash_words(clash, written) for clash in checked.clashes] if checked else [],
        free=sheets.free_number(records),
        proposing=asked,
        further=proposals.further_inputs(seat, sheet, None if sheet.office else asked),
        votes_at_once="vote" in seat.live.describe()["ballots"] and not seat.live.describe()["calendar"],
        nonce=nonce,
        **office(seat, sheet, changes),
        **drafts.arrived(seat, seat.request.session.get(MADE, ())),
        **doors.context(sheet, seat, records),
        **vocabulary.panel(seat, seat.request.POST.get("word_q", "")),
    )
    middleware.allow_styles(response, nonce)
    return response
