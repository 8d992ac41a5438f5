"""Drafts of proposals: kept, taken up again, thrown away. A form keeps one draft, found again by its number or its key."""

from django.utils import timezone

from nomopoly.site.play.models import Draft

MOST = 20
WRITERS = ("player", "admin")


def of(seat):
    """The drafts of whoever looks, newest first."""
    if seat.role not in WRITERS:
        return []
    return list(Draft.objects.filter(game=seat.game, user=seat.request.user))


def find(seat, number):
    """One's own draft, or None."""
    if seat.role not in WRITERS or not str(number).isdecimal() or len(str(number)) > 15:
        return None
    return Draft.objects.filter(game=seat.game, user=seat.request.user, pk=int(number)).first()


def of_form(seat, key):
    """The draft that a form has kept, by the form's key, or None."""
    if seat.role not in WRITERS or not key:
        return None
    return Draft.objects.filter(game=seat.game, user=seat.request.user, fields__key=key).first()


def keep(seat, fields, draft=None):
    """Keep the fields of a form; beyond the most, the oldest drafts go."""
    draft = draft or of_form(seat, fields.get("key")) or Draft(game=seat.game, user=seat.request.user)
    draft.title, draft.fields, draft.saved = fields.get("title", "")[:200], fields, timezone.now()
    draft.save()
    for old in of(seat)[MOST:]:
        old.delete()
    return draft


def throw_away(draft):
    if draft is not None:
        draft.delete()
