"""Sentences in English, with the labels that the rules of the game give things; their numbers filled in, or in
braces."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from nomopoly.rulebook.source import with_gaps
from nomopoly.rulebook.wording.calls import CALL_WORDS, WRITES
from nomopoly.rulebook.wording.naming import Unsayable, article, is_of_several, joined, money_fields, quote, upper
from nomopoly.rulebook.wording.offers import Event, Offers, lowered, readable
from nomopoly.rulebook.wording.phrases import CONDITION_WORDS, Phrases
from nomopoly.rulebook.wording.sentence import ONE_OF_A_KIND, TERMS, Part, Sentence

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
SEES = {"owner": "the owner", "admin": "the Admin"}
BLOCKS = ("if", "each", "for", "while")
CARRIED_OUT = {"at_once": "waits for no update", "in_pause": "is possible in a pause"}  # what decorators of actions say
# A sentence of the log that says what somebody does, with a verb that takes a plain s: "{who} gets {points} points".
NO_SUCH_VERB = r"\w+(?:ch|sh|ss|x|o|i)es\b|(?:is|was|has|always|sometimes|perhaps)\b"
LOGGED = re.compile(rf"\{{who\}} (?!{NO_SUCH_VERB})([a-z]+)s\b ?(.*?)\.?")
OWNED_CLAUSES = {
    "unowned": "that nobody owns",
    "owned": "that somebody owns",
    "owned by another": "that somebody else owns",
    "owned by": "that they own",
}


def prose(sentences: list[Sentence], offers: Offers, filled: bool = False) -> str:
    """What sentences say, one after the other. Unless `filled`, named numbers stand in braces, as in the prose of a
    rule.

    Raises Unsayable where a sentence is incomplete.
    """
    return " ".join([say(each, offers, filled) for each in sentences])


def say(sentence: Sentence, offers: Offers, filled: bool = True) -> str:
    """What one sentence says. Raises Unsayable."""
    teller = Teller(offers, filled)
    try:
        return teller.sentence(sentence)
    except (KeyError, TypeError, AttributeError, IndexError, RecursionError) as error:
        raise Unsayable(f"the sentence is incomplete: {error}") from None


def label(part: Part, offers: Offers, sentence: Sentence | None = None) -> str:
    """A short label of a part for a menu, within a sentence. Raises Unsayable."""
    teller = Teller(offers, True)
    try:
        if sentence is not None:
            teller.begin(sentence)
        return teller.condition(part) if part["is"] in CONDITION_WORDS else teller.expression(part)
    except (KeyError, TypeError, AttributeError, IndexError, RecursionError) as error:
        raise Unsayable(f"the part is incomplete: {error}") from None


class Teller(Phrases):
    """One sentence being told whole."""

    def sentence(self, sentence: Sentence) -> str:
        """The whole sentence."""
        teller: Callable[[Any, Sentence], str] | None = FORM_WORDS.get(sentence["form"])
        if teller is None:
            raise Unsayable(f"no English is known for {sentence['form']}")
        return upper(teller(self, sentence)).rstrip(".") + "."

    def body(self, sentence: Sentence, link: str = "if") -> str:
        """The condition and the effects of a sentence."""
        lead = f", {link} {self.condition(sentence['if'])}" if sentence["if"] is not None else ""
        then = sentence["then"]
        effects = self.nested(then) if lead and then and then[0]["is"] in BLOCKS else self.effects(then)
        return f"{lead}, {effects}"

    def tell_when(self, sentence: Sentence) -> str:
        """A rule that waits at a station of an event."""
        self.begin(sentence)
        clause = self.clause()
        lead = {"after": "when", "forbidden": "before", "instead": "before", "on": "as"}[sentence["how"]]
        merged = self.merged(sentence, clause)
        if merged is not None:
            clause, sentence = merged
        return f"{lead} {clause}{self.body(sentence)}"

    def merged(self, sentence: Sentence, clause: str) -> tuple[str, Sentence] | None:
        """The clause with who owns what it ends with: "a player lands on a square that somebody else owns"."""
        part = sentence["if"]
        first = part["of"][0] if part is not None and part["is"] == "and" else part
        if first is None or first["is"] not in (*OWNED_CLAUSES, "another"):
            return None
        place, whose = first["of"], "somebody else"
        if first["is"] == "another":
            inner = place.get("of")
            inner = inner[0] if isinstance(inner, list) and len(inner) == 1 else inner
            if not isinstance(inner, dict) or place["is"] not in ("attribute", "value"):
                return None
            whose = self.attribute_label(place) if place["is"] == "attribute" else self.value_label(place["name"])
            place = inner
        if place["is"] != "field":
            return None
        other = first.get("than") or first.get("by")
        if other is not None and other != {"is": "field", "name": "who"}:
            return None
        noun = self.first_mention(place["name"]) if self.event and place["name"] in self.event.fields else ""
        if not noun or not clause.endswith(" " + noun):
            return None
        rest = part["of"][1:] if part is not None and part["is"] == "and" else []
        left = None if not rest else rest[0] if len(rest) == 1 else {"is": "and", "of": rest}
        text = OWNED_CLAUSES.get(first["is"]) or f"whose {whose} is somebody else"
        return f"{clause} {text}", {**sentence, "if": left}

    def tell_every(self, sentence: Sentence) -> str:
        """A moment of the calendar."""
        self.begin(sentence)
        day = f"every {DAYS[sentence['weekday']]}" if sentence["weekday"] in range(7) else "every day"
        when = f"{day} at {sentence['hour']}:{sentence['minute']:02d}"
        if not sentence["then"] and sentence["if"] is None:  # another rule says what then, or a part told apart
            return f"{when}, {quote(readable(sentence['moment']))} happens"
        return f"{when}{self.body(sentence)}"

    def tell_button(self, sentence: Sentence) -> str:
        """An action of players."""
        self.begin(sentence)
        who = self.actor()
        asks = [lowered(each) for each in sentence.get("asks") or [each["label"] for each in sentence["fields"]]]
        asked = f" and says {joined([quote(each) for each in asks])}" if asks else ""
        heading, more = quote(sentence["label"] or readable(sentence["action"])), sentence.get("more", {})
        if "ballot" in more:
            if not more["ballot"] or sentence["then"]:
                raise Unsayable("it cannot be said how these votes are counted")
            counted = f"a vote, which is counted as {quote(readable(more['ballot']))} happens"
            return f"{who} who chooses {heading}{asked} gives {counted}"
        how = [told for name, told in CARRIED_OUT.items() if more.get(name) == "yes"]
        if "private" in more or sentence.get("secret"):
            always = sentence.get("secret") or more["private"]
            how.insert(0, "is kept from the others" if always else "can be kept from the others")
        if how:
            asked += f" (the order {joined(how)})"
        return f"when {who} chooses {heading}{asked}{self.body(sentence)}"

    def tell_value(self, sentence: Sentence) -> str:
        """A rule that bends a value."""
        self.begin(sentence)
        of = [{"is": "it", "name": each} for each in sentence["as"]]
        if len(sentence["then"]) == 1 and sentence["then"][0]["is"] == "change":
            kind = self.offers.values[sentence["value"]].of if sentence["value"] in self.offers.values else ""
            subject = self.value_phrase(sentence["value"], of)
            if len(of) == 1 and kind:
                subject = f"{self.value_label(sentence['value'])} of {article(self.kind_label(kind))}"
            text = f"the {subject} {self.change(sentence['then'][0], sentence['value'])}"
            return f"{text}, if {self.condition(sentence['if'])}" if sentence["if"] is not None else text
        return f"for the {self.value_phrase(sentence['value'], of)}{self.body(sentence)}"

    def tell_attribute(self, sentence: Sentence) -> str:
        """Something that everybody has."""
        default = self.literal(sentence["default"], sentence["type"])
        kinds = sentence.get("more", {}).get("kind", [sentence["kind"]])
        whose = joined(["the game" if each == "game" else f"every {self.kind_label(each)}" for each in kinds])
        text = f"{whose} has {quote(sentence['label'] or readable(sentence['name']))}, {default} at first"
        seen = seen_by(sentence.get("more", {}).get("show", sentence["show"]))
        return f"{text}; {seen}" if seen else text

    def literal(self, content: object, type: str) -> str:
        """A plain content."""
        if isinstance(content, dict):
            return self.expression(content, type)
        if content is None or content == "" or content == []:
            return "nothing"
        if isinstance(content, bool):
            return "yes" if content else "no"
        return f"${content:,}" if type == "money" and isinstance(content, int) else str(content)

    def tell_row(self, sentence: Sentence) -> str:
        """A row of a catalogue."""
        columns = [f"{readable(name)} {self.expression(each)}" for name, each in sentence["columns"].items()]
        return f"there is {article(readable(sentence['catalogue']))} {quote(sentence['name'])}" + (
            f": {', '.join(columns)}" if columns else ""
        )

    def tell_event(self, sentence: Sentence) -> str:
        """An event."""
        fields = joined([readable(each) for each in sentence["fields"]]) if sentence["fields"] else ""
        said = f" (in the log: {quote(with_gaps(sentence['say']))})" if sentence["say"] else ""
        told = sentence.get("more", {}).get("notify", [])
        names = joined([readable(each) for each in ([told] if isinstance(told, str) else told)]) if told else ""
        noticed = f"; a notice of it goes to {names}" if names else ""
        return f"{quote(readable(sentence['event']))} can happen{', with ' + fields if fields else ''}{said}{noticed}"

    def tell_kind(self, sentence: Sentence) -> str:
        """A kind of things."""
        return f"there can be things called {quote(sentence['label'] or readable(sentence['kind']))}"

    def tell_definition(self, sentence: Sentence) -> str:
        """The definition of a value."""
        self.begin(sentence)
        of = [{"is": "it", "name": each} for each in sentence["as"]]
        subject = self.value_phrase(sentence["value"], of)
        only = sentence["then"][0] if sentence["if"] is None and len(sentence["then"]) == 1 else None
        if only is not None and only["is"] == "return":
            if self.is_condition(only["be"]):
                return (
                    f"{quote(self.value_label(sentence['value']))} holds{self.for_things(of)} if "
                    f"{self.truth(only['be'])}"
                )
            return f"the {subject} is {self.expression(only['be'], self.value_type(sentence['value']))}"
        return f"the {subject}: {self.body(sentence)[2:]}"

    def tell_marker(self, sentence: Sentence) -> str:
        """What the board shows."""
        self.begin(sentence)
        return f"on the board, at {article(self.kind_label(sentence['kind']))}{self.body(sentence)}"

    def tell_function(self, sentence: Sentence) -> str:
        """A function of the rule's own."""
        self.begin(sentence)
        of = joined([self.names[each] for each in sentence["as"]]) if sentence["as"] else ""
        only = sentence["then"][0] if sentence["if"] is None and len(sentence["then"]) == 1 else None
        heading = quote(readable(sentence["name"])) + (f" of {of}" if of else "")
        if only is not None and only["is"] == "return" and self.is_condition(only["be"]):
            return f"{heading} holds if {self.truth(only['be'])}"
        if only is not None and only["is"] == "return":
            return f"{heading} is {self.expression(only['be'])}"
        return f"{heading} means: {self.body(sentence)[2:]}"

    def tell_once(self, sentence: Sentence) -> str:
        """A program that runs once."""
        self.begin(sentence)
        return self.body(sentence)[2:]

    def effects(self, effects: list[Part]) -> str:
        """Effects, one after the other, numbered where it would not be seen where each of them ends."""
        self.depth += 1
        told = [text for text in [self.effect(each) for each in effects] if text]
        self.depth -= 1
        if not told:
            return "nothing happens"
        if len(told) == 1:
            return told[0]
        if any(each["is"] in BLOCKS for each in effects):
            return "; ".join([f"({self.mark(at)}) {text}" for at, text in enumerate(told, 1)])
        return ", and then ".join(told) if len(told) == 2 else f"{', then '.join(told[:-1])}, and then {told[-1]}"

    def mark(self, at: int) -> str:
        """The sign of one of several effects: 1, 2... at the top, a, b... within, i, ii... within those."""
        if self.depth == 1 and at <= 26:
            return "abcdefghijklmnopqrstuvwxyz"[at - 1]
        return str(at) if self.depth == 0 else f"{'i' * at}" if at < 4 else f"{self.depth}.{at}"

    def nested(self, effects: list[Part]) -> str:
        """Effects within others: in brackets where it would not be seen where they end."""
        text = self.effects(effects)
        simple = len(effects) < 2 and not any(each["is"] in BLOCKS for each in effects)
        return text if simple else f"[{text}]"

    def effect(self, part: Part) -> str:
        """One effect."""
        teller: Callable[[Any, Part], str] | None = EFFECT_WORDS.get(part["is"])
        if teller is None:
            raise Unsayable(f"no English is known for {part['is']}")
        return teller(self, part)

    def called_so(self, name: str) -> str:
        """What a variable is called after it has got its name."""
        return quote(readable(name)) if name in ("who", "each", "it", "e") else f"the {readable(name)}"

    def tell_let(self, part: Part) -> str:
        """A name for what something is now; what only shortens a field of the event needs no words."""
        be = part["be"]
        kind = self.kind_of(be)
        if be["is"] == "field" and part["name"] not in self.names:
            self.names[part["name"]] = self.expression(be)
            self.kinds[part["name"]] = kind
            self.shortened.add(part["name"])
            return ""
        if part["name"] in self.shortened:
            raise Unsayable("a name has two meanings")
        phrase = self.names.get(part["name"]) or self.called_so(part["name"])
        type = "yesno" if self.is_condition(be) or be["is"] == "yes" else self.type_of(be)
        self.types[part["name"]] = type if self.types.get(part["name"], type) == type else ""
        if be["is"] in ("do", "pay") or (be["is"] == "call" and be["name"] in WRITES):
            text = f"{self.effect(be)}, and what comes of it is "
        elif self.is_condition(be):
            text = f"whether {self.truth(be)} is "
        else:
            text = f"{self.expression(be)} is "
        self.name(part["name"], phrase, kind)
        return (
            f"{text}{quote(readable(part['name']))}"
            if not self.names[part["name"]].startswith("“")
            else f"{text}{self.names[part['name']]}"
        )

    def tell_many(self, part: Part) -> str:
        """Names for several things at once."""
        text = self.expression(part["be"])
        for each in part["names"]:
            if each != "_":
                self.name(each, self.called_so(each), "")
        return f"{text} are {joined([quote(readable(each)) for each in part['names']])}"

    def tell_set(self, part: Part) -> str:
        """A new content of an attribute."""
        type, heading = self.attribute_type(part), self.attribute_label(part)
        to = part["to"]
        if to["is"] == "yes":
            again = "is set" if to["value"] else "is no longer set"
            return f"{quote(heading)} {again} for {self.object(part['of'])}"
        become = "become" if is_of_several(heading) else "becomes"
        if to["is"] == "nothing" and part["name"] == "owner":
            return f"nobody owns {self.object(part['of'])} any more"
        if part["name"] == "owner" and to["is"] in (*TERMS, *ONE_OF_A_KIND):
            return f"{self.acts(to, 'become', f'the {heading} of')} {self.object(part['of'])}"
        if to["is"] == "nothing":
            return f"{self.attribute_phrase(part)} {become} nothing"
        if self.is_condition(to):
            return f"{self.attribute_phrase(part)} {become} yes if {self.truth(to)}, otherwise no"
        return f"{self.attribute_phrase(part)} {become} {self.object(to, type)}"

    def tell_step(self, part: Part) -> str:
        """An attribute raised or lowered."""
        type = self.attribute_type(part)
        goes = "go" if is_of_several(self.attribute_label(part)) else "goes"
        return (
            f"{self.attribute_phrase(part)} {goes} {'up' if part['is'] == 'raise' else 'down'} by "
            f"{self.expression(part['by'], type)}"
        )

    def tell_make(self, part: Part) -> str:
        """A thing that is made."""
        types = {each.name: each.type for each in self.offers.attributes_of(part["kind"])}
        text = f"{article(self.kind_label(part['kind']))} is made{self.fields_told(part['with'], types)}"
        if part.get("as"):
            self.name(part["as"], f"the {self.kind_label(part['kind'])}", part["kind"])
            if self.names[part["as"]].startswith("“"):
                text += f" (called {self.names[part['as']]})"
        return text

    def tell_do(self, part: Part) -> str:
        """An event that is made to happen."""
        known = self.offers.events.get(part["event"])
        types = money_fields(known)
        sentence = self.as_it_is_logged(part, known, types)
        if sentence:
            return f"{sentence}{', unless a rule forbids it' if part['may'] else ''}"
        heading = quote(known.label if known is not None and known.label else readable(part["event"]))
        unless = ", unless a rule forbids it" if part["may"] else ""
        return f"{heading} happens{self.fields_told(part['with'], types)}{unless}"

    def as_it_is_logged(self, part: Part, known: Event | None, types: dict[str, str]) -> str:
        """What an event is in the words of the log: "they get 5 points". "" where these do not tell it all."""
        found = LOGGED.fullmatch(known.say) if known is not None and not known.action else None
        if found is None or set(re.findall(r"\{(\w+)\}", found[0])) != set(part["with"]):
            return ""
        given = part["with"]
        rest = re.sub(r"\$?\{(\w+)\}", lambda at: self.content(given[at[1]], types.get(at[1], "")), found[2])
        return self.acts(given["who"], found[1], rest)

    def tell_each(self, part: Part) -> str:
        """The same for every thing of a kind."""
        noun = self.kind_label(part["kind"])
        self.name(part["as"], f"that {noun}", part["kind"])
        called = f" ({self.names[part['as']]})" if self.names[part["as"]].startswith("“") else ""
        lead = f"for each {noun}{called}" + (f" if {self.condition(part['if'])}" if part["if"] is not None else "")
        return f"{lead}: {self.nested(part['then'])}"

    def tell_for(self, part: Part) -> str:
        """The same for each of a list."""
        of = self.expression(part["of"])
        kind = self.kind_in(part["of"])
        if part["as"] == ["_"]:
            return f"for each of {of}: {self.nested(part['then'])}"
        for each in part["as"]:
            noun = self.kind_label(kind) if kind and len(part["as"]) == 1 else ""
            self.name(each, f"that {noun}" if noun else quote(readable(each)), kind if noun else "")
        called = f" ({joined([self.names[each] for each in part['as']])})" if not kind or len(part["as"]) > 1 else ""
        lead = f"for each of {of}{called}" + (f" if {self.condition(part['if'])}" if part["if"] is not None else "")
        return f"{lead}: {self.nested(part['then'])}"

    def tell_if(self, part: Part) -> str:
        """What happens under a condition."""
        text = f"if {self.condition(part['if'])}, {self.nested(part['then'])}"
        return f"{text}, otherwise {self.nested(part['otherwise'])}" if part["otherwise"] else text

    def tell_return(self, part: Part) -> str:
        """What a function gives back."""
        be = part["be"]
        if be["is"] in ("do", "pay"):
            return self.effect(be)
        if self.how == "forbidden":
            return self.tell_reason(be)
        if self.how in ("after", "every"):
            raise Unsayable("what a rule gives back here means nothing")
        if self.how == "instead":
            raise Unsayable("it cannot be said what happens instead")
        if self.is_condition(be):
            return f"the answer is yes if {self.truth(be)}, otherwise no"
        return f"the answer is {self.expression(be)}"

    def tell_reason(self, be: Part) -> str:
        """A reason that is put together or looked up while the game runs, if there is one."""
        last = ", and nothing more of this is asked" if self.depth > 1 else ""
        if be["is"] == "nothing" or be == {"is": "yes", "value": False}:
            return f"there is nothing against it{last}"
        if self.is_condition(be):
            return f"it is expressly allowed if {self.truth(be)}{last}"
        if be["is"] == "either" and be["otherwise"]["is"] == "nothing":
            return f"if {self.condition(be['if'])}, {self.tell_reason(be['then'])}"
        if be["is"] == "math" and be["left"]["is"] == "text":
            return f"it is forbidden: {self.expression(be)}"
        if be["is"] == "it":
            return f"{self.expression(be)}, if there is one, is the reason why it is forbidden{last}"
        return f"it is forbidden if {self.expression(be)} gives a reason{last}"

    def tell_stop(self, part: Part) -> str:
        """Nothing more."""
        asked = self.how in ("forbidden", "instead", "value", "marker")
        return f"nothing more of this {'is asked' if asked else 'happens'}"

    def tell_tell(self, part: Part) -> str:
        """A message."""
        to = part["to"]
        whom = "everybody" if to["is"] == "nothing" else self.object(to)
        return f"{whom} {'are' if whom == 'them' else 'is'} told {self.text(part['text'])}".replace(
            "them are told", "they are told"
        )

    def change(self, part: Part, value: str) -> str:
        """What becomes of a value."""
        type = self.value_type(value)
        how = part["how"]
        amount = self.expression(
            part["amount"], type if how in ("more", "less", "at least", "at most", "exactly") else ""
        )
        return {
            "more": f"is {amount} higher",
            "less": f"is {amount} lower",
            "percent": f"is {amount} per cent higher",
            "percent less": f"is {amount} per cent lower",
            "times": f"is multiplied by {amount}",
            "divided by": f"is divided by {amount}",
            "at least": f"is at least {amount}",
            "at most": f"is at most {amount}",
            "exactly": f"is {amount}",
        }[how]

    def tell_call(self, part: Part) -> str:
        """A word of the game, or a function of the rule, that does something."""
        known = CALL_WORDS.get(part["name"])
        if known is not None:
            text = known(self, part)
            if text is not None:
                return text
        return f"{self.called(part)} is done{self.arguments(part)}"

    def tell_act(self, part: Part) -> str:
        """One of the plain acts."""
        return ACTS[part["is"]](self, part)

    def tell_add_to(self, part: Part) -> str:
        """A number that is added to."""
        return f"{self.names.get(part['name'], quote(readable(part['name'])))} goes up by {self.expression(part['by'])}"

    def tell_while(self, part: Part) -> str:
        """The same again and again."""
        return f"as long as {self.condition(part['if'])}: {self.nested(part['then'])}"

    def tell_append(self, part: Part) -> str:
        """Something added to a list."""
        if part["name"] != "append" or len(part["args"]) != 1:
            raise Unsayable(f"what .{part['name']}(...) does cannot be told")
        return f"{self.content(part['args'][0])} is added to {self.inner(part['of'])}"


