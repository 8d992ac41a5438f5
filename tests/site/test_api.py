"""The API: the pages' own door, for programs."""

import gzip
import json
import re

import pytest
from django.test import Client
from ninja import Schema
from pagewords import accept, propose, text

from nomopoly.site.accounts import keys
from nomopoly.site.accounts.models import ApiKey
from nomopoly.site.api import door
from nomopoly.site.api.routes import api
from nomopoly.site.tables import domain, live

AT = "/api/v1/g/friday"
HIDING = """attribute("player", "card", "", label="Card", show="owner")


@action("hide", "Hide a card", private=True, card=words("Card", limit=40))
def hide(e):
    put(e.who, "card", e.card)


@action("break-it", "Break it")
def break_it(e):
    put(e.who, "card", 1 // 0)


kind("account", prefix="$")
attribute("account", "money", 0, label="Money", type="money")
"""
# One address for each operation that reads: tests go through all of them.
SAMPLES = {
    "called": "rent",
    "n": "1",
    "id": "X.1",
    "slug": "friday",
    "number": "1",
    "name": "Ann",
    "account": "pot",
    "section": "II",
    "token": "none",
}
READING = sorted(path for path, operations in api.get_openapi_schema()["paths"].items() if "get" in operations)
PLAYERS_OWN = (
    "/actions",
    "/questions",
    "/trades",
    "/trades/{id}",
    "/notes",
    "/answers",
    "/trials",
    "/trials/{token}",
    "/holiday",
)
NOT_THERE = (
    "/trades/{id}",
    "/forum/{number}",
    "/since/{number}",
    "/order/{n}",
    "/trials/{token}",
    "/reckoning",
    "/end",
    "/week/{number}",
)  # nothing of that name yet


def address(path):
    return re.sub(r"\{(\w+)\}", lambda found: SAMPLES[found[1]], path)


def act(browser, action, preview=False, headers=None, **fields):
    sent = json.dumps({"fields": fields, "preview": preview})
    return browser.post(f"{AT}/act/{action}", sent, content_type="application/json", headers=headers)


def bearer(client, game, scope="play", name="bot"):
    """A program that has nothing but a key."""
    shown, _ = keys.make(client.user, game=game, name=name, scope=scope)
    return Client(headers={"Authorization": f"Bearer {shown}"})


@pytest.fixture
def hiding(game, ann):
    """A rule with hidden cards, made by a proposal."""
    change = {"enact": "X.1", "text": "Everybody may hide a card.", "code": HIDING}
    pot = 'create("account", id="$pot")'
    propose(game, title="Cards", changes=[change], run=pot)
    accept(game, "P1")


# ---- acting


def test_an_order_and_its_refusal(ann, game):
    done = act(ann, "propose", title="By machine")
    assert done.status_code == 200
    assert done.json()["facts"][0]["what"] == "proposed"
    assert done.json()["say"].startswith("Ann proposes")
    assert ann.get(f"{AT}/log/{done.json()['number']}").json() == done.json() | {"comments": []}
    refused = act(ann, "buy-square", square="#7")
    assert refused.status_code == 409
    assert refused.json() == {"refused": "you have no option on #7", "rule": "VIII.3", "until": None, "fault": None}
    assert "takes no" in act(ann, "propose", speed=9).json()["refused"]
    assert act(ann, "fly-home").status_code == 404


def test_a_preview_does_nothing(ann, game):
    n = live.of(game).n
    seen = act(ann, "propose", preview=True, title="Just a thought")
    assert seen.status_code == 200
    assert seen.json()["facts"][0]["what"] == "proposed"
    assert live.of(game).n == n
    assert act(ann, "buy-square", preview=True, square="#7").status_code == 409


def test_a_rule_that_breaks_is_told(ann, hiding):
    broken = act(ann, "break-it")
    assert broken.status_code == 409
    assert broken.json()["fault"]["rule"] == "X.1"
    assert broken.json()["fault"]["line"] == 11
    assert "a rule broke" in broken.json()["refused"]


