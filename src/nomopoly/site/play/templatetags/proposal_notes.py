"""What the site keeps about a proposal beside the game: who watches it, and its words with their typos mended."""

from typing import Any

from django import template

from nomopoly.site.play import mending
from nomopoly.site.play.watched import is_watched
from nomopoly.site.shapes import Data

register = template.Library()


@register.simple_tag(takes_context=True)
def watched(context: Data, proposal: Data) -> bool:
    """Whether the reader watches a proposal."""
    return is_watched(context["request"].user, context["game"], proposal["id"])


@register.simple_tag(takes_context=True)
def mended(context: Data, proposal: Data) -> Any:
    """The mended words of a proposal, or None; see play/mending.py."""
    seat = context["seat"]
    return None if seat.trial else mending.of(seat.game, proposal)
