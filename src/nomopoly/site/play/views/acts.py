"""Actions: what can be done now, and one form each. What a form would do is shown before it is confirmed.

`preview` asks for that. A form of a page sends `preview=page`: it is kept, and what it would do is read with GET, so
that going back never sends anything again. A script that shows it over the board asks with `X-Fragment`, and gets that
part alone.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from nomopoly.runtime import protocol
from nomopoly.site import declared, kept, once
from nomopoly.site.door import seated
from nomopoly.site.play import (
    books,
    confirming,
    forms,
    loglines,
    pages,
    proposals,
    queued,
    rounds,
    sentences,
    signs,
    trades,
)
from nomopoly.site.tables import queries

if TYPE_CHECKING:
    from nomopoly.runtime.outcomes import Outcome
    from nomopoly.site.door import Seat
    from nomopoly.site.play.confirming import Confirming
    from nomopoly.site.shapes import Data


ORDERED = gettext_noop("It waits for the next update, and nobody but you and the Admin sees it.")
LEAVING = protocol.LEAVE_GAME  # what cannot be taken back starts with nothing chosen
ORDERLY = (protocol.WITHDRAW_ORDER, protocol.MOVE_ORDER)  # what is done to orders that wait is done on their page


@seated("actions")
def actions(request: HttpRequest, seat: Seat) -> HttpResponse:
    """All that a player can do."""
    if seat.role == "admin":
        return redirect(f"{seat.game.address}admin/")
    seat.need_player("act here")
    return draw_actions(request, seat)


def draw_actions(request: HttpRequest, seat: Seat, refusal: str | dict[Any, Any] | None = None) -> HttpResponse:
    """What can be done now, what cannot, and what waits; with why something was refused."""
    command = (request.POST.get("command") or request.GET.get("command") or "").strip()
    possible, impossible = pages.menu_of_actions(seat)
    problem = refusal
    if command:
        try:
            action, values = forms.read_command(command, possible + impossible)
            return redirect(f"{seat.game.address}act/{action['id']}/?{urlencode(values)}")
        except forms.CommandUnknown as error:
            problem = str(error)
    example = forms.example(possible + impossible)
    sought = request.GET.get("q", "").strip()
    many = len(possible) + len(impossible)
    if sought:
        possible, impossible = (matching(seat, actions, sought) for actions in (possible, impossible))
    return pages.show(
        seat,
        "play/actions.html",
        sections=sorted(books.sections(possible), key=lambda section: section[2][0]["id"] == LEAVING),
        impossible=books.sections(impossible),
        sought=sought,
        many=many,
        orders=queued.orders(seat),
        deals=trades.all_of(seat),
        command=command,
        example=example,
        refusal=problem,
    )


def matching(seat: Seat, actions: list[Any], sought: str) -> list[Any]:
    """The actions in whose name, section or rule all these words occur."""
    rules = {record["id"]: f"{record['title']} {queries.prose(record)}" for record in seat.live.records()}
    return [
        action
        for action in actions
        for told in [f"{action['id']} {action['label']} {action['section_title']} {rules.get(action['rule'], '')}"]
        if all(word in told.casefold() for word in sought.casefold().split())
    ]


def find(seat: Seat, name: str) -> Data:
    """A player's action by its id; also those that no menu shows."""
    for action in seat.live.actions(seat.viewer, only=(name,)):
        if action["id"] == name and (seat.trial or not action["desk"]):
            return unchosen(action) | {"reason": pages.reason_of(seat, action)}
    raise Http404(_("There is no action %(name)s in this game.") % {"name": name})


def unchosen(action: Data) -> Data:
    """An action as its form begins: what one chooses when one leaves for good is asked, though the rules have a default
    for it."""
    if action["id"] != LEAVING:
        return action
    fields = [
        field | {"default": None, "optional": False, "unchosen": True} if field.get("default") is not None else field
        for field in action["fields"]
    ]
    return action | {"fields": fields}


