"""The desk: applications closed and opened, and the office handed over."""

import re

import pytest
import testclock
from django.core import mail
from django.test import Client
from pagewords import text, token

from nomopoly.errors import CommandError
from nomopoly.site import files
from nomopoly.site.accounts import closing
from nomopoly.site.order.models import OperatorAct
from nomopoly.site.tables import deciding, domain, live, queries
from nomopoly.site.tables.models import OFFER_SECONDS

AT = "/g/friday/"
HAND_OVER = f"{AT}admin/hand-over/"
OFFICE = f"{AT}office/"
CLOSED = "This game takes no new players at the moment"


# ---- applications


def test_applications_are_closed_and_opened_again(keeper, people, game):
    assert "Close applications" in text(keeper.get(f"{AT}admin/"))
    keeper.post(f"{AT}admin/applications/", {"do": "close"})
    eve = people("eve")
    page = eve.get(f"{AT}join/")
    assert CLOSED in text(page)
    assert 'name="name"' not in page.content.decode()
    refused = eve.post(f"{AT}join/", {"name": "Eve", "rules": "on"})
    assert CLOSED in text(refused)
    assert domain.ask_to_join(game_now(game), eve.user, "Eve").refused == CLOSED
    assert not eve.user.memberships.exists()
    assert "Ask to join" not in text(Client().get(AT))
    assert CLOSED in text(Client().get(AT))
    assert "Friday" not in text(eve.get("/me/"))
    assert "Friday" in text(eve.get("/games/"))
    assert "Open applications" in text(keeper.get(f"{AT}admin/"))
    keeper.post(f"{AT}admin/applications/", {"do": "open"})
    assert domain.ask_to_join(game_now(game), eve.user, "Eve").ok


def game_now(game):
    game.refresh_from_db()
    return game


def test_who_has_asked_before_is_still_let_in(keeper, people, game):
    bob = people("bob")
    domain.ask_to_join(game, bob.user, "Bob")
    keeper.post(f"{AT}admin/applications/", {"do": "close"})
    assert "You have asked already" in text(bob.get(f"{AT}join/"))
    assert domain.desk_act(game_now(game), "approve-player", {"player": "Bob"}).ok


def test_only_the_admin_closes(ann, game):
    assert ann.post(f"{AT}admin/applications/", {"do": "close"}).status_code == 403
    assert ann.post(HAND_OVER, {"to": "ann@example.org"}).status_code == 403
    assert not game_now(game).closed


# ---- the office


def offer(keeper, to="eve@example.org"):
    answer = keeper.post(HAND_OVER, {"to": to})
    assert answer.status_code == 303


def test_the_office_changes_hands_when_it_is_accepted(keeper, people, game):
    assert f'href="{HAND_OVER}"' in keeper.get(f"{AT}admin/").content.decode()
    eve = people("eve")
    offer(keeper, "Eve@Example.org")
    assert mail.outbox[-1].to == ["Eve@Example.org"]
    assert OFFICE in mail.outbox[-1].body
    assert game_now(game).admin == keeper.user
    assert "Eve@Example.org" in text(keeper.get(HAND_OVER))
    assert "you are offered the office of Admin" in text(eve.get("/me/"))
    sent = {"do": "accept", "once": token(eve.get(OFFICE))}
    answer = eve.post(OFFICE, sent)
    assert answer.status_code == 303
    assert answer.url == f"{AT}admin/"
    assert game_now(game).admin == eve.user
    assert game.successor == ""
    assert eve.get(f"{AT}admin/").status_code == 200
    assert keeper.get(f"{AT}admin/").status_code == 403
    entry = live.of(game).facts("visitor")[-1]
    assert (entry["kind"], entry["do"]) == ("admin", "rule")
    assert "The office of Admin has passed to another person" in text(Client().get(f"{AT}log/"))
    for reader in (keeper, Client()):
        for path in ("", "log/", "rulings/", "about/"):
            assert "example.org" not in reader.get(AT + path).content.decode()
    n = live.of(game).n
    assert eve.post(OFFICE, sent).status_code == 303
    assert live.of(game).n == n


