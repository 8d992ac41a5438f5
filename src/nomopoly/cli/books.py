"""Commands about rules: print a rulebook, check it, list its words, say it in sentences, keep the library."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import cyclopts
import cyclopts.types

from nomopoly.cli.named import book_in_force, book_of, game_of, is_edition, named_edition
from nomopoly.cli.options import DataFolder
from nomopoly.errors import CommandError

if TYPE_CHECKING:
    from nomopoly.rulebook.source import Book


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
        at: print the book as it was at a history number, a moment, `start` or `now`
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


def check(
    file: cyclopts.types.ExistingPath,
    /,
    *,
    edition: str | None = None,
    game: str | None = None,
    data: DataFolder = Path("data"),
) -> int:
    """Check a proposal (YAML or JSON), a module of rules or a whole rulebook for problems.

    The example of a proposal is played by the edition. Status 1 if there are errors.

    Args:
        file: YAML or JSON of a proposal, a module of rules (.py), or a folder of rules (with contents.py)
        edition: check it against the rulebook of this edition: its name, or a folder or file of rules
        game: check it against the rulebook of this game: path of an exported game, or address of a game of the site
        data: folder of the site's database
    """
    from nomopoly.rulebook.cli import check as check_file
    from nomopoly.rulebook.source import editions

    if edition is not None and game is not None:
        raise CommandError("--edition and --game do not go together: a game has its own rulebook")
    if game is not None and not is_edition(game):
        with game_of(game, data) as running:
            return check_file(file, book_in_force(game, running), running.with_earlier_forms)
    named = named_edition(edition) if edition else game
    if named and not is_edition(named) and named != game and not Path(named).exists():
        raise CommandError(f"there is no edition '{named}': there are {', '.join(editions())}. A game goes with --game")
    return check_file(file, book_of(named, data) if named else None, example=played)


def played(book: Book, run: str, data: object) -> str | None:
    """Play the example of a proposal by a book, after a program has run once. Returns why it fails; None if it does
    not."""
    from nomopoly.lab.forecast import play_example

    return play_example(book, run, data).failure


def words(name: str, /, *, search: str = "", json: bool = False, data: DataFolder = Path("data")) -> int:
    """List the words that rules can use, with arguments, meaning, an example and who declares them.

    Args:
        name: name of an edition, path of an exported game or of a module of rules, or address of a game of the site
        search: list only words with this text in their name or meaning
        json: print them as JSON
        data: folder of the site's database
    """
    from nomopoly.rulebook.cli import words as print_words

    return print_words(name, search, json, None if name.endswith(".py") else book_of(name, data))


def tell_rules(name: str, /, *, rule: str = "", data: DataFolder = Path("data")) -> int:
    """Describe in sentences what the programs of rules do, and list the lines that cannot be described.

    Args:
        name: name of an edition, path of an exported game or of a module of rules, or address of a game of the site
        rule: describe only the rule of this number
        data: folder of the site's database
    """
    from nomopoly.rulebook.cli import tell as print_told

    return print_told(name, rule, None if name.endswith(".py") else book_of(name, data))


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
    """List the site's library of rules, add to it or remove from it.

    Args:
        words: list only rules that contain all these words
        show: name of a rule: print all of it
        add: add the rule in this file (YAML: title, about, text, params, code; then `---` and an example)
        accept: add the rule of this name, which players have offered
        remove: remove the rule of this name, or decline it if players have offered it
        offered: list the rules that players have offered
        data: folder of the site's database
    """
    from nomopoly.site.files import keep_library

    return keep_library(words, show, add, accept, remove, offered, data)
