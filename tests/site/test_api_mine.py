"""The API of what is one's own: what waits, notices, answers in advance, drafts, trial copies; charts, sections, posts,
settings."""

import json

import pytest
from django.test import Client
from pagewords import grant, propose, seated, started, things

from nomopoly.site.accounts import keys
from nomopoly.site.notices.models import Notice
from nomopoly.site.play import watched
from nomopoly.site.play.models import Comment
from nomopoly.site.tables import domain, live

ROOT = "/api/v1"
AT = f"{ROOT}/g/friday"


def post(client, path, headers=None, **sent):
    return client.post(f"{AT}{path}", json.dumps(sent), content_type="application/json", headers=headers)


def test_what_waits_for_me(game, ann, ben, keeper):
    grant(game, "#5", "owner", "Ann")
    assert domain.order(game, "Ann", "trade", {"with": "Ben", "give": {"squares": ["#5"]}, "take": {"money": 4}}).ok
    (place,) = ben.get(f"{ROOT}/me").json()["games"]
    assert (place["slug"], place["player"], place["admin"]) == ("friday", "Ben", False)
    assert [item["text"] for item in place["waiting"]] == ["an offer by Ann"]
    assert place["waiting"][0]["until"] > live.now()
    assert place["waiting"][0]["where"] == "/g/friday/trades/offer-1/"
    (desk,) = keeper.get(f"{ROOT}/me").json()["games"]
    assert desk["admin"]
    assert Client().get(f"{ROOT}/me").status_code == 401


def test_a_key_tells_of_its_own_game_alone(game, ann, people):
    other = domain.start_game(people("keeper").user, edition="original", title="Monday", slug="monday")
    assert domain.ask_to_join(other, ann.user, "Ann").ok
    assert domain.desk_act(other, "approve-player", {"player": "Ann"}).ok
    assert len(ann.get(f"{ROOT}/me").json()["games"]) == 2
    key, _ = keys.make(ann.user, game=game, name="bot", scope="read")
    found = Client().get(f"{ROOT}/me", headers={"Authorization": f"Bearer {key}"}).json()["games"]
    assert [each["slug"] for each in found] == ["friday"]


def test_notices(game, ann, ben, told):
    propose(game)
    with live.clock_at(told()):
        (notice,) = [each for each in ben.get(f"{ROOT}/me/notices").json()["notices"] if each["kind"] == "proposal"]
        assert notice["where"] == "/g/friday/proposals/1/"
        assert notice["read"] is False
        unread = ben.get(f"{ROOT}/me/notices?unread=true").json()
        assert unread["count"] == len(ben.get(f"{ROOT}/me/notices").json()["notices"]) > 0
        Notice.objects.filter(user=ben.user).update(read=live.present())
        assert ben.get(f"{ROOT}/me/notices?unread=true").json()["count"] == 0
    assert "A thing" not in json.dumps(ann.get(f"{ROOT}/me/notices").json())


def test_standing_answers(game, ann, ben):
    made = post(ann, "/answers", question="buy-square", answer="#12")
    assert made.status_code == 200
    assert made.json()["question"] == "buy-square"
    (kept,) = ann.get(f"{AT}/answers").json()
    assert ben.get(f"{AT}/answers").json() == []
    refused = post(ann, "/answers", question="vanish-now")
    assert refused.status_code == 409
    assert "answer to the question" in refused.json()["refused"]
    assert post(ben, f"/answers/{kept['number']}/remove").json() == []
    assert len(ann.get(f"{AT}/answers").json()) == 1
    assert post(ann, f"/answers/{kept['number']}/remove").json() == []
    assert Client().get(f"{AT}/answers").status_code == 403


def test_drafts(game, ann, ben):
    made = post(
        ann, "/drafts", fields={"title": "More", "text": "Words", "changes-0-kind": "repeal", "changes-0-rule": "IV.4"}
    )
    number = made.json()["number"]
    assert made.json()["fields"]["changes-0-rule"] == "IV.4"
    assert post(ann, "/drafts", number=number, fields={"title": "Less"}).json()["title"] == "Less"
    assert [each["title"] for each in ann.get(f"{AT}/drafts").json()] == ["Less"]
    assert ben.get(f"{AT}/drafts").json() == []
    assert post(ben, f"/drafts/{number}/discard").status_code == 404
    assert post(ann, f"/drafts/{number}/discard").json() == []


