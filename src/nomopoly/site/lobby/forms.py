"""Forms of the pages outside a game."""

from __future__ import annotations

import re
import zoneinfo
from collections.abc import Collection
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from nomopoly.rulebook.source import offered_editions
from nomopoly.site import choosing
from nomopoly.site.play.pieces import SHAPES
from nomopoly.site.tables import bots
from nomopoly.site.tables.models import Game
from nomopoly.site.tables.slugs import TAKEN_SLUGS, free_slug

MOST_INVITED = 20
NAMED = re.compile(r"""(?:"[^"\n]*"|[^\s,;<>"][^,;<>"\n]*)?[ \t]*<([^<>\n]*)>""")  # `"Bee, Ben" <ben@example.org>`


def time_zones() -> list[Any]:
    """The names of all time zones, sorted."""
    return sorted(zoneinfo.available_timezones())


def check_zone(value: str) -> None:
    """Refuse (ValidationError) what is not the name of a time zone."""
    if value and value not in zoneinfo.available_timezones():
        raise ValidationError(
            gettext("%(value)s is not a time zone: choose one of the list, for example Europe/Berlin")
            % {"value": value}
        )


def shortest() -> str:
    """The edition that is chosen where nothing is."""
    return offered_editions()[0][0]


class ZoneInput(forms.TextInput):
    """An input that offers the names of time zones."""

    def __init__(self) -> None:
        super().__init__({"list": "zones", "autocomplete": "off", "spellcheck": "false", "data-zone": True})


class Addresses(forms.CharField):
    """E-mail addresses of people to invite, one a line."""

    def __init__(self) -> None:
        super().__init__(
            required=False,
            label=_("Invite by mail"),
            widget=forms.Textarea({"rows": 3}),
            help_text=_("E-mail addresses, one a line. Each gets one mail with the way in."),
        )

    def clean(self, value: object) -> list[Any]:
        """Each address once, as a list, without the names that address books put before them (`Ben <ben@example.org>`).
        Raises ValidationError if there are too many, or one is no e-mail address."""
        found = re.split(r"[\s,;]+", NAMED.sub(r" \1 ", super().clean(value)).strip(" ,;\n"))
        found = [part for part in found if part]
        if len(found) > MOST_INVITED:
            raise ValidationError(
                gettext("At most %(most_invited)s people can be invited at once") % {"most_invited": MOST_INVITED}
            )
        for address in found:
            try:
                validate_email(address)
            except ValidationError:
                raise ValidationError(
                    gettext("“%(address)s” is not an e-mail address: write one address a line") % {"address": address}
                ) from None
        once: dict[str, str] = {}
        for address in found:
            once.setdefault(address.casefold(), address)
        return list(once.values())


class NewGame(forms.Form):
    """Title and rules; everything else has a default."""

    title = forms.CharField(
        max_length=80, label=_("Title"), help_text=_("What the game is called, for everybody to see.")
    )
    edition = forms.ChoiceField(
        choices=offered_editions, label=_("Rules to begin with"), widget=forms.RadioSelect, initial=shortest
    )
    office = forms.ChoiceField(
        required=False,
        choices=Game.Office.choices,
        label=_("Who decides what the rules leave to the Admin"),
        widget=forms.RadioSelect,
        initial="person",
        help_text=_(
            "A person who decides does not play, unless the rules let them. By the table or the house, you can play "
            "yourself."
        ),
    )
    visibility = forms.ChoiceField(
        required=False,
        choices=Game.Visibility.choices,
        label=_("Who may read it"),
        widget=forms.RadioSelect,
        initial="public",
    )
    slug = forms.SlugField(
        required=False,
        max_length=40,
        label=_("Address"),
        help_text=_("The last part of its address: small letters, digits and hyphens. Empty: made from the title."),
        error_messages={"invalid": _("An address has only the letters a to z, digits and hyphens.")},
    )
    time_zone = forms.CharField(
        required=False,
        max_length=64,
        label=_("Time zone of the game"),
        widget=ZoneInput,
        validators=[check_zone],
        help_text=_(
            "For its days, weeks and midnights. It cannot be changed once the game is open. Every reader sees "
            "their own. "
            "Empty: UTC."
        ),
    )
    bots = forms.TypedChoiceField(
        required=False,
        coerce=int,
        choices=[(number, number or _("None")) for number in range(bots.MOST + 1)],
        initial=0,
        label=_("Bots that play"),
        help_text=_(
            "Programs that act every few minutes, vote and propose to change numbers. You can take them away again."
        ),
    )
    invite = Addresses()

    def __init__(self, *args: Any, again: Game | None = None, **more: Any) -> None:
        """`again`: the game whose rules this one begins with; then no edition is asked for, and who decides and who may
        read it is as there if nothing else is chosen."""
        super().__init__(*args, **more)
        if again is not None:
            del self.fields["edition"]
            as_there = {"title": f"{again.title}, again"[:80], "office": again.office, "visibility": again.visibility}
            self.initial = {**as_there, **self.initial}

    def clean_slug(self) -> str:
        """The address to use, made of the title if none was typed. Raises ValidationError if it is taken."""
        slug = self.cleaned_data["slug"].lower()
        if slug in TAKEN_SLUGS or Game.objects.filter(slug=slug).exists():
            raise ValidationError(gettext("The address %(slug)s is taken: choose another one") % {"slug": slug})
        return slug or free_slug(self.cleaned_data.get("title", ""))

    def clean_title(self) -> str:
        """Check that the title has no control characters; raises ValidationError."""
        title = self.cleaned_data["title"]
        if not title.isprintable():
            raise ValidationError(
                gettext(
                    "A title may not hold control characters: leave out what nobody can see, which joins some emoji"
                )
            )
        return title

    def clean_office(self) -> str:
        """Who is the Admin; what the form begins with if nothing was chosen."""
        return self.cleaned_data["office"] or self["office"].initial

    def clean_visibility(self) -> str:
        """Who may read the game; what the form begins with if nothing was chosen."""
        return self.cleaned_data["visibility"] or self["visibility"].initial

    def clean_bots(self) -> int:
        """How many bots play; none if nothing was chosen."""
        return self.cleaned_data["bots"] or 0

    def clean_time_zone(self) -> str:
        """The time zone of the game; UTC if nothing was chosen."""
        return self.cleaned_data["time_zone"] or "UTC"

    def hidden_errors(self) -> bool:
        """Whether something is wrong in the fields that stand behind a click."""
        return bool(set(self.errors) - {"title", "edition"})


