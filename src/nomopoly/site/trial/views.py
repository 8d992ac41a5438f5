"""The pages of trial copies: those of a game, at a seat that is nobody's in the game itself."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import is_valid_path
from django.utils.translation import gettext, gettext_lazy, ngettext
from django.views.decorators.http import require_POST, require_safe

from nomopoly.runtime.outcomes import Outcome
from nomopoly.site import door, kept, once
from nomopoly.site.play import drafts, pages, proposals, sheets
from nomopoly.site.play.views import proposals as proposal_pages
from nomopoly.site.tables import live
from nomopoly.site.trial import trials

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.once import Done
    from nomopoly.site.shapes import Data
    from nomopoly.site.trial.models import Trial


MENU = ("overview", "actions", "rules", "proposals", "players", "accounts", "log")
GONE = gettext_lazy("There is no such trial copy: it was thrown away, or its two days are over.")
MADE_UP = 40  # sorts of what is made up that a page names


@dataclass
class TrialSeat(door.Seat):
    """Whoever is being played in a trial copy. The Admin is played with the role "office": the desk is the game's."""

    trial: Trial = field(kw_only=True)

    @property
    def viewer(self) -> str:
        """Whom the trial is played as now: a player's name, or "admin"."""
        return self.player_name or "admin"

    @property
    def live(self) -> trials.WarmTrial:
        """The trial copy behind its lock, in place of the game."""
        return trials.warm(self.trial)

    def order(self, do: str, args: Data) -> Outcome:
        """Give an order in the copy, as whoever is being played."""
        return trials.order(self.trial, self.player_name, do, args)

    def need_player(self, what: str) -> None:
        """Everybody can be played here."""

    def menu(self) -> list[Any]:
        """The entries of the game's menu that a trial copy has too."""
        entries = [item for item in super().menu() if item["id"] in MENU]
        return [item | {"label": gettext("Trial")} if item["id"] == "overview" else item for item in entries]

    def page(self, template: str, *, status: int = 200, **context: object) -> HttpResponse:
        """A page of the game for the copy: without comments, and with the copy's controls on the first one."""
        context |= {"may_speak": False, "comments": [], "trial": self.trial}
        if template == "play/overview.html":
            template = "trial/overview.html"
            context |= self.controls()
        return super().page(template, status=status, **context)

    def controls(self) -> dict[Any, Any]:
        """What only a trial copy has: whom to play, its clock, its end."""
        names = [player["id"] for player in pages.players(self.view)]
        made_up: dict[str, list[str]] = {}
        for thing, label in self.trial.invented:
            made_up.setdefault(label, []).append(thing)
        turns = "who" in self.live.describe()["events"].get("turn", {}).get("fields", ())
        return {
            "now": live.now(),
            "names": names,
            "spans": [(span, words) for span, (words, _) in trials.SPANS.items()],
            "turns": turns and bool(self.player_name),
            "office": [] if self.player_name else pages.menu_of_actions(self)[0],
            "invented": sorted(made_up.items())[:MADE_UP],
            "more_invented": max(0, len(made_up) - MADE_UP),
        }


def sit(request: HttpRequest, real: Seat, trial: Trial, here: str) -> TrialSeat:
    """The seat at one's own trial copy."""
    seat = TrialSeat(request, trials.game_of(trial), "player", trial.playing, real.membership, here, trial=trial)
    if trial.playing and seat.live.view("visitor")["things"].get(trial.playing, {}).get("kind") != "player":
        seat.player_name = ""  # who was played has left the copy
    if not seat.player_name:
        seat.role, seat.player_name = "office", None
    return seat


