"""Commands that play games, go through them again, and say what would become of them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import cyclopts
import cyclopts.types

from nomopoly.cli.named import game_of, is_edition, named_edition
from nomopoly.cli.options import Count, DataFolder, Policy, ProposalFile, RuntimeName
from nomopoly.errors import CommandError


def scenario(
    *paths: Path,
    runtime: Literal["cpython", "monty", "both"] = "both",
    coverage: bool = False,
    edition: str = "",
) -> int:
    """Run scenarios and print a line for each; without paths, run all that come with the edition, or with Nomopoly.

    Scenarios in the folder of your own rulebook run with that rulebook. Status 1 if a scenario fails.

    Args:
        paths: scenario files, or folders of them
        runtime: the interpreter to run them in
        coverage: list the rules whose code no scenario runs instead
        edition: name of an edition, or a folder or file of rules, to use in place of the one that the scenarios name
    """
    from nomopoly.runtime.scenarios.command import main as run_scenarios

    return run_scenarios([str(path) for path in paths], runtime, coverage, edition)


def simulate(
    edition: str,
    /,
    *,
    players: int = 4,
    turns: int | None = None,
    seed: int = 1,
    weeks: int | None = None,
    runtime: RuntimeName = "cpython",
    policy: Policy = "greedy",
    json: bool = False,
) -> int:
    """Simulate a game: players take turns and buy what the policy says.

    Args:
        edition: name of an edition, or a folder or file of rules
        players: how many play
        turns: how many turns in all
        seed: the same seed gives the same game
        weeks: play the edition's calendar for so many weeks instead
        runtime: the interpreter that carries the rules out
        policy: what players buy: all they can, by chance, or keeping some money; mixed (with --weeks): one of each
        json: print the result as JSON
    """
    from nomopoly.lab.report import main as simulate_main
    from nomopoly.rulebook.own import add_edition

    path = Path(edition)
    edition = add_edition(path) if path.is_dir() and not is_edition(edition) else named_edition(edition)
    return simulate_main(edition, players, turns, seed, runtime, policy, weeks, json)


def soak(
    edition: str = "ii",
    /,
    *,
    seeds: Count = 3,
    first: int = 1,
    weeks: Count = 52,
    players: Count = 8,
    repeals: bool = False,
) -> int:
    """Let bots play games by the calendar in both runtimes, and report what goes wrong.

    It reports faults of rules, differences between the runtimes, changes of money that no entry explains, leaks, and
    answers that take too many steps.

    Args:
        edition: name of an edition
        seeds: how many games
        first: the seed of the first one
        weeks: how long each is
        players: how many bots play
        repeals: repeal one rule at a time instead, wherever the check finds no problem, and play on for some days
    """
    if repeals:
        from nomopoly.lab.repeals import main as repeals_main

        return repeals_main(edition)
    from nomopoly.lab.soak import main as soak_main

    return soak_main(edition, seeds, first, weeks, players)


def forecast(game: str, /, *, proposal: ProposalFile, json: bool = False, data: DataFolder = Path("data")) -> int:
    """Try a proposal in a copy of a game and print what it would do now.

    Status 1 if it could not take effect.

    Args:
        game: address of a game of the site, or an exported game
        proposal: YAML or JSON: title, text, changes, run
        json: print it as JSON
        data: folder of the site's database
    """
    return tried(game, proposal, None, json, data)


def try_(
    game: str,
    /,
    *,
    proposal: ProposalFile,
    weeks: Count = 3,
    json: bool = False,
    data: DataFolder = Path("data"),
) -> int:
    """Try a proposal in a copy of a game, replay the last weeks with it, and print the difference.

    Status 1 if it could not take effect.

    Args:
        game: address of a game of the site, or an exported game
        proposal: YAML or JSON: title, text, changes, run, and a scenario if there is one
        weeks: how many weeks to play again
        json: print it as JSON
        data: folder of the site's database
    """
    return tried(game, proposal, weeks, json, data)


def tried(game: str, file: Path, weeks: int | None, json: bool, data: Path) -> int:
    """What `forecast` and `try` have in common: the game is one of the site's, or in a file."""
    from nomopoly.lab.forecast import main, read_proposal

    proposal = read_proposal(file)
    if Path(game).is_file():
        from nomopoly.runtime.files import load_file

        running = load_file(Path(game), runtime="monty")
    else:
        from nomopoly.site.files import load_game_of

        running = load_game_of(game, data)
    try:
        return main(running, proposal, weeks, json)
    finally:
        running.runtime.close()