class Invitations(forms.Form):
    """Whom to invite to a game, and in whose name."""

    host = forms.CharField(
        required=False, max_length=30, label=_("Your name"), help_text=_("As those you invite know you. They read it.")
    )
    invite = Addresses()


class Join(forms.Form):
    """A wish to join a game."""

    name = forms.CharField(
        max_length=30,
        label=_("Your name in this game"),
        help_text=_("Up to 30 characters. Everybody will call you that; it should not be mistaken for another's."),
        widget=forms.TextInput({"autocomplete": "nickname"}),
    )
    message = forms.CharField(
        required=False,
        max_length=2000,
        label=_("A word to the Admin"),
        widget=forms.Textarea({"rows": 3}),
        help_text=_("Only the Admin reads this."),
    )
    rules = forms.BooleanField(
        label=_("I have seen that the rules can change, and that everything I do is in the public log"),
        error_messages={"required": _("Tick this first: in this game the rules can change")},
    )


class ComeIn(forms.Form):
    """What is asked of somebody who needs nobody's approval: a name, and a piece, which may be left to the site."""

    name = forms.CharField(
        max_length=30,
        label=_("Your name in this game"),
        widget=forms.TextInput({"autocomplete": "nickname"}),
    )
    piece = forms.ChoiceField(
        required=False,
        label=_("Your piece"),
        widget=forms.RadioSelect,
        error_messages={"invalid_choice": _("Somebody else has taken this piece: choose another.")},
    )

    def __init__(self, *args: Any, taken: Collection[str] = (), **more: Any) -> None:
        """`taken`: the shapes that other players have."""
        super().__init__(*args, **more)
        free = [(name, label) for name, (label, _) in SHAPES.items() if name not in taken]
        choosing.offer(self, "piece", [("", gettext("Any that is free")), *free])

    def shapes(self) -> list[Any]:
        """The choices of a piece, with their outlines: [(option, outline or nothing)]."""
        return [(option, SHAPES.get(option.data["value"], ("", ""))[1]) for option in self["piece"]]


class Leave(forms.Form):
    """A farewell to a game, confirmed with one's name."""

    confirm = forms.CharField(max_length=30, strip=True, label=_("Your name in this game, to make sure"))

    def __init__(self, *args: Any, player: str, **more: Any) -> None:
        super().__init__(*args, **more)
        self.player = player

    def clean_confirm(self) -> str:
        """Check that the player's own name was typed; raises ValidationError if it is another one."""
        if self.cleaned_data["confirm"] != self.player:
            raise ValidationError(
                gettext("That is not your name in this game: type %(player)s to leave") % {"player": self.player}
            )
        return self.player


class Settings(forms.Form):
    """The settings of an account."""

    time_zone = forms.CharField(
        required=False,
        max_length=64,
        label=_("Your time zone"),
        widget=ZoneInput,
        validators=[check_zone],
        help_text=_("Times are shown in it. Empty: what your browser says when you next log in."),
    )
    text_view = forms.BooleanField(
        required=False,
        label=_("Text view: show the board as a table first"),
        help_text=_("For screen readers and slow lines. The picture stays one link away."),
    )
