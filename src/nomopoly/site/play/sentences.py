"""The log in sentences a player would write, built from facts.

A rule declares the sentence of its event. One that begins with a small letter ("passing #22") is a detail: it stands in
the entry's own page, not in the line of the log. Sentences with the same subject are joined.
"""

from __future__ import annotations

import functools
import html
import re
from collections.abc import Generator
from typing import TYPE_CHECKING, Any, TypeGuard

from django.utils.html import format_html, strip_tags
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from nomopoly.runtime import protocol
from nomopoly.runtime.lines import PLAIN, flat, subject_of
from nomopoly.runtime.log import FIELD, fill_sentence, with_sentence
from nomopoly.runtime.outcomes import Outcome
from nomopoly.site import formats
from nomopoly.site.play import words
from nomopoly.site.play.faces import faces
from nomopoly.site.said import fault_said
from nomopoly.site.said import said as said_again
from nomopoly.site.tables import queries, titles

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data

GOVERN = ("The table", "The house")  # who gives acts of the desk where no person is the Admin, as the journal has it
PAYMENTS = ("paid", "lost", "fined", "gained", "awarded", "taxed")  # what rules call money that moves
KNOWN = ("what", "event", "rule", "depth", "say", "dice")
ELSEWHERE = gettext_lazy("what it said is for the Admin and for whoever gave the order")
LONGEST_LINE = 2000  # characters of an entry in a list of entries
LONGEST_SAID = 10_000  # of one sentence on an entry's own page
MOST_FACTS = 300  # facts on an entry's own page
MOMENTS, PEOPLE = ("until", "deadline", "due"), {"player", "applicant"}
ACTING = {"who", "mover"}  # fields of facts that name somebody, or a thing that moves by itself
RULEBOOK = dict(
    zip(
        protocol.OF_RULES,
        (
            gettext_lazy("rule %(rule)s is enacted"),
            gettext_lazy("rule %(rule)s is amended"),
            gettext_lazy("rule %(rule)s is repealed"),
            gettext_lazy("rule %(rule)s is suspended"),
            gettext_lazy("rule %(rule)s is in force again"),
        ),
        strict=True,
    )
)
AS_ALWAYS = "normal"  # how something went, or of which sort it is, where there is nothing to say of that
UNSAID = "{what}"  # of a fact without a declared sentence
CLOCKED = ("tick", "ballots")  # kinds of entries that the clock gives
PAYING = {"who", "to", "by", "amount", "short"}  # fields of sentences that do not say what for
BY_NUMBER = re.compile(r"[#P]\d{1,9}")  # a square or a proposal
SMALL = re.compile(  # with which a sentence or a name begins that stands after other words
    r"^(?:The|There|An?|Nothing|Your?|Square(?= #))(?= )"
)

EVERY_ACTION = re.compile(r"(there is no action '[^']*' for players); there are [\w-]+(?:, [\w-]+)*")
"""A refusal with a list that is for programs."""
NO_ACTION = gettext_lazy("no rule in force has this action any more")


def why_refused(reason: str) -> str:
    """Why an order is refused since a correction, for everybody."""
    return str(NO_ACTION) if EVERY_ACTION.fullmatch(reason) else said_again(reason)


