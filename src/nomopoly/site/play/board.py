"""The board as a drawing: one SVG, made from a view and nothing else.

Squares lie at their `column` and `row` (rows from the south), roads join each to its successor, who owns one has coloured
and patterned it, pieces stand on them with initials, rules add markers. A square is a link named in full.
"""

import itertools
import re
from dataclasses import dataclass, field

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from nomopoly.site import formats
from nomopoly.site.play import words

CELL, GAP, EDGE = 100, 16, 12
STEP = CELL + GAP
PALETTE = 8
MOST_SEALS = 4  # on one square
STREETS = 6  # tints of bare squares, row by row
FEWEST = 4  # a board narrower than so many squares is drawn in the middle of that width
COLOURS = {
    "red": "#b3372a", "orange": "#d9822b", "yellow": "#e3bf3f", "green": "#3c7d46", "blue": "#2f62a3",
    "purple": "#74489a", "violet": "#74489a", "pink": "#cf6f9b", "brown": "#7b5230", "black": "#2b2723",
    "white": "#ffffff", "grey": "#8c8577", "gray": "#8c8577", "cyan": "#3aa3ae", "gold": "#c99a2e",
}  # fmt: skip
NAMELESS = tuple(COLOURS.values())


@dataclass
class Square:
    """One square with all that lies and stands on it."""

    thing: dict
    owner: dict | None = None
    here: list = field(default_factory=list)
    markers: list = field(default_factory=list)
    x: int = 0
    y: int = 0

    @property
    def id(self):
        return self.thing["id"]

    @property
    def number(self):
        return self.thing["number"]

    @property
    def name(self):
        return self.thing.get("name") or ""

    @property
    def full_name(self):
        """Square 12, Baltic, owned by Ann, here: Ben."""
        parts = [f"Square {self.number}"]
        if self.name:
            parts.append(self.name)
        if self.thing.get("color"):
            parts.append(f"{self.thing['color']} block")
        if self.owner:
            parts.append(f"owned by {self.owner['id']}")
        if self.here:
            parts.append("here: " + ", ".join(player["id"] for player in self.here))
        return ", ".join(parts + [marker["label"] for marker in self.markers])


def squares_of(view):
    """The squares of a view in order of number, with owners, players and markers."""
    things = view["things"]
    found = {
        thing["id"]: Square(thing, owner=things.get(thing.get("owner") or ""))
        for thing in things.values()
        if thing["kind"] == "square" and isinstance(thing.get("number"), int)
    }
    for player in players_of(view):
        if player.get("square") in found:
            found[player["square"]].here.append(player)
    for marker in view.get("markers", ()):
        if marker["square"] in found:
            label = re.sub(r"[a-z][a-z-]*-\d+", lambda id: words.thing_name(view, id[0]), marker["label"])
            found[marker["square"]].markers.append(marker | {"label": label})
    return sorted(found.values(), key=lambda square: square.number)


def players_of(view):
    """The players in order of joining."""
    return [thing for thing in view["things"].values() if thing["kind"] == "player"]


def colours_of(view):
    """Each player's number of colour and pattern, from 0."""
    return {player["id"]: at for at, player in enumerate(players_of(view))}


def place(squares):
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


def draw(view, address, *, name="The board", at=""):
    """The whole drawing. `address` is the game's, `at` what is added to each link (`?at=...`)."""
    squares = squares_of(view)
    if not squares:
        return mark_safe("")
    width, height = place(squares)
    colours = colours_of(view)
    owners = sorted(
        {colours[square.owner["id"]] for square in squares if square.owner and square.owner["id"] in colours}
    )
    price = words.price_of(view)
    return format_html(
        '<svg class="board" viewBox="0 0 {w} {h}" width="{w}" height="{h}" role="group" aria-label="{name}: {n} squares, {p} '
        'players" data-board="{at}"><defs>{defs}</defs>{roads}{cells}</svg>',
        w=width,
        h=height,
        name=name,
        n=len(squares),
        p=len(colours),
        at=at,
        defs=format_html_join("", "{}", ((pattern(number),) for number in owners)),
        roads=roads(squares),
        cells=format_html_join(
            "", "{}", ((cell(square, colours, address, at, price, view["viewer"]),) for square in squares)
        ),
    )


# ---- the parts of a board


