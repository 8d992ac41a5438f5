"""Mails that wait to be sent or have been, and what became of the addresses they went to."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy, pgettext_lazy


class Sending(models.Model):
    """What is sent to somewhere else, and tried again until it has arrived or there is no hope."""

    made = models.DateTimeField(pgettext_lazy("column", "made"), default=timezone.now)
    next_try = models.DateTimeField(pgettext_lazy("column", "next try"), null=True, default=timezone.now, db_index=True)
    tries = models.PositiveSmallIntegerField(pgettext_lazy("column", "tries"), default=0)
    sent = models.DateTimeField(pgettext_lazy("column", "sent"), null=True)
    problem = models.CharField(
        pgettext_lazy("column", "problem"), max_length=500, blank=True, default=""
    )  # what was said last, where it was not taken

    class Meta:
        abstract = True
        ordering = ["pk"]


class Letter(Sending):
    """One mail to one address. `next_try` is when it is sent, or tried again; null when there is nothing more to do."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="+")
    # The game that it invites to, whose host is told when it does not arrive.
    game = models.ForeignKey("tables.Game", null=True, on_delete=models.CASCADE, related_name="+")
    to = models.EmailField(pgettext_lazy("column", "to"))
    subject = models.CharField(pgettext_lazy("column", "subject"), max_length=250)
    text = models.TextField()
    html = models.TextField(blank=True, default="")
    calendar = models.TextField(blank=True, default="")  # deadlines, as an iCalendar file
    headers = models.JSONField(default=dict)

    class Meta(Sending.Meta):
        verbose_name = gettext_lazy("mail")
        verbose_name_plural = gettext_lazy("mails")

    def __str__(self) -> str:
        return f"{self.to}: {self.subject}"


class Mailbox(models.Model):
    """How a user wants mail, and whether mail reaches them."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="mailbox")
    digest_hour = models.PositiveSmallIntegerField(default=18)  # by the user's own clock
    names_hidden = models.BooleanField(
        default=False
    )  # whether mails may name what only the user sees, such as their cards
    last_digest = models.DateField(null=True)
    bounces = models.PositiveSmallIntegerField(default=0)  # letters refused for good, one after the other
    off = models.DateTimeField(null=True)  # since when nothing is mailed, because too many were refused


class Target(models.Model):
    """Where calls go: a webhook of a user's or of a game's, or a device that takes pushes."""

    class Sort(models.TextChoices):
        JSON = "json", gettext_lazy("Plain JSON")
        DISCORD = "discord", "Discord"
        SLACK = "slack", "Slack"
        PUSH = "push", gettext_lazy("A device")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="targets")
    game = models.ForeignKey("tables.Game", null=True, on_delete=models.CASCADE, related_name="targets")
    sort = models.CharField(max_length=8, choices=Sort.choices)
    url = models.CharField(max_length=1000)
    name = models.CharField(max_length=100, blank=True, default="")
    secret = models.CharField(max_length=60, blank=True, default="")  # with which what goes there is signed
    keys = models.JSONField(default=dict)  # of a device: {"p256dh", "auth"}
    n = models.PositiveIntegerField(default=0)  # the last entry of the game that was told there
    made = models.DateTimeField(default=timezone.now)
    off = models.DateTimeField(null=True)  # since when nothing goes there, because it was refused
    problem = models.CharField(max_length=300, blank=True, default="")

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(user__isnull=True) ^ models.Q(game__isnull=True), name="a_target_is_somebodys"
            ),
        ]


class Call(Sending):
    """One thing that is posted to a target, once. Retried as letters are."""

    target = models.ForeignKey(Target, on_delete=models.CASCADE, related_name="calls")
    cause = models.CharField(max_length=100)
    told = models.JSONField()  # {"title", "lines": [{"text", "url"}]}

    class Meta(Sending.Meta):
        constraints = [models.UniqueConstraint(fields=["target", "cause"], name="one_call_a_cause")]