class Teller:
    """Tells entries of one game to one viewer: moments by the viewer's clock, or `as_said`, by the game's."""

    def __init__(self, seat: Seat, as_said: bool = False) -> None:
        self.as_said = as_said
        self.view, self.live = seat.view, seat.live
        self.address = seat.game.address
        self.named: set[Any] = set()  # squares whose name this line has said already
        self.cut = False  # whether the line that was made last is shorter than what there is to say
        self.entry: Data = {}  # of which this line tells
        self.governs: str | None = None  # who decided in the Admin's place, in the entry of this line
        self.game = seat.game
        self.names = seat.names
        known = seat.live.describe()
        self.labels, self.forms, self.unseen = known["labels"], known["forms"], known["unseen"]
        self.says = {name: each["say"] for name, each in known["events"].items() if each["say"]}
        self.moments = {name: each["say"] for name, each in known["events"].items() if "{" not in each["say"]}
        self.calendar = {each["name"]: words.name_of_moment(each) for each in known["calendar"]}  # named for people
        kinds = [re.escape(each) for each in known["prefixes"] if each[-1:] == "-"]
        self.numbered = rf"(?:{'|'.join(kinds) or '(?!)'})\d+"  # ticket-3: a thing that may be gone by now
        # Fields of facts that name a thing are often called as its kind; `game` may well be a game at cards, and
        # `order` is what was ordered.
        self.kinds = {*known["kinds"]} - PEOPLE - {"game", "order"}

    @functools.cached_property
    def by_program(self) -> set[Any]:
        """The entries that programs of players have given."""
        return queries.by_program(self.game)

    # ---- one line an entry

    def line(self, entry: Data) -> Any:
        """An entry in one sentence, with links, as markup, and whether a program of the player's gave it."""
        told = self.sentence(entry)
        if entry["n"] in self.by_program:
            return format_html('{} <span class="small muted">({})</span>', told, _("by their program"))
        return told

    def sentence(self, entry: Data) -> SafeString:
        """An entry in one sentence, with links, as markup."""
        self.begin(entry)
        if entry.get("fault"):
            fault = entry["fault"]
            said = shortened(fault_said(fault["message"]), LONGEST_LINE) or ELSEWHERE
            told = _("%(who)s: a rule broke, and nothing was done: %(said)s.") % {"who": self.who(entry), "said": said}
            return format_html("{} {}", self.linked(told, entry), words.rule_link(self.address, fault["rule"]))
        if entry.get("refused"):
            when = _("refused after a roll") if entry.get("after_roll") else _("refused since a correction")
            dice = f", {'-'.join(str(each) for each in entry['dice'])}" if entry.get("dice") else ""
            why = "" if entry["refused"] is True else f" ({why_refused(entry['refused'])})"
            return self.linked(f"{self.asked(entry)}: {when}{dice}{why}.", entry)
        main = [fact for fact in self.worth_telling(entry) if leads(fact)]
        if not main:
            return self.linked(self.fallback(entry), entry)
        said = formats.together(self.joined(main))
        rules = "".join(f" {each[:1].upper()}{each[1:]}." for each in rules_by_rules(entry))
        return format_html("{}{}{}{}", self.cause(entry, main), said, rules, self.rest(entry))

    def cause(self, entry: Data, main: list[Any]) -> str:
        """What the clock or the Admin did, before sentences that say no more than who paid whom."""
        said = self.moments.get(entry["do"], "").strip().rstrip(".") if entry["kind"] in CLOCKED else ""
        if entry["kind"] == "admin":
            about = entry["args"].get("on")
            known = isinstance(about, str) and about in self.view["things"]
            said = f"{self.asked(entry)} {words.thing_name(self.view, about)}" if known else self.asked(entry)
        events = [fact.get("event") for fact in main]
        named = [{name for name, _zone in FIELD.findall(self.says.get(each, UNSAID))} for each in events]
        pays = all("amount" in each and each <= PAYING | {"square"} for each in named)
        pays = pays and not any(each in self.labels for each in events)  # what somebody has done says so itself
        return f"{said}: " if said and named and pays else ""

    def to_one(self, entry: Data, own: list[Any]) -> list[Any]:
        """Parts of a line, as markup: what an entry says first, and its changes that concern one player (`own`)."""
        self.begin(entry)
        main = [fact for fact in self.worth_telling(entry) if leads(fact)]
        if not main:
            return [self.fallback(entry)]
        told = [
            words.change_words(self.spoken(thing), *change)
            for thing, *change in queries.readable(self.view, own[:3], self.names)
        ]
        return [*self.joined(main[:1]), *(f" {each}." for each in told)]

    def rest(self, entry: Data) -> str:
        """A link to the whole of an entry, where the line that was made last does not hold all of it."""
        if not self.cut:
            return ""
        if entry.get("number") is None:
            return " …"
        return format_html(' <a href="{}log/{}/">… {}</a>', self.address, entry["number"], _("the whole entry"))

    def worth_telling(self, entry: Data) -> list[Data]:
        """The facts that have a sentence, without those that only repeat an amount of their cause."""
        told: list[Data] = []
        causes: list[Data] = []
        for fact in entry["facts"]:
            depth = fact.get("depth", 0)
            causes = causes[:depth]
            before = [each for each in told[-1:] if each.get("event") != fact.get("event")]  # not one of two payments
            repeats = any(repeated(fact, cause) for cause in (*causes, *before))
            if fact.get("say") and not repeats and not (told and is_less_exact(fact, told[-1])):
                told.append(fact)
            causes.append(fact)
        return told

    def begin(self, entry: Data) -> None:
        """Begin with another entry: nothing is linked yet, and it is known who decided in the Admin's place."""
        self.named = set()
        self.entry = entry
        self.governs = entry["by"] if entry["kind"] == "admin" and entry.get("by") in GOVERN else None

    def said_by_whom(self, fact: Data) -> str:
        """The sentence of a fact, without its stop. One about the Admin has who decided in the Admin's place; one of
        the kernel's own is in the reader's language."""
        said = self.with_labels(fact)
        if fact.get("rule") in (None, "", "kernel"):
            again = said_again(said)
            said = again.replace("The Admin", _("The Admin")) if again != said else said
        return self.by_whom(said)

    def by_whom(self, said: str) -> str:
        """A sentence about the Admin with who decided in the Admin's place."""
        return said.replace("The Admin", self.governs).replace(_("The Admin"), self.governs) if self.governs else said

    def with_labels(self, fact: Data) -> str:
        """The sentence of a fact without its stop; an order that it names (`order`) is called as its form."""
        said, order = EVERY_ACTION.sub(r"\1", fact["say"].strip().rstrip(".")), fact.get("order")
        if not isinstance(order, str) or not self.labels.get(order):
            return said
        label = self.labels[order]
        called = rf"\b(?:{re.escape(order)}|{re.escape(words.plain(order))})\b"
        return re.sub(called, lambda _found: label[:1].lower() + label[1:], said, count=1)

    def joined(self, facts: list[Any]) -> list[Any]:
        """Sentences of facts as parts of markup: those with one subject run on, others stand apart."""
        parts = []
        subject, said = None, ""
        left, self.cut = LONGEST_LINE, False
        for at, fact in enumerate(facts):
            if left <= 0:
                self.cut = True
                break
            said = self.said_by_whom(fact)
            if len(said) > left:
                said, self.cut = said[:left], True
            left -= len(said)
            if fact.get("event") == "remove" and fact.get("because") and fact.get("how") != "removed":
                said = f"{said} ({fact['because']})"  # an act of the Admin has its reason below
            who = subject_of(fact)
            runs_on = who is not None and who == subject and not said.startswith(f"{who} and ")
            text = said[len(who) + 1 :] if runs_on and who else said
            text = SMALL.sub(lambda match: match[0].lower(), text) if at and not runs_on else text
            parts.append(mark_safe(", " if runs_on else "; " if at else ""))
            parts.append(self.linked(text, fact, within=bool(at)))
            subject = who
        return [*parts, "" if facts and said[-1:] in ("?", "!") else "."]

    def who(self, entry: Data) -> str:
        """Who has made an entry, in words: a player's name, the Admin, the site or the clock."""
        if entry["kind"] == "admin":
            by = entry.get("by") or "Admin"
            return {"kernel": _("The site"), "Admin": _("The Admin")}.get(by, by)
        return entry.get("by") or _("The clock")

    def asked(self, entry: Data) -> str:
        """Who wanted what, in the words of the form; what the clock does, in those of the rules."""
        what = self.what(entry)
        return what if entry["kind"] in CLOCKED else f"{self.who(entry)}: {what[:1].lower()}{what[1:]}"

    def in_short(self, entry: Data) -> str:
        """What was asked, to stand in a list: what the clock does begins with a small letter, a name does not."""
        if entry["kind"] == "order" and entry["do"] == protocol.LOG_IN:
            return _("%(who)s was here") % {"who": self.who(entry)}
        asked = self.asked(entry)
        small = entry["kind"] in CLOCKED and not asked[1:2].isupper()
        return asked[:1].lower() + asked[1:] if small else asked

    def what(self, entry: Data) -> str:
        """What was asked, in the words of the form or of the rules."""
        do = entry.get("do") or entry["kind"]
        declared = (self.labels if entry["kind"] == "order" else self.moments).get(do)
        name = self.calendar.get(do) or words.plain(do)
        return declared or name[:1].upper() + name[1:]

    def sort_of(self, entry: Data, name: str) -> str:
        """Of what sort it is what was asked under this name: `moment`, `money` or another that a form declares."""
        declared = self.forms.get(entry["do"], {}).get(name)
        if entry["do"] == protocol.END_OUTAGE and name == "since":
            return "moment"
        return declared[1] if declared else "moment" if name in MOMENTS else ""

    def with_what(self, entry: Data) -> str:
        """What somebody's own order says, in brackets: only they see it where it waits."""
        if entry["kind"] != "order":
            return ""
        listed = {name: ", ".join(value) for name, value in entry["args"].items() if is_list_of_words(value)}
        plain = {name: value for name, value in (entry["args"] | listed).items() if type(value) in (int, str)}
        told = words.says_in(self.forms.get(entry["do"], {}), plain, self.names)
        return f" ({', '.join(f'{label} {value}'.strip()[:60] for label, value in told)})" if told else ""

    def fallback(self, entry: Data) -> str:
        """An entry without sentences: what was asked, and what changed."""
        if entry["kind"] == "open":
            return _("The trial copy was made.") if entry["n"] else _("The game was opened.")
        if entry["kind"] == "join":
            return _("%(who)s asks to join.") % {"who": self.who(entry)}
        if entry["do"] == protocol.HOLD:
            return _("The clock goes on without what broke.")
        if entry["do"] == "put-in-force":
            return _("The proposal is in force here.")
        if entry["kind"] == "reveal":
            if entry["args"].get("secret") is None:
                return _("The dice come from new secrets from here on.")
            return _("The secret of the dice so far is revealed; from here on there is another one.")
        if entry["kind"] == "admin" and self.said_so(entry):
            return f"{self.by_whom(self.said_so(entry))}."
        changed = queries.readable(self.view, self.changes(entry)[:3], self.names)
        if entry["do"] == "grant" and changed:
            set_to = [
                _("%(what)s of %(thing)s from %(before)s to %(after)s")
                % {"what": words.within(label), "thing": thing, "before": before, "after": after}
                for thing, label, before, after in changed
            ]
            return _("The Admin sets %(what)s.") % {"what": ", ".join(set_to)}
        if entry["do"] == "grant" and isinstance(entry["args"].get("attribute"), str):
            same = {"what": words.plain(entry["args"]["attribute"]), "thing": entry["args"].get("thing")}
            return _("The Admin sets %(what)s of %(thing)s, which stays as it is.") % same
        changes = [words.change_words(self.spoken(thing), *change) for thing, *change in changed]
        told = "; ".join([*changes, *rules_by_rules(entry)])
        if entry["kind"] in CLOCKED and (self.said_so(entry) or not told or entry["do"] in self.calendar):
            nothing = "" if told or self.said_so(entry) else ": " + _("nothing came of it")
            return f"{self.asked(entry)}{nothing}."
        return f"{self.asked(entry)}{self.with_what(entry)}{': ' if told else ''}{told}."

    def said_so(self, entry: Data) -> str:
        """The sentence that the rules have declared for the event of an entry, if the entry says enough to fill it."""
        said = fill_sentence(self.says.get(entry["do"], ""), entry["args"], holes=True)
        return "" if FIELD.search(said) else said

    def spoken(self, id: str) -> str:
        """A thing as a sentence names it."""
        return words.thing_name(self.view, id) if id[:1] == "$" or re.fullmatch(self.numbered, id) else id

    def told_by(self, entry: Data, ids: set[Any]) -> SafeString:
        """What these rules made of an entry, in one sentence; nothing if they have no words for it."""
        self.named = set()
        return formats.together(self.joined(facts_of(entry, ids)))

    def is_quiet(self, entry: Data) -> bool:
        """Whether the clock has reached a moment or somebody was here, and nothing came of it that could be told."""
        idle = (entry["kind"] in CLOCKED or entry["do"] in self.unseen) and not (
            entry["struck"] or entry.get("fault") or entry.get("refused")
        )
        return idle and not entry["rules"] and not self.changes(entry) and not self.worth_telling(entry)

    # ---- links

    def linked(self, text: str, fields: Data, *, within: bool = False) -> SafeString:
        """A text with what these fields name, squares and proposals as links, its sums as people write them; `within`
        a sentence that has begun before it."""
        text = formats.in_thousands(text)
        rows = [rf"(?<![\w-]){re.escape(name)}(?![\w-])" for name in self.named_in(text, fields)]
        word = "|".join([*rows, rf"(?<![\w-]){self.numbered}\b", r"(?<!\w)#\d{1,9}\b", r"(?<!\w)P\d{1,9}\b"])
        word += r"|(?<![\w$])\$\d[\d,]*" if self.why_of(fields) else ""
        moments = {} if self.as_said else words.moments_in(text, fields, self.game.time_zone)
        word = "|".join([*map(re.escape, moments), word])
        dice = fields.get("dice")
        if isinstance(dice, list) and dice and all(isinstance(face, int) for face in dice):
            word += "|" + r"(?<![\w-])" + "-".join(map(str, dice)) + r"(?![\w-])"
        made: list[str] = []
        end = 0
        for match in re.finditer(word, text):
            made.append(text[end : match.start()])
            link = moments.get(match[0]) or self.one_link(
                match[0], fields, text, (" " if within else "") + text[: match.start()]
            )
            made.append(link)
            end = match.end()
        made.append(text[end:])
        return formats.together(made)

    def named_in(self, text: str, fields: Data) -> list[str]:
        """The names in a text that these fields give, the longest first. Squares and proposals by number are none."""
        named = {
            value
            for key, value in flat(fields)
            if value in text
            and (
                (key not in PLAIN and value in self.view["things"])
                or value in self.names
                or (key in self.kinds | ACTING and words.BARE.fullmatch(value))
            )
        }
        who = fields.get("who") or fields.get("by")
        if isinstance(who, str) and who in text:
            named.add(who)
        named |= {name for name in words.NUMBERED.findall(text) if name[:1] == "$" and name in self.view["things"]}
        return sorted((name for name in named if name and not BY_NUMBER.fullmatch(name)), key=len, reverse=True)

    def why_of(self, fact: Data) -> str:
        """Where it stands why a fact of this line came about; "" where nobody could look."""
        number, facts = self.entry.get("number"), self.entry.get("facts") or ()
        at = next((at for at, each in enumerate(facts[:MOST_FACTS]) if each is fact), None)
        return "" if number is None or at is None else f"{self.address}log/{number}/#fact-{at}"

    def one_link(self, name: str, fields: Data, text: str, before: str) -> str:
        """One name in a sentence as the words that a reader knows, with a link if it is still there.

        `fields`: those of the fact; `text`: the sentence; `before`: what of it stands before the name.
        """
        dice = fields.get("dice")
        if name[:1] == "$" and name[1:2].isdecimal():
            return format_html('<a class="why-sum" href="{}">{}</a>', self.why_of(fields), name)
        if isinstance(dice, list) and name == "-".join(map(str, dice)):
            return format_html('<span class="roll">{}{}</span>', faces(dice), name)
        thing = self.view["things"].get(name, {})
        if name in self.names and not thing and not self.is_bare(name, thing, fields):
            title = self.names[name]  # within a sentence it begins small, unless its other words are written large too
            small = title[1:] == title[1:].lower() or words.ARTICLE.match(title)
            return title[:1].lower() + title[1:] if before and small else title
        label, kind = name, thing.get("kind") or name.rpartition("-")[0]
        if re.fullmatch(self.numbered, name) and before.endswith(f"{kind} "):
            label = thing.get("name") or name.rpartition("-")[2]
        elif name[:1] == "$" or name.startswith(f"{thing.get('kind')}-"):
            label = words.thing_name(self.view, name)
            label = SMALL.sub(lambda match: match[0].lower(), label) if before else label[:1].upper() + label[1:]
        elif re.fullmatch(self.numbered, name):
            label = (name[:1].islower() and thing.get("name")) or name.replace("-", " ")
            label = label if before else label[:1].upper() + label[1:]
        elif self.is_bare(name, thing, fields):
            called = (
                thing.get("name")
                or thing.get("title")
                or titles.row_titles(self.live).get(name, name.replace("-", " "))
            )
            label = words.in_a_sentence(called, before, thing.get("kind") or self.kind_named(name, fields))
        named = name in self.named or "name" in fields or "called" in fields  # by this very entry
        if thing.get("kind") == "square" and thing.get("name") and not named and thing["name"] not in text:
            label = words.thing_name(self.view, name)
            self.named.add(name)
        gone = not thing and label != name
        return label if gone else words.link(self.view, self.address, name, label)

    def is_bare(self, name: str, thing: Data, fields: Data) -> bool:
        """Whether this is a thing, there or gone, called by its id alone, as the `elephant` is; people have names."""
        if (
            thing.get("name")
            and name == name.lower()
            and thing["kind"] not in PEOPLE
            and words.PLAIN_ID.fullmatch(name)
        ):
            return True
        if not words.BARE.fullmatch(name) or name == "game" or thing.get("kind") in PEOPLE:
            return False
        if fields.get("order") == name and name in self.labels:
            return False
        if thing or self.kind_named(name, fields):
            return True
        acts = any(key in ACTING and value == name for key, value in flat(fields))
        return acts and name not in queries.ever_joined(self.live)

    def kind_named(self, name: str, fields: Data) -> str:
        """The kind of a thing that may be gone, as the field of a fact that names it is called; "" if none is."""
        return next((key for key, value in flat(fields) if value == name and key in self.kinds), "")

    # ---- an entry of its own page

    def tree(self, entry: Data) -> list[Data]:
        """The facts of an entry, each with its depth, sentence, rule, dice, and what else it says."""
        facts, self.entry = [], {}  # it is the page that says why
        before: Data = {}  # whose details are not said again
        for at, fact in enumerate(entry["facts"][:MOST_FACTS]):
            said = self.said_by_whom(fact) if fact.get("say") else of_rule(fact) or fact.get("what") or _("something")
            details = [
                (
                    _("seen by") if key == "only" else words.plain(key),
                    words.shown(
                        self.view, self.address, words.rule_changes(value) or value, "moment" if key in MOMENTS else ""
                    ),
                )
                for key, value in fact.items()
                if key not in KNOWN
                and value != before.get("what" if key == "how" else key)
                and not told_already(fact, key, value, said)
            ]
            before = fact
            facts.append(
                {
                    "at": at,
                    "depth": min(6, fact.get("depth", 0)),
                    "said": self.linked(shortened(begun(said, fact), LONGEST_SAID), fact),
                    "what": fact.get("what"),
                    "rule": fact.get("rule"),
                    "details": details,
                }
            )
        return facts

    def changes(self, entry: dict[Any, Any]) -> list[Any]:
        """The changes of an entry that this viewer may know of."""
        return [in_short(change) for change in entry["changes"] if may_see(self.view, change)]


