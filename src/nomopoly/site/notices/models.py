"""What users are told, how they want to be told, and how far each game has been looked through."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from nomopoly.site.notices import kinds


class Notice(models.Model):
    """One thing that one user is told. `cause` says what it is about, so that nobody is told it twice."""

    class Mail(models.TextChoices):
        WAITING = "waiting"
        SENT = "sent"
        NONE = "none"
        GONE = "gone"  # its cause went before it was mailed

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices")
    game = models.ForeignKey("tables.Game", on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=12, choices=kinds.choices())
    cause = models.CharField(max_length=250)
    # The entry that it is about, if it is about one.
    n = models.PositiveIntegerField(null=True)
    text = models.TextField()
    # What is said of it outside of the site, where `text` names what only its reader sees; "" where it names nothing of
    # that.
    elsewhere = models.TextField(blank=True, default="")
    path = models.CharField(max_length=300)
    until = models.BigIntegerField(null=True)  # seconds since 1970
    made = models.DateTimeField(default=timezone.now)
    # From when on it is told; one about a deadline is made long before.
    due = models.DateTimeField(default=timezone.now)
    read = models.DateTimeField(null=True)
    mail = models.CharField(max_length=8, choices=Mail.choices, default=Mail.WAITING)
    # In a mail that is being written: what is said of it, and until when it waits.
    said: str
    when: str

    class Meta:
        ordering = ["-due", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["user", "game", "kind", "cause"], name="one_notice_a_cause"),
        ]
        indexes = [
            models.Index(fields=["due"], condition=models.Q(mail="waiting"), name="notices_to_mail"),
            models.Index(fields=["user", "due"], name="notices_of_a_user"),
        ]


class Wish(models.Model):
    """How a user wants to hear of a kind of notice: in one game, or (without a game) in all that say nothing else."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    game = models.ForeignKey("tables.Game", null=True, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=12, choices=kinds.choices())
    how = models.CharField(max_length=8, choices=kinds.HOW)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "game", "kind"], name="one_wish_a_game"),
            models.UniqueConstraint(fields=["user", "kind"], condition=models.Q(game=None), name="one_wish_for_all"),
        ]


class Watched(models.Model):
    """That a user watches a proposal, whose id is `about`: they are told of all that is said of it and becomes of
    it."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    game = models.ForeignKey("tables.Game", on_delete=models.CASCADE, related_name="+")
    about = models.CharField(max_length=40)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "game", "about"], name="watched_once")]


class Watch(models.Model):
    """How far a game has been looked through for what its players are to be told, and when to look again."""

    game = models.OneToOneField("tables.Game", on_delete=models.CASCADE, related_name="watch")
    n = models.PositiveIntegerField(default=0)
    comment = models.PositiveBigIntegerField(default=0)
    # What was so when it was looked at last: {"proposals": {id: status}, "paused", "over", "desk"}
    seen = models.JSONField(default=dict)
    look_at = models.BigIntegerField(null=True, db_index=True)  # seconds since 1970