def test_a_trial_copy_from_beginning_to_end(game, ann, ben):
    bonus = {
        "enact": "X.1",
        "section": "More",
        "text": "Landing pays.",
        "code": '@after("land")\ndef pays(e):\n    gain(e.who, 5)\n',
    }
    made = post(ann, "/trials", title="Pay", changes=[bonus])
    assert made.status_code == 200, made.json()
    at = f"/trials/{made.json()['token']}"
    listed = ann.get(f"{AT}/trials").json()
    assert [each["title"] for each in listed["trials"]] == ["Pay"]
    assert post(ben, f"{at}/act/propose", fields={}).status_code == 404
    acted = post(ann, f"{at}/act/propose", fields={"title": "Inside", "text": "Words"})
    assert acted.status_code == 200, acted.json()
    assert any(thing.get("title") == "Inside" for thing in ann.get(f"{AT}{at}").json()["view"]["things"].values())
    assert not any(thing.get("title") == "Inside" for thing in things(game).values())
    span = next(iter(listed["spans"]))
    assert post(ann, f"{at}/clock", span=span).json()["now"] > made.json()["now"]
    assert post(ann, f"{at}/clock", span="for ever").status_code == 422
    assert post(ann, f"{at}/playing", player="Ben").json()["playing"] == "Ben"
    assert post(ann, f"{at}/playing", player="Zoe").status_code == 422
    assert post(ann, f"{at}/discard").json()["trials"] == []
    assert post(ann, "/trials", title="Bad", changes=[{"repeal": "XX.1"}]).status_code == 409


def test_a_proposal_that_was_made_is_tried_out(game, ann):
    propose(game, title="Five", changes=[{"enact": "X.1", "section": "More", "text": "Words of five."}])
    made = post(ann, "/trials", proposal=1)
    assert (made.status_code, made.json()["title"]) == (200, "Five")
    told = json.dumps(ann.get(f"{AT}/trials/{made.json()['token']}").json())
    assert "Words of five." in told
    assert post(ann, "/trials", proposal=7).status_code == 404


def test_sections_charts_and_the_calendar(start_second, people):
    second, go = start_second("Ann", "Ben")
    go(8)
    ann = people("ann")
    at = f"{ROOT}/g/second"
    money = ann.get(f"{at}/sections/IV").json()
    assert money["title"] == "Money"
    assert "IV.2" in money["rules"]
    assert ann.get(f"{at}/sections/LXX").status_code == 404
    chart = ann.get(f"{at}/chart?of=money").json()
    assert chart["of"] == "money"
    assert set(chart["lines"]) == {"Ann", "Ben"}
    assert all(len(points) > 1 for points in chart["lines"].values())
    assert "lines" in ann.get(f"{at}/players/Ann/chart").json()
    moments = ann.get(f"{at}/calendar").json()
    assert moments["moments"]
    assert [each["at"] for each in moments["moments"]] == sorted(each["at"] for each in moments["moments"])


def test_posts_are_changed_reported_and_hidden(game, ann, ben, keeper):
    made = post(ann, "/forum", title="Hello", body="First")
    (said,) = made.json()["comments"]
    number = said["post"]
    assert post(ann, f"/posts/{number}", body="Second").json()["body"] == "Second"
    assert post(ben, f"/posts/{number}", body="Mine").status_code == 403
    assert post(ben, f"/posts/{number}/report", because="Rude").status_code == 200
    assert Comment.objects.get(pk=number).reports.filter(settled=False).count() == 1
    assert post(ben, f"/posts/{number}/hide", because="x").status_code == 403
    assert post(keeper, f"/posts/{number}/hide", because=" ").status_code == 409
    assert post(keeper, f"/posts/{number}/hide", because="Rude").json()["body"] == ""
    assert post(keeper, f"/posts/{number}/show").json()["body"] == "Second"
    assert post(ben, "/muted", name="Ann").json() == ["Ann"]
    assert "muted" in ben.get(f"{AT}/forum/1").json()["comments"][0]["gone"]
    assert post(ben, "/muted", name="Ann", muted=False).json() == []
    assert post(ann, f"/posts/{number}/delete").json()["gone"] == "Deleted by its author."
    assert post(Client(), "/muted", name="Ann").status_code == 403


