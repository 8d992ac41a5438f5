from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class Post(AppConfig):
    """What the site sends out: mails and calls to other programs."""

    name = "nomopoly.site.post"
    label = "post"
    verbose_name = gettext_lazy("Mails")
