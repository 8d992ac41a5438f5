"""The Admin's own words in mails of a game: what may stand in them, where they stand, and what stays the site's."""

import contextlib
import json

import pytest
from django.core import mail
from pagewords import grant, text, token
from test_notices import AT, offer

from nomopoly.site import files, keeping, moving
from nomopoly.site.order import operating
from nomopoly.site.tables import domain, letters
from nomopoly.site.tables.models import Game

SETTINGS = f"{AT}admin/settings/"
USUAL = "You are invited to play Friday, a game in which changing the rules is a move."


def set_words(keeper, **words):
    """Send the page of the settings with these words in it."""
    return keeper.post(SETTINGS, {"visibility": "public", "once": token(keeper.get(SETTINGS)), **words})


def kept(game):
    """The three texts of a game as they are kept."""
    return [getattr(Game.objects.get(pk=game.pk), name) for name in letters.OWN]


def invited(keeper, address="dot@example.org"):
    """The mail to somebody whom the Admin invites now."""
    page = keeper.get(f"{AT}invite/")
    assert keeper.post(f"{AT}invite/", {"host": "", "invite": address, "once": token(page)}).status_code == 303
    return mail.outbox[-1]


def approved(keeper, people, name="Eve"):
    """The mail to somebody who asks to join and is approved."""
    client = people(name.lower())
    game = Game.objects.get(slug="friday")
    assert domain.ask_to_join(game, client.user, name).ok
    assert domain.desk_act(game, "approve-player", {"player": name}).ok
    return mail.outbox[-1]


def test_an_invitation_says_what_the_admin_has_written(game, keeper):
    usual = invited(keeper)
    assert USUAL in usual.body
    set_words(keeper, invitation_text="Come to {game}!\r\n\r\nIt is 100% fun.", closing_text="Yours, {game}")
    found = invited(keeper, "cid@example.org")
    assert found.subject == usual.subject
    assert found.body.startswith("Come to Friday!\n\nIt is 100% fun.\n\nCome in here: http")
    assert USUAL not in found.body
    assert "\n\nYours, Friday\n\nYou get this mail once" in found.body
    assert f"join/?invitation={game.invitation}" in found.body


def test_who_is_approved_reads_the_admins_words(game, keeper, people):
    set_words(keeper, welcome_text="Hello {player}, <b>play</b> {game} & win.", closing_text="A <i>line</i>")
    found = approved(keeper, people)
    assert found.subject == "[Friday] Welcome, Eve"
    assert found.body.startswith("Hello Eve, <b>play</b> Friday & win.\n\nPlay: http")
    assert "\n\nA <i>line</i>\n\nYou get this mail because you have an account on this site." in found.body
    html = found.alternatives[0][0]
    assert "Hello Eve, &lt;b&gt;play&lt;/b&gt; Friday &amp; win." in html
    assert "A &lt;i&gt;line&lt;/i&gt;" in html
    assert "<b>" not in html


def test_where_nothing_is_written_the_usual_words_stand(game, keeper, people):
    set_words(keeper, invitation_text=" \r\n ", welcome_text="", closing_text="  ")
    assert kept(game) == ["", "", ""]
    found = approved(keeper, people)
    assert found.body.startswith("You are approved by the Admin: you are Eve in Friday.\n\nPlay: http")


def test_that_one_comes_in_later_is_said_whatever_the_admin_writes(game):
    game.welcome_text = "Hello"
    _, told = letters.written(*letters.welcome(game, "Eve", waits=True))
    assert told.startswith("Hello\n\nYou come in when the next week of the game begins.\n\nPlay: ")
    game.welcome_text = ""
    _, told = letters.written(*letters.welcome(game, "Eve", waits=True))
    assert told.startswith("You are approved by the Admin: you are Eve in Friday when its next week begins.")


def test_the_closing_line_stands_under_notices(game, keeper, ann, ben, told):
    grant(game, "#5", "owner", "Ann")
    set_words(keeper, closing_text="<Meet> us on Friday in {game}")
    offer(Game.objects.get(slug="friday"), "Ann", "Ben")
    told()
    found = [each for each in mail.outbox if each.to == ["ben@example.org"]][-1]
    assert "\n<Meet> us on Friday in Friday\n" in found.body
    assert found.body.index("<Meet>") < found.body.index("You get this mail because you play.")
    html = next(content for content, sort in found.alternatives if sort == "text/html")
    assert '<p translate="no">&lt;Meet&gt; us on Friday in Friday</p>' in html


def test_the_admins_own_mails_have_no_closing_line(game, keeper, people, told):
    set_words(keeper, closing_text="Yours")
    assert domain.ask_to_join(game, people("eve").user, "Eve").ok
    told()
    found = [each for each in mail.outbox if each.to == ["keeper@example.org"]][-1]
    assert "You get this mail because you are the Admin." in found.body
    assert "Yours" not in found.body


