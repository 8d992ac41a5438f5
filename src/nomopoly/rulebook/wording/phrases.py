"""Conditions and expressions in English, with the labels that the rules of the game give things."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from nomopoly.rulebook.wording.calls import CALL_PHRASES, METHOD_WORDS, UNTELLABLE, WRITES
from nomopoly.rulebook.wording.naming import Naming, Unsayable, article, is_of_several, joined, plural, quote
from nomopoly.rulebook.wording.offers import readable
from nomopoly.rulebook.wording.sentence import Part, opposite

COMPARED = {
    "==": "is",
    "!=": "is not",
    "<": "is less than",
    "<=": "is at most",
    ">": "is more than",
    ">=": "is at least",
    "is": "is",
    "is not": "is not",
    "in": "is among",
    "not in": "is not among",
}
MATH_WORDS = {
    "plus": "{} plus {}",
    "minus": "{} minus {}",
    "times": "{} times {}",
    "divided by": "{} divided by {}, rounded down",
}

# A label that begins or ends with one of these, or holds one of those, is no noun.
AT_AN_END = ("of", "until", "by", "at", "since", "to", "for", "on", "from", "in", "over", "without", "paused")
ANYWHERE = ("may", "can", "cannot", "is", "are", "has", "had", "holds", "must", "will")


def as_noun(label: str, type: str = "") -> str:
    """A label as a noun of a sentence: one that is none is quoted, as in "the “option of” of the square"; so is what is
    or is not so: "the “bankrupt” of the player"."""
    words = label.casefold().split()
    is_none = words and (words[0] in AT_AN_END or words[-1] in AT_AN_END or {*words} & {*ANYWHERE})
    return quote(label) if is_none or type == "yesno" else label


class Phrases(Naming):
    """The conditions and expressions of one sentence."""

    def effect(self, part: Part) -> str:
        """What is done within a condition."""
        raise Unsayable("what is done within a condition cannot be told")

    def acts(self, who: Part, verb: str, rest: str = "") -> str:
        """Somebody does something: "they pay", "the owner pays"."""
        subject = self.subject(who)
        plural = subject == "they" or who["is"] in ("all", "list", "items")
        irregular = {"be": ("are", "is"), "have": ("have", "has")}
        pair = irregular.get(verb, (verb, verb + "s"))
        return f"{subject} {pair[0] if plural else pair[1]}{' ' + rest if rest else ''}"

    def fields_told(self, fields: dict[str, Part], types: dict[str, str]) -> str:
        """What an event or thing is given."""
        if not fields:
            return ""
        told = [f"{readable(name)}: {self.content(each, types.get(name, ''))}" for name, each in fields.items()]
        return f" ({'; '.join(told)})"

    def content(self, part: Part, type: str = "") -> str:
        """An expression where conditions can stand too."""
        return f"whether {self.truth(part)}" if self.is_condition(part) else self.object(part, type)

    def text(self, part: Part) -> str:
        """A text that is shown, in quotes."""
        return quote(self.inner_text(part)) if part["is"] == "text" else self.expression(part)

    def inner_text(self, part: Part) -> str:
        """A text with what stands in it: what is filled in while the game runs stands in square brackets."""
        found = ""
        for each in part["parts"]:
            if isinstance(each, str):
                found += each
            elif each["is"] == "number":
                found += self.number(each, "")
            else:
                told = self.expression(each)
                found += f"[{'their name' if told in ('they', 'them') else told}]"
        return found

    def called(self, part: Part) -> str:
        """A word or function by its name, noted among those that were spoken of."""
        self.spoken.setdefault(part["name"])
        return quote(readable(part["name"].replace("chance.", "chance: ")))

    def arguments(self, part: Part) -> str:
        """What a word is given."""
        told = [self.content(each) for each in part["of"] if each != {"is": "it", "name": "e"}]
        told += [f"{readable(name)}: {self.content(each)}" for name, each in part["with"].items()]
        return f" for {joined(told)}" if told else ""

    def condition(self, part: Part, inner: bool = False) -> str:
        """A condition."""
        name = part["is"]
        if name in ("and", "or"):
            told = [self.condition(each, True) for each in part["of"]]
            text = joined(told, name)
            return f"({text})" if inner else text
        return CONDITION_WORDS[name](self, part)

    def is_condition(self, part: Part) -> bool:
        """Whether an expression says whether something is so."""
        if part["is"] in ("whether", "exists", "chance", "some"):
            return True
        if part["is"] == "call":
            return part["name"] in ("isinstance", "can_happen") or self.offers.docs.get(part["name"], "").startswith(
                "Whether"
            )
        if part["is"] == "value" and part["name"] in self.offers.values:
            return self.offers.values[part["name"]].type == "yesno"
        return False

    def truth(self, part: Part) -> str:
        """That an expression is true."""
        if part["is"] == "whether":
            return self.condition(part["if"])
        if part["is"] in ("exists", "chance", "some"):
            return self.condition(part)
        return self.told_true(part, True)

    def told_true(self, part: Part, so: bool) -> str:
        """That an expression is so, or is not so."""
        name = part["is"]
        if name == "pay" or (name == "do" and part["may"]):
            done = self.effect({**part, "may": False} if name == "do" else part)
            return f"trying this {'succeeds' if so else 'fails'} ({done})"
        if name == "do":
            raise Unsayable("what is done within a condition cannot be told")
        if name == "whether":
            return self.condition(part["if"]) if so else f"it is not so that {self.condition(part['if'])}"
        if name == "call" and part["name"] in WRITES:
            raise Unsayable("what it gives cannot be told")
        type = self.type_of(part)
        if name == "call" and part["name"] == "can_happen":
            return f"{'a' if so else 'no'} rule declares {self.expression(part['of'][0])}"
        if name == "call" and part["name"] == "isinstance":
            raise Unsayable("sorts cannot be told")
        if name == "call" and self.is_condition(part):
            return f"{self.called(part)} {'holds' if so else 'does not hold'}{self.arguments(part)}"
        if name == "attribute" and type == "yesno":
            heading = quote(self.attribute_label(part))
            return f"{heading} is {'' if so else 'not '}set for {self.object(part['of'])}"
        if name == "value" and type == "yesno":
            heading = quote(self.value_label(part["name"]))
            return f"{heading} {'holds' if so else 'does not hold'}{self.for_things(part['of'])}"
        if name == "it" and type == "yesno":
            return f"{self.expression(part)} {'holds' if so else 'does not hold'}"
        if name in ("list", "all") or type == "list":
            return f"there {'is one or more' if so else 'are none'} among {self.expression(part)}"
        if type in ("number", "money"):
            return f"{self.expression(part)} is {'not ' if so else ''}0"
        if type == "thing" or type in self.offers.kinds:
            return f"there is {'' if so else 'not '}{self.expression(part)}"
        return (
            f"{self.subject(part)} {'are' if self.subject(part) == 'they' else 'is'} {'not ' if so else ''}empty "
            "(nothing, no or 0)"
        )

    def tell_not(self, part: Part) -> str:
        """What is not so."""
        of = part["of"]
        if of["is"] == "true":
            return self.told_true(of["of"], False)
        if of["is"] == "compare" and of["right"]["is"] != "yes":
            return self.tell_compare(opposite(of))
        negated = NEGATED.get(of["is"])
        return negated(self, of) if negated is not None else f"it is not so that {self.condition(of, True)}"

    def tell_compare(self, part: Part) -> str:
        """A comparison."""
        left, right, op = part["left"], part["right"], part["op"]
        type = self.type_of(left)
        type = type if type in ("money", "moment") else self.type_of(right)
        subject = self.subject(left, type)
        words = COMPARED[op]
        if right["is"] == "nothing":
            return self.nothing_told(left, op in ("is", "=="))
        if type == "moment" and op in ("<", "<=", ">", ">="):
            words = {"<": "is before", "<=": "is not after", ">": "is after", ">=": "is not before"}[op]
        if op in ("in", "not in") and right["is"] == "items":
            told = [self.object(each, type) if each["is"] != "nothing" else "nobody" for each in right["of"]]
            words = "is" if op == "in" else "is neither"
            text = joined(told, "or" if op == "in" else "nor")
            return f"{self.agree(subject, words)} {text}"
        if right["is"] == "yes":
            if op not in ("is", "is not", "=="):
                raise Unsayable("this comparison cannot be told")
            return f"{self.agree(subject, words)} {'yes' if right['value'] else 'no'}"
        if op in ("==", "!=") and (self.is_condition(left) or self.is_condition(right)):
            return f"{self.content(left)} {COMPARED[op]} the same as {self.content(right)}"
        if self.is_condition(left) or self.is_condition(right):
            raise Unsayable("this comparison cannot be told")
        several = left["is"] == "attribute" and is_of_several(self.attribute_label(left))
        return f"{self.agree(subject, words, several)} {self.object(right, type)}"

    def agree(self, subject: str, words: str, several: bool = False) -> str:
        """A subject with a form of `be`."""
        return f"{subject} {re.sub(r'^is', 'are', words) if several or subject == 'they' else words}"

    def nothing_told(self, part: Part, none: bool) -> str:
        """That there is nothing, or something."""
        if part["is"] == "attribute":
            of = self.subject(part["of"])
            have = "have" if of == "they" else "has"
            return f"{of} {have} {'no ' if none else 'a value for '}{quote(self.attribute_label(part))}"
        if part["is"] == "result":
            return "nothing came of it" if none else "something came of it"
        if part == {"is": "field", "name": "who"}:
            return "no player does it" if none else "a player does it"
        return f"there is {'no such thing as ' if none else ''}{self.expression(part)}"

    def subject(self, part: Part, type: str = "") -> str:
        """An expression as a subject."""
        return self.expression(part, type)

    def object(self, part: Part, type: str = "") -> str:
        """An expression as an object."""
        text = self.expression(part, type)
        return "them" if text == "they" else text

    def possessive(self, part: Part, what: str) -> str:
        """What somebody has: "their money", "the owner of the square"."""
        text = self.expression(part)
        if text == "they":
            return f"their {what}"
        return f"the {what.removeprefix('the ')} of {text}"

    def number(self, part: Part, type: str) -> str:
        """A number."""
        content = part["value"]
        if part["name"] == "id":
            return "the number of this rule"
        if part["name"] and not self.filled:
            return f"${{{part['name']}}}" if type == "money" else f"{{{part['name']}}}"
        if isinstance(content, bool):
            return "yes" if content else "no"
        if isinstance(content, int):
            sign = "-" if content < 0 else ""
            return f"{sign}${abs(content):,}" if type == "money" else f"{content:,}"
        if isinstance(content, str):
            return quote(content)
        if isinstance(content, (list, tuple)) and all(isinstance(each, (int, str)) for each in content):
            return ", ".join([str(each) for each in content])
        raise Unsayable("this number cannot be told")

    def expression(self, part: Part, type: str = "") -> str:
        """An expression, of a wanted type ("money" puts a $ before a plain number)."""
        name = part["is"]
        if name == "number":
            return self.number(part, type)
        teller: Callable[[Any, Part, str], str] | None = EXPRESSION_WORDS.get(name)
        if teller is None:
            raise Unsayable(f"no English is known for {name}")
        return teller(self, part, type)

    def tell_field(self, part: Part, type: str) -> str:
        """A field of the event."""
        if part["name"] == "trail" or part["name"] == "via":
            raise Unsayable("how it came about cannot be told")
        if part["name"] == "name":
            return self.fields.get("name", "the name of the event")
        return self.fields.get(part["name"]) or f"the {readable(part['name'])}"

    def tell_it(self, part: Part, type: str) -> str:
        """Something that has been named."""
        return self.names.get(part["name"]) or quote(readable(part["name"]))

    def attribute_phrase(self, part: Part) -> str:
        """An attribute of something."""
        return self.possessive(part["of"], as_noun(self.attribute_label(part), self.attribute_type(part)))

    def tell_attribute_of(self, part: Part, type: str) -> str:
        """What something has."""
        if part["name"] == "id":
            return (
                self.possessive(part["of"], "name")
                if self.kind_of(part["of"]) == "player"
                else f"the id of {self.object(part['of'])}"
            )
        if part["name"] == "kind":
            return f"the kind of {self.object(part['of'])}"
        return self.attribute_phrase(part)

    def value_phrase(self, name: str, of: list[Part]) -> str:
        """A value of something, without an article."""
        owners = " of " + joined([self.object(each) for each in of]) if of else ""
        return as_noun(self.value_label(name).removeprefix("the "), self.value_type(name)) + owners

    def tell_value_of(self, part: Part, type: str) -> str:
        """What a value is."""
        of = part["of"]
        if len(of) == 1 and self.expression(of[0]) == "they":
            return f"their {self.value_phrase(part['name'], [])}"
        return f"the {self.value_phrase(part['name'], of)}"

    def tell_math(self, part: Part, type: str) -> str:
        """Two numbers reckoned together."""
        left, right = part["left"], part["right"]
        money = type if type == "money" else ""
        if self.type_of(left) in ("list", "word") or left["is"] in ("list", "all", "items", "row of", "text", "word"):
            if part["op"] != "plus":
                raise Unsayable("this cannot be told")
            return f"{self.inner(left)} followed by {self.inner(right)}"
        if part["op"] == "remainder of":
            return f"the remainder of {self.inner(left)} divided by {self.inner(right)}"
        if part["op"] in ("plus", "minus"):
            money = money or ("money" if "money" in (self.type_of(left), self.type_of(right)) else "")
            return MATH_WORDS[part["op"]].format(self.inner(left, money), self.inner(right, money))
        first = money if self.type_of(right) != "money" else ""
        return MATH_WORDS[part["op"]].format(self.inner(left, first), self.inner(right))

    def inner(self, part: Part, type: str = "") -> str:
        """An expression within another one, in brackets where it has parts of its own."""
        text = self.object(part, type)
        return f"({text})" if part["is"] in ("math", "least", "most", "either", "or else", "share", "list") else text

    def tell_bound(self, part: Part, type: str) -> str:
        """The smaller or greater of several."""
        told = [self.inner(each, type) for each in part["of"]]
        if len(told) == 2 and part["of"][1]["is"] == "number":
            first = self.object(part["of"][0], type) if part["of"][0]["is"] == "math" else told[0]
            return f"{first}, but at {'most' if part['is'] == 'least' else 'least'} {told[1]}"
        return f"the {'smallest' if part['is'] == 'least' else 'greatest'} of {joined(told)}"

    def tell_share(self, part: Part, type: str) -> str:
        """A part of a number."""
        portion, whole = self.inner(part["part"]), self.inner(part["whole"])
        return f"{portion}/{whole} of {self.inner(part['of'], type)}, rounded"

    def span(self, part: Part) -> str:
        """A span of time."""
        amount = self.inner(part["amount"])
        return f"{amount} {part['unit'].removesuffix('s') if amount == '1' else part['unit']}"

    def tell_percent(self, part: Part, type: str) -> str:
        """So many per cent of a number."""
        return f"{self.inner(part['part'])}% of {self.inner(part['of'], type)}"

    def tell_square(self, part: Part, type: str) -> str:
        """A certain square."""
        number = self.expression(part["numbered"])
        return f"square {number}" if part["numbered"]["is"] == "number" else f"the square with the number {number}"

    def tell_extreme(self, part: Part, type: str) -> str:
        """The one of a kind with the most or least of something."""
        noun, kept, kinds = self.kind_label(part["kind"]), dict(self.names), dict(self.kinds)
        self.name(part["as"], f"that {noun}", part["kind"])
        each = {"is": "it", "name": part["as"]}
        own = part["by"] if part["by"].get("of") in (each, [each]) else {"is": ""}
        if own["is"] == "attribute":
            by = self.attribute_label(own)
        elif own["is"] == "value":
            by = self.value_label(own["name"])
        else:
            by = f"of {self.inner(part['by'])}"
        text = f"the {noun} with the {part['how']} {by}"
        if part["if"] is not None:
            text = f"the one with the {part['how']} {by} among {self.those({**part, 'is': 'all'})}"
        self.names, self.kinds = kept, kinds
        return text

    def tell_count(self, part: Part, type: str) -> str:
        """How many there are."""
        return f"the number of {self.those(part)}"

    def those(self, part: Part) -> str:
        """Things of a kind, or those for which something holds."""
        noun = plural(self.kind_label(part["kind"]))
        if part["if"] is None:
            return f"all {noun}"
        kept = dict(self.names)
        self.name(part["as"], f"that {self.kind_label(part['kind'])}", part["kind"])
        called = f" ({self.names[part['as']]})" if self.names[part["as"]].startswith("“") else ""
        condition = part["if"]
        if condition["is"] == "owned by" and condition["of"] == {"is": "it", "name": part["as"]}:
            text = f"the {noun} that {self.acts(condition['by'], 'own')}"
            self.names = kept
            return text
        text = f"the {noun}{called} for which {self.condition(part['if'], True)}"
        self.names = kept
        return text

    def tell_all(self, part: Part, type: str) -> str:
        """All things of a kind."""
        return self.those(part)

    def tell_list(self, part: Part, type: str) -> str:
        """What something gives for each of a list."""
        of = self.expression(part["of"])
        kept, kinds = dict(self.names), dict(self.kinds)
        kind = self.kind_in(part["of"])
        for each in part["as"]:
            noun = self.kind_label(kind) if kind and len(part["as"]) == 1 else ""
            self.name(each, f"that {noun}" if noun else quote(readable(each)), kind if noun else "")
        named = [self.names[each] for each in part["as"] if each != "_"]
        called = f" ({joined(named)})" if named and any(each.startswith("“") for each in named) else ""
        condition = f" for which {self.condition(part['if'], True)}" if part["if"] is not None else ""
        same = len(part["as"]) == 1 and part["give"] == {"is": "it", "name": part["as"][0]}
        if same:
            text = f"those of {of}{called}{condition}" if condition else of
        else:
            text = f"{self.content(part['give'])} for each of {of}{called}{condition}"
        self.names, self.kinds = kept, kinds
        return text

    def tell_place(self, part: Part, type: str) -> str:
        """One of a list."""
        places = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
        place = places[part["place"]] if part["place"] >= 0 else {-1: "last", -2: "last but one"}[part["place"]]
        return f"the {place} of {self.inner(part['of'])}"

    def tell_from(self, part: Part, type: str) -> str:
        """Some of a list."""
        if part["first"] != "" and part["first"] > 0:
            return f"{self.inner(part['of'])} without the first{'' if part['first'] == 1 else ' ' + str(part['first'])}"
        if part["last"] != "" and part["last"] > 0:
            return (
                f"the first {part['last']} of {self.inner(part['of'])}"
                if part["last"] > 1
                else f"the first of {self.inner(part['of'])} alone"
            )
        raise Unsayable("this cannot be told")

    def tell_either(self, part: Part, type: str) -> str:
        """One or the other."""
        return (
            f"{self.content(part['then'], type)} if {self.condition(part['if'])}, otherwise "
            f"{self.content(part['otherwise'], type)}"
        )

    def tell_or_else(self, part: Part, type: str) -> str:
        """The first that is there."""
        told = [self.content(each, type) if each["is"] != "items" or each["of"] else "nothing" for each in part["of"]]
        return ", or if that is empty ".join(told)

    def tell_items(self, part: Part, type: str) -> str:
        """Several things."""
        if not part["of"]:
            return "nothing"
        if any(each["is"] == "spread" for each in part["of"]):
            rest = [each for each in part["of"] if each["is"] != "spread"]
            lists = [each["of"] for each in part["of"] if each["is"] == "spread"]
            first = part["of"][0]["is"] == "spread"
            if len(lists) == 1 and rest and (first or part["of"][-1]["is"] == "spread"):
                place = "at the end" if first else "in front"
                return f"{self.inner(lists[0])} with {joined([self.content(each) for each in rest])} {place}"
            if len(lists) == len(part["of"]):
                return " followed by ".join([self.inner(each) for each in lists])
            raise Unsayable("this list cannot be told")
        told = [self.content(each) for each in part["of"]]
        return joined(told) if len(told) > 1 else f"{told[0]} alone"

    def tell_called(self, part: Part, type: str) -> str:
        """What a word of the game, or a function of the rule, gives."""
        known = CALL_PHRASES.get(part["name"])
        if known is not None:
            text = known(self, part)
            if text is not None:
                return text
        if part["name"] in WRITES or part["name"] in UNTELLABLE:
            raise Unsayable(f"what {part['name']} gives cannot be told")
        told = [self.content(each) for each in part["of"] if each != {"is": "it", "name": "e"}]
        told += [f"{readable(name)}: {self.content(each)}" for name, each in part["with"].items()]
        return f"the {self.called(part)}{' of ' + joined(told) if told else ''}"

    def tell_method(self, part: Part, type: str) -> str:
        """What a method of a word or list gives."""
        pattern = METHOD_WORDS.get((part["name"], len(part["args"])))
        if pattern is None:
            raise Unsayable(f"what .{part['name']}(...) gives cannot be told")
        return pattern.format(self.inner(part["of"]), *[self.inner(each) for each in part["args"]])

    def tell_function_name(self, part: Part, type: str) -> str:
        """A function or fixed word of the rule by its name."""
        if part["name"].isupper():
            raise Unsayable("a fixed list of the rule cannot be told")
        self.spoken.setdefault(part["name"])
        return quote(readable(part["name"]))

    def for_things(self, of: list[Part]) -> str:
        """` for` some things, or nothing."""
        return " for " + joined([self.object(each) for each in of]) if of else ""


CONDITION_WORDS: dict[str, Callable[[Any, Part], str]] = {
    "and": lambda t, p: t.condition(p),
    "or": lambda t, p: t.condition(p),
    "not": Phrases.tell_not,
    "compare": Phrases.tell_compare,
    "between": lambda t, p: (
        f"{t.expression(p['low'])} {COMPARED[p['op']]} {t.object(p['of'])}, and that {COMPARED[p['then']]} "
        f"{t.object(p['high'])}"
    ),
    "dated": lambda t, p: t.tell_compare({**p, "is": "compare"}),
    "kind": lambda t, p: f"{t.agree(t.subject(p['of']), 'is')} {article(t.kind_label(p['kind']))}",
    "unowned": lambda t, p: f"nobody owns {t.object(p['of'])}",
    "owned": lambda t, p: f"somebody owns {t.object(p['of'])}",
    "owned by": lambda t, p: t.acts(p["by"], "own", t.object(p["of"])),
    "owned by another": lambda t, p: f"somebody other than {t.object(p['than'])} owns {t.object(p['of'])}",
    "another": lambda t, p: f"{t.expression(p['of'])} is somebody other than {t.object(p['than'])}",
    "there": lambda t, p: f"there is {article(t.kind_label(p['kind']))} on {t.object(p['on'])}",
    "some": lambda t, p: f"there is one or more of {t.those(p)}",
    "chance": lambda t, p: f"chance says so (1 in {t.expression(p['in'])})",
    "exists": lambda t, p: f"{t.subject(p['of'])} {'are' if t.subject(p['of']) == 'they' else 'is'} still in the game",
    "caused by": lambda t, p: f"{quote(readable(p['event']))} led to it",
    "true": lambda t, p: t.told_true(p["of"], True),
}
NEGATED: dict[str, Callable[[Any, Part], str]] = {
    "there": lambda t, p: f"there is no {t.kind_label(p['kind'])} on {t.object(p['on'])}",
    "some": lambda t, p: f"there are none of {t.those(p)}",
    "exists": lambda t, p: (
        f"{t.subject(p['of'])} {'are' if t.subject(p['of']) == 'they' else 'is'} no longer in the game"
    ),
    "owned by": lambda t, p: (
        f"{t.subject(p['by'])} {'do' if t.subject(p['by']) == 'they' else 'does'} not own {t.object(p['of'])}"
    ),
    "kind": lambda t, p: f"{t.agree(t.subject(p['of']), 'is')} not {article(t.kind_label(p['kind']))}",
    "caused by": lambda t, p: f"{quote(readable(p['event']))} did not lead to it",
}
EXPRESSION_WORDS: dict[str, Callable[[Any, Part, str], str]] = {
    "word": lambda t, p, type: quote(p["value"]) if p["value"] else "nothing",
    "yes": lambda t, p, type: "yes" if p["value"] else "no",
    "nothing": lambda t, p, type: "nothing",
    "field": Phrases.tell_field,
    "it": Phrases.tell_it,
    "result": lambda t, p, type: "what came of it",
    "attribute": Phrases.tell_attribute_of,
    "value": Phrases.tell_value_of,
    "math": Phrases.tell_math,
    "least": Phrases.tell_bound,
    "most": Phrases.tell_bound,
    "share": Phrases.tell_share,
    "percent": Phrases.tell_percent,
    "extreme": Phrases.tell_extreme,
    "pick": lambda t, p, type: f"one of {t.those(p)} drawn by lot",
    "secret pick": lambda t, p, type: f"one of {t.those(p)} drawn by lot in secret",
    "count": Phrases.tell_count,
    "all": Phrases.tell_all,
    "thing": lambda t, p, type: "the game" if p["id"] == "game" else p["id"],
    "square": Phrases.tell_square,
    "die": lambda t, p, type: f"the roll of a die with {t.expression(p['sides'])} sides",
    "secret die": lambda t, p, type: f"the roll of a die with {t.expression(p['sides'])} sides, made in secret",
    "now": lambda t, p, type: "now",
    "ago": lambda t, p, type: f"{t.span(p)} ago",
    "from now": lambda t, p, type: f"{t.span(p)} from now",
    "span": lambda t, p, type: t.span(p),
    "name": lambda t, p, type: t.object(p["of"]),
    "text": lambda t, p, type: t.text(p),
    "list": Phrases.tell_list,
    "items": Phrases.tell_items,
    "row of": Phrases.tell_items,
    "at": Phrases.tell_place,
    "from": Phrases.tell_from,
    "either": Phrases.tell_either,
    "or else": Phrases.tell_or_else,
    "whether": lambda t, p, type: f"whether {t.condition(p['if'])}",
    "minus": lambda t, p, type: f"minus {t.inner(p['of'])}",
    "call": Phrases.tell_called,
    "method": Phrases.tell_method,
    "function": Phrases.tell_function_name,
}
