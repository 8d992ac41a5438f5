"""Drafts of proposals: kept, taken up again, thrown away. A form keeps one draft, found again by its number or its
key."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from django.utils import timezone

from nomopoly.site.play.models import Draft
from nomopoly.site.play.sheets import Sheet

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nomopoly.site.door import Seat
    from nomopoly.site.shapes import Data


MOST = 20
PAGES = 9  # opened forms of one draft, beside the present one, whose savings are told apart
SAVING = re.compile(r"(\w{1,20})-(\d{1,9})")
WRITERS = ("player", "admin")


def of(seat: Seat) -> list[Any]:
    """The viewer's drafts, newest first."""
    if seat.role not in WRITERS:
        return []
    return list(Draft.objects.filter(game=seat.game, user=seat.user))


def arrived(seat: Seat, made: Iterable[str]) -> Data:
    """What a browser need not keep any more: keys of forms that became proposals, and as JSON the opened forms whose
    drafts are kept, each with the number of the last thing it sent."""
    saved = {page: number for draft in of(seat) for page, number in draft.savings.items()}
    return {"made": " ".join(made), "saved": json.dumps(saved)}


def find(seat: Seat, number: int | str) -> Draft | None:
    """One's own draft, or None."""
    if seat.role not in WRITERS or not str(number).isdecimal() or len(str(number)) > 15:
        return None
    return Draft.objects.filter(game=seat.game, user=seat.user, pk=int(number)).first()


def of_form(seat: Seat, key: str | None) -> Draft | None:
    """The draft that a form has kept, by the form's key, or None."""
    if seat.role not in WRITERS or not key:
        return None
    return Draft.objects.filter(game=seat.game, user=seat.user, fields__key=key).first()


def keep(seat: Seat, fields: Data, draft: Draft | None = None, saving: str = "") -> Draft:
    """Keep the fields of a form; beyond the most, the oldest drafts go.

    `saving` is "page-7" for the seventh thing that an opened form sends. What an opened form has sent earlier and comes
    later, as it may on a slow line, is not kept.
    """
    draft = draft or of_form(seat, fields.get("key")) or Draft(game=seat.game, user=seat.user)
    if (sent := SAVING.fullmatch(saving)) is not None:
        page, number = sent[1], int(sent[2])
        if draft.savings.get(page, 0) >= number:
            return draft
        others = [each for each in draft.savings.items() if each[0] != page]
        draft.savings = dict([*others[-PAGES:], (page, number)])
    draft.title, draft.fields, draft.saved = fields.get("title", "")[:200], fields, timezone.now()
    draft.save()
    for old in of(seat)[MOST:]:
        old.delete()
    return draft


def has(draft: Draft | None, sheet: Sheet) -> bool:
    """Whether a draft holds what stands in a form; an empty form needs none."""
    fields = sheet.fields()
    known = draft.fields if draft is not None else Sheet(door=sheet.door, key=sheet.key).fields()
    return all(known.get(name, "") == value for name, value in fields.items() if name not in ("key", "door"))


def throw_away(draft: Draft | None) -> None:
    """Delete a draft, if there is one."""
    if draft is not None:
        draft.delete()
