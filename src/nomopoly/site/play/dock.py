"""The dock: all that waits for the viewer, by when it falls due, each with its buttons.

What waits is found by `tables.queries`; here it gets buttons. A button sends the fields of an action, asks what it
would do (`preview`), and is confirmed: see confirming.py. Where nothing waits, `ways_on` says what one can do to get
on. The dock knows no game: which actions there are, what they are called and what they cost comes from the rules'
declarations.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode

from django.utils.translation import gettext as _

from nomopoly.site import formats
from nomopoly.site.play import forms, pages, proposals, rounds, tasks, trades
from nomopoly.site.tables import queries, whereabouts

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data


MOST_BUTTONS = 6  # of one item: what offers more has a form
WANTING = ("at", "for", "from", "in", "of", "on", "over", "to", "with")  # a label that ends so says nothing yet
MOST_FORESEEN = 8  # items whose first button is tried out, to say what it costs or why it cannot be


@dataclass
class Button:
    """One way to answer: what it says, where it is sent, and the fields that it sends."""

    label: str
    address: str
    fields: Data = field(default_factory=dict)
    sends: bool = True  # else it leads to a page
    own: bool = False  # the site says it, and not the rules
    action: str = ""  # which it is about
    at_once: bool = False  # what it sends can be changed as long as it counts, and is not asked to be confirmed


@dataclass
class Item:
    """Something that waits: in words, until when, with its buttons, or why it is not possible now."""

    text: str
    path: str
    until: int | None = None
    buttons: list[Any] = field(default_factory=list)
    refusal: Data | None = None
    rolls: bool = False
    waits: bool = False  # what it orders is carried out later
    by_rules: bool = False  # its words are those of the rules
    alike: bool = False  # its buttons are choices, none of which is nearer than the others
    otherwise: str = ""  # what holds if nobody answers

    @property
    def name(self) -> str:
        """What tells it apart on the page: a script keeps the focus on the same item."""
        return f"due-{re.sub(r'[^0-9a-zA-Z]+', '-', self.path).strip('-')}"


def of(seat: Seat) -> list[Item]:
    """The items of the dock, those first that fall due first."""
    if seat.role == "admin":
        return for_admin(seat)
    if seat.role != "player":
        return []
    found = [item_of(seat, each) for each in tasks.waiting(seat)]
    for item in found[:MOST_FORESEEN]:
        foresee(seat, item)
    return sorted(found, key=lambda item: (not item.buttons, item.until is None, item.until or 0))


def item_of(seat: Seat, waiting: Data) -> Item:
    """What waits, with its buttons."""
    path, thing = waiting["path"], seat.view["things"].get(waiting.get("about") or "", {})
    item = Item(waiting["text"][:1].upper() + waiting["text"][1:], path, waiting["until"])
    item.by_rules = bool(thing.get("kind") == "question" and thing.get("text")) or "section" in waiting
    item.by_rules = item.by_rules or "choices" in waiting or waiting.get("sort") in ("turn", "asked")
    action, given = action_at(seat, path)
    if waiting.get("choices"):
        item.buttons, item.alike = answers_of_the_table(seat, waiting), True
    elif thing.get("kind") == "question":
        item.buttons, item.alike = options_of(seat, thing), True
        if thing.get("default") is not None:
            item.otherwise = option_label(seat, thing["default"])
    elif queries.parties_of(thing):
        item.buttons = answers_to(seat, thing)
        what = trades.about(seat, thing)
        item.text = f"{item.text}: {what}" if what else item.text
    elif thing.get("kind") in ("proposal", "emergency"):
        if thing.get("title"):
            item.text = _("%(what)s: %(title)s") % {"what": item.text, "title": thing["title"]}
        item.buttons, item.alike = ballot(seat, thing["id"]), True
    elif action and action["ballot"]:
        item.buttons, item.alike = choices_of(seat, action, action["fields"][-1], given), True
    elif action:
        item.rolls, item.waits = action["rolls"], action["waits"]
        item.buttons, item.alike = ways_to_do(seat, action, given)
        if not action["possible"] and not item.buttons[0].sends:
            item.refusal = {"reason": queries.in_reader_words(action["reason"]), "rule": action["reason_rule"]}
        item.buttons += [button(seat, other, given) for other in beside(seat, action, given)]
        for going_on in rounds.of(seat, action)[:1]:
            item.text = rounds.in_words(going_on)
            item.buttons += [
                button(seat, other, {}) if nothing_to_tick(other) else to_form(seat, other)
                for other in going_on["next"]
                if other["id"] not in [each.action for each in item.buttons]
            ][:MOST_BUTTONS]
            item.alike = len(item.buttons) > 1
    if thing.get("kind") == "square" and thing.get("name"):
        item.text = f"{item.text} {thing['name']}"  # a word of the rules, as what asks about a square
    return item


def actions_of(seat: Seat) -> dict[Any, Any]:
    """The actions of who looks, by their ids."""
    return {each["id"]: each for each in seat.live.actions(seat.viewer)}


def action_at(seat: Seat, path: str) -> Any:
    """The action that a path below the game leads to, and the fields that it fills in: (action or None, {})."""
    found = re.fullmatch(r"act/([\w-]+)/(?:\?(.*))?", path)
    action = actions_of(seat).get(found[1]) if found else None
    return action, dict(parse_qsl(found[2] or "")) if found and action else {}


def button(seat: Seat, action: Data, fields: dict[Any, Any], label: str | None = None) -> Button:
    """A button that gives an order with these fields."""
    address = f"{seat.game.address}act/{action['id']}/"
    return Button(label or button_label(action, fields), address, fields, action=action["id"])


def ways_to_do(seat: Seat, action: Data, given: Data) -> tuple[list[Button], bool]:
    """What stands beside an action that waits, and whether these are choices: one button; one for each choice where
    nothing else is left to say; a link to its form where more is."""
    lacking = [
        each
        for each in action["fields"]
        if each["name"] not in given and not each["optional"] and each["default"] is None
    ]
    if not nothing_to_tick(action) or len(lacking) > 1 or (lacking and lacking[0]["type"] != "choice"):
        return [to_form(seat, action, given)], False
    if lacking:
        return choices_of(seat, action, lacking[0], given), True
    return [button(seat, action, given)], False


def nothing_to_tick(action: Data) -> bool:
    """Whether an action has no field in which several can be ticked, or rules be written: without its form one would
    tick none, and propose nothing."""
    return not any(
        (field["type"] == "anything" and field["choices"]) or field["type"] in ("changes", "code")
        for field in action["fields"]
    )


def to_form(seat: Seat, action: Data, given: Data | None = None) -> Button:
    """A link to the form of an action, in the words of the rules, with the fields that are known filled in."""
    filled_in = f"?{urlencode(given)}" if given else ""
    address = f"{seat.game.address}act/{action['id']}/{filled_in}"
    return Button(f"{action['label']}…", address, sends=False, action=action["id"])


def to_page(label: str, address: str) -> Button:
    """A link to where one answers, in the site's own words."""
    return Button(label, address, sends=False, own=True)


