"""The API beyond reading and ordering: offers, the market, talk, notes, joining, and the Admin's desk."""

import json

import pytest
from django.test import Client
from pagewords import grant, seated, things

from nomopoly.site.accounts import keys
from nomopoly.site.play.models import Comment
from nomopoly.site.tables import domain, live
from nomopoly.site.tables.models import Membership

AT = "/api/v1/g/friday"
ENACT = [{"enact": "X.1", "section": "Additions", "text": "Nobody eats at the board."}]


def post(client, path, headers=None, **sent):
    return client.post(f"{AT}{path}", json.dumps(sent), content_type="application/json", headers=headers)


@pytest.fixture
def ben(ben, game):
    """Ben, to whom Ann has offered #5."""
    grant(game, "#5", "owner", "Ann")
    give = {"with": "Ben", "give": {"squares": ["#5"]}, "take": {"money": 40}}
    assert domain.order(game, "Ann", "trade", give).ok
    return ben


def test_offers_are_read_and_answered_by_their_parties(game, ann, ben, people):
    (mine,), (theirs,) = ann.get(f"{AT}/trades").json(), ben.get(f"{AT}/trades").json()
    assert (mine["wanted"], theirs["wanted"]) == (False, True)
    assert [each["answer"] for each in mine["answers"]] == ["withdraw"]
    assert [each["answer"] for each in theirs["answers"]] == ["accept", "decline"]
    assert theirs["sides"][0] == {
        "player": "Ann",
        "agreed": True,
        "gives": [{"to": "Ben", "what": {"squares": ["#5"]}}],
        "gets": [{"from": "Ben", "what": {"money": 40}}],
    }
    assert post(ann, "/trades/offer-1", answer="accept").status_code == 409
    assert post(people("eve"), "/trades/offer-1", answer="accept").status_code == 403
    done = post(ben, "/trades/offer-1", {"Idempotency-Key": "a"}, answer="accept")
    assert "Ann sells #5 to Ben" in done.json()["say"]
    assert things(game)["#5"]["owner"] == "Ben"
    assert post(ben, "/trades/offer-1", {"Idempotency-Key": "a"}, answer="accept").json() == done.json()
    assert ben.get(f"{AT}/trades/offer-1").status_code == 404


def test_an_offer_is_not_there_for_others(people, game, ben):
    cid = people("cid")
    seated(game, cid, "Cid")
    assert cid.get(f"{AT}/trades").json() == []
    assert cid.get(f"{AT}/trades/offer-1").status_code == 404
    assert post(cid, "/trades/offer-1", answer="decline").status_code == 404


def test_the_market_of_a_game_without_sales_is_empty(game, ben):
    market = Client().get(f"{AT}/market").json()
    assert (market["offers"], market["prices"], market["deals"]) == ([], [], [])
    assert post(ben, "/trades/offer-1", answer="accept").status_code == 200
    assert len(Client().get(f"{AT}/market").json()["deals"]) == 1


def test_threads_are_begun_and_read(ann, people):
    made = post(ann, "/forum", title="Plans", body="Shall we?")
    assert made.json()["number"] == 1
    assert post(ann, "/forum/1", body="Well?").status_code == 200
    assert [each["body"] for each in Client().get(f"{AT}/forum/1").json()["comments"]] == ["Shall we?", "Well?"]
    assert Client().get(f"{AT}/forum").json()[0]["title"] == "Plans"
    assert post(ann, "/forum", title=" ", body="x").status_code == 409
    assert post(people("eve"), "/forum/1", body="Me too").status_code == 403
    assert post(ann, "/forum/7", body="x").status_code == 404


def test_hidden_words_are_not_told(keeper, ann):
    post(ann, "/forum", title="Plans", body="Rude words")
    pk = Comment.objects.get().pk
    keeper.post(f"/g/friday/forum/posts/{pk}/mind/", {"do": "hide", "because": "rude"})
    for client in (ann, Client()):
        (comment,) = client.get(f"{AT}/forum/1").json()["comments"]
        assert (comment["body"], comment["gone"]) == ("", "Hidden by the Admin: rude.")


def test_rulings_and_questions(keeper, ann):
    assert post(keeper, "/admin/rule", fields={"text": "Doubles count.", "rules": ["IV.1"]}).status_code == 200
    (ruling,) = Client().get(f"{AT}/rulings").json()["rulings"]
    assert (ruling["text"], ruling["rules"], ruling["struck"]) == ("Doubles count.", ["IV.1"], None)
    post(ann, f"/log/{ruling['entry']}/questions", body="Always?")
    (asked,) = Client().get(f"{AT}/rulings").json()["questions"]
    assert asked["comments"][0]["body"] == "Always?"


