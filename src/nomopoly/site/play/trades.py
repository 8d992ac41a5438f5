"""Open offers and agreements: things that have `parties`, as their own parties see them.

What rules declare of such a thing is used where it is there: `author`, who has asked; `agreed`, who has said yes; `to`,
`give` and `take`, or `transfers`, what changes hands; `complete`, that all agree; `until`, when it lapses. An action
that says `agrees="yes"` or `"no"` answers it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from django.http import Http404
from django.utils.translation import gettext, gettext_lazy

from nomopoly.site import declared, formats
from nomopoly.site.play import forms, sentences, words
from nomopoly.site.tables import consent, queries

if TYPE_CHECKING:
    from nomopoly.runtime.outcomes import Outcome
    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data


SHOWN_APART = ("author", "parties", "agreed", "to", "give", "take", "transfers", "until", "complete", "owner")
SAYS_YES, SAYS_NO = ("accept",), ("decline", "withdraw")
LABELS = {"accept": gettext_lazy("Accept"), "decline": gettext_lazy("Decline"), "withdraw": gettext_lazy("Withdraw")}


Goods: TypeAlias = list[tuple[str, Any]]  # a part ("money", "squares") and its content


@dataclass
class Answer:
    """A way to answer: the action, and the inputs of its form beyond the field that names the thing."""

    action: Data
    about: str
    word: str
    fields: list[Any] = field(default_factory=list)

    @property
    def label(self) -> str:
        """What stands on its button."""
        return str(LABELS.get(self.word, self.word.capitalize()))

    @property
    def reason(self) -> str:
        """Why nothing can be answered so now, as in a pause; "" where it can."""
        return "" if self.action["possible"] else queries.in_reader_words(self.action["reason"]) or ""


@dataclass
class Deal:
    """One open offer or agreement, as one of its parties sees it."""

    thing: Data
    wanted: bool
    answers: list[Answer]
    parties: list[Data]
    more: list[Any]
    lacking: list[str]

    @property
    def id(self) -> str:
        """The id of the offer or agreement in the game."""
        return self.thing["id"]

    @property
    def moves(self) -> bool:
        """Whether anything changes hands."""
        return any(side["gives"] for side in self.parties)


def all_of(seat: Seat) -> list[Deal]:
    """The open offers and agreements of who looks: first those that want an answer, then by when they end."""
    mine = [thing for thing in seat.view["things"].values() if seat.player_name in queries.parties_of(thing)]
    deals = [deal_of(seat, thing) for thing in mine if consent.is_asked_by(seat.view, thing["kind"])]
    return sorted(deals, key=lambda deal: (not deal.wanted, queries.moment_in(deal.thing, "until")))


def find(seat: Seat, name: str) -> Deal:
    """An open offer or agreement by its id, or by its number alone."""
    deals = all_of(seat)
    found = [deal for deal in deals if deal.id == name]
    found = found or [deal for deal in deals if name.isdecimal() and deal.id.rpartition("-")[2] == name]
    if not found:
        raise Http404(
            gettext("Nothing called %(name)s is open between you and somebody else: it is over, or not yours.")
            % {"name": name}
        )
    return found[0]


def deal_of(seat: Seat, thing: Data, sent: Data | None = None) -> Deal:
    """An offer or agreement as its reader sees it: who gives what, what each is left with, and the answers."""
    view, player = seat.view, seat.player_name
    moves = handovers(thing)
    sums = dict.fromkeys(thing["parties"], 0)
    parties = []
    for each in thing["parties"]:
        gives = [(taker, goods) for giver, taker, goods in moves if giver == each and not empty(goods)]
        gets = [(giver, goods) for giver, taker, goods in moves if taker == each and not empty(goods)]
        sums[each] = sum(money(goods) for _, goods in gets) - sum(money(goods) for _, goods in gives)
        has = view["things"].get(each, {}).get("money")
        after = has + sums[each] if isinstance(has, int) and sums[each] else None
        parties.append({"name": each, "gives": gives, "gets": gets, "has": has, "after": after})
        parties[-1]["agreed"] = queries.has_agreed(thing, each)
    more = [
        (each, thing[each["name"]])
        for each in view["schema"].get(thing["kind"], ())
        if each["label"] and each["name"] not in SHOWN_APART and thing.get(each["name"]) not in (None, "", [], False)
    ]
    over = view["things"].get("game", {}).get("over")
    wanted = queries.answer_wanted(view, thing, player) and not over
    return Deal(
        thing,
        wanted,
        [] if over else answers(seat, thing, wanted, sent),
        parties,
        more,
        [] if over else lacking(view, moves, sums, seat.titles),
    )


def handovers(thing: Data) -> list[tuple[str, str, Goods]]:
    """What changes hands: [(from, to, goods)]."""
    if thing.get("transfers"):
        moves = [each for each in thing["transfers"] if isinstance(each, list) and len(each) == 3]
        return [(str(giver), str(taker), goods_in(goods)) for giver, taker, goods in moves]
    author, to = thing.get("author"), thing.get("to")
    if author is None or to is None:
        return []
    return [(author, to, goods_in(thing.get("give"))), (to, author, goods_in(thing.get("take")))]


def goods_in(said: object) -> Goods:
    """What changes hands, as pairs of a part and its content; what is no such pair is left out."""
    pairs = [each for each in said if isinstance(each, list) and len(each) == 2] if isinstance(said, list) else []
    return [(part, content) for part, content in pairs if isinstance(part, str)]


def goods_in_words(seat: Seat, goods: Iterable[tuple[str, Any]]) -> str:
    """What changes hands as text: "$60, #8 Harbour, flower, 10 shares"; empty if it is nothing."""
    view, said = seat.view, []
    for part, content in goods:
        each = content if isinstance(content, list) else [content]
        if isinstance(content, int) and not isinstance(content, bool):
            said += [words.amount(part, content)] if content else []
        elif part != "money":
            called = [
                words.thing_name(view, id) if id in view["things"] else seat.names.get(id, id) for id in each if id
            ]
            said += [f"{part[:-1]} {name}" if words.is_right(view, part) else name for name in map(str, called)]
    return ", ".join(said)


def shown_of(seat: Seat, thing: Data, name: str) -> Any:
    """A value of a thing as a page shows it: what an offer gives and takes in words, anything else as it is."""
    goods = goods_in(thing[name]) if queries.parties_of(thing) and name in ("give", "take") else []
    return goods_in_words(seat, goods) or thing[name]


def change_in_words(seat: Seat, deal: Deal, player: str | None) -> str:
    """What a party gives and gets by an offer, in words; empty if nothing."""
    nothing: Data = {"gives": [], "gets": []}
    side = next((each for each in deal.parties if each["name"] == player), nothing)
    gives, gets = (
        ", ".join(goods_in_words(seat, goods) for _, goods in side[part] if not empty(goods))
        for part in ("gives", "gets")
    )
    if gives and gets:
        return gettext("you give %(gives)s and get %(gets)s") % {"gives": gives, "gets": gets}
    if gives:
        return gettext("you give %(gives)s") % {"gives": gives}
    return gettext("you get %(gets)s") % {"gets": gets} if gets else ""


def about(seat: Seat, thing: Data) -> str:
    """What an offer or agreement means to who looks, in words: what changes hands, else what its rules say of it."""
    change = change_in_words(seat, deal_of(seat, thing), seat.player_name)
    said = thing.get("text")
    return change or (queries.in_words(said) if isinstance(said, str) else "")


def tell_choices(seat: Seat, fields: list[Data]) -> None:
    """Add to the offers and agreements that the inputs of a form let one choose what each of them is about."""
    for choice in [each for drawn in fields for each in drawn.get("choices") or ()]:
        thing = seat.view["things"].get(choice["id"], {}) if isinstance(choice, dict) else {}
        what = about(seat, thing) if queries.parties_of(thing) else ""
        if what:
            choice["label"] = f"{choice['label']}: {what}"


def asked_by(outcome: Outcome, player: str | None) -> list[str]:
    """Whom an order asks for their consent: the other parties of what it makes. It does not wait until they have
    answered to be seen by them."""
    made = [after for _, name, before, after in outcome.changes if name == "parties" and not before and after]
    return list(dict.fromkeys(each for parties in made if player in parties for each in parties if each != player))


def empty(goods: Goods) -> bool:
    """Whether nothing is in these goods."""
    return not any(content for _, content in goods)


def money(goods: Goods) -> int:
    """The dollars in these goods; 0 if none are."""
    return queries.moment_in(dict(goods), "money")


def lacking(view: Data, moves: list[tuple[str, str, Goods]], sums: dict[str, int], names: dict[str, str]) -> list[str]:
    """Why it could not be carried out as things stand, as far as who looks can see: a list of sentences."""
    told = []
    for who, change in sums.items():
        has = view["things"].get(who, {}).get("money")
        if isinstance(has, int) and change < 0 and has + change < 0:
            told.append(
                gettext("%(who)s has %(money)s and would pay %(price)s")
                % {"who": who, "money": formats.dollars(has), "price": formats.dollars(-change)}
            )
    for giver, _, goods in moves:
        for part, content in goods:
            if part == "money" or not isinstance(content, list):
                continue
            held = view["things"].get(giver, {}).get(part)
            for id in content:
                thing = view["things"].get(id)
                if thing is not None and "owner" in thing:
                    if thing["owner"] != giver:
                        told.append(
                            gettext("%(thing)s does not belong to %(giver)s")
                            % {"thing": words.thing_name(view, id), "giver": giver}
                        )
                elif isinstance(held, list) and content.count(id) > held.count(id):
                    told.append(gettext("%(giver)s has no %(id)s") % {"giver": giver, "id": names.get(id, id)})
                elif thing is None and id[:1] == "#":
                    told.append(gettext("%(id)s no longer exists") % {"id": id})
    return list(dict.fromkeys(told))


def answers(seat: Seat, thing: Data, wanted: bool, sent: Data | None = None) -> list[Answer]:
    """The ways in which who looks can answer now."""
    found: list[Answer] = []
    for action in () if thing.get("complete") else seat.live.actions(seat.viewer):
        about = next((each for each in action["fields"] if each["type"] == "thing"), None)
        if not action["agrees"] or about is None or thing["id"] not in [each["id"] for each in about["choices"]]:
            continue
        word = "accept" if action["agrees"] == "yes" else "decline" if wanted else "withdraw"
        rest = action | {"fields": [each for each in action["fields"] if each is not about]}
        inputs = forms.inputs(rest, sent, seat)
        found.append(Answer(action, about["name"], word, inputs))
    return found


def read_answer(deal: Deal, said: str, sent: Data) -> Any:
    """What a form wants: (the way to answer, arguments of the order, problems)."""
    answer = next((each for each in deal.answers if means(each, said)), None)
    if answer is None:
        return (
            None,
            {},
            [
                gettext("You cannot answer “%(said)s” to this now") % {"said": said[:40]}
                if said
                else gettext("Say what you answer")
            ],
        )
    args, problems = declared.read(answer.action, dict(sent) | {answer.about: deal.id})
    return answer, args, problems


def means(answer: Answer, said: str) -> bool:
    """Whether a word means this way to answer: to decline and to withdraw are the same."""
    return said in (SAYS_YES if answer.word in SAYS_YES else SAYS_NO)


def foreseen(seat: Seat, deal: Deal) -> dict[Any, Any] | None:
    """What would happen if the viewer agreed now: {"refused"} or {"effects", "changes", "rolls"}; None if they
    cannot."""
    answer = next((each for each in deal.answers if each.word == "accept"), None)
    if answer is None or seat.player_name is None:
        return None
    seen = seat.live.preview(seat.player_name, answer.action["id"], {answer.about: deal.id})
    if seen.refused or seen.fault:
        return {"refused": queries.refusal_of(seen)}
    teller = sentences.Teller(seat)
    facts = sentences.of_preview(seat, seen)
    shown = teller.changes({"changes": [change for change in seen.changes if change[0] != deal.id]})
    effects = [teller.linked(sentences.begun(fact["say"], fact), fact) for fact in facts if fact.get("say")]
    return {"effects": effects, "changes": queries.readable(seat.view, shown, seat.names), "rolls": seen.rolls}


def makers(seat: Seat) -> list[Any]:
    """The actions that make offers: those whose forms hold goods."""
    return [
        action | {"reason": queries.in_reader_words(action["reason"])}
        for action in seat.live.actions(seat.viewer)
        if (seat.trial or not action["desk"]) and not action["hidden"]
        if any(each["type"] in ("goods", "deal") for each in action["fields"])
    ]
