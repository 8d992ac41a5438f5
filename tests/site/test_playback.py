"""What happened, as data to be shown on the board: the way, the dice, the money; and nothing that the viewer's log does
not say."""

import json
import re

import pytest
from django.core.cache import caches
from django.test import Client
from pagewords import accept, grant, propose, text

from nomopoly.site.play import playback, sentences
from nomopoly.site.tables import domain, live, waypoints

AT = "/g/friday/"
SECRETS = """attribute("player", "hoard", 0, label="Hoard", type="money", show=("owner", "admin"))
attribute("square", "trap", None, label="Trap", show="nobody")
event("bury", "buried", say="{who} buries ${amount} under {square}", who="player", amount="", square="square")


@on("bury")
def bury(e):
    note(only=(e.who,))
    put(e.who, "hoard", e.who.hoard + e.amount)
    put(e.square, "trap", "snare-7731")


@action("dig", "Dig", fact="dug", say="{who} digs somewhere")
def dig(e):
    do("bury", who=e.who, amount=7731, square=find("#33"))
    move_to = find("#47")
    put(e.who, "square", move_to)
"""


def steps(client, **question):
    answer = client.get(f"{AT}playback.json", question)
    assert answer.status_code == 200
    assert answer["Cache-Control"] == "private, no-store"
    return answer.json()


def test_a_turn_is_told_square_by_square(ann, game):
    grant(game, "Ann", "square", "#40")
    propose(game)
    assert domain.desk_act(game, "reject", {"on": "P1", "because": "a test"}).ok  # which gives Ann her turn
    told = steps(ann, after=0)
    assert told["newest"] == told["entries"][-1]["number"]
    turn = next(each for each in told["entries"] if any("dice" in step for step in each["steps"]))
    before, after = turn["moves"]["Ann"]
    way = [step["move"]["to"] for step in turn["steps"] if "move" in step]
    assert (before, way[0], way[-1]) == ("#40", "#40", after)
    numbers = [int(each[1:]) for each in way]
    assert all((b - a) in (0, 1, -47) for a, b in zip(numbers, numbers[1:], strict=False)), numbers
    assert any(step.get("say", "").startswith("Ann rolls") for step in turn["steps"])
    assert any(step.get("say", "").startswith("Ann lands on") for step in turn["steps"])
    assert steps(ann, entry=turn["number"])["entries"] == [turn]
    assert steps(Client(), entry=turn["number"])["entries"] == [turn]


def test_money_goes_from_hand_to_hand(ann, ben, game):
    code = (
        'do("pay", who=thing("Ann"), to=thing("Ben"), amount=30)\ndo("gain", who=thing("Ben"), '
        'amount=5)\ndo("lose", who=thing("Ann"), amount=7)'
    )
    propose(game, run=code)
    accept(game, "P1")
    found = [step["money"] for each in steps(ann, after=0)["entries"] for step in each["steps"] if "money" in step]
    assert [each for each in found if each["amount"] in (30, 5, 7)] == [
        {"from": "Ann", "to": "Ben", "amount": 30},
        {"from": None, "to": "Ben", "amount": 5},
        {"from": "Ann", "to": None, "amount": 7},
    ]


def test_rules_that_come_into_force_are_named(ann, game):
    propose(game, changes=[{"enact": "X.1", "text": "A new rule."}])
    accept(game, "P1")
    assert ["X.1"] in [step.get("rules") for each in steps(ann, after=0)["entries"] for step in each["steps"]]


def test_nothing_is_told_that_the_log_does_not_tell(ann, ben, game):
    propose(game, changes=[{"enact": "X.1", "text": "One may dig.", "code": SECRETS}])
    accept(game, "P1")
    before = live.of(game).facts("visitor").last_number()
    assert domain.order(game, "Ann", "dig", {}).ok
    mine = json.dumps(steps(ann, after=before))
    assert "buries $7,731 under #33" in mine
    assert "7731" in mine
    for client in (ben, Client()):
        shown = json.dumps(steps(client, after=before))
        assert "Ann digs somewhere" in shown
        assert '"to": "#47"' in shown  # where she stands, everybody sees
        for secret in ("7731", "7,731", "#33", "buries", "hoard", "trap", "snare"):
            assert secret not in shown, secret
    assert "snare" not in mine


def test_everything_told_stands_in_the_viewers_own_log(start_second, people):
    """Whatever is told comes out of the facts and changes of that viewer, and of no other."""
    game, _ = start_second("Ann", "Ben", edition="iv")
    for who, do, more in (("Ann", "build", {"building": "fort"}), ("Ann", "take-turn", {}), ("Ben", "take-turn", {})):
        assert domain.order(game, who, do, more).ok
    for viewer in ("Ann", "Ben"):
        told = people(viewer.lower()).get("/g/second/playback.json?after=0").json()["entries"]
        assert told
        known = {each["number"]: json.dumps(each, default=str) for each in live.of(game).facts(viewer)}
        for each in told:
            for step in each["steps"]:
                for name in [*step.get("squares", ()), *step.get("move", {}).values()]:
                    assert name in known[each["number"]]


