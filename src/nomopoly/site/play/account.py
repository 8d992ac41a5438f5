"""A statement of account: every change of a player's money, with what caused it.

The balance is that of the changes themselves, so that the last one is what the player has; facts only say why. Where
the facts that name the player add up to the change, it is told in as many lines.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext

from nomopoly.runtime.lines import evened, signed

if TYPE_CHECKING:
    from nomopoly.site.shapes import Data


MOST_FACTS = 12  # of an entry, for which it is tried which ones add up; more have to be all of them


@dataclass
class Line:
    """One movement: entry, what it was, the rule that made it ("" the Admin, None nobody), the other party, amount and
    balance after it."""

    entry: Data
    say: str
    rule: str | None
    party: str | None
    amount: int
    balance: int
    fact: Data = field(default_factory=dict)  # that says so


def statement(
    entries: Iterable[Data],
    player: str,
    money: int | None,
    *,
    rule_of_money: str = "",
    name: str = "money",
    balance: int = 0,
) -> list[Line]:
    """All lines, oldest first. `money` is what the player has now (None: has left, or more entries follow); `balance`:
    what they had before these entries."""
    lines: list[Line] = []
    since: list[Data] = []  # entries after the last change that is seen
    for entry in entries:
        if entry["struck"] or entry["kind"] == "strike":
            continue
        moved = [change[2:] for change in entry["changes"] if (change[0], change[1]) == (player, name)]
        for before, after in moved:
            before, after = (each if isinstance(each, int) else 0 for each in (before, after))
            if balance and came_back(entry, player):
                gone = gettext("What %(player)s had before leaving the game") % {"player": player}
                lines.append(Line(entry, gone, None, "", -balance, 0))
                balance, since = 0, []
            lines += meanwhile(since, entry, player, balance, before)
            lines += explained(entry, player, before, after, rule_of_money)
            balance, since = after, []
        if not moved:
            since.append(entry)
    last = since[-1] if since else lines[-1].entry if lines else None
    now = money if isinstance(money, int) else balance
    return lines if last is None else lines + meanwhile(since, last, player, balance, now)


def meanwhile(entries: list[Data], until: Data, player: str, balance: int, now: int) -> list[Line]:
    """The lines of entries in which no change of the money is seen: it has come back within them, or nobody sees what
    they have changed, and what they tell of adds up. What does not is a line of `until`, the entry after them."""
    unseen = [
        fact for entry in entries if not entry["changes"] for fact in outermost(paid(entry, player), entry["facts"])
    ]
    chosen = signs(unseen, player, now - balance) or []
    lines: list[Line] = []
    for entry in entries:
        if entry["changes"]:
            signed = movements(entry, player, 0) if player in evened(entry) else None
        else:
            signed = [each for each in chosen if any(each[0] is fact for fact in entry["facts"])]
        lines += told_lines(entry, player, balance, signed or [])
        balance = lines[-1].balance if lines else balance
    if balance != now:
        lines.append(Line(until, gettext("Not told to you"), "", "", now - balance, now))
    return lines


def came_back(entry: Data, player: str) -> bool:
    """Whether a player comes into the game in an entry: what they had in an earlier stay went with them, and no change
    may say so."""
    return any(fact["what"] == "joined" and fact.get("who") == player for fact in entry["facts"])


def balance_after(entries: Iterable[Data], player: str, name: str = "money") -> int:
    """What a player had after these entries; 0 where none of them says."""
    found = [after for entry in entries for id, each, _, after in entry["changes"] if (id, each) == (player, name)]
    return found[-1] if found and isinstance(found[-1], int) else 0


def explained(entry: Data, player: str, before: int, after: int, rule_of_money: str) -> list[Line]:
    """The lines of one entry: a fact each where they add up, else one for the whole."""
    signed = movements(entry, player, after - before)
    if signed is not None:
        return told_lines(entry, player, before, signed)
    fact = (paid(entry, player) or entry["facts"] or [{}])[0]
    rule = fact.get("rule") or ""
    if rule in ("", "kernel") and entry["do"] != "grant":
        rule = rule_of_money
    return [Line(entry, fact.get("say") or what_of(entry), rule, "", after - before, after, fact)]


def told_lines(entry: Data, player: str, balance: int, signed: list[Any]) -> list[Line]:
    """A line for each of these facts, which move the money by these amounts, where it is moved at all."""
    lines = []
    for fact, amount in signed:
        if not amount:
            continue
        balance += amount
        cause = told(fact, entry["facts"])
        said = cause.get("say") or fact["what"]
        lines.append(Line(entry, said, fact["rule"], other(fact, player), amount, balance, cause))
    return lines


def paid(entry: Data, player: str) -> list[Data]:
    """The facts of an entry that name an amount and the player."""
    return [fact for fact in entry["facts"] if isinstance(fact.get("amount"), int) and names(fact, player)]


def movements(entry: Data, player: str, change: int) -> list[Any] | None:
    """The facts of an entry with the amounts by which they move the money, or None if they do not add up."""
    facts = paid(entry, player)
    return signs(outermost(facts, entry["facts"]), player, change) or signs(facts, player, change)


def outermost(some: list[Data], facts: list[Data]) -> list[Data]:
    """Some facts of an entry, without those that repeat another one: the cause of such a fact has the same player and
    the same amount."""
    found: list[Data] = []
    causes: list[Data] = []
    for fact in facts:
        depth = fact.get("depth", 0)
        causes = [each for each in causes if each.get("depth", 0) < depth]
        if any(fact is each for each in some):
            if not any(each["amount"] == fact["amount"] and each.get("who") == fact.get("who") for each in causes):
                found.append(fact)
            causes.append(fact)
    return found


def told(fact: Data, facts: list[Data]) -> Data:
    """What moved the money: the cause that named this amount as its price, else the movement itself."""
    for cause in facts[: facts.index(fact)][::-1]:
        nearer = cause.get("depth", 0) < fact.get("depth", 0) and cause.get("price") == fact["amount"]
        if nearer and cause.get("say") and cause.get("who") == fact.get("who"):
            return cause
    return fact


def names(fact: Data, player: str) -> bool:
    """Whether a fact names a player as more than a part of its words."""
    return any(value == player for key, value in fact.items() if key not in ("say", "what", "rule", "because"))


def signs(facts: list[Any], player: str, change: int) -> list[Any] | None:
    """Each fact with the sign that makes them add up to the change, or None. Who pays loses, who is paid gains.

    What is counted in something else than money (health) is among the facts too: as few as possible are left out, and
    none of many.
    """
    plausible = [(fact, signed(fact, player)) for fact in facts]
    for size in range(len(plausible), 0 if len(plausible) <= MOST_FACTS else len(plausible) - 1, -1):
        for some in itertools.combinations(plausible, size):
            if sum(amount for _, amount in some) == change:
                return list(some)
    if len(facts) == 1 and abs(change) == abs(facts[0]["amount"]):
        return [(facts[0], change)]
    return None


def other(fact: Data, player: str) -> str | None:
    """The other party of a payment."""
    parties = [fact[key] for key in ("who", "to", "from") if isinstance(fact.get(key), str) and fact[key] != player]
    return parties[0] if parties else ""


def what_of(entry: Data) -> str:
    """What an entry is, in words of a heading."""
    return (entry.get("do") or entry["kind"]).replace("-", " ").capitalize()
