"""What `check`, clashes and pages know of the words that rules lend."""

from nomopoly.rulebook.check import check_changes
from nomopoly.rulebook.clashes import clashes
from nomopoly.rulebook.lent import Word, words_of
from nomopoly.rulebook.source import load_edition
from nomopoly.rulebook.words import words_of as list_of_words

BOOK = load_edition("original")
LENDER = {
    "id": "D.1",
    "section": "D",
    "section_title": "Definitions",
    "title": "",
    "text": "A tax is a tenth.",
    "params": {"part": 10},
    "code": '@word\ndef tax(amount, extra=0):\n    """The tax on an amount."""\n    return share(amount, rule.part) '
    "+ extra\n\n\n"
    "@word\ndef take_tax(who, amount):\n    lose(who, tax(amount))\n\n\n"
    "@word\ndef wonder(id, name, **more):\n    row('wonder', id, name=name)\n    event('see-' + id, who='player')",
    "since": 0,
    "made_by": "opening",
}
RECORDS = [*BOOK.records, LENDER]


def found(*changes, run=""):
    return [str(each) for each in check_changes(list(changes), run, RECORDS, BOOK.commons)]


def enacted(code, id="X.1"):
    return {"enact": id, "text": "Words.", "code": code}


def test_words_of_rules_are_known_with_their_parameters():
    assert found(enacted("@after('land')\ndef f(e):\n    take_tax(e.who, tax(100, extra=1))")) == []
    few = found(enacted("@after('land')\ndef f(e):\n    take_tax(e.who)"))
    assert any("take_tax(...) lacks 'amount'" in each for each in few), few
    wrong = found(enacted("@after('land')\ndef f(e):\n    lose(e.who, taxes(100))"))
    assert any("'taxes' is not known here: did you mean 'tax'?" in each for each in wrong), wrong


def test_a_word_that_writes_is_not_for_what_only_reads():
    told = found(enacted("@check('land')\ndef f(e):\n    take_tax(e.who, 5)"))
    assert any("@check only reads: take_tax(...) belongs into @on" in each for each in told), told


def test_a_word_may_declare_and_is_called_at_the_top_then():
    assert found(enacted("wonder('canyon', 'Canyon')\n\n\n@after('see-canyon')\ndef f(e):\n    gain(e.who, 1)")) == []
    told = found(enacted("@after('land')\ndef f(e):\n    wonder('x', 'X')"))
    assert any("wonder(...) stands at the top of a rule" in each for each in told), told


def test_what_leans_on_a_word_is_named_when_its_rule_goes():
    user = {**LENDER, "id": "X.2", "code": "@after('land')\ndef f(e):\n    lose(e.who, tax(100))", "params": {}}
    told = [str(each) for each in check_changes([{"repeal": "D.1"}], "", [*RECORDS, user], BOOK.commons)]
    assert any("X.2" in each and "after these changes 'tax' is not known here" in each for each in told), told


def test_no_rule_lends_what_the_language_or_the_shared_modules_have():
    for name in ("put", "pay"):
        told = found(enacted(f"@word\ndef {name}(a, b, c):\n    return 1"))
        assert any(f"'{name}' is a word of the language: choose another name" in each for each in told), told


def test_two_rules_that_lend_a_word_clash_by_precedence():
    other = {**LENDER, "id": "X.1", "code": "@word\ndef tax(amount, extra=0):\n    return 5", "since": 3, "params": {}}
    assert [str(each) for each in clashes([LENDER, other])] == [
        "D.1 and X.1 both lend the word 'tax': D.1 wins (older form)"
    ]


def test_the_list_of_words_of_a_game_has_them():
    told = {each["name"]: each for each in list_of_words(RECORDS, BOOK.commons) if each["by"] == "D.1"}
    assert told["tax"]["takes"] == "(amount, extra=0)"
    assert told["tax"]["text"] == "The tax on an amount."
    assert {"tax", "take_tax", "wonder"} <= set(told)


def test_words_have_a_signature_and_say_what_they_are_for():
    assert words_of(RECORDS)[:2] == [
        Word("tax", "D.1", "tax(amount, extra=0)", "The tax on an amount."),
        Word("take_tax", "D.1", "take_tax(who, amount)", ""),
    ]


def test_what_a_function_asks_for_first_may_be_missing():
    for code in (
        "if can_happen('fly'):\n        do('fly', who=e.who)",
        "if attribute_of(e.who, 'wings') is not None:\n        gain(e.who, e.who.wings)",
        "if 'wings' in traits('player'):\n        put(e.who, 'wings', 2)",
        "gain(e.who, value('wind', e.square, otherwise=0))",
    ):
        assert found(enacted(f"@after('land')\ndef f(e):\n    {code}")) == []
    for code in ("do('fly', who=e.who)", "put(e.who, 'wings', 2)", "gain(e.who, value('wind', e.square))"):
        assert len(found(enacted(f"@after('land')\ndef f(e):\n    {code}"))) == 1