def is_list_of_words(value: object) -> TypeGuard[list[str]]:
    """Whether it is a list of names of things, as of squares that are to become a block."""
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def rules_by_rules(entry: Data) -> list[str]:
    """What becomes of rules in an entry to which no proposal has led, such as of one that repeals itself."""
    if entry["kind"] not in ("tick", "order") or any("proposal" in fact for fact in entry["facts"]):
        return []
    return list(dict.fromkeys(said for said in map(of_rule, entry["facts"]) if said))


def of_rule(fact: Data) -> str:
    """What the kernel has noted of a rule: that it is enacted, amended and so on; "" for any other fact."""
    said = RULEBOOK.get(str(fact.get("what"))) if fact.get("event") == "rulebook" else None
    return said % {"rule": fact.get("number")} if said else ""


def in_short(change: list[Any]) -> list[Any]:
    """A change, where something gets changes of rules with what they are in short: its own page has them all."""
    thing, name, before, after = change
    told = words.rule_changes(after) if before in (None, "", "[]") else ""
    return [thing, name, None, told] if told else change


def begun(said: str, fact: Data) -> str:
    """What rules say of a detail, standing alone. What begins with the id of a thing is left: it is named later."""
    named = any(value and said.startswith(value) for _, value in flat(fact))
    return said if named else said[:1].upper() + said[1:]


