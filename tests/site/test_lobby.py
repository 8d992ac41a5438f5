"""Home, starting a game, asking to join, leaving, and who may know of a private game."""

import re

import pytest
from django.core import mail
from django.core.exceptions import ValidationError
from django.test import Client
from pagewords import text, token

from nomopoly import demo
from nomopoly.rulebook.source import offered_editions
from nomopoly.site.lobby.forms import Addresses
from nomopoly.site.tables import domain, live
from nomopoly.site.tables.models import Entry, Game, Membership

NEW = {
    "edition": "original",
    "title": "Our <b>game</b>",
    "slug": "ours",
    "visibility": "private",
    "time_zone": "Europe/Berlin",
}


def test_home_says_what_it_is_and_shows_the_demo(demos):
    page = Client().get("/")
    assert "The Friday Table" in text(page)
    assert b"<svg" in page.content
    assert "Rule X.1" in text(page)


def test_headers_keep_scripts_and_referrers_in_check():
    answer = Client().get("/")
    assert "script-src 'self'" in answer["Content-Security-Policy"]
    assert "unsafe" not in answer["Content-Security-Policy"]
    assert answer["Referrer-Policy"] == "same-origin"
    assert answer["X-Frame-Options"] == "DENY"
    assert not re.search(rb"<script(?! [^>]*src=)|\son[a-z]+=|\sstyle=", answer.content)


def test_who_starts_a_game_is_its_admin(people):
    browser = people("keeper")
    page = browser.get("/games/new/")
    answer = browser.post("/games/new/", NEW | {"invite": "bob@example.org", "once": token(page)})
    assert (answer.status_code, answer.url) == (303, "/g/ours/invite/")
    game = Game.objects.get(slug="ours")
    assert (game.admin, game.visibility, game.time_zone) == (browser.user, "private", "Europe/Berlin")
    assert mail.outbox[-1].to == ["bob@example.org"]
    assert "/g/ours/join/?invitation=" in mail.outbox[-1].body
    desk = browser.get("/g/ours/admin/")
    assert "Our &lt;b&gt;game&lt;/b&gt;" in desk.content.decode()


def test_the_editions_are_offered():
    assert {"original", "iv", "ii"} <= {name for name, _ in offered_editions()}


@pytest.mark.parametrize("edition", [name for name, _ in offered_editions()])
def test_every_edition_can_be_started_joined_and_looked_at(people, edition):
    browser = people("keeper")
    page = browser.get("/games/new/")
    assert f'value="{edition}"' in page.content.decode()
    answer = browser.post("/games/new/", NEW | {"edition": edition, "visibility": "public", "once": token(page)})
    assert (answer.status_code, answer.url) == (303, "/g/ours/invite/")
    bob = people("bob")
    join = {"name": "Bob", "message": "", "rules": "on", "once": token(bob.get("/g/ours/join/"))}
    assert bob.post("/g/ours/join/", join).status_code == 303
    approve = {"do": "approve-player", "player": "Bob", "once": token(browser.get("/g/ours/admin/"))}
    assert browser.post("/g/ours/admin/", approve).status_code == 303
    for path in ("", "act/", "board/table/", "rules/", "players/", "log/"):
        assert bob.get(f"/g/ours/{path}").status_code == 200
    assert Game.objects.get(slug="ours").edition == edition


def test_a_game_started_twice_is_started_once(people):
    browser = people("keeper")
    wanted = NEW | {"once": token(browser.get("/games/new/"))}
    browser.post("/games/new/", wanted)
    browser.post("/games/new/", wanted)
    assert Game.objects.count() == 1


def test_a_bad_form_comes_back_as_filled_in(people, game):
    wanted = NEW | {"slug": "friday", "time_zone": "Nowhere", "invite": "no-address"}
    page = people("bob").post("/games/new/", wanted)
    assert page.status_code == 200
    for complaint in (
        "friday is taken",
        "Nowhere is not a time zone",
        "“no-address” is not an e-mail address: write one address a line",
    ):
        assert complaint in text(page)
    assert 'value="Nowhere"' in page.content.decode()


def test_addresses_are_taken_as_address_books_write_them():
    pasted = 'Ben Bee <ben@example.org>; "Cee, Cid" <cid@example.org>, dot@example.org\n\nEva <eva@example.org>\nfay@example.org gus@example.org'
    wanted = [
        "ben@example.org",
        "cid@example.org",
        "dot@example.org",
        "eva@example.org",
        "fay@example.org",
        "gus@example.org",
    ]
    assert Addresses().clean(pasted) == wanted
    with pytest.raises(ValidationError, match="“Ben” is not an e-mail address: write one address a line"):
        Addresses().clean("Ben\nben@example.org")


