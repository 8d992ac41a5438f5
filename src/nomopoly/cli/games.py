"""Commands that play games, go through them again, and say what would become of them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import cyclopts
import cyclopts.types

from nomopoly.cli.named import game_of, named_edition
from nomopoly.cli.options import Count, DataFolder, Policy, ProposalFile, RuntimeName
from nomopoly.errors import CommandError


def scenario(
    *paths: Path,
    runtime: Literal["cpython", "monty", "both"] = "both",
    coverage: bool = False,
    edition: cyclopts.types.ExistingPath | None = None,
) -> int:
    """Run scenarios (files or folders; default: the shipped ones), one line each; status 1 if any failed.

    Scenarios in the folder of a rulebook of your own play that rulebook.

    Args:
        paths: scenario files, or folders of them
        runtime: the interpreter to run them in
        coverage: list instead the rules whose code no scenario ran
        edition: folder or file of rules to play, whatever edition the scenarios name
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
    """Play an edition by itself: turns in rotation, everybody buying what the policy says.

    Args:
        edition: name of an edition, or a folder or file of rules
        players: how many play
        turns: how many turns in all
        seed: the same seed gives the same game
        weeks: play the edition's calendar for so many weeks instead
        runtime: the interpreter that carries the rules out
        policy: what they buy: all they may, by chance, or keeping something in hand; mixed (with --weeks): one each
        json: print the result as JSON
    """
    from nomopoly.lab.simulate import main as simulate_main

    edition = named_edition(edition)
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
    """Let bots play games by the calendar in both runtimes, and look for faults, differences, money untold and leaks.

    Args:
        edition: name of an edition
        seeds: how many games
        first: the seed of the first one
        weeks: how long each is
        players: how many bots play
        repeals: repeal each rule alone instead where the check is silent, and play on for some days
    """
    if repeals:
        from nomopoly.lab.repeals import main as repeals_main

        return repeals_main(edition)
    from nomopoly.lab.soak import main as soak_main

    return soak_main(edition, seeds, first, weeks, players)


def forecast(game: str, /, *, proposal: ProposalFile, json: bool = False, data: DataFolder = Path("data")) -> int:
    """Say what a proposal would do to a game now, on a copy of it; status 1 if it would not stand.

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
    """Say what a proposal would do now, and what if the last weeks were played again under it; status 1 if it would not stand.

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
    proposal: Annotated[cyclopts.types.ExistingFile | None, cyclopts.Parameter(name="--proposal")] = None,
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
    """Let a game go on many times, as its rules are and with a proposal in force, and say what becomes of its players.

    Args:
        game: address of a game of the site, or an exported game
        proposal: YAML or JSON: title, text, changes, run
        futures: how many, each played twice with the same dice if there is a proposal
        weeks: how long each is
        workers: how many processes play at the same time; the result is the same
        scheduler: address of a Dask scheduler, as in tcp://host:8786: they are played on its cluster, which needs the extra `dask`
        viewer: who asks: a player's name, visitor, or admin for one who knows everything
        seed: the same seed gives the same futures
        json: print all of it as JSON, with the numbers of a fan chart
        parquet: write the numbers of each future into this file too
        data: folder of the site's database
    """
    from nomopoly.lab.forecast import read_proposal
    from nomopoly.lab.outlook import main

    proposed = None if proposal is None else read_proposal(proposal)
    with game_of(game, data) as running:
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
        viewer: who may see what is in them: a player's name, visitor, or admin for everything
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
    """Replay an exported game, or with --all every game of the site, and name the first entry that differs from what the rules make of it.

    A journal that somebody has written anew from the first line on is in order too: only a hash that was noted before tells
    it from the true one. The page on a game's dice shows the hash of its last entry.

    Args:
        file: an exported game
        all: replay every game of the site with this version, as before an upgrade; nothing is written
        keep: with --all: a game that this version would change goes on with the older kernel it was played with, if that is kept
        runtime: default: cpython where every program is a shipped one, else the sandbox
        head: a hash you noted earlier, or its first 12 characters: an entry of this journal must have it
        data: folder of the site's database, for --all
    """
    if all:
        from nomopoly.site.keeping import verify_all

        return verify_all(data, runtime, keep)
    if file is None:
        raise CommandError("say which file to verify, or --all for every game of the site")
    from nomopoly.runtime.files import verify as verify_file

    return verify_file(file, runtime, head)


def replay(
    file: cyclopts.types.ExistingFile, /, *, to: int | None = None, runtime: RuntimeName = "monty", json: bool = False
) -> int:
    """Compute an exported game again and print where it stands.

    Args:
        file: an exported game
        to: stop after this entry
        runtime: the interpreter that carries the rules out
        json: print the whole state as JSON
    """
    from nomopoly.runtime.files import replay as replay_file

    return replay_file(file, to, runtime, json)


def bench(*, json: bool = False, quick: bool = False) -> int:
    """Run the benchmarks: targets and figures.

    Args:
        json: print the figures as JSON
        quick: smaller sizes, for a first look
    """
    from nomopoly.lab.bench import main as bench_main

    return bench_main(json, quick)