def facts_of(entry: Data, ids: set[Any]) -> list[Any]:
    """The facts of an entry that these rules have made, and have a sentence for."""
    return [fact for fact in entry["facts"] if fact.get("rule") in ids and fact.get("say") and leads(fact)]


def repeated(fact: Data, cause: Data) -> bool:
    """Whether a fact says no more than its cause: of somebody the amount, what they pay or get, or bear (-$5); or of
    the same that something came about by it (`how`: an option ends by being bought, a unit moves by a command). One
    that says more, as the number on which a wheel stops, repeats nothing."""
    amount, told, said = fact.get("amount"), (cause.get("price"), cause.get("amount")), cause.get("say") or ""
    people = {each for each in (fact.get("who"), fact.get("to")) if isinstance(each, str) and each in cause.values()}
    people = {each for each in people if not said or words.is_within(each, said)}  # not who pays for another, untold
    if fact.get("how") and fact["how"] == cause.get("what"):
        passed: tuple[str, ...] = ("how",)
    elif fact.get("what") in PAYMENTS and type(amount) is int and people and (amount in told or -amount in told):
        passed = ("amount", "who", "to", "told")
    else:
        return False
    more = {name: value for name, value in fact.items() if name not in (*KNOWN, *passed) and value not in (None, "")}
    return all(cause.get(name) == value or words.is_within(str(value), said) for name, value in more.items())


