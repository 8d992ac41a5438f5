from django.apps import AppConfig


class Desk(AppConfig):
    """The Admin's desk: what waits, the acts of the office, corrections, settings of a game."""

    name = "nomopoly.site.desk"
    label = "desk"
