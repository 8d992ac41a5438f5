"""Mails about a game to those who take part in it."""

from django.conf import settings
from django.utils.html import format_html, linebreaks, urlize
from django.utils.translation import get_language, gettext

from nomopoly.site.accounts import languages
from nomopoly.site.post import office


def link_to(game, path=""):
    """The whole address of a page of a game."""
    return f"{settings.NOMOPOLY_ADDRESS}{game.address}{path}"


def mail(user, subject, parts, said):
    """A mail to a user in their language, put in with what causes it.

    `subject` and `parts`, the paragraphs, are functions, so that they speak the reader's language; `said` are the values
    of their placeholders. With `decider_of`, a game, there, `%(who)s` is who decides in it.
    """
    if user is None or not user.is_active:
        return
    with languages.of(user):
        said = {**said, "who": said["decider_of"].decider} if "decider_of" in said else said
        text = "\n\n".join(parts()) % said + "\n\n"
        address = f"{settings.NOMOPOLY_ADDRESS}/settings/"
        text += gettext("You get this mail because you take part. Settings: %(address)s") % {"address": address} + "\n"
        office.put(user.email, subject() % said, text, user=user, html=as_html(subject() % said, text))


def as_html(title, text):
    """A letter as a page: its paragraphs, with links where addresses stand."""
    body = linebreaks(urlize(text, autoescape=True))
    head = format_html('<head><meta charset="utf-8"><title>{}</title></head>', title)
    return f'<!doctype html>\n<html lang="{get_language()}">{head}<body>{body}</body></html>'