def test_paused_and_over(ann, game):
    domain.desk_act(game, "pause", {"because": "holidays"})
    assert act(ann, "propose", title="A").json()["refused"] == "the game is paused"
    assert ann.get(AT).json()["state"]["paused"] is True
    domain.desk_act(game, "resume", {})
    domain.desk_act(game, "declare-winner", {"because": "enough"})
    assert act(ann, "propose", title="A").json()["refused"] == "the game is over"


def test_only_players_act(people, keeper, game):
    for client in (people("eve"), Client(), keeper):
        answer = act(client, "propose", title="A")
        assert answer.status_code == 403
        more = "You are its Admin: what you can do is at the desk." if client is keeper else "Ask to join."
        assert answer.json() == {"error": f"Only players of this game can act here. {more}"}
        assert client.get(f"{AT}/actions").status_code == 403
        assert client.get(f"{AT}/questions").status_code == 403


def test_a_form_of_another_site_acts_for_nobody(ann):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(ann.user, backend="allauth.account.auth_backends.AuthenticationBackend")
    answer = act(strict, "propose", title="A")
    assert answer.status_code == 403
    assert "CSRF" in answer.json()["error"]
    strict.get("/settings/close/")
    given = {"X-CSRFToken": strict.cookies["csrftoken"].value}
    assert act(strict, "propose", headers=given, title="A").status_code == 200


def test_actions_list_their_choices(ann, game):
    domain.desk_act(game, "grant", {"thing": "#5", "attribute": "owner", "value": "Ann", "because": "a test"})
    actions = {action["id"]: action for action in ann.get(f"{AT}/actions").json()}
    assert actions["propose"]["possible"] is True
    naming = {field["name"]: field for field in actions["name-square"]["fields"]}
    assert [choice["id"] for choice in naming["square"]["choices"]] == ["#5"]
    assert actions["buy-square"]["possible"] is False
    assert "option" in actions["buy-square"]["reason"]


def test_actions_list_votes_too_and_what_no_page_lists(ann, game):
    actions = {action["id"]: action for action in ann.get(f"{AT}/actions").json()}
    assert actions["emergency-vote"]["ballot"] == "emergency-closes"
    assert [field["name"] for field in actions["emergency-vote"]["fields"]] == ["on", "choice"]
    assert actions["answer"]["hidden"] is True
    assert not any(action["desk"] for action in actions.values())


def test_questions_are_listed_and_answered(ann, bob, game):
    code = """@action("wonder", "Wonder", about=choose("player"))
def wonder(e):
    ask(e.about, "Tea or coffee?", ("tea", "coffee"), then="poured", default="tea")


event("poured", "poured", answers=())
"""
    words = {"title": "Tea", "changes": [{"enact": "X.1", "text": "Ask.", "code": code}]}
    assert domain.order(game, "Ann", "propose", words).ok
    accepted = domain.desk_act(game, "accept", {"on": "P1"})
    assert accepted.ok, accepted
    asked = act(ann, "wonder", about="Bob")
    assert asked.status_code == 200, asked.content
    (question,) = bob.get(f"{AT}/questions").json()
    assert (question["text"], question["options"]) == ("Tea or coffee?", ["tea", "coffee"])
    assert ann.get(f"{AT}/questions").json() == []
    assert act(ann, "answer", question=question["id"], answer="tea").status_code == 409
    assert act(bob, "answer", question=question["id"], answer="coffee").status_code == 200
    assert bob.get(f"{AT}/questions").json() == []


