"""`nomopoly operator ...`: what the operator's console does, on the command line. Each act wants a reason, and is
logged."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Annotated

import cyclopts

from nomopoly.errors import CommandError
from nomopoly.languages.spoken import language, said

app = cyclopts.App(
    name="operator", help=said("What the operator of a site does: each act with a reason, which is logged.")
)

# What several commands take, with what their help says of it.
Account = Annotated[str, cyclopts.Parameter(help=said("e-mail address of the account"))]
Slug = Annotated[str, cyclopts.Parameter(help=said("address of a game of the site, for example `demo`"))]
Reason = Annotated[str, cyclopts.Parameter(help=said("the reason"))]
DataFolder = Annotated[Path, cyclopts.Parameter(env_var="NOMOPOLY_DATA", help=said("folder of the site's database"))]
DATA = Path("data")


@contextlib.contextmanager
def site(data: Path) -> Iterator[ModuleType]:
    """The operator's acts, on a site that is set up; its games are closed again. Raises CommandError where a game is
    busy or its journal damaged."""
    from nomopoly.site.files import opened

    opened(data)
    from django.utils.translation import override

    from nomopoly.site.busy import Busy
    from nomopoly.site.order import operating
    from nomopoly.site.tables import live

    try:
        with override(language()):
            yield operating
    except Busy as busy:
        raise CommandError(str(busy)) from busy
    finally:
        live.close_all()


def show(lines: Iterable[str]) -> None:
    """Print a list, or that nothing is on it."""
    printed = False
    for line in lines:
        print(line)
        printed = True
    if not printed:
        print(said("Nothing."))


def about_account(act: str, address: str, because: str, data: Path) -> None:
    """Do with an account what `operating` calls so, and print what was done."""
    with site(data) as operating:
        print(getattr(operating, act)(operating.account(address), because))


def about_game(act: str, slug: str, because: str, data: Path) -> None:
    """Do with a game what `operating` calls so, and print what was done."""
    from nomopoly.site.files import find

    with site(data) as operating:
        print(getattr(operating, act)(find(slug), because))


def about_letter(act: str, number: int, because: str, data: Path) -> None:
    """Do with a mail what `operating` calls so, and print what was done."""
    with site(data) as operating:
        print(getattr(operating, act)(operating.letter(number), because))


@app.command
def block(address: Account, /, *, because: str, data: DataFolder = DATA) -> None:
    """Block an account: it leaves all games by their rules, is told by mail, and cannot log in.

    Args:
        because: the reason, which its owner reads too
    """
    about_account("block", address, because, data)


@app.command
def unblock(address: Account, /, *, because: Reason, data: DataFolder = DATA) -> None:
    """Let a blocked account in again. Its seats are not given back."""
    about_account("unblock", address, because, data)


@app.command
def close_account(address: Account, /, *, because: Reason, nameless: bool = False, data: DataFolder = DATA) -> None:
    """Close an account for its owner, who has asked for it and cannot log in: it leaves all games, and is erased.

    Args:
        nameless: what they said in talk stays as that of a former player
    """
    with site(data) as operating:
        print(operating.close_account(operating.account(address), because, nameless))


@app.command
def appoint(address: Account, /, *, because: Reason, data: DataFolder = DATA) -> None:
    """Make somebody an operator, who opens /operator/ with a second factor."""
    about_account("appoint", address, because, data)


@app.command
def dismiss(address: Account, /, *, because: Reason, data: DataFolder = DATA) -> None:
    """Let somebody be an operator no more."""
    about_account("dismiss", address, because, data)


@app.command
def lift_limits(address: Account, /, *, because: Reason, data: DataFolder = DATA) -> None:
    """Forget what counts for somebody's limits of today, as for a teacher who starts ten games."""
    about_account("lift_limits", address, because, data)


@app.command
def close(game: Slug, /, *, because: str, data: DataFolder = DATA) -> None:
    """Close a game: nothing happens in it until it is opened again, and all of it stays readable.

    Args:
        because: the reason, for all to read in its log
    """
    about_game("stop", game, because, data)


@app.command(name="open")
def open_(game: Slug, /, *, because: Reason, data: DataFolder = DATA) -> None:
    """Let a game go on that was closed."""
    about_game("resume", game, because, data)


@app.command
def delete(game: Slug, /, *, because: Reason, data: DataFolder = DATA) -> None:
    """Delete a game that is over or closed, with all that was done and said in it."""
    about_game("delete", game, because, data)


