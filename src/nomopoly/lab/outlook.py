"""What a thousand futures say together: who gains and who loses, how likely the game ends or breaks, what no rule did.

Everything is reckoned with whole numbers, so that it is the same on every machine.
"""

from __future__ import annotations

import importlib
import json as json_format
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from nomopoly.errors import CommandError
from nomopoly.lab.futures import (
    DAY,
    HARDENED,
    NOW,
    THEN,
    WATCHED,
    WEEK,
    Work,
    Worker,
    play_all,
    prepare,
    verify_numbers,
)
from nomopoly.runtime.files import verify_writable, whole
from nomopoly.runtime.host import Game
from nomopoly.runtime.interpreters.errors import in_plain_words
from nomopoly.runtime.journal import iso

Data = dict[str, Any]
TRIES_SHORTER = 60  # runs to find a shorter way to what breaks
LONGEST_WAY = 12  # steps of it that are shown
WIDE = (5, 25, 50, 75, 95)  # per cent of futures below each line of a fan
ENOUGH = 19  # futures of which 90 per cent can be named, so that one more lies among them as likely
SURE = 5  # futures with a difference of which fewer are no reason to say who gains
NUMBERS = {  # columns of the table of all futures, and their types; `rules` are "now" or "then"
    "seed": "string",
    "rules": "string",
    "at": "int64",
    "of": "string",
    "name": "string",
    "number": "int64",
}
LEFT_OUT = (
    "new proposals: only those that are open are voted on",
    "what players would say to each other, and what they would do otherwise because of the proposal",
    "people who join, and players who leave",
)


def futures(
    game: Game,
    proposal: Data | None = None,
    futures: int = 100,
    weeks: int = 4,
    workers: int = 1,
    viewer: str = "visitor",
    seed: int | str = 1,
    runtime: str = HARDENED,
    progress: Callable[[int], bool] | None = None,
    scheduler: str = "",
) -> Data:
    """Play so many futures of a game, each with and without a proposal, and say what they have in common.

    `scheduler`: the address of a Dask scheduler on whose cluster they are played ("tcp://host:8786"); "": here.
    `viewer`: who asks: a player's name, "visitor" or "admin". `progress` is called with the number of futures played,
    and stops the rest by returning False. Returns plain data, see `docs/research.md`. Raises CommandError.
    """
    verify_numbers(futures, weeks, workers)
    work = prepare(game, proposal, futures, weeks, viewer, seed)
    return summary(work, played_by(work, workers, runtime, progress, scheduler), runtime)


def played_by(
    work: Work, workers: int, runtime: str, progress: Callable[[int], bool] | None = None, scheduler: str = ""
) -> list[Data]:
    """The futures of a work, played here or on a cluster."""
    if not scheduler:
        return play_all(work, workers, runtime, progress)
    from nomopoly.lab.cluster import play_on

    return play_on(scheduler, work, runtime, progress)


def summary(work: Work, found: list[Data], runtime: str = HARDENED, shortens: bool = True) -> Data:
    """What the futures of a work come to; `shortens`: look for shorter ways to what breaks, which plays some more."""
    played = [each for each in found if "lost" not in each]
    bases = (NOW,) if work.proposal is None else (NOW, THEN)
    about = work.about
    here = {base: [name for name in about["numbers"] if has_numbers(played, name, base)] for base in bases}
    wealth = next((name for name in here[NOW] if name in here[bases[-1]]), None)
    return {
        **{part: about[part] for part in ("title", "entry", "at", "players")},
        "viewer": work.viewer,
        "until": work.until,
        "moments": [*work.marks, work.until],
        "weeks": (work.until - about["at"]) // WEEK,
        "futures": len(played),
        "lost": [each["lost"] for each in found if "lost" in each],
        "made_up": work.made_up,
        "beginnings": len(work.states),
        "habits": "orders" in work.how,
        "orders_a_day": work.how["often"],
        "wealth": wealth
        and {"name": wealth, "label": about["numbers"][wealth][0], "money": about["numbers"][wealth][1]},
        "gone": [about["numbers"][name][0] for name in here[NOW] if name not in here[bases[-1]]],
        "players_then": [told_of_player(who, wealth, played, bases) for who in about["players"]] if wealth else [],
        "fans": fans(about["players"], wealth, played, bases, len(work.marks) + 1) if wealth else {},
        "ends": {base: ends(played, base) for base in bases},
        "troubles": {base: troubles(work, played, base, runtime if shortens else "") for base in bases},
        "idle": {base: idle(work, played, base) for base in bases},
        "left_out": list(LEFT_OUT),
    }