def test_who_has_handed_over_invites_nobody_and_sets_nothing_any_more(keeper, people, game):
    """They kept the settings, with the words of the mails and who may read the game, and let people in by themselves."""
    eve = people("eve")
    offer(keeper)
    assert eve.post(OFFICE, {"do": "accept"}).status_code == 303
    for path in ("admin/settings/", "invite/"):
        refused = keeper.get(AT + path)
        assert refused.status_code == 403
        assert "Only the Admin of this game can do that" in text(refused)
        assert eve.get(AT + path).status_code == 200
    assert keeper.post(f"{AT}admin/settings/", {"visibility": "private"}).status_code == 403
    assert f'href="{AT}invite/"' not in keeper.get(AT).content.decode()
    keeper.post(f"{AT}join/", {"name": "Kim", "rules": "on"})
    assert keeper.user.memberships.get().status == "asked"
    domain.change_game(game_now(game), admin=None)
    assert keeper.get(f"{AT}invite/").status_code == 200


def test_it_may_be_declined_or_taken_back(keeper, people, game):
    eve = people("eve")
    offer(keeper)
    mail.outbox.clear()
    eve.post(OFFICE, {"do": "decline"})
    assert game_now(game).successor == ""
    (letter,) = mail.outbox
    assert (letter.to, letter.subject) == (["keeper@example.org"], "[Friday] The office of Admin is declined")
    assert "has been declined. You stay the Admin." in letter.body
    offer(keeper)
    keeper.post(HAND_OVER, {"withdraw": "1"})
    assert eve.get(OFFICE).status_code == 404
    assert eve.post(OFFICE, {"do": "accept"}).status_code == 404
    assert game_now(game).admin == keeper.user


def test_an_offer_that_was_taken_back_meanwhile_is_not_taken(people, game):
    outcome = domain.hand_over(game, people("eve").user, offered="eve@example.org")
    assert outcome.refused == "Nobody offers you the office of this game, or no longer."
    assert game_now(game).admin.email == "keeper@example.org"


def test_an_offer_outlives_the_account_of_who_has_made_it(keeper, ann, people, game):
    offer(keeper)
    closing.close(keeper.user, nameless=False)
    eve, cid = people("eve"), people("cid")
    page = text(eve.get(OFFICE))
    assert "The former Admin of Friday has offered you the office, and has left since." in page
    assert "would like to hand the office over" not in page
    waits = "Nobody is the Admin of this game now: your wish waits until somebody is."
    asked = cid.post(f"{AT}join/", {"name": "Cid", "rules": "on", "once": token(cid.get(f"{AT}join/"))}, follow=True)
    for page in (asked, cid.get(AT), cid.get("/me/"), cid.get(f"{AT}act/")):
        assert waits in text(page)
        assert "has not answered" not in text(page)
        assert "has been asked" not in text(page)
    assert "You have asked already; nobody is the Admin of this game now" in text(cid.get(f"{AT}join/"))
    assert eve.post(OFFICE, {"do": "accept"}).url == f"{AT}admin/"
    assert "the Admin has not answered yet" in text(cid.get(AT))
    assert game_now(game).admin == eve.user


def test_what_the_table_was_asked_is_settled_when_a_person_takes_the_office(ann, people, game):
    domain.change_game(game, office="table", admin=None)
    assert domain.ask_to_join(game, people("cid").user, "Cid").ok
    deciding.decide(game)
    assert game.table_questions.filter(settled=None).count() == 1
    assert domain.hand_over(game, people("eve").user).ok
    assert not game.table_questions.filter(settled=None).exists()
    assert "Cid asks to join" in text(people("eve").get(f"{AT}admin/"))


def test_nobody_else_can_take_it(keeper, ann, people, game):
    offer(keeper)
    for browser in (ann, people("bob")):
        assert browser.get(OFFICE).status_code == 404
        assert browser.post(OFFICE, {"do": "accept"}).status_code == 404
    assert Client().get(OFFICE).status_code == 302
    unproven = people("mallory")
    unproven.user.emailaddress_set.create(email="eve@example.org", verified=False)
    assert unproven.get(OFFICE).status_code == 404
    assert game_now(game).admin == keeper.user


