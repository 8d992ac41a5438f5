"""Two versions compared: prose word by word, programs line by line, and whole rulebooks rule by rule.

A comparison is plain data, a list of tokens `("same" | "added" | "removed", text)`: the same and removed texts together
are the earlier version, the same and added ones the later. How it looks is up to those who show it.
"""

from __future__ import annotations

import contextlib
import contextvars
import difflib
import itertools
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from nomopoly.kernel.precedence import number_key
from nomopoly.rulebook.source import Record, prose, shown

Token = tuple[str, str]
COMPARED = ("section", "section_title", "title", "text", "params", "code")
MARKS = ("new", "changed", "gone", "moved", "same")
ALIKE = 0.6  # from this likeness on, a rule that is gone and one that is new are the same rule, moved
MOST_WORK = 3_000_000  # pairs of words that one comparison looks at: a third of a second
PAGE_WORK = 12_000_000  # that all comparisons of one page do
LONGEST = 200_000  # characters of both texts: more are not compared word by word
SEARCHES = 4  # of all pairs, at least, that a comparison of two different texts takes
MOST_MOVES = 2_500  # pairs of rules that are looked at for moves
MOST_REMEMBERED = 256  # comparisons
LONG_WORD = re.compile(r"\w+[^\S\n]*|\s|[^\w\s][^\S\n]*")
SENTENCE = re.compile(r"[^.!?\n]*(?:[.!?]+[^\S\n]*|\n)|[^.!?\n]+")


def diff_words(earlier: str, later: str) -> list[Token]:
    """Compare two proses word by word. Lines are matched first, so that each row of a table stays with its like; a
    change never reaches across the border of a table cell or a line. What takes too long is compared coarsely: see
    `is_coarse`."""
    return list(compared(earlier, later, True)[0])


def diff_lines(earlier: str, later: str) -> list[Token]:
    """Compare two programs line by line; coarsely, where that takes too long."""
    return list(compared(earlier, later, False)[0])


def is_coarse(earlier: str, later: str, words: bool = True) -> bool:
    """Whether the comparison of two texts is coarser than it would be if there were less of them: sentences or the
    whole are replaced where words or lines are."""
    return compared(earlier, later, words)[1]


def compared(earlier: str, later: str, words: bool) -> tuple[tuple[Token, ...], bool]:
    """The comparison of two texts, by `words` or by lines, and whether it is coarse. The last ones are remembered."""
    if earlier == later:
        return ((("same", earlier),) if earlier else ()), False
    if not earlier or not later:
        return tuple(token for token in (("removed", earlier), ("added", later)) if token[1]), False
    key = (earlier, later, words)
    with _lock:
        comparison = _compared.pop(key, None)
    whole = comparison is not None or not spent()
    if comparison is None:
        comparison = compare(earlier, later, words)
    if whole and not (comparison[1] and spent()):  # it is not coarse because others came before it
        with _lock:
            _compared[key] = comparison
            if len(_compared) > MOST_REMEMBERED:
                _compared.pop(next(iter(_compared)))
    return comparison


def compare(earlier: str, later: str, words: bool) -> tuple[tuple[Token, ...], bool]:
    """The comparison itself, as finely as the work that may be done allows."""
    fine: list[Callable[[str, str, Work], list[Token]]] = [by_words, by_long_words] if words else [by_lines]
    for level in [*(fine if len(earlier) + len(later) <= LONGEST else []), by_sentences]:
        try:
            return tuple(merged(level(earlier, later, Work()))), level not in fine
        except TooMuchWork:
            continue
    return tuple(merged(by_whole(earlier, later))), True


def by_words(earlier: str, later: str, work: Work) -> list[Token]:
    """Line by line, and the lines that differ word by word."""
    found: list[Token] = []
    old, new = earlier.splitlines(keepends=True), later.splitlines(keepends=True)
    for same, before, after in matched(old, new, work):
        if same:
            found.append(("same", "".join(old[before])))
        else:
            found += bridged(tokens_of(split_words("".join(old[before])), split_words("".join(new[after])), work))
    return found


def by_long_words(earlier: str, later: str, work: Work) -> list[Token]:
    """Word by word, each with the blanks after it: there is less to be looked at."""
    return tokens_of(re.findall(LONG_WORD, earlier), re.findall(LONG_WORD, later), work)


def by_lines(earlier: str, later: str, work: Work) -> list[Token]:
    """Line by line."""
    return tokens_of(earlier.splitlines(keepends=True), later.splitlines(keepends=True), work)


def by_sentences(earlier: str, later: str, work: Work) -> list[Token]:
    """Sentence by sentence, a line being one as well."""
    return tokens_of(re.findall(SENTENCE, earlier), re.findall(SENTENCE, later), work)


