"""Two versions compared: prose word by word, programs line by line, and whole rulebooks rule by rule.

A comparison is plain data, a list of tokens `("same" | "added" | "removed", text)`: the same and removed texts together
are the earlier version, the same and added ones the later. How it looks is up to those who show it.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from nomopoly.rulebook.source import Record, number_key, prose, shown

Token = tuple[str, str]
COMPARED = ("section", "section_title", "title", "text", "params", "code")
MARKS = ("new", "changed", "gone", "moved", "same")
ALIKE = 0.6  # from this likeness on, a rule that is gone and one that is new are the same rule, moved
MOST_PAIRS = 4_000_000  # more than so many pairs of words are not compared one by one


def diff_words(earlier: str, later: str) -> list[Token]:
    """Compare two proses word by word. Lines are matched first, so that each row of a table stays with its like; a
    change never reaches across the border of a table cell or a line."""
    found: list[Token] = []
    old, new = earlier.splitlines(keepends=True), later.splitlines(keepends=True)
    for same, before, after in matched(old, new):
        if same:
            found.append(("same", "".join(old[before])))
        else:
            found += bridged(tokens_of(split_words("".join(old[before])), split_words("".join(new[after]))))
    return merged(found)


def diff_lines(earlier: str, later: str) -> list[Token]:
    """Compare two programs line by line."""
    return merged(tokens_of(earlier.splitlines(keepends=True), later.splitlines(keepends=True)))


def split_words(text: str) -> list[str]:
    """A text in words, blanks, line ends and single signs."""
    return re.findall(r"\w+|[^\S\n]+|\n|[^\w\s]", text)


def matched(old: list[str], new: list[str]) -> Iterable[tuple[bool, slice, slice]]:
    """Stretches of two lists that are the same in both, or not: (same, stretch of the old, stretch of the new)."""
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    old_end, new_end = len(old) - tail, len(new) - tail
    if head:
        yield True, slice(0, head), slice(0, head)
    if (old_end - head) * (new_end - head) > MOST_PAIRS:
        yield False, slice(head, old_end), slice(head, new_end)
    else:
        matcher = difflib.SequenceMatcher(None, old[head:old_end], new[head:new_end], autojunk=False)
        for code, a, b, c, d in matcher.get_opcodes():
            yield code == "equal", slice(head + a, head + b), slice(head + c, head + d)
    if tail:
        yield True, slice(old_end, len(old)), slice(new_end, len(new))


def tokens_of(old: list[str], new: list[str]) -> list[Token]:
    """The comparison of two lists of words or lines. Blanks and line ends are matched as if they were alike."""
    found: list[Token] = []
    for same, before, after in matched([key_of(each) for each in old], [key_of(each) for each in new]):
        if same:
            for was, now in zip(old[before], new[after], strict=True):
                found += [("same", was)] if was == now else [("removed", was), ("added", now)]
        else:
            found += [("removed", each) for each in old[before]]
            found += [("added", each) for each in new[after]]
    return found


def key_of(word: str) -> str:
    """What a word is matched by."""
    return " " if word.isspace() else word


def bridged(tokens: list[Token]) -> list[Token]:
    """Take a blank between two changed words into the change, so that phrases are replaced as a whole."""
    found: list[Token] = []
    removed: list[str] = []
    added: list[str] = []
    for at, (mark, text) in enumerate(tokens):
        ends_cell = text in ("|", "\n")
        blank = mark == "same" and text.isspace() and not ends_cell
        if blank and (removed or added) and at + 1 < len(tokens) and tokens[at + 1][0] != "same":
            removed.append(text)
            added.append(text)
        elif mark == "same" or ends_cell:
            found += settle(removed, added)
            removed, added = [], []
            found.append((mark, text))
        elif mark == "removed":
            removed.append(text)
        else:
            added.append(text)
    return found + settle(removed, added)


def settle(removed: list[str], added: list[str]) -> list[Token]:
    """One change: what goes, then what comes; equal ends of the two are no change."""
    head: list[str] = []
    while removed and added and removed[0] == added[0]:
        head.append(removed.pop(0))
        added.pop(0)
    tail: list[str] = []
    while removed and added and removed[-1] == added[-1]:
        tail.insert(0, removed.pop())
        added.pop()
    return (
        [("same", each) for each in head]
        + [("removed", each) for each in removed]
        + [("added", each) for each in added]
        + [("same", each) for each in tail]
    )


def merged(tokens: Iterable[Token]) -> list[Token]:
    """Neighbouring tokens of the same mark as one, except at the borders of table cells and lines that changed."""
    found: list[Token] = []
    for mark, text in tokens:
        if not text:
            continue
        joins = found and found[-1][0] == mark and (mark == "same" or not (text == "|" or found[-1][1].endswith("|")))
        if joins:
            found[-1] = (mark, found[-1][1] + text)
        else:
            found.append((mark, text))
    return found


def earlier_of(tokens: Iterable[Token]) -> str:
    """The version that a comparison started from."""
    return "".join(text for mark, text in tokens if mark != "added")


def later_of(tokens: Iterable[Token]) -> str:
    """The version that a comparison led to."""
    return "".join(text for mark, text in tokens if mark != "removed")


def patched(earlier: str, tokens: Iterable[Token]) -> str:
    """The later version, made from the earlier one. Raises ValueError if the comparison is not of that text."""
    tokens = list(tokens)
    if earlier_of(tokens) != earlier:
        raise ValueError("this comparison is not of that text")
    return later_of(tokens)


def readable(tokens: Iterable[Token]) -> list[Token]:
    """A comparison of prose for reading: where only blanks or line ends differ, as in a paragraph that is wrapped anew,
    the later ones are shown as unchanged."""
    found: list[Token] = []
    pending: list[Token] = []
    for mark, text in [*tokens, ("same", "")]:
        if mark != "same":
            pending.append((mark, text))
            continue
        if pending and all(each.isspace() for _, each in pending):
            found += [("same", each) for kind, each in pending if kind == "added"]
        else:
            found += pending
        pending = []
        found.append((mark, text))
    return merged(found)


def to_text(tokens: Iterable[Token]) -> str:
    """A comparison as one text: `[-removed-]{+added+}`."""
    signs = {"same": ("", ""), "removed": ("[-", "-]"), "added": ("{+", "+}")}
    return "".join(f"{signs[mark][0]}{text}{signs[mark][1]}" for mark, text in tokens)


def lines_to_text(tokens: Iterable[Token]) -> str:
    """A comparison of programs as lines with `+`, `-` or a blank in front."""
    signs = {"same": "  ", "removed": "- ", "added": "+ "}
    return "\n".join(signs[mark] + line for mark, text in tokens for line in text.removesuffix("\n").split("\n"))


# ---- whole rulebooks


@dataclass(frozen=True)
class RuleDiff:
    """One rule in two versions of the book. `mark`: "new", "changed", "gone", "moved" (under another number, perhaps
    changed as well) or "same"; `before` and `after` are its records, None where it is new or gone."""

    mark: str
    before: Record | None
    after: Record | None

    @property
    def id(self) -> str:
        """Its number: the later one, if it has one."""
        return str(self.record["id"])

    @property
    def old_id(self) -> str:
        """Its number in the earlier book, or in the later one if it is new."""
        return str((self.before or self.record)["id"])

    @property
    def record(self) -> Record:
        """Its record: the later one, if there is one."""
        found = self.after or self.before
        assert found is not None
        return found

    @property
    def title(self) -> list[Token]:
        """The title compared."""
        return diff_words(*self._both(lambda record: record["title"]))

    @property
    def text(self) -> list[Token]:
        """The prose compared, with its numbers filled in."""
        return diff_words(*self._both(prose))

    @property
    def code(self) -> list[Token]:
        """The program compared line by line."""
        return diff_lines(*self._both(lambda record: record["code"]))

    @property
    def numbers(self) -> list[Token]:
        """The rule's named numbers compared, one a line."""
        return diff_lines(
            *self._both(lambda record: "".join(f"{name} = {shown(n)}\n" for name, n in record["params"].items()))
        )

    def _both(self, part) -> tuple[str, str]:  # type: ignore[no-untyped-def]
        return (part(self.before) if self.before else "", part(self.after) if self.after else "")