def roads(squares):
    """The way round, drawn under the squares: a short bridge to the next one, with an arrow; a dashed line if it is far."""
    drawn = []
    half = CELL // 2
    for here, there in itertools.pairwise(squares):
        x1, y1, x2, y2 = here.x + half, here.y + half, there.x + half, there.y + half
        dx, dy = (x2 > x1) - (x2 < x1), (y2 > y1) - (y2 < y1)
        if abs(x2 - x1) + abs(y2 - y1) != STEP:
            drawn.append(format_html('<path class="road far" d="M{} {}L{} {}"/>', x1, y1, x2, y2))
            continue
        drawn.append(format_html('<path class="road" d="M{} {}L{} {}"/>', x1, y1, x2, y2))
        mx, my = (x1 + x2) // 2, (y1 + y2) // 2
        tip = f"M{mx - 3 * dx - 5 * dy} {my - 3 * dy - 5 * dx}l{3 * dx + 5 * dy + 2 * dx} {3 * dy + 5 * dx + 2 * dy}"
        tip += f"l{-3 * dx + 5 * dy - 2 * dx} {-3 * dy + 5 * dx - 2 * dy}"
        drawn.append(format_html('<path class="road-arrow" d="{}"/>', tip))
    return format_html_join("", "{}", ((each,) for each in drawn))


def cell(square, colours, address, at, price, viewer):
    """One square, as a link."""
    x, y = square.x, square.y
    owned = colours.get(square.owner["id"]) if square.owner else None
    first = square.number == 1
    inside = [
        format_html('<rect class="sq" x="{}" y="{}" width="{}" height="{}" rx="7"/>', x, y, CELL, CELL),
        band(square, owned),
        block(square),
        title(square),
        start(square) if first and not square.name else SafeString(""),
        format_html(
            '<text class="sq-price" x="{}" y="{}">{}</text>', x + 8, y + 93, formats.dollars(square.thing.get(price))
        )
        if price and isinstance(square.thing.get(price), int)
        else SafeString(""),
        pieces(square, colours),
        markers(square),
        format_html('<rect class="sq-edge" x="{}" y="{}" width="{}" height="{}" rx="7"/>', x, y, CELL, CELL),
    ]
    return format_html(
        '<a class="sq-link{mine}" id="square-{n}" href="{address}squares/{n}/{at}" aria-label="{full}" data-x="{x}" data-y="{y}" '
        'data-n="{n}"><title>{full}</title>{inside}</a>',
        mine=" mine" if any(player["id"] == viewer for player in square.here) else "",
        n=square.number,
        address=address,
        at=at,
        full=square.full_name,
        x=x,
        y=y,
        inside=format_html_join("", "{}", ((each,) for each in inside)),
    )


def band(square, owned):
    """The upper band: the owner's colours and initials, or bare, and the number."""
    x, y = square.x, square.y
    shape = f"M{x} {y + 27}v-20a7 7 0 0 1 7 -7h{CELL - 14}a7 7 0 0 1 7 7v20z"
    digits = len(str(square.number))
    plate = format_html(
        '<rect class="sq-plate" x="{}" y="{}" width="{}" height="19" rx="4"/><text class="sq-number" x="{}" y="{}">{}</text>',
        x + 5,
        y + 4,
        11 + 10 * digits,
        x + 5 + (11 + 10 * digits) / 2,
        y + 19,
        square.number,
    )
    if owned is None:
        street = square.thing["row"] % STREETS
        return format_html('<path class="sq-band street-{}" d="{}"/>{}', street, shape, plate)
    letters = initials(square.owner["id"])
    return format_html(
        '<path d="{}" fill="url(#own-{})"/>{}<rect class="sq-plate" x="{}" y="{}" width="{}" height="19" rx="4"/>'
        '<text class="sq-owner" x="{}" y="{}">{}</text>',
        shape,
        owned,
        plate,
        x + CELL - 5 - (11 + 10 * len(letters)),
        y + 4,
        11 + 10 * len(letters),
        x + CELL - 5 - (11 + 10 * len(letters)) / 2,
        y + 19,
        letters,
    )


def block(square):
    """A strip in the colour of the block that a square belongs to."""
    colour = square.thing.get("color")
    if not colour:
        return SafeString("")
    known = COLOURS.get(str(colour).strip().lower())
    fill = known or NAMELESS[sum(map(ord, str(colour))) % len(NAMELESS)]
    return format_html(
        '<rect class="sq-block" x="{}" y="{}" width="{}" height="7" fill="{}"/>', square.x, square.y + 27, CELL, fill
    )


