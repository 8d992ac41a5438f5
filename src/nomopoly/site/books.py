"""The rulebooks of the site's games, for the command line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from nomopoly.site.serve import has_database, looked_at

if TYPE_CHECKING:
    from nomopoly.site.shapes import Data


def history_of(slug: str, data: Path) -> list[Data] | None:
    """The moments at which the rulebook of a game changed, oldest first; None if this site has no such game."""
    if not has_database(data):
        return None
    looked_at(data)
    from nomopoly.runtime.host import load_game
    from nomopoly.site.tables.journal import DatabaseJournal
    from nomopoly.site.tables.models import Game

    game = Game.objects.filter(slug=slug).first()
    if game is None:
        return None
    running = load_game(DatabaseJournal(game.pk), runtime=game.runtime)
    try:
        return running.book_history()
    finally:
        running.runtime.close()
