"""The rulebooks of the site's games, for the command line."""

from __future__ import annotations

from pathlib import Path

from nomopoly.rulebook.history import History
from nomopoly.site.serve import has_database, looked_at


def history_of(slug: str, data: Path) -> History | None:
    """The moments at which the rulebook of a game changed; None if this site has no such game."""
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
        return History(running.book_history(), running.time_zone)
    finally:
        running.runtime.close()
