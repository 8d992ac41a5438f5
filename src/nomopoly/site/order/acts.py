"""The log of what operators do: each act with who did it, to what, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from nomopoly.errors import CommandError
from nomopoly.site.order.models import OperatorAct

if TYPE_CHECKING:
    from nomopoly.site.accounts.models import User


COMMAND_LINE = "the command line"


def note(operator: User | None, what: str, about: str, because: str) -> OperatorAct:
    """Log an act of an operator (a User, or None for the command line), in the transaction under way.

    Raises CommandError where no reason is given: no act is without one.
    """
    because = " ".join(because.split())[:500]
    if not because:
        raise CommandError(_("say why: the reason is kept in the operators' log"))
    by = COMMAND_LINE if operator is None else f"operator {operator.pk}"
    return OperatorAct.objects.create(user=operator, by=by, what=what, about=about[:200], because=because)


def latest(most: int = 100) -> list[Any]:
    """The newest acts."""
    return list(OperatorAct.objects.select_related("user")[:most])
