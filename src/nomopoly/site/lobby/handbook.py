"""The guide to writing rules: its text as a page, and the table of the words that rules of all games may use."""

import html
import importlib.resources
import re
from functools import cache

from django.utils.safestring import mark_safe
from django.utils.translation import get_language

from nomopoly.rulebook.source import editions, load_edition
from nomopoly.rulebook.words import SORTS, words_of
from nomopoly.site.play.words import MARKDOWN

FOLDER = importlib.resources.files("nomopoly.site.lobby").joinpath("guide/rules")
QUOTED = re.compile("&quot;([A-Z].+?)&quot;")
VERBATIM = re.compile("(<pre.*?</pre>|<code.*?</code>)", re.DOTALL)
ADDRESS = "/guide/rules/"


def language_of(folder, name):
    """The language in which a page of the guide is there for the reader: theirs if there is `<name>.<language>.md`, or English."""
    language = get_language() or "en"
    return language if folder.joinpath(f"{name}.{language}.md").is_file() else "en"


def text_of(folder, name, language):
    """A page of the guide in Markdown, in a language for which it is there."""
    return folder.joinpath(f"{name}.md" if language == "en" else f"{name}.{language}.md").read_text("utf-8")


@cache
def sources():
    """The chapters of the guide in Markdown, in their order: {slug: text}. A file is called `<order>-<slug>.md`."""
    files = sorted(each.name for each in FOLDER.iterdir() if each.name.endswith(".md"))
    return {name[3:-3]: FOLDER.joinpath(name).read_text("utf-8") for name in files}


@cache
def chapters():
    """What stands where in the guide: [(slug, title, [(anchor, heading as markup)])]."""
    return [(slug, title_of(text), sections(text)) for slug, text in sources().items()]


def title_of(text):
    """The heading of a page in Markdown."""
    return text.split("\n", 1)[0].removeprefix("# ")


def sections(text):
    """The sections of a chapter, as [(anchor, heading as markup)]."""
    headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
    return [(anchor_of(heading), inline(heading)) for heading in headings]


@cache
def places():
    """Where each heading of the guide stands: {heading: address}."""
    found = {}
    for slug, text in sources().items():
        found |= {
            heading: f"{ADDRESS}{slug}/#{anchor_of(heading)}"
            for heading in re.findall(r"^##+ (.+)$", text, re.MULTILINE)
        }
        found[title_of(text)] = f"{ADDRESS}{slug}/"
    return found


def linked(markup):
    """Markup in which the headings of the guide that its prose quotes are links."""
    parts = VERBATIM.split(markup)
    parts[::2] = [QUOTED.sub(link, part) for part in parts[::2]]
    return "".join(parts)


def link(found):
    """A quoted heading as a link, other quoted words as they are."""
    address = places().get(html.unescape(found[1]))
    return f'<a href="{address}">{found[1]}</a>' if address else found[0]


@cache
def page(slug):
    """A chapter of the guide as markup, without its heading."""
    tokens = MARKDOWN.parse(sources()[slug].split("\n", 1)[1])
    labels = []
    for token, after in zip(tokens, [*tokens[1:], None], strict=True):
        if token.type == "heading_open":
            token.attrSet("id", anchor_of(after.content))
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
    return mark_safe(linked(drawn).replace("<pre>", '<pre tabindex="0">'))  # so that keys can scroll a wide program


def around(slug):
    """What stands about a chapter on its page: its title and sections, and the chapters before and after it, or None."""
    listed = chapters()
    at = next(number for number, chapter in enumerate(listed) if chapter[0] == slug)
    before, after = listed[at - 1] if at else None, listed[at + 1] if at + 1 < len(listed) else None
    return {"slug": slug, "heading": listed[at][1], "sections": listed[at][2], "before": before, "after": after}


@cache
def parts():
    """The parts of the guide, one for each heading: [(address, heading, text)], the text without markup."""
    found = []
    for slug, source in sources().items():
        for token in MARKDOWN.parse(source):
            if token.type == "heading_open":
                found.append([f"{ADDRESS}{slug}/", "", [], token.tag])
            elif not token.content:
                continue
            elif not found[-1][1]:
                found[-1][1] = plain(token.content)
                found[-1][0] += f"#{anchor_of(token.content)}" if found[-1][3] != "h1" else ""
            else:
                found[-1][2].append(plain(token.content) if token.type == "inline" else token.content)
    return [(address, heading, "\n".join(texts)) for address, heading, texts, _tag in found]


def search(wanted):
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
        for address, heading, text in parts()
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
