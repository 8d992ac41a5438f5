"""The guide to writing rules: its text as a page, and the table of the words that rules of all games may use."""

import importlib.resources
import re
from functools import cache

from django.utils.safestring import mark_safe

from nomopoly.rulebook.source import editions, load_edition
from nomopoly.rulebook.words import SORTS, words_of
from nomopoly.site.play.words import MARKDOWN


def source():
    """The guide in Markdown."""
    return importlib.resources.files("nomopoly.site.lobby").joinpath("guide/writing_rules.md").read_text("utf-8")


@cache
def page():
    """The guide as markup, and its chapters as (anchor, heading)."""
    tokens = MARKDOWN.parse(source())
    chapters = []
    labels = []
    for token, after in zip(tokens, [*tokens[1:], None], strict=True):
        if token.type == "heading_open":
            anchor = anchor_of(after.content)
            token.attrSet("id", anchor)
            if token.tag == "h2":
                chapters.append((anchor, inline(after.content)))
        elif token.type == "table_open":
            token.attrSet("class", "guide-table")
            labels = []
        elif token.type == "th_open":
            labels.append(after.content)
        elif token.type == "tr_open":
            column = 0
        elif token.type == "td_open":
            token.attrSet("data-label", labels[column])
            column += 1
    drawn = MARKDOWN.renderer.render(tokens, MARKDOWN.options, {})
    return mark_safe(drawn.replace("<pre>", '<pre tabindex="0">')), chapters  # so that keys can scroll a wide program


@cache
def parts():
    """The parts of the guide, one for each heading: [(anchor, heading, text)], the text without markup."""
    found = []
    for token in MARKDOWN.parse(source()):
        if token.type == "heading_open":
            found.append(["", "", []])
        elif not found or not token.content:
            continue
        elif not found[-1][1]:
            found[-1][:2] = anchor_of(token.content), plain(token.content)
        else:
            found[-1][2].append(plain(token.content) if token.type == "inline" else token.content)
    return [(anchor, heading, "\n".join(texts)) for anchor, heading, texts in found]


def search(wanted):
    """The parts of the guide in which all these words stand: [(anchor, heading, a line that has one of them)]."""
    words = wanted.casefold().split()
    if not words:
        return []
    return [
        (
            anchor,
            heading,
            next((line for line in text.split("\n") if any(word in line.casefold() for word in words)), ""),
        )
        for anchor, heading, text in parts()
        if all(word in f"{heading}\n{text}".casefold() for word in words)
    ]


def plain(text):
    """A line of Markdown without its signs."""
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text).replace("`", "").replace("**", "")


def anchor_of(heading):
    """The name under which a heading of the guide is found."""
    return re.sub(r"\W+", "-", heading.casefold()).strip("-")


@cache
def all_words():
    """The words that all games share, as (group, [(word, what it takes, what it does)]).

    That is the language, and the shared modules that every edition has; the rest is on the page `words/` of each game.
    """
    books = [[tuple(module) for module in load_edition(edition).commons] for edition in editions()]
    common = [module for module in books[0] if all(module in book for book in books)]
    found = words_of([], common)
    return [
        (group, [(each["name"], each["takes"], inline(each["text"])) for each in found if each["sort"] == sort])
        for sort, group in SORTS.items()
    ]


def inline(text):
    """A line of Markdown as markup."""
    return mark_safe(MARKDOWN.renderInline(text))
