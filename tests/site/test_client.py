"""The client for bots plays against a running server: it acts, hears what happens once, and lets a model play."""

import json

import pytest
from asgiref.sync import async_to_sync
from django.core.handlers.asgi import ASGIHandler
from django.test import Client as Browser
from test_news import Page

from nomopoly.lab import client, inside
from nomopoly.lab.client import LEAVING, Client, Refused, asked_of_model, chosen_by_model, play_by_model
from nomopoly.site import news
from nomopoly.site.accounts import keys
from nomopoly.site.tables import domain, live

AT = "/api/v1/g/friday"


@pytest.fixture
def bot(ann, game, live_server, monkeypatch):
    """A client with a key of Ann's."""
    monkeypatch.setattr(client, "PATIENCE", 0.02)
    shown, _ = keys.make(ann.user, game=game, name="bot", scope="play")
    return Client(live_server.url + AT, shown)


def test_it_acts_and_is_refused_in_the_rules_own_words(bot, game):
    assert {each["id"] for each in bot.actions()} >= {"propose"}
    assert bot.order("propose", {"title": "By a bot", "text": "x"}, preview=True)
    assert "By a bot" in bot.order("propose", {"title": "By a bot", "text": "x"})["say"]
    with pytest.raises(Refused) as told:
        bot.order("buy-square", {"square": "#5"})
    assert told.value.status == 409
    assert told.value.told["refused"]


def test_events_come_once_each_in_their_order(bot, game, ben):
    heard = bot.events(after=bot.latest())
    titles = []
    for title in ("One", "Two", "Three"):
        assert domain.order(game, "Ben" if title == "Two" else "Ann", "propose", {"title": title}).ok
        while title not in titles:  # what is not heard hangs here, and what is heard twice is found below
            entry = next(heard)
            titles += [entry["args"]["title"]] if entry.get("do") == "propose" else []
    assert titles == ["One", "Two", "Three"]


def test_programs_listen_at_an_address_of_the_api(game):
    async def listen():
        page = Page(news.Wire(ASGIHandler()), Browser(), f"{AT}/news", 0)
        status, headers = await page.open()
        heard = await page.hear(20)
        await page.close()
        return status, headers, heard

    status, headers, heard = async_to_sync(listen)()
    assert status == 200
    assert headers[b"content-type"] == b"text/event-stream"
    assert f"data: {len(live.of(game).facts('visitor'))}\n".encode() in heard


def test_a_model_plays_behind_a_plain_function(bot):
    questions = []

    def model(question):
        questions.append(question)
        return 'I choose {"do": "propose", "fields": {"title": "By a model", "text": "x"}} because I like it.'

    assert "By a model" in play_by_model(bot, model)["say"]
    assert "propose (" in questions[0]
    assert any(each["id"] == "leave-game" and each["possible"] for each in bot.actions())
    assert "leave-game" not in questions[0]
    assert play_by_model(bot, lambda question: '{"do": "leave-game"}') is None  # nor where it says so unasked
    assert play_by_model(bot, lambda question: "I do not know.") is None
    assert "refused" in play_by_model(
        bot, lambda question: json.dumps({"do": "propose", "fields": {"title": "x", "run": "("}})
    )


def test_a_model_is_told_what_fields_without_choices_take():
    money = {"name": "give", "type": "goods", "parts": ["money", "squares", "shares"], "counted": ["shares"]}
    money |= {"optional": True, "choices": []}
    number = {"name": "bid", "type": "number", "least": 5, "most": None}
    deal = {"name": "deal", "type": "deal", "parts": ["money", "squares"], "choices": []}
    some = {"name": "cards", "type": "anything", "choices": [{"id": "5S"}, {"id": "AD"}]}
    actions = [{"id": "a", "label": "A", "possible": True, "fields": [money, number, deal, some]}]
    asked = asked_of_model({}, [*actions, {"id": "b", "label": "B", "possible": True, "hidden": True, "fields": []}])
    told = json.loads(asked.partition("a (A): ")[2])
    assert told["give"] == 'goods {"money": a number, "squares": [ids], "shares": a number}, optional'
    assert told["bid"] == "number, least 5"
    what = '{"money": a number, "squares": [ids]}'
    assert told["deal"] == f'deal {{"transfers": [{{"from": a player, "to": a player, "what": {what}}}]}}'
    assert told["cards"] == 'a list of some of ["5S", "AD"]'
    assert "b (B)" not in asked  # what no list of actions shows is not for a model either


def test_models_and_bots_leave_the_same_actions_alone():
    assert LEAVING == inside.LEAVING


@pytest.mark.parametrize(
    "answer",
    ["", "{", "}{", "[]", '{"do": 7}', '{"do": "a", "fields": 7}', '{"do": "b"}', "\ud800{}"]
    + [None, {"do": "a"}, '{"do": ["a"]}', '{"do": {}}', '{"do": null}', '{"do": ' + "[" * 100_000 + "}"],
)
def test_whatever_a_model_says_is_no_order_unless_it_is_one(answer):
    actions = [{"id": "a", "label": "A", "possible": True, "fields": []}, {"id": "b", "possible": False, "fields": []}]
    assert chosen_by_model(answer, actions) is None
    assert chosen_by_model('so: {"do": "a"}', actions) == ("a", {})
    thought = 'In {this} game {"do": "b"} is tempting, but {"do": "a", "fields": {"x": {}}} {is better}.'
    assert chosen_by_model(thought, actions) == ("a", {"x": {}})
    assert chosen_by_model('{"do": "a"}? No: {}', actions) is None
    assert chosen_by_model('{"do": "a", "fields": null}', actions) == ("a", {})
    assert "a (A): {}" in asked_of_model({"title": "G"}, actions)
