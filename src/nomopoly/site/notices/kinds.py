"""The kinds of notices, and how one hears of them if one has said nothing."""

from dataclasses import dataclass

HOW = (("mail", "A mail soon"), ("digest", "In the daily mail"), ("none", "On the site alone"))


@dataclass(frozen=True)
class Kind:
    """A kind of notice. `how` is what holds until a user says otherwise."""

    id: str
    label: str
    how: str


KINDS = (
    Kind("turn", "Your turn is possible", "mail"),
    Kind("asked", "Something is asked of you or offered to you", "mail"),
    Kind("due", "What waits for you falls due within a day", "mail"),
    Kind("vote", "A vote closes within a day, and yours is missing", "mail"),
    Kind("called", "A rule of the game wants you to know of something", "mail"),
    Kind("happened", "Something happened to you", "digest"),
    Kind("proposal", "A proposal is made, decided or in force", "digest"),
    Kind("watched", "A proposal you watch is spoken of, decided or in force", "mail"),
    Kind("talk", "Somebody answers you or mentions you", "digest"),
    Kind("news", "The Admin announces something", "mail"),
    Kind("game", "A game is paused, goes on or ends", "mail"),
    Kind("away", "Another player will be away for some days", "digest"),
    Kind("desk", "Something waits at your desk as Admin", "mail"),
)
BY_ID = {kind.id: kind for kind in KINDS}


def choices():
    """As Django's models want them."""
    return [(kind.id, kind.label) for kind in KINDS]
