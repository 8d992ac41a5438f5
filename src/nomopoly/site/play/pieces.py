"""How a player looks on every page: colour and pattern by order of joining, a shape that they choose, letters where
needed.

A piece is data of the site, no state of the game: no rule can read it, and it changes without an entry of the journal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy

PALETTE = 8
SHAPES = {  # name: (what it is called, its outline in a box of 24)
    "pawn": (gettext_lazy("Pawn"), "M12 1.5a5 5 0 0 1 3.3 8.8h1.7v2.4h-2.2c.4 3.3 1.9 5.6 4.2 7v2.8h-14v-2.8c2.3-1.4 "
                                   "3.8-3.7 4.2-7h-2.2v-2.4h1.7a5 5 0 0 1 3.3-8.8z"),
    "tower": (gettext_lazy("Tower"), "M4.5 2h3.5v2.6h2.3v-2.6h3.4v2.6h2.3v-2.6h3.5v7l-2.3 "
                                     "1.7v7.3h2.3v4.5h-15v-4.5h2.3v-7.3l-2.3-1.7z"),
    "crown": (gettext_lazy("Crown"), "M1.5 5.5l5.5 4.5 5-7.5 5 7.5 5.5-4.5-2.3 11h-16.4zM3.8 18.5h16.4v3.5h-16.4z"),
    "ship": (gettext_lazy("Ship"), "M10.5 1.5v11.5h-8zM12.5 3.5l8.5 9.5h-8.5zM1.5 15h21l-3.6 7h-13.8z"),
    "car": (gettext_lazy("Car"), "M5.5 5h13l3 6.5 1.5 1v6.5h-3a2.8 2.8 0 0 1-5.6 0h-4.8a2.8 2.8 0 0 1-5.6 "
                                 "0h-3v-6.5l1.5-1z"),
    "house": (gettext_lazy("House"), "M12 1.5l10.5 9.5h-2.5v11h-5.5v-6.5h-5v6.5h-5.5v-11h-2.5z"),
    "tree": (gettext_lazy("Tree"), "M12 1l6 7.5h-2.7l5 6h-3l4.7 5.5h-7.5v3.5h-5v-3.5h-7.5l4.7-5.5h-3l5-6h-2.7z"),
    "hat": (gettext_lazy("Hat"), "M7 2.5h10l.8 12h4.7v2.5c-6 5.5-15 5.5-21 0v-2.5h4.7z"),
    "fish": (gettext_lazy("Fish"), "M1.5 12c3.5-6.5 11-7.5 15-2.6l6-4.4v14l-6-4.4c-4 4.9-11.5 3.9-15-2.6z"),
    "heart": (gettext_lazy("Heart"), "M12 22c-7-5.5-10.5-9.3-10.5-14a5.6 5.6 0 0 1 10.5-2.7a5.6 5.6 0 0 1 10.5 2.7c0 "
                                     "4.7-3.5 8.5-10.5 14z"),
    "star": (gettext_lazy("Star"), "M12 1l3.3 7.4 8 .8-6 5.4 1.7 7.9-7-4.1-7 4.1 1.7-7.9-6-5.4 8-.8z"),
    "bell": (gettext_lazy("Bell"), "M12 1.5a2 2 0 0 1 2 2c3.5 1 5 4 5 7.5 0 4 1 6 3 7.5v1.5h-20v-1.5c2-1.5 3-3.5 "
                                   "3-7.5 0-3.5 1.5-6.5 5-7.5a2 2 0 0 1 2-2zM9 20.5h6a3 3 0 0 1-6 0z"),
}  # fmt: skip
PATTERNS = (
    "",
    '<path d="M0 10L10 0M-2 2L2 -2M8 12L12 8"/>',
    '<circle cx="5" cy="5" r="1.8"/>',
    '<path d="M0 5H10"/>',
    '<path d="M0 0L10 10M-2 8L2 12M8 -2L12 2"/>',
    '<path d="M5 0V10"/>',
    '<path d="M0 0L10 10M0 10L10 0"/>',
    '<path d="M0 3L5 8L10 3"/>',
)


@dataclass(frozen=True)
class Look:
    """How one player looks. `number` (of colour and pattern, from 0), `shape` (a name of SHAPES), `letters` (one or
    two, unique in the game), `shared`: whether another player has the same shape, so that the letters are needed."""

    number: int
    shape: str
    letters: str
    shared: bool = False

    @property
    def colour(self) -> str:
        """The class that sets the colour."""
        return f"owner-{self.number % PALETTE + 1}"

    @property
    def path(self) -> str:
        """The outline of the shape, as the path of an SVG picture of 24 units."""
        return SHAPES[self.shape][1]


def looks(names: list[str], chosen: dict[str, str] | None = None, ever: Iterable[str] = ()) -> dict[str, Look]:
    """Everybody's look: {name: Look}, for names in order of joining. `chosen`: {name: shape}; who has chosen none gets
    a shape that nobody else has, as long as there is one. `ever`: all who have ever joined, in their order: those who
    have left keep their number and shape, so that nobody else's change."""
    order = list(dict.fromkeys([*ever, *names]))
    chosen = {name: shape for name, shape in (chosen or {}).items() if name in order and shape in SHAPES}
    free = [shape for shape in SHAPES if shape not in chosen.values()] or list(SHAPES)
    given = [name for name in order if name not in chosen]
    shapes = chosen | {name: free[at % len(free)] for at, name in enumerate(given)}
    worn = [shapes[name] for name in names]
    letters = lettering(names)
    return {name: Look(order.index(name), shapes[name], letters[name], worn.count(shapes[name]) > 1) for name in names}


