"""Ways into a game: by invitation, by asking, into a house, with an account made on the way; names that look alike."""

import re
import smtplib
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core import mail
from django.test import Client
from pagewords import seated, started, text, token
from test_accounts import code

from nomopoly.rulebook.source import described_editions
from nomopoly.site import names
from nomopoly.site.lobby import about
from nomopoly.site.post import office
from nomopoly.site.tables import domain, live
from nomopoly.site.tables.journal import DatabaseJournal
from nomopoly.site.tables.models import Game, Membership

JOIN = "/g/friday/join/"


def invitation(game):
    return f"{JOIN}?invitation={game.invitation}"


def come_in(browser, address, name, mail_address):
    """Come in with an account made on the way. Returns the answer to the code."""
    asked = browser.post(address, {"name": name, "email": mail_address})
    assert asked.status_code == 303, text(asked)
    where = asked.url
    assert name not in mail.outbox[-1].body
    return browser.post(where, {"code": code(), "next": re.search(r"next=([^&]*)", where)[1].replace("%2F", "/")})


@pytest.fixture
def house(keeper):
    return started(keeper, "original", "friday", title="Friday", since=3600, office="house")


# ---- by invitation


def test_the_invitation_shows_what_one_is_invited_to(game, ann):
    domain.change_game(game, host="Kim")
    page = Client().get(invitation(game))
    assert "Kim invites you" in text(page)
    assert "How it began: nine short sections" in text(page)
    assert "One player plays it" in text(page)
    assert b"<svg" in page.content
    fields = re.findall(r'<(?:input|textarea|select)[^>]* name="([^"]+)"', page.content.decode())
    asked = list(dict.fromkeys(fields))
    assert [each for each in asked if each not in ("csrfmiddlewaretoken", "once", "time_zone")] == [
        "name",
        "piece",
        "email",
    ]


def test_who_is_invited_is_in_the_game_once_the_code_is_typed(game):
    browser = Client()
    answer = come_in(browser, invitation(game), "Dot", "dot@example.org")
    assert answer.url == "/g/friday/"
    page = browser.get("/g/friday/")
    assert "You are in the game as Dot" in text(page)
    assert "you are Dot" in text(page)
    assert Membership.objects.get(player="Dot").status == "approved"
    assert live.of(game).view("Dot")["things"]["Dot"]["money"] == 1000
    assert [each.subject for each in mail.outbox if "asks to join" in each.subject] == []


def test_the_blank_that_a_phone_adds_to_a_name_does_not_count(game, ann, people):
    assert Client().get(f"{JOIN}name/", {"name": "Dot "}).json() == {"refused": ""}
    assert come_in(Client(), invitation(game), "Dot ", "dot@example.org").url == "/g/friday/"
    people("bob").post(JOIN, {"name": " Bob ", "rules": "on"})
    assert {each.player: each.status for each in Membership.objects.filter(game=game)} == {
        "Ann": "approved",
        "Dot": "approved",
        "Bob": "asked",
    }


def test_nobody_else_is_called_as_who_invites(game, keeper, people):
    domain.change_game(game, host="Mr Brown")
    for name in ("Mr Brown", "MR  BR0WN"):
        page = text(Client().post(invitation(game), {"name": name, "email": "dot@example.org"}))
        assert "Mr Brown invites to this game. Choose another one." in page
    assert "invites to this game" in text(people("bob").post(JOIN, {"name": "Mr Brown", "rules": "on"}))
    assert not Membership.objects.filter(player="Mr Brown").exists()


def test_who_invites_may_play_under_the_name(house, people, keeper):
    domain.change_game(house, host="Kim")
    keeper.post(JOIN, {"name": "Kim"})
    assert Membership.objects.get(game=house, player="Kim").user == keeper.user


def test_a_name_that_the_rules_refuse_after_the_code_stands_in_the_field_to_be_mended(game):
    browser = Client()
    answer = come_in(browser, invitation(game), "P1", "dot@example.org")
    page = browser.get(answer.url)
    assert "Name taken: it belongs to something in the game." in text(page)
    assert 'value="P1"' in page.content.decode()


def test_who_is_signed_in_already_gives_a_name_alone(game, people):
    bob = people("bob")
    page = bob.get(invitation(game))
    assert 'name="email"' not in page.content.decode()
    answer = bob.post(invitation(game), {"name": "Bob", "once": token(page)})
    assert (answer.status_code, answer.url) == (303, "/g/friday/")
    assert Membership.objects.get(player="Bob").status == "approved"


