"""What happened, as data for a script that shows it on the board: dice, ways, money, squares that something happens to.

Made from the facts and changes of the viewer's own log and from nothing else: who does not see a fact in the log does
not get it here. The fields that facts have in common say what is shown: `dice`, `mover` with `square`, `amount` with
`who` and `to`.
"""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from django.utils.html import strip_tags

from nomopoly.runtime.lines import rolled
from nomopoly.site.play import account, sentences

if TYPE_CHECKING:
    from nomopoly.site.door import Seat
    from nomopoly.site.play.sentences import Teller
    from nomopoly.site.shapes import Data


MOST_ENTRIES = 6  # shown one after the other
MOST_STEPS = 80  # of an entry
MOST_DICE = 8
LONGEST_SAID = 160


def of_entries(seat: Seat, entries: list[Any]) -> list[Any]:
    """Entries of the viewer's log as data: [{"number", "moves", "steps"}], without those in which nothing is to be
    seen."""
    teller = sentences.Teller(seat)
    told = [of_entry(teller, entry) for entry in entries if not (entry["struck"] or entry["refused"] or entry["fault"])]
    return [each for each in told if each["steps"]]


def of_entry(teller: Teller, entry: Data) -> dict[Any, Any]:
    """One entry: `moves` ({id: [square before, square after]}) of what stands somewhere else now, and the steps in
    order.

    A step has `say` (a sentence) and some of `dice` ([numbers]), `move` ({"who", "to"}), `money` ({"from", "to",
    "amount"}), `squares` ([ids]) and `rules` ([ids]).
    """
    teller.begin(entry)
    changes = teller.changes(entry)
    moves = {id: [before, after] for id, name, before, after in changes if name == "square" and is_square(after)}
    signs = signs_of(teller.view, entry, changes)
    steps = [step_of(teller, fact, moves, signs) for fact in entry["facts"][:MOST_STEPS]]
    walked = {step["move"]["who"]: step["move"]["to"] for step in steps if "move" in step}
    for id, (_, after) in moves.items():
        if walked.get(id) != after:  # a way that no fact says
            steps.append({"move": {"who": id, "to": after}})
    lit = {id for step in steps for id in step.get("squares", ())}
    touched = [id for id, *_ in changes if is_square(id) and id not in lit]
    if touched:
        steps.append({"squares": list(dict.fromkeys(touched))[:MOST_STEPS]})
    if entry["rules"]:
        steps.append({"rules": [str(rule) for rule in entry["rules"]][:MOST_STEPS]})
    return {"number": entry["number"], "moves": moves, "steps": [step for step in steps if step]}


def is_square(id: object) -> bool:
    """Whether an id is that of a square."""
    return isinstance(id, str) and id[:1] == "#" and id[1:].isdecimal()


def step_of(teller: Teller, fact: Data, moves: dict[Any, list[Any]], signs: dict[Any, Any]) -> Data:
    """What is to be seen of one fact; {} if nothing."""
    step: Data = {}
    dice = [each for each in rolled(fact) if type(each) is int]
    if dice:
        step["dice"] = dice[:MOST_DICE]
    mover = fact.get("mover")
    if isinstance(mover, str) and mover in moves and is_square(fact.get("square")):
        step["move"] = {"who": mover, "to": fact["square"]}
    if money := money_of(fact, signs):
        step["money"] = money
    if fact.get("say") and sentences.leads(fact):
        step["say"] = spoken(teller, fact)
        if "move" not in step:
            named = [value for key, value in fact.items() if key != "say" and is_square(value)]
            step |= {"squares": named} if named else {}
    return step


def spoken(teller: Teller, fact: Data) -> str:
    """The sentence of a fact as plain text, with things by their names."""
    teller.named = set()
    said = html.unescape(strip_tags(teller.linked(teller.said_by_whom(fact), fact)))
    return sentences.shortened(" ".join(said.split()), LONGEST_SAID)


# ---- money


def money_of(fact: Data, signs: dict[str, dict[int, int]]) -> Data | None:
    """Who pays whom how much: {"from", "to", "amount"}, None for whoever is no player; None if no money moves."""
    amount, who, to = fact.get("amount"), fact.get("who"), fact.get("to")
    if type(amount) is not int or amount <= 0 or not isinstance(who, str):
        return None
    if isinstance(to, str) and to != who and (who in signs or to in signs):
        return {"from": who, "to": to, "amount": amount}
    sign = signs.get(who, {}).get(id(fact))
    if sign is None:
        return None
    return {"from": None, "to": who, "amount": amount} if sign > 0 else {"from": who, "to": None, "amount": amount}


def signs_of(view: Data, entry: Data, changes: list[list[Any]]) -> dict[str, dict[int, int]]:
    """For each thing whose money has changed, which of the facts gave and which took: {id: {id of fact: 1 or -1}}."""
    money = {each["name"] for attributes in view["schema"].values() for each in attributes if each["type"] == "money"}
    found: Data = {}
    for thing, name, before, after in changes:
        if name not in money or type(before) is not int or type(after) is not int:
            continue
        facts = [fact for fact in entry["facts"] if type(fact.get("amount")) is int and account.names(fact, thing)]
        signed = account.signs(facts, thing, after - before) or [(fact, after - before) for fact in facts]
        found.setdefault(thing, {}).update({id(fact): 1 if amount > 0 else -1 for fact, amount in signed})
    return found
