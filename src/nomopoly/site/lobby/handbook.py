"""The guide to writing rules: its text as a page, and the table of the words that rules of all games may use."""

from __future__ import annotations

import html
import importlib.resources
import re
from dataclasses import dataclass, field
from functools import cache
from importlib.resources.abc import Traversable
from re import Match
from typing import TYPE_CHECKING, Any

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, override

from nomopoly.rulebook.source import editions, load_edition
from nomopoly.rulebook.words import SORTS, words_of
from nomopoly.site.play.words import MARKDOWN
from nomopoly.site.said import docstring

if TYPE_CHECKING:
    from nomopoly.site.shapes import Data


FOLDER = importlib.resources.files("nomopoly.site.lobby").joinpath("guide/rules")
QUOTED = re.compile(r"&quot;(\w.+?)&quot;")
HEADING = r"^##+ (.+)$"
VERBATIM_SOURCE = re.compile("^```.*?^```", re.DOTALL | re.MULTILINE)
VERBATIM = re.compile("(<pre.*?</pre>|<code.*?</code>)", re.DOTALL)
ADDRESS = "/guide/rules/"


def language_of(folder: Traversable, name: str) -> str:
    """The language in which a page of the guide is there for the reader: theirs if there is `<name>.<language>.md`, or
    English."""
    language = get_language() or "en"
    return language if folder.joinpath(f"{name}.{language}.md").is_file() else "en"


def text_of(folder: Traversable, name: str, language: str) -> str:
    """A page of the guide in Markdown, in a language for which it is there."""
    return folder.joinpath(f"{name}.md" if language == "en" else f"{name}.{language}.md").read_text("utf-8")


def reader() -> str:
    """The language of the reader."""
    return get_language() or "en"


@cache
def slugs() -> dict[Any, Any]:
    """The chapters of the guide in their order: {slug: name of its files}. They are called `<order>-<slug>.md`, and
    `<order>-<slug>.<language>.md`."""
    return {name[3:-3]: name[:-3] for name in sorted(each.name for each in FOLDER.iterdir()) if name.count(".") == 1}


@cache
def sources(language: str) -> dict[Any, Any]:
    """The chapters of the guide in Markdown, in their order, each in a language if it is there, or in English: {slug:
    text}."""
    with override(language):
        return {slug: text_of(FOLDER, name, language_of(FOLDER, name)) for slug, name in slugs().items()}


@cache
def anchors(slug: str) -> list[Any]:
    """The names under which the headings of a chapter are found, in their order: those of English, whatever the
    language."""
    headings = re.findall(HEADING, VERBATIM_SOURCE.sub("", sources("en")[slug]), re.MULTILINE)
    return [re.sub(r"\W+", "-", heading.casefold()).strip("-") for heading in headings]


def headings_of(slug: str, language: str) -> list[Any]:
    """The headings of a chapter but for its title: [(level, heading, anchor)]."""
    found = re.findall(r"^(##+) (.+)$", VERBATIM_SOURCE.sub("", sources(language)[slug]), re.MULTILINE)
    return [(len(signs), heading, anchor) for (signs, heading), anchor in zip(found, anchors(slug), strict=True)]


def chapters(language: str | None = None) -> list[Any]:
    """What stands where in the guide: [(slug, title, [(anchor, heading as markup)])], in a language or the reader's."""
    language = language or reader()
    return [(slug, title_of(text), sections(slug, language)) for slug, text in sources(language).items()]


def title_of(text: str) -> str:
    """The heading of a page in Markdown."""
    return text.split("\n", 1)[0].removeprefix("# ")


@cache
def sections(slug: str, language: str) -> list[Any]:
    """The sections of a chapter, as [(anchor, heading as markup)]."""
    return [(anchor, inline(heading)) for level, heading, anchor in headings_of(slug, language) if level == 2]


@cache
def places(language: str) -> dict[Any, str]:
    """Where each heading of the guide stands: {heading: address}."""
    found: Data = {}
    for slug, text in sources(language).items():
        found |= {heading: f"{ADDRESS}{slug}/#{anchor}" for _, heading, anchor in headings_of(slug, language)}
        found[title_of(text)] = f"{ADDRESS}{slug}/"
    return found


