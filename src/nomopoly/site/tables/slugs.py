"""The last parts of the addresses of games: which ones there can be, and one that is free."""

from __future__ import annotations

import re

from nomopoly.errors import CommandError

TAKEN_SLUGS = ("new", "admin", "api")  # no game has these


def check_slug(slug: str | None) -> None:
    """Raise CommandError for an address that no page could have. None stands for one made from the title."""
    if slug and (slug in TAKEN_SLUGS or not re.fullmatch("[a-z0-9_-]{1,40}", slug)):
        raise CommandError(
            f"--slug {slug}: no address: small letters, digits and hyphens, 40 at most, and none of "
            f"{', '.join(TAKEN_SLUGS)}"
        )


def free_slug(title: str) -> str:
    """An address for a game of this title that no other game has."""
    from django.utils.text import slugify

    from nomopoly.site.tables.models import Game

    start = slugify(title)[:34].strip("-") or "game"
    start = f"{start}-game" if start in TAKEN_SLUGS else start
    taken = set(Game.objects.filter(slug__startswith=start).values_list("slug", flat=True))
    return next(slug for slug in (start, *(f"{start}-{at}" for at in range(2, len(taken) + 3))) if slug not in taken)
