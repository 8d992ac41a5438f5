"""The rulebooks of the site's games, for the command line."""

from pathlib import Path

from nomopoly.site.serve import prepare


def history_of(slug, data):
    """The moments at which the rulebook of a game changed, oldest first; None if this site has no such game."""
    if not (Path(data) / "nomopoly.sqlite3").exists():
        return None
    prepare(data)
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
