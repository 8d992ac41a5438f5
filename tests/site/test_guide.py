"""The guide to writing rules, as a page."""

import re

from django.test import Client
from pagewords import text

from nomopoly.kernel.language import WORDS
from nomopoly.rulebook.outline import shared_declares
from nomopoly.rulebook.source import load_edition


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


def test_all_words_are_told_with_what_they_do():
    markup = Client().get("/guide/rules/").content.decode()
    told = dict(re.findall(r"<strong>([\w.]+)</strong>.*?<td>(.*?)</td>", markup))
    shared = shared_declares(tuple(load_edition("iv").commons)).words
    assert set(WORDS) | shared <= set(told)
    assert {"chance.die", "e.but", "hop", "unit"} <= set(told)
    assert told["put"].startswith("Set one attribute of a thing")
    assert told["after"].startswith("<code>@after(&quot;land&quot;)</code>")
    undocumented = [word for word in WORDS if not told[word]]
    assert undocumented == []


def test_the_guide_is_only_read():
    assert Client().post("/guide/rules/").status_code == 405