def test_asking_to_join_and_the_answer(people, keeper, game, told):
    bob = people("bob")
    page = bob.get("/g/friday/join/")
    wanted = {"name": "Bob", "message": "Let me in", "rules": "on", "once": token(page)}
    answer = bob.post("/g/friday/join/", wanted)
    assert answer.status_code == 303
    told()
    assert mail.outbox[-1].to == ["keeper@example.org"]
    assert "Bob asks to join." in mail.outbox[-1].body
    assert "/g/friday/admin/" in mail.outbox[-1].body
    told()
    assert len([each for each in mail.outbox if "Bob asks to join" in each.body]) == 1
    again = bob.get("/g/friday/join/")
    assert "The Admin has been asked" in text(again)
    assert "You asked to join; the Admin has not answered yet" in text(again)
    assert "Bob asks to join." not in text(bob.get("/g/friday/log/"))

    desk = keeper.get("/g/friday/admin/")
    assert "Let me in" in text(desk)
    answer = keeper.post("/g/friday/admin/approve-player/", {"player": "Bob", "once": token(desk)})
    assert answer.status_code == 303
    assert mail.outbox[-1].to == ["bob@example.org"]
    assert Membership.objects.get(player="Bob").status == "approved"
    assert live.of(game).view("Bob")["things"]["Bob"]["money"] == 1000
    assert "You have a seat in this game already, as Bob" in text(bob.get("/g/friday/join/"))
    assert "Bob asks to join." in text(bob.get("/g/friday/log/"))


def test_who_only_looks_never_reads_of_applicants(people, keeper, game):
    domain.ask_to_join(game, people("bob").user, "Bob", "psst: a word to the Admin")
    for browser in (Client(), people("eve")):
        for path in ("/g/friday/join/", "/api/v1/g/friday/view"):
            assert "psst" not in browser.get(path).content.decode()


def test_names_are_refused_with_the_rule_and_the_form_is_kept(people, ann):
    bob = people("bob")
    page = bob.post("/g/friday/join/", {"name": "ANN", "message": "hello", "rules": "on"})
    assert page.status_code == 200
    assert 'role="alert"' in page.content.decode()
    assert 'id="refusal"' in page.content.decode()
    assert "name taken" in text(page)
    assert 'value="ANN"' in page.content.decode()
    assert "hello" in text(page)
    page = bob.post("/g/friday/join/", {"name": "admin", "rules": "on"})
    assert "reserved" in text(page)
    assert not Membership.objects.filter(user=bob.user).exists()


def test_without_the_tick_nobody_joins(people, game):
    page = people("bob").post("/g/friday/join/", {"name": "Bob"})
    assert "the rules can change" in text(page)
    assert not Membership.objects.exists()


def test_names_with_markup_are_shown_as_text(people, keeper, game):
    bob = people("bob")
    assert bob.post("/g/friday/join/", {"name": "<b>B</b>", "rules": "on"}).status_code == 303
    desk = keeper.get("/g/friday/admin/").content.decode()
    assert "<b>B</b>" not in desk
    assert "&lt;b&gt;B&lt;/b&gt;" in desk


def test_the_admin_cannot_join(keeper, game):
    assert "the Admin does not play" in text(keeper.get("/g/friday/join/"))


def test_leaving_wants_the_name(ann, game):
    page = ann.post("/g/friday/leave/", {"confirm": "Anna"})
    assert "not your name" in text(page)
    answer = ann.post("/g/friday/leave/", {"confirm": "Ann"})
    assert answer.status_code == 303
    assert Membership.objects.get(player="Ann").status == "left"
    assert "Ann" not in live.of(game).view("visitor")["things"]


def test_only_players_leave(people, game):
    page = people("bob").get("/g/friday/leave/")
    assert page.status_code == 403
    assert "Only players of this game can leave it" in text(page)
    assert "Ask to join" in text(page)


def test_an_order_that_leaves_the_game_frees_the_seat(ann, game):
    domain.order(game, "Ann", "leave-game", {})
    assert Membership.objects.get(player="Ann").status == "left"


PRIVATE = (
    "",
    "join/",
    "leave/",
    "admin/",
    "admin/strike/",
    "admin/strike/1/",
    "admin/pause/",
    "rules/",
    "log/",
    "act/",
)