def has_numbers(played: list[Data], name: str, base: str) -> bool:
    """Whether players have a number of this name in the first future, as the rules are or under the proposal."""
    return bool(played) and any(name in each for id, each in played[0][base]["numbers"][0].items() if id != "game")


def at_the_end(future: Data, who: str, name: str) -> int:
    """A number of a player in the end; 0 for one who is out of the game."""
    return int(future["numbers"][-1].get(who, {}).get(name, 0))


def percentile(numbers: list[int], share: int) -> int:
    """The number below which one more would lie in so many per cent of cases, or fewer: one of sorted numbers, by its
    rank among one more; for 50 the median.

    Above the middle the rank is counted from the other end, and half a dollar is rounded towards 0, so that a loss is
    stated as a gain of the same size would be.
    """
    if share == 50:
        middles = numbers[(len(numbers) - 1) // 2] + numbers[len(numbers) // 2]
        return middles // 2 if middles >= 0 else -(-middles // 2)
    rank = max(0, (len(numbers) + 1) * min(share, 100 - share) // 100 - 1)
    return numbers[rank] if share < 50 else numbers[-1 - rank]


def spread(numbers: list[int]) -> Data:
    """The middle of some numbers and the limits between which 90 per cent of them are, and one more would be; of fewer
    than ENOUGH all."""
    ordered = sorted(numbers)
    return {"middle": percentile(ordered, 50), "from": percentile(ordered, 5), "to": percentile(ordered, 95)}


def told_of_player(who: str, name: str, played: list[Data], bases: tuple[str, ...]) -> Data:
    """What a player has in the end, and what difference the proposal makes in the same futures."""
    told: Data = {"player": who}
    for base in bases:
        told[base] = spread([at_the_end(each[base], who, name) for each in played])
    if THEN in bases:
        differences = [at_the_end(each[THEN], who, name) - at_the_end(each[NOW], who, name) for each in played]
        ups = sum(each > 0 for each in differences)
        downs = sum(each < 0 for each in differences)
        told["difference"] = {**spread(differences), "mean": half_up(sum(differences), len(differences))}
        told["difference"] |= {"up": ups, "down": downs, "same": len(played) - ups - downs}
    return told


def half_up(numerator: int, denominator: int) -> int:
    """A quotient as a whole number."""
    return (2 * numerator + denominator) // (2 * denominator) if denominator else 0


def fans(players: list[str], name: str, played: list[Data], bases: tuple[str, ...], points: int) -> Data:
    """For a chart: {player: {"now": [[the number below which 5, 25, 50, 75, 95 per cent are] at each week's end]}}."""
    found: Data = {}
    for who in players:
        found[who] = {}
        for base in bases:
            rows = [
                sorted(int(each[base]["numbers"][at].get(who, {}).get(name, 0)) for each in played)
                for at in range(points)
            ]
            found[who][base] = [[percentile(row, share) for share in WIDE] for row in rows]
    return found


def ends(played: list[Data], base: str) -> Data:
    """In how many futures the game ends, who wins, in how many it breaks, is paused, or goes on without end; and in how
    many it is one of these, so that numbers stay what they were then."""
    futures = [each[base] for each in played]
    winners = Counter(each["winner"] for each in futures if each["winner"] is not None)
    return {
        "over": sum(each["over"] for each in futures),
        "winners": dict(sorted(winners.items())),
        "breaks": sum(each["stopped"] == "broken" for each in futures),
        "paused": sum(each["paused"] and each["stopped"] != "broken" for each in futures),
        "long": sum(each["stopped"] == "long" for each in futures),
        "halted": sum(bool(each["over"] or each["paused"] or each["stopped"]) for each in futures),
        "orders": half_up(sum(each["orders"] for each in futures), len(futures)),
        "entries": half_up(sum(each["entries"] for each in futures), len(futures)),
    }


def idle(work: Work, played: list[Data], base: str) -> list[str]:
    """Rules with a program that put nothing into the log in the futures that were watched."""
    watched = [each[base] for each in played if each["seed"] in work.watched]
    used = {rule for each in watched for rule in each["rules"]}
    return [id for id in work.about["rules"] if id not in used] if watched else []


# ---- what breaks


def troubles(work: Work, played: list[Data], base: str, runtime: str) -> list[Data]:
    """What breaks, each thing once: its rule, message, in how many futures, and the shortest way to it."""
    known: dict[tuple[str, str], Data] = {}
    for each in played:
        for trouble in first_of_each(each[base]["troubles"]):
            key = key_of(trouble)
            entry = known.setdefault(key, {"futures": 0, "trouble": trouble, "seed": each["seed"]})
            entry["futures"] += 1
            if len(trouble["steps"]) < len(entry["trouble"]["steps"]):
                entry.update(trouble=trouble, seed=each["seed"])
    found = []
    for (rule, message), entry in sorted(known.items(), key=lambda item: (-item[1]["futures"], item[0])):
        trouble = shorter(work, entry, base, (rule, message), runtime) if runtime else entry["trouble"]
        told = {"rule": rule, "message": message, "futures": entry["futures"], "seed": entry["seed"]}
        paradox = message.startswith("paradox")
        found.append({**told, "paradox": paradox, "at": trouble["at"], "do": trouble["do"], "way": trouble["steps"]})
    return found


def first_of_each(several: list[Data]) -> list[Data]:
    """The first trouble of each sort in one future."""
    found: dict[tuple[str, str], Data] = {}
    for trouble in several:
        found.setdefault(key_of(trouble), trouble)
    return list(found.values())


def key_of(trouble: Data) -> tuple[str, str]:
    """What makes two troubles the same: the rule, and what it says without numbers and names of one future."""
    kind, _, message = trouble["message"].partition(": ")
    return trouble["rule"], in_plain_words(f"{kind}: {message}").removeprefix("ValueError: ")


def shorter(work: Work, entry: Data, base: str, key: tuple[str, str], runtime: str) -> Data:
    """The trouble with fewer steps before it: those without which it comes all the same are left out, many at once
    first."""
    trouble: Data = entry["trouble"]
    worker, left = Worker(work, runtime), TRIES_SHORTER
    size = max(1, len(trouble["steps"]))
    try:
        while trouble["steps"] and left:
            at = 0
            while at < len(trouble["steps"]) and left:
                steps = trouble["steps"][:at] + trouble["steps"][at + size :]
                left -= 1
                found = worker.again(entry["seed"], base, steps)
                if found is None:
                    return trouble
                same = [each for each in found["troubles"] if key_of(each) == key]
                if same and len(same[0]["steps"]) < len(trouble["steps"]):
                    trouble = same[0]
                else:
                    at += size
            if size == 1:
                break
            size = max(1, size // 2)
    finally:
        worker.close()
    return trouble


# ---- for readers


def main(
    game: Game,
    proposal: Data | None,
    number: int,
    weeks: int,
    workers: int,
    viewer: str,
    seed: int,
    runtime: str,
    json: bool,
    parquet: Path | None,
    scheduler: str = "",
) -> int:
    """The command `nomopoly futures`. Returns 1 if something breaks under the proposal, or without one as things
    are."""
    verify_numbers(number, weeks, workers)
    if parquet is not None:
        need_arrow()
        verify_writable(parquet)
    work = prepare(game, proposal, number, weeks, viewer, seed)
    played = played_by(work, workers, runtime, scheduler=scheduler)
    told = summary(work, played, runtime)
    print(json_format.dumps(told, indent=2) if json else "\n".join(words(told)), flush=True)
    if parquet is not None:
        write_parquet(work, played, parquet)
    return 1 if told["troubles"][NOW if proposal is None else THEN] else 0


def need_arrow() -> tuple[Any, Any]:
    """The library that holds tables, and its part that writes Parquet. Raises CommandError where it is not
    installed."""
    try:
        return importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    except ImportError:
        raise CommandError("Parquet needs the extra 'lab': pip install nomopoly[lab]") from None


def rows_of(work: Work, played: list[Data]) -> Iterator[Data]:
    """Each number of each player at each week's end of each future, one a row."""
    moments = [*work.marks, work.until]
    for each in played:
        for base in (NOW, THEN) if "lost" not in each else ():
            for moment, numbers in zip(moments, each[base]["numbers"] if base in each else (), strict=False):
                for who, told in numbers.items():
                    for name, number in told.items():
                        row = {"seed": each["seed"], "rules": base, "at": moment, "of": who}
                        yield {**row, "name": name, "number": number}


def write_parquet(work: Work, played: list[Data], file: Path) -> None:
    """The numbers of all futures as one table of the columns NUMBERS."""
    arrow, parquet = need_arrow()
    columns: dict[str, list[Any]] = {name: [] for name in NUMBERS}
    for row in rows_of(work, played):
        for name, content in row.items():
            columns[name].append(content)
    with whole(file) as half:
        parquet.write_table(arrow.table(columns, arrow.schema(list(NUMBERS.items()))), half)


def words(told: Data) -> Iterator[str]:
    """The outlook in lines: what matters to players first."""
    title, entry, many, weeks, until = (told[name] for name in ("title", "entry", "futures", "weeks", "until"))
    yield f"{title}, after entry {entry}, until {iso(until)}; weeks: {weeks}, futures: {many}"
    both = THEN in told["ends"]
    if told["wealth"] and told["futures"]:
        label, money = told["wealth"]["label"], told["wealth"]["money"]
        yield (f"Under the proposal, against the same futures without it: {label}" if both else f"In the end: {label}")
        for each in told["players_then"]:
            yield f"  {line_of_player(each, money, both, told['futures'])}"
        if both:
            yield gains(told)
            if told["ends"][THEN]["halted"]:
                halted = f"in {told['ends'][THEN]['halted']} of {told['futures']} the game halts early"
                yield f"  {halted} under the proposal: players keep what they had then"
    for base in told["ends"]:
        yield from lines_of_ends(told, base, both)
    yield "This is what it leaves out:"
    yield from (f"  {each}: there is none under the proposal" for each in told["gone"])
    yield from (f"  {each}" for each in told["left_out"])
    yield f"  {assumed(told)}"
    if told["made_up"]:
        things, ways, viewer = told["made_up"], told["beginnings"], told["viewer"]
        if viewer == "visitor":
            yield f"  what a visitor may not see was made up in {ways} ways; things made up: {things}"
        elif viewer == "admin":
            yield f"  what the Admin may not see was made up in {ways} ways; things made up: {things}"
        else:
            yield f"  what {viewer} may not see was made up in {ways} ways; things made up: {things}"
    if told["lost"]:
        lost = len(told["lost"])
        yield f"  the machine could not finish {lost} of {many + lost}: {told['lost'][0]}"


def assumed(told: Data) -> str:
    """How players are assumed to play."""
    if told["habits"]:
        often = told["orders_a_day"]
        return (
            f"why players do what they do: they order as often as so far, {often / 1000:.2f} times a day, and "
            "what they ordered so far"
        )
    return "what players want: they do once a day something that they can, what they have done least first"


def line_of_player(each: Data, money: bool, both: bool, many: int) -> str:
    """One player in a line: `Ben +$310, 90 % between +$40 and +$700`."""
    if not both:
        now = each[NOW]
        low, high = amount(now["from"], money), amount(now["to"], money)
        return f"{each['player']} {amount(now['middle'], money)}, with {how_many(many)} between {low} and {high}"
    about = each["difference"]
    if about["up"] == about["down"] == 0:
        return f"{each['player']}: there is no difference"
    low, high = signed(about["from"], money), signed(about["to"], money)
    return (
        f"{each['player']} {signed(about['middle'], money)}, {how_many(many)} between {low} and {high} "
        f"(more in {about['up']}, less in {about['down']} of {many})"
    )


def how_many(futures: int) -> str:
    """Of how many of them the limits are told."""
    return "90 %" if futures >= ENOUGH else "all of them"


def amount(number: int, money: bool) -> str:
    """A number as players read it."""
    return f"{'-' if number < 0 else ''}{'$' if money else ''}{abs(number):,}"


def signed(number: int, money: bool) -> str:
    """A difference as players read it."""
    return f"+{amount(number, money)}" if number > 0 else amount(number, money)


def gaining(told: Data) -> tuple[list[str], list[str]]:
    """Who gains and who loses under the proposal in two of three futures that differ, or more."""
    gain: list[str] = []
    lose: list[str] = []
    for each in told["players_then"]:
        about = each["difference"]
        changed = about["up"] + about["down"]
        if changed >= min(SURE, told["futures"]) and about["up"] * 3 >= changed * 2:
            gain.append(each["player"])
        elif changed >= min(SURE, told["futures"]) and about["down"] * 3 >= changed * 2:
            lose.append(each["player"])
    return gain, lose


def gains(told: Data) -> str:
    """Who gains and who loses, in a line."""
    gain, lose = (", ".join(who) for who in gaining(told))
    if gain and lose:
        return f"  {gain} would gain; {lose} would lose: in two of three futures that differ, or more"
    if gain:
        return f"  {gain} would gain: in two of three futures that differ, or more"
    if lose:
        return f"  {lose} would lose: in two of three futures that differ, or more"
    return "  nobody clearly gains or loses (in two of three futures that differ)"


def lines_of_ends(told: Data, base: str, both: bool) -> Iterator[str]:
    """How likely the game ends, breaks or pauses, what breaks, and which rules do nothing."""
    about, many = told["ends"][base], told["futures"]
    whose = "The game as the rules are" if base == NOW else "The game under the proposal"
    winners = ", ".join(f"{who} {often}" for who, often in about["winners"].items())
    yield (
        f"{whose if both else 'What becomes of the game'}: it ends in {about['over']} of {many}, a rule breaks and "
        f"pauses it in {about['breaks']}, it is paused in {about['paused']}; orders in each: {about['orders']}"
    )
    if winners:
        yield f"  it is won by {winners}"
    for each in told["troubles"][base]:
        what = "paradox" if each["paradox"] else "broken"
        yield f"  {what}: rule {each['rule'] or '?'} in {each['futures']} of {many}: {each['message']}"
        yield f"    the shortest way there: {way(each, told['at'])}"
    if told["idle"][base] and (base != NOW or not both):
        shown, more = ", ".join(told["idle"][base][:LONGEST_WAY]), len(told["idle"][base]) - LONGEST_WAY
        if more > 0:
            yield f"  rules that put nothing into the log in {min(WATCHED, many)} of them: {shown} and {more} more"
        else:
            yield f"  rules that put nothing into the log in {min(WATCHED, many)} of them: {shown}"


def way(each: Data, begun: int) -> str:
    """The steps that lead to a fault, in a line."""
    steps = [told_step(step, begun) for step in each["way"]]
    shown = (
        steps
        if len(steps) <= LONGEST_WAY
        else [*steps[:2], f"({len(steps) - LONGEST_WAY} more)", *steps[2 - LONGEST_WAY :]]
    )
    return "; ".join([*shown, f"day {(each['at'] - begun) // DAY + 1}: {each['do']}"])


def told_step(step: list[Any], begun: int) -> str:
    """One step of a way."""
    at, _, by, do, args = step
    said = " ".join(f"{name}={json_format.dumps(content)}" for name, content in args.items())
    return f"day {(at - begun) // DAY + 1}: {by or 'the clock'} {do} {said}".strip()[:120]
