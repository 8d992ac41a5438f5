"""Commands about a site and the games on it: serve it, keep it, take games in and out, stop them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import cyclopts
import cyclopts.types

from nomopoly.cli.options import DataFolder, Host, Port


def no_option(_: object, file: Path) -> None:
    """Refuse as the name of a file what was meant as an option; `-` is standard input or output."""
    if str(file).startswith("-") and str(file) != "-":
        raise ValueError(f"there is no option {file}; ./{file} is a file of this name")


Piped = Annotated[Path, cyclopts.Parameter(allow_leading_hyphen=True, validator=no_option)]


def serve(
    *,
    host: Host = "127.0.0.1",
    port: Port = 8000,
    demo: bool = False,
    no_clock: bool = False,
    data: DataFolder = Path("data"),
    edition: Annotated[tuple[cyclopts.types.ExistingPath, ...], cyclopts.Parameter(negative=())] = (),
) -> int:
    """Serve the site. Its database is kept in a folder, which is made if it does not exist.

    Args:
        host: address to listen on
        port: port to listen on
        demo: add a game of each edition to look at and join
        no_clock: do not run the clock; run `nomopoly clock` beside it
        data: folder of the database
        edition: folder or file of rules to offer for new games, beside the shipped editions; can be repeated
    """
    from nomopoly.demo import CHORES, make_demo
    from nomopoly.rulebook.own import add_edition
    from nomopoly.site.serve import serve as serve_site

    for path in edition:
        add_edition(path, beside=True)

    games = make_demo if demo else None
    serve_site(host=host, port=port, data=data, clock=not no_clock, make_games=games, chores=CHORES)
    return 0


def clock(*, data: DataFolder = Path("data")) -> int:
    """Run the clock of all games: carry out turns, votes and deadlines when they fall due, until stopped.

    Run one or several of these beside `serve --no-clock`.

    Args:
        data: folder of the site's database
    """
    from nomopoly.demo import CHORES
    from nomopoly.site.serve import run_clock

    run_clock(data, chores=CHORES)
    return 0


def mail(
    *,
    host: Host = "127.0.0.1",
    port: Port = 8024,
    smtp: bool = False,
    pipe: bool = False,
    data: DataFolder = Path("data"),
) -> int:
    """Receive replies to notices by mail and carry out their orders, until stopped.

    NOMOPOLY_REPLY_TO sets the address of these replies.

    Args:
        host: address to listen on
        port: port to listen on
        smtp: speak SMTP instead of LMTP
        pipe: read one mail from standard input instead, and stop; status 65 if it is refused, 75 to try again
        data: folder of the site's database
    """
    from nomopoly.site.serve import run_mail

    return run_mail(data, host, port, smtp, pipe)


def export(game: str, file: Path | None = None, /, *, moving: bool = False, data: DataFolder = Path("data")) -> int:
    """Export a game of the site to one file: JSON lines, gzipped (default: GAME.jsonl.gz).

    Args:
        game: address of a game of the site, for example `demo`
        file: what to write
        moving: move the game to another site: a .tar.gz with forum, votes, seats and secrets too; stop the game first
        data: folder of the site's database
    """
    if moving:
        from nomopoly.site.moving import pack

        return pack(game, file or Path(f"{game}.tar.gz"), data)
    from nomopoly.site.files import export_game

    return export_game(game, file or Path(f"{game}.jsonl.gz"), data)


def import_(
    file: cyclopts.types.ExistingFile,
    /,
    *,
    slug: str | None = None,
    admin: str | None = None,
    accept_problems: bool = False,
    data: DataFolder = Path("data"),
) -> int:
    """Import an exported game into the site.

    It verifies the game first and checks its programs like proposals. Then it prints a link for each player, with which
    they take their seat.

    Args:
        file: an exported game, or one that moves
        slug: its address on this site (default: made from its title)
        admin: e-mail address of the account that becomes its Admin
        accept_problems: import it even if the check finds errors in its programs
        data: folder of the site's database
    """
    from nomopoly.runtime.journal import is_archive
    from nomopoly.site.files import import_game
    from nomopoly.site.moving import take_in

    return (take_in if is_archive(file) else import_game)(file, slug, admin, data, accept_problems)


def hand_over(game: str, address: str, /, *, because: str = "", data: DataFolder = Path("data")) -> int:
    """Make somebody the Admin of a game of the site, for example after its Admin has gone.

    The game's log records it.

    Args:
        game: address of a game of the site, for example `demo`
        address: e-mail address of an account that does not play in it
        because: the reason, for the operators' log
        data: folder of the site's database
    """
    from nomopoly.site.files import give_office

    return give_office(game, address, data, because)


def recover(game: str, /, *, as_it_is: bool = False, data: DataFolder = Path("data")) -> int:
    """Repair a game if the database has lost or altered acknowledged entries. Stop the site first.

    Args:
        game: address of a game of the site, for example `demo`
        as_it_is: keep the database as it is instead, and set aside the acknowledged entries that it lacks
        data: folder of the site's database
    """
    from nomopoly.site.recover import recover as recover_game

    return recover_game(game, data, as_it_is)


def stop(game: str, /, *, because: str, data: DataFolder = Path("data")) -> int:
    """Stop a game of the site as its operator, whatever its rules and its Admin say.

    Resume it with `nomopoly resume`.

    Args:
        game: address of a game of the site, for example `demo`
        because: the reason; everybody can read it in the game's log
        data: folder of the site's database
    """
    from nomopoly.site.files import operate

    return operate(game, "stop", because, data)


def resume(game: str, /, *, because: str = "", not_moved: bool = False, data: DataFolder = Path("data")) -> int:
    """Resume a game that was stopped with `nomopoly stop`.

    Args:
        game: address of a game of the site, for example `demo`
        because: the reason, for the operators' log
        not_moved: resume it here although it was exported with --moving: no other site has imported it
        data: folder of the site's database
    """
    from nomopoly.site.files import operate

    return operate(game, "resume", because, data, not_moved)


def backup(file: Piped, /, *, data: DataFolder = Path("data")) -> int:
    """Back up the whole site to one file while it runs: games, accounts, votes, forum, notes, settings.

    Keep the file as safe as a password. To encrypt it: `nomopoly backup - | age -r KEY > site.age`.

    Args:
        file: what to write, for example site.tar.gz; `-` for standard output
        data: folder of the site's database
    """
    from nomopoly.site.keeping import backup as write_backup

    return write_backup(file, data)


def restore(file: Piped, /, *, data: DataFolder = Path("data")) -> int:
    """Restore a site from a backup, into a folder or PostgreSQL database without a site.

    `age --decrypt -i KEY site.age | nomopoly restore -` takes an encrypted one.

    Args:
        file: a backup made with `nomopoly backup` of this version or an older one; `-` for standard input
        data: folder of the new site
    """
    from nomopoly.site.keeping import restore as read_backup

    return read_backup(file, data)


def doctor(*, data: DataFolder = Path("data")) -> int:
    """Check the set-up of a site and print what to fix.

    Status 1 if something must be fixed.

    Args:
        data: folder of the site's database
    """
    from nomopoly.site.doctor import doctor as look

    return look(data)
