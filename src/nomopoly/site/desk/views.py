"""The Admin's desk: what waits, the acts that the rules declare, and corrections."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from nomopoly.runtime import protocol
from nomopoly.runtime.outcomes import Outcome
from nomopoly.site import declared, limits, once
from nomopoly.site.accounts.signed_in import account
from nomopoly.site.desk import forms, granting, tasks, waiting
from nomopoly.site.door import seated
from nomopoly.site.play import books, implement, loglines, rulings, sentences, talk, words
from nomopoly.site.tables import domain, judging, letters, queries, roster
from nomopoly.site.tables import office as office_tasks

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from nomopoly.site.desk.forms import GameSettings
    from nomopoly.site.door import Seat
    from nomopoly.site.once import Done
    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.models import Game


MOST_OFFERED = 100  # entries from which one to strike is chosen
OVERRULING = ("suspend", "reinstate")  # acts of the kernel that say of no rule that they are weighty


@seated("desk", signed_in=True)
def desk(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The desk: all that waits, and the acts; an act that is sent there is carried out."""
    seat.need_admin()
    if request.method == "POST":
        return carry_out(request, seat, request.POST.get("do", ""))
    return draw_desk(seat)


def desk_acts(seat: Seat) -> list[Any]:
    """The acts of the Admin that have a form."""
    return [as_it_stands(seat, act) for act in seat.live.actions("admin") if act["desk"] and not act.get("hidden")]


def as_it_stands(seat: Seat, act: Data) -> Data:
    """An act, which is not possible if it would pause a game twice, or let go on what does not stand still: rules may
    stop time without a pause. What takes away, decides or overrules
    wants its reason, whether the rules say so or not."""
    if act["weighty"] or act["id"] in OVERRULING:
        fields = [each | {"wanted": True} if each["name"] == "because" else each for each in act["fields"]]
        act = act | {"fields": fields}
    if act["id"] == protocol.PAUSE:  # the sort of pause is for the site itself: an outage, a disruption
        act = act | {"fields": [each for each in act["fields"] if each["name"] != "kind"]}
    if act["id"] == "rule":
        hint = {"type": "words", "own_hint": True, "hint": _("Numbers of rules, separated by commas.")}
        act = act | {"fields": [each | hint if each["name"] == "rules" else each for each in act["fields"]]}
    paused = seat.view["things"]["game"].get("paused")
    if act["id"] == protocol.PAUSE and act["possible"] and paused:
        return act | {"possible": False, "reason": _("the game is paused already")}
    if (
        act["id"] == protocol.RESUME
        and act["possible"]
        and not paused
        and not seat.live.preview(None, "resume", {}).changes
    ):
        return act | {"possible": False, "reason": _("the game is not paused")}
    if act["reason"]:
        act = act | {"reason": words.numbered_in(seat.view, act["reason"])}
    return act


def draw_desk(seat: Seat, refusal: dict[Any, Any] | None = None) -> HttpResponse:
    """The page of the desk, with a refusal if there is one."""
    acts = desk_acts(seat)
    usual = {"approve-player", "decline-player", *judging.names(seat.live, *judging.WAYS), "emergency-propose"}
    found = waiting.all_of(seat, acts)
    shown = [task.get("proposal") or task.get("task") for task in found]
    in_cards = {each["id"] for each in shown if each}  # what else acts are about is behind their forms
    return seat.page(
        "desk/desk.html",
        tasks=found,
        posts=tasks.posted(seat),
        acts=[act for act in acts if not (act["id"] in usual or act["task"]) or set(tasks.chosen_in(act)) - in_cards],
        can={act["id"]: act for act in acts},
        refusal=refusal,
    )


