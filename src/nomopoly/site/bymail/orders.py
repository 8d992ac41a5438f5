"""What was typed in a mail, as orders: `vote yes`, `take turn`, `buy #5`, `#12`, or any action as the log names it.

One order a line. Lines `field: words` below an order fill in its form; words of a field that may be long go on over
lines. Whatever is not understood makes the whole mail not understood.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext

from nomopoly.runtime import protocol
from nomopoly.site import declared
from nomopoly.site.play import forms
from nomopoly.site.tables import queries

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data


MOST_ORDERS = 10
QUOTES = str.maketrans("“”„«»‘’", '"""""\'\'')
ON = re.compile(r"(?:on\s+)?(?:proposal\s+)?#?(P?\d+|[A-Z]\d+)", re.IGNORECASE)
FIELD = re.compile(r"([a-z][a-z0-9-]*)\s*:\s?(.*)", re.IGNORECASE)
NUMBERED = re.compile(r"\d{1,2}[.)]\s+")  # what stands before the lines of a list
GREETING = re.compile(
    r"(hi|hello|hey|dear|hallo|moin|liebe[rs]?|good (morning|day|evening)|guten (morgen|tag|abend))"
    r"( (all|everybody|everyone|there|folks|alle|zusammen|leute|(?P<name>[\w.' -]{1,30})))?[,.!]?",
    re.IGNORECASE,
)
FAREWELL = re.compile(
    r"((many )?thanks( a lot| in advance)?|thank you|((best|kind|warm) )?(regards|wishes)|best|cheers|bye"
    r"|danke( schön| dir| euch)?|vielen dank|((viele|liebe|beste|schöne|herzliche) )?(grüße|grüsse)"
    r"|mit freundlichen grüßen|gruß|lg|vg|mfg|tschüss)[,.!]*",
    re.IGNORECASE,
)
NAME = re.compile(r"[^\W\d_][\w.'-]*(\s+[^\W\d_][\w.'-]*){0,2}")  # with which a mail is signed
MOST_SIGNED = 2  # lines below a farewell
ALONE = (protocol.LEAVE_GAME,)  # what is said in full, or not at all


class NotUnderstood(Exception):
    """Why a mail says nothing that can be done, in a sentence."""


@dataclass
class Order:
    """An order: `line` as it was typed, the id of an action, and what its inputs say."""

    line: str
    action: str
    sent: Data = field(default_factory=dict)


def read(seat: Seat, typed: str, refers: Iterable[str] = ()) -> list[Order]:
    """The orders of a mail. `refers`: the messages that it answers. Raises NotUnderstood."""
    reader = Reader(seat, refers)
    for line in typed.split("\n"):
        reader.line(line)
    if not reader.orders:
        raise NotUnderstood(gettext("Your mail says nothing that could be done."))
    if len(reader.orders) > MOST_ORDERS:
        raise NotUnderstood(gettext("At most %(most)s orders go in one mail.") % {"most": MOST_ORDERS})
    return reader.orders


def arguments(seat: Seat, order: Order) -> tuple[Data, str]:
    """(Arguments of an order, what is wrong with it in a sentence or ""), as things stand now."""
    action = next((each for each in actions_of(seat) if each["id"] == order.action), None)
    if action is None:
        return {}, gettext("There is no action %(action)s now.") % {"action": order.action}
    sent = dict(order.sent)
    for name in sent:
        sent[name] = sent[name].rstrip()
    for each in action["fields"]:
        choices = each.get("choices") or ()
        if each["type"] == "yesno" and sent.get(each["name"], "").casefold() in ("no", "false", "0"):
            del sent[each["name"]]
        if each["type"] != "thing" or each["name"] in sent or (each["optional"] and each.get("default") is None):
            continue
        if len(choices) > 1:  # a page would show which one it means; nobody guesses here
            which = ", ".join(str(choice["id"]) for choice in choices[:10])
            return {}, gettext("Say which of these you mean: %(which)s.") % {"which": which}
        if choices:
            sent[each["name"]] = choices[0]["id"]
    args, problems = declared.read(action, sent)
    return args, f"{'. '.join(problems)}." if problems else ""


def actions_of(seat: Seat) -> list[Any]:
    """All actions that a player can give orders for."""
    return [each for each in seat.live.actions(seat.viewer) if not each["desk"]]


def where(text: str, why: str) -> str:
    """What is wrong with a line, in a sentence that begins with the line."""
    return gettext("“%(text)s”: %(why)s") % {"text": text[:100], "why": why}


def is_name(text: str) -> bool:
    """Whether it looks like a name: with capitals, which orders hardly have."""
    return NAME.fullmatch(text) is not None and all(word[0].isupper() for word in text.split())


