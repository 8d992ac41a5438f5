"""The guide to writing rules, as a page."""

import re

from django.test import Client
from pagewords import text

from nomopoly.kernel.language import WORDS
from nomopoly.rulebook.outline import shared_declares
from nomopoly.rulebook.source import editions, load_edition


def test_the_guide_is_found_and_whole():
    browser = Client()
    assert b'href="/guide/rules/"' in browser.get("/guide/").content
    page = browser.get("/guide/rules/")
    assert page.status_code == 200
    markup = page.content.decode()
    anchors = re.findall(r'<h[23] id="([^"]+)"', markup)
    assert len(anchors) == len(set(anchors)) > 5
    assert set(re.findall(r'href="#([^"]+)"', markup)) <= {*anchors, "content", "main"}
    assert "turn_fine: 50" in text(page)
    assert not re.search(r"<h1[^>]*>.*<h1", markup, re.DOTALL)


def test_the_words_that_all_games_share_are_told_with_what_they_do():
    markup = Client().get("/guide/rules/").content.decode()
    told = dict(re.findall(r"<strong>([\w.]+)</strong>.*?<td>(.*?)</td>", markup))
    shared = [shared_declares(tuple(load_edition(edition).commons)).words - set(WORDS) for edition in editions()]
    listed = re.findall(r"<h3>Shared functions</h3>(.*?)</table>", markup, re.DOTALL)[0]
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
        assert f"nomopoly words {edition}" in text(Client().get("/guide/rules/"))
    assert b'href="/g/friday/words/"' in ann.get("/guide/rules/").content
    assert b"/g/friday/" not in Client().get("/guide/rules/").content


def test_the_guide_is_only_read():
    assert Client().post("/guide/rules/").status_code == 405