def test_a_piece_is_chosen_on_the_way_in(game, ann):
    Membership.objects.filter(player="Ann").update(piece="ship")
    browser = Client()
    page = browser.get(invitation(game)).content.decode()
    assert 'value="crown"' in page
    assert 'value="ship"' not in page
    asked = browser.post(invitation(game), {"name": "Dot", "piece": "crown", "email": "dot@example.org"})
    browser.post(asked.url, {"code": code()})
    assert Membership.objects.get(player="Dot").piece == "crown"


def test_a_piece_that_somebody_was_quicker_to_choose_is_named(game, ann, people):
    bob = people("bob")
    page = bob.get(invitation(game))
    Membership.objects.filter(player="Ann").update(piece="ship")
    answer = bob.post(invitation(game), {"name": "Bob", "piece": "ship", "once": token(page)})
    assert "Somebody else has taken this piece: choose another" in answer.content.decode()
    assert 'value="Bob"' in answer.content.decode()
    assert not Membership.objects.filter(player="Bob").exists()


def test_no_admin_invites_to_a_game_that_has_none(game, ann):
    assert "The Admin invites you" in text(Client().get(invitation(game)))
    domain.change_game(game, admin=None)
    page = text(Client().get(invitation(game)))
    assert "The Admin invites you" not in page
    assert "You are invited" in page


def test_an_invitation_is_needed_for_that(game, people):
    bob = people("bob")
    bob.post(f"{JOIN}?invitation=wrong", {"name": "Bob", "rules": "on"})
    assert Membership.objects.get(player="Bob").status == "asked"
    assert Client().get(JOIN).url == "/account/login/?next=/g/friday/join/"


def test_an_invitation_holds_while_applications_are_closed(game, people):
    domain.change_game(game, closed=True)
    assert "takes no new players" in text(people("bob").get(JOIN))
    bob = people("bob")
    assert bob.post(invitation(game), {"name": "Bob"}).url == "/g/friday/"


def test_whoever_has_been_removed_does_not_come_back_by_invitation(game, ann):
    domain.desk_act(game, "remove-player", {"player": "Ann", "because": "enough"})
    page = ann.post(invitation(game), {"name": "Ann"})
    assert "has removed you" in text(page)
    assert Membership.objects.get(player="Ann").status == "left"


def test_whoever_has_been_removed_is_told_so_and_why(game, ann):
    mail.outbox.clear()
    domain.desk_act(game, "remove-player", {"player": "Ann", "because": "Nothing heard from you"})
    (letter,) = mail.outbox
    assert letter.to == ["ann@example.org"]
    assert letter.subject == "[Friday] You are out of the game"
    assert letter.body.startswith("You were removed from Friday by the Admin.\n\nNothing heard from you\n")


def test_a_name_that_is_taken_is_refused_before_any_code_is_sent(game, ann):
    page = Client().post(invitation(game), {"name": "Ann", "email": "dot@example.org"})
    assert "name taken" in text(page)
    assert 'value="dot@example.org"' in page.content.decode()
    assert mail.outbox == [] or "dot@example.org" not in mail.outbox[-1].to


def test_a_class_comes_in_within_a_minute_from_behind_one_network_address(game):
    answers = [
        Client().post(invitation(game), {"name": f"Pupil {n}", "email": f"teacher+{n}@example.org"}).status_code
        for n in range(30)
    ]
    assert answers == [303] * 30


def test_the_second_of_one_name_is_asked_for_another(game, ann):
    page = Client().post(invitation(game), {"name": "ann", "email": "dot@example.org"})
    assert "somebody plays here as Ann. Choose another one" in text(page)


def test_a_name_taken_while_the_code_was_on_its_way_is_asked_for_again(game, people):
    browser = Client()
    asked = browser.post(invitation(game), {"name": "Bob", "email": "dot@example.org"})
    typed = code()
    seated(game, people("bob"), "Bob")
    answer = browser.post(asked.url, {"code": typed}, follow=True)
    assert "taken" in text(answer)
    assert 'name="name"' in answer.content.decode()


