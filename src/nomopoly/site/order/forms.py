"""Forms of reports and of conduct."""

from django import forms

from nomopoly.site.order import complaints, conduct


class Report(forms.Form):
    sort = forms.ChoiceField(
        label="What is it about?",
        choices=[
            ("name", "A name (of a player, a square, whatever can be named)"),
            ("proposal", "What a proposal says"),
            ("admin", "What the Admin does"),
        ],
    )
    about = forms.CharField(
        label="Which one?",
        required=False,
        max_length=100,
        help_text="The name, or the proposal's number such as P3. Leave it empty for the Admin.",
    )
    because = forms.CharField(
        label="What is wrong with it?", max_length=complaints.LONGEST, widget=forms.Textarea({"rows": 4})
    )


class Conduct(forms.Form):
    do = forms.ChoiceField(
        label="What do you want to do?",
        choices=[("warn", "Warn"), ("mute", "Let them write nothing in the forum for some days")],
    )
    player = forms.ChoiceField(label="Whom?")
    days = forms.IntegerField(
        label="For how many days?",
        required=False,
        min_value=1,
        max_value=conduct.MOST_DAYS,
        help_text="For the forum alone.",
    )
    because = forms.CharField(
        label="Why?",
        max_length=conduct.LONGEST,
        help_text="Everybody reads it in the log. Do not quote what was said.",
        widget=forms.Textarea({"rows": 2}),
    )

    def __init__(self, *args, players=(), **more):
        super().__init__(*args, **more)
        self.fields["player"].choices = [(name, name) for name in players]

    def clean(self):
        found = super().clean()
        if found.get("do") == "mute" and "days" in found and not found["days"]:
            self.add_error("days", "Say for how many days.")
        return found
