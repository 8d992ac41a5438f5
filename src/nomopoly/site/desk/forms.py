"""What the Admin sets of a game outside its rules."""

from django import forms

from nomopoly.site.tables.models import Game


class GameSettings(forms.Form):
    visibility = forms.ChoiceField(choices=Game.Visibility.choices, label="Who may read it", widget=forms.RadioSelect)
    about = forms.CharField(
        required=False,
        max_length=20000,
        label="In your own words",
        help_text="How this game is run, what gets refused, how to reach you. Shown on the page About.",
        widget=forms.Textarea({"rows": 8, "class": "prose-input"}),
    )
