"""The end of a game, told from the log: who won and by what, the rules that players made, and how the dice fell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Reversible
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from nomopoly.runtime.lines import rolled
from nomopoly.site.play import books
from nomopoly.site.tables import queries

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data


@dataclass
class Dice:
    """What one player rolled: how often each face came, and the number of rolls."""

    name: str
    faces: Counter[int] = field(default_factory=Counter)
    rolls: int = 0

    @property
    def dice(self) -> int:
        """How many dice were rolled in all."""
        return sum(self.faces.values())

    @property
    def average(self) -> str:
        """The average of a die, with two decimals."""
        return f"{sum(face * count for face, count in self.faces.items()) / self.dice:.2f}" if self.dice else ""


def last_entry(entries: Reversible[Data]) -> Data | None:
    """The entry in which the game came to its end, or None."""
    for entry in reversed(entries):
        if not entry["struck"] and ["game", "over"] in [change[:2] for change in entry["changes"] if change[3]]:
            return entry
    return None


def former_players(seat: Seat) -> list[str]:
    """Who has played and is in the game no more, in the order in which they joined."""
    here = {thing["id"] for thing in seat.view["things"].values() if thing["kind"] == "player"}
    return [name for name in queries.ever_joined(seat.live) if name not in here]


def rules_of_players(seat: Seat) -> list[Data]:
    """The rules that players made and that hold, oldest first: [{"rule", "proposal", "author"}]. One that the Admin has
    repaired since is still that of the player whose proposal made it."""
    things, book, found = seat.view["things"], books.history(seat), []
    for record in sorted(seat.live.records(), key=lambda record: record["since"]):
        if record["made_by"] == "opening":
            continue
        behind = [things[each] for each in books.proposals_behind(record["id"], book) if each in things]
        if behind:
            proposal = next((each for each in reversed(behind) if each.get("author")), behind[-1])
            shown = record | {"shown": queries.prose(record)}
            found.append({"rule": shown, "proposal": proposal["id"], "author": proposal.get("author")})
    return found


def record_of_dice(entries: Iterable[Data], names: list[Any]) -> tuple[Dice, list[Dice]]:
    """How the dice fell: (all together, each player who rolled), as Dice. Only whole numbers from 1 to 6 are faces."""
    everybody, each = Dice(_("All together")), {name: Dice(name) for name in names}
    for entry in entries:
        for fact in entry["facts"] if not entry["struck"] else ():
            dice = rolled(fact)
            if not dice or not all(type(face) is int and 1 <= face <= 6 for face in dice):
                continue
            for one in (everybody, each.get(fact.get("who"))):
                if one is not None:
                    one.faces.update(dice)
                    one.rolls += 1
    return everybody, [one for one in each.values() if one.rolls]
