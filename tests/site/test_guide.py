"""The guide to writing rules, as a page."""

import re

import pytest
from django.test import Client
from pagewords import text

from nomopoly.kernel.language import WORDS
from nomopoly.rulebook.outline import shared_declares
from nomopoly.rulebook.source import editions, load_edition
from nomopoly.site.lobby import first_rule, handbook


def test_the_guide_is_found_and_whole():
    browser = Client()
    assert b'href="/guide/rules/"' in browser.get("/guide/").content
    contents = browser.get("/guide/rules/").content.decode()
    chapters = [f"/guide/rules/{slug}/" for slug, _title, _sections in handbook.chapters()]
    assert len(chapters) > 5
    assert all(f'href="{each}"' in contents for each in [*chapters, "/guide/rules/words/"])
    told = ""
    for each in chapters:
        page = browser.get(each)
        assert page.status_code == 200
        markup = page.content.decode()
        told += text(page)
        anchors = re.findall(r'<h[23] id="([^"]+)"', markup)
        assert len(anchors) == len(set(anchors))
        assert set(re.findall(r'href="#([^"]+)"', markup)) <= {*anchors, "content", "main"}
        assert markup.count("<h1") == 1
        assert set(re.findall(r'href="(/guide/rules/[\w-]+/)', markup)) <= {*chapters, "/guide/rules/words/"}
    assert "turn_fine: 50" in told
    assert browser.get("/guide/rules/chess/").status_code == 404


def test_the_chapters_follow_one_another_and_what_they_quote_is_a_link():
    slugs = [slug for slug, _title, _sections in handbook.chapters()]
    pages = [Client().get(f"/guide/rules/{slug}/").content.decode() for slug in slugs]
    following = [re.findall(r'rel="next" href="/guide/rules/([\w-]+)/"', page) for page in pages]
    assert following == [[slug] for slug in [*slugs[1:], "words"]]
    assert [re.findall(r'rel="prev" href="/guide/rules/([\w-]+)/"', page) for page in pages] == [
        [],
        *([slug] for slug in slugs[:-1]),
    ]
    assert '<a href="/guide/rules/first-programs/#the-four-stations">The four stations</a>' in pages[0]
    assert '<a href="/guide/rules/rules-among-rules/#a-program-that-runs-once">' in pages[0]
    assert not re.search(r"<(?:pre|code)[^>]*>[^<]*<a ", "".join(pages))


def test_an_old_address_within_the_guide_leads_to_its_place_in_the_contents():
    markup = Client().get("/guide/rules/").content.decode()
    for anchor in ("hold-a-vote", "what-is-secret", "all-words"):
        assert f'id="{anchor}"' in markup


def test_a_first_rule_is_made_as_the_page_says():
    page = Client().get("/guide/first-rule/")
    assert b'href="/guide/first-rule/"' in Client().get("/guide/").content
    told = text(page)
    assert "pay the owner of the square $2 times the number of the square, but at most $100." in told
    made = first_rule.made()
    assert len(made["steps"]) == 13
    assert all(label in told and chosen in told for label, chosen, _group in made["steps"])
    with pytest.raises(LookupError, match="no field"):
        first_rule.step([], "0.event", "land")
    with pytest.raises(LookupError, match="no choice"):
        first_rule.step([{"name": "0.event", "label": "When", "choices": [{"id": "land"}]}], "0.event", "fly")


def test_the_words_that_all_games_share_are_told_with_what_they_do():
    markup = Client().get("/guide/rules/words/").content.decode()
    told = dict(re.findall(r"<strong>([\w.]+)</strong>.*?<td[^>]*>(.*?)</td>", markup))
    shared = [shared_declares(tuple(load_edition(edition).commons)).words - set(WORDS) for edition in editions()]
    listed = re.findall(r"<h3[^>]*>Shared functions</h3>(.*?)</table>", markup, re.DOTALL)[0]
    assert set(re.findall(r"<strong>(\w+)</strong>", listed)) <= set.intersection(*shared)
    assert set(WORDS) - {"chance"} <= set(told)
    assert {"chance.die", "e.but", "hop", "win"} <= set(told)
    assert not {"unit", "chance.veiled"} & set(told)
    assert told["put"].startswith("Set one attribute of a thing")
    assert told["after"].startswith("<code>@after(&quot;land&quot;)</code>")
    assert [name for name in told if not re.sub("<.*?>", "", told[name]).endswith((".", "!", "?"))] == []
    undocumented = [word for word in WORDS if word != "chance" and not told[word]]
    assert undocumented == []


def test_it_says_where_the_other_words_are(game, ann):
    for edition in editions():
        assert f"nomopoly words {edition}" in text(Client().get("/guide/rules/words/"))
    assert b'href="/g/friday/words/"' in ann.get("/guide/rules/words/").content
    assert b"/g/friday/" not in Client().get("/guide/rules/words/").content


def test_the_guide_is_only_read():
    assert Client().post("/guide/rules/").status_code == 405
