"""Signals that the tables send in the transaction in which something happens. A receiver writes rows and runs no
rules."""

from django.dispatch import Signal

entries_stored = Signal()  # game_id: entries of this game are being stored
holiday_taken = Signal()  # game_id: a player of this game has said to be away for some days
leaves_soon = Signal()  # seat, moment, days, stays: the rules take this player out of the game within so many days
game_opened = Signal()  # game: a row of the table Game that has just come into being

# Sent when all of it is stored: a receiver may give orders of its own.
order_given = Signal()  # game: somebody has just done something in it