def test_settings(game, keeper, ann):
    before = {
        "visibility": "public",
        "readers": "all",
        "host": "",
        "about": "",
        "invitation_text": "",
        "welcome_text": "",
        "closing_text": "",
        "takes_players": True,
    }
    assert keeper.get(f"{AT}/admin/settings").json() == before
    changed = post(keeper, "/admin/settings", about="Friends", takes_players=False).json()
    assert changed == before | {"about": "Friends", "takes_players": False}
    changed = post(keeper, "/admin/settings", closing_text="Yours, {game}").json()
    assert changed == before | {"about": "Friends", "takes_players": False, "closing_text": "Yours, {game}"}
    assert post(keeper, "/admin/settings", readers="players").json() == changed | {"readers": "players"}
    assert post(keeper, "/admin/settings", readers="nobody").status_code == 422
    assert post(keeper, "/admin/settings", visibility="secret").status_code == 422
    assert post(ann, "/admin/settings", about="Mine").status_code == 403


@pytest.fixture
def fourth(people, keeper):
    """A game of edition iv, in which Ann has just taken a turn."""
    game = started(keeper, "iv", "fourth", title="Fourth", since=3600)
    ann = seated(game, people("ann"), "Ann")
    assert domain.order(game, "Ann", "take-turn", {}).ok
    return ann


def test_a_refusal_says_from_when_it_is_possible(fourth):
    refused = fourth.post(f"{ROOT}/g/fourth/act/take-turn", "{}", content_type="application/json")
    assert refused.status_code == 409
    assert refused.json()["until"] - live.now() == pytest.approx(72 * 3600, abs=60)
    nothing = fourth.post(
        f"{ROOT}/g/fourth/act/vote", '{"fields": {"on": "P9", "choice": "yes"}}', content_type="application/json"
    )
    assert nothing.json()["until"] is None


def test_the_list_of_games(game, ann, people):
    domain.start_game(people("keeper").user, edition="iv", title="Hidden", slug="hidden", visibility="private")
    told = Client().get(f"{ROOT}/games").json()
    assert [(each["slug"], each["players"], each["takes_players"]) for each in told["games"]] == [("friday", 1, True)]
    assert (told["count"], told["pages"], told["chosen"]["order"]) == (1, 1, "active")
    assert Client().get(f"{ROOT}/games", {"edition": "iv"}).json()["games"] == []
    assert Client().get(f"{ROOT}/games", {"state": "over"}).json()["games"] == []


def test_what_is_mailed_is_chosen(game, ann):
    send = lambda **sent: ann.post(f"{ROOT}/me/mails", json.dumps(sent), content_type="application/json")  # noqa: E731
    before = ann.get(f"{ROOT}/me/mails").json()
    assert (before["all"]["turn"], before["games"]["friday"], before["off"]) == ("mail", {}, False)
    told = send(all={"turn": "none"}, games={"friday": {"proposal": "mail"}}, hour=7, names_hidden=True).json()
    assert told == ann.get(f"{ROOT}/me/mails").json()
    assert told["all"] == {**before["all"], "turn": "none"}
    assert (told["games"], told["hour"], told["names_hidden"]) == ({"friday": {"proposal": "mail"}}, 7, True)
    assert send(hour=8).json() == {**told, "hour": 8}
    assert send(all={"turn": "pigeon"}).status_code == 422
    assert ann.get(f"{ROOT}/me/mails").json()["all"]["turn"] == "none"
    token, _ = keys.make(ann.user, game=game, name="bot", scope="play")
    answer = Client().post(
        f"{ROOT}/me/mails", "{}", content_type="application/json", headers={"authorization": f"Bearer {token}"}
    )
    assert answer.status_code == 403


def test_a_proposal_is_watched(game, ann, ben):
    propose(game)
    assert post(ben, "/proposals/1/watch").json() == {"watch": True}
    assert watched.is_watched(ben.user, game, "P1")
    assert post(ben, "/proposals/1/watch", watch=False).json() == {"watch": False}
    assert not watched.is_watched(ben.user, game, "P1")
    assert post(ben, "/proposals/9/watch").status_code == 404


def test_all_that_waits_at_the_desk_is_there(game, ann, keeper):
    propose(game)
    ann.post("/g/friday/report/", {"sort": "name", "about": "Ann", "because": "Not hers"})
    desk = keeper.get(f"{AT}/admin").json()
    assert [each["sort"] for each in desk["waiting"]] == ["proposal", "complaint"]
    assert [(each["what"], each["because"]) for each in desk["reports"]] == [("The name Ann", "Not hers")]