def short_label(action: Data, given: Data | dict[Any, Any]) -> str:
    """The label of an action without the kind of thing that is chosen already: "Buy a square" is "Buy" where the square
    is given."""
    kinds = [
        field["kind"] or field["label"].lower()
        for field in action["fields"]
        if field["name"] in given and field["type"] == "thing"
    ]
    short = next((re.sub(rf" (?:an?|the|your) {re.escape(kind)}$", "", action["label"]) for kind in kinds), "")
    return short or action["label"]


def button_label(action: Data, given: Data | dict[Any, Any]) -> str:
    """The short label of an action as it stands alone: "Bid for" has to say for what."""
    short = short_label(action, given)
    return action["label"] if short.rpartition(" ")[2] in WANTING else short


def beside(seat: Seat, action: Data, given: Data) -> list[Any]:
    """Other ways to deal with the same: actions of the same section with the very same things to choose from, and no
    more to say."""
    about = next((field for field in action["fields"] if field["name"] in given), None)
    if about is None:
        return []
    same = [choice["id"] for choice in about["choices"]]
    return [
        other
        for other in actions_of(seat).values()
        if other["id"] != action["id"] and other["section"] == action["section"] and other["possible"]
        if not other["hidden"] and not other["ballot"]
        if [field["name"] for field in other["fields"] if not field["optional"] or field["name"] in given]
        == [about["name"]]
        if any([choice["id"] for choice in field["choices"]] == same for field in other["fields"])
    ]


