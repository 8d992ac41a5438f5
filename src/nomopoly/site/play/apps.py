from django.apps import AppConfig


class Play(AppConfig):
    """The pages of a game: board, log, rules, proposals, forum, trades."""

    name = "nomopoly.site.play"
    label = "play"
