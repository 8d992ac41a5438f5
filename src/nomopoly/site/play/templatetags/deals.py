"""Template tags for what changes hands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe

from nomopoly.site.play import words

if TYPE_CHECKING:
    from nomopoly.site.play.trades import Goods
    from nomopoly.site.shapes import Data


register = template.Library()


@register.simple_tag(takes_context=True)
def goods(context: Data, given: Goods) -> SafeString:
    """What changes hands ([[part, content]]) as markup: $60, #8 Harbour, flower."""
    view, address, names = context["view"], context["game"].address, context["seat"].names
    parts = [
        (f"{part[:-1]} " if words.is_right(view, part) else "", words.shown(view, address, content, "", names))
        if isinstance(content, list)
        else ("", words.amount(part, content))
        for part, content in given
        if content
    ]
    return format_html_join(", ", "{}{}", parts) if parts else mark_safe('<span class="muted">nothing</span>')


@register.filter
def words_of_id(id: str) -> str:
    """A thing without a name, as people call it: agreement 2."""
    return str(id).replace("-", " ")
