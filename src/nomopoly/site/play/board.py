"""The board as a drawing: one SVG, made from a view and nothing else.

Squares lie at their `column` and `row` (rows from the south), roads join each to its successor, who owns one has
coloured and patterned it, pieces stand on them, rules add markers and the signs of places. A square is a link named in
full. A colour means an owner, or what a rule declares as one; nothing is coloured for looks alone.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from nomopoly.site import formats
from nomopoly.site.play import pieces, words
from nomopoly.site.play.signs import SIGNS

if TYPE_CHECKING:
    from nomopoly.site.play.pieces import Look
    from nomopoly.site.shapes import Data


CELL, GAP, EDGE = 100, 16, 12
STEP = CELL + GAP
SMALL = 36  # pixels that a square has at least, with the gap, where the board is wider than its frame
MANY = 10  # columns that fit the width of a phone
MOST_SEALS = 4  # on one square
LOW = 0.36  # height over width of a board that has the whole width of a page
HALF = 5  # columns that a page has room for beside the dock
FEWEST = 4  # a board narrower than so many squares is drawn in the middle of that width
COLOURS = {
    "red": "#b3372a", "orange": "#d9822b", "yellow": "#e3bf3f", "green": "#3c7d46", "blue": "#2f62a3",
    "purple": "#74489a", "violet": "#74489a", "pink": "#cf6f9b", "brown": "#7b5230", "black": "#2b2723",
    "white": "#ffffff", "grey": "#8c8577", "gray": "#8c8577", "cyan": "#3aa3ae", "gold": "#c99a2e",
}  # fmt: skip
NAMELESS = tuple(COLOURS.values())
NOTHING = SafeString("")
GROUND, FRAME = SafeString('<use class="sq" href="#sq"/>'), SafeString('<use class="sq-edge" href="#sq"/>')
CAN = SafeString('<use class="sq-can" href="#sq"/>')


@dataclass
class Square:
    """One square with all that lies and stands on it. `colour`: what a rule declares as its colour, in words."""

    thing: Data
    owner: Data | None = None
    here: list[Any] = field(default_factory=list)
    markers: list[Any] = field(default_factory=list)
    colour: str = ""
    sign: str = ""
    can: bool = False
    x: int = 0
    y: int = 0

    @property
    def id(self) -> str:
        """The id of the thing in the game."""
        return self.thing["id"]

    @property
    def number(self) -> int:
        """The number of the square."""
        return self.thing["number"]

    @property
    def name(self) -> str:
        """The name of the square; empty if it has none."""
        return self.thing.get("name") or ""

    @property
    def full_name(self) -> str:
        """Square 12, Baltic, owned by Ann, here: Ben, you can act here."""
        parts = [_("Square %(number)s") % {"number": self.number}]
        if self.name:
            parts.append(self.name)
        if self.colour:
            parts.append(_("%(colour)s block") % {"colour": self.colour})
        if self.owner:
            parts.append(
                _("owned by %(owner)s")
                % {"owner": words.thing_name({"things": {self.owner["id"]: self.owner}}, self.owner["id"])}
            )
        if self.here:
            parts.append(_("here: %(players)s") % {"players": ", ".join(player["id"] for player in self.here)})
        parts += [marker["label"] for marker in self.markers]
        return functools.reduce(and_more, parts + ([_("you can act here")] if self.can else []))


def and_more(told: str, more: str) -> str:
    """Two parts of a description as one."""
    return _("%(told)s, %(more)s") % {"told": told, "more": more}


# ---- what is on it


def squares_of(view: Data, can: Collection[str] = ()) -> list[Any]:
    """The squares of a view in order of number, with owners, players and markers. `can`: the ids of those at which
    whoever looks can act."""
    things = view["things"]
    colour, sign = declared_as(view, "colour", ("colour", "color")), declared_as(view, "sign")
    squares = {
        thing["id"]: Square(
            thing,
            owner=things.get(thing.get("owner") or ""),
            colour=word_in(thing, colour),
            sign=word_in(thing, sign) if word_in(thing, sign) in SIGNS else "",
            can=thing["id"] in can,
        )
        for thing in things.values()
        if thing["kind"] == "square" and isinstance(thing.get("number"), int)
    }
    for player in players_of(view):
        if player.get("square") in squares:
            squares[player["square"]].here.append(player)
    for marker in view.get("markers", ()):
        if marker["square"] in squares:
            label = re.sub(r"[a-z][a-z-]*-\d+", lambda id: words.thing_name(view, id[0]), marker["label"])
            owner = things.get(marker.get("thing"), {}).get("owner")
            squares[marker["square"]].markers.append(marker | {"label": label, "owner": owner})
    for square in squares.values():
        places = [marker["sign"] for marker in square.markers if marker.get("sign") in SIGNS]
        square.sign = square.sign or next(iter(places), "")
    return sorted(squares.values(), key=lambda square: square.number)


def declared_as(view: Data, type: str, labels: tuple[str, str] | tuple[()] = ()) -> str | None:
    """The name of the attribute of squares that rules declare as something: by its type, or by what it is called."""
    declared = view["schema"].get("square", ())
    typed = [each["name"] for each in declared if each["type"] == type]
    called = [each["name"] for each in declared if each["label"].casefold() in labels]
    return next(iter(typed + called), None)


def word_in(thing: Data, name: str | None) -> str:
    """The word that an attribute of a thing holds; "" for anything else."""
    value = thing.get(name) if name else None
    return value if isinstance(value, str) else ""


def players_of(view: Data) -> list[Any]:
    """The players in order of joining."""
    return [thing for thing in view["things"].values() if thing["kind"] == "player"]


def looks_of(view: Data, chosen: dict[str, str] | None = None, ever: Iterable[str] = ()) -> dict[str, Look]:
    """How each player of a view looks: {name: Look}. `chosen`: {name: shape}; `ever`: all who have ever joined, in
    their order."""
    return pieces.looks([player["id"] for player in players_of(view)], chosen, ever)


def place(squares: list[Any]) -> tuple[Any, Any]:
    """Give each square its corner in the drawing. Returns width and height."""
    if not all(isinstance(square.thing.get(part), int) for square in squares for part in ("column", "row")):
        side = max(1, int(len(squares) ** 0.5))
        for at, square in enumerate(squares):
            row, along = divmod(at, side)
            square.thing = square.thing | {"column": (along if row % 2 == 0 else side - 1 - along) + 1, "row": row + 1}
    west = min(square.thing["column"] for square in squares)
    south = min(square.thing["row"] for square in squares)
    columns = max(square.thing["column"] for square in squares) - west + 1
    rows = max(square.thing["row"] for square in squares) - south + 1
    shift = max(0, FEWEST - columns) * STEP // 2
    for square in squares:
        square.x = EDGE + shift + (square.thing["column"] - west) * STEP
        square.y = EDGE + (rows - 1 - (square.thing["row"] - south)) * STEP
    return 2 * EDGE + max(columns, FEWEST) * STEP - GAP, 2 * EDGE + rows * STEP - GAP


# ---- the drawing


def draw(
    view: Data,
    address: str,
    *,
    name: str | None = None,
    at: str = "",
    looks: dict[str, Look] | None = None,
    can: Collection[str] = (),
) -> SafeString:
    """The whole drawing.

    `address` is the game's ("" for a picture without links), `at` what is added to each link (`?at=...`), `looks` how
    players look ({name: Look}), `can` the ids of the squares at which whoever looks can act.
    """
    squares = squares_of(view, can)
    if not squares:
        return NOTHING
    width, height = place(squares)
    looks = looks or looks_of(view)
    seen = sorted((looks[each] for each in named_on(squares) if each in looks), key=lambda look: look.number)
    price = words.price_of(view)
    return formats.markup(
        '<svg class="board{many}"{low} viewBox="0 0 {w} {h}" width="{least}" height="{high}" role="group" '
        'aria-label="{name}" data-board="{at}"><defs>{defs}</defs>{roads}{cells}</svg>',
        many=" many" if width > MANY * STEP + 2 * EDGE else "",
        low=mark_safe(' data-low=""') if height < LOW * width and width > HALF * STEP else "",
        w=width,
        h=height,
        least=width * SMALL // STEP,
        high=height * SMALL // STEP,
        name=_("%(board)s: %(squares)s squares, %(players)s players")
        % {"board": name or _("The board"), "squares": len(squares), "players": len(looks)},
        at=at,
        defs=definitions(squares, seen),
        roads=roads(squares),
        cells=formats.together(cell(square, looks, address, at, price, view["viewer"]) for square in squares),
    )


def named_on(squares: list[Any]) -> set[Any]:
    """The players who own something on these squares or stand there."""
    found = {square.owner["id"] for square in squares if square.owner}
    found |= {player["id"] for square in squares for player in square.here}
    return found | {marker["owner"] for square in squares for marker in square.markers if marker["owner"]}


def definitions(squares: list[Any], seen: list[Any]) -> SafeString:
    """What the drawing uses more than once: patterns of owners, shapes of pieces, signs, the square itself."""
    patterns = formats.together(pieces.pattern(number) for number in sorted({look.number for look in seen}))
    shapes = dict.fromkeys(look.shape for look in seen)
    signs = dict.fromkeys(square.sign for square in squares if square.sign)
    drawn = [("shape", shape, pieces.SHAPES[shape][1]) for shape in shapes]
    drawn += [("sign", sign, SIGNS[sign]) for sign in signs]
    return formats.markup(
        '{}{}<rect id="sq" width="{c}" height="{c}" rx="7"/><path id="sq-top" d="M0 27v-20a7 7 0 0 1 7 -7h{b}a7 7 0 '
        '0 1 7 7v20z"/>'
        '<rect id="sq-arms" x="74" y="4" width="21" height="19" rx="4"/>',
        patterns,
        format_html_join("", '<path id="{}-{}" d="{}"/>', drawn),
        c=CELL,
        b=CELL - 14,
    )


def roads(squares: list[Any]) -> SafeString:
    """The way round, drawn under the squares: a short bridge to the next one, with an arrow; a dashed line if it is
    far."""
    drawn = []
    half = CELL // 2
    for here, there in itertools.pairwise(squares):
        x1, y1, x2, y2 = here.x + half, here.y + half, there.x + half, there.y + half
        dx, dy = (x2 > x1) - (x2 < x1), (y2 > y1) - (y2 < y1)
        if abs(x2 - x1) + abs(y2 - y1) != STEP:
            drawn.append(formats.markup('<path class="road far" d="M{} {}L{} {}"/>', x1, y1, x2, y2))
            continue
        drawn.append(formats.markup('<path class="road" d="M{} {}L{} {}"/>', x1, y1, x2, y2))
        mx, my = (x1 + x2) // 2, (y1 + y2) // 2
        tip = f"M{mx - 3 * dx - 5 * dy} {my - 3 * dy - 5 * dx}l{3 * dx + 5 * dy + 2 * dx} {3 * dy + 5 * dx + 2 * dy}"
        tip += f"l{-3 * dx + 5 * dy - 2 * dx} {-3 * dy + 5 * dx - 2 * dy}"
        drawn.append(formats.markup('<path class="road-arrow" d="{}"/>', tip))
    return formats.together(drawn)


def cell(square: Square, looks: dict[str, Look], address: str, at: str, price: str, viewer: str) -> SafeString:
    """One square, as a link; everything in it is drawn from its upper left corner."""
    owner = looks.get(square.owner["id"]) if square.owner else None
    amount = square.thing.get(price) if price else None
    classes = "sq-link" + (" mine" if any(player["id"] == viewer for player in square.here) else "")
    inside = [
        CAN if square.can else NOTHING,
        GROUND,
        band(square, owner),
        block(square),
        sign(square),
        title(square),
        formats.markup('<text class="sq-price" x="8" y="93">{}</text>', formats.dollars(amount))
        if isinstance(amount, int)
        else NOTHING,
        seals(square, looks),
        standing(square, looks),
        FRAME,
    ]
    full = square.full_name
    if not address:
        return formats.markup(
            '<g translate="no" transform="translate({} {})"><title>{}</title>{}</g>',
            square.x,
            square.y,
            full,
            formats.together(inside),
        )
    return formats.markup(
        '<a class="{classes}" id="square-{n}" href="{address}squares/{n}/{at}" aria-label="{full}" data-x="{x}" '
        'data-y="{y}" '
        'data-n="{n}"><title>{full}</title><g translate="no" transform="translate({x} {y})">{inside}</g></a>',
        classes=classes + (" can" if square.can else ""),
        n=square.number,
        address=address,
        at=at,
        full=full,
        x=square.x,
        y=square.y,
        inside=formats.together(inside),
    )


# ---- the parts of a square


def band(square: Square, owner: Look | None) -> SafeString:
    """The upper band: the owner's colour, pattern and shape, or bare, and the number."""
    digits = 11 + 10 * len(str(square.number))
    plate = formats.markup(
        '<rect class="sq-plate" x="5" y="4" width="{}" height="19" rx="4"/><text class="sq-number" x="{}" '
        'y="19">{}</text>',
        digits,
        5 + digits / 2,
        square.number,
    )
    if owner is None:
        return formats.markup('<use class="sq-band" href="#sq-top"/>{}', plate)
    return formats.markup(
        '<use href="#sq-top" fill="url(#own-{})"/>{}<use class="sq-plate" href="#sq-arms"/>{}',
        owner.number,
        plate,
        formats.markup('<text class="sq-owner" x="84.5" y="19">{}</text>', owner.letters)
        if owner.shared
        else formats.markup(
            '<use class="sq-arms {}" href="#shape-{}"/>',
            owner.colour,
            owner.shape,
        ),
    )


