"""Mails that wait to be sent or have been, and what became of the addresses they went to."""

from django.conf import settings
from django.db import models
from django.utils import timezone


class Letter(models.Model):
    """One mail to one address. `next_try` is when it is sent, or tried again; null when there is nothing more to do."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="+")
    to = models.EmailField()
    subject = models.CharField(max_length=250)
    text = models.TextField()
    html = models.TextField(blank=True, default="")
    headers = models.JSONField(default=dict)
    made = models.DateTimeField(default=timezone.now)
    next_try = models.DateTimeField(null=True, default=timezone.now, db_index=True)
    tries = models.PositiveSmallIntegerField(default=0)
    sent = models.DateTimeField(null=True)
    # What the mail server said last, if it did not take the letter.
    problem = models.CharField(max_length=500, blank=True, default="")

    class Meta:
        ordering = ["pk"]


class Mailbox(models.Model):
    """How a user wants mail, and whether mail reaches them."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="mailbox")
    digest_hour = models.PositiveSmallIntegerField(default=18)  # by the user's own clock
    last_digest = models.DateField(null=True)
    bounces = models.PositiveSmallIntegerField(default=0)  # letters refused for good, one after the other
    off = models.DateTimeField(null=True)  # since when nothing is mailed, because too many were refused