@dataclass(frozen=True)
class BookDiff:
    """Two versions of a rulebook compared: all rules of both, in book order."""

    rules: list[RuleDiff] = field(default_factory=list)

    @property
    def changed(self) -> list[RuleDiff]:
        """The rules that are not the same."""
        return [each for each in self.rules if each.mark != "same"]

    def sections(self) -> list[tuple[str, str, list[RuleDiff]]]:
        """The rules by section: (number, title, rules)."""
        found: list[tuple[str, str, list[RuleDiff]]] = []
        for each in self.rules:
            head = (each.record["section"], each.record["section_title"])
            if not found or found[-1][0] != head[0]:
                found.append((*head, []))
            found[-1][2].append(each)
        return found

    def to_text(self, *, show: str = "changed", code: bool = False) -> str:
        """The comparison as Markdown text with `[-removed-]{+added+}`; `show` is "changed" or "all"."""
        shown_rules = self.rules if show == "all" else self.changed
        return "\n".join(rule_to_text(each, code) for each in shown_rules)


def rule_to_text(each: RuleDiff, code: bool) -> str:
    """One rule of a comparison as text."""
    mark = f"moved from {each.old_id}" if each.mark == "moved" else each.mark
    title = to_text(readable(each.title))
    lines = [f"## {each.id}{' ' + title if title else ''} ({mark})", "", to_text(readable(each.text)), ""]
    numbers = [token for token in each.numbers if token[0] != "same"]
    if numbers and each.mark in ("changed", "moved"):
        lines += [lines_to_text(numbers), ""]
    if code and each.code:
        lines += ["```diff", lines_to_text(each.code), "```", ""]
    elif each.mark in ("changed", "moved") and any(mark != "same" for mark, _ in each.code):
        lines += ["(its program has changed)", ""]
    return "\n".join(lines)


