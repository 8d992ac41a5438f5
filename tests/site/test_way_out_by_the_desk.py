"""The Admin proposes the way out of a disruption in the form in which players propose."""

import re

import pytest
from pagewords import fields, started, text, token, well

from nomopoly.site.tables import domain, live

FOURTH = "/g/fourth/"
NEW = f"{FOURTH}proposals/new/"
BREAKS = {
    "enact": "13.1",
    "section": "Additions",
    "text": "Boom.",
    "code": "@after('land')\ndef boom(e):\n    1 // 0\n",
}


@pytest.fixture
def disrupted(start_second):
    """A game that is paused because a rule broke; go(days) lets days go by."""
    game, go = start_second("Ann", "Ben", slug="fourth", edition="iv")
    well(domain.order(game, "Ann", "propose", {"title": "Break", "text": "it", "changes": [BREAKS]}))
    vote(game, "P1")
    go(5)
    well(domain.desk_act(game, "implement", {"on": "P1"}))
    go(6)
    return game, go


def vote(game, proposal):
    with live.of(game).writing() as running:
        well(running.cast("Ann", "vote", {"on": proposal, "choice": "yes"}, live.now()))


def test_the_desk_leads_to_a_form_that_begins_with_the_rule_that_broke(disrupted, keeper):
    desk = keeper.get(f"{FOURTH}admin/").content.decode()
    there = re.search(r'<a href="([^"]+)">propose a change</a>', desk)[1].replace("&amp;", "&")
    page = keeper.get(there)
    assert fields(page)["changes-0-rule"] == "13.1"
    assert "1 // 0" in fields(page)["changes-0-code"]
    assert keeper.get(f"{FOURTH}admin/propose/", follow=True).redirect_chain[0][0] == f"{NEW}?act=propose"


def test_what_the_admin_proposes_in_it_is_voted_on_and_ends_the_pause(disrupted, keeper, people):
    game, go = disrupted
    page = keeper.get(NEW, {"act": "propose", "rule": "13.1"})
    sent = fields(page) | {"changes-0-kind": "repeal", "once": token(page)}
    checked = keeper.post(NEW, sent | {"check": "1"})
    assert "No problems found" in text(checked)
    assert "Different from what was proposed" not in text(checked)
    made = keeper.post(NEW, fields(checked) | {"once": token(checked), "submit": "1"}, follow=True)
    assert made.redirect_chain[-1][0] == f"{FOURTH}admin/"
    assert "your vote on P2" in text(people("ann").get("/me/"))
    vote(game, "P2")
    go(6)
    assert "P2 : 1 Yes, 0 No" in text(people("ann").get(f"{FOURTH}log/"))
    assert "Yes, No" not in text(people("ann").get(f"{FOURTH}log/"))  # the kernel's own vote finds nothing to do
    assert live.of(game).view("Ann")["things"]["game"]["paused"] is False
    assert "13.1" not in {record["id"] for record in live.of(game).records()}


def test_outside_a_disruption_the_desk_says_that_the_admin_does_not_propose(keeper):
    game = started(keeper, "iv", "fourth", title="Fourth")
    proposing = next(each for each in live.of(game).actions("admin") if each["id"] == "propose")
    assert proposing["possible"] is False
    assert proposing["reason"] == "the Admin proposes only while the game is paused by a disruption"


def test_a_form_that_the_rules_refuse_keeps_what_was_typed(keeper):
    started(keeper, "iv", "fourth", title="Fourth")
    page = keeper.get(NEW, {"act": "propose"})
    sent = fields(page) | {"title": "A better world", "text": "for all", "once": token(page), "submit": "1"}
    refused = keeper.post(NEW, sent)
    assert "the Admin proposes only while the game is paused by a disruption" in text(refused)
    assert fields(refused)["title"] == "A better world"


def test_a_draft_of_the_admins_goes_on_where_it_was(disrupted, keeper):
    page = keeper.get(NEW, {"act": "propose", "rule": "13.1"})
    kept = keeper.post(NEW, fields(page) | {"title": "Out of it", "once": token(page), "save": "1"}, follow=True)
    again = fields(keeper.get(kept.redirect_chain[-1][0]))
    assert (again["title"], again["office"]) == ("Out of it", "propose")
