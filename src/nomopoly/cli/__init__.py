"""The `nomopoly` command: each subcommand reads its arguments and calls the layer that does the work."""

from __future__ import annotations

import codecs
import errno
import io
import os
import re
import signal
import sys
from collections.abc import Sequence
from typing import Any

import cyclopts

from nomopoly import __version__
from nomopoly.cli.books import check, library, rules, tell_rules, words
from nomopoly.cli.games import bench, forecast, futures, replay, scenario, simulate, soak, tables, try_, verify
from nomopoly.cli.hosting import (
    backup,
    clock,
    doctor,
    export,
    hand_over,
    import_,
    mail,
    recover,
    restore,
    resume,
    serve,
    stop,
)
from nomopoly.errors import CommandError
from nomopoly.languages.spoken import Spoken, helped, language, said
from nomopoly.runtime.scenarios.keys import reference
from nomopoly.site.commands import app as operator_app


def read(kind: Any, tokens: Sequence[cyclopts.Token]) -> Any:
    """What was typed for an option, as its kind. A whole number is digits, and nothing is rounded."""
    if kind in (int, int | None) and not re.fullmatch(r"[+-]?[0-9]{1,30}", tokens[0].value):
        raise CommandError(f"{tokens[0].keyword} must be a whole number: not '{tokens[0].value[:40]}'")
    return cyclopts.convert(kind, tokens)


app = cyclopts.App(
    name="nomopoly",
    help=said("Games on a board of numbered squares whose players rewrite the rules while they play."),
    version=__version__,
    default_parameter=cyclopts.Parameter(negative=(), converter=read),
    suppress_keyboard_interrupt=False,  # `run` says what was done
)

ABOUT_SITES = (serve, clock, mail, export, import_, hand_over, recover, stop, resume, backup, restore, doctor)
ABOUT_GAMES = (simulate, soak, forecast, try_, futures, tables, verify, replay, bench)
ABOUT_RULES = (rules, check, words, library)
for command in (*ABOUT_SITES, *ABOUT_GAMES, *ABOUT_RULES):
    app.command(helped(command))
app.command(helped(tell_rules), name="tell")
app.command(
    helped(scenario), help_format="plaintext", help_epilogue="\n".join(said(line) for line in reference().split("\n"))
)
app.command(operator_app)
for name in operator_app:
    if not name.startswith("-"):
        helped(operator_app[name].default_command)


def tell(message: object) -> None:
    """Print an error in one line on stderr."""
    print(f"nomopoly: {said(' '.join(str(message).split()))}", file=sys.stderr)


def missing(error: cyclopts.CycloptsError) -> str:
    """What a command line lacks; "" if it is something else that is wrong with it."""
    if not isinstance(error, cyclopts.MissingArgumentError) or error.argument is None:
        return ""
    name = error.argument.name
    return f"{name} is missing, or nothing is said after it." if name.startswith("--") else f"{name} is missing."


class Ended(KeyboardInterrupt):
    """This process was told to end: somebody has killed it, say, or the connection to its terminal is lost."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def end(number: int, _: object) -> None:
    """Stop a command as Ctrl-C does, so that it leaves nothing half-done behind."""
    raise Ended(number)


def run(words: list[str] | None = None) -> int:
    """Run a command line (without the program's name; None: that of this process) and return its exit status.

    A user's mistake ends with one line on stderr and status 1.
    """
    if language() != "en" and not isinstance(sys.stdout, Spoken):
        sys.stdout = Spoken(sys.stdout)
    try:
        status = app(words, exit_on_error=False, print_error=False, result_action="return_value")
        sys.stdout.flush()
    except cyclopts.CycloptsError as error:
        chain = error.command_chain or ()
        tell(f"{missing(error) or error} See: {' '.join(('nomopoly', *chain, '--help'))}")
    except (CommandError, UnicodeDecodeError) as error:
        tell(error)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader of our output has closed the pipe
    except OSError as error:
        if error.errno == errno.ENOSPC and not error.filename:
            tell("the output cannot be written: there is no space left where it goes")
        else:
            tell(f"{error.filename}: {error.strerror}" if error.filename else error)
    except KeyboardInterrupt as stopped:
        tell(
            "stopped before it was done: only what is printed above is. Say the command again to begin from the start."
        )
        return 128 + (stopped.number if isinstance(stopped, Ended) else signal.SIGINT)
    else:
        return status if isinstance(status, int) else 0
    return 1


def main() -> None:
    """Entry point of the command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and codecs.lookup(stream.encoding).name != "utf-8":
            stream.reconfigure(errors="replace")
    ours = [each for each in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(each) == signal.SIG_DFL]
    for number in ours:  # but not what `nohup` passes over
        signal.signal(number, end)
    status = run()
    for number in ours:
        signal.signal(number, signal.SIG_DFL)
        if status == 128 + number:  # whoever has ended it sees that
            sys.stdout.flush()
            signal.raise_signal(number)
    sys.exit(status)
