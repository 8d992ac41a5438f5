"""Putting a proposal into effect from the desk, as each edition has it: checked and foreseen first, with the difference
to what was voted on marked, and then in force. (`original` is in test_doors.py.)"""

import pytest
from pagewords import SECOND, fields, text, things

from nomopoly.site.tables import domain, live

FORM = f"{SECOND}proposals/new/"
CODE = '@after("join")\ndef lap(e):\n    gain(e.who, rule.bonus)\n'
RULES = {"iv": "13.1", "mail": "XL.1", "ii": "XL.1"}


def wanted(edition):
    return {
        "enact": RULES[edition],
        "section": "Additions",
        "text": "Who joins gets ${bonus}.",
        "params": {"bonus": 5},
        "code": CODE,
    }


def voted_on(game):
    """Let all say Yes, and the vote end."""
    for name in ("Ann", "Ben", "Cid"):
        assert domain.order(game, name, "vote", {"on": "P1", "choice": "yes"}).ok


@pytest.fixture
def start(start_second):
    """start(edition, **of the proposal): a game in which Ann has made it, and Ben and Cid play; and what lets days go
    by."""

    def begin(edition, **proposal):
        game, go = start_second("Ann", "Ben", "Cid", edition=edition)
        outcome = domain.order(game, "Ann", "propose", {"title": "Welcome", "text": "Words"} | proposal)
        assert outcome.ok, outcome
        return game, go

    return begin


def rule(game, edition):
    return next((each for each in live.of(game).records() if each["id"] == RULES[edition]), None)


def opened(keeper, act):
    """The form that the desk's button leads to."""
    assert f'name="act" value="{act}"' in keeper.get(f"{SECOND}admin/").content.decode()
    return keeper.get(FORM, {"act": act, "on": "P1"})


def test_in_iv_what_the_players_have_accepted_is_checked_changed_and_in_force(start, keeper):
    game, go = start("iv", changes=[wanted("iv")])
    voted_on(game)
    go(6)
    assert things(game)["P1"]["status"] == "Pending"
    page = opened(keeper, "implement")
    checked = keeper.post(FORM, fields(page) | {"check": "1"})
    assert "It is what was proposed" in text(checked)
    assert "If it were in force now" in text(checked)
    wrong = keeper.post(FORM, fields(page) | {"changes-0-code": "import os", "check": "1"})
    assert "rule 13.1, line 1" in text(wrong)
    other = keeper.post(FORM, fields(page) | {"changes-0-params": "bonus: 7", "check": "1"})
    assert "added: 7" in text(other).partition("Different from what was proposed")[2]
    assert rule(game, "iv") is None  # nothing was done yet
    keeper.post(FORM, fields(other) | {"submit": "1", "once": "done"})
    assert rule(game, "iv")["params"] == {"bonus": 7}
    assert rule(game, "iv")["section_title"] == "Additions"  # which no form asks for
    assert things(game)["P1"]["outcome"] == "implemented"


def test_in_mail_the_verdict_carries_the_checked_program_to_the_update(start, keeper):
    game, go = start("mail", changes=[wanted("mail")])
    page = opened(keeper, "accept")
    other = keeper.post(FORM, fields(page) | {"changes-0-params": "bonus: 7", "check": "1"})
    assert "If it were in force now" in text(other)
    assert "added: 7" in text(other).partition("Different from what was proposed")[2]
    keeper.post(FORM, fields(other) | {"submit": "1", "once": "done"})
    assert things(game)["P1"]["verdict"] == "accepted"
    assert rule(game, "mail") is None
    go(8)
    assert rule(game, "mail")["params"] == {"bonus": 7}


def test_in_ii_words_alone_get_their_program_after_the_vote(start, keeper):
    game, go = start("ii")
    go(4)
    voted_on(game)
    go(4)
    assert things(game)["P1"]["status"] == "accepted"
    page = keeper.get(FORM, {"act": "implement", "on": "P1"})
    box = {f"changes-0-{name}": value for name, value in wanted("ii").items() if name not in ("enact", "params")}
    box = {"changes-0-kind": "enact", "changes-0-rule": "XL.1", "changes-0-params": "bonus: 7"} | box
    checked = keeper.post(FORM, fields(page) | box | {"check": "1"})
    assert "If it were in force now" in text(checked)
    assert "Different from what was proposed" in text(checked)
    keeper.post(FORM, fields(checked) | box | {"submit": "1", "once": "done"})
    assert rule(game, "ii")["params"] == {"bonus": 7}