def options_of(seat: Seat, question: Data) -> list[Any]:
    """The answers that a question offers; a link to its form where it wants words."""
    action = actions_of(seat).get("answer")
    options = question.get("options") or ()
    if action is None or not 0 < len(options) <= MOST_BUTTONS:
        return [to_page(_("Answer…"), f"{seat.game.address}act/answer/?question={question['id']}")]
    return [
        button(seat, action, {"question": question["id"], "answer": str(option)}, option_label(seat, option))
        for option in options
    ]


def option_label(seat: Seat, option: object) -> str:
    """How an answer to a question is called on a button."""
    return seat.titles.get(str(option)) or queries.in_words(option)


def answers_of_the_table(seat: Seat, asked: Data) -> list[Any]:
    """The answers to what the players decide in place of an Admin; a link to its page where there are too many."""
    if len(asked["choices"]) > MOST_BUTTONS:
        return [to_page(_("Answer…"), f"{seat.game.address}{asked['path']}")]
    address = f"{seat.game.address}table/{asked['question']}/"
    return [
        Button(label, address, {"choice": choice, "back": "dock"}, at_once=True) for choice, label in asked["choices"]
    ]


def answers_to(seat: Seat, offer: Data) -> list[Any]:
    """Yes and no to an offer or agreement; a link to its page where one has more to say."""
    deal = trades.deal_of(seat, offer)
    if any(not each["optional"] for answer in deal.answers for each in answer.fields):
        return [to_page(_("Answer…"), f"{seat.game.address}trades/{deal.id}/")]
    answers = sorted(deal.answers, key=lambda answer: answer.word != "accept")
    found = [button(seat, answer.action, {answer.about: deal.id}, answer.label) for answer in answers]
    for each in found:
        each.own = True
    return found


def ballot(seat: Seat, id: str) -> list[Any]:
    """What one can vote on a thing."""
    for name in seat.live.describe()["ballots"]:
        action = actions_of(seat).get(name)
        if action is None or not action["possible"] or len(action["fields"]) < 2:
            continue
        subject, choice = action["fields"][:2]
        if id in [each["id"] for each in subject["choices"]]:
            return choices_of(seat, action, choice, {subject["name"]: id})
    return []


def choices_of(seat: Seat, action: Data, choice: Data, given: Data) -> list[Any]:
    """A button for each choice of a field; a link to its form where there is more to say, or too many choices."""
    asked = [each for each in action["fields"] if each["name"] not in given and each is not choice]
    more = any(not each["optional"] and each["default"] is None for each in asked)
    choices = forms.there(seat, choice)
    if more or not 0 < len(choices) <= MOST_BUTTONS:
        if not action["ballot"]:
            return [to_form(seat, action, given)]
        return [to_page(_("Vote…"), to_form(seat, action, given).address)]
    return [
        button(seat, action, given | {choice["name"]: str(each["id"])}, choice_label(seat, each)) for each in choices
    ]


def choice_label(seat: Seat, choice: Data) -> str:
    """How a choice is called on a button."""
    label = forms.label_of(seat, choice)
    return label[:1].upper() + label[1:]


def foresee(seat: Seat, item: Item) -> None:
    """Try the first button out: what it costs stands on it. What would be refused has its reason in place of it, and of
    all others whose action is not possible either."""
    first = item.buttons[0] if item.buttons and item.buttons[0].sends else None
    action = actions_of(seat).get(first.action) if first else None
    if first is None or action is None or action["ballot"] or action["id"] == "answer":
        return
    seen = seat.live.preview(seat.player_name, action["id"], first.fields)
    if seen.refused or seen.fault:
        item.refusal = pages.refusal(seat, seen)
        impossible = {name for name, each in actions_of(seat).items() if not each["possible"]}
        left = [each for each in item.buttons[1:] if each.action not in impossible]
        item.buttons = item.buttons if item.waits else left
        return
    money = money_of(seat.view, seat.player_name, seen.changes)
    if money and money[0] > money[1]:
        price = formats.dollars(money[0] - money[1])
        first.label, first.own = _("%(what)s for %(price)s") % {"what": first.label, "price": price}, True