def test_a_proposal_is_checked_before_it_is_made(ann, bob, game):
    def checked(client, **sheet):
        return client.post(f"{AT}/check", json.dumps(sheet), content_type="application/json")

    n = live.of(game).n
    good = checked(ann, title="Cards", changes=[{"enact": "X.1", "text": "Cards.", "code": HIDING}]).json()
    assert (good["problems"], good["refused"]) == ([], None)
    assert [(each["rule"], each["mark"]) for each in good["diff"]] == [("X.1", "new")]
    bad = checked(ann, changes=[{"enact": "X.1", "text": "Cards.", "code": "x = nothing_known\n"}]).json()
    assert (bad["problems"][0]["level"], bad["problems"][0]["line"]) == ("error", 1)
    assert (good["possible"], bad["possible"]) == (True, False)
    assert checked(ann, changes=[{"amend": "Z.9", "text": "x"}]).json()["diff"] is None
    assert live.of(game).n == n
    assert checked(Client(), title="x").status_code == 403


# ---- reading


def test_the_view_is_the_viewers_own(ann, keeper, game):
    assert ann.get(f"{AT}/view").json()["viewer"] == "Ann"
    assert keeper.get(f"{AT}/view").json()["viewer"] == "admin"
    assert Client().get(f"{AT}/view").json()["viewer"] == "visitor"
    assert ann.get(AT).json()["you"] == {"role": "player", "player": "Ann"}


def status(path, who):
    """What asking for it comes to where everybody may look on."""
    if path.startswith(("/api/v1/library", "/api/v1/games")):
        return 200  # it is no game's
    if "{slug}" not in path:
        return 401 if who == "visitor" else 200
    office = "/admin" in path or path.endswith("/invitations")
    allowed = who == "keeper" if office else who == "ann" or not path.endswith(PLAYERS_OWN)
    return 403 if not allowed else 404 if path.endswith(NOT_THERE) else 200


@pytest.mark.parametrize("path", READING)
def test_what_is_for_everybody_can_be_read_by_everybody(ann, people, game, hiding, path):
    for who, client in (("ann", ann), ("keeper", people("keeper")), ("visitor", Client())):
        answer = client.get(address(path))
        assert answer.status_code == status(path, who), (who, answer.content)
        assert answer["Cache-Control"] == "private, no-store"


@pytest.mark.parametrize("path", [path for path in READING if "{slug}" in path])
def test_a_private_game_is_not_there_for_others(ann, people, game, hiding, path):
    domain.change_game(game, visibility="private")
    assert ann.get(address(path)).status_code == status(path, "ann")
    unknown = Client().get(address(path).replace("friday", "monday"))
    for client in (Client(), people("eve")):
        answer = client.get(address(path))
        assert (answer.status_code, answer.json()) == (404, {"error": "There is no such game."})
        assert answer.json() == unknown.json()


def test_what_the_pages_show_is_there(ann, game, hiding):
    assert [each["rules"] for each in Client().get(f"{AT}/rules/history").json()] == [["X.1"], []]
    diff = Client().get(f"{AT}/rules/diff?from=0&to=1").json()
    assert diff["heading"].startswith("Rule changes from")
    assert [(each["rule"], each["mark"]) for each in diff["rules"]] == [("X.1", "new")]
    assert diff["rules"][0]["text"] == [["added", "Everybody may hide a card."]]
    assert "X.1" not in [each["id"] for each in Client().get(f"{AT}/rules?at=start").json()["rules"]]
    book = {each["id"]: each for each in Client().get(f"{AT}/rules?code=1").json()["rules"]}
    assert 'attribute("player", "card"' in book["X.1"]["code"]
    assert "code" not in Client().get(f"{AT}/rules").json()["rules"][0]
    rule = Client().get(f"{AT}/rules/X.1").json()
    assert rule["versions"][0]["cause"]["words"] == "Proposal 1: Cards"
    assert ["Actions", ["hide", "break-it"]] in rule["declares"]
    proposal = Client().get(f"{AT}/proposals/1").json()
    assert (proposal["title"], proposal["outcome"]) == ("Cards", "accepted")
    assert proposal["diff"][0]["rule"] == "X.1"
    assert Client().get(f"{AT}/proposals?by=Nobody").json() == []
    assert len(Client().get(f"{AT}/squares").json()) == 48
    assert Client().get(f"{AT}/squares?at=start").json()[0]["here"] == []
    dice = Client().get(f"{AT}/dice").json()
    assert dice["commitments"][0]["commitment"] == live.of(game).commitment
    last = live.of(game).journal.last()
    assert dice["head"] == {"n": last["n"], "hash": last["hash"]}
    lines = gzip.decompress(Client().get(f"{AT}/export").content).decode().splitlines()
    assert json.loads(lines[0])["kind"] == "open"
    account = Client().get(f"{AT}/players/Ann/account").json()
    assert account["balance"] == account["lines"][-1]["balance"] == 1000
    assert Client().get(f"{AT}/players/ANN").url == f"{AT}/players/Ann"
    assert Client().get(f"{AT}/players/ANN/account?from=start").url == f"{AT}/players/Ann/account?from=start"