def test_a_code_typed_twice_is_one_seat(game):
    browser = Client()
    asked = browser.post(invitation(game), {"name": "Dot", "email": "dot@example.org"})
    typed = {"code": code()}
    browser.post(asked.url, typed)
    browser.post(asked.url, typed)
    assert Membership.objects.filter(player="Dot").count() == 1


def test_a_player_who_opens_the_invitation_and_signs_in_comes_to_the_game(game, ann):
    browser = Client()
    assert come_in(browser, invitation(game), "Annie", "ann@example.org").url == "/g/friday/"
    assert "you are Ann" in text(browser.get("/g/friday/"))
    assert not Membership.objects.filter(player="Annie").exists()


def test_a_private_game_is_seen_by_invitation_alone(game):
    domain.change_game(game, visibility="private")
    assert Client().get(JOIN).status_code == 404
    stranger, nowhere = (
        Client().post(f"/g/{slug}/join/", {"name": "Dot", "email": "dot@example.org"}) for slug in ("friday", "nobody")
    )
    assert stranger.url.split("again")[0] == nowhere.url.split("again")[0] == "/account/login/?next=%2F"
    assert mail.outbox == []
    browser = Client()
    assert "in the public log" not in text(browser.get(invitation(game)))
    assert "all who are in it see in the log what you do" in text(browser.get(invitation(game)))
    assert come_in(browser, invitation(game), "Dot", "dot@example.org").url == "/g/friday/"
    assert browser.get("/g/friday/").status_code == 200


# ---- into a house


def test_a_house_lets_everybody_in_and_the_log_says_who_did(house):
    browser = Client()
    assert come_in(browser, JOIN, "Dot", "dot@example.org").url == "/g/friday/"
    assert Membership.objects.get(player="Dot").status == "approved"
    assert [line["by"] for line in DatabaseJournal(house.pk).lines() if line["do"] == "approve-player"] == ["The house"]


def test_who_starts_a_house_is_no_admin_and_plays(house, keeper):
    assert house.admin is None
    assert keeper.get("/g/friday/admin/").status_code == 403
    assert keeper.post(JOIN, {"name": "Kim"}).url == "/g/friday/"
    assert "you are Kim" in text(keeper.get("/g/friday/"))


# ---- names


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("\u0410nn", "mixes Cyrillic and Latin letters"),
        ("Ann\u202e", "nobody sees"),
        ("\uff21nn", "looks the same as Ann"),
        ("Ann\u200d", "looks the same as Ann"),
        ("8en", None),
        ("B0b", "looks the same as Bob"),
        ("Ann-Lee", None),
        ("\u0410\u043d\u044f", None),
        ("\u5c71\u7530\u305f\u308d\u3046", None),
        ("\U0001f469\u200d\U0001f680", None),
    ],
)
def test_names_that_look_alike_are_refused(name, said):
    found = names.refusal(name, ["Ann", "Bob"])
    assert (found is None) if said is None else said in found


def test_a_name_that_looks_like_a_players_is_refused_at_the_door(people, ann, game):
    page = people("bob").post(JOIN, {"name": "\u0410nn", "rules": "on"})
    assert "could be mistaken for another" in text(page)
    assert not Membership.objects.filter(user__email="bob@example.org").exists()


def test_the_players_of_a_demo_who_have_no_account_are_not_mistaken_either(people, game):
    with live.of(game).writing() as running:
        running.join("Cid", live.now())
        running.admin("approve-player", {"player": "Cid"}, live.now())
    assert "looks the same as Cid" in domain.ask_to_join(game, people("bob").user, "C1d").refused


# ---- starting a game


def test_title_and_rules_are_enough(people):
    browser = people("keeper")
    page = browser.get("/games/new/")
    assert page.content.decode().count("<svg") >= 4
    answer = browser.post("/games/new/", {"title": "Ünsere Runde!", "edition": "original", "once": token(page)})
    assert answer.url == "/g/unsere-runde/invite/"
    game = Game.objects.get()
    assert (game.office, game.visibility, game.time_zone, game.admin) == ("person", "public", "UTC", browser.user)
    again = browser.post("/games/new/", {"title": "Unsere Runde", "edition": "original"})
    assert again.url == "/g/unsere-runde-2/invite/"


def test_a_title_without_latin_letters_has_an_address_too(people):
    answer = people("keeper").post("/games/new/", {"title": "四方", "edition": "original"})
    assert answer.url == "/g/game/invite/"