def is_less_exact(fact: Data, before: Data) -> bool:
    """Whether a fact says of the same what the one before it has said in full to who looks, as a card drawn."""
    said, in_full = (
        {(key, repr(value)) for key, value in each.items() if key not in (*PLAIN, "say", "event", "depth", "rule")}
        for each in (fact, before)
    )
    return fact.get("what") == before.get("what") and said < in_full


def leads(fact: Data) -> bool:
    """Whether the sentence of a fact can stand for its entry: it is news, begins with who acts, with what something
    happens to, or with a capital; others are details."""
    said = fact["say"].strip()
    about = any(value and said.startswith((f"{value} ", f"{value}, ", f"{value}: ")) for _, value in flat(fact))
    return fact.get("what") == "told" or not said[:1].islower() or about


def of_preview(seat: Seat, outcome: Outcome) -> list[Data]:
    """The facts of a preview that a viewer may have, with their sentences: those of real entries are kept with them."""
    events = seat.live.describe()["events"]
    told = []
    for fact in outcome.facts:
        say = events.get(fact.get("event"), {}).get("say")
        if is_for(fact, seat.viewer):
            filled = with_sentence(fact, say)
            unknown = outcome.rolls and say and FIELD.search(fill_sentence(say, fact, holes=True))  # what is not rolled
            told.append(fact if unknown else filled)
    return told


