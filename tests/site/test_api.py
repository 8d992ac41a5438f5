"""The API: the pages' own door."""

import json

from django.test import Client


def post(browser, **order):
    return browser.post("/api/v1/g/friday/order", json.dumps(order), content_type="application/json")


def test_an_order_and_its_refusal(ann):
    done = post(ann, do="propose", args={"title": "By machine"})
    assert done.status_code == 200
    assert done.json()["facts"][0]["what"] == "proposed"
    refused = post(ann, do="buy-square")
    assert refused.status_code == 409
    assert "option" in refused.json()["refused"]
    assert "takes no" in post(ann, do="propose", args={"speed": 9}).json()["refused"]


def test_only_players_give_orders(people, game):
    assert post(people("eve"), do="propose", args={"title": "A"}).status_code == 403
    assert post(Client(), do="propose", args={"title": "A"}).status_code == 403


def test_the_view_is_the_viewers_own(ann):
    assert ann.get("/api/v1/g/friday/view").json()["viewer"] == "Ann"
    assert Client().get("/api/v1/g/friday/view").json()["viewer"] == "visitor"


def test_actions_list_their_choices(ann):
    actions = {action["id"]: action for action in ann.get("/api/v1/g/friday/actions").json()}
    assert "propose" in actions
    assert Client().get("/api/v1/g/friday/actions").json() == []


def test_the_docs_are_there():
    assert Client().get("/api/docs", follow=True).status_code == 200
    assert "/api/v1/g/{slug}/order" in Client().get("/api/v1/openapi.json").json()["paths"]
