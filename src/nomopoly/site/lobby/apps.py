from django.apps import AppConfig


class Lobby(AppConfig):
    """What is there before a game: the home page, lists of games, joining, invitations, the guide."""

    name = "nomopoly.site.lobby"
    label = "lobby"