def money_of(view: Data, player: str | None, changes: list[list[Any]]) -> tuple[int, int] | None:
    """What a player has before and after these changes: (before, after); None if it stays the same."""
    amounts = [each["name"] for each in view["schema"].get("player", ()) if each["type"] == "money" and each["summary"]]
    for thing, name, before, after in changes:
        if thing == player and name in amounts[:1] and isinstance(before, int) and isinstance(after, int):
            return before, after
    return None


# ---- where nothing waits


@dataclass
class WaysOn:
    """What one can do to get on: why one's turn is not possible yet, one's open proposals, the customary one, what
    comes next."""

    turns: list[Any] = field(
        default_factory=list
    )  # (label of an action, why it is not possible, the rule that says so)
    mine: list[Any] = field(default_factory=list)
    customary: Button | None = None
    coming: Data | None = None


def ways_on(seat: Seat) -> WaysOn | None:
    """What a player can do to get on where nothing waits for them; None for others, and in a game that is over or
    paused."""
    state = seat.view["things"].get("game", {})
    if seat.role != "player" or state.get("over") or state.get("paused"):
        return None
    actions = actions_of(seat)
    turns = [actions[id] for id in seat.live.describe()["disrupting"] if id in actions and not actions[id]["desk"]]
    mine = [each for each in queries.undecided(seat.view) if each.get("author") == seat.player_name]
    return WaysOn(
        [
            (each["label"], queries.in_reader_words(each["reason"]), each["reason_rule"])
            for each in turns
            if not each["possible"]
        ],
        mine,
        None if mine else customary(seat, actions.get("propose")),
        next((each for each in pages.coming(seat, None) if each["thing"] in ("game", seat.player_name)), None),
    )


def customary(seat: Seat, action: Data | None) -> Button | None:
    """The proposal that only wants its turn, where the rules declare its title and it is possible."""
    title = proposals.customary_title(seat)
    if not title or action is None or not action["possible"]:
        return None
    label = _("Propose “%(title)s”") % {"title": title}
    return Button(label, f"{seat.game.address}act/{action['id']}/", {"title": title}, own=True)


# ---- the Admin's


def for_admin(seat: Seat) -> list[Item]:
    """What waits at the desk: each proposal with the acts that judge it, then the rest."""
    address = f"{seat.game.address}admin/"
    acts = seat.live.actions("admin", untried=True)
    items = []
    for proposal in queries.to_judge(seat.view):
        if proposal["phase"] != "to-judge":
            continue
        id = proposal["id"]
        author, title = proposal.get("author"), proposal.get("title") or _("without a title")
        by = _("%(id)s by %(author)s: %(title)s") if author else _("%(id)s by the Admin: %(title)s")
        text = by % {"id": id, "author": author, "title": title}
        items.append(Item(text, f"proposals/{proposal['number']}/", buttons=judging(acts, address, id), alike=True))
    rest = [each for each in whereabouts.at_desk(seat.game)["waiting"] if each.get("about") != "proposals"]
    for each in rest:
        look = [to_page(_("To the desk"), address)]
        items.append(Item(each["text"][:1].upper() + each["text"][1:], "admin/", buttons=look))
    return items


def judging(acts: list[Data], address: str, id: str) -> list[Button]:
    """Links to the acts by which the Admin deals with a thing."""
    return [
        Button(re.sub(r" an? \w+$", "", act["label"]), f"{address}{act['id']}/?{field['name']}={id}", sends=False)
        for act in acts
        if act["desk"] and not act["hidden"] and act["possible"]
        for field in act["fields"][:1]
        if id in [choice["id"] for choice in field["choices"]]
    ][:MOST_BUTTONS]
