"""Who has an account: an address, and how its owner likes to read."""

from __future__ import annotations

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy, pgettext_lazy


class Users(BaseUserManager["User"]):
    """How accounts are made."""

    def create_user(self, email: str, password: str | None = None, **more: object) -> User:
        """Make and save an account, its address in small letters. Without a password, nobody signs in with one."""
        user = self.model(email=email.strip().lower(), **more)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **more: object) -> User:
        """Make and save an account that may open the operator's console."""
        return self.create_user(email, password, is_staff=True, is_superuser=True, **more)


class User(AbstractBaseUser, PermissionsMixin):
    """The account of a person, known by a mail address."""

    email = models.EmailField(pgettext_lazy("column", "address"), unique=True)
    time_zone = models.CharField(pgettext_lazy("column", "time zone"), max_length=64, blank=True, default="")
    text_view = models.BooleanField(default=False)
    language = models.CharField(
        max_length=16, blank=True, default=""
    )  # as in settings.LANGUAGES; empty: as the browser asks
    is_active = models.BooleanField(pgettext_lazy("column", "may log in"), default=True)
    is_staff = models.BooleanField(pgettext_lazy("column", "operator"), default=False)
    date_joined = models.DateTimeField(pgettext_lazy("column", "date joined"), default=timezone.now)

    objects = Users()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"

    class Meta:
        verbose_name = gettext_lazy("account")
        verbose_name_plural = gettext_lazy("accounts")

    def __str__(self) -> str:
        return self.email


class ApiKey(models.Model):
    """What a program of a user's shows at the door of one game. Of the key itself only a hash is kept."""

    class Scope(models.TextChoices):
        READ = "read", gettext_lazy("Read: the program sees what I see")
        PLAY = "play", gettext_lazy("Play: the program also acts in my name, and I am marked as a bot")

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_keys")
    game = models.ForeignKey("tables.Game", on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=40)
    scope = models.CharField(max_length=4, choices=Scope.choices, default=Scope.READ)
    begins = models.CharField(max_length=12)
    hash = models.CharField(max_length=64, unique=True)
    made = models.DateTimeField(default=timezone.now)
    used = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "game", "name"], name="one_key_of_a_name")]
        ordering = ["made"]


class FeedAddress(models.Model):
    """The secret part of the addresses at which a user's calendar and logs are fetched by programs that cannot sign
    in."""

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="feed_address")
    token = models.CharField(max_length=64, unique=True)
    made = models.DateTimeField(default=timezone.now)