def by_whole(earlier: str, later: str) -> list[Token]:
    """What both begin and end with, in whole words; between, one is replaced by the other."""
    head = alike_until(earlier, later)
    while head and earlier[head - 1].isalnum():
        head -= 1
    old, new = earlier[head:], later[head:]
    tail = alike_until(old[::-1], new[::-1])
    while tail and old[-tail].isalnum():
        tail -= 1
    end, other_end = len(old) - tail, len(new) - tail
    return [("same", earlier[:head]), ("removed", old[:end]), ("added", new[:other_end]), ("same", old[end:])]


def alike_until(a: Sequence[str], b: Sequence[str]) -> int:
    """How many of the first elements two sequences have in common."""
    most = min(len(a), len(b))
    return next((at for at in range(most) if a[at] != b[at]), most)


# ---- work is bounded


class TooMuchWork(Exception):
    """A comparison that takes too long at this level: a coarser one is to be tried."""


class Work:
    """The work that one comparison may do, out of what is left for all of them (`budget`): pairs of words looked at."""

    def __init__(self) -> None:
        self.left = MOST_WORK

    def spend(self, pairs: int) -> None:
        """Raises TooMuchWork when it is used up."""
        shared = _budget.get()
        self.left -= pairs
        if shared is not None:
            shared.left -= pairs
        if self.left < 0 or (shared is not None and shared.left < 0):
            raise TooMuchWork


@dataclass
class Budget:
    """What is left to all comparisons of one page."""

    left: int


_budget: contextvars.ContextVar[Budget | None] = contextvars.ContextVar("budget", default=None)
_lock = threading.Lock()
_compared: dict[tuple[str, str, bool], tuple[tuple[Token, ...], bool]] = {}  # the last used at the end


@contextlib.contextmanager
def budget(pairs: int = PAGE_WORK) -> Iterator[None]:
    """Let all comparisons within do so much work together, and be coarse after that."""
    token = _budget.set(Budget(pairs))
    try:
        yield
    finally:
        _budget.reset(token)


def spent() -> bool:
    """Whether the shared work is used up."""
    shared = _budget.get()
    return shared is not None and shared.left < 0


class Matcher(difflib.SequenceMatcher[str]):
    """Python's own matcher, which stops when it has done too much: the pairs that each of its searches goes through are
    counted before."""

    def __init__(self, old: list[str], new: list[str], work: Work) -> None:
        work.spend(len(old) + len(new))
        super().__init__(None, old, new, autojunk=False)
        self.work = work
        places = self.b2j  # type: ignore[attr-defined]
        self.pairs = list(itertools.accumulate((1 + len(places.get(each, ())) for each in old), initial=0))
        if SEARCHES * self.pairs[-1] > work.left:  # it would not come to an end: it need not begin
            raise TooMuchWork

    def find_longest_match(
        self, alo: int = 0, ahi: int | None = None, blo: int = 0, bhi: int | None = None
    ) -> difflib.Match:
        """The longest stretch that both have in common within these bounds."""
        self.work.spend(self.pairs[-1 if ahi is None else ahi] - self.pairs[alo])
        return super().find_longest_match(alo, ahi, blo, bhi)


def split_words(text: str) -> list[str]:
    """A text in words, blanks, line ends and single signs."""
    return re.findall(r"\w+|[^\S\n]+|\n|[^\w\s]", text)


def matched(old: list[str], new: list[str], work: Work) -> Iterable[tuple[bool, slice, slice]]:
    """Stretches of two lists that are the same in both, or not: (same, stretch of the old, stretch of the new).

    Raises TooMuchWork.
    """
    head = alike_until(old, new)
    tail = alike_until(old[head:][::-1], new[head:][::-1])
    old_end, new_end = len(old) - tail, len(new) - tail
    if head:
        yield True, slice(0, head), slice(0, head)
    matcher = Matcher(old[head:old_end], new[head:new_end], work)
    for code, a, b, c, d in matcher.get_opcodes():
        yield code == "equal", slice(head + a, head + b), slice(head + c, head + d)
    if tail:
        yield True, slice(old_end, len(old)), slice(new_end, len(new))


