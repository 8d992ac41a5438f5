"""The kernel's own vote on a way out of a disruption, by the pages: what is voted on, and what came of it."""

import pytest
from django.test import Client, RequestFactory
from django.utils.translation import override
from pagewords import propose, text, things, token, well

from nomopoly.site.door import Seat
from nomopoly.site.notices.models import Notice
from nomopoly.site.play import ending, proposals
from nomopoly.site.tables import domain

FOURTH = "/g/fourth/"
VOTE = f"{FOURTH}act/emergency-vote/"
BREAKS = {
    "enact": "13.1",
    "section": "Additions",
    "text": "Boom.",
    "code": "@after('roll')\ndef boom(e):\n    1 // 0\n",
}
OUT = {"title": "Without it", "text": "It broke at once.", "changes": [{"repeal": "13.1"}], "run": "1 + 1"}


@pytest.fixture
def disrupted(start_second):
    """A game that is paused because a rule broke; go(days) lets days go by."""
    game, go = start_second("Ann", "Ben", "Cid", edition="iv", slug="fourth")
    propose(game, title="Break", changes=[BREAKS])
    well(domain.order(game, "Ann", "vote", {"on": "P1", "choice": "yes"}))
    go(5)
    well(domain.desk_act(game, "implement", {"on": "P1"}))
    go(6)
    assert things(game)["game"]["pause_kind"] == "disruption"
    return game, go


@pytest.fixture
def voting(disrupted):
    well(domain.desk_act(disrupted[0], "emergency-propose", OUT))
    return disrupted


def vote(client, choice):
    return client.post(VOTE, {"on": "emergency-1", "choice": choice, "once": token(client.get(VOTE))}, follow=True)


def test_who_votes_reads_what_on(voting, people):
    ann = people("ann")
    assert "Your vote on a way out of the pause: Without it" in text(ann.get(FOURTH))
    page = text(ann.get(VOTE, {"on": "emergency-1"}))
    for said in ("Without it", "It broke at once.", "13.1", "removed: Boom.", "1 + 1"):
        assert said in page, said
    asked = text(ann.post(VOTE, {"on": "emergency-1", "choice": "yes", "preview": "1"}))
    assert "Vote Yes on the way out “Without it”?" in asked
    assert "It broke at once." in asked
    assert "Without it, voting closes" in text(ann.get(FOURTH))


def test_a_way_out_that_is_gone_is_left_out_of_a_form(voting, people):
    """Rules may offer what is no longer there."""
    game, _ = voting
    seat = Seat(RequestFactory().get(VOTE), game, "player", "Ann")
    action = {"fields": [{"kind": "emergency", "choices": [{"id": "emergency-9"}, {"id": "emergency-1"}]}]}
    assert [each["id"] for each in proposals.ways_out(seat, action)] == ["emergency-1"]


def test_who_has_voted_reads_what(voting, people):
    ann = people("ann")
    assert "Your vote:" not in text(ann.get(VOTE, {"on": "emergency-1"}))
    vote(ann, "yes")
    assert "Your vote: Yes. You can change it until" in text(ann.get(VOTE, {"on": "emergency-1"}))
    assert "Your vote:" not in text(people("ben").get(VOTE, {"on": "emergency-1"}))


@pytest.mark.parametrize(("choice", "counted"), [("yes", "1 Yes, 0 No"), ("no", "0 Yes, 1 No")])
def test_what_came_of_it_is_told_in_a_sentence(voting, people, choice, counted):
    _, go = voting
    vote(people("ann"), choice)
    go(6)
    log = text(people("ben").get(f"{FOURTH}log/"))
    assert f"Without it : {counted}." in log
    assert "emergency" not in log
    with override("de"):
        assert "The Admin" not in text(Client(headers={"accept-language": "de"}).get(f"{FOURTH}log/"))


def test_the_history_of_the_rules_names_the_vote(voting, people):
    _, go = voting
    vote(people("ann"), "yes")
    go(6)
    assert "Way out of a pause: Without it" in text(Client().get(f"{FOURTH}rules/history/"))
    assert "A correction by the Admin" not in text(Client().get(f"{FOURTH}rules/13.1/"))


def test_a_proposal_that_only_repeals_is_what_the_history_names(disrupted):
    game, go = disrupted
    well(domain.desk_act(game, "propose", {"title": "Out", "changes": [{"repeal": "13.1"}]}))
    well(domain.order(game, "Ann", "vote", {"on": "P2", "choice": "yes"}))
    go(6)
    assert "Repealed by proposal 2" in text(Client().get(f"{FOURTH}rules/13.1/"))
    assert "A correction by the Admin" not in text(Client().get(f"{FOURTH}rules/history/"))


REPAIR = [{"amend": "13.1", "text": "Bang.", "code": ""}]


@pytest.mark.parametrize(
    "act",
    [("propose", {"title": "Repair", "changes": REPAIR}), ("emergency-propose", OUT | {"changes": REPAIR})],
    ids=["proposal", "way out"],
)
def test_a_rule_that_was_repaired_is_still_the_players_who_made_it(disrupted, act):
    game, go = disrupted
    well(domain.desk_act(game, *act))
    on = {"propose": ("vote", "P2"), "emergency-propose": ("emergency-vote", "emergency-1")}[act[0]]
    for who in ("Ann", "Ben", "Cid"):
        well(domain.order(game, who, on[0], {"on": on[1], "choice": "yes"}))
    go(6)
    rules = ending.rules_of_players(Seat(RequestFactory().get(FOURTH), game, "player", "Ann"))
    assert [(each["rule"]["shown"], each["author"], each["proposal"]) for each in rules] == [("Bang.", "Ann", "P1")]


def test_notices_call_it_a_way_out(voting, told):
    told()
    said = [*Notice.objects.filter(user__email="ann@example.org").values_list("text", flat=True)]
    assert "Way out of the pause, Without it: voting" in said, said
    assert not [each for each in said if "emergency" in each or "time for turns" in each]


def test_the_desk_says_whose_a_proposal_is(disrupted, keeper):
    game, go = disrupted
    worse = {"enact": "13.2", "text": "-", "code": "@after('implement')\ndef worse(e):\n    1 // 0\n"}
    well(domain.desk_act(game, "propose", {"title": "Out", "changes": [worse]}))
    well(domain.order(game, "Ann", "vote", {"on": "P2", "choice": "yes"}))
    go(6)
    desk = text(keeper.get(f"{FOURTH}admin/"))
    assert "P2: Out" in desk
    assert "by None" not in desk
