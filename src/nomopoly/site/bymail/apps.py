from django.apps import AppConfig


class ByMail(AppConfig):
    """Playing by mail: orders that come as letters."""

    name = "nomopoly.site.bymail"
    label = "bymail"

    def ready(self) -> None:
        """Listen for the letters that a mail provider hands over."""
        from anymail.signals import inbound

        from nomopoly.site.bymail import ways

        inbound.connect(ways.from_provider, dispatch_uid="bymail")
