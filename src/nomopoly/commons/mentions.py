"""Mentions: the squares whose numbers the prose of the rules states, `#45` or `square forty-five`."""

import re as _re

_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_UNITS = tuple(_WORDS.split())
_DOZENS = tuple(_TENS.split())
_DIGIT = "(?:" + "|".join(_UNITS[1:10]) + ")"
_SMALL = f"(?:(?:{'|'.join(_DOZENS)})(?:[ -]{_DIGIT})?|{'|'.join(reversed(_UNITS))})"
_NUMBER = rf"(?:#?[0-9]+|(?:a|{_DIGIT}) hundred(?: and)?(?: {_SMALL})?|{_SMALL})\b"
_LIST = _NUMBER + "(?:(?:,? and |,? or |, | to )" + _NUMBER + ")*"
_NAMED = _re.compile(r"#[0-9]+\b|\bsquares? (?:numbers? |no\. )?" + _LIST)
_EACH = _re.compile(_NUMBER)


attribute("game", "mentions", None, show="nobody")  # what `mentions_now` has said since the rules changed last
event("index-mentions")


@after("open")
def first_index(e):
    do("index-mentions")


@after("rules-changed")
def index_anew(e):
    do("index-mentions")


@on("index-mentions")
def index_mentions(e):
    put(thing("game"), "mentions", mentions_now())


@value("mentioned", of="square", bands=("set",), label="Mentioned in the rules", type="yesno")
def mentioned(place):
    """Whether the rules mention a square: by its number, or as the first one, Public Property, a National Park or of the Bridge."""
    if place.number == 1 or number_stated(place.number) or attribute_of(place, "bridge", False):
        return True
    marked = (("X.2", "public_property"), ("X.3", "national_park"))
    return [rule for rule, name in marked if rule_since(rule) is not None and value(name, place)] != []


@value("protected", of="square", bands=("at_least", "set"), label="Cannot be destroyed", type="yesno")
def protected(place):
    """Whether a square cannot be destroyed: none is protected but by a rule that says so."""
    return False


def number_meant(said):
    """The number that digits (also with `#`) or a word up to `nine hundred and ninety-nine` mean."""
    digits = said.removeprefix("#")
    if digits.isdigit():
        return int(digits)
    total = 0
    for word in said.replace("-", " ").split():
        if word == "hundred":
            total = (total or 1) * 100
        elif word in _UNITS:
            total = total + _UNITS.index(word)
        elif word in _DOZENS:
            total = total + (_DOZENS.index(word) + 2) * 10
    return total


def numbers_stated_in(text):
    """The numbers of squares that a text states, in order, each once."""
    found = []
    for place in _NAMED.findall(" ".join(text.lower().split())):
        for said in _EACH.findall(place):
            number = number_meant(said)
            if number not in found:
                found.append(number)
    return tuple(found)


def mentions_now():
    """The rules in force that state numbers of squares: each with the entry that made its present form, and the numbers."""
    found = ()
    for id, text in prose():
        stated = numbers_stated_in(text)
        if stated:
            found = (*found, (id, rule_since(id), stated))
    return found


def known_mentions():
    """What `mentions_now` says, from the index of the game unless a rule in it has another form by now."""
    kept = attribute_of(thing("game"), "mentions")
    if kept is None or [id for id, since, _ in kept if rule_since(id) != since]:
        return mentions_now()
    return kept


def number_stated(number):
    """Whether a rule in force states the number of a square."""
    for _, _, stated in known_mentions():
        if number in stated:
            return True
    return False