def test_notes_are_ones_own_and_not_overwritten_unseen(keeper, ann, ben):
    kept = post(ann, "/notes", body="Buy #5").json()
    assert ann.get(f"{AT}/notes").json() == kept
    assert post(ann, "/notes", body="Sell #5").status_code == 409
    assert post(ann, "/notes", body="Sell #5", before=kept["version"]).status_code == 200
    assert ben.get(f"{AT}/notes").json()["body"] == ""
    assert keeper.get(f"{AT}/notes").status_code == 403
    assert Client().get(f"{AT}/notes").status_code == 403


def test_joining_and_leaving(people, keeper, game):
    eve = people("eve")
    assert post(Client(), "/join", name="Eve", rules=True).status_code == 403
    assert "Tick this first" in post(eve, "/join", name="Eve").json()["refused"]
    assert post(eve, "/join", name="Eve", message="Hello", rules=True).json() == {"asked": "Eve"}
    assert "asked already" in post(eve, "/join", name="Eve", rules=True).json()["refused"]
    desk = keeper.get(f"{AT}/admin").json()
    assert [(each["name"], each["message"]) for each in desk["applicants"]] == [("Eve", "Hello")]
    assert post(keeper, "/admin/approve-player", fields={"player": "Eve"}).status_code == 200
    assert Membership.objects.get(player="Eve").status == "approved"
    assert "not your name" in post(eve, "/leave", confirm="Ann").json()["refused"]
    assert post(eve, "/leave", confirm="Eve").json() == {"left": "Eve"}
    assert "Eve" not in things(game)


# ---- the desk


def test_the_desk_is_for_the_admin_alone(ann, people, game):
    for client in (ann, people("eve"), Client()):
        for path in ("/admin", "/admin/strike/1", "/admin/since/1", "/admin/strike/order/1"):
            assert client.get(AT + path).status_code == 403
        assert post(client, "/admin/pause", fields={"because": "x"}).status_code == 403
        assert post(client, "/admin/strike/1", because="x", confirm="y").status_code == 403
    assert not things(game)["game"]["paused"]


def test_acts_are_shown_first_and_want_their_reason(keeper, ann, game):
    assert domain.order(game, "Ann", "propose", {"title": "A thing", "text": "Words", "changes": ENACT}).ok
    assert [each["id"] for each in keeper.get(f"{AT}/admin").json()["proposals"]] == ["P1"]
    seen = post(keeper, "/admin/accept", fields={"on": "P1"}, preview=True).json()
    assert {"facts", "changes", "rolls"} <= set(seen)
    assert things(game)["P1"]["status"] == "undecided"
    assert "Say why" in post(keeper, "/admin/reject", fields={"on": "P1"}).json()["refused"]
    assert post(keeper, "/admin/accept", fields={"on": "P1"}).json()["rules"] == ["X.1"]
    assert "closed" in post(keeper, "/admin/accept", fields={"on": "P1"}).json()["refused"]
    assert post(keeper, "/admin/fly", fields={}).status_code == 404


def test_an_entry_is_struck_with_the_hash_of_its_preview(keeper, ann, game):
    grant = post(
        keeper, "/admin/grant", fields={"thing": "Ann", "attribute": "money", "value": 5, "because": "x"}
    ).json()
    address = f"/admin/strike/{grant['number']}"
    preview = keeper.get(AT + address).json()
    assert ["Ann", "money", 5, 1000] in preview["changes"]
    assert "Say why" in post(keeper, address, confirm=preview["hash"]).json()["refused"]
    assert "moved on" in post(keeper, address, because="a slip", confirm="other").json()["refused"]
    assert post(keeper, address, because="a slip", confirm=preview["hash"]).status_code == 200
    assert things(game)["Ann"]["money"] == 1000


@pytest.fixture
def second(start_second):
    """A game of edition ii with an exploit block posted, and an order that waits."""
    game, _ = start_second("Ann", slug="friday")
    grant(game, "#7", "owner", "Ann")
    assert domain.order(game, "Ann", "name-square", {"square": "#7", "name": "Seven"}).ok
    assert domain.order(game, "Ann", "post-exploit-block", {"name": "Rides", "text": "x"}).ok
    return game