def linked(markup: str, language: str) -> str:
    """Markup in which the headings of the guide that its prose quotes are links."""
    parts = VERBATIM.split(markup)
    parts[::2] = [QUOTED.sub(lambda found: link(found, language), part) for part in parts[::2]]
    return "".join(parts)


def link(found: Match[str], language: str) -> str:
    """A quoted heading as a link, other quoted words as they are."""
    address = places(language).get(html.unescape(found[1]))
    return f'<a href="{address}">{found[1]}</a>' if address else found[0]


@cache
def page(slug: str, language: str) -> SafeString:
    """A chapter of the guide as markup, without its heading, in a language."""
    tokens = MARKDOWN.parse(sources(language)[slug].split("\n", 1)[1])
    labels: list[str] = []
    named = iter(anchors(slug))
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrSet("id", next(named))
        elif token.type == "table_open":
            token.attrSet("class", "guide-table")
            labels = []
        elif token.type == "th_open":
            labels.append(tokens[at + 1].content)
        elif token.type == "tr_open":
            column = 0
        elif token.type == "td_open":
            token.attrSet("data-label", labels[column])
            column += 1
    drawn = MARKDOWN.renderer.render(tokens, MARKDOWN.options, {})
    return mark_safe(
        linked(drawn, language).replace("<pre>", '<pre tabindex="0">')
    )  # so that keys can scroll a wide program


def said_in(slug: str) -> str:
    """The language in which a chapter is there for the reader."""
    return language_of(FOLDER, slugs()[slug])


def around(slug: str) -> dict[Any, Any]:
    """What stands about a chapter on its page: its title and sections, and the chapters before and after it, or
    None."""
    listed = chapters()
    at = next(number for number, chapter in enumerate(listed) if chapter[0] == slug)
    before, after = listed[at - 1] if at else None, listed[at + 1] if at + 1 < len(listed) else None
    return {
        "said_in": said_in(slug),
        "slug": slug,
        "heading": listed[at][1],
        "sections": listed[at][2],
        "before": before,
        "after": after,
    }


@dataclass
class Part:
    """What stands below one heading of the guide, as it is read."""

    address: str
    tag: str
    heading: str = ""
    texts: list[str] = field(default_factory=list)


@cache
def parts(language: str) -> list[tuple[str, str, str]]:
    """The parts of the guide, one for each heading: [(address, heading, text)], the text without markup."""
    found: list[Part] = []
    for slug, source in sources(language).items():
        named = iter(anchors(slug))
        for token in MARKDOWN.parse(source):
            if token.type == "heading_open":
                found.append(Part(f"{ADDRESS}{slug}/", token.tag))
            elif not token.content:
                continue
            elif not found[-1].heading:
                found[-1].heading = plain(token.content)
                found[-1].address += f"#{next(named)}" if found[-1].tag != "h1" else ""
            else:
                found[-1].texts.append(plain(token.content) if token.type == "inline" else token.content)
    return [(part.address, part.heading, "\n".join(part.texts)) for part in found]


def search(wanted: str) -> list[Any]:
    """The parts of the guide in which all these words stand: [(address, heading, a line that has one of them)]."""
    words = wanted.casefold().split()
    if not words:
        return []
    return [
        (
            address,
            heading,
            next((line for line in text.split("\n") if any(word in line.casefold() for word in words)), ""),
        )
        for address, heading, text in parts(reader())
        if all(word in f"{heading}\n{text}".casefold() for word in words)
    ]


def plain(text: str) -> str:
    """A line of Markdown without its signs."""
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text).replace("`", "").replace("**", "")


def all_words() -> list[Any]:
    """The words that all games share, as (group, [(word, what it takes, what it does)]).

    That is the language, and the shared modules that every edition has; the rest is on the page `words/` of each game.
    """
    books = [[tuple(module) for module in load_edition(edition).commons] for edition in editions()]
    common = [module for module in books[0] if all(module in book for book in books)]
    found = words_of([], common)
    return [
        (
            docstring(group),
            [(each["name"], each["takes"], inline(docstring(each["text"]))) for each in found if each["sort"] == sort],
        )
        for sort, group in SORTS.items()
    ]


def inline(text: str) -> SafeString:
    """A line of Markdown as markup."""
    return mark_safe(MARKDOWN.renderInline(text))