def test_the_page_after_the_start_has_the_link_and_sends_invitations(people, game, keeper):
    page = keeper.get("/g/friday/invite/")
    assert f"/g/friday/join/?invitation={game.invitation}" in page.content.decode()
    answer = keeper.post("/g/friday/invite/", {"host": "Kim", "invite": "dot@example.org", "once": token(page)})
    assert answer.status_code == 303
    assert mail.outbox[-1].to == ["dot@example.org"]
    assert "Kim invites you" in mail.outbox[-1].subject
    assert people("bob").get("/g/friday/invite/").status_code == 403


def test_an_address_that_is_written_twice_gets_one_mail(people, game, keeper):
    page = keeper.get("/g/friday/invite/")
    twice = "dot@example.org, Eve <eve@example.org>\nDot@example.org; dot@example.org"
    answer = keeper.post("/g/friday/invite/", {"host": "Kim", "invite": twice, "once": token(page)}, follow=True)
    assert "Invitations went to 2." in text(answer)
    assert [each.to for each in mail.outbox[-2:]] == [["dot@example.org"], ["eve@example.org"]]


def test_a_link_can_be_made_void(people, game, keeper):
    old = invitation(game)
    page = keeper.get("/g/friday/invite/")
    keeper.post("/g/friday/invite/", {"renew": "1", "once": token(page)})
    game.refresh_from_db()
    assert invitation(game) != old
    people("bob").post(old, {"name": "Bob", "rules": "on"})
    assert Membership.objects.get(player="Bob").status == "asked"


def test_who_has_opened_a_link_that_is_made_void_is_invited_no_more(people, game, keeper):
    domain.change_game(game, visibility="private")
    bob = people("bob")
    assert bob.get(invitation(game)).status_code == 200
    assert bob.get("/g/friday/").status_code == 200
    keeper.post("/g/friday/invite/", {"renew": "1", "once": token(keeper.get("/g/friday/invite/"))})
    assert bob.get("/g/friday/").status_code == 404
    assert bob.post(JOIN, {"name": "Bob"}).status_code == 404
    assert not Membership.objects.filter(user=bob.user).exists()


def test_what_was_typed_is_there_after_the_log_in(game):
    browser = Client()
    answer = browser.post("/games/new/", {"title": "Our game", "from": "friday", "office": "house"})
    assert answer.status_code == 303
    back = parse_qs(urlsplit(answer.url).query)["next"][0]
    asked = browser.post("/account/login/code/", {"email": "new@example.org", "next": back})
    page = browser.get(browser.post(asked.url, {"code": code(), "next": back}).url).content.decode()
    assert "Our game" in page
    sent = dict(re.findall(r'name="(\w+)"[^>]*(?: value="|>)([^"<]*)', page))
    assert browser.post("/games/new/", {name: sent[name] for name in ("title", "from", "office")}).status_code == 303
    assert Game.objects.get(title="Our game").office == "house"


def test_a_game_with_the_rules_of_another(people, game, ann):
    change = {"enact": "X.8", "section": "Additions", "text": "Ann is right.", "params": {"times": 3}}
    domain.order(game, "Ann", "propose", {"title": "On me", "changes": [change]})
    domain.desk_act(game, "accept", {"on": "P1"})
    browser = people("eve")
    page = browser.get("/games/new/?from=friday")
    assert 'value="Friday, again"' in page.content.decode()
    assert 'name="edition"' not in page.content.decode()
    browser.post("/games/new/?from=friday", {"title": "Saturday", "once": token(page)})
    saturday = Game.objects.get(slug="saturday")
    before = {record["id"]: (record["text"], record["params"]) for record in live.of(game).records()}
    after = {record["id"]: (record["text"], record["params"]) for record in live.of(saturday).records()}
    assert before == after
    ages = {record["id"]: record["since"] for record in live.of(saturday).records()}
    assert ages["X.8"] == 0
    assert ages["I.4"] < 0
    assert domain.ask_to_join(saturday, ann.user, "Ann", invited=True).ok


