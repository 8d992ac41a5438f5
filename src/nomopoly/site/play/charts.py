"""What players had, day by day, as a chart: one SVG without scripts, in a wide and a narrow form, and its numbers.

A line is told from the others by its colour, its dashes, its marks and its name at its end.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from nomopoly.site import formats
from nomopoly.site.play import pieces
from nomopoly.site.tables import live, queries, readings

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data


MOST_POINTS = 60
MARKS_A_LINE = 7
DASHES = ("", "7 4", "2 4", "12 4 2 4", "4 3", "16 5", "9 3 2 3 2 3", "1 4")
MARKS = (
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",  # circle
    "M-3.6 -3.6h7.2v7.2h-7.2z",  # square
    "M0 -4.8L4.6 3.6H-4.6z",  # triangle
    "M0 -5.2L5.2 0L0 5.2L-5.2 0z",  # diamond
    "M0 4.8L4.6 -3.6H-4.6z",  # triangle, upside down
    "M-4.6 -1.5h3.1v-3.1h3v3.1h3.1v3h-3.1v3.1h-3v-3.1h-3.1z",  # cross
)
SHAPES = (("wide", 720, 300, 13), ("narrow", 330, 280, 12))  # name, width, least height, size of type
STEPS = (1, 2, 5)


@dataclass
class Line:
    """One line: what it is called in full and in short, its number (of colour, dashes and marks), [(moment,
    number)]."""

    name: str
    short: str
    number: int
    points: list[Any]
    goes_on: bool = True  # up to now; that of a player who has left has ended

    @property
    def last(self) -> int:
        """The number at the end of the line."""
        return self.points[-1][1]


# ---- what there is to be drawn


def choices(view: Data, players: list[Any]) -> list[Any]:
    """The attributes of players that can be drawn: amounts of money and numbers of the standings that this viewer
    sees."""
    found = [
        each
        for each in view["schema"].get("player", ())
        if each["label"] and (each["summary"] or each["type"] == "money")
        if any(type(player.get(each["name"])) is int for player in players)
    ]
    return sorted(found, key=lambda each: (not each["derived"], each["type"] != "money", not each["summary"]))


def of_players(seat: Seat, wanted: str | None, former: Iterable[str] = ()) -> dict[Any, Any] | None:
    """The chart of one attribute for all players: of the one that was asked for, or the first that can be drawn.

    `former`: who has left and has a line all the same, as long as it goes.
    """
    players = [thing for thing in seat.view["things"].values() if thing["kind"] == "player"]
    others = [player for player in players if player["id"] != seat.viewer] or players
    possible = choices(seat.view, others)
    chosen = next((each for each in possible if each["name"] == wanted), possible[0] if possible else None)
    if chosen is None or seat.trial:
        return None
    kept = day_by_day(seat)
    things = {player["id"]: player for player in players} | {name: {} for name in former}
    letters, looks = pieces.lettering([*things]), pieces.looks([*things], ever=queries.ever_joined(seat.live))
    lines = [
        Line(name, letters[name], looks[name].number, points(kept, name, chosen["name"], thing), bool(thing))
        for name, thing in things.items()
    ]
    drawn = chart(gettext("%(label)s of the players") % {"label": chosen["label"]}, lines, chosen["type"])
    return drawn and drawn | {"chosen": chosen["name"], "choices": possible}


def of_player(seat: Seat, name: str, thing: Data) -> dict[Any, Any] | None:
    """The chart of all the money that one player has, as far as this viewer sees it; of one who has left, what all
    saw."""
    if seat.trial:
        return None
    kept = day_by_day(seat)
    if thing is None:
        open_to_all = [each for each in seat.view["schema"].get("player", ()) if "all" in each["show"]]
        possible = [each for each in open_to_all if each["label"] and each["type"] == "money"]
    else:
        possible = [each for each in choices(seat.view, [thing]) if each["type"] == "money"]
    lines: list[Any] = []
    for each in possible:
        numbers = points(kept, name, each["name"], thing or {})
        if each["derived"] or each["summary"] or len({number for _, number in numbers}) > 1:  # a limit says nothing new
            lines.append(Line(each["label"], each["label"], len(lines), numbers, thing is not None))
    return chart(gettext("Money of %(name)s") % {"name": name}, lines, "money")


def day_by_day(seat: Seat) -> list[tuple[int, dict[Any, Any]]]:
    """What players had at the end of each day on which something happened, as this viewer may have it."""
    seat.live.facts(seat.viewer)  # so that the rows are there which say who knows of what
    return seat.live.ask(lambda game: readings.seen(seat.game, seat.viewer, game, live.now()))


def points(kept: list[tuple[int, dict[Any, Any]]], player: str, name: str, thing: Data) -> list[tuple[Any, Any]]:
    """The readings of one number of a player, and what it is now."""
    found = [(at, numbers[player][name]) for at, numbers in kept if name in numbers.get(player, ())]
    if type(thing.get(name)) is int:
        found.append((live.now(), thing[name]))
    return found


# ---- the drawing


@dataclass
class Plane:
    """What a chart is drawn on: its edges, the first and the last moment, the marks of its numbers."""

    left: int
    right: int
    top: int
    bottom: int
    first: int
    last: int
    ticks: list[int]

    def x(self, at: int) -> float:
        """Where a moment is."""
        return round(self.left + (self.right - self.left) * (at - self.first) / max(1, self.last - self.first), 1)

    def y(self, number: int) -> float:
        """Where a number is."""
        return round(
            self.bottom - (self.bottom - self.top) * (number - self.ticks[0]) / (self.ticks[-1] - self.ticks[0]), 1
        )

    def scales(self, labels: list[str], size: int, days: int) -> list[SafeString]:
        """The lines of the numbers, with what they are called, and so many days below them; `size` of the type."""
        lines = [
            format_html(
                '<path class="chart-grid" d="M{} {}H{}"/><text x="{}" y="{}" text-anchor="end">{}</text>',
                self.left, self.y(tick), self.right, self.left - 6, self.y(tick) + size * 0.35, label,
            )
            for tick, label in zip(self.ticks, labels, strict=True)
        ]  # fmt: skip
        foot = self.bottom + size + 7
        return lines + [
            format_html('<text x="{}" y="{}" text-anchor="{}">{}</text>', self.x(at), foot, anchor, label)
            for at, anchor, label in dates(self.first, self.last, days)
        ]


def chart(title: str, lines: list[Line], sort: str) -> dict[Any, Any] | None:
    """Lines as drawings, a list of them by size of the last number, and a table; None if no line has two points."""
    lines = [line for line in lines if line.points]
    if not any(len(line.points) > 1 for line in lines):
        return None
    moments = thinned(sorted({at for line in lines for at, _ in line.points}))
    for line in lines:
        line.points = [(at, number) for at, number in line.points if at in moments]
    lines = [line for line in lines if line.points]
    table = [(at, [(line.name, dict(line.points).get(at)) for line in lines]) for at in sorted(moments, reverse=True)]
    return {
        "title": title,
        "sort": sort,
        "drawings": [drawing(title, lines, sort, *shape) for shape in SHAPES],
        "lines": [(line, swatch(line)) for line in sorted(lines, key=lambda line: -line.last)],
        "names": [line.name for line in lines],
        "table": table,
        "goes_on": any(line.goes_on for line in lines),
    }


def thinned(moments: list[int]) -> set[int]:
    """At most so many moments, evenly, the first and the last among them."""
    step = -(-len(moments) // MOST_POINTS)
    return {*moments[::-1][::step], moments[0]}


def drawing(title: str, lines: list[Line], sort: str, name: str, width: int, height: int, size: int) -> SafeString:
    """One form of the chart."""
    labels = [line.name if name == "wide" else line.short for line in lines]
    labels = [label if len(label) <= 16 else label[:15] + "…" for label in labels]
    height = max(height, (size + 3) * len(lines) + 50)
    numbers = [number for line in lines for _, number in line.points]
    ticks = ticks_of(min(numbers), max(numbers))
    told = [amount(tick, sort) for tick in ticks]
    left = 10 + int(max(map(len, told)) * size * 0.58)
    right = width - 20 - int(max(map(len, labels)) * size * 0.72)  # names are bold
    first, last = (pick(at for line in lines for at, _ in line.points) for pick in (min, max))

    plane = Plane(left, right, 10, height - size - 12, first, last, ticks)
    ends = spread([plane.y(line.last) for line in lines], size + 2, plane.top, plane.bottom)
    parts = plane.scales(told, size, 5 if name == "wide" else 3)
    parts += [line_of(line, plane, end, label) for line, end, label in zip(lines, ends, labels, strict=True)]
    return format_html(
        '<svg class="chart chart-{}" translate="no" viewBox="0 0 {} {}" width="{}" height="{}" role="img" '
        'aria-label="{}" font-size="{}">{}'
        "</svg>",
        name, width, height, width, height, in_words(title, lines, sort), size,
        formats.together(parts),
    )  # fmt: skip


def line_of(line: Line, plane: Plane, end: float, label: str) -> SafeString:
    """One line with its marks, and its name at its end."""
    x, y, right = plane.x, plane.y, plane.right
    way = " ".join(f"{'L' if at else 'M'}{x(moment)} {y(number)}" for at, (moment, number) in enumerate(line.points))
    step = -(-len(line.points) // MARKS_A_LINE)
    marked = line.points[::-1][::step]
    here = x(line.points[-1][0])
    return format_html(
        '<g class="owner-{}"><path class="chart-line" d="{}" stroke-dasharray="{}"/>{}<path class="chart-lead" '
        'd="M{} {}L{} {}"/>'
        '<text class="chart-name" x="{}" y="{}" dominant-baseline="central">{}</text></g>',
        line.number % pieces.PALETTE + 1,
        way,
        dashes_of(line),
        format_html_join(
            "",
            '<path class="chart-mark" transform="translate({} {})" d="{}"/>',
            ((x(moment), y(number), mark_of(line)) for moment, number in marked),
        ),
        here, y(line.last), right + 10, end,
        right + 13, end, label,
    )  # fmt: skip


def swatch(line: Line) -> SafeString:
    """A piece of a line, beside its name in the list."""
    return format_html(
        '<svg class="chart-swatch owner-{}" viewBox="0 0 36 14" width="36" height="14" aria-hidden="true"><path '
        'class="chart-line" '
        'd="M0 7H36" stroke-dasharray="{}"/><path class="chart-mark" transform="translate(18 7)" d="{}"/></svg>',
        line.number % pieces.PALETTE + 1,
        dashes_of(line),
        mark_of(line),
    )


def dashes_of(line: Line) -> str:
    """How the line of a player is dashed, so that colour alone tells nobody apart."""
    return DASHES[(line.number + line.number // pieces.PALETTE) % len(DASHES)]


def mark_of(line: Line) -> str:
    """The mark at the points of a player's line."""
    return MARKS[(line.number + line.number // pieces.PALETTE) % len(MARKS)]


def spread(places: list[float], gap: float, top: float, bottom: float) -> list[float]:
    """Places as near as possible to those wanted, a gap apart, between top and bottom."""
    order = sorted(range(len(places)), key=lambda at: places[at])
    found, free = list(places), top
    for at in order:
        found[at] = max(found[at], free)
        free = found[at] + gap
    free = bottom
    for at in order[::-1]:
        found[at] = round(min(found[at], free), 1)
        free = found[at] - gap
    return found


def ticks_of(least: int, most: int) -> list[int]:
    """Round numbers around the least and the most, four to seven of them."""
    step = next(one * 10**power for power in range(30) for one in STEPS if (most - least) <= 5 * one * 10**power)
    ticks = [least // step * step]
    while ticks[-1] < most or len(ticks) < 2:
        ticks.append(ticks[-1] + step)
    return ticks


def amount(number: int, sort: str) -> str:
    """A number of the axis."""
    return formats.dollars(number) if sort == "money" else f"{number:,}"


def dates(first: int, last: int, many: int) -> list[tuple[int, str, str]]:
    """Days along the axis: [(moment, how its name is set, its name)]."""
    found: list[Any] = []
    for at in range(many):
        moment = first + (last - first) * at // (many - 1)
        day = formats.local(moment)
        long_ago = last - first > datetime.timedelta(days=300).total_seconds()
        label = formats.shaped(day, gettext("M Y") if long_ago else gettext("j M"))
        if not found or found[-1][2] != label:
            found.append((moment, "start" if at == 0 else "end" if at == many - 1 else "middle", label))
    return found


def in_words(title: str, lines: list[Line], sort: str) -> str:
    """The chart for those who listen: where each line begins and ends. All numbers are in the table."""
    told = [
        gettext("%(name)s from %(first)s to %(last)s")
        % {"name": line.name, "first": amount(line.points[0][1], sort), "last": amount(line.last, sort)}
        for line in sorted(lines, key=lambda line: -line.last)
    ]
    return gettext("%(title)s, day by day: %(lines)s") % {"title": title, "lines": "; ".join(told)}