def is_for(fact: Data, viewer: str) -> bool:
    """Whether a viewer may have a fact: news to some carry a list of those; a single name is who was paid."""
    return viewer in fact.get("only", (viewer,))


def may_see(view: Data, change: list[Any]) -> bool:
    """Whether a change is of an attribute that this viewer sees: one open to all, or one that stands in their view."""
    id, name = change[0], change[1]
    thing = view["things"].get(id)
    if thing is not None:
        return name in thing or name == "exists"
    return not any(name == each["name"] and "all" not in each.get("show", ("all",)) for each in every_attribute(view))


def every_attribute(view: Data) -> Generator[Any, None, None]:
    """The attributes that the rules declare, of all kinds."""
    return (attribute for attributes in view["schema"].values() for attribute in attributes)


def shortened(text: str, most: int) -> str:
    """A text, of which no more than so many characters are shown; it says how many are not."""
    if len(text) <= most:
        return text
    more = ngettext("%(n)s more character", "%(n)s more characters", len(text) - most) % {"n": f"{len(text) - most:,}"}
    return f"{text[:most]} … ({more})"


def told_already(fact: Data, key: Any, value: Any, said: Any) -> bool:
    """Whether a field says nothing new beside the sentence."""
    if value in (None, "", AS_ALWAYS) or (key == "mover" and value == fact.get("who")):
        return True
    if isinstance(value, str) and len(value) > LONGEST_LINE:
        return " ".join(value.split()) in said
    return not isinstance(value, (dict, list, bool)) and words.is_within(str(value), said)


def plain_line(teller: Teller, entry: Data) -> str:
    """An entry as a sentence without markup."""
    return " ".join(html.unescape(strip_tags(teller.line(entry))).split())
