"""What the kernel, the check and the host say, in the reader's language (nomopoly.languages.wordings)."""

import re
from functools import lru_cache
from typing import Any

from django.utils.translation import get_language, gettext, gettext_lazy, override, pgettext

from nomopoly.languages import wordings

GONE = re.compile(r"([a-z]+(?:-[a-z]+)*)-(\d+)(?= no longer exists)")  # a thing that is merely numbered
BARE = ("KeyError",)  # whose message is no sentence, but what was looked for
# What the check of programs refuses, up to its message: see `rulebook.problems.Problem.reason`.
CHECKED = re.compile(
    r"check: (?:(?:rule (?P<rule>[^\s,:]+)|(?P<program>one-time program|example))(?:, |: ))?(?:line (?P<line>\d+): )?"
)


def said(text: str) -> str:
    """A sentence of the kernel, the check or the host in the reader's language; anything else as it is."""
    language = get_language() or "en"
    return text if language == "en" or not isinstance(text, str) else in_language(text, language)


@lru_cache(4096)
def in_language(text: str, language: str) -> str:
    """A sentence of ours in another language."""
    with override(language):
        return wordings.again(text, (wordings.HOUSE,), pgettext)


def refusal_said(reason: str) -> str:
    """Why something was refused, in the reader's language; of what the check says, the place and the message."""
    found = CHECKED.match(reason)
    if found is None:
        return said(GONE.sub(lambda id: id[0].replace("-", " "), reason))
    place = [gettext("rule %(rule)s") % {"rule": found["rule"]} if found["rule"] else said(found["program"] or "")]
    place.append(gettext("line %(line)s") % {"line": found["line"]} if found["line"] else "")
    return ": ".join(filter(None, (", ".join(filter(None, place)), said(reason[found.end() :]))))


SORTS = {  # of values, as Python calls them
    "NoneType": gettext_lazy("nothing"),
    "int": gettext_lazy("a number"),
    "str": gettext_lazy("a word"),
    "bool": gettext_lazy("yes or no"),
    "list": gettext_lazy("a list"),
    "tuple": gettext_lazy("a list"),
    "dict": gettext_lazy("a table"),
    "Thing": gettext_lazy("a thing"),
    "function": gettext_lazy("a function"),
}
# What Python says of a program that breaks, and the same in plain words.
BETWEEN = gettext_lazy("'%(sign)s' does not work between %(left)s and %(right)s")
BROKEN = (
    (
        r"unsupported operand type\(s\) for (?P<sign>\S+?)(?: or pow\(\))?:? '(?P<left>\w+)' and '(?P<right>\w+)'",
        BETWEEN,
    ),
    (r"'(?P<sign>\S+)' not supported between instances of '(?P<left>\w+)' and '(?P<right>\w+)'", BETWEEN),
    (r"can only concatenate (?P<left>\w+) \(not \"(?P<right>\w+)\"\) to \w+", BETWEEN),
    (
        r"'(?P<left>\w+)' object has no attribute '(?P<name>\w+)'",
        gettext_lazy("it reads '%(name)s' where there is %(left)s"),
    ),
    (
        r"'(?P<left>\w+)' object is not (?:subscriptable|iterable)|object of type '(?P<left_>\w+)' has no len\(\)",
        gettext_lazy("%(left)s has no parts to pick from, go through or count"),
    ),
    (r"(?:integer )?(?:division|modulo|division or modulo) by zero", gettext_lazy("division by zero")),
    (r"(?:list|tuple|string) index out of range", gettext_lazy("it picks a place in a list that is too short")),
)


def fault_said(message: str) -> str:
    """What broke, in plain words of the reader's language: without what Python calls that sort of error, where the rest
    says it."""
    sort, _, words = message.partition(": ")
    if not sort.endswith("Error") or sort in BARE or " " not in words:
        return refusal_said(message)
    for pattern, told in BROKEN:
        found = re.fullmatch(pattern, words)
        if found:
            parts = {name.rstrip("_"): each for name, each in found.groupdict().items() if each is not None}
            sorts = {name: SORTS.get(each, each) for name, each in parts.items() if name in ("left", "right")}
            return str(told) % ({"sign": "+"} | parts | sorts)
    return refusal_said(words)


def why_broke(fault: dict[str, Any]) -> str:
    """Why nothing was done, since a rule broke, or one cannot go yet: sentences, of which the first begins small."""
    told = fault_said(fault["message"])
    if is_in_use(fault["message"]):
        return f"{told}."
    reason = gettext("a rule broke: %(message)s. Nothing was done.")
    if fault.get("line"):
        reason = gettext("a rule broke in line %(line)s: %(message)s. Nothing was done.")
    return reason % (fault | {"message": told})


def is_in_use(message: str) -> bool:
    """Whether a fault says that a rule cannot go as long as there are things of its kind: then none broke."""
    return message.partition(": ")[2].startswith("there still are things of the kind ")


def docstring(text: str) -> str:
    """What a word of the language does, in the reader's language; that of a rule's own word as it is."""
    found = pgettext(wordings.HOUSE, text) if text else text
    return found if found != text else said(text)