def test_the_log_has_pages_filters_and_what_is_new(ann, game, hiding):
    everything = Client().get(f"{AT}/log?size=3").json()
    assert len(everything["entries"]) == 3
    assert everything["pages"] == -(-everything["count"] // 3)
    numbers = [
        entry["number"]
        for page in range(1, everything["pages"] + 1)
        for entry in Client().get(f"{AT}/log?size=3&page={page}").json()["entries"]
    ]
    assert numbers == list(range(everything["count"]))[::-1]
    assert {each["kind"] for each in Client().get(f"{AT}/log?kind=join").json()["entries"]} <= {"join"}
    last = numbers[0]
    assert Client().get(f"{AT}/log?after={last}").json()["entries"] == []
    act(ann, "propose", title="News")
    (news,) = Client().get(f"{AT}/log?after={last}").json()["entries"]
    assert "News" in news["say"]
    assert "&" not in news["say"]
    assert "<" not in news["say"]
    assert Client().get(f"{AT}/log?q=news").json()["count"] == 1
    assert Client().get(f"{AT}/log?after={everything['entries'][0]['hash']}").json()["entries"] == [news]
    assert Client().get(f"{AT}/log?after=").json()["count"] == everything["count"] + 1
    for after, status in ((999, 404), ("0" * 64, 404), ("-", 422), ("x" * 64, 422), ("0" * 65, 422)):
        assert Client().get(f"{AT}/log?after={after}").status_code == status, after
    assert Client().get(f"{AT}/log?size=9999").status_code == 422


@pytest.mark.parametrize(
    "path", ["/view?at=soon", "/rules?at=soon", "/log?since=soon", "/players/Ann/account?from=soon"]
)
def test_what_is_no_moment_is_said(ann, path):
    answer = ann.get(AT + path)
    assert answer.status_code == 400
    assert answer.json()["error"].startswith("Not a moment: soon")


@pytest.mark.parametrize("path", ["/squares/999", "/players/Zed", "/log/9999", "/rules/Z.9", "/proposals/77"])
def test_what_is_not_there_is_a_404(ann, path):
    answer = ann.get(AT + path)
    assert answer.status_code == 404
    assert set(answer.json()) == {"error"}


def test_what_does_not_fit_is_said(ann):
    answer = ann.post(f"{AT}/act/propose", '{"fields": 3}', content_type="application/json")
    assert answer.status_code == 422
    assert "fields" in answer.json()["error"]


WEIRD = [
    *(
        "null",
        "true",
        "1.5",
        "NaN",
        "-1",
        "1e400",
        "9" * 40,
        '""',
        '"\\ud800"',
        '"\\u0000"',
        '"' + "x" * 5000 + '"',
        "[]",
    ),
    *("{}", "[[[]]]", '{"money": NaN}', '{"squares": [null]}', '[{"enact": 3}]', '[{"enact": "X.2", "code": 5}]'),
    '{"a":' * 900 + "1" + "}" * 900,
]


def test_nothing_that_is_sent_breaks_the_door(ann, bob, game, hiding, monkeypatch):
    monkeypatch.setattr(door.PER_ADDRESS, "num_requests", 10_000)
    forms = {action["id"]: [field["name"] for field in action["fields"]] for action in ann.get(f"{AT}/actions").json()}
    forms["answer"] = ["question", "answer"]
    for action, fields in forms.items():
        for field in fields:
            for weird in WEIRD:
                sent = f'{{"fields": {{"{field}": {weird}}}}}'
                answer = ann.post(f"{AT}/act/{action}", sent, content_type="application/json")
                assert answer.status_code in (200, 400, 409, 422), (action, sent[:80], answer.content)
    for path in (
        "/log",
        "/view",
        "/rules",
        "/rules/diff",
        "/proposals",
        "/squares",
        "/players/%00",
        "/log/" + "9" * 30,
    ):
        for query in ("q=%00", "at=%00", "at=9999-12-31", "after=-5", "page=-1", "from=%00&to=%ff", "since=0001-01-01"):
            assert ann.get(f"{AT}{path}?{query}").status_code in (200, 400, 404), (path, query)


@pytest.mark.parametrize(("sent", "status"), [("{nonsense", 400), ("x" * 1_100_000, 413)])
def test_what_is_no_order_is_said(ann, sent, status):
    answer = ann.post(f"{AT}/act/propose", sent, content_type="application/json")
    assert answer.status_code == status
    assert set(answer.json()) == {"error"}


# ---- talking


def test_talk_is_read_and_written(ann, keeper, game, hiding):
    said = ann.post(f"{AT}/proposals/1/comments", json.dumps({"body": "I like *it*"}), content_type="application/json")
    assert said.status_code == 200
    asked = keeper.post(f"{AT}/log/1/questions", json.dumps({"body": "Why?"}), content_type="application/json")
    assert asked.json()["name"] == "The Admin"
    assert [each["body"] for each in Client().get(f"{AT}/proposals/1").json()["comments"]] == ["I like *it*"]
    assert [each["body"] for each in Client().get(f"{AT}/log/1").json()["comments"]] == ["Why?"]
    empty = ann.post(f"{AT}/proposals/1/comments", json.dumps({"body": " "}), content_type="application/json")
    assert (empty.status_code, empty.json()["refused"]) == (409, "Write something first.")
    stranger = Client().post(f"{AT}/proposals/1/comments", json.dumps({"body": "x"}), content_type="application/json")
    assert stranger.status_code == 403


# ---- keys


def test_a_program_plays_with_its_key_and_is_marked(ann, game):
    program = bearer(ann, game)
    assert program.get(AT).json()["you"] == {"role": "player", "player": "Ann"}
    done = act(program, "propose", title="By machine")
    assert done.status_code == 200
    assert done.json()["by_program"] is True
    assert done.json()["say"].endswith("(by their program)")
    assert Client().get(f"{AT}/players").json()["players"][0]["bot"] is True
    assert "by their program" in text(Client().get("/g/friday/log/"))
    assert act(ann, "propose", title="By hand").json()["by_program"] is False
    assert ApiKey.objects.get().used is not None


def test_a_key_that_may_only_read_does_not_play(ann, game, hiding):
    program = bearer(ann, game, scope="read")
    assert program.get(f"{AT}/actions").status_code == 200
    n = live.of(game).n
    answer = act(program, "propose", title="A")
    assert (answer.status_code, answer.json()["error"][:22]) == (403, "This key may only read")
    said = program.post(f"{AT}/proposals/1/comments", json.dumps({"body": "x"}), content_type="application/json")
    assert said.status_code == 403
    assert live.of(game).n == n


def test_a_key_opens_its_own_game_alone(ann, people, game):
    domain.start_game(people("keeper").user, edition="original", title="Monday", slug="monday", visibility="private")
    program = bearer(ann, game)
    answers = [program.get(f"/api/v1/g/{slug}") for slug in ("monday", "nowhere")]
    assert [answer.status_code for answer in answers] == [403, 403]
    assert answers[0].json() == answers[1].json() == {"error": "This key is for another game."}


def test_a_key_that_opens_nothing(ann, game):
    program = bearer(ann, game)
    ApiKey.objects.all().delete()
    answer = program.get(AT)
    assert answer.status_code == 401
    assert answer["WWW-Authenticate"] == "Bearer"
    assert "opens nothing" in answer.json()["error"]


def test_a_key_works_in_a_private_game_and_for_who_has_left(ann, game):
    domain.change_game(game, visibility="private")
    program = bearer(ann, game)
    assert program.get(AT).status_code == 200
    domain.leave(game, ann.user.memberships.get())
    assert program.get(AT).json()["you"]["role"] == "former"
    assert act(program, "propose", title="A").status_code == 403


# ---- how often


def test_a_key_asks_so_often_and_no_oftener(ann, bob, game, monkeypatch):
    monkeypatch.setattr(door.PER_KEY, "num_requests", 3)
    program, other = bearer(ann, game), bearer(bob, game)
    assert [program.get(AT).status_code for _ in range(4)] == [200, 200, 200, 429]
    answer = program.get(AT)
    assert 0 < int(answer["Retry-After"]) <= 61
    assert "Too many requests" in answer.json()["error"]
    assert other.get(AT).status_code == 200
    assert ann.get(AT).status_code == 200


def test_an_address_asks_so_often_and_no_oftener(ann, game, monkeypatch):
    monkeypatch.setattr(door.PER_ADDRESS, "num_requests", 3)
    program = bearer(ann, game)
    assert [Client().get(AT).status_code for _ in range(4)] == [200, 200, 200, 429]
    assert Client().get(AT)["Retry-After"].isdecimal()
    assert Client(REMOTE_ADDR="192.0.2.7").get(AT).status_code == 200
    assert Client(headers={"X-Forwarded-For": "192.0.2.9"}).get(AT).status_code == 429
    assert program.get(AT).status_code == 200


def test_keys_cannot_be_guessed_without_end(game, monkeypatch):
    monkeypatch.setattr(door.PER_ADDRESS, "num_requests", 3)
    guesses = [Client(headers={"Authorization": f"Bearer nomo_{n}"}).get(AT) for n in range(4)]
    assert [answer.status_code for answer in guesses] == [401, 401, 401, 429]
    assert guesses[-1]["Retry-After"].isdecimal()


# ---- never more than the page


def everything(client, with_export=True):
    """All that the API tells one client: every address, every preview, and what refusals say."""
    told = [client.get(address(path)) for path in READING]
    told += [client.get(AT + path) for path in ("/view?at=now", "/log?after=1", "/log?q=PLANTED", "/log?player=Ann")]
    told += [client.get(f"{AT}/rules?q=PLANTED"), client.get(f"{AT}/proposals?by=Eve"), client.get(f"{AT}/log/9")]
    told += [act(client, name, preview=True, card="x", title="y") for name in ("hide", "propose", "leave-game")]
    assert {answer.status_code for answer in told} <= {200, 401, 403, 404, 409}
    bodies = [answer.content for answer in told if with_export or "/export" not in answer.request["PATH_INFO"]]
    return "\n".join(gzip.decompress(body).decode() if body[:2] == b"\x1f\x8b" else body.decode() for body in bodies)


def test_no_answer_holds_what_its_reader_may_not_know(ann, bob, keeper, people, game, hiding, monkeypatch):
    monkeypatch.setattr(door.PER_ADDRESS, "num_requests", 10_000)
    assert act(ann, "hide", card="PLANTED-CARD").status_code == 200
    domain.desk_act(game, "grant", {"thing": "#8", "attribute": "owner", "value": "Ann", "because": "a test"})
    offer = {"with": "Bob", "give": {"squares": ["#8"]}, "take": {"money": 77}}
    assert act(ann, "trade", **offer).status_code == 200
    domain.ask_to_join(game, people("eve").user, "Evelyn", "PLANTED-MESSAGE")
    draft = {"save": "1", "title": "PLANTED-DRAFT"}
    assert ann.post("/g/friday/proposals/new/", draft).status_code == 303
    bearer(ann, game, name="PLANTED-KEY")
    readers = {
        "Ann": everything(ann),
        "Bob": everything(bob),
        "Admin": everything(keeper),
        "visitor": everything(Client()),
        "stranger": everything(people("zoe")),
        "Bob's program": everything(bearer(bob, game)),
    }
    secrets_of = {
        "PLANTED-CARD": {"Ann"},
        '"kind": "offer"': {"Ann", "Bob", "Bob's program"},
        "PLANTED-MESSAGE": {"Admin"},
        "PLANTED-DRAFT": {"Ann"},
        "PLANTED-KEY": set(),
        game.secret: set(),
        game.invitation: {"Admin"},
        "example.org": set(),
    }
    for secret, knowing in secrets_of.items():
        assert {name for name, told in readers.items() if secret in told} == knowing, secret
    # Who asks to join is the Admin's to know; only the journal as a file names them, since nothing follows without it.
    assert "Evelyn" in everything(keeper, with_export=False)
    for client in (ann, bob, Client()):
        assert "Evelyn" not in everything(client, with_export=False)


# ---- described


def test_every_operation_is_described():
    paths = Client().get("/api/v1/openapi.json").json()["paths"]
    page = Client().get("/api/docs")
    for path, operations in paths.items():
        for method, operation in operations.items():
            assert len(operation["description"]) > 30, path
            assert f"{method.upper()} {path}" in text(page)
            assert operation["summary"] in text(page)
            assert set(operation["responses"]) >= {"200", "401", "403", "404", "429"}
    wanted = "view squares players log rules rules/history rules/diff proposals actions questions dice export"
    assert {f"/api/v1/g/{{slug}}/{each}" for each in wanted.split()} <= set(paths)


def test_what_a_proposal_and_notes_are_sent_with_is_told_of_each():
    paths, schemas = api.get_openapi_schema()["paths"], api.get_openapi_schema()["components"]["schemas"]

    def sent_to(path):
        body = paths[f"/api/v1/g/{{slug}}/{path}"]["post"]["requestBody"]["content"]["application/json"]["schema"]
        return set(schemas[body["$ref"].rpartition("/")[2]]["properties"])

    assert sent_to("check") == {"title", "text", "changes", "run"}
    assert sent_to("notes") == {"body", "before"}


def test_no_two_things_that_are_sent_have_the_same_name():
    names = [each.__name__ for each in Schema.__subclasses__() if each.__module__.startswith("nomopoly.")]
    assert sorted(set(names)) == sorted(names)  # the description knows them by these names alone


def test_what_describes_them_is_worked_out_once_and_stays_as_it_is():
    def described():
        return Client().get("/api/v1/openapi.json").content

    before, schema = described(), api.get_openapi_schema()
    Client().get("/api/docs")
    assert api.get_openapi_schema() is schema
    assert described() == before
    elsewhere = api.get_openapi_schema(path_prefix="/elsewhere/")["paths"]
    assert [path.replace("/elsewhere/", "/api/v1/") for path in elsewhere] == list(schema["paths"])


def test_the_descriptions_need_no_network():
    page = Client().get("/api/docs").content.decode()
    assert "<script" not in page
    interactive = Client().get("/api/v1/docs").content.decode()
    files = re.findall(r'(?:src|href)="([^"]+)"', interactive)
    assert len(files) >= 3
    for file in files:
        assert file.startswith("/static/ninja/")
        assert Client().get(file).status_code == 200
