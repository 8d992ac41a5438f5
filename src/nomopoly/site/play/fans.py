"""Fan charts of what futures of a proposal come to: for each player one SVG without scripts, and its numbers.

A fan is a band in which 90 of 100 futures are, one in which 50 are, and the middle. As the rules are it is hatched by
dashes and has round marks, under the proposal it is filled and has square ones: one needs no colours to tell them
apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from nomopoly.lab.outlook import ENOUGH
from nomopoly.site import formats
from nomopoly.site.play import charts

if TYPE_CHECKING:
    from nomopoly.site.shapes import Data


WIDTH, HEIGHT, SIZE = 330, 200, 12  # of a drawing, and its type
LOWEST, LOW, MIDDLE, HIGH, HIGHEST = range(5)  # of 100 futures, 5, 25, 50, 75, 95 are below
BASES = ("now", "then")
MARKS = {"now": charts.MARKS[0], "then": charts.MARKS[1]}


@dataclass
class Fan:
    """A player, what is drawn of them, and the same as a table: [(moment, [(from, middle, to) for each of the
    rules])]."""

    name: str
    drawing: str
    table: list[Any]


def of_players(told: Data) -> list[Fan]:
    """The fans of all players, as `lab.outlook.summary` tells them."""
    sort = "money" if told["wealth"] and told["wealth"]["money"] else ""
    return [Fan(who, drawn(who, told, sort), table(told, who)) for who in told["fans"]]


def bases_of(told: Data, who: str) -> list[str]:
    """Which of the two there are for a player: the futures as it is now, and with the proposal in force."""
    return [base for base in BASES if base in told["fans"][who]]


def table(told: Data, who: str) -> list[tuple[Any, list[tuple[Any, Any, Any]]]]:
    """The numbers of a player at each moment, the last one first."""
    rows = [
        (at, [(row[LOWEST], row[MIDDLE], row[HIGHEST]) for row in rows])
        for at, *rows in zip(told["moments"], *(told["fans"][who][base] for base in bases_of(told, who)), strict=True)
    ]
    return rows[::-1]


def drawn(who: str, told: Data, sort: str) -> SafeString:
    """The drawing of one player."""
    fan, moments = told["fans"][who], told["moments"]
    bases = bases_of(told, who)
    numbers = [number for base in bases for row in fan[base] for number in row]
    ticks = charts.ticks_of(min(numbers), max(numbers))
    labels = [charts.amount(tick, sort) for tick in ticks]
    left = 10 + int(max(map(len, labels)) * SIZE * 0.58)
    plane = charts.Plane(left, WIDTH - 12, 8, HEIGHT - SIZE - 12, moments[0], moments[-1], ticks)
    parts = plane.scales(labels, SIZE, 3)
    parts += [part for base in bases for part in fan_of(base, fan[base], moments, plane)]
    return format_html(
        '<svg class="chart fan" translate="no" viewBox="0 0 {} {}" role="img" aria-label="{}" font-size="{}">{}</svg>',
        WIDTH, HEIGHT, in_words(who, fan, bases, sort, told["futures"] >= ENOUGH), SIZE, formats.together(parts),
    )  # fmt: skip


def fan_of(base: str, rows: list[list[int]], moments: list[int], plane: charts.Plane) -> Iterator[SafeString]:
    """The bands and the middle of one fan."""
    x, y = plane.x, plane.y
    for lower, upper, name in ((LOWEST, HIGHEST, "wide"), (LOW, HIGH, "narrow")):
        there = [f"{x(at)} {y(row[upper])}" for at, row in zip(moments, rows, strict=True)]
        back = [f"{x(at)} {y(row[lower])}" for at, row in zip(moments, rows, strict=True)][::-1]
        yield format_html('<path class="fan-{} fan-{}" d="M{}Z"/>', base, name, "L".join([*there, *back]))
    middle = [(x(at), y(row[MIDDLE])) for at, row in zip(moments, rows, strict=True)]
    yield format_html('<path class="fan-{} fan-middle" d="M{}"/>', base, "L".join(f"{a} {b}" for a, b in middle))
    for a, b in middle:
        yield format_html(
            '<path class="fan-{} fan-mark" transform="translate({} {})" d="{}"/>', base, a, b, MARKS[base]
        )


def in_words(who: str, fan: dict[str, list[list[int]]], bases: list[str], sort: str, enough: bool) -> str:
    """The drawing for those who listen: where each fan ends. All numbers are in the table."""
    words = {"now": gettext("as the rules are"), "then": gettext("under the proposal")}
    told = [
        (
            gettext("%(rules)s %(middle)s in the end, 90 %% between %(from)s and %(to)s")
            if enough
            else gettext("%(rules)s %(middle)s in the end, all between %(from)s and %(to)s")
        )
        % {
            "rules": words[base],
            "middle": charts.amount(fan[base][-1][MIDDLE], sort),
            "from": charts.amount(fan[base][-1][LOWEST], sort),
            "to": charts.amount(fan[base][-1][HIGHEST], sort),
        }
        for base in bases
    ]
    return f"{who}: {'; '.join(told)}"
