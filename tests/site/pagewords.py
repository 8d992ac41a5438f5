"""What tests of the pages have in common: what is read off a page, and what happens in a game without one."""

import re
import time
from html import unescape

import prepared
import testclock
from allauth.mfa.totp.internal import auth as totp

from nomopoly.site.tables import domain, live

DAY = 86400
MONDAY = 1772442000 - 9 * 3600  # 2026-03-02 00:00 UTC
FRIDAY = 1775214000  # 2026-04-03 11:00 UTC
SECOND = "/g/second/"


def text(response):
    """The words of a page, without markup."""
    return " ".join(re.sub(r"<style>[^<]*</style>|<[^>]*>", " ", response.content.decode()).split())


def token(response):
    """The `once` token of the first form of a page."""
    return re.search(r'name="once" value="([^"]+)"', response.content.decode()).group(1)


def fresh_code(secret):
    """The code that an authenticator shows next. Its 30 seconds have just begun, so that it holds for a slow test."""
    testclock.set_clock((time.time() // 30 + 1) * 30)
    return totp.format_hotp_value(totp.hotp_value(secret, int(time.time()) // 30))


def order(client, action, **fields):
    """Send the form of an action in the game of edition ii (the fixture `start_second`). Returns the page that
    follows."""
    page = client.get(f"{SECOND}act/{action}/")
    return client.post(f"{SECOND}act/{action}/", fields | {"once": token(page)}, follow=True)


def started(client, edition, slug, *, title, since=0, **more):
    """A game of an edition that somebody has started so many seconds ago; `more`: as `domain.start_game` takes it."""

    def start():
        at = live.now() - since
        return domain.start_game(client.user, edition=edition, slug=slug, title=title, at=at, **more)

    return prepared.do(("started", client.user.pk, edition, slug, title, since, tuple(sorted(more.items()))), start)


def seated(game, client, name):
    """Let somebody play in a game. Returns their browser."""

    def sit():
        assert domain.ask_to_join(game, client.user, name).ok
        assert domain.desk_act(game, "approve-player", {"player": name}).ok

    prepared.do(("seated", game.pk, client.user.pk, name), sit)
    return client


def things(game, viewer="admin"):
    """All things of a game, as the viewer sees them."""
    return live.of(game).view(viewer)["things"]


def propose(game, **more):
    """Let Ann make a proposal."""
    said = {"title": "A thing", "text": "Words"} | more
    return well(prepared.do(("proposed", game.pk, repr(said)), lambda: domain.order(game, "Ann", "propose", said)))


def accept(game, proposal, **more):
    """Let the Admin accept a proposal."""
    said = {"on": proposal} | more
    return well(prepared.do(("accepted", game.pk, repr(said)), lambda: domain.desk_act(game, "accept", said)))


def grant(game, thing, attribute, value):
    """Let the Admin give an attribute of a thing a value."""
    act = {"thing": thing, "attribute": attribute, "value": value, "because": "a test"}
    return well(prepared.do(("granted", game.pk, repr(act)), lambda: domain.desk_act(game, "grant", act)))


def well(outcome):
    """The outcome, which must be one of success."""
    assert outcome.ok, outcome
    return outcome


def fields(response):
    """All fields of the form as a browser would send them, but for its buttons."""
    page = response.content.decode().partition("data-workshop")[2].partition("</form>")[0]
    found = {}
    for attributes in re.findall(r"<input([^>]*)>", page):
        name, value = (re.search(rf'\b{each}="([^"]*)"', attributes) for each in ("name", "value"))
        if "checkbox" not in attributes or "checked" in attributes:
            found[name[1]] = unescape(value[1]) if value else ""
    for name, value in re.findall(r'<textarea[^>]* name="([^"]+)"[^>]*>\n?([^<]*)</textarea>', page):
        found[name] = unescape(value)
    for name, options in re.findall(r'<select[^>]* name="([^"]+)"[^>]*>(.*?)</select>', page, re.S):
        chosen = re.findall(r'<option value="([^"]*)" selected', options) or re.findall(
            r'<option value="([^"]*)"', options
        )
        found[name] = chosen[0]
    return found
