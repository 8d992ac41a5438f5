"""The words of a game: the page beside the form, and the same in the API."""

from django.test import Client

from nomopoly.rulebook import words as lists
from nomopoly.site.tables import domain


def test_the_page_lists_what_rules_can_say_and_who_declares_it(game, ann):
    page = ann.get("/g/friday/words/")
    markup = page.content.decode()
    assert page.status_code == 200
    assert len(page.content) < 1_000_000
    assert 'id="value-market_value"' in markup
    assert '<a href="/g/friday/rules/V.1/">V.1</a>' in markup
    for name in ("put", "chance.die", "e.but", "hop", "land", "option_of", "proposal"):
        assert f"<strong>{name}</strong>" in markup
    assert 'href="/g/friday/words/"' in ann.get("/g/friday/proposals/new/").content.decode()
    assert 'href="/g/friday/words/"' in Client().get("/g/friday/rules/").content.decode()


def test_a_search_finds_words_by_name_and_by_what_they_are(game):
    page = Client().get("/g/friday/words/", {"q": "market value"}).content.decode()
    assert "<strong>market_value</strong>" in page
    assert "<strong>chance.die</strong>" not in page
    none = Client().get("/g/friday/words/", {"q": "<xyzzy>"}).content.decode()
    assert "No word is like that" in none
    assert "&lt;xyzzy&gt;" in none


def test_an_accepted_rule_adds_its_words_and_the_list_is_made_once(game, ann, monkeypatch):
    code = 'event("cast-spell", who="player")\n'
    changes = [{"enact": "X.1", "section": "Magic", "text": "A spell is cast.", "code": code}]
    assert Client().get("/api/v1/g/friday/words", {"q": "cast-spell"}).json() == {"words": []}
    assert domain.order(game, "Ann", "propose", {"title": "Magic", "changes": changes}).ok
    assert domain.desk_act(game, "accept", {"on": "P1"}).ok
    (found,) = Client().get("/api/v1/g/friday/words", {"q": "cast-spell"}).json()["words"]
    assert found == {
        "name": "cast-spell",
        "sort": "event",
        "takes": "(who)",
        "text": "A spell is cast.",
        "example": 'do("cast-spell", who=...)',
        "by": "X.1",
        "title": "",
    }
    monkeypatch.setattr(lists, "made", None)
    assert "cast-spell" in Client().get("/g/friday/words/").content.decode()


def test_the_api_has_every_word_with_a_line(game):
    every = Client().get("/api/v1/g/friday/words").json()["words"]
    assert len(every) > 300
    assert all(each["text"] and each["example"] and each["by"] for each in every)
