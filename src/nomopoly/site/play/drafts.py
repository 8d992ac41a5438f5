"""Drafts of proposals: kept, taken up again, thrown away."""

from django.utils import timezone

from nomopoly.site.play.models import Draft

MOST = 20


def of(seat):
    """The drafts of whoever looks, newest first."""
    if seat.role != "player":
        return []
    return list(Draft.objects.filter(game=seat.game, user=seat.request.user))


def find(seat, number):
    """One's own draft, or None."""
    if seat.role != "player" or not str(number).isdecimal() or len(str(number)) > 15:
        return None
    return Draft.objects.filter(game=seat.game, user=seat.request.user, pk=int(number)).first()


def keep(seat, fields, draft=None):
    """Keep the fields of a form; beyond the most, the oldest drafts go."""
    draft = draft or Draft(game=seat.game, user=seat.request.user)
    draft.title, draft.fields, draft.saved = fields.get("title", "")[:200], fields, timezone.now()
    draft.save()
    for old in of(seat)[MOST:]:
        old.delete()
    return draft


def throw_away(draft):
    if draft is not None:
        draft.delete()
