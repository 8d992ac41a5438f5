"""Talk about a proposal or a log entry, under the game's own names. Nothing written here changes the game."""

from django.core.exceptions import PermissionDenied

from nomopoly.site.play.models import Comment

LONGEST = 10_000


def about(seat, subject):
    """What has been said about a subject, oldest first."""
    return list(Comment.objects.filter(game=seat.game, about=subject))


def about_entries(seat):
    """What has been said about entries of the log, oldest first."""
    return list(Comment.objects.filter(game=seat.game, about__startswith="entry-"))


def may_speak(seat):
    """Players and the Admin speak, in a pause and after the end too."""
    return seat.role in ("player", "admin")


def say(seat, subject, body):
    """Keep a comment. Returns why not, or None."""
    if not may_speak(seat):
        raise PermissionDenied("Only players of this game can comment. Ask to join.")
    body = body.replace("\r\n", "\n").strip()
    if not body:
        return "Write something first."
    if len(body) > LONGEST:
        return f"That is too long: {len(body):,} characters, at most {LONGEST:,}."
    name = seat.player_name if seat.role == "player" else "The Admin"
    Comment.objects.create(game=seat.game, about=subject, user=seat.request.user, name=name, body=body)
    return None