def test_what_is_struck_or_unknown_is_not_played(ann, game):
    assert Client().get(f"{AT}playback.json").status_code == 404
    assert Client().get(f"{AT}playback.json?entry=x").status_code == 404
    assert steps(ann, entry=999)["entries"] == []
    grant(game, "Ann", "square", "#7")
    number = live.of(game).facts("visitor").last_number()
    assert steps(ann, entry=number)["entries"][0]["moves"] == {"Ann": ["#1", "#7"]}
    entry = live.of(game).facts("admin")[-1]["n"]
    assert domain.desk_act(game, "strike", {"entry": entry, "because": "a slip"}).ok
    assert steps(ann, entry=number)["entries"] == []


# ---- the slider


def test_the_slider_works_as_a_form(ann, game):
    grant(game, "#4", "name", "Elm Court")
    named = live.of(game).facts("visitor").last_number()
    grant(game, "#5", "name", "Harbour")
    page = ann.get(f"{AT}?at={named}")
    body = page.content.decode()
    assert f'name="at" min="0" max="{named + 1}" value="{named}"' in body
    assert "Elm Court" in body
    assert "Harbour" not in body
    assert "sets name of #4" in text(page)
    assert "Elm Court" not in ann.get(f"{AT}?at={named - 1}").content.decode()
    assert 'value="0"' in ann.get(f"{AT}?at=0").content.decode()
    assert ann.get(f"{AT}?at={named + 2}").status_code == 400
    assert f"There is no entry {named + 2}" in text(ann.get(f"{AT}?at={named + 2}"))
    assert "Elm Court" in text(ann.get(f"{AT}squares/4/?at={named}"))
    assert ann.get(f"{AT}board/table/?at={named}").status_code == 200


def test_what_is_computed_ahead_is_what_is_computed_alone(ann, game):
    for number in range(2, 9):
        grant(game, f"#{number}", "name", f"Court {number}")
    last = live.of(game).facts("visitor").last_number()
    alone = [Client().get(f"{AT}board/table/?at={number}").content for number in range(last + 1)]
    caches["local"].clear()
    ann.get(f"{AT}?at=0", headers={"x-ahead": "1"})
    caches["local"].clear()
    Client().get(f"{AT}?at=0", headers={"x-ahead": "1"})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(waypoints, "as_it_was", None)  # all of them are kept
        assert [Client().get(f"{AT}board/table/?at={number}").content for number in range(last + 1)] == alone
    assert b"Court 8" in alone[-1]
    assert b"Court 8" not in alone[-2]


def test_each_line_of_the_log_leads_to_its_moment(ann, game):
    grant(game, "#4", "name", "Elm Court")
    number = live.of(game).facts("visitor").last_number()
    for page in ("", "log/"):
        assert f'href="/g/friday/?at={number}#board"' in ann.get(AT + page).content.decode()


def test_a_sentence_is_told_in_plain_words(ann, game):
    class Seat:
        view = live.of(game).view("Ann")
        live = live.of(game)
        names = {}

    Seat.game = game

    teller = sentences.Teller(Seat)
    fact = {"what": "x", "who": "Ann", "say": "Ann gets <b>&amp; $5 from $pot.", "amount": 5}
    assert playback.spoken(teller, fact) == "Ann gets <b>&amp; $5 from $pot"


def test_a_sum_in_a_line_opens_why(game, ann, ben):
    grant(game, "Ben", "money", 25)
    propose(game, changes=[{"enact": "X.1", "text": "Pay.", "code": "@after('turn')\ndef f(e):\n    lose(e.who, 5)\n"}])
    assert domain.desk_act(game, "accept", {"on": "P1"}).ok
    page = ann.get("/g/friday/").content.decode()
    entry, fact = re.search(r'<a class="why-sum" href="/g/friday/log/(\d+)/#fact-(\d+)">\$5</a>', page).groups()
    why = ann.get(f"/g/friday/log/{entry}/").content.decode()
    assert "loses $5" in re.sub(r"<[^>]*>", "", why.partition(f'id="fact-{fact}"')[2].partition("</li>")[0])
    assert 'class="why-sum"' not in why.partition('id="why"')[2]


def test_a_line_of_the_feed_has_two_quiet_links(game, ann, ben):
    """The time leads to why, a sign shows it on the board: no words that stand at every line again."""
    for path in ("", "log/"):
        page = ann.get(AT + path).content.decode()
        log = page.partition('id="log"')[2]
        why = re.findall(
            r'<a class="entry-when why"\s+href="/g/friday/log/\d+/#why" title="why\?">(.*?)</a>', log, re.S
        )
        assert why, path
        assert all("<time" in each and re.search(r'"visually-hidden">, why: entry \d+', each) for each in why), path
        shown = re.findall(r'<a class="show-me"[^>]*aria-label="show me: entry \d+"><span aria-hidden="true">', log)
        assert shown, path
        assert not re.search(r">\s*(why\?|show me)\s*<", log), path


def test_what_stands_beside_players_of_then_says_what_it_is(start_second, people):
    start_second("Ann", edition="mail")
    then = text(people("ann").get("/g/second/?at=1")).partition("Players then")[2]
    assert "Shares: 0" in then
    assert "Square: #1" in then
    assert "Money:" not in then
