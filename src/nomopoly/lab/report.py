"""The command `nomopoly simulate`: what came of a simulation, for readers and for programs."""

from __future__ import annotations

import json
import sys
from typing import Any

from nomopoly.errors import CommandError
from nomopoly.lab.simulate import simulate
from nomopoly.lab.weeks import simulate_weeks

Data = dict[str, Any]


def main(
    edition: str,
    players: int = 4,
    turns: int | None = None,
    seed: int | str = 1,
    runtime: str = "cpython",
    policy: str = "greedy",
    weeks: int | None = None,
    as_json: bool = False,
) -> int:
    """Run a simulation and print what came of it. Returns the exit status: 1 if a rule broke."""
    if weeks is not None and turns is not None:
        raise CommandError("give --turns or --weeks, not both")
    if weeks is not None:
        result = simulate_weeks(edition, players, weeks, seed, runtime, policy)
    else:
        result = simulate(edition, players, 100 if turns is None else turns, seed, runtime, policy)
    if as_json:
        json.dump(result, sys.stdout, indent=2)
        print()
    else:
        print(report(result))
    return 1 if result["faults"] else 0


def report(result: Data) -> str:
    """The result for readers."""
    played = f"{result['weeks']} weeks, " if "weeks" in result else ""
    lines = [
        f"{result['edition']}: {played}{result['turns']} turns in {result['seconds']:.2f} s "
        f"({result['turns_a_second']:,} a second, {result['runtime']}), seed {result['seed']}, {result['policy']}",
        *(f"  {name}: {told}" if told else f"  {name}" for name, told in result["standing"].items()),
        *([f"  never taken: {', '.join(result['never'])}"] if result.get("never") else []),
        *(f"  {place_of(fault)} broke: {fault['message']}" for fault in result["faults"]),
        f"  state {result['state_hash']}",
    ]
    return "\n".join(lines)


def place_of(fault: Data) -> str:
    """Where something broke: in weeks that are not hosted no line is looked for."""
    rule = f"rule {fault['rule']}"
    return f"entry {fault['n']}: {rule}, line {fault['line']}" if "n" in fault else rule
