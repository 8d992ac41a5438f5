"""What the kernel, the check and the host say, in the reader's language (nomopoly.languages.wordings)."""

import re
from functools import lru_cache
from typing import Any

from django.utils.translation import get_language, gettext, override, pgettext

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


def fault_said(message: str) -> str:
    """What broke, in the reader's language: without what Python calls that sort of error, where the rest says it."""
    sort, _, words = message.partition(": ")
    return refusal_said(words if sort.endswith("Error") and sort not in BARE and " " in words else message)


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
