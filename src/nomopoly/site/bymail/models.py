"""Which mails have come in, so that each counts once."""

from django.conf import settings
from django.db import models
from django.utils import timezone


class Received(models.Model):
    """A mail of one person for one game. `mark` is a digest of its Message-ID; `done` is when it was answered."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    game = models.ForeignKey("tables.Game", on_delete=models.CASCADE, related_name="+")
    mark = models.CharField(max_length=64)
    at = models.DateTimeField(default=timezone.now, db_index=True)
    done = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "game", "mark"], name="each_mail_once")]
