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
from nomopoly.site.order.command import app as operator_app

if TYPE_CHECKING:
    from nomopoly.rulebook.source import Book
    from nomopoly.runtime.host import Game

app = cyclopts.App(
    name="nomopoly",
    help="Games on a board of numbered squares whose players rewrite the rules while they play.",
    version=__version__,
    default_parameter=cyclopts.Parameter(negative=()),
)

app.command(operator_app)

RuntimeName = Literal["cpython", "monty"]
Port = Annotated[int, cyclopts.Parameter(validator=cyclopts.validators.Number(gte=1, lte=65535))]
Count = Annotated[int, cyclopts.Parameter(validator=cyclopts.validators.Number(gte=1, lte=1000))]
DataFolder = Annotated[Path, cyclopts.Parameter(env_var="NOMOPOLY_DATA")]
Policy = Literal["greedy", "random", "careful", "mixed"]


@app.command
def serve(
    *,
    host: str = "127.0.0.1",
    port: Port = 8000,
    demo: bool = False,
    no_clock: bool = False,
    data: DataFolder = Path("data"),
    edition: Annotated[tuple[cyclopts.types.ExistingPath, ...], cyclopts.Parameter(negative=())] = (),
) -> int:
    """Serve the site, with its database in a folder that is made if it is not there.

    Args:
        host: address to listen on
        port: port to listen on
        demo: add a game of each edition to look at and join
        no_clock: leave what is due to `nomopoly clock`
        data: folder of the database
        edition: folder or file of rules that games can be started with, beside the shipped editions; may be said again
    """
    from nomopoly.demo import CHORES, make_demo
    from nomopoly.rulebook.own import add_edition
    from nomopoly.site.serve import serve as serve_site

    for path in edition:
        add_edition(path, beside=True)

    games = make_demo if demo else None
    serve_site(host=host, port=port, data=data, clock=not no_clock, make_games=games, chores=CHORES)
    return 0


@app.command
def clock(*, data: DataFolder = Path("data")) -> int:
    """Do in all games what is due when it is due, until stopped; any number of these may run beside `serve --no-clock`.

    Args:
        data: folder of the site's database
    """
    from nomopoly.demo import CHORES
    from nomopoly.site.serve import run_clock

    run_clock(data, chores=CHORES)
    return 0


@app.command
def mail(
    *,
    host: str = "127.0.0.1",
    port: Port = 8024,
    smtp: bool = False,
    pipe: bool = False,
    data: DataFolder = Path("data"),
) -> int:
    """Take in mail that answers notices, and play what it says, until stopped; NOMOPOLY_REPLY_TO names the address.

    Args:
        host: address to listen on
        port: port to listen on
        smtp: speak SMTP instead of LMTP
        pipe: take in the one mail on standard input instead, and stop; status 65 if nobody takes it, 75 to try again
        data: folder of the site's database
    """
    from nomopoly.site.serve import run_mail

    return run_mail(data, host, port, smtp, pipe)


@app.command(help_format="plaintext", help_epilogue=reference())
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
    data: DataFolder = Path("data"),
) -> int:
    """Print the rulebook of an edition or of a game.

    Args:
        edition: name of an edition, path of an exported game or of rules, or address of a game of the site
        at: the book as it was: a history number, a moment, `start` or `now`
        diff: compare the book at two such moments
        code: with the programs
        format: Markdown to read, or JSON records
        data: folder of the site's database
    """
    from nomopoly.rulebook.cli import rules as print_rules
    from nomopoly.rulebook.own import is_rules
    from nomopoly.rulebook.source import editions

    history = None
    own = is_rules(Path(edition))
    if Path(edition).is_file() and not own:
        from nomopoly.runtime.files import history_of

        history = history_of(Path(edition))
    elif edition not in editions() and not own:
        from nomopoly.site.books import history_of as history_of_game

        history = history_of_game(edition, data)
    return print_rules(edition, at=at, diff=diff, code=code, format=format, history=history)


