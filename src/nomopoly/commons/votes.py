"""Votes on proposals: what may not stand in one."""

import json as _json
import re as _re

_LITERALS = (
    _re.compile(r'"""((?:[^"\\]|\\.|"(?!""))*)"""'),
    _re.compile(r"\'\'\'((?:[^'\\]|\\.|'(?!''))*)\'\'\'"),
    _re.compile(r'"((?:[^"\\\n]|\\.)*)"'),
    _re.compile(r"'((?:[^'\\\n]|\\.)*)'"),
)


def programs_of(changes, run):
    """All program text that a proposal carries, the numbers of its rules as literals."""
    found = [run or ""]
    for change in changes or ():
        found.append(str(change.get("code") or ""))
        found.append(str(change.get("functions") or ""))
        found.append(repr(change.get("params") or {}))
    return found


def stands_in(name, text, pattern):
    """Whether a name stands in a text, its words one after the other; `pattern` tells what a word is."""
    words = _re.findall(pattern, name)
    return words != [] and f" {' '.join(words)} " in f" {' '.join(_re.findall(pattern, text))} "


def literals_of(code):
    """All words that a program says in quotes, as a list of texts."""
    return [part for literal in _LITERALS for part in literal.findall(code)]


def people_named(changes, run, names, traits):
    """The names of people, and the fixed traits, that a proposal's programs speak of, as a list of words."""
    found = []
    for code in programs_of(changes, run):
        said = literals_of(code)
        for name in names:
            if name not in found and [each for each in said if each == name or stands_in(name, each, r"\w+")]:
                found.append(name)
        for trait in traits:
            if trait not in found and _re.search(rf"\.{trait}\b|['\"]{trait}['\"]", code):
                found.append(trait)
    return found


def people_mentioned(texts, names):
    """The names of people that stand in one of several texts as words of their own."""
    said = [text.casefold() for text in texts if text]
    return [name for name in names if [text for text in said if stands_in(name.casefold(), text, r"[\w-]+")]]


def prose_of(title, text, changes):
    """All that a proposal says in words, as a list of texts: those of its rules too."""
    return [title, text, *[change.get(part) for change in changes or () for part in ("title", "text")]]


def versions_of(changes):
    """Which form of each rule a list of changes was written on, as a word that a thing can keep."""
    forms = {}
    for change in changes or ():
        for verb in ("amend", "repeal"):
            if verb in change:
                forms[str(change[verb])] = rule_since(str(change[verb]))
    return _json.dumps(forms, sort_keys=True)


def changed_since(versions):
    """The rules that have another form than when the changes were written, or are gone."""
    forms = _json.loads(versions or "{}")
    return [id for id in forms if forms[id] != rule_since(id)]


def ballots_by_name(ballots, about):
    """Who chose what on a thing, of open ballots: a tuple of (player, choice), in joining order."""
    return tuple([(who, choice) for subject, choice, who in ballots or () if subject is about])


def weigh_ballots(cast, choice, votes):
    """How many votes there are for a choice, of (player, choice) pairs: each player has `votes(player)`."""
    return sum([votes(who) for who, chosen in cast if chosen == choice])