def diff_books(earlier: list[Record], later: list[Record]) -> BookDiff:
    """Compare two rulebooks rule by rule. A rule that went and came again under another number is moved."""
    old = {record["id"]: record for record in earlier}
    new = {record["id"]: record for record in later}
    moves = find_moves(
        [record for record in earlier if record["id"] not in new],
        [record for record in later if record["id"] not in old],
    )
    found = []
    for id, record in new.items():
        if id in old:
            found.append(RuleDiff("same" if content(old[id]) == content(record) else "changed", old[id], record))
        elif id in moves:
            found.append(RuleDiff("moved", old[moves[id]], record))
        else:
            found.append(RuleDiff("new", None, record))
    stayed = set(moves.values())
    found += [RuleDiff("gone", record, None) for id, record in old.items() if id not in new and id not in stayed]
    return BookDiff(sorted(found, key=lambda each: number_key(each.id)))


def content(record: Record) -> list[object]:
    """What makes a rule the rule it is; not its age, nor where it comes from."""
    return [record[part] for part in COMPARED]


def find_moves(gone: list[Record], new: list[Record]) -> dict[str, str]:
    """Which new rules are gone ones under another number: {new number: old number}. The most alike find each other."""
    likeness = [(alike(old, fresh), old["id"], fresh["id"]) for old in gone for fresh in new]
    moves: dict[str, str] = {}
    for degree, was, now in sorted(likeness, key=lambda each: (-each[0], number_key(each[1]), number_key(each[2]))):
        if degree >= ALIKE and now not in moves and was not in moves.values():
            moves[now] = was
    return moves


def alike(a: Record, b: Record) -> float:
    """How much alike two rules are, from 0 to 1, by their words and their programs."""
    if (a["title"], a["text"], a["code"]) == (b["title"], b["text"], b["code"]):
        return 1.0
    first, second = words_of(a), words_of(b)
    if min(len(first), len(second)) < 4 or len(first) * len(second) > MOST_PAIRS:
        return 0.0
    matcher = difflib.SequenceMatcher(None, first, second, autojunk=False)
    return matcher.ratio() if matcher.quick_ratio() >= ALIKE else 0.0


def words_of(record: Record) -> list[str]:
    """All words of a rule's title, prose and program."""
    return re.findall(r"\w+", f"{record['title']} {record['text']} {record['code']}")
