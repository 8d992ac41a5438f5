from django.apps import AppConfig


class Notices(AppConfig):
    """What people are told outside the pages: mails, notices on their devices."""

    name = "nomopoly.site.notices"
    label = "notices"

    def ready(self) -> None:
        """Listen for what makes notices: new entries, holidays, players about to leave, opened games, comments."""
        from django.db.models.signals import post_save

        from nomopoly.site.notices import making
        from nomopoly.site.tables.signals import entries_stored, game_opened, holiday_taken, leaves_soon

        entries_stored.connect(making.look_soon, dispatch_uid="notices")
        holiday_taken.connect(making.look_soon, dispatch_uid="notices")
        leaves_soon.connect(making.warn, dispatch_uid="notices")
        game_opened.connect(making.begin, dispatch_uid="notices")
        post_save.connect(making.look_for_talk, sender="play.Comment", dispatch_uid="notices")
