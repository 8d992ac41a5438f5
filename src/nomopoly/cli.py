"""The `nomopoly` command: each subcommand reads its words and hands over to the layer that does the work."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import cyclopts
import cyclopts.types

from nomopoly import __version__
from nomopoly.errors import CommandError
from nomopoly.runtime.scenarios.keys import reference

if TYPE_CHECKING:
    from nomopoly.rulebook.source import Book
    from nomopoly.runtime.host import Game

app = cyclopts.App(
    name="nomopoly",
    help="Games on a board of numbered squares whose players rewrite the rules while they play.",
    version=__version__,
    default_parameter=cyclopts.Parameter(negative=()),
)

RuntimeName = Literal["cpython", "monty"]
Port = Annotated[int, cyclopts.Parameter(validator=cyclopts.validators.Number(gte=1, lte=65535))]
Count = Annotated[int, cyclopts.Parameter(validator=cyclopts.validators.Number(gte=1, lte=1000))]
Policy = Literal["greedy", "random", "careful", "mixed"]


@app.command
def serve(
    *,
    host: str = "127.0.0.1",
    port: Port = 8000,
    demo: bool = False,
    no_clock: bool = False,
    data: Path = Path("data"),
) -> int:
    """Serve the site, with its database in a folder that is made if it is not there.

    Args:
        host: address to listen on
        port: port to listen on
        demo: add a game of each edition to look at and join
        no_clock: leave what is due to `nomopoly clock`
        data: folder of the database
    """
    from nomopoly.demo import EVERY, attend, make_demo
    from nomopoly.site.serve import serve as serve_site

    games = make_demo if demo else None
    serve_site(host=host, port=port, data=data, clock=not no_clock, make_games=games, chores=[(attend, EVERY)])
    return 0


@app.command
def clock(*, data: Path = Path("data")) -> int:
    """Do in all games what is due when it is due, until stopped; any number of these may run beside `serve --no-clock`.

    Args:
        data: folder of the site's database
    """
    from nomopoly.demo import EVERY, attend
    from nomopoly.site.serve import run_clock

    run_clock(data, chores=[(attend, EVERY)])
    return 0


@app.command(help_format="plaintext", help_epilogue=reference())
def scenario(*paths: Path, runtime: Literal["cpython", "monty", "both"] = "both", coverage: bool = False) -> int:
    """Run scenarios (files or folders; default: the shipped ones), one line each; status 1 if any failed.

    Args:
        paths: scenario files, or folders of them
        runtime: the interpreter to run them in
        coverage: list instead the rules whose code no scenario ran
    """
    from nomopoly.runtime.scenarios.command import main as run_scenarios

    return run_scenarios([str(path) for path in paths], runtime, coverage)


@app.command
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
        edition: name of an edition
        players: how many play
        turns: how many turns in all
        seed: the same seed gives the same game
        weeks: play the edition's calendar for so many weeks instead
        runtime: the interpreter that carries the rules out
        policy: what they buy: all they may, by chance, or keeping something in hand; mixed (with --weeks): one each
        json: print the result as JSON
    """
    from nomopoly.lab.simulate import main as simulate_main

    return simulate_main(edition, players, turns, seed, runtime, policy, weeks, json)


@app.command
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


@app.command
def rules(
    edition: str,
    /,
    *,
    at: str | None = None,
    diff: Annotated[tuple[str, str] | None, cyclopts.Parameter(consume_multiple=True)] = None,
    code: bool = False,
    format: Literal["md", "json"] = "md",
    data: Path = Path("data"),
) -> int:
    """Print the rulebook of an edition or of a game.

    Args:
        edition: name of an edition, path of an exported game or of a module of rules, or address of a game of the site
        at: the book as it was: a history number, a moment, `start` or `now`
        diff: compare the book at two such moments
        code: with the programs
        format: Markdown to read, or JSON records
        data: folder of the site's database
    """
    from nomopoly.rulebook.cli import rules as print_rules
    from nomopoly.rulebook.source import editions

    history = None
    if Path(edition).is_file() and not edition.endswith(".py"):
        from nomopoly.runtime.files import history_of

        history = history_of(Path(edition))
    elif edition not in editions() and not edition.endswith(".py"):
        from nomopoly.site.books import history_of as history_of_game

        history = history_of_game(edition, data)
    return print_rules(edition, at=at, diff=diff, code=code, format=format, history=history)