@seated("actions")
def act(request: HttpRequest, seat: Seat, action: str) -> HttpResponse:
    """The form of an action: shown, tried out or sent."""
    seat.need_player("act here")
    described = find(seat, action)
    if request.method != "POST":
        if action == "propose" and not request.GET:
            return redirect(f"{seat.game.address}proposals/new/")
        form = kept.find(request, request.GET.get("kept", ""))
        if form and form["path"] == request.path:
            sent = {name: ", ".join(values) for name, values in form["fields"].items()}
            return foreseen(seat, described, sent)
        return draw(seat, described, forms.sent_values(request.GET) if request.GET else None)
    sent = forms.sent_values(request.POST)
    if "more" in sent or "look" in sent:  # another row of the form, or what there is to choose from in it
        return draw(seat, described, sent)
    if not sure_to_leave(seat, action, sent):
        lacking = _("Type your name in this game, %(player)s, to leave it.") % {"player": seat.player}
        return draw(seat, described, sent, refusal=lacking)
    if sent.get("preview") == "page" and not is_fragment(request) and (token := kept.keep(request)):
        return redirect(f"{request.path}?kept={token}")
    if sent.get("preview"):
        return foreseen(seat, described, sent)
    args, problems = declared.read(described, sent)
    if problems:
        return draw(seat, described, sent, refusal=". ".join(problems) + ".")

    def go() -> once.Done | HttpResponse:
        if (confirm := no_longer_so(seat, described, sent, args)) is not None:
            return draw(seat, described, sent, confirm=confirm)
        outcome = seat.order(action, args)
        if not outcome.ok:
            return draw(seat, described, sent, refusal=pages.refusal(seat, outcome))
        waits = described["waits"] and seat.live.order_waits(outcome)  # rules may carry it out at once
        player, section = None if waits else seat.player_name, described["section"]
        wanted = queries.actions_wanted(seat.live, player, section) if player else []
        back = "act/" if (waits or action in ORDERLY) and not is_fragment(request) else ""
        where = seat.game.address + next((each["path"] for each in wanted if each["section"] == section), back)
        if not waits:
            return once.Done(voted(seat, described, args) if described["ballot"] else told(seat, outcome), where)
        can_go_back = any(each["possible"] for each in seat.live.actions(seat.viewer, (protocol.WITHDRAW_ORDER,)))
        and_back = " " + _("Until then you can take it back.") if can_go_back else ""
        return once.Done(_(ORDERED) + and_back, where)

    return once.send(request, go)


def sure_to_leave(seat: Seat, action: str, sent: dict[str, str]) -> bool:
    """Whether somebody who leaves for good has typed their name in (`confirm`); of all else nothing is wanted."""
    return action != LEAVING or seat.trial is not None or sent.get("confirm", "").strip() == seat.player_name


def is_fragment(request: HttpRequest) -> bool:
    """Whether a script asks, which shows the answer over the page."""
    return "X-Fragment" in request.headers


def foreseen(seat: Seat, action: Data, sent: dict[Any, str]) -> HttpResponse:
    """What a form would do, to be confirmed; or why it would be refused."""
    args, problems = declared.read(action, sent)
    if problems:
        return draw(seat, action, sent, refusal=". ".join(problems) + ".")
    seen = seat.live.preview(seat.player_name, action["id"], args, waits=True)
    if seen.refused or seen.fault:
        return draw(seat, action, sent, refusal=pages.refusal(seat, seen), insist=seen.waits)
    return draw(seat, action, sent, confirm=confirming.of(seat, action, sent, args, seen))


def no_longer_so(seat: Seat, action: Data, sent: dict[Any, str], args: Data) -> Confirming | None:
    """What a confirmed order would do, to be confirmed once more, where the game has moved on and it would do something
    else than was shown (`foreseen`); else None."""
    drawn, shown = sent.get("drawn", ""), sent.get("foreseen", "")
    if not shown or not drawn.isdecimal() or int(drawn) >= seat.live.n or action["ballot"]:
        return None
    seen = seat.live.preview(seat.player_name, action["id"], args, waits=True)
    if seen.refused or seen.fault:
        return None  # it is refused as it is given
    found = confirming.of(seat, action, sent, args, seen)
    return None if found.mark == shown else replace(found, moved=True)