class Reader:
    """Makes orders of lines."""

    def __init__(self, seat: Seat, refers: Iterable[str]) -> None:
        self.seat, self.refers = seat, refers
        self.things = seat.view["things"]
        self.actions = actions_of(seat)
        self.orders: list[Order] = []
        self.long: str | None = None  # the field to which further lines belong
        self.signed: int | None = None  # lines below the farewell, once there was one

    def line(self, text: str) -> None:
        """Read one line: a field of the order above it, or an order of its own, which is added to `orders`.

        Raises NotUnderstood, with a sentence for the sender.
        """
        if self.orders and self.fills_in(text):
            return
        if not text.strip():
            return
        text = NUMBERED.sub("", text.strip().lstrip("*- ")).translate(QUOTES)
        found = self.vote(text) or self.answer(text)
        if found is None and self.only_greets(text):
            return
        found = found or self.by_action(text) or self.thing(text)
        if found is None and self.is_signature(text):
            return
        if found is None:
            raise NotUnderstood(gettext("“%(text)s” is not understood.") % {"text": text[:100]})
        self.orders.append(found)

    def only_greets(self, text: str) -> bool:
        """Whether a line says nothing but hello, above the first order, or goodbye."""
        if FAREWELL.fullmatch(text):
            self.signed = 0
            return True
        found = None if self.orders else GREETING.fullmatch(text)
        return found is not None and (found["name"] is None or is_name(found["name"]))

    def is_signature(self, text: str) -> bool:
        """Whether a line is the name of who says goodbye, in one of the two lines below."""
        if self.signed is None or self.signed == MOST_SIGNED or not is_name(text):
            return False
        self.signed += 1
        return True

    def fills_in(self, text: str) -> bool:
        """Whether a line is part of the form of the order above it."""
        order = self.orders[-1]
        slots = self.slots(order.action)
        found = FIELD.fullmatch(text.strip())
        if found and found[1].casefold() in slots:
            name = found[1].casefold()
            order.sent[name] = found[2]
            self.long = name if slots[name] else None
            return True
        if self.long is None:
            return False
        order.sent[self.long] = f"{order.sent[self.long]}\n{text}".lstrip("\n")
        return True

    def slots(self, action: str) -> dict[Any, Any]:
        """{input of an action's form: whether it may be long}."""
        named = next(each for each in self.actions if each["id"] == action)
        return {
            each["input"]: bool(each.get("long") or each["type"] in ("changes", "code"))
            for each in declared.inputs(named)
            if each["look"] != "deal"
        }

    # ---- votes

    def vote(self, text: str) -> Order | None:
        """`vote yes`, `yes`, `vote yes on 12`, `12 no`: about what is voted on."""
        ballots = self.seat.live.describe()["ballots"]
        said = re.sub(r"^vote\s+", "", text.rstrip("."), flags=re.IGNORECASE)
        meant_so = said != text
        for action in (each for each in self.actions if each["id"] in ballots and len(each["fields"]) > 1):
            subject, choice = action["fields"][:2]
            open_now = [each["id"] for each in subject.get("choices") or ()]
            chosen, about = self.choice(said, choice, open_now) if open_now else (None, None)
            if chosen is None:
                continue
            on = about or self.only(open_now)
            if on is None:
                raise NotUnderstood(
                    gettext("Several votes are open. Say on what, for example: vote %(chosen)s %(about)s")
                    % {"chosen": chosen, "about": open_now[0]}
                )
            return Order(text, action["id"], {subject["name"]: on, choice["name"]: chosen})
        if meant_so and self.named(said.split()[0] if said.split() else "") is None:
            raise NotUnderstood(gettext("“%(text)s” fits no vote that is open to you.") % {"text": text[:100]})
        return None

    def choice(
        self, said: str, field: Data, open_now: list[Any]
    ) -> tuple[str, None] | tuple[str, Any] | tuple[None, None]:
        """(What is chosen, on what or None) of the words of a vote; (None, None) where they are none."""
        for each in sorted(field.get("choices") or (), key=lambda each: -len(str(each["id"]))):
            word = str(each["id"])
            for pattern in (rf"{re.escape(word)}(?:\s+(?P<on>.+))?", rf"(?P<on>.+?)\s*:?\s+{re.escape(word)}"):
                found = re.fullmatch(pattern, said, re.IGNORECASE)
                if found is None:
                    continue
                if not found["on"]:
                    return word, None
                on = ON.fullmatch(found["on"].strip())
                about = on and next((id for id in open_now if id.casefold() in (on[1].casefold(), f"p{on[1]}")), None)
                if on and not about:
                    raise NotUnderstood(gettext("%(what)s is not open to your vote.") % {"what": on[1]})
                if about:
                    return word, about
        return None, None

    def only(self, open_now: list[Any]) -> Data | None:
        """What a vote without a number is about: what the answered mail was about, what still waits, or the only
        one."""
        for candidates in (
            [id for id in open_now if any(f".proposals-{id.lstrip('P')}." in each for each in self.refers)],
            [id for id in open_now if id not in self.seat.view.get("ballots", {})],
            open_now,
        ):
            if len(candidates) == 1:
                return candidates[0]
        return None

    # ---- questions of the rules

    def answer(self, text: str) -> Order | None:
        """One of the options of a question that the rules ask this player."""
        if self.named("answer") is None:
            return None
        asked = [
            (thing, option)
            for thing in self.things.values()
            if thing["kind"] == "question" and self.seat.player_name in (thing.get("asked") or ())
            for option in thing.get("options") or ()
            if str(option).casefold() == text.rstrip(".").casefold()
        ]
        if len(asked) > 1:
            raise NotUnderstood(
                gettext("Several questions can be answered by “%(text)s”. Say which: answer %(id)s %(text)s")
                % {"text": text[:100], "id": asked[0][0]["id"]}
            )
        if not asked:
            return None
        thing, option = asked[0]
        return Order(text, "answer", {"question": thing["id"], "answer": str(option)})

    # ---- any other action

    def named(self, word: str) -> Data | None:
        """The action with this id, in small or capital letters, or None."""
        return next((each for each in self.actions if each["id"] == word.casefold()), None)

    def by_action(self, text: str) -> Order | None:
        """An action by its id, its label, or the first word of either; what follows goes into its form."""
        words = text.split()
        plain = [word.casefold().strip(".!") for word in words]
        for length in range(min(len(words), 8), 0, -1):
            said = "-".join(plain[:length])
            found = self.named(said) or self.labelled(" ".join(plain[:length]))
            if found:
                return self.filled(found, text, length)
        short = [each for each in self.actions if each["id"].partition("-")[0] == plain[0] and each["id"] not in ALONE]
        possible = [each for each in short if each["possible"]]
        if len(short) == 1 or len(possible) == 1:
            return self.filled((possible or short)[0], text, 1)
        if short:
            raise NotUnderstood(
                gettext("“%(words)s” may mean several things: %(things)s.")
                % {"words": words[0], "things": ", ".join(each["id"] for each in short)}
            )
        return None

    def labelled(self, words: str) -> Data | None:
        """The action whose label these words (in small letters) are; None if there is none, or more than one."""
        found = [each for each in self.actions if each["label"].casefold() == words]
        return found[0] if len(found) == 1 else None

    def filled(self, action: Data, text: str, length: int) -> Order:
        """The order that an action and the words behind its name make."""
        rest = text.split(maxsplit=length)
        typed = rest[length] if len(rest) > length else ""
        try:
            _, sent = forms.read_command(f"{action['id']} {typed}", [action])
        except forms.CommandUnknown as error:
            raise NotUnderstood(where(text, str(error))) from None
        _, problems = declared.read(action | {"fields": [f for f in action["fields"] if f["name"] in sent]}, sent)
        if problems:
            raise NotUnderstood(where(text, f"{'. '.join(problems).rstrip('.')}."))
        last = list(sent)[-1] if sent else None
        self.long = last if last and self.slots(action["id"]).get(last) else None
        return Order(text, action["id"], sent)

    def thing(self, text: str) -> Order | None:
        """The id of a thing that waits for this player: what its form is for is done."""
        id = next((id for id in self.things if id.casefold() == text.rstrip(".").casefold()), None)
        for item in queries.waiting_for(self.seat.view, self.seat.player) if id else ():
            found = re.fullmatch(r"act/([a-z-]+)/(?:\?.*)?", item["path"])
            action = self.named(found[1]) if found and item.get("about") == id else None
            field = next((each for each in action["fields"] if each["type"] == "thing"), None) if action else None
            if action and field:
                return Order(text, action["id"], {field["name"]: id})
        return None


def examples(seat: Seat) -> list[str]:
    """Lines that would be understood now: [line], the most pressing first."""
    ballots = seat.live.describe()["ballots"]
    actions = actions_of(seat)
    found = []
    for action in actions:
        if action["id"] in ballots and len(action["fields"]) > 1:
            subject, choice = action["fields"][:2]
            for each in (subject.get("choices") or ())[:3]:
                found.append(f"vote {(choice.get('choices') or [{'id': 'yes'}])[0]['id']} {each['id']}")
    for thing in seat.view["things"].values():
        if thing["kind"] == "question" and seat.player_name in (thing.get("asked") or ()) and thing.get("options"):
            found.append(str(thing["options"][0]))
    for action in actions:
        if action["possible"] and not action["hidden"] and action["id"] not in (*ballots, *ALONE):
            first = next((each for each in action["fields"] if each.get("choices")), None)
            found.append(f"{action['id']} {first['choices'][0]['id']}" if first else action["id"])
    return found[:8]
