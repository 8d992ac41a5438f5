"""Words that rules lend, in both interpreters: who declares them, what changes when their rule does, and what is
absent."""

import minigames
import pytest
from minigames import CHANGING, change, done, rule

from nomopoly.runtime.host import Game, load_game, take_snapshot

BASE = rule(
    "A.1",
    """
attribute("player", "money", 10, type="money")


@action("go")
def go(e):
    put(e.who, "money", fee(e.who))
    fact("went", amount=twice(fee(e.who)))
""",
)
FEE = rule(
    "D.1",
    """
@word
def fee(who):
    return twice(rule.amount)
""",
    amount=7,
)
TWICE = rule("D.2", "@word\ndef twice(amount):\n    return 2 * amount")
NEW_TWICE = "@word\ndef twice(amount):\n    return 3 * amount"


@pytest.fixture(params=minigames.RUNTIMES)
def make(request):
    opened: list[Game] = []

    def opener(*rules: dict, **more) -> Game:
        opened.append(minigames.small_game(CHANGING, *rules, runtime=request.param, **more))
        return opened[-1]

    yield opener
    for game in opened:
        game.runtime.close()


def go(game: Game):
    return game.order("Ann", "go", {}, game.now)


def money(game: Game) -> int:
    return game.value("money", "Ann")


def same_after_a_replay(game: Game) -> None:
    for more in ({}, {"snapshot": take_snapshot(game)}):
        copy = load_game(game.journal, runtime=game.runtime.name, **more)
        assert copy.state_hash() == game.state_hash()
        copy.runtime.close()


def test_a_function_of_one_rule_is_a_word_of_all(make):
    game = make(BASE, FEE, TWICE)
    outcome = done(go(game))
    assert money(game) == 14
    assert [[each["rule"], each["amount"]] for each in outcome.facts if each["what"] == "went"] == [["A.1", 28]]
    assert game.describe()["words"] == {"fee": "D.1", "twice": "D.2"}
    same_after_a_replay(game)


def test_amending_the_rule_changes_the_word_at_once_for_rules_and_other_words(make):
    game = make(BASE, FEE, TWICE)
    done(change(game, {"amend": "D.2", "code": NEW_TWICE}))
    done(go(game))
    assert money(game) == 21
    done(change(game, {"amend": "D.1", "params": {"amount": 5}}))
    done(go(game))
    assert money(game) == 15
    same_after_a_replay(game)


def test_a_word_without_its_rule_is_a_fault_that_names_it(make):
    game = make(BASE, FEE, TWICE)
    done(change(game, {"repeal": "D.2"}))
    outcome = go(game)
    assert outcome.fault["message"] == "there is no word 'twice': no rule in force lends it"
    assert outcome.fault["rule"] == "A.1"
    assert outcome.fault["line"] == 6
    assert money(game) == 10
    done(change(game, {"enact": "D.3", "text": "T", "code": TWICE["code"]}))
    done(go(game))
    assert money(game) == 14
    same_after_a_replay(game)


def test_a_change_that_is_undone_gives_the_word_back(make):
    game = make(BASE, FEE, TWICE)
    outcome = change(game, {"amend": "D.2", "code": NEW_TWICE}, run='refuse("not today")')
    assert outcome.refused == "not today"
    done(go(game))
    assert money(game) == 14


def test_of_two_rules_that_lend_a_word_precedence_decides(make):
    game = make(BASE, FEE, TWICE)
    done(change(game, {"enact": "E.1", "text": "T", "code": NEW_TWICE}))
    done(go(game))
    assert money(game) == 14
    assert [(each["what"], each["winner"], each["reason"]) for each in game.clashes()] == [
        ("word", "D.2", "older form")
    ]
    done(change(game, {"amend": "E.1", "code": 'overrides("D.2")\n\n\n' + NEW_TWICE}))
    done(go(game))
    assert money(game) == 21
    same_after_a_replay(game)


def test_a_word_that_declares_makes_what_the_rule_that_calls_it_declares(make):
    prices = rule("D.1", "@word\ndef price(id, amount):\n    row('price', id, amount=amount)")
    shop = rule(
        "A.1", "price('hat', 5)\n\n\n@action('go')\ndef go(e):\n    fact('hat', amount=rows('price')[0].amount)"
    )
    game = make(shop, prices)
    assert [each["amount"] for each in done(go(game)).facts if each["what"] == "hat"] == [5]
    done(change(game, {"amend": "D.1", "code": prices["code"].replace("amount=amount", "amount=amount + 1")}))
    outcome = done(go(game))
    assert [[each["rule"], each["amount"]] for each in outcome.facts if each["what"] == "hat"] == [["A.1", 6]]
    same_after_a_replay(game)


def test_a_rule_that_lends_words_may_call_one_that_a_later_rule_lends_at_its_top(make):
    first = rule("B.1", "price('cap', 3)\n\n\n@word\ndef fee(who):\n    return rows('price')[0].amount")
    prices = rule("D.1", "@word\ndef price(id, amount):\n    row('price', id, amount=twice(amount))")
    game = make(BASE, first, prices, rule("D.2", TWICE["code"]))
    done(go(game))
    assert money(game) == 6
    same_after_a_replay(game)
    missing = change(game, {"enact": "B.2", "text": "T", "code": "cost('hat')\n\n\n@word\ndef b(who):\n    return 1"})
    assert missing.fault["message"] == "there is no word 'cost': no rule in force lends it"
    done(go(game))


def test_a_function_of_a_rule_of_its_own_is_no_word(make):
    own = rule("A.1", BASE["code"] + "\n\n\ndef twice(amount):\n    return 5 * amount")
    helper = rule("D.3", "def fee(who):\n    return 1\n\n\n@word\ndef other():\n    return fee(None)")
    game = make(own, FEE, TWICE, helper)
    outcome = done(go(game))
    assert money(game) == 14
    assert [each["amount"] for each in outcome.facts if each["what"] == "went"] == [70]
    assert done(change(game, run="fact('told-so', amount=other())")).facts[-1]["amount"] == 1


def test_no_rule_lends_what_the_language_has(make):
    game = make(BASE, FEE, TWICE)
    outcome = change(game, {"enact": "E.1", "text": "T", "code": "@word\ndef put(a, b, c):\n    return 1"})
    assert outcome.fault["message"] == "ValueError: rule E.1: 'put' is a word of the language: choose another name"
    done(go(game))


def test_words_that_call_each_other_without_end_are_broken_off_alike(make):
    ping = rule("D.1", "@word\ndef fee(n):\n    return twice(n)")
    pong = rule("D.2", "@word\ndef twice(n):\n    return fee(n)")
    outcome = go(make(BASE, ping, pong))
    assert outcome.fault["message"] == "RuntimeError: too deep: more than 200 calls within one another"
    assert outcome.fault["rule"] == "A.1"