def test_who_has_asked_to_join_takes_that_back_before(keeper, people, game):
    domain.ask_to_join(game, people("eve").user, "Eve")
    offer(keeper, "eve@example.org")
    page = people("eve").get(OFFICE)
    assert "Take the wish back" in text(page)
    assert "Accept the office" not in text(page)


def test_a_player_leaves_before_taking_it(keeper, ann, game):
    offer(keeper, "ann@example.org")
    asked = ann.get(OFFICE)
    assert "The Admin does not play" in text(asked)
    assert "Accept the office" not in text(asked)
    assert 'href="/g/friday/leave/"' in asked.content.decode()
    refused = ann.post(OFFICE, {"do": "accept"})
    assert refused.status_code == 200
    assert "The Admin does not play" in text(refused)
    assert game_now(game).admin == keeper.user
    domain.leave(game, ann.user.memberships.get())
    assert "Accept the office" in text(ann.get(OFFICE))
    assert ann.post(OFFICE, {"do": "accept"}).status_code == 303
    assert game_now(game).admin == ann.user


def test_the_answer_does_not_tell_who_has_an_account(keeper, people, game):
    people("eve")
    told = []
    for to in ("eve@example.org", "nobody@example.org"):
        testclock.set_clock(testclock.coming_noon())  # so that both were made in the same minute
        offer(keeper, to)
        told.append(re.sub(r"\(in \d.*?\)", "", text(keeper.get(HAND_OVER))).replace(to, "X"))
    assert told[0] == told[1]


@pytest.mark.parametrize(("to", "said"), [("", "required"), ("me", "valid"), ("KEEPER@example.org", "your own")])
def test_what_is_no_address_of_a_successor_is_refused(keeper, game, to, said):
    page = keeper.post(HAND_OVER, {"to": to})
    assert page.status_code == 200
    assert said in text(page)
    assert game_now(game).successor == ""
    assert not mail.outbox


def test_a_game_that_is_over_is_handed_over_too(keeper, people, game):
    """Its log takes nothing any more, and the desk goes on: talk, settings. The offer could be made, and not taken."""
    assert domain.desk_act(game, "declare-winner", {"because": "enough"}).ok
    n = live.of(game).n
    offer(keeper)
    eve = people("eve")
    assert eve.post(OFFICE, {"do": "accept"}).url == f"{AT}admin/"
    assert (game_now(game).admin, game.successor, live.of(game).n) == (eve.user, "", n)


def test_a_private_game_is_handed_over_too(keeper, people, game):
    domain.change_game(game, visibility="private")
    eve = people("eve")
    assert eve.get(AT).status_code == 404
    assert "you can read it only through its link to share" in text(keeper.get(HAND_OVER))
    offer(keeper)
    assert eve.get(OFFICE).status_code == 200
    link = re.search(r'id="share" readonly value="([^"]+)"', keeper.get(f"{AT}invite/").content.decode())[1]
    eve.post(OFFICE, {"do": "accept"})
    assert eve.get(AT).status_code == 200
    assert keeper.get(AT).status_code == 404
    assert keeper.get(link).status_code == 200
    assert keeper.get(f"{AT}log/").status_code == 200


def logged(act):
    """What the operators' log says of an act of the command line."""
    assert act.by == "the command line"
    return act.what, act.about, act.because


