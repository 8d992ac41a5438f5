"""The words of a game: the page beside the form, and the same in the API."""

import html
import re

from django.test import Client

from nomopoly.rulebook import words as lists
from nomopoly.site.tables import domain

PAGE = "/g/friday/words/"


def test_the_page_lists_what_rules_can_say_and_who_declares_it(game, ann):
    markup = ann.get(PAGE).content.decode()
    for anchor in ("word-put", "chance-chance.die", "part-e.but", "event-land", "attribute-option_of", "kind-proposal"):
        place = re.search(rf'<a id="{re.escape(anchor)}" href="([^"]+)"', markup)
        assert place, anchor
        page, _, part = html.unescape(place[1]).partition("#")
        explained = ann.get(PAGE + page).content.decode()
        assert f'<tr id="{part}">' in explained, anchor
        assert f"<strong>{anchor.partition('-')[2]}</strong>" in explained
    values = ann.get(PAGE, {"sort": "value"}).content.decode()
    assert 'id="value-market_value"' in values
    assert '<a href="/g/friday/rules/V.1/">V.1</a>' in values
    assert 'href="/g/friday/words/"' in ann.get("/g/friday/proposals/new/").content.decode()
    assert 'href="/g/friday/words/"' in Client().get("/g/friday/rules/").content.decode()
    assert ann.get(PAGE, {"sort": "none of them"}).content.decode().count("<tr id=") == 0


def test_every_page_of_words_is_light_enough_for_a_phone(start_second):
    """The longest rulebook has more than a thousand words; all of them explained on one page were 620 kB."""
    second, _ = start_second("Ann", "Ben")
    reader = Client()
    reader.get(second.address)  # and has its style sheets from there
    page = reader.get(f"{second.address}words/")
    names = re.findall(r'<a id="([^"]+)" href="([^"]+)"', page.content.decode())
    assert len(names) > 700
    assert len({name for name, _ in names}) == len(names)
    explained, weights = set(), [len(page.content)]
    for place in sorted({html.unescape(place).partition("#")[0] for _, place in names}):
        answer = reader.get(f"{second.address}words/{place}")
        explained |= set(re.findall(r'<tr id="([^"]+)"', answer.content.decode()))
        weights.append(len(answer.content))
    assert explained == {name for name, _ in names}
    weights.append(len(reader.get(f"{second.address}words/", {"q": "e"}).content))
    assert max(weights) < 150_000, weights


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
