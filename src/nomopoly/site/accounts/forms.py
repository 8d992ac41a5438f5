"""Forms of an account."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from nomopoly.site import choosing
from nomopoly.site.accounts import keys
from nomopoly.site.accounts.models import ApiKey

if TYPE_CHECKING:
    from nomopoly.site.accounts.models import User
    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.models import Game


WORDS = [
    ("name", gettext_lazy("They stay under my players' names")),
    ("former", gettext_lazy("They stay as those of a “Former player”")),
]


class Close(forms.Form):
    """How an account is closed."""

    words = forms.ChoiceField(
        choices=WORDS,
        initial="name",
        label=gettext_lazy("What I have written about proposals and log entries"),
        widget=forms.RadioSelect,
        help_text=gettext_lazy(
            "What you did in a game (orders, proposals) stays in its log under your player's name in any case."
        ),
    )
    no_admin = forms.BooleanField(
        label=gettext_lazy("I know that these games stay without an Admin"),
        error_messages={
            "required": gettext_lazy("Hand over the office first, or tick that these games stay without an Admin")
        },
    )
    confirm = forms.CharField(
        max_length=254,
        label=gettext_lazy("Your e-mail address, to make sure"),
        widget=forms.TextInput({"autocomplete": "off", "inputmode": "email", "spellcheck": "false"}),
    )

    def __init__(self, *args: Any, user: User, offices: list[Any], **more: Any) -> None:
        super().__init__(*args, **more)
        self.user = user
        if not offices:
            del self.fields["no_admin"]

    def clean_confirm(self) -> str:
        """Check that the address of the account was typed; raises ValidationError if it is another one."""
        if self.cleaned_data["confirm"].strip().lower() != self.user.email:
            raise ValidationError(
                _("That is not the address of this account: type %(address)s to close it")
                % {"address": self.user.email}
            )
        return self.user.email


class NewKey(forms.Form):
    """A new key for programs."""

    name = forms.CharField(
        max_length=40,
        label=gettext_lazy("Name"),
        help_text=gettext_lazy("What the key is for, for example: bot at home."),
    )
    game = forms.ChoiceField(label=gettext_lazy("Game"))
    scope = forms.ChoiceField(
        choices=ApiKey.Scope.choices, label=gettext_lazy("It may"), widget=forms.RadioSelect, initial="read"
    )

    def __init__(self, *args: Any, user: User, games: list[Game], **more: Any) -> None:
        super().__init__(*args, **more)
        self.user = user
        self.games = {game.slug: game for game in games}
        choosing.offer(self, "game", ((game.slug, game.title) for game in games))
        self.fields["game"].widget.attrs["translate"] = "no"

    def clean_game(self) -> Game:
        """The game that was chosen, as its row."""
        return self.games[self.cleaned_data["game"]]

    def clean(self) -> Data:
        """Check that the name of the key is free and that there are not too many; raises ValidationError."""
        made = ApiKey.objects.filter(user=self.user, game=self.cleaned_data.get("game"))
        if made.filter(name=self.cleaned_data.get("name")).exists():
            raise ValidationError(
                _("You have a key of this name for this game already: revoke it, or choose another name")
            )
        if made.count() >= keys.MOST:
            raise ValidationError(_("At most %(most)s keys for one game: revoke one first") % {"most": keys.MOST})
        return self.cleaned_data
