"""Choices of a form that are known only when it is made."""

from collections.abc import Iterable
from typing import Any

from django import forms


def offer(form: forms.BaseForm, name: str, choices: Iterable[tuple[Any, Any]]) -> None:
    """Let a field of a form have these choices, each with its label. Raises TypeError for a field without choices."""
    field = form.fields[name]
    if not isinstance(field, forms.ChoiceField):
        raise TypeError(f"{name} is no field to choose in")
    field.choices = list(choices)
