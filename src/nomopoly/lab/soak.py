"""The soak: a year of a game for each seed, played by bots, and what must hold whatever they do.

No rule breaks; both runtimes come to the same outcomes and the same state by the same entries; every change of money is
told by a fact; what is hidden from somebody could be otherwise without their seeing it; and no answer of the rules
takes so many steps that a game which grows on could not show it.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Container, Iterable
from typing import Any

from nomopoly.kernel.budgets import MOST_STEPS
from nomopoly.lab.inside import let_play
from nomopoly.lab.simulate import play_weeks
from nomopoly.runtime.fold import state_digest
from nomopoly.runtime.host import Game
from nomopoly.runtime.interpreters import make_runtime
from nomopoly.runtime.seeing import unpacked
from nomopoly.runtime.verify import Differs, verify

Data = dict[str, Any]
LOOKS = 4  # how often in a game it is looked for leaks
DEAR = MOST_STEPS // 5  # steps: nothing that a page asks may take as many
VIEWERS = 2  # players whose view is looked at then, besides a visitor's
ACCOUNT = "$admin"
FLOWS = {  # the events that move money: whose becomes less by their amount, and whose more
    "lose": ("who", ""),
    "gain": ("", "who"),
    "award": ("", "who"),
    "pay": ("who", "to"),
    "fine": ("who", "to"),
    "deposit": ("who", ""),
    "withdraw": ("", "who"),
    "interest": (ACCOUNT, ""),
}


def soak(edition: str, seed: int, weeks: int = 52, players: int = 8) -> tuple[list[str], Data]:
    """One game, played in CPython and carried out again in both runtimes, each outcome compared.

    Returns what is wrong, in sentences (none if all is well), and what the game was.
    """
    wrong: list[str] = []
    every = max(1, weeks * 7 // LOOKS)

    def watch(game: Game, day: int) -> None:
        if day % every == 0:
            wrong.extend(leaks(game, random.Random(seed + day)))
            wrong.extend(dear_questions(game))

    game, told = play_weeks(edition, players, weeks, seed, "cpython", "mixed", proposes=True, watch=watch)
    things = set(game.view("admin", game.now)["things"])
    game.runtime.close()
    wrong += [f"rule {f['rule']}, line {f['line']} broke in entry {f['n']}: {f['message']}" for f in told["faults"]]
    wrong += unexplained_money(game.outcomes.get(1), things)
    seconds = {"play": told["seconds"]}
    for runtime in ("cpython", "monty"):
        begun = time.perf_counter()
        try:
            found = verify(game.journal.lines(), runtime)
            if state_digest(found.state) != told["state_hash"]:
                wrong.append(f"in {runtime} it comes to another state")
        except Differs as error:
            wrong.append(f"in {runtime} it does not verify: {error}")
        seconds[runtime] = time.perf_counter() - begun
    return wrong, {
        "seed": seed,
        **{name: told[name] for name in ("entries", "turns", "updates", "state_hash")},
        "seconds": seconds,
    }


# ---- money


def unexplained_money(outcomes: Iterable[tuple[int, Data]], things: Container[str] = (ACCOUNT,)) -> list[str]:
    """Changes of somebody's money, and of the account's, that are not what the facts of the entry add up to. Without
    the account among the `things` of a game, what would go there is gone."""
    wrong = []
    for n, outcome in outcomes:
        facts = outcome.get("facts", ())
        changed = {
            id: after - before
            for id, name, before, after in outcome.get("changes", ())
            if name == "money" and after is not None
        }
        explained = explained_by(facts)
        anew = {fact["who"] for fact in facts if fact["event"] in ("join", "reset")}  # with what everybody begins with
        for id in {**changed, **explained}:
            if id == ACCOUNT and id not in things:
                continue
            if changed.get(id, 0) != explained.get(id, 0) and id not in anew:
                wrong.append(
                    f"entry {n}: the money of {id} changes by {changed.get(id, 0)}, told is {explained.get(id, 0)}"
                )
    return wrong


def explained_by(facts: Iterable[Data]) -> Counter[str]:
    """By how much facts say that everybody's money changes.

    A fact says `purse` and `paid_into` where the money is not that of `who` and `to` themselves; what goes to nobody
    named goes to the account.
    """
    explained: Counter[str] = Counter()
    for fact in facts:
        less, more = FLOWS.get(fact["event"], ("", ""))
        if less:
            explained[named(fact, less)] -= fact["amount"]
        if more:
            explained[named(fact, more)] += fact["amount"]
    return explained


def named(fact: Data, role: str) -> str:
    """Whose money it is that a fact speaks of."""
    if role == ACCOUNT:
        return ACCOUNT
    return str(fact.get("purse" if role == "who" else "paid_into") or fact.get(role) or ACCOUNT)


# ---- steps


def dear_questions(game: Game) -> list[str]:
    """What a page asks of the rules that takes so many steps that a game which grows on could not answer it."""
    let_play(game.runtime, "steps")
    dear: Data = game.runtime.call("dear-readings", {"at": game.now, "least": DEAR})
    return [
        f"{name}, for {whose}: {steps} of {MOST_STEPS} steps are taken (entry {game.n})"
        for name, (steps, whose) in dear.items()
    ]


# ---- secrets


def leaks(game: Game, chance: random.Random) -> list[str]:
    """What a player or visitor sees otherwise when what is hidden from them is otherwise."""
    state = game.state()
    players = [id for id, kind, _ in state["things"] if kind == "player"]
    known = {viewer: game.view(viewer)["things"] for viewer in (*players, "admin")}
    switches = {name for each in game.describe()["schema"].values() for entry in each for name in entry["show"]}
    wrong = []
    for viewer in ("visitor", *chance.sample(players, min(VIEWERS, len(players)))):
        seen = game.view(viewer)["things"]
        things = []
        for id, kind, values in state["things"]:
            secret = {
                name
                for name in values
                if name not in seen.get(id, ())
                and name not in switches
                and [1 for each in known.values() if name in each.get(id, ())]
            }
            things.append(
                [id, kind, {name: otherwise(values[name]) if name in secret else values[name] for name in values}]
            )
        before, after = (looked_at(game, {**state, "things": each}, viewer) for each in (state["things"], things))
        wrong += [
            f"{viewer} sees {each} otherwise, which hangs on a secret (entry {game.n})"
            for each in difference(before, after)
        ]
    return wrong


def otherwise(value: object) -> Any:
    """Another value of the same sort: as long, and with the same things in it."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return value + " "
    if isinstance(value, dict) and "tuple" in value:
        return {"tuple": [otherwise(part) for part in value["tuple"]]}
    return value


