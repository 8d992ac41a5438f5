from django.apps import AppConfig
from django.conf import settings


class Tables(AppConfig):
    """The games and what is kept of them: journals, seats, snapshots, questions."""

    name = "nomopoly.site.tables"
    label = "tables"

    def ready(self) -> None:
        """What the sandbox has read once, the next start need not read again."""
        from nomopoly.runtime.interpreters import dumps

        dumps.keep_in(settings.DATA / "dumps")
