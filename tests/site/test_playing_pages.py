"""How to play each edition: pages that say what the rulebooks say, each with a board that is played."""

import re

import pytest
from django.test import Client, override_settings
from pagewords import text

from nomopoly.rulebook.source import editions, load_edition
from nomopoly.runtime.scenarios import play
from nomopoly.site.lobby import handbook, playing

RULE = re.compile(r"(?<![\w.])(?:[IVX]+(?:\.\d+)?|\d+\.\d+)(?:/[\w-]+)?(?=[,;) |])")


@pytest.mark.parametrize("edition", editions())
def test_each_edition_has_a_page_with_a_board(edition):
    page = Client().get(f"/guide/{edition}/")
    assert page.status_code == 200
    assert f'href="/guide/{edition}/"' in Client().get("/guide/").content.decode()
    assert "<svg" in page.content.decode()
    assert not re.search(r"\{[^}]*:\w+\}", text(page))
    assert dict(playing.described())[edition] in text(page)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("edition", editions())
def test_the_rules_and_numbers_that_a_page_names_are_in_the_rulebook(edition, language):
    book = {record["id"]: record for record in load_edition(edition).records}
    sections = {record["section"] for record in book.values()}
    prose = playing.NUMBER.sub("", playing.source(edition, language))
    named = {
        rule
        for inside in re.findall(r"\(([^()]*)\)|\|\s*([^|]+?)\s*\|\n", prose)
        for rule in RULE.findall("".join(inside) + " ")
    }
    assert len(named) > 8
    assert {rule for rule in named if rule not in book and rule not in sections} == set()
    for rule, number in playing.NUMBER.findall(playing.source(edition, language)):
        assert number in book[rule]["params"]


@pytest.mark.parametrize("edition", editions())
def test_a_page_says_the_same_in_german(edition):
    english, german = playing.source(edition), playing.source(edition, "de")
    assert playing.NUMBER.findall(german) == playing.NUMBER.findall(english)
    assert [line.count("|") for line in german.splitlines() if "|" in line] == [
        line.count("|") for line in english.splitlines() if "|" in line
    ]
    assert len(re.findall("^## ", german, re.MULTILINE)) == len(re.findall("^## ", english, re.MULTILINE))


FENCED = re.compile("^```.*?^```", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("slug", handbook.slugs())
def test_a_chapter_of_the_guide_to_rules_says_the_same_in_german(slug):
    def parts(text):
        prose = FENCED.sub("", text)
        return {
            "examples": FENCED.findall(text),
            "words of code": sorted(re.findall("`[^`\n]+`", prose)),
            "headings": re.findall(r"^#+(?= )", prose, re.MULTILINE),
            "cells": [line.count("|") for line in prose.splitlines() if "|" in line],
            "paragraphs": len(re.findall(r"\n\n+", prose.strip())),
        }

    english, german = handbook.sources("en")[slug], handbook.sources("de")[slug]
    assert german != english
    assert parts(german) == parts(english)
    quoted = re.findall('"([A-Z][^"\n]+)"', "".join(re.split("`[^`\n]+`", FENCED.sub("", english))))
    links = re.findall(r'href="(/guide/rules/[^"]+)"', handbook.page(slug, "en"))
    assert re.findall(r'href="(/guide/rules/[^"]+)"', handbook.page(slug, "de")) == links, quoted


@override_settings(LANGUAGES=[("en", "English"), ("de", "Deutsch")])
def test_a_reader_of_german_reads_the_guide_in_german():
    there = {"HTTP_ACCEPT_LANGUAGE": "de"}
    assert "Worum es geht" in text(Client().get("/guide/original/", **there))
    assert "The idea" in text(Client().get("/guide/original/"))
    assert "Wählen: vier Minuten" in text(Client().get("/guide/first-rule/", **there))
    assert "So spielt man Nomopoly II" in text(Client().get("/guide/", **there))
    chapter = text(Client().get("/guide/rules/time/", **there))
    assert "Zeit" in chapter
    assert "A moment is a number of seconds" not in chapter
    assert "Setze eine Eigenschaft" in text(Client().get("/guide/rules/words/", **there))


@pytest.mark.parametrize("runtime", ["cpython", "monty"])
@pytest.mark.parametrize("edition", editions())
def test_the_picture_is_what_the_game_comes_to(edition, runtime):
    assert play.run(playing.scene(edition), runtime=runtime).failure is None


def test_there_is_no_page_for_what_is_no_edition():
    assert Client().get("/guide/chess/").status_code == 404


def test_the_guide_to_rules_can_be_searched():
    found = {anchor: line for anchor, _heading, line in handbook.search("no rent")}
    assert found
    markup = Client().get("/guide/rules/", {"q": "Sealed"}).content.decode()
    links = re.findall(
        r'href="(/guide/rules/[\w-]+/)#([\w-]+)"', markup.partition('id="found"')[2].partition("</section>")[0]
    )
    assert links
    assert all(f'id="{anchor}"' in Client().get(chapter).content.decode() for chapter, anchor in links)
    assert "put(" in handbook.search("put(")[0][2]
    assert handbook.search("") == []
    assert "Nothing found for “&lt;b&gt;zzz”" in Client().get("/guide/rules/", {"q": "<b>zzz"}).content.decode()
