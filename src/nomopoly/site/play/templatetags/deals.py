"""Template tags for what changes hands."""

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import mark_safe

from nomopoly.site.play import words

register = template.Library()


@register.simple_tag(takes_context=True)
def goods(context, given):
    """What changes hands ([[part, content]]) as markup: $60, #8 Harbour, flower."""
    view, address = context["view"], context["game"].address
    parts = [
        (words.shown(view, address, content, "money" if part == "money" else ""),) for part, content in given if content
    ]
    return format_html_join(", ", "{}", parts) if parts else mark_safe('<span class="muted">nothing</span>')


@register.filter
def words_of_id(id):
    """A thing without a name, as people call it: agreement 2."""
    return str(id).replace("-", " ")
