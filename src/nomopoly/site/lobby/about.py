"""What a game is in two sentences, and who invites to it."""

from nomopoly.rulebook.source import described_editions
from nomopoly.site.play import pages


def of_editions():
    """What each edition is, in a sentence: {name: sentence}."""
    return {each["name"]: each["about"] for each in described_editions()}


def in_two_sentences(seat):
    """What kind of game it is, and how far it has come."""
    what = of_editions().get(seat.game.edition, "A board game with rules of its own.")
    many = len(pages.players(seat.view))
    changed = len(seat.live.book_history()) - 1
    who = "Nobody plays it yet" if not many else "One player plays it" if many == 1 else f"{many} people play it"
    times = "once" if changed == 1 else f"{changed} times"
    how = f"they have changed its rules {times} so far" if changed and many else "every rule of it can be changed"
    return [what, f"{who}, and {how}."]


def host(seat):
    """Who invites, as a reader may be told: the name they have given, that of their player, or what they are."""
    game = seat.game
    if game.host:
        return game.host
    mine = game.memberships.filter(user=game.starter, status="approved").first() if game.starter_id else None
    return mine.player if mine is not None else "The Admin" if game.office == "person" else ""