def test_orders_since_a_post_are_listed_and_struck(second, keeper, people):
    desk = keeper.get(f"{AT}/admin").json()
    assert [(each["id"], each["acts"]) for each in desk["tasks"]] == [("exploit-1", ["settle-exploit"])]
    number = desk["posts"][0]["entry"]
    (order,) = keeper.get(f"{AT}/admin/since/{number}").json()
    assert (order["by"], order["do"], order["args"]["name"], order["waits"]) == ("Ann", "name-square", "Seven", True)
    address = f"/admin/strike/order/{order['order']}"
    preview = keeper.get(AT + address).json()
    assert post(keeper, address, because="it used it", confirm=preview["hash"]).status_code == 200
    assert not [each for each in things(second).values() if each["kind"] == "order"]
    refused = post(people("ann"), "/forum", title="EXPLOIT BLOCK: Rides", body="x").json()
    assert "post-exploit-block" in refused["refused"]


def test_an_order_that_waits_says_under_which_id(second, people):
    ann = people("ann")
    given = post(ann, "/act/deposit", fields={"amount": 5})
    assert given.status_code == 200
    assert (given.json()["do"], given.json()["args"]["amount"]) == ("deposit", 5)
    assert things(second)[given.json()["waits"]]["what"] == "deposit"
    seen = post(ann, "/act/deposit", fields={"amount": 5}, preview=True)
    assert (seen.status_code, seen.json()["waits"]) == (409, True), "it is not at the Bank, and may be by then"
    assert post(ann, "/act/name-square", fields={"square": "#7", "name": "8"}, preview=True).json()["waits"] is True
    back = post(ann, "/act/withdraw-order", fields={"order": given.json()["waits"]})
    assert back.status_code == 200
    assert "waits" not in back.json()
    assert given.json()["waits"] not in things(second)
    assert "waits" not in post(ann, "/act/withdraw-order", fields={"order": "#9"}, preview=True).json()


HIDING = """attribute("player", "card", "", show="owner")


@action("hide", "Hide a card", private=True, card=words("Card"))
def hide(e):
    put(e.who, "card", e.card)
"""


def test_the_preview_of_a_strike_shows_nothing_that_is_hidden(keeper, ann, game):
    change = {"enact": "X.1", "section": "Additions", "text": "Everybody may hide a card.", "code": HIDING}
    assert domain.order(game, "Ann", "propose", {"title": "Cards", "changes": [change]}).ok
    accepted = post(keeper, "/admin/accept", fields={"on": "P1"}).json()
    assert domain.order(game, "Ann", "hide", {"card": "PLANTED"}).ok
    assert ["Ann", "card"] in [each[:2] for each in live.of(game).strike_preview(accepted["number"])["changes"]]
    preview = keeper.get(f"{AT}/admin/strike/{accepted['number']}").json()
    assert ["rule X.1", "exists", True, False] in preview["changes"]
    assert "PLANTED" not in json.dumps(preview)
    assert b"PLANTED" not in keeper.get(f"/g/friday/admin/strike/{accepted['number']}/").content


def test_a_program_of_the_admin_is_marked_too(keeper, ann, game):
    shown, _ = keys.make(keeper.user, game=game, name="bot", scope="play")
    program = Client(headers={"Authorization": f"Bearer {shown}"})
    paused = post(program, "/admin/pause", fields={"because": "holidays"}).json()
    assert paused["by_program"] is True
    assert paused["say"].endswith("(by their program)")
    assert post(keeper, "/admin/resume", fields={}).json()["by_program"] is False
    number = post(ann, "/act/propose", fields={"title": "By mistake"}).json()["number"]
    confirm = program.get(f"{AT}/admin/strike/{number}").json()["hash"]
    struck = post(program, f"/admin/strike/{number}", because="by mistake", confirm=confirm).json()
    assert struck["by_program"] is True
    assert Client().get(f"{AT}/players").json()["players"][0]["bot"] is False


def test_what_stands_beside_the_fields_of_an_order_is_no_order(ann, game):
    before = len(ann.get(f"{AT}/log").json())
    sent = ann.post(f"{AT}/act/buy-square", {"square": "#5"}, content_type="application/json")
    assert sent.status_code == 422
    assert "square" in sent.json()["error"]
    assert len(ann.get(f"{AT}/log").json()) == before
