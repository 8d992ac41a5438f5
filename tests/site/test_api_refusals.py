"""Whatever fails below /api/ is told in JSON, with what to do: a program reads no pages."""

import json
import re

import pytest
from django.test import Client

from nomopoly.runtime import host
from nomopoly.site.accounts import keys
from nomopoly.site.api import door
from nomopoly.site.api.routes import api
from nomopoly.site.tables import live, queries


def told(answer, status):
    """The sentence of a refusal that has this status."""
    assert answer.status_code == status, answer.content
    assert answer["Content-Type"].startswith("application/json")
    assert set(answer.json()) == {"error"}
    assert "no-store" in answer["Cache-Control"]
    assert "Content-Security-Policy" in answer
    return answer.json()["error"]


@pytest.mark.parametrize("path", ["/api/", "/api/v1/nothing", "/api/v1/games/", "/api/docs/", "/api/%00"])
def test_an_address_that_there_is_not(db, path):
    assert "/api/docs lists all addresses" in told(Client().get(path), 404)


def test_pages_stay_pages(db):
    for path in ("/nothing/", "/apiary/", "/g/none/"):
        answer = Client().get(path)
        assert (answer.status_code, answer["Content-Type"]) == (404, "text/html; charset=utf-8")


def test_a_method_that_an_address_does_not_take(ann, game):
    for browser in (ann, Client()):
        answer = browser.delete("/api/v1/games")
        assert told(answer, 405).startswith("This address does not take DELETE, but GET. /api/docs")
        assert answer["Allow"] == "GET"
    answer = ann.get("/api/v1/g/friday/act/propose")
    assert "does not take GET, but POST." in told(answer, 405)
    assert "does not take POST, but GET, HEAD." in told(Client().post("/api/docs"), 405)


def test_a_host_that_the_site_is_not(db):
    assert "name of the host" in told(Client(headers={"host": "evil.example"}).get("/api/v1/games"), 400)


def test_what_breaks_on_our_side(ann, game, monkeypatch, settings):
    def broken(*_):
        raise RuntimeError("this is not to be read")

    monkeypatch.setattr(queries, "shortened", broken)
    monkeypatch.setattr(door, "MOST_BYTES", 1)
    ann.raise_request_exception = False
    answer = ann.get("/api/v1/games")
    assert "undone as a whole: try again in a moment" in told(answer, 500)
    assert "not to be read" not in answer.content.decode()
    settings.DEBUG = True  # whoever builds the site wants the traceback
    assert "not to be read" in ann.get("/api/v1/games").content.decode()


def test_a_body_that_cannot_be_read_and_one_that_is_too_long(ann, game):
    at = "/api/v1/g/friday/act/propose"
    for sent in ("{nonsense", b"\xff\xfe"):
        assert "send one JSON object" in told(ann.post(at, sent, content_type="application/json"), 400)
    assert "at most 1,000,000 bytes" in told(ann.post(at, "x" * 1_100_000, content_type="application/json"), 413)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999"])
def test_what_is_no_number_is_refused_and_not_taken_for_nothing(ann, game, number):
    sent = f'{{"fields": {{"title": "More", "text": {number}}}}}'
    answer = ann.post("/api/v1/g/friday/act/propose", sent, content_type="application/json")
    assert f"{number} is no number" in told(answer, 400)
    assert "P1" not in live.of(game).view("admin")["things"]


def test_keys_that_open_nothing_and_no_key_where_one_is_needed(db):
    assert "/settings/keys/" in told(Client(headers={"Authorization": "Bearer nomo_no"}).get("/api/v1/games"), 401)
    assert "/settings/keys/" in told(Client().get("/api/v1/me"), 401)


def test_a_proposal_within_fields_is_not_checked_as_an_empty_one(ann, game):
    for path in ("check", "try"):
        sent = {"fields": {"title": "More", "text": "of it"}}
        answer = ann.post(f"/api/v1/g/friday/{path}", sent, content_type="application/json")
        assert answer.status_code == 422
        assert "fields" in answer.json()["error"]


def test_a_check_without_a_title_says_what_else_is_refused(start_second, people):
    _, go = start_second("Ann", edition="iv")
    go(1)
    sent = json.dumps({"title": ""})
    seen = people("ann").post("/api/v1/g/second/check", sent, content_type="application/json").json()
    assert "needs a title; the proposal is empty" in seen["refused"]


def test_the_limit_of_a_day_says_when_one_may_go_on(ann, game, monkeypatch):
    monkeypatch.setattr(host, "MOST_ORDERS_A_DAY", 1)
    send = {"path": "/api/v1/g/friday/act/propose", "content_type": "application/json"}
    assert ann.post(data={"fields": {"title": "One", "text": "Words."}}, **send).status_code == 200
    refused = ann.post(data={"fields": {"title": "Two", "text": "Words."}}, **send)
    assert refused.status_code == 409
    assert "that is all one may: go on after " in refused.json()["refused"]
    assert refused.json()["until"] == (live.now() // 86400 + 1) * 86400


def made_up(schema, of):
    """Data of the shape that a schema asks for."""
    if "$ref" in schema:
        schema = of["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    if "anyOf" in schema:
        return made_up(schema["anyOf"][0], of)
    if "enum" in schema:
        return schema["enum"][0]
    sort = schema.get("type")
    if sort == "object":
        return {name: made_up(schema["properties"][name], of) for name in schema.get("required", ())}
    return {"integer": 1, "number": 1, "boolean": True, "array": []}.get(sort, "x" if sort == "string" else {})


CHANGES_NOTHING = ("/g/{slug}/check", "/g/{slug}/try")
NO_KEY_DOES_THAT = ("/me/mails", "/library", "/g/{slug}/office")


def writing():
    """(address, method, what it takes) of all that changes something, of the schema."""
    schema = api.get_openapi_schema()
    for path, operations in schema["paths"].items():
        for method in set(operations) - {"get"}:
            body = operations[method].get("requestBody", {}).get("content", {}).get("application/json", {})
            if not path.endswith(CHANGES_NOTHING + NO_KEY_DOES_THAT):
                yield path, method, made_up(body.get("schema", {}), schema)


def test_a_key_that_may_only_read_changes_nothing_anywhere(ann, game):
    shown, _ = keys.make(ann.user, game=game, name="bot", scope="read")
    program = Client(headers={"Authorization": f"Bearer {shown}"})
    words = {"slug": "friday", "action": "propose", "do": "pause"}
    tried = list(writing())
    assert len(tried) > 40
    for path, method, body in tried:
        where = re.sub(r"\{(\w+)\}", lambda name: words.get(name[1], "1"), path)
        answer = program.generic(method.upper(), where, json.dumps(body), content_type="application/json")
        assert "may only read" in told(answer, 403), f"{method} {path}"
