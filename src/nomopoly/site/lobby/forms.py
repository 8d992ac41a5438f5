"""Forms of the pages outside a game."""

import zoneinfo

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from nomopoly.rulebook.source import offered_editions
from nomopoly.site.tables.models import Game

TAKEN_SLUGS = ("new", "admin", "api")
MOST_INVITED = 20


def time_zones():
    return sorted(zoneinfo.available_timezones())


def check_zone(value):
    if value and value not in zoneinfo.available_timezones():
        raise ValidationError(f"{value} is not a time zone: choose one of the list, for example Europe/Berlin")


def simplest_first():
    return sorted(offered_editions(), key=lambda each: each[0] != "original")


class ZoneInput(forms.TextInput):
    def __init__(self):
        super().__init__({"list": "zones", "autocomplete": "off", "spellcheck": "false"})


class NewGame(forms.Form):
    edition = forms.ChoiceField(
        choices=simplest_first, label="Rules to begin with", widget=forms.RadioSelect, initial="original"
    )
    title = forms.CharField(max_length=80, label="Title", help_text="What the game is called, for everybody to see.")
    slug = forms.SlugField(
        max_length=40, label="Address", help_text="The last part of its address: small letters, digits and hyphens."
    )
    visibility = forms.ChoiceField(
        choices=Game.Visibility.choices, label="Who may read it", widget=forms.RadioSelect, initial="public"
    )
    time_zone = forms.CharField(
        max_length=64,
        initial="UTC",
        label="Time zone of the game",
        widget=ZoneInput,
        validators=[check_zone],
        help_text="For its days, weeks and midnights. Every reader sees their own.",
    )
    invite = forms.CharField(
        required=False,
        label="First players",
        widget=forms.Textarea({"rows": 3}),
        help_text="E-mail addresses of people to invite, one a line. Each gets one mail with the way in.",
    )

    def clean_slug(self):
        slug = self.cleaned_data["slug"].lower()
        if slug in TAKEN_SLUGS or Game.objects.filter(slug=slug).exists():
            raise ValidationError(f"The address {slug} is taken: choose another one")
        return slug

    def clean_title(self):
        title = self.cleaned_data["title"]
        if not title.isprintable():
            raise ValidationError("A title may not hold control characters")
        return title

    def clean_invite(self):
        found = [part for part in self.cleaned_data["invite"].replace(",", "\n").split() if part]
        if len(found) > MOST_INVITED:
            raise ValidationError(f"At most {MOST_INVITED} people can be invited at once")
        for address in found:
            try:
                validate_email(address)
            except ValidationError:
                raise ValidationError(f"{address} is not an e-mail address") from None
        return found


class Join(forms.Form):
    name = forms.CharField(
        max_length=30,
        strip=False,
        label="Your name in this game",
        help_text="Up to 30 characters. Everybody will call you that; it should not be mistaken for another's.",
        widget=forms.TextInput({"autocomplete": "nickname"}),
    )
    message = forms.CharField(
        required=False,
        max_length=2000,
        label="A word to the Admin",
        widget=forms.Textarea({"rows": 3}),
        help_text="Only the Admin reads this.",
    )
    rules = forms.BooleanField(
        label="I have seen that the rules can change, and that everything I do is in the public log",
        error_messages={"required": "Tick this first: in this game the rules can change"},
    )


class Leave(forms.Form):
    confirm = forms.CharField(max_length=30, strip=True, label="Your name in this game, to make sure")

    def __init__(self, *args, player, **more):
        super().__init__(*args, **more)
        self.player = player

    def clean_confirm(self):
        if self.cleaned_data["confirm"] != self.player:
            raise ValidationError(f"That is not your name in this game: type {self.player} to leave")
        return self.player


class Settings(forms.Form):
    time_zone = forms.CharField(
        required=False,
        max_length=64,
        label="Your time zone",
        widget=ZoneInput,
        validators=[check_zone],
        help_text="Times are shown in it. Empty: UTC.",
    )
    text_view = forms.BooleanField(
        required=False,
        label="Text view: show the board as a table first",
        help_text="For screen readers and slow lines. The picture stays one link away.",
    )
