from django.apps import AppConfig


class Trial(AppConfig):
    """Trial copies of games, in which one tries things out alone."""

    name = "nomopoly.site.trial"
    label = "trial"