def tokens_of(old: list[str], new: list[str], work: Work) -> list[Token]:
    """The comparison of two lists of words or lines. Blanks and line ends are matched as if they were alike."""
    found: list[Token] = []
    for same, before, after in matched([key_of(each) for each in old], [key_of(each) for each in new], work):
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
    settled: list[Token] = []
    removed: list[str] = []
    added: list[str] = []
    for at, (mark, text) in enumerate(tokens):
        ends_cell = text in ("|", "\n")
        blank = mark == "same" and text.isspace() and not ends_cell
        if blank and (removed or added) and at + 1 < len(tokens) and tokens[at + 1][0] != "same":
            removed.append(text)
            added.append(text)
        elif mark == "same" or ends_cell:
            settled += settle(removed, added)
            removed, added = [], []
            settled.append((mark, text))
        elif mark == "removed":
            removed.append(text)
        else:
            added.append(text)
    return settled + settle(removed, added)


def settle(removed: list[str], added: list[str]) -> list[Token]:
    """One change: what goes, then what comes; equal ends of the two are no change."""
    head = alike_until(removed, added)
    tail = alike_until(removed[head:][::-1], added[head:][::-1])
    end, other_end = len(removed) - tail, len(added) - tail
    return (
        [("same", each) for each in removed[:head]]
        + [("removed", each) for each in removed[head:end]]
        + [("added", each) for each in added[head:other_end]]
        + [("same", each) for each in removed[end:]]
    )


def merged(tokens: Iterable[Token]) -> list[Token]:
    """Neighbouring tokens of the same mark as one, except at the borders of table cells and lines that changed."""
    groups: list[tuple[str, list[str]]] = []
    for mark, text in tokens:
        if not text:
            continue
        last = groups[-1][1][-1] if groups else ""
        if groups and groups[-1][0] == mark and (mark == "same" or not (text == "|" or last.endswith("|"))):
            groups[-1][1].append(text)
        else:
            groups.append((mark, [text]))
    return [(mark, "".join(texts)) for mark, texts in groups]


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
    """A comparison of prose for reading: where only blanks or line ends differ, as in a paragraph that is wrapped
    differently, the later ones are shown as unchanged."""
    shown: list[Token] = []
    pending: list[Token] = []
    for mark, text in [*tokens, ("same", "")]:
        if mark != "same":
            pending.append((mark, text))
            continue
        if pending and all(each.isspace() for _, each in pending):
            shown += [("same", each) for kind, each in pending if kind == "added"]
        else:
            shown += pending
        pending = []
        shown.append((mark, text))
    return merged(shown)


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

    @property
    def coarse(self) -> bool:
        """Whether its prose or its program was too much to be compared finely."""
        return is_coarse(*self._both(prose)) or is_coarse(*self._both(lambda record: record["code"]), words=False)

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
    compared_rules = []
    for id, record in new.items():
        if id in old:
            compared_rules.append(
                RuleDiff("same" if content(old[id]) == content(record) else "changed", old[id], record)
            )
        elif id in moves:
            compared_rules.append(RuleDiff("moved", old[moves[id]], record))
        else:
            compared_rules.append(RuleDiff("new", None, record))
    stayed = set(moves.values())
    compared_rules += [
        RuleDiff("gone", record, None) for id, record in old.items() if id not in new and id not in stayed
    ]
    return BookDiff(sorted(compared_rules, key=lambda each: number_key(each.id)))


def content(record: Record) -> list[object]:
    """What makes a rule the rule it is; not its age, nor where it comes from."""
    return [record[part] for part in COMPARED]


def find_moves(gone: list[Record], new: list[Record]) -> dict[str, str]:
    """Which new rules are gone ones under another number: {new number: old number}. The most alike find each other."""
    words = {id(record): words_of(record) for record in [*gone, *new]} if len(gone) * len(new) <= MOST_MOVES else {}
    likeness = [(alike(old, fresh, words), old["id"], fresh["id"]) for old in gone for fresh in new]
    moves: dict[str, str] = {}
    for degree, was, now in sorted(likeness, key=lambda each: (-each[0], number_key(each[1]), number_key(each[2]))):
        if degree >= ALIKE and now not in moves and was not in moves.values():
            moves[now] = was
    return moves


def alike(a: Record, b: Record, words: dict[int, list[str]]) -> float:
    """How much alike two rules are, from 0 to 1, by their words (where they are known) and their programs."""
    if (a["title"], a["text"], a["code"]) == (b["title"], b["text"], b["code"]):
        return 1.0
    first, second = words.get(id(a), []), words.get(id(b), [])
    shorter, longer = sorted((len(first), len(second)))
    if shorter < 4 or 2 * shorter < ALIKE * (shorter + longer):
        return 0.0
    try:
        matcher = Matcher(first, second, Work())
        return matcher.ratio() if matcher.quick_ratio() >= ALIKE else 0.0
    except TooMuchWork:
        return 0.0


def words_of(record: Record) -> list[str]:
    """All words of a rule's title, prose and program."""
    return re.findall(r"\w+", f"{record['title']} {record['text']} {record['code']}")
