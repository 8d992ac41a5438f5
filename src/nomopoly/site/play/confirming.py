"""What one confirms before it happens: one sentence in the second person, what it costs, and what would differ."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from nomopoly.runtime.outcomes import Outcome
from nomopoly.site import formats, kept
from nomopoly.site.play import dock, forms, sentences, trades, words
from nomopoly.site.tables import queries

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data


MOST_NAMED = 12  # of several things that were ticked, in the question
LONGEST_SAID = 60  # characters of what was typed, in the question


@dataclass
class Confirming:
    """An order that has been tried out and not been given yet."""

    question: str  # "Buy #12 Harbour for $120?"
    button: str  # "Buy for $120"
    fields: list[Any]  # what the form holds: [(name, value)]
    money: tuple[Any, ...] | None = None  # dollars before and after
    effects: list[Any] = field(default_factory=list)
    changes: list[Any] = field(default_factory=list)
    rolls: bool = False
    waits: bool = False
    asks: Sequence[str] = ()  # whose consent it asks for
    ballot: bool = False
    mind: list[Any] = field(default_factory=list)  # what is one's own, and may come to harm
    mark: str = ""  # of all that matters above: another one where it would do something else
    moved: bool = False  # whether it is asked again, since it would do something else by now

    @property
    def before(self) -> str:
        """The player's money now, as text in dollars."""
        return formats.dollars(self.money[0]) if self.money else ""

    @property
    def after(self) -> str:
        """The player's money afterwards, as text in dollars."""
        return formats.dollars(self.money[1]) if self.money else ""


def of(seat: Seat, action: Data, sent: dict[Any, str], args: Data, seen: Outcome) -> Confirming:
    """What is to be confirmed. `sent` are the fields of the form, `args` what they say, `seen` the outcome of trying it
    out."""
    facts = sentences.of_preview(seat, seen)
    teller = sentences.Teller(seat)
    money = dock.money_of(seat.view, seat.player_name, seen.changes)
    cost = money[0] - money[1] if money else 0
    given = [said.get("money") for said in args.values() if isinstance(said, dict)]  # no price: it is handed over
    given += [args.get(each["name"]) for each in action["fields"] if each["money"]]  # or said already
    price = formats.dollars(cost) if cost > 0 and cost not in given else ""
    question, button = in_words(seat, action, args, price)
    asked = [] if seen.waits else trades.asked_by(seen, seat.player_name)
    answered = args.get(answer_field(action)) if action["agrees"] else None  # an offer is gone when it is accepted
    changes = [change for change in seen.changes if change[0] != answered]
    rolls = bool(seen.rolls or action["rolls"])
    happens = [[fact.get("what"), fact.get("amount")] for fact in facts]
    matters = json.dumps([question, button, cost, rolls, seen.waits, asked, happens], default=str)
    return Confirming(
        question,
        _("Order it: %(button)s") % {"button": button} if seen.waits else button,
        [(name, value) for name, value in sent.items() if name not in kept.WORKINGS],
        money,
        [teller.linked(sentences.begun(fact["say"], fact), fact) for fact in facts if fact.get("say")],
        queries.readable(seat.view, teller.changes({"changes": changes}), seat.names),
        rolls,
        seen.waits,
        asked,
        bool(action["ballot"]),
        own_in_danger(seat, action, args, seen),
        hashlib.sha256(matters.encode()).hexdigest()[:16],
    )


def own_in_danger(seat: Seat, action: Data, args: Data, seen: Outcome) -> list[str]:
    """What somebody has chosen that is their own, after a thing that does something to it, if it loses by it or dice
    decide."""
    things = [args.get(each["name"]) or "" for each in action["fields"] if each["type"] == "thing"][1:]
    mine = [id for id in things if seat.view["things"].get(id, {}).get("owner") == seat.player_name]
    losing = {
        id
        for id, name, before, after in seen.changes
        if name == "exists" or (type(before) is type(after) is int and after < before)
    }
    return [words.thing_name(seat.view, id) for id in mine if id in losing or seen.rolls or action["rolls"]]


def in_words(seat: Seat, action: Data, args: Data, price: str) -> tuple[str, str]:
    """The question, and what stands on the button that says yes to it."""
    view = seat.view
    if action["ballot"]:
        return vote_in_words(seat, action, args)
    if action["id"] == "answer":
        asked = view["things"].get(args.get("question"), {}).get("text") or _("The question")
        chosen = dock.option_label(seat, args.get("answer"))
        return _("%(asked)s Your answer: %(chosen)s?") % {"asked": asked, "chosen": chosen}, _("Answer: %(chosen)s") % {
            "chosen": chosen
        }
    filled = [each for each in action["fields"] if is_filled(seat, each, args.get(each["name"]))]
    several = sum(each["type"] == "goods" for each in action["fields"]) > 1  # it matters which way they go
    kinds = [each["kind"] for each in action["fields"] if each["type"] == "thing" and each["kind"]]
    said = [
        f"{each['label'].lower()} {told}" if kinds.count(each["kind"]) > 1 or forms.leads_on(each) else told
        for each in filled
        for told in [called(seat, each, args[each["name"]], named=several).removesuffix(f" ({price})")]
    ]
    if action["agrees"]:
        return answer_in_words(seat, action, args)
    short = dock.short_label(action, args)
    if short != action["label"]:  # what it is about stands in place of its kind
        at = next((at for at, each in enumerate(filled) if each["type"] == "thing"), 0)
        about = said.pop(at)
        what = run_on(f"{short} {about}", [*filled[:at], *filled[at + 1 :]], said)
        return f"{priced(what, price)}?", priced(dock.button_label(action, args), price)
    said = [
        _("“%(text)s”") % {"text": told} if each["type"] == "words" else told
        for each, told in zip(filled, said, strict=True)
    ]
    label = action["label"]
    if len(said) == 1 and follows_verb(view, action, filled[0], args[filled[0]["name"]]):
        return f"{priced(f'{label} {said[0]}', price)}?", priced(label, price)
    return f"{priced(run_on(label, filled, said), price)}?", priced(label, price)