def in_trial(page: door.Page, here: str) -> door.View:
    """A view of (request, slug, token, ...) from page(request, seat, ...), by the clock of the trial copy."""

    def view(request: HttpRequest, slug: str, token: str, **parts: object) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return redirect(kept.log_in_address(request))
        real = door.sit(request, slug)
        real.need_player("try things out")
        trial = trials.find(real.game, request.user, token)
        if trial is None:
            raise Http404(GONE)
        if "at" in request.GET and here != "rules":
            raise Http404(gettext("A trial copy has no past to look at."))
        with live.clock_at(trial.at):
            return page(request, sit(request, real, trial, here), **parts)

    return view


def within(page: door.Page, here: str) -> door.View:
    """A page of a game, shown within a trial copy."""
    return in_trial(inspect.unwrap(page), here)


# ---- the list, and making one


def index(request: HttpRequest, slug: str) -> HttpResponse:
    """The trial copies of a player, and the form for a new one."""
    seat = door.sit(request, slug, "proposals")
    if not request.user.is_authenticated:
        return redirect(kept.log_in_address(request))
    seat.need_player("try things out")
    if request.method != "POST":
        return draw_index(seat)
    sheet, older, refusal = wanted(seat, request)
    if refusal:
        return (
            draw_index(seat, refusal) if older or sheet is None else proposal_pages.draw(seat, sheet, refusal=refusal)
        )
    records = seat.live.records()
    if older is not None:
        proposal = {name: older.get(name) or "" for name in ("title", "text", "run")} | {"changes": older["changes"]}
        sheet = proposal_pages.copy_of(seat, older, records)
    else:
        changes, problems = sheets.changes_of(sheet, records)
        if problems:
            return proposal_pages.draw(seat, sheet, refusal=". ".join(problems) + ".")
        proposal = {"title": sheet.title, "text": sheet.text, "changes": changes, "run": sheet.run}

    def act() -> once.Done | HttpResponse:
        fields = sheet.fields()
        if (
            "key" in request.POST
        ):  # it comes from the form of a proposal: what is tried is kept as a draft, and one comes back to it
            fields["draft"] = str(drafts.keep(seat, fields, drafts.find(seat, request.POST.get("draft") or "")).pk)
        made = trials.make(seat, proposal, proposal["title"], fields, older["id"] if older else "admin")
        if isinstance(made, Outcome):
            refused = pages.refusal(seat, made)
            return draw_index(seat, refused) if older else proposal_pages.draw(seat, sheet, refusal=refused)
        return once.Done(
            gettext("The trial copy is made. Whatever you do in it, nothing happens in the game."), made.address
        )

    return once.send(request, act, "try-")


def wanted(seat: Seat, request: HttpRequest) -> Any:
    """What is to be tried: (the form, None, ""), (None, a proposal that was made, "") or why it cannot be."""
    if "proposal" not in request.POST:
        return sheets.read_sheet(request.POST.dict()), None, ""
    number = request.POST["proposal"].strip()
    if not number:  # the rules as they are
        return sheets.Sheet(boxes=[sheets.Box(0)]), None, ""
    older = next((each for each in proposals.listed(seat.view) if number in (str(each["number"]), each["id"])), None)
    return (
        None,
        older,
        "" if older else gettext("There is no proposal %(number)s in this game.") % {"number": number[:20]},
    )


def draw_index(seat: Seat, refusal: str | Data | None = None) -> HttpResponse:
    """That page, with a refusal if there is one."""
    everything = proposals.listed(seat.view)
    return pages.show(
        seat,
        "trial/index.html",
        trials=trials.of(seat),
        most=trials.MOST,
        proposals=[each for each in everything if each["open"]],
        refusal=refusal,
    )


# ---- what only a trial copy has


def posted(page: Callable[[HttpRequest, TrialSeat], Done | HttpResponse]) -> door.View:
    """A view for one button of a trial copy: page(request, seat) says what it did, or returns an answer."""

    @functools.wraps(page)
    def act(request: HttpRequest, seat: TrialSeat) -> HttpResponse:
        return once.send(request, lambda: page(request, seat))

    return require_POST(in_trial(act, "overview"))


