"""Which things are offers and agreements, to which somebody says yes or no."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nomopoly.site.shapes import Data

ASKING = frozenset(("agreed", "complete", "to", "transfers"))  # what rules declare of them beside `parties`


def is_asked_by(view: Data, kind: str) -> bool:
    """Whether things of a kind ask their parties for consent; what rules only share out among `parties` does not."""
    return not ASKING.isdisjoint(each["name"] for each in view["schema"].get(kind, ()))