def futures(
    game: str,
    /,
    *,
    proposal: Annotated[str, cyclopts.Parameter(name="--proposal")] = "",
    futures: int = 100,
    weeks: int = 4,
    workers: int = 1,
    scheduler: str = "",
    viewer: str = "visitor",
    seed: int = 1,
    json: bool = False,
    parquet: Path | None = None,
    data: DataFolder = Path("data"),
) -> int:
    """Play a game on many times, with and without a proposal, and print how its players fare.

    Args:
        game: address of a game of the site, or an exported game
        proposal: an open proposal of the game (P3), or a file, YAML or JSON: title, text, changes, run
        futures: how many, each played twice with the same dice if there is a proposal
        weeks: how long each is
        workers: how many processes play at the same time; the result is the same
        scheduler: address of a Dask scheduler (tcp://host:8786): play on its cluster, which needs the extra `dask`
        viewer: whose knowledge to start from: a player's name, visitor, or admin, who knows everything
        seed: the same seed gives the same futures
        json: print all of it as JSON, with the numbers of a fan chart
        parquet: write the numbers of each future into this file too
        data: folder of the site's database
    """
    from nomopoly.lab.forecast import read_proposal
    from nomopoly.lab.futures import open_proposal
    from nomopoly.lab.outlook import main

    proposed = read_proposal(Path(proposal)) if Path(proposal).is_file() else None
    with game_of(game, data) as running:
        if proposal and proposed is None:
            proposed = open_proposal(running, proposal, viewer)
        return main(running, proposed, futures, weeks, workers, viewer, seed, "hardened", json, parquet, scheduler)


def tables(
    game: str,
    /,
    *,
    out: Path,
    viewer: str = "visitor",
    format: Literal["csv", "parquet"] = "csv",
    data: DataFolder = Path("data"),
) -> int:
    """Write a game as tables: entries, facts, balances, holdings, votes and rules by time.

    Args:
        game: address of a game of the site, or an exported game
        out: folder to write them into
        viewer: whose view to write: a player's name, visitor, or admin for what the Admin sees
        format: CSV, or Parquet, which needs the extra `lab`
        data: folder of the site's database
    """
    from nomopoly.lab.tables import main

    with game_of(game, data) as running:
        return main(running, out, viewer, format)


def verify(
    file: cyclopts.types.ExistingFile | None = None,
    /,
    *,
    all: bool = False,
    keep: bool = False,
    runtime: RuntimeName | None = None,
    head: str | None = None,
    data: DataFolder = Path("data"),
) -> int:
    """Verify an exported game, or every game of the site (--all).

    It replays the game and names the first entry that does not follow from the rules.

    If somebody replaces a journal as a whole, the new one is in order too. Only a hash that you noted earlier shows the
    difference: pass it with --head. A game's page on its dice shows the hash of its last entry.

    Args:
        file: an exported game
        all: replay every game of the site with this version, for example before an upgrade; nothing is written
        keep: with --all: where this version would change a game, let it go on with its older kernel, if that is kept
        runtime: default: cpython if all programs come with Nomopoly, otherwise the sandbox
        head: a hash you noted earlier, or its first 12 characters: an entry of this journal must have it
        data: folder of the site's database, for --all
    """
    if all and (file is not None or head is not None):
        raise CommandError(f"--all is for every game of the site: leave {'--head' if file is None else file} out")
    if keep and not all:
        raise CommandError("--keep goes with --all alone: it is about the games of the site")
    if all:
        from nomopoly.site.keeping import verify_all

        return verify_all(data, runtime, keep)
    if file is None:
        raise CommandError("name a file to verify, or use --all for every game of the site")
    from nomopoly.runtime.files import verify as verify_file

    return verify_file(file, runtime, head)


def replay(
    file: cyclopts.types.ExistingFile, /, *, to: int | None = None, runtime: RuntimeName = "monty", json: bool = False
) -> int:
    """Replay an exported game and print its state.

    Args:
        file: an exported game
        to: stop after this entry
        runtime: the interpreter that carries the rules out
        json: print the whole state as JSON
    """
    from nomopoly.runtime.files import replay as replay_file

    return replay_file(file, to, runtime, json)


def bench(*, json: bool = False, quick: bool = False) -> int:
    """Run the benchmarks and print their figures beside their targets.

    Args:
        json: print the figures as JSON
        quick: smaller sizes, for a first look
    """
    from nomopoly.lab.bench import main as bench_main

    return bench_main(json, quick)
