"""Actions: what can be done now, and one form each."""

from urllib.parse import urlencode

from django.http import Http404
from django.shortcuts import redirect
from django.utils.html import strip_tags

from nomopoly.site import declared, once
from nomopoly.site.door import seated
from nomopoly.site.play import books, forms, pages, sentences, trades
from nomopoly.site.tables import queries

ORDERED = "It waits for the next update, and nobody but you and the Admin sees it."
MOST_ROUNDS = 3  # that are shown on a form; more is what one has, not what one is in the middle of
ORDERLY = ("withdraw-order", "move-order")  # what is done to orders that wait is done on their page


@seated("actions")
def actions(request, seat):
    seat.need_player("act here")
    command = (request.POST.get("command") or request.GET.get("command") or "").strip()
    possible, impossible = pages.menu_of_actions(seat)
    problem = None
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
        sections=sorted(books.sections(possible), key=lambda section: section[2][0]["id"] == "leave-game"),
        impossible=books.sections(impossible),
        sought=sought,
        many=many,
        orders=pages.waiting_orders(seat),
        deals=trades.all_of(seat),
        command=command,
        example=example,
        refusal=problem,
    )


def matching(seat, actions, sought):
    """The actions in whose name, section or rule all these words occur."""
    rules = {record["id"]: f"{record['title']} {queries.prose(record)}" for record in seat.live.records()}
    return [
        action
        for action in actions
        for told in [f"{action['id']} {action['label']} {action['section_title']} {rules.get(action['rule'], '')}"]
        if all(word in told.casefold() for word in sought.casefold().split())
    ]


def find(seat, name):
    """A player's action by its id; also those that no menu shows."""
    for action in seat.live.actions(seat.viewer):
        if action["id"] == name and (seat.trial or not action["desk"]):
            return action | {"reason": queries.in_reader_words(action["reason"])}
    raise Http404(f"There is no action {name} in this game.")


@seated("actions")
def act(request, seat, action):
    seat.need_player("act here")
    found = find(seat, action)
    if request.method != "POST":
        if action == "propose" and not request.GET:
            return redirect(f"{seat.game.address}proposals/new/")
        return draw(seat, found, forms.sent_values(request.GET) if request.GET else None)
    sent = forms.sent_values(request.POST)
    if "more" in sent or "look" in sent:  # another row of the form, or what there is to choose from in it
        return draw(seat, found, sent)
    args, problems = declared.read(found, sent)
    if problems:
        return draw(seat, found, sent, refusal=". ".join(problems) + ".")
    if sent.get("preview"):
        seen = seat.live.preview(seat.player_name, action, args)
        if seen.refused or seen.fault:
            return draw(seat, found, sent, refusal=pages.refusal(seen), insist=found["waits"])
        return draw(seat, found, sent, preview=seen)

    def go():
        outcome = seat.order(action, args)
        if not outcome.ok:
            return draw(seat, found, sent, refusal=pages.refusal(outcome))
        wanted = queries.actions_wanted(seat.live, seat.player_name)
        goes_on = [each["path"] for each in wanted if each["section"] == found["section"] and not found["waits"]]
        back = "act/" if found["waits"] or action in ORDERLY else ""
        where = seat.game.address + next(iter(goes_on), back)
        if not found["waits"]:
            return once.Done(told(seat, outcome), where)
        back = any(each["possible"] for each in seat.live.actions(seat.viewer, ("withdraw-order",)))
        return once.Done(f"{ORDERED} Until then you can take it back." if back else ORDERED, where)

    return once.send(request, go)


def told(seat, outcome):
    """What an order did, in one sentence."""
    if outcome.n is None:
        return "It is kept, and nobody else sees it. You can change it until it counts."
    entry = next((each for each in seat.live.facts(seat.viewer, outcome.n) if each["n"] == outcome.n), None)
    return " ".join(strip_tags(sentences.Teller(seat).line(entry)).split()) if entry else "Done."


def draw(seat, action, sent, refusal=None, preview=None, insist=False):
    """The form of an action, as filled in, with what would happen or why it cannot.

    `insist`: what is refused as things stand can be ordered all the same, since it is carried out later.
    """
    teller = sentences.Teller(seat)
    drawn = (sent or {}).get("drawn", "")
    n = seat.live.n
    since = []
    if refusal and drawn.isdecimal() and int(drawn) < n:
        since = sentences.lines(seat, [each for each in seat.live.facts(seat.viewer) if each["n"] > int(drawn)][-5:])
    facts = sentences.of_preview(seat, preview) if preview else []
    shown = preview and {"changes": preview.changes, "facts": facts}
    fields = forms.inputs(action, sent, seat.view, seat.player_name)
    return pages.show(
        seat,
        "play/act.html",
        action=action,
        fields=fields,
        has_rows=any(field["look"] == "deal" for field in fields),
        rule=next((record for record in seat.live.records() if record["id"] == action["rule"]), None),
        refusal=refusal,
        insist=insist,
        preview=preview,
        effects=[teller.linked(fact["say"], fact) for fact in facts if fact.get("say")],
        changes=queries.readable(seat.view, teller.changes(shown)) if shown else [],
        since=since,
        n=n,
        rounds=rounds(seat, action),
    )


def rounds(seat, action):
    """What this player is in the middle of by the section of an action: {"title", "rows": [(label, value, type)], "next": other
    actions by which it goes on}."""
    found = []
    for thing in queries.rounds_of(seat.view, seat.player_name):
        attributes = seat.view["schema"][thing["kind"]]
        if attributes[0]["section"] == action["section"]:
            rows = [
                (each["label"], thing[each["name"]], each["type"])
                for each in attributes
                if thing.get(each["name"]) not in (None, (), [], "", seat.player_name)
            ]
            found.append({"title": seat.live.describe()["kinds"][thing["kind"]], "rows": rows})
    if len(found) > MOST_ROUNDS:
        return []
    going = queries.goes_on(seat.live, seat.player_name, action["section"]) if found else []
    return [each | {"next": [other for other in going if other["id"] != action["id"]]} for each in found]
