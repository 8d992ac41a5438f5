"""What lines of the log say of rules that change without a proposal, and of moments in orders without a sentence."""

import re

from pagewords import DAY, order, text

from nomopoly.rulebook import library
from nomopoly.site.tables import domain, live

DAYS = 'calendar("morning", hour=6)\n\n\n@on("morning")\ndef go(e):\n'


def enacted(start_second, code, params=None):
    """A game of iv in which a rule is put in force, and a function that lets days go by."""
    game, go = start_second("Ann", edition="iv")
    change = {"enact": "13.1", "text": "Words.", "code": code, "params": params or {}}
    assert domain.order(game, "Ann", "propose", {"title": "T", "text": "Words.", "changes": [change]}).ok
    assert domain.order(game, "Ann", "vote", {"on": "P1", "choice": "yes"}).ok
    go(5)
    assert domain.desk_act(game, "implement", {"on": "P1"}).ok
    return go


def test_a_rule_that_repeals_itself_is_told(start_second, people):
    go = enacted(start_second, f"{DAYS}    repeal(rule.id)\n")
    go(1)
    page = text(people("ann").get("/g/second/log/"))
    assert "Morning: rule 13.1 is repealed." in page
    assert "P1 is implemented. Rule" not in page


def test_a_rule_that_repeals_itself_is_told_beside_what_else_it_does(start_second, people):
    month = next(each for each in library.shipped() if each.name == "month")
    go = enacted(start_second, month.code, month.params | {"days_in_force": 2})
    go(3)
    page = text(people("ann").get("/g/second/log/"))
    assert page.count("Ann gets $3 .") == 2
    assert page.count("Ann gets $3 . Rule 13.1 is repealed.") == 1


def test_a_moment_in_an_order_without_a_sentence_is_a_date(start_second, people):
    birthday = next(each for each in library.shipped() if each.name == "birthday")
    enacted(start_second, birthday.code, birthday.params)
    order(people("ann"), "say-birthday", day="2026-05-20T00:00")
    page = text(people("ann").get("/g/second/log/"))
    assert "say when your birthday is (your next birthday Wed 20 May 2026 00:00 UTC): Ann" in page
    number = max(
        int(each) for each in re.findall(r"/g/second/log/(\d+)/", people("ann").get("/g/second/log/").content.decode())
    )
    entry = text(people("ann").get(f"/g/second/log/{number}/"))
    assert "Day Wed 20 May 2026 00:00 UTC" in entry


def test_the_page_of_an_outage_says_since_when_it_was_as_a_date(start_second, people):
    game, _ = start_second("Ann", edition="iv")
    since = live.now() + DAY
    game.away_since, game.away_until = since, since + DAY
    game.save()
    with live.clock_at(since + DAY):
        domain.run_due(game, live.now())
    entries = live.of(game).facts("visitor")
    back = next(each for each in entries if each["args"].get("since") == since)
    entry = text(people("ann").get(f"/g/second/log/{back['number']}/"))
    assert "Who The site When" in entry
    assert "Since Tue 3 March 2026 09:00 UTC" in entry
