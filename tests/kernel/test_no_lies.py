"""Rules cannot lie in another's name: the log says which rule did what, and what is being voted on stays as it is."""

import minigames
import pytest
from minigames import CHANGING, START, done, rule, small_game

from nomopoly.rulebook.source import load_edition
from nomopoly.runtime.host import open_game

PAY = rule(
    "1.1",
    """
attribute('player', 'money', 0)
event('pay', 'paid', '{who} pays {to} ${amount}', who='player', to='player', amount='')


@on('pay')
def pay(e):
    note(total=e.amount)


@action('give', fact='gave', say='{who} gives {to} ${amount}', to=choose('player'), amount=number())
def give(e):
    do('pay', who=e.who, to=e.to, amount=e.amount)
""",
)
LIES = {
    "another rule": "@after('pay')\ndef f(e):\n    note(rule='1.1')",
    "another word": "@after('pay')\ndef f(e):\n    note(what='granted')",
    "another event": "@after('pay')\ndef f(e):\n    note(event='grant')",
    "another amount": "@after('pay')\ndef f(e):\n    note(amount=5000)",
    "another total": "@after('pay')\ndef f(e):\n    note(total=5000)",
    "somebody else": "@after('pay')\ndef f(e):\n    note(who=thing('Ben'))",
    "only for some": "@after('pay')\ndef f(e):\n    note(only=())",
    "a ruling": "@after('pay')\ndef f(e):\n    fact('ruled', text='Ben is out')",
    "a fact of another rule": "@after('pay')\ndef f(e):\n    fact('seen', rule='1.1')",
    "a fact of another event": "@after('pay')\ndef f(e):\n    fact('seen', event='pay')",
    "a ruling by an order": "@after('pay')\ndef f(e):\n    carry_out(None, 'rule', '{\"text\": \"Ben is out\"}')",
    "an act of the Admin": "@after('pay')\ndef f(e):\n    do('grant', thing=e.who, attribute='money', value=5)",
}
GIVES = {"to": "Ben", "amount": 3}


@pytest.mark.parametrize("name", LIES)
@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
def test_no_rule_speaks_for_another(runtime, name):
    game = small_game(CHANGING, PAY, rule("2.1", LIES[name]), runtime=runtime)
    outcome = game.order("Ann", "give", GIVES, START)
    assert outcome.fault["rule"] == "2.1", outcome


@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
def test_a_rule_may_add_to_what_another_tells(runtime):
    more = "@after('pay')\ndef f(e):\n    note(bonus=7)\n    fact('seen', who=e.to)"
    game = small_game(CHANGING, PAY, rule("2.1", more), runtime=runtime)
    facts = done(game.order("Ann", "give", GIVES, START)).facts
    assert [(each["what"], each["rule"]) for each in facts] == [("gave", "1.1"), ("paid", "1.1"), ("seen", "2.1")]
    assert (facts[1]["bonus"], facts[1]["amount"]) == (7, 3)


@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
def test_the_log_says_when_a_rule_acts_for_a_player(runtime):
    makes = "@action('make')\ndef make(e):\n    do('give', who=thing('Ben'), to=e.who, amount=5000)"
    game = small_game(CHANGING, PAY, rule("2.1", makes), runtime=runtime)
    done(game.order("Ann", "make", {}, START))
    gave, paid = game.facts("visitor")[-1]["facts"]
    assert gave["made_by_rule"] == "2.1"
    assert gave["say"] == "Ben gives Ann $5000 (rule 2.1 did this: nobody ordered it)"
    assert "made_by_rule" not in paid
    done(game.order("Ben", "give", {"to": "Ann", "amount": 1}, START))
    assert "made_by_rule" not in game.facts("visitor")[-1]["facts"][0]


EDITIONS = [("original", "undecided"), ("mail", "undecided"), ("ii", "voting"), ("iv", "Voting")]


@pytest.mark.parametrize(("edition", "status"), EDITIONS)
def test_what_is_being_voted_on_cannot_be_changed(edition, status):
    book = load_edition(edition)
    game = open_game(book, title="T", runtime="cpython", at=START)
    kernel = game.runtime._names
    kernel["begin_entry"]({"n": 1, "at": START})
    kernel["world"].rule = kernel["world"].index.attributes["proposal"]["text"].rule
    proposal = kernel["create"]("proposal", id="P1", title="T")
    kernel["put"](proposal, "status", status)
    kernel["put"](proposal, "text", "The machinery of proposals may")
    for other in ("ZZ.1", "P2", "I.1"):
        kernel["world"].rule = other
        for name in ("status", "title", "text", "changes", "run"):
            with pytest.raises(ValueError, match=f"{name} of P1 cannot be changed while it is {status.lower()}"):
                kernel["put"](proposal, name, "x")


@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
def test_a_kind_of_a_rules_own_may_be_sealed(runtime):
    bill = "kind('bill')\nattribute('bill', 'status', 'draft')\nattribute('bill', 'words', '', sealed=('open',))\n\n\n"
    makes = "@action('make')\ndef make(e):\n    put(create('bill', words='a'), 'status', 'open')\n"
    spoils = "@action('spoil')\ndef spoil(e):\n    put(thing('bill-1'), 'words', 'b')\n"
    ends = "@action('end')\ndef end(e):\n    put(thing('bill-1'), 'status', 'closed')\n"
    game = small_game(CHANGING, rule("1.1", bill + makes), rule("1.2", ends), rule("2.1", spoils), runtime=runtime)
    done(game.order("Ann", "make", {}, START))
    assert "cannot be changed while it is open" in game.order("Ann", "spoil", {}, START).fault["message"]
    done(game.order("Ann", "end", {}, START))
    done(game.order("Ann", "spoil", {}, START))