def refused(seat: Seat, outcome: Outcome) -> HttpResponseRedirect:
    """The copy's first page, with why something was not done there."""
    told = pages.refusal(seat, outcome)
    parts = [gettext("Refused: %(reason)s") % {"reason": told["reason"]}]
    if told.get("rule"):
        parts.append(gettext("Rule %(number)s") % {"number": told["rule"]} + ".")
    messages.error(seat.request, " ".join(parts))
    return redirect(seat.game.address)


@posted
def choose_player(request: HttpRequest, seat: TrialSeat) -> HttpResponseRedirect | Done:
    """Choose whom to play in a trial copy."""
    name = request.POST.get("playing", "")
    if name and name not in [player["id"] for player in pages.players(seat.view)]:
        messages.error(request, gettext("Nobody of that name plays here."))
        return redirect(seat.game.address)
    trials.play_as(seat.trial, name)
    return once.Done(gettext("You play %(name)s now.") % {"name": name or gettext("the Admin")}, seat.game.address)


@posted
def let_time_pass(request: HttpRequest, seat: TrialSeat) -> HttpResponseRedirect | Done:
    """Let the clock of a trial copy go on."""
    span = request.POST.get("span", "")
    if span not in trials.SPANS:
        messages.error(
            request,
            gettext("Let how much time pass? %(spans)s")
            % {"spans": ", ".join(str(words) for words, _ in trials.SPANS.values())},
        )
        return redirect(seat.game.address)
    outcomes = trials.let_pass(seat.trial, span)
    bad = next((outcome for outcome in outcomes if not outcome.ok), None)
    if bad is not None:
        return refused(seat, bad)
    what = gettext("Nothing fell due.")
    if outcomes:
        what = ngettext("One thing fell due.", "%(many)s things fell due.", len(outcomes)) % {"many": len(outcomes)}
    passed = gettext("%(time)s has passed here.") % {"time": str(trials.SPANS[span][0]).capitalize()}
    return once.Done(f"{passed} {what}", seat.game.address)


@posted
def take_turn(request: HttpRequest, seat: TrialSeat) -> HttpResponseRedirect | Done:
    """Take a turn in a trial copy, whatever the schedule."""
    outcome = trials.turn(seat.trial, seat.player)
    if not outcome.ok:
        return refused(seat, outcome)
    return once.Done(
        gettext("%(player_name)s has taken a turn.") % {"player_name": seat.player_name}, seat.game.address
    )


@posted
def throw_away(request: HttpRequest, seat: TrialSeat) -> Done:
    """Delete a trial copy."""
    trials.throw_away(seat.trial)
    return once.Done(gettext("The trial copy is thrown away."), f"/g/{seat.game.slug}/try/")


@posted
def save_example(request: HttpRequest, seat: TrialSeat) -> Done:
    """Put the steps into the proposal's form, as a draft."""
    trial = seat.trial
    text, failure = seat.live.example(trial)
    real = door.sit(request, seat.game.slug)
    draft = drafts.keep(real, trial.fields | {"scenario": text}, drafts.find(real, trial.fields.get("draft", "")))
    told = gettext("The steps are the proposal's example now, in a draft that only you see.")
    if failure:
        told += " " + gettext("As it stands, it fails: %(failure)s") % {"failure": failure}
    return once.Done(told, f"{real.game.address}proposals/new/?draft={draft.pk}")


# ---- what leads elsewhere


@require_safe
def by_form(request: HttpRequest, slug: str, token: str, action: Data) -> HttpResponseRedirect:
    """Actions that have a page of their own in the game have a plain form here."""
    return redirect(f"/g/{slug}/try/{token}/act/{action}/?by=hand")


@require_safe
def of_the_game(request: HttpRequest, slug: str, token: str, rest: str) -> HttpResponseRedirect:
    """What a trial copy has no page for, but the game has."""
    where = f"/g/{slug}/{rest}"
    if not is_valid_path(where):
        raise Http404(gettext("A trial copy has no such page."))
    return redirect(where)