@app.command
def check(
    file: cyclopts.types.ExistingFile,
    /,
    *,
    edition: str | None = None,
    game: str | None = None,
    data: Path = Path("data"),
) -> int:
    """Find the problems of a proposal (YAML or JSON) or a rule module, before anyone votes; status 1 on errors.

    Args:
        file: YAML or JSON of a proposal, or a module of rules (.py)
        edition: check it against the rulebook of this edition
        game: check it against the rulebook of this game: path of an exported game, or address of a game of the site
        data: folder of the site's database
    """
    from nomopoly.rulebook.cli import check as check_file

    if edition is not None and game is not None:
        raise CommandError("--edition and --game do not go together: a game has a rulebook of its own")
    if game is not None and not is_edition(game):
        with game_of(game, data) as running:
            return check_file(file, book_in_force(game, running), running.written_out)
    named = edition or game
    return check_file(file, book_of(named, data) if named else None)


@app.command
def words(name: str, /, *, search: str = "", json: bool = False, data: Path = Path("data")) -> int:
    """List the words that rules can say, each with what it takes, a line, an example and who declares it.

    Args:
        name: name of an edition, path of an exported game or of a module of rules, or address of a game of the site
        search: only those that have these words in their name or text
        json: print them as JSON
        data: folder of the site's database
    """
    from nomopoly.rulebook.cli import words as print_words

    return print_words(name, search, json, None if name.endswith(".py") else book_of(name, data))


def book_of(name: str, data: Path) -> Book:
    """The rulebook that a name means: of an edition, of an exported game, or of a game of the site. Raises CommandError."""
    from nomopoly.rulebook.source import load_edition

    if is_edition(name):
        return load_edition(name)
    with game_of(name, data) as running:
        return book_in_force(name, running)


def is_edition(name: str) -> bool:
    """Whether there is an edition of this name."""
    from nomopoly.rulebook.source import editions

    return name in editions()


def book_in_force(name: str, running: Game) -> Book:
    """The rulebook of a game as it is now."""
    from nomopoly.rulebook.source import Book

    return Book("", name, running.records(), running.commons())


@contextlib.contextmanager
def game_of(name: str, data: Path) -> Iterator[Game]:
    """The game that a name means, exported or of the site; its runtime is closed in the end. Raises CommandError."""
    from nomopoly.rulebook.source import editions

    if Path(name).is_file():
        from nomopoly.runtime.files import load_file

        running = load_file(Path(name), runtime="monty")
    elif (data / "nomopoly.sqlite3").exists():
        from nomopoly.site.files import load_game_of

        running = load_game_of(name, data)
    else:
        raise CommandError(f"there is no edition, file or game '{name}': editions are {', '.join(editions())}")
    try:
        yield running
    finally:
        running.runtime.close()


ProposalFile = Annotated[cyclopts.types.ExistingFile, cyclopts.Parameter(name="--proposal")]


@app.command
def forecast(game: str, /, *, proposal: ProposalFile, json: bool = False, data: Path = Path("data")) -> int:
    """Say what a proposal would do to a game now, on a copy of it; status 1 if it would not stand.

    Args:
        game: address of a game of the site, or an exported game
        proposal: YAML or JSON: title, text, changes, run
        json: print it as JSON
        data: folder of the site's database
    """
    return tried(game, proposal, None, json, data)


