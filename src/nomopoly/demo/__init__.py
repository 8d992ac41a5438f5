"""The demo: a game of each edition, some weeks old, to look at and join. The command line makes it; the site knows nothing of it.

Everything in it goes through the same doors as in a real game. What plays it is loaded only where there is such a game.
"""

import logging

EVERY = 3  # seconds from one look at the demo games to the next
log = logging.getLogger("nomopoly.demo")


def make_demo(moment):
    """Make the demo games, unless they are there, as they stand at a moment (seconds since 1970)."""
    from nomopoly.demo import ii, iv, mail, original
    from nomopoly.site.tables import live, queries

    if queries.demo_game() is not None:
        return
    with live.clock_at(moment):
        original.make_demo_original(moment)
        iv.make_demo_iv(moment)
        ii.make_demo_ii(moment)
        mail.make_demo_mail(moment)
    log.info("the demo games are ready: %s entries", sum(live.of(game).n + 1 for game in queries.demo_games()))


def attend():
    """The Admin and the players of the demo are programs: guests see their rules at work, and a game that goes on.

    A chore of the clock (nomopoly.site.clock). A game that somebody has taken over as its Admin is left to them.
    """
    from nomopoly.site.tables import queries

    for game in queries.demo_games():
        if game.admin_id is None:
            from nomopoly.demo import ii, iv, original

            {"iv": iv.attend_iv, "ii": ii.attend_ii}.get(game.edition, original.judge)(game)