def test_a_private_game_does_not_exist_for_others(people, ann, game):
    domain.change_game(game, visibility="private")
    there, nowhere = [], []
    for browser in (Client(), people("eve")):
        for path in PRIVATE:
            found, missing = browser.get(f"/g/friday/{path}"), browser.get(f"/g/nobody/{path}")
            assert found.status_code == missing.status_code == 404
            there.append(text(found).replace("friday", "?"))
            nowhere.append(text(missing).replace("nobody", "?"))
        for path in ("view", "actions", "log", "rules"):
            assert browser.get(f"/api/v1/g/friday/{path}").status_code == 404
        assert "Friday" not in text(browser.get("/")) + text(browser.get("/games/"))
    assert there == nowhere
    assert ann.get("/g/friday/leave/").status_code == 200


def test_an_invitation_opens_a_private_game(people, game):
    domain.change_game(game, visibility="private")
    bob = people("bob")
    assert bob.get("/g/friday/join/?invitation=wrong").status_code == 404
    assert bob.get(f"/g/friday/join/?invitation={game.invitation}").status_code == 200
    assert bob.post("/g/friday/join/", {"name": "Bob", "rules": "on"}).status_code == 303


def test_me_shows_what_waits(people, keeper, ann, game):
    assert "Nothing waits for you" in text(ann.get("/me/"))
    domain.ask_to_join(game, people("bob").user, "Bob")
    assert "Bob asks to join" in text(keeper.get("/me/"))


def test_sending_a_form_twice_does_one_thing(people, game):
    bob = people("bob")
    wanted = {"name": "Bob", "rules": "on", "once": token(bob.get("/g/friday/join/"))}
    first = bob.post("/g/friday/join/", wanted)
    entries = Entry.objects.count()
    second = bob.post("/g/friday/join/", wanted)
    assert first.status_code == 303
    assert Entry.objects.count() == entries
    assert second.status_code in (200, 303)


def test_a_form_sent_again_after_a_refusal_is_read_anew(people, ann):
    bob = people("bob")
    wanted = {"name": "Ann", "rules": "on", "once": token(bob.get("/g/friday/join/"))}
    assert bob.post("/g/friday/join/", wanted).status_code == 200
    assert bob.post("/g/friday/join/", wanted | {"name": "Bob"}).status_code == 303


def test_unknown_pages_are_missing():
    assert Client().get("/nowhere/").status_code == 404
    assert "There is no such game" in text(Client().get("/g/nowhere/join/"))


def test_the_demo_lets_everybody_in_and_judges_by_itself(demos, people):
    gus = people("gus")
    answer = gus.post("/g/demo/join/", {"name": "Gus", "rules": "on"}, follow=False)
    assert answer.status_code == 303
    game = Game.objects.get(slug="demo")
    changes = [{"enact": "X.8", "section": "Additions", "text": "Gus is right."}]
    assert domain.order(game, "Gus", "propose", {"title": "On me", "changes": changes}).ok
    demo.attend()
    assert "X.8" in [record["id"] for record in live.of(game).records()]
    broken = [
        {
            "enact": "X.9",
            "section": "Additions",
            "text": "Bad.",
            "code": "@after('judge')\ndef bad(e):\n    return 1 // 0\n",
        }
    ]
    domain.order(game, "Gus", "propose", {"title": "Broken", "changes": broken})
    demo.attend()
    verdicts = [
        thing["verdict"] for thing in live.of(game).view("visitor")["things"].values() if thing.get("title") == "Broken"
    ]
    assert verdicts == ["rejected"]


def test_a_declined_applicant_knows_a_private_game_no_more(people, game):
    domain.change_game(game, visibility="private")
    bob = people("bob")
    domain.ask_to_join(game, bob.user, "Bob")
    assert bob.get("/g/friday/join/").status_code == 200
    domain.desk_act(game, "decline-player", {"player": "Bob", "because": "full"})
    assert bob.get("/g/friday/join/").status_code == 404


def test_a_declined_applicant_reads_so_where_one_asks_again(people, game):
    bob = people("bob")
    domain.ask_to_join(game, bob.user, "Bob")
    domain.desk_act(game, "decline-player", {"player": "Bob", "because": "Use your own name."})
    page = text(bob.get("/g/friday/join/"))
    assert "Your last wish to join was declined. The reason: Use your own name." in page
    domain.ask_to_join(game, bob.user, "Robert")
    assert "declined" not in text(bob.get("/g/friday/join/"))


def test_the_name_of_a_former_player_stays_theirs(people, ann, game):
    domain.leave(game, Membership.objects.get(player="Ann"))
    assert "name taken" in domain.ask_to_join(game, people("bob").user, "ann").refused
    assert domain.ask_to_join(game, ann.user, "Ann").ok
