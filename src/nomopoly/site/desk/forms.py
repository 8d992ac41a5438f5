"""What the Admin sets of a game outside its rules."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from allauth.account.models import EmailAddress
from django import forms
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from nomopoly.site.play.models import Forum
from nomopoly.site.tables import letters
from nomopoly.site.tables.models import Game

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

    from nomopoly.site.accounts.models import User


class MailText(forms.CharField):
    """The Admin's own words in mails of the game, as plain text. `name`: which, as in `letters.OWN`."""

    def __init__(self, name: str, label: StrPromise, rows: int = 0) -> None:
        self.name, self.rows = name, rows
        widget = forms.Textarea({"rows": rows, "class": "prose-input"}) if rows else forms.TextInput
        super().__init__(required=False, max_length=letters.OWN[name][1], label=label, widget=widget)

    def to_python(self, value: object) -> str:
        """The text with single blanks; paragraphs stay where there is room for several, with one empty line between
        them at most."""
        text = super().to_python(value) or ""
        lines = [" ".join(each.split()) for each in text.splitlines()]
        return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)) if self.rows else " ".join(" ".join(lines).split())

    def validate(self, value: Any) -> None:
        """Refuse what could pass for the site's own words: addresses, hidden characters, unknown placeholders."""
        super().validate(value)
        if problem := letters.problem_of(self.name, value):
            raise forms.ValidationError(problem)


class GameSettings(forms.Form):
    """The settings of a game."""

    visibility = forms.ChoiceField(
        choices=Game.Visibility.choices, label=gettext_lazy("Who may read it"), widget=forms.RadioSelect
    )
    readers = forms.ChoiceField(
        required=False,
        choices=Forum.Readers.choices,
        label=gettext_lazy("Who may read what is said in it"),
        widget=forms.RadioSelect,
        help_text=gettext_lazy(
            "In the forum, about proposals and about entries of the log. Nobody else is told of it."
        ),
    )
    host = forms.CharField(
        required=False,
        max_length=30,
        label=gettext_lazy("Your name"),
        help_text=gettext_lazy(
            "As this game knows you: shown on the page About, and in invitations. Empty: none is shown."
        ),
    )
    about = forms.CharField(
        required=False,
        max_length=20000,
        label=gettext_lazy("In your own words"),
        help_text=gettext_lazy("How this game is run, what gets refused, how to reach you. Shown on the page About."),
        widget=forms.Textarea({"rows": 8, "class": "prose-input"}),
    )
    invitation_text = MailText("invitation_text", gettext_lazy("What an invitation by mail says"), rows=4)
    welcome_text = MailText("welcome_text", gettext_lazy("What somebody is told by mail when approved"), rows=4)
    closing_text = MailText("closing_text", gettext_lazy("A closing line under mails of the game"))

    def __init__(self, *args: Any, game: Game, **more: Any) -> None:
        super().__init__(*args, **more)
        for name in letters.OWN:
            self.fields[name].help_text = about_text(game, name)


def about_text(game: Game, name: str) -> SafeString:
    """What stands beside the field of a text in mails: what is said where it is empty, and what can be filled in."""
    known, most = letters.OWN[name]
    values = {"title": "{game}", "player": "{player}", "host": game.host, "who": game.decider}
    usual = letters.usual(name, game) % values
    return format_html(
        "{} {} {}",
        _("Empty: “%(usual)s”") % {"usual": usual} if usual else _("Empty: none."),
        _("Filled in for each reader: %(these)s.") % {"these": ", ".join(f"{{{each}}}" for each in known)},
        _("Plain text without web addresses, at most %(most)s characters.") % {"most": f"{most:,}"},
    )


class HandOver(forms.Form):
    """To whom the office of Admin is offered."""

    to = forms.EmailField(
        label=gettext_lazy("Address of the next Admin"),
        help_text=gettext_lazy(
            "They get a mail, sign in with this address and accept. The Admin does not play: a player leaves first."
        ),
    )

    def __init__(self, *args: Any, user: User, **more: Any) -> None:
        super().__init__(*args, **more)
        self.user = user

    def clean_to(self) -> str:
        """Check that the address is not the Admin's own; raises ValidationError."""
        address = self.cleaned_data["to"]
        if EmailAddress.objects.filter(user=self.user, email__iexact=address).exists():
            raise forms.ValidationError(_("This is your own address: you are the Admin already."))
        return address
