"""Find what a name on the command line means: an edition, rules in a folder or file, a game in a file or of the
site."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from nomopoly.errors import CommandError

if TYPE_CHECKING:
    from nomopoly.rulebook.source import Book
    from nomopoly.runtime.host import Game


def book_of(name: str, data: Path) -> Book:
    """The rulebook of an edition, a folder or file of rules, an exported game or a game of the site.

    Raises CommandError if there is nothing of this name.
    """
    from nomopoly.rulebook.source import load_edition

    name = named_edition(name)
    if is_edition(name):
        return load_edition(name)
    with game_of(name, data) as running:
        return book_in_force(name, running)


def named_edition(name: str) -> str:
    """The name of the edition: a path of rules is added as an edition first, any other name stays as it is."""
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
    """An exported game (by its path) or one of the site (by its address); its runtime is closed at the end.

    Raises CommandError if there is no such game.
    """
    from nomopoly.rulebook.source import editions
    from nomopoly.site.serve import has_database

    if Path(name).is_file():
        from nomopoly.runtime.files import load_file

        running = load_file(Path(name), runtime="monty")
    elif "." in name or "/" in name:  # no address of a game
        raise CommandError(f"{name}: there is no such file")
    elif has_database(data):
        from nomopoly.site.files import load_game_of

        running = load_game_of(name, data)
    elif is_edition(name):
        raise CommandError(f"'{name}' is an edition, and no game: name a game of the site or an exported file")
    else:
        raise CommandError(f"there is no edition, file or game '{name}': editions are {', '.join(editions())}")
    try:
        yield running
    finally:
        running.runtime.close()
