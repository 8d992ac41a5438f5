"""Rolled dice as pictures."""

from __future__ import annotations

from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from nomopoly.site import formats

PIPS = {
    1: ((12, 12),),
    2: ((7, 7), (17, 17)),
    3: ((7, 7), (12, 12), (17, 17)),
    4: ((7, 7), (17, 7), (7, 17), (17, 17)),
    5: ((7, 7), (17, 7), (12, 12), (7, 17), (17, 17)),
    6: ((7, 7), (17, 7), (7, 12), (17, 12), (7, 17), (17, 17)),
}


def faces(dice: list[Any]) -> SafeString:
    """Rolled dice as a picture; their numbers stand beside it."""
    drawn = []
    for face in dice if all(face in PIPS for face in dice) else ():
        pips = format_html_join("", '<circle cx="{}" cy="{}" r="2.3"/>', PIPS[face])
        drawn.append(
            format_html(
                '<svg class="die-face" viewBox="0 0 24 24" aria-hidden="true"><rect x="1" y="1" width="22" height="22" '
                'rx="5"/>{}</svg>',
                pips,
            )
        )
    return formats.together(drawn)
