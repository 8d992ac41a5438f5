"""Pages show as much of a long text as can be read, and take time in proportion: news of a megabyte, prose that fights
the comparison, a log in which words are sought."""

import json

import measured
import pytest

from nomopoly.site.play.views import rules
from nomopoly.site.tables import domain, live
from nomopoly.site.tables.models import Outcome

MOST_BYTES = 300_000
SECONDS = 0.7  # of work, measured


@pytest.fixture
def long_news(game, ann):
    """A game in whose log news of 1.8 MB stand, thirty times."""
    for number in range(30):
        domain.order(game, "Ann", "propose", {"title": f"T{number}"})
    for row in Outcome.objects.filter(game=game, n__gt=3):
        told = {"what": "told", "event": "tell", "rule": "1.1", "depth": 0, "text": f"News {row.n}: " + "z" * 1_800_000}
        row.outcome = json.dumps({**json.loads(row.outcome), "facts": [told] * 2})
        row.save()
    live.close_all()
    return game


def test_news_of_a_megabyte_are_shown_in_part(long_news, ann):
    for path in ("", "log/", "log/feed.atom", "log/?q=news", "players/Ann/", "log/20/"):
        live.close_all()
        live.of(long_news).ask(lambda loaded: loaded.n)  # it is loaded
        with measured.within(SECONDS):
            page = ann.get(f"/g/friday/{path}")
        assert page.status_code == 200, path
        assert len(page.content) < MOST_BYTES, path
    # A line that is cut leads to the whole entry.
    page = ann.get("/g/friday/log/").content.decode()
    assert "News 20" in page
    assert '<a href="/g/friday/log/20/">… the whole entry</a>' in page
    assert "(1,798,009 more)" in ann.get("/g/friday/log/20/").content.decode()


def test_a_search_goes_through_all_of_the_log(game, ann):
    for number in range(6):
        domain.order(game, "Ann", "propose", {"title": f"Tea {number}"})
    page = ann.get("/g/friday/log/?q=tea").content.decode()
    assert "Tea 5" in page
    assert "Tea 0" in page


def test_a_proposal_that_fights_the_comparison_is_shown_in_time(game, ann, keeper):
    old = [{"enact": "IX.8", "text": "a b " * 500}, {"enact": "IX.9", "text": "c d " * 500}]
    assert domain.order(game, "Ann", "propose", {"title": "Old", "changes": old}).ok
    assert domain.desk_act(game, "accept", {"on": "P1"}).ok
    new = [{"amend": "IX.8", "text": "a c " * 500}, {"amend": "IX.9", "text": "c a " * 500}]
    assert domain.order(game, "Ann", "propose", {"title": "New", "changes": new}).ok
    with measured.within(SECONDS):
        page = ann.get("/g/friday/proposals/2/")
    assert page.status_code == 200
    assert "whole passages are shown as replaced" in page.content.decode()
    assert domain.desk_act(game, "accept", {"on": "P2"}).ok
    for path in ("rules/history/", "rules/diff/", "rules/IX.8/", "rules/diff/?from=0&to=2"):
        with measured.within(SECONDS):
            page = ann.get(f"/g/friday/{path}")
        assert page.status_code == 200
    answer = ann.get("/api/v1/g/friday/rules/diff").json()
    assert all(each["coarse"] for each in answer["rules"] if each["rule"] in ("IX.8", "IX.9"))


def test_what_a_form_checks_is_bounded_too(game, ann):
    changes = [{"enact": "IX.8", "text": "It is so.", "code": "def f(e):\n" + "    never_heard()\n" * 3000}]
    with measured.within(SECONDS):
        answer = ann.post("/api/v1/g/friday/check", {"changes": changes}, content_type="application/json")
    found = answer.json()
    assert len(found["problems"]) == 101
    assert found["problems"][-1]["message"] == "and 2,900 more problems"
    outcome = domain.order(game, "Ann", "propose", {"title": "Never", "changes": changes})
    assert outcome.refused.startswith("check: rule IX.8, line 2: 'never_heard' is not known here")


def test_the_history_comes_in_pages(game, ann, monkeypatch):
    monkeypatch.setattr(rules, "A_PAGE", 3)
    for number in range(5):
        changes = [{"enact": f"XI.{number + 1}", "text": "Tea is at five."}]
        assert domain.order(game, "Ann", "propose", {"title": f"Tea {number}", "changes": changes}).ok
        assert domain.desk_act(game, "accept", {"on": f"P{number + 1}"}).ok
    first, second = (ann.get(f"/g/friday/rules/history/?page={page}").content.decode() for page in (1, 2))
    assert "Page 1 of 2" in " ".join(first.split())
    assert "Tea 4" in first
    assert "Tea 0" not in first
    assert "Tea 0" in second
    assert "the book then" in second
