"""Mails about a game to those who take part in it, and what the Admin has written for them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.utils.html import format_html, linebreaks, urlize
from django.utils.translation import get_language, gettext

from nomopoly.site.names import JOINERS
from nomopoly.site.post import languages, office

if TYPE_CHECKING:
    from nomopoly.site.accounts.models import User
    from nomopoly.site.shapes import Data
    from nomopoly.site.tables.models import Game

    Letter = tuple[Callable[[], str], Callable[[], Any], Data, Any]  # what `mail` takes after the account


# The texts that an Admin may write, columns of a game: what they may name, and how many characters they have at most.
OWN = {
    "invitation_text": (("game",), 1000),
    "welcome_text": (("player", "game"), 1000),
    "closing_text": (("game",), 200),
}
NAMED = re.compile(r"\{([^{}\n]*)\}")
ADDRESS = re.compile(r"\S*(?:[a-z]:/|[^\s.]\.(?:\{|[^\W\d_]{2})|[^\s@]@[^\s@])\S*", re.IGNORECASE)


def link_to(game: Game, path: str = "") -> str:
    """The whole address of a page of a game."""
    return f"{settings.NOMOPOLY_ADDRESS}{game.address}{path}"


def way_in(game: Game) -> str:
    """The address that lets whoever has it into a game."""
    return link_to(game, f"join/?invitation={game.invitation}")


def mail(
    user: User | None,
    subject: Callable[[], str],
    parts: Callable[[], tuple[str, str]] | Callable[[], tuple[str]],
    said: dict[Any, Any] | Data,
    game: Game | None = None,
) -> None:
    """A mail to a user in their language, put in with what causes it.

    `subject` and `parts`, the paragraphs, are functions, so that they speak the reader's language; `said` are the
    values of their placeholders. With `decider_of`, a game, there, `%(who)s` is who decides in it. With `game`, the
    mail goes out in that game's name, and has the closing line of its Admin.
    """
    if user is None or not user.is_active:
        return
    with languages.of(user):
        title, text = written(subject, parts, said, game)
        office.put(user.email, title, text, user=user, html=as_html(title, text))


def written(
    subject: Callable[[], str], parts: Callable[[], Any], said: dict[Any, Any] | Data, game: Game | None = None
) -> tuple[Any, str]:
    """Such a mail as (subject, text), in the language that is spoken."""
    said = {**said, "who": said["decider_of"].decider} if "decider_of" in said else said
    address = gettext("You get this mail because you have an account on this site. Settings: %(address)s")
    paragraphs = ["\n\n".join(parts()) % said, closing(game) if game else ""]
    paragraphs.append(address % {"address": f"{settings.NOMOPOLY_ADDRESS}/settings/"})
    return subject() % said, "\n\n".join(each for each in paragraphs if each) + "\n"


def as_html(title: str, text: str) -> str:
    """A letter as a page: its paragraphs, with links where addresses stand."""
    body = linebreaks(urlize(text, autoescape=True))
    head = format_html('<head><meta charset="utf-8"><title>{}</title></head>', title)
    return f'<!doctype html>\n<html lang="{get_language()}">{head}<body>{body}</body></html>'


# ---- letters that an Admin may word


def invitation(game: Game) -> tuple[str, str]:
    """The mail that invites to a game, as (subject, text)."""
    said = {"host": game.host, "title": game.title, "link": way_in(game)}
    if game.host:
        subject = gettext("[%(title)s] %(host)s invites you to a game whose rules you can change")
    else:
        subject = gettext("[%(title)s] You are invited to a game whose rules you can change")
    paragraphs = [
        own(game, "invitation_text") or usual("invitation_text", game) % said,
        gettext("Come in here: %(link)s") % said,
        closing(game),
        gettext("You get this mail once, because somebody who plays gave your address. Nothing else follows."),
    ]
    return subject % said, "\n\n".join(each for each in paragraphs if each) + "\n"


def welcome(game: Game, player: str, waits: bool = False) -> Letter:
    """The mail to somebody who is approved, as `mail` takes it: (subject, parts, said, game). `waits`: they come in
    later."""

    def parts() -> tuple[Any, ...]:
        if game.welcome_text:
            later = [gettext("You come in when the next week of the game begins.")] if waits else []
            return "%(own)s", *later, gettext("Play: %(link)s")
        if waits:
            first = gettext("You are approved by %(who)s: you are %(player)s in %(title)s when its next week begins.")
        else:
            first = usual("welcome_text", game)
        return first, gettext("Play: %(link)s")

    said = {"title": game.title, "player": player, "decider_of": game, "link": link_to(game)}
    said["own"] = own(game, "welcome_text", player)
    return lambda: gettext("[%(title)s] Welcome, %(player)s"), parts, said, game


def declined(game: Game, because: str) -> Letter:
    """The mail to somebody who may not join, as `mail` takes it."""
    return decided(
        game,
        because,
        lambda: gettext("[%(title)s] Your wish to join is declined"),
        lambda: gettext("Your wish to join %(title)s was declined by %(who)s."),
    )


def removed(game: Game, because: str) -> Letter:
    """The mail to somebody whom the Admin has taken out of the game, as `mail` takes it."""
    return decided(
        game,
        because,
        lambda: gettext("[%(title)s] You are out of the game"),
        lambda: gettext("You were removed from %(title)s by %(who)s."),
    )


def taken_out(game: Game, because: str) -> Letter:
    """The mail to somebody whom the rules have taken out of the game, as `mail` takes it."""
    return decided(
        game,
        because,
        lambda: gettext("[%(title)s] You are out of the game"),
        lambda: gettext("By the rules of %(title)s you are out of the game."),
    )


def decided(game: Game, because: str, subject: Callable[[], str], sentence: Callable[[], str]) -> Letter:
    """A mail about what has been decided of somebody, with the reason below."""
    said = {"title": game.title, "answer": because, "decider_of": game}
    return subject, lambda: (sentence(), "%(answer)s"), said, game


def closing(game: Game) -> str:
    """The line that stands under the mails of a game; "" where its Admin has written none."""
    return own(game, "closing_text")


def usual(name: str, game: Game) -> str:
    """What stands where the Admin has written no text of this name, with placeholders like `%(title)s`; "" for
    nothing."""
    if name == "invitation_text" and game.host:
        return gettext("%(host)s invites you to play %(title)s, a game in which changing the rules is a move.")
    if name == "invitation_text":
        return gettext("You are invited to play %(title)s, a game in which changing the rules is a move.")
    if name == "welcome_text":
        return gettext("You are approved by %(who)s: you are %(player)s in %(title)s.")
    return ""


def own(game: Game, name: str, player: str = "") -> str:
    """The Admin's own text of this name, with its placeholders filled in; "" if there is none."""
    values = {"game": game.title, "player": player}
    return NAMED.sub(lambda found: values.get(found[1], found[0]), getattr(game, name))


def problem_of(name: str, text: str) -> str | None:
    """Why an Admin's own text of this name cannot stand in a mail, or None."""
    known, _ = OWN[name]
    if any(unicodedata.category(each) in ("Cf", "Cc") and each not in JOINERS and each != "\n" for each in text):
        return gettext("There is a character in it that nobody sees: type the text without")
    unknown = next((found for found in NAMED.finditer(text) if found[1] not in known), None)
    if unknown:
        these = ", ".join(f"{{{each}}}" for each in known)
        told = gettext("There is no %(placeholder)s: what can stand here is %(these)s")
        return told % {"placeholder": unknown[0], "these": these}
    if found := ADDRESS.search(unicodedata.normalize("NFKC", text)):
        told = gettext(
            "“%(address)s” reads like an address, and mails of the site hold none but its own: put it on the page About"
        )
        return told % {"address": found[0][:80]}
    return None
