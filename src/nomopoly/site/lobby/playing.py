"""How to play each edition: one page of prose, with a board that is really played.

The prose is Markdown in `guide/playing/<edition>.md`. `{VIII.3:option_time}` in it stands for a named number of a rule, so that the
page says what the rulebook says. The board in it is what the scenario `guide/playing/<edition>.yaml` comes to.
"""

import importlib.resources
import re
from functools import cache

from django.utils.safestring import mark_safe

from nomopoly.rulebook.source import load_edition, shown
from nomopoly.runtime.scenarios import form, play
from nomopoly.site.lobby import handbook
from nomopoly.site.play import board

FOLDER = importlib.resources.files("nomopoly.site.lobby").joinpath("guide/playing")
NUMBER = re.compile(r"\{([^:{}\s]+):(\w+)\}")
PICTURE = "<p>![board]</p>"


def described():
    """The shipped editions that have such a page, as [(edition, title)], the smallest rulebook first."""
    found = [name for name in handbook.editions() if FOLDER.joinpath(f"{name}.md").is_file()]
    return [(name, title(name)) for name in sorted(found, key=lambda name: len(load_edition(name).records))]


def source(edition):
    """The prose of an edition's page, its numbers not yet filled in. Raises FileNotFoundError for an edition without one."""
    return FOLDER.joinpath(f"{edition}.md").read_text("utf-8")


def title(edition):
    """The heading of an edition's page."""
    return source(edition).split("\n", 1)[0].removeprefix("# ")


@cache
def page(edition):
    """The page of an edition as markup, without its heading and its picture: (what stands before the picture, what after it)."""
    params = {record["id"]: record["params"] for record in load_edition(edition).records}
    text = NUMBER.sub(lambda found: shown(params[found[1]][found[2]]), source(edition)).split("\n", 1)[1]
    before, after = handbook.MARKDOWN.render(text).split(PICTURE)
    return mark_safe(before), mark_safe(after)


def scene(edition):
    """The scenario that the picture of an edition's page shows."""
    return form.read_one(FOLDER.joinpath(f"{edition}.yaml").read_text("utf-8"))


@cache
def picture(edition):
    """The board of an edition's page, as a visitor sees it."""
    played = play.Play(scene(edition), "cpython")
    try:
        played.run()
        return board.draw(played.host.view("visitor"), "", name=f"A board of {load_edition(edition).title}")
    finally:
        played.close()