def test_a_private_game_that_is_played_again_is_private_if_nothing_else_is_chosen(keeper, game):
    """The choice is in a part of the form that is folded: it was open to everybody before one knew."""
    domain.change_game(game, visibility="private", office="table")
    page = keeper.get("/games/new/?from=friday")
    for chosen in ('value="private"', 'value="table"'):
        assert re.search(f"{chosen}[^>]* checked", page.content.decode())
    keeper.post("/games/new/?from=friday", {"title": "Saturday", "once": token(page)})
    keeper.post("/games/new/?from=friday", {"title": "Sunday", "visibility": "link", "office": "house"})
    again = Game.objects.filter(slug__in=("saturday", "sunday")).order_by("pk")
    assert [(each.visibility, each.office) for each in again] == [("private", "table"), ("link", "house")]


def test_the_rules_of_a_private_game_are_nobodys_to_play_again(people, game, ann):
    domain.change_game(game, visibility="private")
    assert people("eve").get("/games/new/?from=friday").status_code == 404
    domain.change_game(game, visibility="link")
    assert people("eve").get("/games/new/?from=friday").status_code == 404
    assert ann.get("/games/new/?from=friday").status_code == 200
    assert ann.get("/games/new/?from=nowhere").status_code == 404


def test_whether_a_name_can_be_had_is_told_before_one_asks_for_it(game, ann, people):
    def said(browser, name):
        return browser.get(f"{JOIN}name/", {"name": name}).json()["refused"]

    before = live.of(game).n, Membership.objects.count()
    for browser in (people("eve"), Client()):
        assert said(browser, "Eve") == ""
        assert said(browser, " ") == ""
        assert "name taken" in said(browser, "ANN")
        assert "looks the same as Ann" in said(browser, "\u0410nn") or "alphabet" in said(browser, "\u0410nn")
        assert "reserved" in said(browser, "The Admin")
        assert "30" in said(browser, "x" * 31)
    assert (live.of(game).n, Membership.objects.count()) == before
    assert Client().post(f"{JOIN}name/", {"name": "Eve"}).status_code == 405
    domain.change_game(game, visibility="private")
    assert Client().get(f"{JOIN}name/", {"name": "Ann"}).status_code == 404


def test_who_has_left_can_have_the_name_that_was_theirs(game, ann):
    assert domain.leave(game, Membership.objects.get(player="Ann")).ok
    assert ann.get(f"{JOIN}name/", {"name": "Ann"}).json() == {"refused": ""}
    assert "somebody has played here as Ann" in Client().get(f"{JOIN}name/", {"name": "Ann"}).json()["refused"]


def test_who_invites_sees_which_invitations_have_not_arrived(people, game, keeper, monkeypatch):
    letters = {"full@example.org": 452, "nobody@example.org": 550}

    def refuse(letter):
        if letter.to in letters:
            raise smtplib.SMTPRecipientsRefused({letter.to: (letters[letter.to], b"by mx.example.org")})

    def invited(*addresses):
        page = keeper.get("/g/friday/invite/")
        keeper.post("/g/friday/invite/", {"host": "Kim", "invite": "\n".join(addresses), "once": token(page)})
        office.deliver()
        return text(keeper.get("/g/friday/invite/"))

    monkeypatch.setattr(office, "send", refuse)
    page = invited("dot@example.org", *letters)
    assert "nobody@example.org : could not be delivered. It is not tried again." in page
    assert "full@example.org : not taken so far. It is tried again." in page
    assert "dot@example.org" not in page
    assert "mx.example.org" not in page
    told = keeper.get("/api/v1/g/friday/invitations").json()["not_arrived"]
    assert sorted((each["to"], each["tried_again"]) for each in told) == [
        ("full@example.org", True),
        ("nobody@example.org", False),
    ]
    assert b"nobody@example.org" not in people("bob").get("/g/friday/invite/").content
    del letters["nobody@example.org"]
    assert "nobody@example.org" not in invited("nobody@example.org")


def test_what_an_edition_is_stands_in_the_readers_language(game):
    german = Client(headers={"accept-language": "de"})
    told = text(german.get(invitation(game)))
    assert "So fing es an: neun kurze Abschnitte" in told
    assert "How it began" not in told
    assert {each["about"] for each in described_editions()} == {*about.SHIPPED}


def test_who_starts_a_game_reads_in_their_language_what_each_edition_is(keeper):
    page = text(keeper.get("/games/new/", headers={"accept-language": "de"}))
    assert "Das längste Regelbuch: zwei Aktualisierungen pro Woche" in page
    assert "The longest rulebook" not in page