def test_the_operator_gives_the_office_of_a_game_without_admin(
    keeper, ann, people, game, tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(files, "opened", lambda data, new=False: None)
    domain.change_game(game, admin=None)
    eve = people("eve")
    assert files.give_office("friday", "eve@example.org", tmp_path) == 0
    assert "eve@example.org is the Admin of Friday now" in capsys.readouterr().out
    assert game_now(game).admin == eve.user
    assert "The operator of the site has given the office" in text(Client().get(f"{AT}log/"))
    with pytest.raises(CommandError, match="ann@example.org plays in it, or has asked to, and the Admin does not play"):
        files.give_office("friday", "ann@example.org", tmp_path)
    with pytest.raises(CommandError, match="there is no account of nobody@example.org"):
        files.give_office("friday", "nobody@example.org", tmp_path)
    blocked = people("fay").user
    blocked.is_active = False
    blocked.save(update_fields=["is_active"])
    with pytest.raises(CommandError, match="fay@example.org is blocked"):
        files.give_office("friday", "fay@example.org", tmp_path)
    assert game_now(game).admin == eve.user
    assert [logged(each) for each in OperatorAct.objects.all()] == [("give office", "game friday", files.NO_REASON)]


def stop_of(game):
    """The number of the entry by which the operator has stopped a game."""
    return live.of(game).facts("admin").where(kind=["operator"])[-1]["number"]


def test_the_operator_stops_a_game_and_lets_it_go_on(keeper, ann, game, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(files, "opened", lambda data, new=False: None)
    assert files.operate("friday", "stop", "Spam in its log", tmp_path) == 0
    assert "Friday is stopped" in capsys.readouterr().out
    for page in ("", "log/", "admin/"):
        assert keeper.get(f"{AT}{page}").status_code == 200
    assert "The operator of the site stops the game: Spam in its log" in text(Client().get(f"{AT}log/"))
    for page in ("", "act/", "act/trade/"):
        shown = text(ann.get(f"{AT}{page}"))
        assert "The operator of this site has stopped the game" in shown
        assert re.search(r"stopped the game: Spam in its log \(since \w+ \d+ \w+ \d{4} \d\d:\d\d", shown)
        assert "only voting is possible" not in shown
    assert game_now(game).due is None
    assert "the operator of this site has stopped the game" in domain.desk_act(game, "resume", {}).refused
    desk = text(keeper.get(f"{AT}admin/strike/{stop_of(game)}/", follow=True))
    assert "This is what the operator of this site has done, and nobody else can strike it" in desk
    assert f'href="{AT}admin/strike/{stop_of(game)}/"' not in keeper.get(f"{AT}admin/strike/").content.decode()
    with pytest.raises(CommandError, match="already"):
        files.operate("friday", "stop", "Again", tmp_path)
    assert files.operate("friday", "resume", "It is clean", tmp_path) == 0
    assert "Friday goes on" in capsys.readouterr().out
    told = [("stop", "game friday", "Spam in its log"), ("resume", "game friday", "It is clean")]
    assert [logged(each) for each in OperatorAct.objects.order_by("pk")] == told
    assert domain.desk_act(game, "pause", {}).ok


# ---- an offer has its time


def test_an_offer_of_the_office_ends_after_two_weeks(keeper, people, game, monkeypatch):
    eve, now = people("eve"), live.now()
    offer(keeper)
    ends = queries.in_words(now + OFFER_SECONDS, "moment")
    assert f"If you do nothing, the offer ends on {ends}, and nothing changes." in " ".join(
        mail.outbox[-1].body.split()
    )
    page = text(eve.get(OFFICE))
    assert f"You can accept it until {ends}" in page
    assert f"who can accept it until {ends}" in text(keeper.get(HAND_OVER))
    assert f"until {ends}" in text(eve.get("/me/"))
    once = token(eve.get(OFFICE))
    monkeypatch.setattr(live, "now", lambda: now + OFFER_SECONDS + 60)
    assert eve.get(OFFICE).status_code == 404
    assert eve.post(OFFICE, {"do": "accept", "once": once}).status_code == 404
    assert "offered the office" not in text(eve.get("/me/"))
    assert not domain.hand_over(game_now(game), eve.user, offered="eve@example.org").ok
    page = text(keeper.get(HAND_OVER))
    assert "who has not answered in time. The offer has ended" in page
    assert "Take the offer back" not in page
    offer(keeper)
    assert eve.get(OFFICE).status_code == 200
