from django.apps import AppConfig


class Lobby(AppConfig):
    """What is there before a game: the home page, lists of games, joining, invitations, the guide."""

    name = "nomopoly.site.lobby"
    label = "lobby"

    def ready(self) -> None:
        """Whoever signs in to join a game is in it then."""
        from nomopoly.site.accounts import entrance
        from nomopoly.site.lobby import joining

        entrance.FINISH.append(joining.finish)
