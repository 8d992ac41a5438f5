"""The command line in the user's language, as LANGUAGE, LC_ALL, LC_MESSAGES or LANG name it.

What commands print is said again line by line, where it is a sentence of ours (nomopoly.languages.wordings); data stays
as it is, and so do the words of rulebooks and players.
"""

from __future__ import annotations

import gettext
import inspect
import io
import os
import re
from functools import cache
from pathlib import Path
from typing import Any, TextIO

from nomopoly.languages import wordings

LOCALE = Path(__file__).parents[1] / "site" / "locale"
BEGINS = re.compile(
    r"(?<=: )|(?<=  )(?! )|^ +"
)  # where a sentence may begin: "WRONG   the mail server ...", "file: no ..."
MOST_BEGINS = 5
DATA = ("{", "[", '"')  # what a line of data begins with


@cache
def language() -> str:
    """The language that the user's environment names first: `de`, or `en` for those that the messages are not there
    in."""
    named = next(
        (os.environ[each] for each in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(each)), ""
    )
    first = re.split(r"[:_.@]", named)[0].lower()
    return first if first.isalpha() and gettext.find("django", str(LOCALE), [first]) else "en"


@cache
def messages() -> gettext.NullTranslations:
    """The message file of the user's language."""
    return gettext.translation("django", str(LOCALE), [language()], fallback=True)


def said(line: str) -> str:
    """A line of a command in the user's language."""
    if language() == "en" or line.startswith(DATA):
        return line
    for found in [re.match("", line), *list(BEGINS.finditer(line))[:MOST_BEGINS]]:
        at = found.end() if found else 0
        again = wordings.again(line[at:], (wordings.COMMANDS, wordings.HOUSE), messages().pgettext)
        if again != line[at:]:
            return line[:at] + again
    return line


def helped(command: object) -> Any:
    """A command whose help is in the user's language."""
    text = inspect.getdoc(command) or ""
    if language() != "en" and text:
        command.__doc__ = messages().pgettext(wordings.COMMANDS, text)
    return command


class Spoken(io.TextIOBase):
    """A stream on which whole lines are said in the user's language; all else goes to the stream below."""

    def __init__(self, below: TextIO) -> None:
        self.below = below
        self.begun = ""

    def __getattr__(self, name: str) -> Any:
        return getattr(self.below, name)

    @property
    def encoding(self) -> str:  # type: ignore[override]  # a stream sets it
        """The encoding of the stream below: who draws lines asks whether it has them."""
        return self.below.encoding

    def fileno(self) -> int:
        """The file of the stream below, which is no attribute that a stream lacks."""
        return self.below.fileno()

    def write(self, text: str) -> int:
        """Write a text; its last line waits until it is whole."""
        *lines, self.begun = (self.begun + text).split("\n")
        self.below.write("".join(f"{said(line)}\n" for line in lines))
        return len(text)

    def flush(self) -> None:
        """Write what has waited, too."""
        self.below.write(said(self.begun))
        self.begun = ""
        self.below.flush()