def title(square):
    """The name, on two lines at most."""
    lines = wrapped(square.name, 13)
    return format_html_join(
        "",
        '<text class="sq-name" x="{}" y="{}"{}>{}</text>',
        ((square.x + CELL // 2, square.y + 47 + 13 * at, squeezed(line), line) for at, line in enumerate(lines)),
    )


def squeezed(line):
    """What presses a line of wide letters into its square."""
    width = sum(13 if sign in "WMwm@%" or ord(sign) > 0x2000 else 7.4 for sign in line)
    return mark_safe(f' textLength="{CELL - 8}" lengthAdjust="spacingAndGlyphs"' if width > CELL - 6 else "")


def wrapped(text, most):
    """A text on at most two lines of `most` characters."""
    text = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    if len(text) <= most:
        return [text] if text else []
    cut = text.rfind(" ", 1, most + 1)
    first, rest = (text[:cut], text[cut + 1 :]) if cut > 0 else (text[: most - 1] + "-", text[most - 1 :])
    return [first, rest if len(rest) <= most else rest[: most - 1].rstrip() + "…"]


def start(square):
    """The corner where the way begins: a big arrow."""
    x, y = square.x + 50, square.y + 47
    arrow = f"M{x - 28} {y - 4}h32v-9l24 15l-24 15v-9h-32z"
    return format_html('<path class="sq-start" d="{}"/>', arrow)


def pieces(square, colours):
    """The players here, as pawns with initials; where it gets tight, smaller ones, and then a count."""
    here = square.here
    if not here:
        return SafeString("")
    sizes = ((2, 2, 15), (3, 3, 13), (8, 4, 10), (21, 7, 6))
    most, along, size = next((each for each in sizes if len(here) <= each[0]), sizes[-1])
    shown = here if len(here) <= most else here[: most - 1]
    rows = -(-len(here[:most]) // along)
    drawn = []
    for at, player in enumerate(shown):
        row, step = divmod(at, along)
        px = square.x + CELL - 4 - size - 1 - step * (size * 2 + 1)
        py = square.y + CELL - 4 - size - (rows - 1 - row) * (size * 2 + 1)
        drawn.append(pawn(px, py, size, player["id"], colours.get(player["id"], 0)))
    if len(shown) < len(here):
        drawn.append(
            format_html(
                '<text class="sq-more" x="{}" y="{}">+{}</text>', square.x + 8, square.y + 60, len(here) - len(shown)
            )
        )
    return format_html('<g class="pieces">{}</g>', format_html_join("", "{}", ((each,) for each in drawn)))


def pawn(x, y, size, name, colour):
    """One piece: a disc with a rim of its owner's pattern number and the initials."""
    letters = initials(name) if size >= 10 else initials(name)[:1]
    return format_html(
        '<g class="owner-{}"><circle class="pawn-shade" cx="{}" cy="{}" r="{}"/><circle class="pawn-disc" cx="{}" cy="{}" '
        'r="{}"/>{}<text class="pawn-letter" x="{}" y="{}" font-size="{}">{}</text></g>',
        colour % PALETTE + 1,
        x,
        y + 1.5,
        size,
        x,
        y,
        size,
        format_html('<circle class="pawn-ring" cx="{}" cy="{}" r="{}"/>', x, y, size - 2.5) if size >= 10 else "",
        x,
        y + size * 0.36,
        round(size * (1.15 if len(letters) == 1 else 0.92), 1),
        letters,
    )


def markers(square):
    """What rules put on the square, as small seals under the band, what moves about first; of many, how many more there are."""
    drawn = []
    shown = sorted(square.markers, key=lambda marker: not moves(marker))
    if len(shown) > MOST_SEALS:
        more = shown[MOST_SEALS - 1 :]
        rest = {"label": ", ".join(marker["label"] for marker in more), "symbol": f"+{len(more)}"}
        shown = [*shown[: MOST_SEALS - 1], rest]
    for at, marker in enumerate(shown):
        x, y = square.x + 15 + at * 23, square.y + 69
        drawn.append(
            format_html(
                '<g class="seal{}"><title>{}</title><rect class="seal-disc" x="{}" y="{}" width="21" height="21" rx="{}"/>'
                '<text class="seal-sign" x="{}" y="{}">{}</text></g>',
                " moving" if moves(marker) else "",
                marker["label"],
                x - 10.5,
                y - 10.5,
                4 if moves(marker) else 10.5,
                x,
                y + 4.8,
                marker["symbol"][:2],
            )
        )
    return format_html_join("", "{}", ((each,) for each in drawn))


def moves(marker):
    """Whether a marker is that of something on a square, not of the square itself."""
    return marker.get("kind", "square") != "square"


def initials(name):
    """One or two letters that stand for a player."""
    parts = name.split()
    if len(parts) > 1 and parts[-1].isdecimal():  # Player 12
        return (parts[0][0] + parts[-1] if len(parts[-1]) == 1 else parts[-1][-2:]).upper()
    letters = [part[0] for part in parts if part[0].isalnum()]
    if len(letters) > 1:
        return (letters[0] + letters[-1]).upper()
    plain = [sign for sign in name if sign.isalnum()]
    return "".join(plain[:2]).capitalize() or "?"


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


def pattern(number):
    """The colour and pattern of an owner: eight of each, so that sixty-four owners differ."""
    return format_html(
        '<pattern id="own-{}" class="owner-{}" width="10" height="10" patternUnits="userSpaceOnUse">'
        '<rect class="owner-fill" width="10" height="10"/><g class="own-lines">{}</g></pattern>',
        number,
        number % PALETTE + 1,
        mark_safe(PATTERNS[(number + number // PALETTE) % len(PATTERNS)]),
    )