ACTS: dict[str, Callable[[Teller, Part], str]] = {
    "pay": lambda t, p: t.acts(p["who"], "pay", f"{t.inner(p['to'])} {t.expression(p['amount'], 'money')}"),
    "gain": lambda t, p: t.acts(p["who"], "get", t.expression(p["amount"], "money")),
    "lose": lambda t, p: t.acts(p["who"], "lose", t.expression(p["amount"], "money")),
    "award": lambda t, p: t.acts(p["who"], "be", f"awarded {t.expression(p['amount'], 'money')}"),
    "fine": lambda t, p: t.acts(p["who"], "be", f"fined {t.expression(p['amount'], 'money')}"),
    "win": lambda t, p: t.acts(p["who"], "win", "the game"),
    "move": lambda t, p: t.acts(p["who"], "move", f"on by {t.expression(p['steps'])}"),
    "jump": lambda t, p: t.acts(p["who"], "jump", f"to {t.object(p['to'])}"),
    "give item": lambda t, p: t.acts(p["who"], "get", f"the item {t.object(p['item'])}"),
    "take item": lambda t, p: t.acts(p["who"], "lose", f"the item {t.object(p['item'])}"),
    "destroy": lambda t, p: t.acts(p["of"], "be", "destroyed"),
    "refuse": lambda t, p: f"it is refused: {t.text(p['because'])}",
    "forbid": lambda t, p: f"it is forbidden: {t.text(p['because'])}",
    "allow": lambda t, p: "it is expressly allowed",
    "prevent": lambda t, p: "it does not happen",
    "break": lambda t, p: "this ends for all that are left",
    "next": lambda t, p: "the next one follows",
    "but": lambda t, p: f"it happens with other fields{t.fields_told(p['with'], money_fields(t.event))}",
    "to": lambda t, p: (
        f"{quote(readable(p['event']))} happens in its "
        f"place{t.fields_told(p['with'], money_fields(t.offers.events.get(p['event'])))}"
    ),
    "change": lambda t, p: "it " + t.change(p, ""),
}
EFFECT_WORDS: dict[str, Callable[[Any, Part], str]] = {
    **dict.fromkeys(ACTS, Teller.tell_act),
    "stop": Teller.tell_stop,
    "set": Teller.tell_set,
    "raise": Teller.tell_step,
    "lower": Teller.tell_step,
    "make": Teller.tell_make,
    "do": Teller.tell_do,
    "tell": Teller.tell_tell,
    "let": Teller.tell_let,
    "let many": Teller.tell_many,
    "add to": Teller.tell_add_to,
    "each": Teller.tell_each,
    "for": Teller.tell_for,
    "while": Teller.tell_while,
    "if": Teller.tell_if,
    "return": Teller.tell_return,
    "call": Teller.tell_call,
    "method": Teller.tell_append,
}
FORM_WORDS: dict[str, Callable[[Any, Sentence], str]] = {
    "when": Teller.tell_when,
    "every": Teller.tell_every,
    "button": Teller.tell_button,
    "value": Teller.tell_value,
    "attribute": Teller.tell_attribute,
    "row": Teller.tell_row,
    "event": Teller.tell_event,
    "kind": Teller.tell_kind,
    "definition": Teller.tell_definition,
    "marker": Teller.tell_marker,
    "function": Teller.tell_function,
    "once": Teller.tell_once,
}


def seen_by(show: str | list[str]) -> str:
    """Who sees an attribute, as its declaration says; "" where everybody does."""
    words = [show] if isinstance(show, str) else show
    if "all" in words:
        return ""
    some = [SEES[each] for each in words if each in SEES]
    once = [quote(readable(each)) for each in words if each not in SEES and each != "nobody"]
    told = f"only {joined(some)} {'sees' if len(some) == 1 else 'see'} it" if some else "nobody sees it"
    return f"{told} until {joined(once, 'or')} holds" if once else told