def run_on(what: str, declared: list[Data], said: list[str]) -> str:
    """What is done, and what was said in these fields of its form: "Move warrior 1 to #10", "Give up: #12"."""
    following = list(zip(declared, said, strict=True))
    while following and forms.leads_on(following[0][0]):
        what = f"{what} {following.pop(0)[1]}"
    return f"{what}: {', '.join(told for _declared, told in following)}" if following else what


def follows_verb(view: Data, action: Data, declared: Data, value: object) -> bool:
    """Whether what was said in a field follows the label of its action without a colon: a thing or a choice after a
    verb alone ("Adopt dog", but "Change the method of transport: clogs")."""
    chosen = str(value) in view["things"] or value in [each["id"] for each in declared["choices"]]
    return chosen and " " not in action["label"]


def priced(what: str, price: str) -> str:
    """What somebody does, and what it costs."""
    return _("%(what)s for %(price)s") % {"what": what, "price": price} if price else what


def answer_field(action: Data) -> str:
    """The field of an answer that names the offer or agreement."""
    return next(each["name"] for each in action["fields"] if each["type"] == "thing")


def answer_in_words(seat: Seat, action: Data, args: Data) -> tuple[str, str]:
    """The same of an answer to an offer or agreement."""
    id = str(args.get(answer_field(action)))
    offer = seat.view["things"].get(id)
    if offer is None:  # which is over, while the answer has waited
        return f"{action['label']}: {words.thing_name(seat.view, id)}?", action["label"]
    about = trades.about(seat, offer) if queries.parties_of(offer) else ""
    mine = offer.get("author") == seat.player_name
    word = _("Accept") if action["agrees"] == "yes" else _("Withdraw") if mine else _("Decline")
    said = {
        "do": word,
        "what": offer.get("kind", "offer").replace("-", " "),
        "who": offer.get("author") or _("the game"),
    }
    asked = (_("%(do)s your %(what)s?") if mine else _("%(do)s the %(what)s by %(who)s?")) % said
    return (f"{asked.removesuffix('?')}: {about}?" if about else asked), word


def vote_in_words(seat: Seat, action: Data, args: Data) -> tuple[str, str]:
    """The same of a vote."""
    declared = action["fields"]
    choice = declared[1] if len(declared) > 1 else declared[0]
    chosen = called(seat, choice, args.get(choice["name"]))
    chosen = chosen[:1].upper() + chosen[1:]
    about = args.get(declared[0]["name"]) if len(declared) > 1 else None
    thing = seat.view["things"].get(about, {})
    title = thing.get("title")
    if not about:
        vote = _("Vote for %(chosen)s") % {"chosen": chosen}
        return f"{vote}?", vote
    button = _("Vote %(chosen)s") % {"chosen": chosen}
    what = f"{about}, “{title}”" if title else about
    if thing.get("kind") == "emergency":
        what = _("the way out “%(title)s”") % {"title": title}
    return _("Vote %(chosen)s on %(what)s?") % {"chosen": chosen, "what": what}, button


def deal_in_words(seat: Seat, deal: object) -> str:
    """What a deal among several hands over, from whom to whom; "" where that cannot be read."""
    rows = deal.get("transfers") if isinstance(deal, dict) else None
    rows = rows if isinstance(rows, list) else []
    known = [each for each in rows if isinstance(each, dict) and isinstance(each.get("what"), dict)]
    told = [
        _("%(giver)s to %(taker)s: %(what)s")
        % {
            "giver": each.get("from"),
            "taker": each.get("to"),
            "what": trades.goods_in_words(seat, each["what"].items()),
        }
        for each in known
    ]
    return "; ".join(told) if len(known) == len(rows) else ""


def is_filled(seat: Seat, declared: Data, value: object) -> bool:
    """Whether something is said in a field; goods of which there are none say nothing."""
    if declared["type"] == "goods" and isinstance(value, dict):
        return trades.goods_in_words(seat, value.items()) != ""
    return words.is_said(value)


def called(seat: Seat, declared: Data, value: object, *, named: bool = False) -> str:
    """What was said in a field, as people know it; of goods `named` by which field they are of."""
    view = seat.view
    goods = (
        trades.goods_in_words(seat, value.items()) if isinstance(value, dict) and declared["type"] == "goods" else ""
    )
    if goods:
        return f"{declared['label'].lower()} {goods}" if named else goods
    if declared["type"] == "deal" and (told := deal_in_words(seat, value)):
        return told
    if isinstance(value, list) and all(isinstance(each, str) for each in value) and len(value) <= MOST_NAMED:
        return ", ".join(words.thing_name(view, each) if each in view["things"] else each for each in value)
    if isinstance(value, (dict, list)):
        return declared["label"].lower()
    known = next((each for each in declared["choices"] if each["id"] == value), None)
    title = seat.titles.get(str(value)) if known and "-" in str(value) else None
    if isinstance(value, str) and value in view["things"]:
        return title or words.thing_name(view, value)
    text = declared["label"].lower() if value is True else queries.in_words(value, "money" if declared["money"] else "")
    if known and known.get("called"):
        text = forms.label_of(seat, known)
    elif known:
        text = seat.names.get(str(value)) or title or forms.label_of(seat, known)
    if declared["type"] == "words":
        text = text.strip().rstrip(".")
    return text if len(text) <= LONGEST_SAID else f"{text[:LONGEST_SAID]}…"