@app.command
def give_office(game: Slug, address: str, /, *, because: Reason, data: DataFolder = DATA) -> None:
    """Let another person take over as the Admin of a game.

    Args:
        address: e-mail address of an account that does not play in it
    """
    from nomopoly.site.files import find

    with site(data) as operating:
        print(operating.give_office(find(game), address, because))


@app.command
def free_seat(game: Slug, player: str, /, *, because: str, data: DataFolder = DATA) -> None:
    """Free the seat of somebody who cannot log in any more, and print the link by which they play on with another
    account.

    Args:
        player: name of the player in the game
        because: the reason, which the owner of the account reads too
    """
    from nomopoly.site.files import find

    with site(data) as operating:
        print(operating.free_seat(find(game), player, because))


@app.command
def faults(game: str = "", /, *, data: DataFolder = DATA) -> None:
    """List the faults of rules that nobody has settled, newest first.

    Args:
        game: address of a game of the site; all games if it is left out
    """
    from nomopoly.site.files import find

    with site(data) as operating:
        found = operating.faults(find(game) if game else None)[:100]
        show(
            (f"{each.created:%Y-%m-%d %H:%M}  {each.game.slug}  rule {each.rule} line {each.line}: {each.message}")
            for each in found
        )


@app.command
def storage(game: Slug, /, *, data: DataFolder = DATA) -> None:
    """Say what a game takes in the database."""
    from nomopoly.site.files import find

    with site(data) as operating:
        for what, number in operating.storage(find(game)).items():
            print(f"{number:>12,}  {what}")


@app.command
def reports(*, data: DataFolder = DATA) -> None:
    """List the reports that wait for an operator, oldest first."""
    with site(data) as operating:
        show(
            f"{each.pk:>6}  {each.made:%Y-%m-%d %H:%M}  {each.game.slug}  {each.in_words()}: {each.because}"
            for each in operating.open_reports()
        )


@app.command
def answer(number: int, /, *, because: str, data: DataFolder = DATA) -> None:
    """Answer a report; who made it is told by mail.

    Args:
        number: number of the report, as `nomopoly operator reports` lists it
        because: what came of it
    """
    with site(data) as operating:
        print(operating.settle(operating.report(number), because))


@app.command
def outbox(*, data: DataFolder = DATA) -> None:
    """List the mails that are not sent, oldest first: number, address, tries and what the mail server said."""
    with site(data) as operating:
        lines = []
        for each in operating.waiting_letters()[:200]:
            when = f"next {each.next_try:%Y-%m-%d %H:%M}" if each.next_try else "given up"
            lines.append(f"{each.pk:>8}  {each.to}  {each.tries} tries, {when}  {each.problem}")
        show(lines)


@app.command
def send_again(number: int, /, *, because: Reason, data: DataFolder = DATA) -> None:
    """Try a mail again now, also one that was given up.

    Args:
        number: number of the mail, as `nomopoly operator outbox` lists it
    """
    about_letter("send_again", number, because, data)


@app.command
def give_up(number: int, /, *, because: Reason, data: DataFolder = DATA) -> None:
    """Do not try a mail any more.

    Args:
        number: number of the mail, as `nomopoly operator outbox` lists it
    """
    about_letter("give_up", number, because, data)


@app.command
def workers(*, data: DataFolder = DATA) -> None:
    """List the processes that serve the site, where several do: address, last sign of life, games whose home it is."""
    with site(data) as operating:
        show(f"{each.address}  {each.beat:%Y-%m-%d %H:%M:%S}  {each.games} games" for each in operating.workers())


@app.command
def limits(*, data: DataFolder = DATA) -> None:
    """List who has done most of what is limited in the last day."""
    with site(data) as operating:
        show(f"{user}  {what}  {done} of {most}" for user, what, done, most in operating.at_limits())


@app.command
def state(*, data: DataFolder = DATA) -> None:
    """Say how the site is, in numbers."""
    with site(data) as operating:
        for what, number in operating.state().items():
            print(f"{what.replace('_', ' ')}: {number}")


@app.command
def log(*, data: DataFolder = DATA) -> None:
    """List what operators did, newest first."""
    with site(data) as operating:
        show(f"{each.at:%Y-%m-%d %H:%M}  {each.doer}  {each}: {each.because}" for each in operating.log())
