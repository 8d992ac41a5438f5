"""What the Admin sets of a game outside its rules."""

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from nomopoly.site.play.models import Forum
from nomopoly.site.tables.models import Game


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


class HandOver(forms.Form):
    """To whom the office of Admin is offered."""

    to = forms.EmailField(
        label=gettext_lazy("Address of the next Admin"),
        help_text=gettext_lazy(
            "They get a mail, sign in with this address and accept. The Admin does not play: a player leaves first."
        ),
    )

    def __init__(self, *args, user, **more):
        super().__init__(*args, **more)
        self.user = user

    def clean_to(self):
        """Check that the address is not the Admin's own; raises ValidationError."""
        address = self.cleaned_data["to"]
        if self.user.emailaddress_set.filter(email__iexact=address).exists():
            raise forms.ValidationError(_("This is your own address: you are the Admin already."))
        return address
