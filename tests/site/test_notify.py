"""Events that rules declare to concern somebody: `notify=` names whom, and they get a notice that is mailed soon."""

import pytest
from pagewords import accept, propose
from test_notices import mails_to, told_to

from nomopoly.site.notices.models import Notice
from nomopoly.site.tables import domain

RULE = """event("wave", "waved", say="{who} waves{how}", who="player", at="", how="", notify="at")


@action("wave-at-all", "Wave at all", how=words("How"))
def wave_at_all(e):
    do("wave", who=e.who, at=tuple([each for each in players() if each != e.who]), how=" " + e.how)
"""


@pytest.fixture
def waving(game, ann, ben, people):
    """The game, in whose rules a wave concerns those it is meant for."""
    bring(game, RULE)
    return game


def bring(game, code):
    """Bring a rule into force."""
    propose(game, changes=[{"enact": "13.9", "text": "Players wave.", "code": code}])
    accept(game, "P1")


def test_a_rule_tells_those_whom_its_event_concerns_once(waving, told):
    assert domain.order(waving, "Ann", "wave-at-all", {"how": "kindly"}).ok
    told()
    told()
    assert told_to("ben", "called") == ["Ann waves kindly."]
    assert told_to("ann", "called") == []
    assert len([each for each in mails_to("ben") if "Ann waves kindly" in each]) == 1


def test_what_an_event_says_of_a_player_without_notify_waits_for_the_daily_mail(game, ann, ben, told):
    bring(game, RULE.replace(', notify="at"', ""))
    assert domain.order(game, "Ann", "wave-at-all", {"how": "kindly"}).ok
    told()
    assert told_to("ben", "called") == []
    assert told_to("ben", "happened") == ["Ann waves kindly."]
    assert [each for each in mails_to("ben") if "Ann waves" in each] == []


def test_nobody_is_mailed_of_what_was_struck(waving, told):
    assert domain.order(waving, "Ann", "wave-at-all", {"how": "kindly"}).ok
    told(0)
    made = Notice.objects.get(kind="called")
    assert domain.desk_act(waving, "strike", {"entry": made.n, "because": "Not so"}).ok
    told()
    assert [each for each in mails_to("ben") if "Ann waves" in each] == []
    made.refresh_from_db()
    assert made.mail == "gone"
