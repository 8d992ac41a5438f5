from django.apps import AppConfig
from django.conf import settings
from django.utils.translation import gettext_lazy


class Tables(AppConfig):
    """The games and what is kept of them: journals, seats, snapshots, questions."""

    name = "nomopoly.site.tables"
    label = "tables"
    verbose_name = gettext_lazy("Games")

    def ready(self) -> None:
        """What the sandbox has read once, the next start need not read again; a house decides as soon as somebody
        brings something up."""
        from nomopoly.runtime.interpreters import dumps
        from nomopoly.site.tables import deciding
        from nomopoly.site.tables.signals import order_given

        dumps.keep_in(settings.DATA / "dumps")
        order_given.connect(deciding.soon, dispatch_uid="house")