def voted(seat: Seat, action: Data, args: Data) -> str:
    """The message to a player whose vote has been kept."""
    *about, choice = [args.get(each["name"]) for each in action["fields"][:2]]
    things = seat.view["things"]
    closes = things.get(about[0], {}).get("closes_at") if about else things["game"].get("vote_closes")
    voted = {"choice": str(choice).capitalize()}
    if not closes:
        return _("Your vote: %(choice)s. You can change it until voting closes.") % voted
    until = queries.in_words(closes, "moment")
    return _("Your vote: %(choice)s. You can change it until %(until)s.") % (voted | {"until": until})


def vote_so_far(seat: Seat, action: Data, sent: dict[Any, str] | None) -> str:
    """What a player has voted by this action already, about what its form says; "" where they have not."""
    *about, choice = action["fields"][:2]
    subject = (sent or {}).get(about[0]["name"], "") if about else "game"
    chosen = seat.view.get("ballots", {}).get(subject)
    args = {choice["name"]: chosen} | {each["name"]: subject for each in about}
    return voted(seat, action, args) if isinstance(chosen, str) else ""


def told(seat: Seat, outcome: Outcome) -> str:
    """What an order did, in one sentence."""
    if outcome.n is None:
        return _("It is kept, and nobody else sees it. You can change it until it counts.")
    entry = next(iter(seat.live.facts(seat.viewer).where(n=outcome.n)), None)
    return sentences.plain_line(sentences.Teller(seat), entry) if entry else _("Done.")


def draw(
    seat: Seat,
    action: Data,
    sent: dict[Any, str] | None,
    refusal: str | dict[Any, Any] | None = None,
    confirm: Confirming | None = None,
    insist: bool = False,
) -> HttpResponse:
    """The form of an action, as filled in, with what is to be confirmed (`confirm`) or why it cannot be.

    `insist`: what is refused as things stand can be ordered all the same, since it is carried out later.
    """
    drawn = (sent or {}).get("drawn", "")
    n = seat.live.n
    since = []
    if refusal and drawn.isdecimal() and int(drawn) < n:
        since = loglines.lines(seat, seat.live.facts(seat.viewer).where(after=int(drawn))[-5:])
    fields = forms.inputs(action, sent, seat)
    trades.tell_choices(seat, fields)
    fragment = is_fragment(seat.request) and (confirm or refusal)
    response = pages.show(
        seat,
        "play/_confirm_alone.html" if fragment else "play/act.html",
        action=action,
        fields=fields,
        has_rows=any(field["look"] == "deal" for field in fields),
        rule=next((record for record in seat.live.records() if record["id"] == action["rule"]), None),
        explained=explained(seat, action),
        refusal=refusal,
        insist=insist,
        confirm=confirm,
        confirm_name=(sent or {}).get("confirm", ""),
        since=since,
        n=n,
        rounds=rounds.of(seat, action),
        voted=vote_so_far(seat, action, sent) if action["ballot"] else "",
        ways_out=proposals.ways_out(seat, action),
    )
    if fragment:
        response["X-Fragment"] = "confirm"
    return response


def explained(seat: Seat, action: Data) -> list[Data]:
    """The rules of what can be chosen in a form, as of each building or item: those that end in the name of a choice,
    of the action's own section before others. A sign is no more than a sign, whatever it is called."""
    fields = [each for each in action["fields"] if each["type"] == "choice" and not signs.are(each["choices"])]
    chosen = [each["id"] for field in fields for each in field["choices"]]
    found: dict[str, Data] = {}
    for record in seat.live.records():
        name = record["id"].rpartition("/")[2]
        if "/" in record["id"] and (name not in found or record["section"] == action["section"]):
            found[name] = record
    return [found[id] for id in dict.fromkeys(chosen) if isinstance(id, str) and id in found]
