"""Names that could be mistaken for another: mixed alphabets, and letters that look alike.

What is kept of a name is what a reader sees of it (`looks`): two names that look the same are one name to everybody.
"""

from __future__ import annotations

import unicodedata
from typing import Any

from django.utils.translation import gettext as _

# Letters of other alphabets, and digits, that look like a Latin letter in small print.
LIKE_LATIN = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb\u0501\u051b\u051d\u0432\u043a\u043c\u043d\u0442"
    "\u03b1\u03b5\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u03b2\u03b7\u03bc\u03b6\u0131\u0261"
    "0135",
    "aeopcyxijshdqwbkmhtaeikvoptuxbnuzigoles",
)
SEVERAL = {"HIRAGANA", "KATAKANA", "CJK", "HANGUL", "BOPOMOFO"}  # alphabets that one writes together
JOINERS = "\u200c\u200d"  # which some alphabets and pictures need


def looks(name: str) -> str:
    """What a reader sees of a name: small letters, look-alikes as one of them, nothing that is not seen."""
    flat = unicodedata.normalize("NFKC", name).casefold()
    seen = "".join(each for each in flat if unicodedata.category(each) not in ("Cf", "Cc"))
    return " ".join(seen.translate(LIKE_LATIN).replace("i", "l").split())


def alphabets(name: str) -> set[str]:
    """The alphabets that the letters of a name are of, such as {"LATIN", "CYRILLIC"}."""
    letters = [each for each in unicodedata.normalize("NFKC", name) if unicodedata.category(each)[0] == "L"]
    named = {unicodedata.name(each, "?").split()[0].split("-")[0] for each in letters}
    return {"CJK" if each in SEVERAL else each for each in named} - {"MODIFIER", "FEMININE", "MASCULINE"}


def refusal(name: str, others: set[Any]) -> str | None:
    """Why a name cannot be taken beside these others, or None. What the rules refuse (the same letters) is left to
    them."""
    if any(unicodedata.category(each) in ("Cf", "Cc") and each not in JOINERS for each in name):
        return _("This name has a character in it that nobody sees: type it without")
    found = sorted(alphabets(name))
    if len(found) > 1:
        one, other = (_("East Asian") if each == "CJK" else each.capitalize() for each in found[:2])
        told = _(
            "This name mixes %(one)s and %(other)s letters, and could be mistaken for another: write it in one alphabet"
        )
        return told % {"one": one, "other": other}
    wanted = name.strip().casefold()
    for other in others:
        if other.strip().casefold() != wanted and looks(other) == looks(name):
            told = _("name taken: %(name)s looks the same as %(other)s, who plays here. Choose another one")
            return told % {"name": name, "other": other}
    return None