@app.command(name="try")
def try_(
    game: str,
    /,
    *,
    proposal: ProposalFile,
    weeks: Count = 3,
    json: bool = False,
    data: Path = Path("data"),
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


@app.command
def export(game: str, file: Path | None = None, /, *, data: Path = Path("data")) -> int:
    """Write a game of the site as one file: JSON lines, gzipped (default: GAME.jsonl.gz).

    Args:
        game: address of a game of the site, for example `demo`
        file: what to write
        data: folder of the site's database
    """
    from nomopoly.site.files import export_game

    return export_game(game, file or Path(f"{game}.jsonl.gz"), data)


@app.command(name="import")
def import_(
    file: cyclopts.types.ExistingFile,
    /,
    *,
    slug: str | None = None,
    admin: str | None = None,
    accept_problems: bool = False,
    data: Path = Path("data"),
) -> int:
    """Take an exported game into the site, after verifying it and checking its programs as proposals are checked.

    Args:
        file: an exported game
        slug: its address on this site (default: made from its title)
        admin: e-mail address of the account that becomes its Admin
        accept_problems: take it in though the check finds errors in its programs
        data: folder of the site's database
    """
    from nomopoly.site.files import import_game

    return import_game(file, slug, admin, data, accept_problems)


@app.command
def hand_over(game: str, address: str, /, *, data: Path = Path("data")) -> int:
    """Make somebody the Admin of a game of the site, for instance of one whose Admin is gone; its log says so.

    Args:
        game: address of a game of the site, for example `demo`
        address: e-mail address of an account that does not play in it
        data: folder of the site's database
    """
    from nomopoly.site.files import give_office

    return give_office(game, address, data)


@app.command
def recover(game: str, /, *, as_it_is: bool = False, data: Path = Path("data")) -> int:
    """Put a game of the site back whose database has lost or altered entries that were acknowledged. Stop the site first.

    Args:
        game: address of a game of the site, for example `demo`
        as_it_is: take the database as it is instead, and put aside what was acknowledged beyond it
        data: folder of the site's database
    """
    from nomopoly.site.recover import recover as recover_game

    return recover_game(game, data, as_it_is)


@app.command
def stop(game: str, /, *, because: str, data: Path = Path("data")) -> int:
    """Stop a game of the site as its operator, whatever its rules and its Admin say; `nomopoly resume` lets it go on.

    Args:
        game: address of a game of the site, for example `demo`
        because: the reason, for all to read in its log
        data: folder of the site's database
    """
    from nomopoly.site.files import operate

    return operate(game, "stop", because, data)


@app.command
def resume(game: str, /, *, data: Path = Path("data")) -> int:
    """Let a game go on that `nomopoly stop` has stopped.

    Args:
        game: address of a game of the site, for example `demo`
        data: folder of the site's database
    """
    from nomopoly.site.files import operate

    return operate(game, "resume", "", data)


@app.command
def verify(file: cyclopts.types.ExistingFile, /, *, runtime: RuntimeName | None = None, head: str | None = None) -> int:
    """Replay an exported game and name the first entry that differs from what the rules make of it.

    A journal that somebody has written anew from the first line on is in order too: only a hash that was noted before tells
    it from the true one. The page on a game's dice shows the hash of its last entry.

    Args:
        file: an exported game
        runtime: default: cpython where every program is a shipped one, else the sandbox
        head: a hash you noted earlier, or its first 12 characters: an entry of this journal must have it
    """
    from nomopoly.runtime.files import verify as verify_file

    return verify_file(file, runtime, head)


@app.command
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


@app.command
def bench(*, json: bool = False, quick: bool = False) -> int:
    """Run the benchmarks: targets and figures.

    Args:
        json: print the figures as JSON
        quick: smaller sizes, for a first look
    """
    from nomopoly.lab.bench import main as bench_main

    return bench_main(json, quick)


def tell(message: object) -> None:
    """Say in one line on stderr what is wrong."""
    print(f"nomopoly: {' '.join(str(message).split())}", file=sys.stderr)


def run(words: list[str] | None = None) -> int:
    """Run the command these words name; a user's mistake ends with one line on stderr and status 1."""
    try:
        status = app(words, exit_on_error=False, print_error=False, result_action="return_value")
        sys.stdout.flush()
    except cyclopts.CycloptsError as error:
        chain = error.command_chain or ()
        tell(f"{error} See: {' '.join(('nomopoly', *chain, '--help'))}")
    except (CommandError, UnicodeDecodeError) as error:
        tell(error)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # whoever read our output has read enough
    except OSError as error:
        tell(f"{error.filename}: {error.strerror}" if error.filename else error)
    except KeyboardInterrupt:
        return 130
    else:
        return status if isinstance(status, int) else 0
    return 1


def main() -> None:
    """Entry point of the command."""
    sys.exit(run())


if __name__ == "__main__":
    main()
