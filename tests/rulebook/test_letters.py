"""Programs read as they look: what is not seen, turns a line round or looks like something else is refused by name."""

import pytest

from nomopoly.rulebook.check import check_changes
from nomopoly.rulebook.source import load_edition
from nomopoly.runtime.host import open_game

BOOK = load_edition("original")
PAYS = "@after('pass')\ndef bonus(e):\n    gain(e.who, 1){}\n"


def problems(code="", run="", **parts):
    change = {"enact": "X.1", "text": "Words.", "code": code, **parts}
    return [str(each) for each in check_changes([change], run, BOOK.records, BOOK.commons)]


REFUSED = {
    "a lone CR hides a line": (PAYS.format("  # a mere remark\r    gain(e.who, 1000000)"), "line 3", "U+000D"),
    "a form feed": ("\f" + PAYS.format(""), "line 1", "U+000C"),
    "a vertical tab in a comment": (PAYS.format("  # a\x0bb"), "line 3", "U+000B"),
    "next line": (PAYS.format("  # a\x85b"), "line 3", "U+0085"),
    "line separator": (PAYS.format("  # a\u2028b"), "line 3", "U+2028 LINE SEPARATOR"),
    "paragraph separator in a word": ("A = 'a\u2029b'", "line 1", "U+2029 PARAGRAPH SEPARATOR"),
    "an override of direction": (PAYS.format("  # \u202e"), "line 3", "U+202E RIGHT-TO-LEFT OVERRIDE"),
    "an isolate in a word": ("A = 'x\u2067y'", "line 1", "U+2067 RIGHT-TO-LEFT ISOLATE"),
    "a mark of direction": ("A = 'x\u200fy'", "line 1", "U+200F RIGHT-TO-LEFT MARK"),
    "a space of no width": ("A = 'x\u200by'", "line 1", "U+200B ZERO WIDTH SPACE"),
    "a joiner": ("A = 'x\u200dy'", "line 1", "U+200D ZERO WIDTH JOINER"),
    "a byte order mark": ("A = 'x\ufeffy'", "line 1", "U+FEFF"),
    "a tag": ("A = 'x\U000e0041y'", "line 1", "U+E0041 TAG LATIN CAPITAL LETTER A"),
    "a variation selector": ("A = 'x\ufe0f'", "line 1", "U+FE0F VARIATION SELECTOR-16"),
    "another one": ("A = 'x\U000e0100'", "line 1", "U+E0100 VARIATION SELECTOR-17"),
    "a Hangul filler": ("A = 'x\u3164'", "line 1", "U+3164 HANGUL FILLER"),
    "a soft hyphen": ("A = 'x\u00ady'", "line 1", "U+00AD SOFT HYPHEN"),
    "a space that does not break": ("A = 'x\u00a0y'", "line 1", "U+00A0 NO-BREAK SPACE"),
    "a character of private use": ("A = 'x\ue000y'", "line 1", "U+E000"),
    "half a character": ("A = 'x\ud800y'", "line 1", "U+D800"),
    "a Cyrillic name": (PAYS.format("").replace("bonus", "b\u043enus"), "line 2", "b\u043enus"),
    "a fullwidth name": (PAYS.format("").replace("gain", "ｇａｉｎ"), "line 3", "column 5: write the name 'ｇａｉｎ'"),
    "a fullwidth name in an f-string": (
        PAYS.format("\n    tell(None, f'{ｐrose()}')"),
        "line 4",
        "write 'ｐ' in this f-string",
    ),
    "a mathematical letter": (PAYS.format("").replace("gain", "𝐠ain"), "line 3", "write the name"),
    "a Greek name in an f-string": (
        PAYS.format("\n    ω = 1").replace("1\n", "f'{ω}'\n"),
        "line 4",
        "in this f-string",
    ),
    "an event that looks like another": ("event('p\u0430y')", "line 1", "write the name 'p\u0430y'"),
    "an attribute that looks like another": ("attribute('player', 'm\u043eney')", "line 1", "write the name"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_program_that_reads_otherwise_than_it_runs_is_refused(name):
    code, place, words = REFUSED[name]
    errors = [each for each in problems(code) if ": error: " in each]
    assert [each for each in errors if f"{place}: error: " in each and words in each], errors


def test_the_one_time_program_is_looked_at_too():
    assert [each for each in problems("", "x = 1  # \u202e") if each.startswith("run line 1: error: column 10: U+202E")]


@pytest.mark.parametrize(
    "code",
    [
        "",
        PAYS.format("  # größer, naïve, 東京, ♠"),
        PAYS.format("\n    tell(None, f'{e.who} übt 東京 ♠')"),
        PAYS.format("").replace("\n", "\r\n"),
        "attribute('player', 'luck', 0, label='Glück 🎲')",
    ],
)
def test_letters_of_other_languages_may_stand_in_words_and_remarks(code):
    assert problems(code) == []


def test_a_line_with_letters_from_right_to_left_is_pointed_out():
    assert problems("attribute('player', 'luck', 0, label='מזל')") == [
        "rule X.1 line 1: warning: this line has letters that are written from right to left: "
        "it may be shown in another order"
    ]


def test_prose_may_be_in_any_language():
    words = "Grüße, Καλημέρα, добрый день, שלום, مرحبا, नमस्ते, 你好, 👩‍🚀, ♠️.\n\n\tA list:\r\n- one"
    assert problems(text=words, title="שלום", section_title="你好") == []


@pytest.mark.parametrize("part", ["text", "title", "section_title"])
@pytest.mark.parametrize("character", "\u202e\u2066\u200b\u200e\u00ad\u2028\x00\x08\x1b\x85\ufeff\U000e0041\ufff9\r")
def test_prose_has_no_characters_that_are_not_seen(part, character):
    [problem] = problems(**{part: f"A{character}B"})
    assert f"column 2: U+{ord(character):04X}" in problem
    assert ": error: " in problem


@pytest.mark.parametrize("number", ["\u0406II.1", "lII.1", "Ⅲ.1", "III.l", "\u2160II.1"])
def test_a_number_that_looks_like_another_is_refused(number):
    found = check_changes([{"enact": number, "text": "Words."}], "", BOOK.records, BOOK.commons)
    assert "its number looks like that of rule III.1: choose another one" in [each.message for each in found]


def test_a_host_enacts_no_such_program():
    game = open_game(BOOK, title="T", runtime="cpython", at=0)
    game.join("Ann", 1)
    game.admin("approve-player", {"player": "Ann"}, 2)
    code = REFUSED["a lone CR hides a line"][0]
    outcome = game.order("Ann", "propose", {"title": "T", "changes": [{"enact": "X.1", "text": "T", "code": code}]}, 3)
    assert "U+000D" in outcome.refused
