from django.apps import AppConfig


class Post(AppConfig):
    """What the site sends out: mails and calls to other programs."""

    name = "nomopoly.site.post"
    label = "post"