@pytest.mark.parametrize(
    ("name", "words", "why"),
    [
        ("invitation_text", "Hello {player}", "There is no {player}: what can stand here is {game}"),
        ("welcome_text", "Hello {name}", "There is no {name}: what can stand here is {player}, {game}"),
        ("welcome_text", "{player.user.email}", "There is no {player.user.email}"),
        ("closing_text", "{}", "There is no {}: what can stand here is {game}"),
        ("welcome_text", "Go to https://evil", "“https://evil” reads like an address"),
        ("welcome_text", "Go to nomopoly.evil/login now", "“nomopoly.evil/login” reads like an address"),
        ("invitation_text", "Go to evil\uff0edev", "“evil.dev” reads like an address"),
        ("invitation_text", "evil.{game}", "“evil.{game}” reads like an address"),
        ("invitation_text", "javascript:/x", "“javascript:/x” reads like an address"),
        ("closing_text", "Write to kim@evil", "“kim@evil” reads like an address"),
        ("closing_text", "back\u202ewards", "There is a character in it that nobody sees"),
        ("closing_text", "x" * 201, "at most 200 characters"),
        ("welcome_text", "x" * 1001, "at most 1000 characters"),
    ],
)
def test_what_cannot_stand_is_refused_and_stays_in_the_form(game, keeper, name, words, why):
    page = set_words(keeper, **{name: words})
    assert page.status_code == 200
    assert why in text(page)
    assert kept(game) == ["", "", ""]
    assert page.context["form"][name].value() == words
    sent = keeper.post(f"/api/v1{AT}admin/settings", json.dumps({name: words}), content_type="application/json")
    assert sent.status_code == 422
    assert why in sent.json()["error"]


@pytest.mark.parametrize("words", ["See 8.3 and XIV.5, z.B. #12, @Ann ... e.g. $1.50 (9 p.m.)", "Braces } and {"])
def test_plain_words_are_no_addresses(words):
    assert letters.problem_of("welcome_text", words) is None


def test_a_text_of_a_thousand_characters_on_many_lines_is_taken(game, keeper):
    words = "\r\n".join(["x" * 99] * 10)
    assert set_words(keeper, welcome_text=words).status_code == 303
    assert kept(game)[1] == words.replace("\r\n", "\n")


def test_no_more_than_one_empty_line_and_no_break_in_the_closing_line(game, keeper):
    set_words(keeper, welcome_text="Hi" + "\r\n" * 40 + "there", closing_text="One\r\n--\u2028Two")
    assert kept(game) == ["", "Hi\n\nthere", "One -- Two"]


def test_the_page_shows_the_usual_words_and_a_preview(game, keeper):
    page = keeper.get(SETTINGS)
    assert "“You are invited to play {game}, a game in which changing the rules is a move.”" in text(page)
    assert "“You are approved by the Admin: you are {player} in {game}.”" in text(page)
    assert USUAL in text(page)
    sent = {"visibility": "link", "host": "", "welcome_text": "Hello <b>{player}</b>", "preview": "1"}
    page = keeper.post(SETTINGS, sent | {"once": token(page)})
    assert page.status_code == 200
    assert "which are not kept yet" in text(page)
    assert "Hello &lt;b&gt;Ann&lt;/b&gt;" in page.content.decode()
    assert page.context["form"]["visibility"].value() == "link"
    assert kept(game) == ["", "", ""]
    assert Game.objects.get(pk=game.pk).visibility == "public"
    page = keeper.post(SETTINGS, sent | {"welcome_text": "Hello {nobody}", "once": token(page)})
    assert "With the words that are kept" in text(page)
    assert "You are approved by the Admin: you are Ann in Friday." in text(page)


def test_the_name_of_who_invites_is_text_beside_the_field(game, keeper):
    domain.change_game(game, host="<b>Kim</b>")
    page = keeper.get(SETTINGS).content.decode()
    assert "&lt;b&gt;Kim&lt;/b&gt; invites you to play {game}" in page
    assert "<b>Kim</b>" not in page


def test_players_set_no_words(game, ann):
    assert ann.post(SETTINGS, {"visibility": "public", "welcome_text": "Mine"}).status_code == 403
    assert kept(game) == ["", "", ""]


def test_the_words_move_with_the_game(game, keeper, monkeypatch, tmp_path):
    monkeypatch.setattr(files, "opened", lambda data, new=False: None)
    monkeypatch.setattr(keeping, "at_one_moment", contextlib.nullcontext)
    set_words(keeper, invitation_text="Come", welcome_text="Hello", closing_text="Yours")
    operating.stop(Game.objects.get(pk=game.pk), "It moves")
    file = tmp_path / "friday.tar.gz"
    assert moving.pack("friday", file, tmp_path) == 0
    assert moving.take_in(file, "moved", None, tmp_path) == 0
    assert kept(Game.objects.get(slug="moved")) == ["Come", "Hello", "Yours"]