@app.command
def check(
    file: cyclopts.types.ExistingPath,
    /,
    *,
    edition: str | None = None,
    game: str | None = None,
    data: DataFolder = Path("data"),
) -> int:
    """Find the problems of a proposal (YAML or JSON), a rule module or a whole rulebook; status 1 on errors.

    Args:
        file: YAML or JSON of a proposal, a module of rules (.py), or a folder of rules (with contents.py)
        edition: check it against the rulebook of this edition: its name, or a folder or file of rules
        game: check it against the rulebook of this game: path of an exported game, or address of a game of the site
        data: folder of the site's database
    """
    from nomopoly.rulebook.cli import check as check_file

    if edition is not None and game is not None:
        raise CommandError("--edition and --game do not go together: a game has a rulebook of its own")
    if game is not None and not is_edition(game):
        with game_of(game, data) as running:
            return check_file(file, book_in_force(game, running), running.with_earlier_forms)
    named = edition or game
    return check_file(file, book_of(named, data) if named else None)


@app.command
def words(name: str, /, *, search: str = "", json: bool = False, data: DataFolder = Path("data")) -> int:
    """List the words that rules can say, each with what it takes, a line, an example and who declares it.

    Args:
        name: name of an edition, path of an exported game or of a module of rules, or address of a game of the site
        search: only those that have these words in their name or text
        json: print them as JSON
        data: folder of the site's database
    """
    from nomopoly.rulebook.cli import words as print_words

    return print_words(name, search, json, None if name.endswith(".py") else book_of(name, data))


@app.command(name="tell")
def tell_rules(name: str, /, *, rule: str = "", data: Path = Path("data")) -> int:
    """Say in sentences what the programs of rules do, and which lines no sentence says.

    Args:
        name: name of an edition, path of an exported game or of a module of rules, or address of a game of the site
        rule: number of a rule: only this one
        data: folder of the site's database
    """
    from nomopoly.rulebook.cli import tell as print_told

    return print_told(name, rule, None if name.endswith(".py") else book_of(name, data))


@app.command
def library(
    words: str = "",
    /,
    *,
    show: str = "",
    add: cyclopts.types.ExistingFile | None = None,
    accept: str = "",
    remove: str = "",
    offered: bool = False,
    data: DataFolder = Path("data"),
) -> int:
    """List the site's library of rules, and choose what is in it.

    Args:
        words: only rules that hold all these words
        show: name of a rule: print all of it
        add: a file with a rule (YAML: title, about, text, params, code; then `---` and an example) to put into the library
        accept: name of a rule that players have offered, to take it into the library
        remove: name of a rule that was added or offered, to take it out or turn it down
        offered: list what players have offered
        data: folder of the site's database
    """
    from nomopoly.site.files import keep_library

    return keep_library(words, show, add, accept, remove, offered, data)


def book_of(name: str, data: Path) -> Book:
    """The rulebook that a name means: of an edition, a folder or file, an exported game or one of the site. Raises CommandError."""
    from nomopoly.rulebook.source import load_edition

    name = named_edition(name)
    if is_edition(name):
        return load_edition(name)
    with game_of(name, data) as running:
        return book_in_force(name, running)


def named_edition(name: str) -> str:
    """The name of an edition that a name means, where it is the path of a folder or file of rules; else the name itself."""
    from nomopoly.rulebook.own import add_edition, is_rules

    return add_edition(Path(name)) if not is_edition(name) and is_rules(Path(name)) else name


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
def forecast(game: str, /, *, proposal: ProposalFile, json: bool = False, data: DataFolder = Path("data")) -> int:
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


