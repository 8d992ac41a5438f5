"""The parts of a rule's program, so that one function can be amended while the rest stays as it is."""

import re
from typing import Any

from nomopoly.kernel.world import refuse

SIGNS = re.compile(
    r"\"\"\"(?:[^\\]|\\.)*?\"\"\"|'''(?:[^\\]|\\.)*?'''|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|#[^\n]*|[\[\](){}]|\\\n|\n",
    re.DOTALL,
)
DEFINITION = re.compile(r"def\s+(\w+)")


def whole_lines(code: str) -> Any:
    """A program cut at its line ends, but for those within brackets and words."""
    deep = begin = 0
    lines = []
    for found in SIGNS.finditer(code):
        sign = found.group()
        if sign in "([{":
            deep += 1
        elif sign in ")]}":
            deep -= 1
        elif sign == "\n" and deep <= 0:
            lines.append(code[begin : found.end()])
            begin = found.end()
    return [*lines, code[begin:]]


def program_pieces(code: str) -> Any:
    """What stands at the top of a program: [[name of the function or "", its text]], decorators and comments with
    it."""
    pieces: Any = []
    above = ""
    for line in whole_lines(code.strip("\n") + "\n"):
        if line[:1].isspace() and line.strip() and pieces:
            pieces[-1][1] += above + line
            above = ""
        elif line[:1] in ("", "#", "@") or not line.strip():
            above += line
        else:
            found = DEFINITION.match(line)
            pieces.append([found.group(1) if found else "", above + line])
            above = ""
    return [*pieces, ["", above]] if above else pieces


def with_functions(code: str, functions: str) -> str:
    """A program in which these functions take the place of those of their names; others, and declarations, are
    added."""
    pieces = program_pieces(code)
    for name, text in program_pieces(functions):
        same = [each for each in pieces if each[0] == name and (name or each[1].strip() == text.strip())]
        if same:
            blank = same[0][1][: len(same[0][1]) - len(same[0][1].lstrip("\n"))]
            same[0][1] = blank + text.strip("\n") + "\n"
        else:
            pieces.append([name, ("\n\n" if pieces else "") + text.strip("\n") + "\n"])
    return "".join([text for _, text in pieces]).strip("\n")


def without(id: str, code: str, params: Any, names: Any) -> Any:
    """The program and the numbers of a rule without the functions and numbers of these names. Refuses what it has
    not."""
    pieces = program_pieces(code)
    for name in names:
        if name not in params and name not in [each for each, _ in pieces]:
            refuse(f"rule {id} has neither a number nor a function '{name}'")
    left = "".join([text for each, text in pieces if each not in names]).strip("\n")
    return left, {name: params[name] for name in params if name not in names}
