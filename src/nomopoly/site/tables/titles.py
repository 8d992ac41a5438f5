"""What the rows of the rules' catalogues are called."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nomopoly.site.shapes import Data
    from nomopoly.site.tables import live


def row_titles(running: live.Warm) -> dict[str, str]:
    """What the rows of catalogues are called: {"gas-station": "Gas Station"}, the titles of the rules that declare
    them, or the names that they declare. An id with a capital (Red) is a word already."""
    named = {id: name for id, name in running.describe()["row_names"].items() if id == id.lower()}
    return named | {
        record["id"].rpartition("/")[2]: record["title"]
        for record in running.records()
        if "/" in record["id"] and record["title"]
    }


def row_names(titles: dict[str, str]) -> dict[str, str]:
    """What rows of catalogues are called in a sentence. Of ids of several words alone, and of such as are written in
    another way (ATM, 'Bot): those of one word are words already."""
    return {
        id: title
        for id, title in titles.items()
        if "-" in id or (title.lower().strip("'") == id and title not in (id, id.capitalize()))
    }


def called(view: Data, value: str, names: dict[str, str]) -> str:
    """A word of the rules as people read it: rows of catalogues by their `names`, and what belongs to one, as "patent
    v-8", like the rules' own sentences ("the patent of V-8"). Any other word stays as it is."""
    part, _, row = value.partition(" ")
    kind = view["things"].get(row, {}).get("kind") if row in names else None
    if kind and any(part == each["name"] for each in view["schema"].get(kind, ())):
        return f"the {part} of {names[row]}"
    return names.get(value, value)