@app.command
def futures(
    game: str,
    /,
    *,
    proposal: Annotated[cyclopts.types.ExistingFile | None, cyclopts.Parameter(name="--proposal")] = None,
    futures: int = 100,
    weeks: int = 4,
    workers: int = 1,
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
        workers: how many sandboxes play at the same time; the result is the same
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
        return main(running, proposed, futures, weeks, workers, viewer, seed, "monty", json, parquet)


@app.command
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


@app.command
def export(game: str, file: Path | None = None, /, *, moving: bool = False, data: DataFolder = Path("data")) -> int:
    """Write a game of the site as one file: JSON lines, gzipped (default: GAME.jsonl.gz).

    Args:
        game: address of a game of the site, for example `demo`
        file: what to write
        moving: with forum, votes, seats and secrets, as a .tar.gz with which it goes on elsewhere; stop the game first
        data: folder of the site's database
    """
    if moving:
        from nomopoly.site.moving import pack

        return pack(game, file or Path(f"{game}.tar.gz"), data)
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
    data: DataFolder = Path("data"),
) -> int:
    """Take an exported game into the site, after verifying it and checking its programs as proposals are checked.

    Prints the links by which its players take up their seats.

    Args:
        file: an exported game, or one that moves
        slug: its address on this site (default: made from its title)
        admin: e-mail address of the account that becomes its Admin
        accept_problems: take it in though the check finds errors in its programs
        data: folder of the site's database
    """
    from nomopoly.site.files import import_game
    from nomopoly.site.moving import is_moving, take_in

    return (take_in if is_moving(file) else import_game)(file, slug, admin, data, accept_problems)


@app.command
def hand_over(game: str, address: str, /, *, data: DataFolder = Path("data")) -> int:
    """Make somebody the Admin of a game of the site, for instance of one whose Admin is gone; its log says so.

    Args:
        game: address of a game of the site, for example `demo`
        address: e-mail address of an account that does not play in it
        data: folder of the site's database
    """
    from nomopoly.site.files import give_office

    return give_office(game, address, data)


@app.command
def recover(game: str, /, *, as_it_is: bool = False, data: DataFolder = Path("data")) -> int:
    """Put a game of the site back whose database has lost or altered entries that were acknowledged. Stop the site first.

    Args:
        game: address of a game of the site, for example `demo`
        as_it_is: take the database as it is instead, and put aside what was acknowledged beyond it
        data: folder of the site's database
    """
    from nomopoly.site.recover import recover as recover_game

    return recover_game(game, data, as_it_is)


@app.command
def stop(game: str, /, *, because: str, data: DataFolder = Path("data")) -> int:
    """Stop a game of the site as its operator, whatever its rules and its Admin say; `nomopoly resume` lets it go on.

    Args:
        game: address of a game of the site, for example `demo`
        because: the reason, for all to read in its log
        data: folder of the site's database
    """
    from nomopoly.site.files import operate

    return operate(game, "stop", because, data)


@app.command
def resume(game: str, /, *, data: DataFolder = Path("data")) -> int:
    """Let a game go on that `nomopoly stop` has stopped.

    Args:
        game: address of a game of the site, for example `demo`
        data: folder of the site's database
    """
    from nomopoly.site.files import operate

    return operate(game, "resume", "", data)


@app.command
def backup(file: Path, /, *, data: DataFolder = Path("data")) -> int:
    """Write the whole site as one file, while it runs: games, accounts, votes, talk, notes, settings.

    Keep it as you keep passwords: `nomopoly backup - | age -r KEY > site.age` encrypts it on the way.

    Args:
        file: what to write, for example site.tar.gz; `-` for standard output
        data: folder of the site's database
    """
    from nomopoly.site.keeping import backup as write_backup

    return write_backup(file, data)


@app.command
def restore(file: cyclopts.types.ExistingFile, /, *, data: DataFolder = Path("data")) -> int:
    """Make a site from a backup, in a folder or a PostgreSQL database that holds none yet.

    Args:
        file: what `nomopoly backup` has written, by this version or an older one
        data: folder of the new site
    """
    from nomopoly.site.keeping import restore as read_backup

    return read_backup(file, data)


@app.command
def doctor(*, data: DataFolder = Path("data")) -> int:
    """Say what is wrong with the set-up of a site, and what to do; status 1 if something must be mended.

    Args:
        data: folder of the site's database
    """
    from nomopoly.site.doctor import doctor as look

    return look(data)


@app.command
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
