"""Programs with their counters: read, made ready once for the editions that come with this version, and kept."""

from __future__ import annotations

import ast
from functools import lru_cache
from types import CodeType

from nomopoly.rulebook.bytecode import kept
from nomopoly.rulebook.readable import look_through
from nomopoly.rulebook.source import commons_texts, edition_text
from nomopoly.rulebook.trees import program_tree
from nomopoly.runtime.costs import Shape, count_blocks
from nomopoly.runtime.counting import Counters, Turns
from nomopoly.runtime.trust import shipped, shipped_code, shipped_with

READY: dict[str, dict[str, tuple[str, CodeType]]] = {}  # see `ready`; by the editions that this process has asked for
COMPILED: dict[str, CodeType] = {}  # the same programs, by their texts with counters


def half_character(tree: ast.AST) -> int:
    """The line of a word with half a character (a lone surrogate), which no file can hold; 0 if there is none."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and not node.value.isascii():
            try:
                node.value.encode()
            except UnicodeEncodeError:
                return node.lineno
    return 0


def counted_tree(code: str) -> ast.Module:
    """A program with its counters. Raises SyntaxError, with the line, for what no interpreter should be given.

    The programs of the shipped editions let nothing grow, and are counted by their turns and calls alone.
    """
    try:
        tree = program_tree(code)
    except (ValueError, RecursionError, MemoryError) as error:
        raise SyntaxError(f"{error or 'too deeply nested'} (<string>, line 1)") from error
    try:
        look_through(tree)
    except SyntaxError as error:
        raise SyntaxError(f"{error.msg} (<string>, line {error.lineno or 1})") from None
    line = half_character(tree)
    if line:
        raise SyntaxError(f"a word here holds half a character (<string>, line {line})")
    known = shipped(code)
    counters = Turns if known else Counters
    shape = Shape(tree, known)
    count_blocks(tree)
    return counters(shape).visit(tree)  # type: ignore[no-any-return]


def with_counters(code: str) -> str:
    """A program that counts what it does; one that cannot be read says so when it is run."""
    try:
        return ast.unparse(counted_tree(code))
    except SyntaxError as error:
        return f"raise SyntaxError({str(error)!r})"


def ready(edition: str) -> dict[str, tuple[str, CodeType]]:
    """The programs of a shipped edition ("": those that editions share), each with its counters and compiled."""
    if edition not in READY:
        source = edition_text(edition) if edition else "\n".join(commons_texts().values())
        READY[edition] = kept(f"counted-{edition or 'commons'}", source, lambda: made_ready(edition))
        COMPILED.update(READY[edition].values())
    return READY[edition]


def made_ready(edition: str) -> dict[str, tuple[str, CodeType]]:
    """The same, made now."""
    programs = shipped_code(edition) if edition else commons_texts().values()
    texts = {code: with_counters(code) for code in programs}
    return {code: (text, compile(text, "<string>", "exec", optimize=0)) for code, text in texts.items()}


@lru_cache(8192)
def counted(code: str) -> str:
    """A program that counts what it does, for every interpreter, see `with_counters`."""
    for programs in READY.values():
        if code in programs:
            return programs[code][0]
    edition = shipped_with(code)
    return with_counters(code) if edition is None else ready(edition)[code][0]