# ---- letters


def initials(name: str) -> str:
    """One or two letters that stand for a player, as long as no other player has the same."""
    parts = name.split()
    if len(parts) > 1 and parts[-1].isdecimal():  # Player 12
        return (parts[0][0] + parts[-1] if len(parts[-1]) == 1 else parts[-1][-2:]).upper()
    letters = [part[0] for part in parts if part[0].isalnum()]
    if len(letters) > 1:
        return (letters[0] + letters[-1]).upper()
    plain = [sign for sign in name if sign.isalnum()]
    return "".join(plain[:2]).capitalize() or "?"


def lettering(names: list[Any]) -> dict[Any, Any]:
    """The letters of all players of a game: {name: one or two letters}, no two alike.

    >>> lettering(["Dot", "Dora", "Ann"])
    {'Dot': 'Dt', 'Dora': 'Dr', 'Ann': 'An'}
    """
    usual = {name: initials(name) for name in names}
    alike = {name for name in names if [usual[other].casefold() for other in names].count(usual[name].casefold()) > 1}
    taken = {usual[name].casefold() for name in names if name not in alike}
    letters = {}
    for name in names:
        letters[name] = usual[name]
        if name in alike:
            rivals = [other for other in alike if other != name and usual[other].casefold() == usual[name].casefold()]
            letters[name] = next(each for each in candidates(name, rivals) if each.casefold() not in taken)
            taken.add(letters[name].casefold())
    return letters


def candidates(name: str, rivals: list[Any]) -> Iterator[str]:
    """Letters for a name that has the usual ones in common with others, the most telling first; they never end."""
    plain = [sign for sign in name if sign.isalnum()] or ["?"]
    others = [[sign.casefold() for sign in other if sign.isalnum()] for other in rivals]
    for at, sign in enumerate(plain[1:], 1):
        if all(sign.casefold() not in other[at : at + 1] for other in others):
            yield (plain[0] + sign).capitalize()
    for sign in plain[1:]:
        yield (plain[0] + sign).capitalize()
    number = 2
    while True:
        yield f"{plain[0].upper()}{number}"
        number += 1


# ---- drawings


def pattern(number: int) -> SafeString:
    """The colour and pattern of an owner: eight of each, so that sixty-four owners differ."""
    return format_html(
        '<pattern id="own-{}" class="owner-{}" width="10" height="10" patternUnits="userSpaceOnUse">'
        '<rect class="owner-fill" width="10" height="10"/><g class="own-lines">{}</g></pattern>',
        number,
        number % PALETTE + 1,
        mark_safe(PATTERNS[(number + number // PALETTE) % len(PATTERNS)]),
    )


def badge(look: Look) -> SafeString:
    """A piece beside a name: its shape in its colour, with letters where the shape does not tell."""
    return format_html(
        '<span class="pawn-badge {}" aria-hidden="true"><svg viewBox="0 0 24 24"><path d="{}"/></svg>{}</span>',
        look.colour,
        look.path,
        format_html("<b>{}</b>", look.letters) if look.shared else "",
    )
