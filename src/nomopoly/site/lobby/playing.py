"""How to play each edition: one page of prose, with a board that is really played.

The prose is Markdown in `guide/playing/<edition>.md`, in other languages `<edition>.<language>.md`.
`{VIII.3:option_time}` in it stands for a named number of a rule, so that the page says what the rulebook says. The
board in it is what the scenario `guide/playing/<edition>.yaml` comes to.
"""

from __future__ import annotations

import importlib.resources
import re
from functools import cache
from typing import TYPE_CHECKING, Any

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from nomopoly.rulebook.source import load_edition, shown
from nomopoly.runtime.scenarios import form, play
from nomopoly.site.lobby import handbook
from nomopoly.site.play import board

if TYPE_CHECKING:
    from nomopoly.site.shapes import Data


FOLDER = importlib.resources.files("nomopoly.site.lobby").joinpath("guide/playing")
NUMBER = re.compile(r"\{([^:{}\s]+):(\w+)\}")
PICTURE = "<p>![board]</p>"


def described() -> list[Any]:
    """The shipped editions that have such a page, as [(edition, title)], the smallest rulebook first."""
    found = [name for name in handbook.editions() if FOLDER.joinpath(f"{name}.md").is_file()]
    return [(name, title(name)) for name in sorted(found, key=lambda name: len(load_edition(name).records))]


def language_of(edition: str) -> str:
    """The language in which the reader gets an edition's page."""
    return handbook.language_of(FOLDER, edition)


def source(edition: str, language: str = "en") -> str:
    """The prose of an edition's page, its numbers not yet filled in. Raises FileNotFoundError for an edition without
    one."""
    return handbook.text_of(FOLDER, edition, language)


def title(edition: str) -> str:
    """The heading of an edition's page, as the reader gets it."""
    return handbook.title_of(source(edition, language_of(edition)))


@cache
def prose(edition: str, language: str) -> str:
    """The prose of an edition's page in Markdown, with its numbers, without its heading."""
    params = {record["id"]: record["params"] for record in load_edition(edition).records}
    return NUMBER.sub(lambda found: shown(params[found[1]][found[2]]), source(edition, language)).split("\n", 1)[1]


@cache
def page(edition: str, language: str) -> tuple[Any, Any]:
    """The page of an edition as markup, without its heading and its picture: (what stands before the picture, what
    after it)."""
    before, after = handbook.MARKDOWN.render(prose(edition, language)).split(PICTURE)
    return mark_safe(before), mark_safe(after)


def questions(edition: str) -> list[Any]:
    """What newcomers ask of an edition: [(heading, answer as markup)], the sections of its page; none of an edition
    without one.

    The first section, what it is all about, is not among them: it goes with the picture of the page.
    """
    if edition not in dict(described()):
        return []
    sections = [part.partition("\n") for part in prose(edition, language_of(edition)).split("\n## ")[2:]]
    return [(heading, mark_safe(handbook.MARKDOWN.render(answer))) for heading, _, answer in sections]


def scene(edition: str) -> Data:
    """The scenario that the picture of an edition's page shows."""
    return form.read_one(FOLDER.joinpath(f"{edition}.yaml").read_text("utf-8"))


def picture(edition: str) -> SafeString:
    """The board of an edition's page, as a visitor sees it."""
    return drawn(edition, gettext("A board of %(title)s") % {"title": load_edition(edition).title})


@cache
def drawn(edition: str, name: str) -> SafeString:
    """The same with a name for those who do not see it."""
    played = play.Play(scene(edition), "cpython")
    try:
        played.run()
        return board.draw(played.host.view("visitor"), "", name=name)
    finally:
        played.close()