def block(square: Square) -> SafeString:
    """A strip in the colour that a rule declares of a square."""
    if not square.colour:
        return NOTHING
    known = COLOURS.get(square.colour.strip().lower())
    fill = known or NAMELESS[sum(map(ord, square.colour)) % len(NAMELESS)]
    return formats.markup('<rect class="sq-block" y="27" width="{}" height="7" fill="{}"/>', CELL, fill)


def sign(square: Square) -> SafeString:
    """The sign of a place, in the middle, and pale where there is a name to be read."""
    if not square.sign:
        return NOTHING
    return formats.markup(
        '<use class="sq-sign{}" href="#sign-{}"/>',
        " behind" if square.name else "",
        square.sign,
    )


def title(square: Square) -> SafeString:
    """The name, on two lines at most."""
    return formats.together(
        formats.markup('<text class="sq-name" x="{}" y="{}"{}>{}</text>', CELL // 2, 47 + 13 * at, squeezed(line), line)
        for at, line in enumerate(wrapped(square.name, 13))
    )


def squeezed(line: Data) -> SafeString:
    """What presses a line of wide letters into its square."""
    width = sum(13 if sign in "WMwm@%" or ord(sign) > 0x2000 else 7.4 for sign in line)
    return mark_safe(f' textLength="{CELL - 8}" lengthAdjust="spacingAndGlyphs"' if width > CELL - 6 else "")


def wrapped(text: str, most: int) -> list[Any]:
    """A text on at most two lines of `most` characters."""
    text = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    if len(text) <= most:
        return [text] if text else []
    cut = text.rfind(" ", 1, most + 1)
    first, rest = (text[:cut], text[cut + 1 :]) if cut > 0 else (text[: most - 1] + "-", text[most - 1 :])
    return [first, rest if len(rest) <= most else rest[: most - 1].rstrip() + "…"]


def standing(square: Square, looks: dict[str, Look]) -> SafeString:
    """The players here, as pieces; where it gets tight, smaller ones, and then a count."""
    here = square.here
    if not here:
        return NOTHING
    sizes = ((2, 2, 16), (3, 3, 14), (8, 4, 11), (21, 7, 6))  # so many, in a row, half of what each is wide
    most, along, size = next((each for each in sizes if len(here) <= each[0]), sizes[-1])
    shown = here if len(here) <= most else here[: most - 1]
    rows = -(-len(here[:most]) // along)
    drawn = []
    for at, player in enumerate(shown):
        row, step = divmod(at, along)
        x = CELL - 3 - size * 2 - step * (size * 2 + 1)
        y = CELL - 3 - size * 2 - (rows - 1 - row) * (size * 2 + 1)
        drawn.append(piece(x, y, size, looks[player["id"]], player["id"]))
    if len(shown) < len(here):
        drawn.append(formats.markup('<text class="sq-more" x="8" y="60">+{}</text>', len(here) - len(shown)))
    return formats.together(drawn)


def piece(x: int, y: int, size: int, look: Look, name: str) -> SafeString:
    """One piece in a box of twice `size`: a shape in its player's colour and pattern, with letters where shapes
    repeat."""
    letters = look.letters if size >= 10 else look.letters[:1]
    return formats.markup(
        '<g class="piece {}" data-piece="{}" transform="translate({} {}) scale({})"><use href="#shape-{}" '
        'fill="url(#own-{})"/>{}</g>',
        look.colour,
        name,
        x,
        y,
        round(size / 12, 2),
        look.shape,
        look.number,
        formats.markup('<text class="piece-letters" x="12" y="17">{}</text>', letters) if look.shared else NOTHING,
    )


def seals(square: Square, looks: dict[str, Look]) -> SafeString:
    """What rules put on the square, as small seals under the band, what moves about first; of many, how many more there
    are.

    What belongs to a player has that player's colour and pattern. The marker whose sign is drawn large has no seal.
    """
    shown = [marker for marker in square.markers if not marker.get("sign") or marker["sign"] != square.sign]
    shown = sorted(shown, key=lambda marker: not moves(marker))
    if len(shown) > MOST_SEALS:
        more = shown[MOST_SEALS - 1 :]
        rest = {"label": ", ".join(marker["label"] for marker in more), "symbol": f"+{len(more)}", "owner": None}
        shown = [*shown[: MOST_SEALS - 1], rest]
    return formats.together(seal(4 + at * 23, marker, looks.get(marker["owner"])) for at, marker in enumerate(shown))


def seal(x: int, marker: Data, owner: Look | None) -> SafeString:
    """One marker: a disc, square where it is something that stands there, with its symbol on a light plate of its
    own."""
    radius = 4 if moves(marker) else 10.5
    if owner is None:
        look, fill, plate = " moving" if moves(marker) else "", NOTHING, NOTHING
    else:
        look, fill = f" owned {owner.colour}", formats.markup(' fill="url(#own-{})"', owner.number)
        plate = formats.markup('<rect class="seal-plate" x="{}" y="62" width="14" height="14" rx="3"/>', x + 3.5)
    return formats.markup(
        '<g class="seal{}"{}><title>{}</title><rect class="seal-disc" x="{}" y="58.5" width="21" height="21" '
        'rx="{}"{}/>{}'
        '<text class="seal-sign" x="{}" y="73.8">{}</text></g>',
        look,
        formats.markup(' data-piece="{}"', marker["thing"]) if marker.get("thing") else NOTHING,
        marker["label"],
        x,
        radius,
        fill,
        plate,
        x + 10.5,
        marker["symbol"][:2],
    )


def moves(marker: Data) -> bool:
    """Whether a marker is that of something on a square, not of the square itself."""
    return marker.get("kind", "square") != "square"
