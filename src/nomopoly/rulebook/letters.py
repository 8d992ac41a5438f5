"""Characters that make a text read otherwise than it is: invisible ones, ones that turn a line round, and look-alikes.

A program is read by voters and by the interpreter, and both must read the same. So a program has plain line ends, no
character that is not seen, and names in plain letters; prose may use the letters of every language.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
import unicodedata
from collections.abc import Iterable, Iterator

from nomopoly.rulebook.trees import program_tree

JOINERS = "\u200c\u200d"  # they join or part letters and emoji: prose may have them
PRESENTATION = "\ufe0e\ufe0f"  # they show a sign as text or as a picture: prose may have them
SPACES = "\n\t "
# Characters of no width that Unicode does not list among the controls and formats (its Default_Ignorable_Code_Point).
INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]"
)
UNSEEN = {"Cc": "a control character", "Cf": "a character that is not seen", "Cs": "half a character"}
UNSEEN |= {
    "Co": "a character without a meaning",
    "Zl": "a line end that editors hide",
    "Zp": "a line end that editors hide",
}
RIGHT_TO_LEFT = ("R", "AL", "AN")
# Letters that look like a Latin one, and what they look like. Roman and other compatible forms are known to NFKC.
ALIKE = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеіјорсухѕԁһԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧοινυρΙլոսցІӀǀ∣│",
    "ABESIJKMHOPCTYXaeijopcyxsdhqwABEZHIKMNOPTYXoivupIlnugIIIII",
)
ONE_SHAPE = str.maketrans("lI|Oo", "11100")


def named(character: str) -> str:
    """A character for a message: U+202E RIGHT-TO-LEFT OVERRIDE."""
    name = unicodedata.name(character, "")
    return f"U+{ord(character):04X}{' ' + name if name else ''}"


def unseen(character: str) -> str:
    """What is wrong with a character that nobody sees, or ""."""
    if INVISIBLE.match(character):
        return UNSEEN["Cf"]
    return UNSEEN.get(unicodedata.category(character), "")


def places(text: str) -> Iterator[tuple[int, int, str]]:
    """The characters of a text that are not plain ASCII: (line, column, character). A pair of CR and LF is one line
    end."""
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        if not (line.isascii() and line.isprintable()):
            for column, character in enumerate(line, 1):
                if not " " <= character <= "~" and character != "\t":
                    yield number, column, character


def program_letters(code: str) -> list[tuple[str, int, str]]:
    """What makes a program read otherwise than it runs: (level, line, message)."""
    found: list[tuple[str, int, str]] = []
    turned: set[int] = set()
    for line, column, character in places(code):
        wrong = unseen(character)
        if not wrong and unicodedata.category(character) == "Zs":
            wrong = "a space that is none for the interpreter"
        if wrong:
            found.append(("error", line, f"column {column}: {named(character)} is {wrong}: take it out"))
        elif unicodedata.bidirectional(character) in RIGHT_TO_LEFT:
            turned.add(line)
    found += [
        ("warning", line, "this line has letters that are written from right to left: it may be shown in another order")
        for line in sorted(turned)
    ]
    if not code.isascii() and not found:
        found += [("error", line, message) for line, message in odd_names(code)]
    return found


def odd_names(code: str) -> Iterator[tuple[int, str]]:
    """The names of a program that are not in plain letters, in f-strings too: (line, message)."""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(code).readline))
        tree = program_tree(code)
    except (tokenize.TokenError, SyntaxError, ValueError, RecursionError, MemoryError):  # the parser says what is wrong
        return
    for token in tokens:
        if token.type == tokenize.NAME and not token.string.isascii():
            yield (
                token.start[0],
                f"column {token.start[1] + 1}: write the name '{token.string}' with the letters a to z",
            )
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            text = ast.get_source_segment(code, node) or ""
            names = [each.id for each in ast.walk(node) if isinstance(each, ast.Name) and not each.id.isascii()]
            names += [each for each in text if unicodedata.normalize("NFKC", each) != each and compatible(each)]
            for name in sorted(set(names)):
                yield node.lineno, f"write '{name}' in this f-string with the letters a to z"


def compatible(character: str) -> bool:
    """Whether the interpreter takes a character for a plain letter or digit when it stands in a name."""
    plain = unicodedata.normalize("NFKC", character)
    return plain.isascii() and plain.replace("_", "a").isalnum()


def prose_letters(text: str) -> list[tuple[int, str]]:
    """The characters of a text that readers do not see, or that turn it round: (line, message)."""
    found = []
    for line, column, character in places(text):
        wrong = unseen(character) if character not in JOINERS + PRESENTATION else ""
        if wrong:
            found.append((line, f"column {column}: {named(character)} is {wrong}: take it out"))
    return found


def shape(number: str) -> str:
    """What a rule's number looks like: equal for two that readers cannot tell apart."""
    return unicodedata.normalize("NFKC", number).translate(ALIKE).translate(ONE_SHAPE)


def look_alike(number: str, others: Iterable[str]) -> str:
    """The first of other numbers that looks like this one and is not it, or ""."""
    wanted = shape(number)
    return next((other for other in others if other != number and shape(other) == wanted), "")