@require_POST
@seated("desk", signed_in=True)
def names(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The Admin has looked at the names that players have given up to an entry."""
    seat.need_admin()
    upto = request.POST.get("upto", "")

    def go() -> Done:
        if upto.isdecimal():
            office_tasks.looked_at_names(seat.game, min(int(upto), seat.live.n))
        return once.Done(_("Names that are given from now on come to the desk again."), seat.game.address + "admin/")

    return once.send(request, go)


@seated("desk", signed_in=True)
def act(request: HttpRequest, seat: Seat, act: str) -> HttpResponse:
    """The page of one act of the desk."""
    seat.need_admin()
    if request.method == "POST":
        return carry_out(request, seat, act)
    found = find_act(seat, act)
    if implement.field_of(found, "changes") and implement.makes_one(found):
        return redirect(f"{seat.game.address}proposals/new/?{urlencode({'act': act})}")
    return draw_act(request, seat, found, request.GET or None)


def find_act(seat: Seat, name: str) -> Data:
    """The act of that name as it stands; 404 if the rules have none."""
    for each in seat.live.actions("admin"):
        if each["id"] == name and each["desk"]:
            return as_it_stands(seat, each)
    raise Http404(_("The desk of this game has no act %(name)s.") % {"name": name})


def draw_act(
    request: HttpRequest,
    seat: Seat,
    act: Data,
    sent: Mapping[str, Any] | None = None,
    refusal: str | dict[Any, Any] | None = None,
    confirm: bool = False,
    effects: Outcome | None = None,
) -> HttpResponse:
    """The page of an act: filled in as it was sent, with a refusal, or with its effects to confirm."""
    fields = declared.inputs(act, sent)
    for field in fields:
        field["optional"] = field["optional"] and not field["wanted"]
        field["unchosen"] = act["weighty"]  # what is done to somebody is chosen, and not what stands first in a list
        field["choices"] = [
            each | {"label": words.thing_name(seat.view, each["id"])} if str(each["id"])[:1] == "$" else each
            for each in field.get("choices") or ()
        ]
    about = seat.view["things"].get((sent or {}).get("on", ""))
    if about and seat.request.method == "GET":
        begin_with(fields, about)
    grants = act["id"] == protocol.GRANT and not confirm
    return seat.page(
        "desk/act.html",
        act=act,
        fields=fields,
        refusal=refusal,
        confirm=confirm,
        effects=effects,
        said=would_be_said(seat, effects) if effects else [],
        changes=queries.readable(seat.view, effects.changes, seat.names) if effects else [],
        about=about,
        offers=granting.offers(seat, fields, seat.request.method == "GET") if grants else None,
    )


def would_be_said(seat: Seat, seen: Outcome) -> list[str]:
    """What the log would say of an act that has been tried out, and which rules come and go."""
    teller = sentences.Teller(seat)
    facts = sentences.of_preview(seat, seen)
    told = [(fact.get("say") or sentences.of_rule(fact), fact) for fact in facts]
    return [teller.linked(sentences.begun(say, fact), fact) for say, fact in told if say]


def begin_with(fields: list[Any], proposal: Data) -> None:
    """What an act puts in place of a proposal's changes and program begins with these, and is about this proposal
    alone."""
    for field in fields:
        found = proposal.get(field["name"])
        if field["type"] in ("changes", "code") and found:
            field["value"] = found if isinstance(found, str) else json.dumps(found, indent=1, ensure_ascii=False)
        if field["name"] == "on":
            field["choices"] = [choice for choice in field["choices"] if choice["id"] == proposal["id"]]


def carry_out(request: HttpRequest, seat: Seat, name: str) -> HttpResponse:
    """One act: refused with the form as filled in, or shown once more if it is weighty, or done."""
    act = find_act(seat, name)
    sent = request.POST
    args, problems = declared.read(act, sent)
    args = granting.understood(seat, args) if name == protocol.GRANT else args
    problems += [*unsaid(act, args), *unknown(seat, act, args)]
    if name in (protocol.PAUSE, protocol.RESUME) and not act["possible"]:
        problems.append(act["reason"][:1].upper() + act["reason"][1:])
    if problems:
        return draw_act(request, seat, act, sent, refusal=". ".join(problems) + ".")
    if (
        act["weighty"] or act["task"] or act.get("judges") in (judging.ACCEPTS, judging.IMPLEMENTS)
    ) and "confirm" not in sent:
        seen = seat.live.preview(None, name, args)
        if seen.refused or seen.fault:
            return draw_act(request, seat, act, sent, refusal=queries.refusal_of(seen))
        return draw_act(request, seat, act, sent, confirm=True, effects=seen)

    def go() -> once.Done | HttpResponse:
        outcome = domain.desk_act(seat.game, name, args)
        if outcome.ok:
            return once.Done(done(act, args), seat.game.address + "admin/")
        return draw_act(request, seat, act, sent, refusal=queries.refusal_of(outcome))

    return once.send(request, go)


@require_POST
@seated("desk", signed_in=True)
def run_again(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Carry out the entry that a disruption holds back, once what broke is out of the way."""
    seat.need_admin()

    def go() -> once.Done | HttpResponse:
        outcome = domain.desk_act(seat.game, "run-again", {})
        if outcome.ok:
            return once.Done(_("What was held back is done, and the game goes on."), seat.game.address + "admin/")
        return draw_desk(seat, refusal=queries.refusal_of(outcome))

    return once.send(request, go)


def unsaid(act: Data, args: Data) -> list[Any]:
    """The fields that the rules require of an act (`wanted`) and that were left empty, as problems."""
    lacking = [field for field in act["fields"] if field["wanted"] and not str(args.get(field["name"]) or "").strip()]
    return [
        _("Say why: the reason is shown to everybody")
        if field["name"] == "because"
        else _("%(label)s: this must be said") % {"label": field["label"]}
        for field in lacking
    ]


def unknown(seat: Seat, act: Data, args: Data) -> list[str]:
    """The rules that a ruling names and that this game has not, nor ever had, as problems."""
    named = rulings.concerned(args.get("rules")) if act["id"] == "rule" else []
    known = books.with_a_page(seat) if named else set()
    return [_("There is no rule %(id)s, and there never was") % {"id": id} for id in named if id not in known]


def done(act: Data, args: Data) -> str:
    """The message after an act: the sentence of its rule, with the fields of its form in braces."""
    sentence = act["done"] or _("%(label)s: done.") % {"label": act["label"]}
    for field in act["fields"]:
        sentence = sentence.replace("{" + field["name"] + "}", str(args.get(field["name"]) or ""))
    return sentence


# ---- corrections


@seated("desk", signed_in=True)
def choose_strike(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The latest entries, of which one can be struck."""
    seat.need_admin()
    entries = seat.live.facts("admin").where(number_after=0, but="operator")
    lines = loglines.lines(seat, entries[-MOST_OFFERED:][::-1], quiet="each")
    return seat.page("desk/strikes.html", lines=lines)


@seated("desk", signed_in=True)
def strike(request: HttpRequest, seat: Seat, number: int) -> HttpResponse:
    """An entry by the number that everybody sees."""
    seat.need_admin()
    entry = next(iter(seat.live.facts("admin").where(number=number)), None)
    if entry is None:
        raise Http404(_("There is no entry %(number)s.") % {"number": number})
    return strike_page(request, seat, entry["n"], {"entry": entry, "what": _("entry %(number)s") % {"number": number}})


@seated("desk", signed_in=True)
def strike_order(request: HttpRequest, seat: Seat, n: int) -> HttpResponse:
    """An order that has waited: its entry has no number, since others did not see it being given."""
    seat.need_admin()
    return strike_page(request, seat, n, {"order": waited(seat, n), "what": _("order %(n)s") % {"n": n}})


def waited(seat: Seat, n: int) -> Data:
    """An order that has waited, by the number of its entry."""
    order = tasks.order_of(seat, n)
    if order is None:
        raise Http404(_("There is no order %(n)s that has waited.") % {"n": n})
    return order


def strike_preview(seat: Seat, n: int) -> dict[Any, Any]:
    """The preview of a strike, with what the Admin may see of its changes."""
    preview = seat.live.strike_preview(n)
    return preview | {"changes": [each for each in preview.get("changes", ()) if sentences.may_see(seat.view, each)]}


def concerned(seat: Seat, preview: dict[Any, Any], later: Iterable[Data]) -> list[str]:
    """The players whose game a strike would change: what they are or have differs, or an order of theirs is refused."""
    players = [thing["id"] for thing in seat.view["things"].values() if thing["kind"] == "player"]
    named = {each for change in preview["changes"] for each in change if isinstance(each, str)}
    named |= {entry["by"] for entry in later}
    return [player for player in players if player in named]


def strike_page(request: HttpRequest, seat: Seat, n: int, context: dict[Any, Any]) -> HttpResponse:
    """What would differ without an entry; confirmed with the hash of that preview."""
    preview = strike_preview(seat, n)
    entries = {entry["n"]: entry for entry in seat.live.facts("admin").where(n=preview.get("refused", []))}
    because = request.POST.get("because", "").strip()
    since = request.GET.get("since", "")
    back = f"admin/since/{since}/" if since.isdecimal() else "log/"
    prefixes, readable = seat.live.describe()["prefixes"], queries.readable(seat.view, preview["changes"], seat.names)
    context |= {
        "changes": [(words.there_or_gone(seat.view, id, prefixes), *what) for id, *what in readable],
        "preview": preview,
        "later": [entries[later] for later in preview.get("refused", []) if later in entries],
        "concerned": concerned(seat, preview, entries.values()),
        "because": because,
        "back": back if since.isdecimal() else "admin/",
    }
    if request.method != "POST":
        return seat.page("desk/strike.html", **context)
    if not because:
        return seat.page("desk/strike.html", refusal=_("Say why: the reason is shown to everybody."), **context)
    if request.POST.get("confirm") != preview.get("hash"):
        told = _("The game has moved on since this page was drawn: look at the preview again.")
        return seat.page("desk/strike.html", refusal=preview.get("impossible") or told, **context)

    def go() -> Done | HttpResponse:
        outcome = domain.strike(seat.game, n, because, request.POST["confirm"])
        if outcome.ok:
            return once.Done(
                _("%(what)s is struck.") % {"what": context["what"].capitalize()}, f"{seat.game.address}{back}"
            )
        return seat.page("desk/strike.html", **context | {"refusal": queries.refusal_of(outcome)})

    return once.send(request, go)


@seated("desk", signed_in=True)
def since(request: HttpRequest, seat: Seat, number: int) -> HttpResponse:
    """The orders since the beginning of the update period in which a post was made that is an order: which used it?"""
    seat.need_admin()
    orders = tasks.orders_after(seat, number)
    post = next(each for each in tasks.posted(seat) if each["number"] == number)
    return seat.page("desk/since.html", post=post, orders=orders)


# ---- what the site keeps


@seated("desk", signed_in=True)
@require_POST
def fault_settled(request: HttpRequest, seat: Seat, number: int) -> HttpResponse:
    """Take a fault off the desk."""
    seat.need_admin()
    fault = get_object_or_404(seat.game.faults, pk=number)

    def go() -> Done:
        domain.settle_fault(fault)
        return once.Done(_("The fault is off the desk."), seat.game.address + "admin/")

    return once.send(request, go)


def back_of(seat: Seat) -> str:
    """The page of a game's settings: its desk or, if it has none, the page for whoever started it."""
    return seat.game.address + ("admin/" if seat.role == "admin" else "invite/")


def settings_of(game: Game) -> dict[Any, Any]:
    """What the form of the settings begins with, by its fields."""
    kept = {name: getattr(game, name) for name in ("visibility", "host", "about", *letters.OWN)}
    return kept | {"readers": talk.readers(game)}


def keep_settings(game: Game, wanted: Data) -> None:
    """Set what the form of the settings says (`wanted`: its fields); who reads the talk stays where it says nothing of
    it."""
    with transaction.atomic():
        domain.change_game(game, **{name: wanted[name] for name in ("visibility", "host", "about", *letters.OWN)})
        if wanted["readers"]:
            talk.let_read(game, wanted["readers"])


@seated("desk", signed_in=True)
def game_settings(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The page of a game's settings."""
    seat.need_host()
    game = seat.game
    form = forms.GameSettings(request.POST or None, initial=settings_of(game), game=game)
    if request.method == "POST" and form.is_valid() and "preview" not in request.POST:

        def go() -> Done:
            keep_settings(game, form.cleaned_data)
            return once.Done(_("Kept."), back_of(seat))

        return once.send(request, go)
    return seat.page("desk/settings.html", form=form, mails=mails_seen(game, form), switches=switches_of(seat))


def switches_of(seat: Seat) -> list[Any]:
    """The acts of the Admin by which rules let something be switched on and off: those that ask for ticks alone."""
    acts = seat.live.actions("admin") if seat.role == "admin" else ()
    shown = [act for act in acts if act["desk"] and not act.get("hidden") and act["fields"]]
    return [act for act in shown if all(field["type"] == "yesno" for field in act["fields"])]


def mails_seen(game: Game, form: GameSettings) -> list[Any]:
    """The mails that an Admin may word as they go out with what a form says, or where it cannot stand with what is
    kept: [(for whom, subject, text)]."""
    seen = copy.copy(game)
    if form.is_bound and form.is_valid():
        for name in ("host", *letters.OWN):
            setattr(seen, name, form.cleaned_data[name])
    welcome = letters.written(*letters.welcome(seen, "Ann"))
    return [(_("To somebody who is invited"), *letters.invitation(seen)), (_("To Ann, who is approved"), *welcome)]


@seated("desk", signed_in=True)
@require_POST
def applications(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Take new players, or take none for a while."""
    seat.need_host()
    closed = request.POST.get("do") == "close"

    def go() -> Done:
        domain.change_game(seat.game, closed=closed)
        told = _("The game takes no new players from now on.") if closed else _("Everybody may ask to join again.")
        return once.Done(told, back_of(seat))

    return once.send(request, go)


# ---- handing over the office


@seated("desk", signed_in=True)
def hand_over(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Offer the office to somebody, or take the offer back."""
    seat.need_admin()
    game, page = seat.game, seat.game.address + "admin/hand-over/"
    if request.method == "POST" and "withdraw" in request.POST:

        def take_back() -> Done:
            domain.withdraw_office(game)
            return once.Done(_("The offer is taken back."), page)

        return once.send(request, take_back)
    form = forms.HandOver(request.POST or None, user=account(request))
    stands = roster.offer_stands(game)
    if request.method == "POST" and form.is_valid():

        def offer() -> HttpResponse | Done:
            if refusal := limits.refusal(account(request), "office"):
                form.add_error("to", refusal)
                return seat.page("desk/hand_over.html", form=form, stands=stands)
            limits.note(account(request), "office")
            domain.offer_office(game, form.cleaned_data["to"])
            return once.Done(_("They have been asked by mail. Until they accept, you stay the Admin."), page)

        return once.send(request, offer)
    return seat.page("desk/hand_over.html", form=form, stands=stands)


@login_required
def office(request: HttpRequest, slug: str) -> HttpResponse:
    """The office that the Admin of a game has offered to the viewer: accept or decline it."""
    game = next((each for each in roster.offered_offices(account(request)) if each.slug == slug), None)
    if request.method != "POST":
        if game is None:
            raise Http404(_("Nobody offers you the office of this game, or no longer."))
        plays = queries.membership(game, account(request)) if roster.takes_part(game, account(request)) else None
        return render(request, "desk/office.html", {"offered": game, "plays": plays})

    def go() -> Done | HttpResponse:
        if game is None:
            raise Http404(_("Nobody offers you the office of this game, or no longer."))
        if request.POST.get("do") != "accept":
            domain.decline_office(game)
            return once.Done(_("You have declined."), "/me/")
        outcome = domain.hand_over(game, request.user, offered=game.successor)
        if outcome.ok:
            return once.Done(_("You are the Admin of %(title)s.") % {"title": game.title}, game.address + "admin/")
        return render(request, "desk/office.html", {"offered": game, "refusal": queries.refusal_of(outcome)})

    return once.send(request, go)
