"""The demo: a game of each edition, some weeks old, to look at and join. The command line makes it; the site knows
nothing of it.

Everything in it goes through the same doors as in a real game. What plays it is loaded only where there is such a game.
"""

import logging

EVERY = 3  # seconds from one look at the demo games to the next
SEATS_EVERY = 5  # seconds from one look at the bots at games to the next
log = logging.getLogger("nomopoly.demo")


def make_demo(moment: int) -> None:
    """Make the demo games, unless they are there, as they stand at a moment (seconds since 1970)."""
    from nomopoly.demo import ii, iv, mail, original, seats
    from nomopoly.site.tables import live, roster

    if roster.demo_game() is not None:
        return
    with live.clock_at(moment):
        original.make_demo_original(moment)
        iv.make_demo_iv(moment)
        ii.make_demo_ii(moment)
        mail.make_demo_mail(moment)
        for game in roster.demo_games():
            seats.keep(game)
    log.info("the demo games are ready: %s entries", sum(live.of(game).n + 1 for game in roster.demo_games()))


def attend() -> None:
    """The players of the demo are programs, so that the game goes on; the house has its office (see
    tables/deciding.py).

    A chore of the clock (nomopoly.site.clock). A game that somebody has taken over as its Admin is left to them.
    """
    from nomopoly.site.tables import roster

    for game in roster.demo_games():
        if game.admin_id is None:
            from nomopoly.demo import ii, iv

            play = {"iv": iv.attend_iv, "ii": ii.attend_ii}.get(game.edition)
            if play is not None:
                play(game)


def attend_seats() -> None:
    """Let the bots that sit at games act. A chore of the clock."""
    from nomopoly.demo import seats

    seats.attend()


CHORES = ((attend, EVERY), (attend_seats, SEATS_EVERY))  # what the command registers with the clock
