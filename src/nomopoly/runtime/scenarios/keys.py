"""The keys of a scenario, each with what it says and an example: the one list behind the runner, the guide and
`--help`."""

from __future__ import annotations

import importlib
import textwrap
from pathlib import Path
from typing import Any

from nomopoly.rulebook.source import OWN

EDITIONS = Path(__file__).parents[2] / "editions"
WIDTH = 78

TOP = {
    "scenario": "its title, which also seeds the dice: `scenario: Rent on a card`",
    "edition": "the edition it plays: `edition: ii`. A proposal's own scenario may leave it out",
    "rules": "the rules it is about, which must exist: `rules: [XIV.3, XIV.4]`",
    "players": "who joins before the first step, in this order: `players: [Ann, Ben]`",
    "start": "the moment it begins, in the game's time zone; usually Monday 2 March 2026, 09:00: `start: "
    "2026-03-02T09:00`",
    "time_zone": "the game's time zone, usually UTC: `time_zone: Europe/Berlin`",
    "given": "what is different at the start, thing by thing. A thing whose id tells its kind is made, `null` takes "
    "one away:"
    ' `given: {Ann: {square: "#5"}, warrior-1: {owner: Ann}, "#7": null}`',
    "steps": "what happens, in order; each step has one of the keys below",
}
STEPS = {
    "order": 'a player\'s order: `order: {by: Ben, do: name-square, square: "#12", name: Baltic}`',
    "turn": "this player (or creature) takes a turn now, whatever the schedule: `turn: Ann`",
    "expect": 'what must hold now. Values are read like attributes: `expect: {Ann: {money: 50}, "#12": {rent: 7}, '
    "warrior-1: null}`",
    "advance": "time passes, and what falls due happens (s, m, h, d, w): `advance: 2d`",
    "until": "time passes until the next moment of that name: `until: update`",
    "propose": "a proposal: `propose: {by: Ann, as: P1, title: T, text: words, changes: [...], run: code}`",
    "vote": 'a vote: `vote: {by: Ben, on: P1, choice: "yes"}`',
    "admin": "an act of the Admin's desk: `admin: {do: implement, on: P1}`",
    "join": "somebody asks to join, and is approved: `join: Cid`",
    "leave": "a player leaves the game: `leave: {by: Cid}`",
    "withdraw": "a waiting order is taken back: `withdraw: {by: Ann, order: E1}`",
    "view": "what somebody sees: `view: {by: Ben, sees: {Ann: {money: 50}}, hides: {Ann: [cards]}}`",
}
BESIDE = {
    "draws": "the results of the draws in this step, in order; all of them must be used. A die takes its face, a "
    "pick what is picked, a sample one for each, a chance true or false. What is drawn beyond them comes from the dice "
    "that the title seeds: list all that matter: `draws: [3, 4]`",
    "refused": "it must be refused, for a reason with these words, or `true` for any reason: `refused: too soon`",
    "fault": "a rule must break in it, with these words in its message: `fault: division`",
    "as": "a name for the entry and what it made, for later steps: `as: E1`",
    "queued": "the order waits for the next update, where orders do: `queued: true`. Its draws wait with it",
}
INSIDE = {
    "by": "who does it or looks: a player, `admin`, or in a view `visitor`",
    "do": "the action of an order, or the act of the Admin; its fields stand beside it",
    "on": "what a vote or an act is about, by the name that an earlier step gave it: `admin: {do: strike, on: E1}`",
    "events": "under `expect`: facts since the last `expect`, in this order, others between them; under `sees` those "
    "that this"
    " viewer sees: `events: [{what: paid, who: Ann, amount: 7}]`",
    "never": "under `expect`: facts that did not happen; under `sees`: what this viewer sees neither in a fact nor "
    "in an order"
    " and what it says: `never: [{what: fined}]`",
    "sees": "under `view`: attributes and values with what this viewer sees in them",
    "hides": "under `view`: attributes that this viewer does not see, or `null` for the whole thing: `hides: "
    "{E1: null}`",
}
GROUPS = (
    ("The scenario", TOP),
    ("A step has one of", STEPS),
    ("Beside a step that acts", BESIDE),
    ("Inside a step", INSIDE),
)


def contents_of(edition: str) -> dict[str, Any]:
    """The contents of an edition, which are plain words: read without its rules, so that `--help` comes at once."""
    if edition in OWN:
        return OWN[edition][1]
    return vars(importlib.import_module(f"nomopoly.editions.{edition}.contents"))


def moments() -> dict[str, dict[str, str]]:
    """For each edition the moments that a scenario may wait for with `until`, each with what it means."""
    names = sorted({*OWN, *(each.parent.name for each in EDITIONS.glob("*/contents.py"))})
    return {name: contents_of(name).get("MOMENTS", {}) for name in names}


def has_gaps(edition: str) -> bool:
    """Whether things of an edition that are numbered, its squares, may be so with gaps from the start."""
    return contents_of(edition).get("GAPS", False) is True


def reference() -> str:
    """All keys, and the moments of every edition, as plain text for `nomopoly scenario --help`."""
    parts = []
    for title, keys in GROUPS:
        parts += [f"{title}:", *(line_for(key, keys[key]) for key in keys), ""]
    for edition, known in moments().items():
        parts += [f"Moments of {edition} for `until`:", *(line_for(name, known[name]) for name in known), ""]
    return "\n".join(parts)


def line_for(name: str, words: str) -> str:
    """One entry of the reference, the words beside the name."""
    return textwrap.fill(words, WIDTH, initial_indent=f"  {name:<16}", subsequent_indent=" " * 18)
