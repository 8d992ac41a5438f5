"""Comparisons: what is shown, and that they lead from the earlier version to the later."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomopoly.rulebook.diff import (
    diff_books,
    diff_lines,
    diff_words,
    earlier_of,
    later_of,
    lines_to_text,
    patched,
    readable,
    to_text,
)


def record(id, text="Some words about a rule.", **parts):
    section = id.partition(".")[0]
    return {
        "id": id, "section": section, "section_title": f"Section {section}", "title": "", "text": text, "params": {},
        "code": "", "since": 0, "made_by": "opening", **parts,
    }  # fmt: skip


PROSES = [
    ("within 7 days", "within 9 days", "within [-7-]{+9+} days"),
    ("a player may buy", "a player may not buy", "a player may {+not +}buy"),
    ("seven whole days", "ten long weeks", "[-seven whole days-]{+ten long weeks+}"),
    ("same", "same", "same"),
    ("", "new", "{+new+}"),
    ("old", "", "[-old-]"),
    ("${300}", "${350}", "${[-300-]{+350+}}"),
    (
        "| House | $300 |\n| Hotel | $900 |\n",
        "| House | $350 |\n| Hotel | $900 |\n",
        "| House | $[-300-]{+350+} |\n| Hotel | $900 |\n",
    ),
    ("| a | b |\n", "| c | d |\n", "| [-a-]{+c+} | [-b-]{+d+} |\n"),
]


@pytest.mark.parametrize(("earlier", "later", "shown"), PROSES)
def test_word_by_word(earlier, later, shown):
    assert to_text(diff_words(earlier, later)) == shown


def test_no_change_reaches_across_a_table_cell():
    tokens = diff_words("| a b |\n", "| a b | c d |\n| e | f |\n")
    assert all("|" not in text.strip() or text.strip() == "|" for mark, text in tokens if mark != "same")


def test_a_paragraph_wrapped_anew_reads_as_unchanged():
    tokens = diff_words("one two three\nfour five", "one two\nthree four six")
    assert to_text(readable(tokens)) == "one two\nthree four [-five-]{+six+}"
    assert later_of(tokens) == "one two\nthree four six"


def test_programs_line_by_line():
    tokens = diff_lines("def f(e):\n    pay(1)\n    return\n", "def f(e):\n    pay(2)\n    return\n")
    assert tokens == [
        ("same", "def f(e):\n"),
        ("removed", "    pay(1)\n"),
        ("added", "    pay(2)\n"),
        ("same", "    return\n"),
    ]
    assert lines_to_text(tokens) == "  def f(e):\n-     pay(1)\n+     pay(2)\n      return"


pieces = st.lists(st.sampled_from(["a", "b", "c", " ", "  ", "\n", "|", ".", "é", "\u2028", "\r", "\0"]), max_size=25)
texts = st.one_of(pieces.map("".join), st.text(max_size=30))


@given(texts, texts)
def test_a_comparison_applied_to_the_earlier_gives_the_later(earlier, later):
    for tokens in (diff_words(earlier, later), diff_lines(earlier, later)):
        assert earlier_of(tokens) == earlier
        assert patched(earlier, tokens) == later
        assert later_of(tokens) == later


def test_a_comparison_of_another_text_is_not_applied():
    with pytest.raises(ValueError, match="not of that text"):
        patched("other", diff_words("a", "b"))


def test_long_texts_take_no_time():
    long = "\n".join(f"word{n} " * 10 for n in range(4000))
    assert later_of(diff_words(long, long[::-1])) == long[::-1]


def test_marks_of_rules():
    earlier = [
        record("I.1"),
        record("I.2", "A player who lands here pays the owner."),
        record("I.3", "To be repealed."),
    ]
    later = [record("I.1"), record("I.2", "A player who lands here pays the bank."), record("II.1", "Something new.")]
    diff = diff_books(earlier, later)
    assert [(each.id, each.mark) for each in diff.rules] == [
        ("I.1", "same"), ("I.2", "changed"), ("I.3", "gone"), ("II.1", "new"),
    ]  # fmt: skip
    assert [each.id for each in diff.changed] == ["I.2", "I.3", "II.1"]
    assert [(number, len(rules)) for number, _, rules in diff.sections()] == [("I", 3), ("II", 1)]


def test_a_renumbered_rule_is_moved_even_if_changed():
    prose = "A player who passes the end of the board gets ${bonus} from the bank at once."
    diff = diff_books(
        [record("X.1", prose, params={"bonus": 400})],
        [record("IX.9", prose, params={"bonus": 500}), record("X.2", "Unlike anything before it here.")],
    )
    assert [(each.id, each.old_id, each.mark) for each in diff.rules] == [
        ("IX.9", "X.1", "moved"),
        ("X.2", "X.2", "new"),
    ]
    assert "moved from X.1" in diff.to_text()
    assert "$[-400-]{+500+}" in diff.to_text()


def test_age_and_origin_are_no_change():
    assert diff_books([record("I.1")], [record("I.1", since=7, made_by="P1")]).changed == []


def test_numbers_and_programs_in_the_text():
    diff = diff_books(
        [record("I.1", "Pays ${n}.", params={"n": 1}, code="x = 1")],
        [record("I.1", "Pays ${n}.", params={"n": 2}, code="x = 2")],
    )
    assert diff.to_text() == "## I.1 (changed)\n\nPays $[-1-]{+2+}.\n\n- n = 1\n+ n = 2\n\n(its program has changed)\n"
    assert "```diff\n- x = 1\n+ x = 2\n```" in diff.to_text(code=True)


ids = st.sampled_from(["I.1", "I.2", "I.10", "II.1", "II.1/a", "X.3"])
books = st.dictionaries(ids, texts, max_size=6).map(lambda found: [record(id, text) for id, text in found.items()])


@given(books, books)
def test_rule_by_rule_the_later_book_comes_from_the_earlier(earlier, later):
    diff = diff_books(earlier, later)
    before = {each["id"]: each["text"] for each in earlier}
    made = {each.id: patched(before.get(each.old_id, ""), each.text) for each in diff.rules if each.after}
    assert made == {each["id"]: each["text"] for each in later}
    assert {each.old_id for each in diff.rules if each.before} == set(before)