def looked_at(game: Game, state: Data, viewer: str) -> Data:
    """What a viewer sees in a game of that state, on the board and in forms.

    Not whether an order would be refused: one learns that by giving it, and it may hang on what is in another's hand.
    """
    runtime = make_runtime("cpython")
    runtime.call("restore", {"commons": game.first["args"]["commons"], "state": state})
    wanted = {"viewer": viewer, "now": game.now}
    shown = unpacked(runtime.call("view", wanted))
    acts = runtime.call("actions", wanted)
    runtime.close()
    return {
        **shown["things"],
        "the board": {"markers": shown["markers"]},
        "the forms": {each["id"]: each["fields"] for each in acts},
    }


def difference(before: Data, after: Data) -> list[str]:
    """Where two such looks differ."""
    return [
        f"{name} of {id}"
        for id in {**before, **after}
        for name in {**before.get(id, {}), **after.get(id, {})}
        if before.get(id, {}).get(name) != after.get(id, {}).get(name)
    ]


def main(edition: str, seeds: int, first: int = 1, weeks: int = 52, players: int = 8) -> int:
    """Play so many games and print a line for each. Returns the exit status: 1 if anything is wrong."""
    failed = 0
    for seed in range(first, first + seeds):
        wrong, told = soak(edition, seed, weeks, players)
        failed += bool(wrong)
        seconds = ", ".join(f"{name} {each:.0f} s" for name, each in told["seconds"].items())
        print(
            f"{'FAILED' if wrong else 'ok'} {edition}, seed {seed}: {weeks} weeks, {told['updates']} updates, "
            f"{told['turns']} turns, {told['entries']} entries; {seconds}; {told['state_hash']}",
            *(f"  {each}" for each in wrong),
            sep="\n",
            flush=True,
        )
    return 1 if failed else 0
