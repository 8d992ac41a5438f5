"""Forms of reports and of conduct."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from nomopoly.site import choosing
from nomopoly.site.order import complaints, conduct

if TYPE_CHECKING:
    from nomopoly.site.shapes import Data


class Report(forms.Form):
    """A report of a name, a proposal or the Admin."""

    sort = forms.ChoiceField(
        label=gettext_lazy("What is it about?"),
        choices=[
            ("name", gettext_lazy("A name (of a player, a square, whatever can be named)")),
            ("proposal", gettext_lazy("What a proposal says")),
            ("admin", gettext_lazy("What the Admin does")),
        ],
    )
    about = forms.CharField(
        label=gettext_lazy("Which one?"),
        required=False,
        max_length=100,
        help_text=gettext_lazy("The name, or the proposal's number such as P3. Leave it empty for the Admin."),
    )
    because = forms.CharField(
        label=gettext_lazy("What is wrong with it?"), max_length=complaints.LONGEST, widget=forms.Textarea({"rows": 4})
    )


class Conduct(forms.Form):
    """What the Admin does about how somebody behaves."""

    do = forms.ChoiceField(
        label=gettext_lazy("What do you want to do?"),
        choices=[
            ("warn", gettext_lazy("Warn")),
            ("mute", gettext_lazy("Let them write nothing in the forum for some days")),
        ],
    )
    player = forms.ChoiceField(label=gettext_lazy("Whom?"))
    days = forms.IntegerField(
        label=gettext_lazy("For how many days?"),
        required=False,
        min_value=1,
        max_value=conduct.MOST_DAYS,
        help_text=gettext_lazy("For the forum alone."),
    )
    because = forms.CharField(
        label=gettext_lazy("Why?"),
        max_length=conduct.LONGEST,
        help_text=gettext_lazy("Everybody reads it in the log. Do not quote what was said."),
        widget=forms.Textarea({"rows": 2}),
    )

    def __init__(self, *args: Any, players: Iterable[str] = (), **more: Any) -> None:
        super().__init__(*args, **more)
        choosing.offer(self, "player", ((name, name) for name in players))
        self.fields["player"].widget.attrs["translate"] = "no"

    def clean(self) -> Data:
        """Check that muting says for how many days."""
        super().clean()
        found = self.cleaned_data
        if found.get("do") == "mute" and "days" in found and not found["days"]:
            self.add_error("days", _("Say for how many days."))
        return found
