"""Trial copies: everything can be played in one, nothing of it happens in the game, and nothing hidden is in it."""

import json
import re
from datetime import timedelta

from django.utils import timezone
from pagewords import seated, text

from nomopoly.site.play.models import Draft
from nomopoly.site.tables import domain, live
from nomopoly.site.tables.models import Game
from nomopoly.site.trial import trials
from nomopoly.site.trial.models import LIFE, Trial

GIFT = {
    "title": "A gift",
    "changes-0-kind": "enact",
    "changes-0-rule": "X.1",
    "changes-0-text": "Nobody buys squares.",
    "changes-0-code": '@check("buy-square")\ndef never(e):\n    return "nobody buys here"\n',
    "run": 'for each in players():\n    put(each, "money", 1234)\n',
}


def made(client, **fields):
    """The address of a trial copy made by sending these fields."""
    response = client.post("/g/friday/try/", fields or {"proposal": ""})
    assert response.status_code == 303, text(response)
    assert re.fullmatch(r"/g/friday/try/[\w-]{8,20}/", response["Location"])
    return response["Location"]


def test_a_copy_is_made_from_the_form_and_the_proposal_is_in_force_there_alone(game, ann, ben):
    before = live.of(game).state_hash(), live.of(game).n
    place = made(ann, **GIFT)
    page = ann.get(place)
    assert "A trial copy. Nothing here happens in the game" in text(page)
    assert "$1,234" in text(page)
    assert "X.1" in text(ann.get(f"{place}rules/"))
    for path in ("rules/X.1/", "rules/history/"):
        told = text(ann.get(place + path))
        assert "The proposal that is tried out here" in told
        assert "A correction by the Admin" not in told
    assert (live.of(game).state_hash(), live.of(game).n) == before
    assert "$1,234" not in text(ann.get("/g/friday/"))


def test_a_proposal_that_was_made_is_tried_by_its_number(game, ann, ben):
    change = {"enact": "X.1", "text": "Words.", "code": ""}
    assert domain.order(game, "Ben", "propose", {"title": "Ten", "changes": [change]}).ok
    place = made(ann, proposal="1")
    told = text(ann.get(f"{place}rules/X.1/"))
    assert "Words." in told
    assert "Behind it Proposal 1" in told
    assert "Proposal 1: Ten" in text(ann.get(f"{place}proposals/1/"))
    assert "Proposal 1: Ten" in text(ann.get(f"{made(ann, proposal='P1')}proposals/1/"))
    response = ann.post("/g/friday/try/", {"proposal": "7"})
    assert response.status_code == 200
    assert "There is no proposal 7" in text(response)


def test_every_page_of_a_copy_says_what_it_is(ann, ben):
    place = made(ann)
    ann.post(f"{place}turn/")
    for path in (
        "",
        "board/table/",
        "squares/3/",
        "act/",
        "act/propose/?by=hand",
        "act/buy-square/",
        "rules/",
        "rules/VII.1/",
        "rules/history/",
        "proposals/",
        "players/",
        "players/Ann/",
        "players/Ben/account/",
        "log/",
        "log/0/",
        "log/1/",
    ):
        page = ann.get(place + path)
        assert page.status_code == 200, path
        assert "A trial copy. Nothing here happens in the game" in text(page), path
        outward = set(re.findall(r'(?:href|action)="(/g/friday/[^"#?]*)', page.content.decode()))
        outward = {each for each in outward if not each.startswith("/g/friday/try/")}
        assert outward <= {"/g/friday/"}, (path, outward)


def test_links_of_a_copy_lead_somewhere(ann, ben):
    place = made(ann)
    ann.post(f"{place}turn/")
    waiting, seen = [place], set()
    while waiting:
        page = waiting.pop()
        answer = ann.get(page, follow=True)
        assert answer.status_code == 200, page
        for link in re.findall(r'href="(/g/friday/try/[^"]*)"', answer.content.decode()):
            link = link.partition("#")[0].replace("&amp;", "&")
            if link not in seen and "/squares/" not in link and not re.search(r"/rules/[IVX]+\.", link):
                seen.add(link)
                waiting.append(link)
    assert len(seen) > 15


def test_everybody_can_be_played_and_the_clock_moves_here_alone(game, ann, ben):
    place = made(ann)
    assert "You play Ann" in text(ann.get(place))
    ann.post(f"{place}playing/", {"playing": "Ben"})
    page = text(ann.get(place))
    assert "You play Ben" in page
    answer = ann.post(f"{place}turn/", follow=True)
    assert "Ben has taken a turn" in text(answer)
    answer = ann.post(f"{place}act/propose/", {"title": "Made in here"}, follow=True)
    assert "Made in here" in text(ann.get(f"{place}log/"))
    ann.post(f"{place}playing/", {"playing": ""})
    assert "You play the Admin" in text(ann.get(place))
    answer = ann.post(f"{place}act/accept/", {"on": "P1"}, follow=True)
    assert answer.status_code == 200
    told = text(ann.get(f"{place}log/"))
    assert "accepted P1" in told
    trial = Trial.objects.get()
    before = trial.at
    answer = ann.post(f"{place}clock/", {"span": "1d"}, follow=True)
    assert "1 day has passed here" in text(answer)
    assert Trial.objects.get().at == before + 86400
    assert live.now() < before + 80000
    assert "Made in here" not in text(ann.get("/g/friday/log/"))
    assert live.of(game).view("Ann")["things"].get("P1") is None


def test_the_rules_of_the_proposal_hold_in_the_copy(ann, ben):
    place = made(ann, **GIFT)
    for _ in range(12):
        ann.post(f"{place}turn/")
        action = next(each for each in trials.warm(Trial.objects.get()).actions("Ann") if each["id"] == "buy-square")
        if action["fields"][0]["choices"]:
            break
    square = action["fields"][0]["choices"][0]["id"]
    answer = ann.post(f"{place}act/buy-square/", {"square": square})
    assert answer.status_code == 200
    assert "nobody buys here" in text(answer)


def test_a_program_that_breaks_makes_no_copy_and_says_where(ann):
    response = ann.post("/g/friday/try/", GIFT | {"run": "x = 1\ny = x // 0\n"})
    assert response.status_code == 200
    assert "line 2" in text(response)
    assert "a rule broke in line 2: division by zero. Nothing was done." in text(response)
    assert 'id="refusal"' in response.content.decode()
    assert "A gift" in response.content.decode()
    assert not Trial.objects.exists()
    response = ann.post("/g/friday/try/", GIFT | {"changes-0-code": "import os\n"})
    assert response.status_code == 200
    assert not Trial.objects.exists()


def test_three_copies_a_player_and_no_more(ann, ben):
    places = [made(ann) for _ in range(3)]
    refused = ann.post("/g/friday/try/", {"proposal": ""})
    assert refused.status_code == 200
    assert "Too many trial copies: throw one away" in text(refused)
    made(ben)
    answer = ann.post(f"{places[0]}discard/", follow=True)
    assert "thrown away" in text(answer)
    gone = ann.get(places[0])
    assert gone.status_code == 404
    assert "There is no such trial copy: it was thrown away" in text(gone)
    made(ann)


def test_a_copy_lives_two_days(ann, ben):
    place = made(ann)
    Trial.objects.update(made=timezone.now() - LIFE + timedelta(minutes=1))
    assert ann.get(place).status_code == 200
    Trial.objects.update(made=timezone.now() - LIFE - timedelta(minutes=1))
    assert ann.get(place).status_code == 404
    made(ann)
    assert Trial.objects.count() == 1


def test_a_copy_is_for_whoever_made_it(ann, ben, keeper, client):
    place = made(ann)
    assert ben.get(place).status_code == 404
    assert keeper.get(place).status_code == 403
    assert client.get(place).status_code == 302
    assert ben.post(f"{place}turn/").status_code == 404
    assert ben.get("/g/friday/try/").status_code == 200
    assert place not in ben.get("/g/friday/try/").content.decode()
    for nobody in (keeper, client):
        assert nobody.get("/g/friday/try/").status_code in (302, 403)


def test_looking_changes_nothing_and_a_form_acts_once(ann, ben):
    place = made(ann)
    for path in ("clock/", "turn/", "playing/", "discard/", "example/"):
        assert ann.get(place + path).status_code == 405
    token = re.search(r'name="once" value="([^"]+)"', ann.get(place).content.decode())[1]
    for _ in range(2):
        ann.post(f"{place}clock/", {"span": "1d", "once": token})
    trial = Trial.objects.get()
    assert len(trial.steps) == 1


def test_trying_out_and_submitting_are_two_things_of_one_form(ann, ben):
    for _ in range(2):
        assert ann.post("/g/friday/try/", GIFT | {"once": "one-form"}).status_code == 303
    assert Trial.objects.count() == 1
    answer = ann.post("/g/friday/proposals/new/", GIFT | {"once": "one-form", "submit": "1"})
    assert answer["Location"] == "/g/friday/proposals/1/"


def test_other_dice_are_rolled(game, ann, ben):
    faces = set()
    for _ in range(3):
        place = made(ann)
        for _ in range(3):
            ann.post(f"{place}turn/")
        trial = Trial.objects.get()
        faces.add(json.dumps([step["draws"] for step in trial.steps]))
        assert trial.secret != Game.objects.get().secret
        assert Game.objects.get().secret not in json.dumps([trial.first, trial.lines])
        ann.post(f"{place}discard/")
    assert len(faces) == 3


def test_what_ann_may_not_see_is_not_in_her_copy_at_all(game, ann, ben, people):
    cid = people("cid")
    seated(game, cid, "Cid")
    owner = {"thing": "#3", "attribute": "owner", "value": "Ben", "because": "so"}
    assert domain.desk_act(game, "grant", owner).ok
    offer = {"with": "Cid", "give": {"squares": ["#3"]}, "take": {"money": 37373}}
    assert domain.order(game, "Ben", "trade", offer).ok
    place = made(ann)
    trial = Trial.objects.get()
    kept = json.dumps([trial.first, trial.lines, trial.steps])
    assert "37373" not in kept
    ann.post(f"{place}playing/", {"playing": "Cid"})
    pages = [ann.get(place + path).content.decode() for path in ("", "log/", "act/", "act/accept-trade/")]
    assert "37373" not in "".join(pages)
    own = made(ben)
    assert "37373" in json.dumps(Trial.objects.get(token=own.split("/")[-2]).first)


def test_what_is_made_up_is_marked(game, ann, ben):
    code = 'attribute("player", "hand", (), label="Hand", show="owner")\n'
    code += '@action("take", "Take a card", private=True, card=words("Card"))\n'
    code += 'def take(e):\n    put(e.who, "hand", (*e.who.hand, e.card))\n'
    change = {"enact": "X.1", "text": "Cards.", "code": code}
    assert domain.order(game, "Ben", "propose", {"title": "Cards", "changes": [change]}).ok
    assert domain.desk_act(game, "accept", {"on": "P1"}).ok
    for player, card in (("Ann", "KS"), ("Ben", "ruby"), ("Ben", "opal")):
        assert domain.order(game, player, "take", {"card": card}).ok
    place = made(ann)
    told = text(ann.get(place))
    made_up = told.partition("Made up")[2]
    assert "invented Hand : Ben" in made_up
    assert "Ann" not in made_up.partition("Throw this copy away")[0]
    assert made_up.count("invented ") == 1, "what nobody sees, not even the Admin, is no news to anybody"
    assert "KS" in text(ann.get(f"{place}players/Ann/"))
    ann.post(f"{place}playing/", {"playing": "Ben"})
    played = text(ann.get(f"{place}players/Ben/"))
    assert re.search(r"Hand (10|[2-9JQKA])[SHDC] ", played)
    assert "ruby" not in played
    kept = Trial.objects.get()
    assert "ruby" not in json.dumps([kept.first, kept.lines])


def test_a_copy_survives_the_end_of_the_process(ann, ben):
    place = made(ann, **GIFT)
    ann.post(f"{place}turn/")
    ann.get(place)  # what happened is told once
    before = ann.get(f"{place}board/table/").content
    state = trials.warm(Trial.objects.get()).state_hash()
    live.close_all()
    assert trials.warm(Trial.objects.get()).state_hash() == state
    strip = re.compile(rb'value="[^"]*"')
    assert strip.sub(b"", ann.get(f"{place}board/table/").content) == strip.sub(b"", before)


def test_the_steps_become_the_proposals_example_and_it_passes(ann, ben):
    place = made(ann, **GIFT)
    ann.post(f"{place}turn/")
    ann.post(f"{place}playing/", {"playing": "Ben"})
    ann.post(f"{place}act/propose/", {"title": "Inner"})
    ann.post(f"{place}playing/", {"playing": ""})
    ann.post(f"{place}act/accept/", {"on": "P1"})
    ann.post(f"{place}clock/", {"span": "1d"})
    answer = ann.post(f"{place}example/")
    assert answer.status_code == 303
    assert re.fullmatch(r"/g/friday/proposals/new/\?draft=\d+", answer["Location"])
    fields = Draft.objects.get().fields
    assert fields["title"] == "A gift"
    assert fields["changes-0-rule"] == "X.1"
    assert "turn: Ann" in fields["scenario"]
    told = text(ann.get(answer["Location"]))
    assert "it fails" not in told
    assert "example now" in told


def test_the_example_begins_where_the_copy_did(game, ann, ben):
    for thing, attribute, value in (("#3", "owner", "Ben"), ("#3", "name", "Quay"), ("Ann", "square", "#2")):
        grant = {"thing": thing, "attribute": attribute, "value": value, "because": "so"}
        assert domain.desk_act(game, "grant", grant).ok
    assert domain.desk_act(game, "grant", {"thing": "Ann", "attribute": "money", "value": 55, "because": "so"}).ok
    place = made(ann, title="Words", text="Words alone.")
    ann.post(f"{place}playing/", {"playing": "Ben"})
    offer = {"with": "Ann", "give-squares": "#3", "take-money": "50"}
    assert ann.post(f"{place}act/trade/", offer).status_code == 303
    ann.post(f"{place}playing/", {"playing": "Ann"})
    offer = next(
        id for id, thing in trials.warm(Trial.objects.get()).view("Ann")["things"].items() if thing["kind"] == "offer"
    )
    assert ann.post(f"{place}act/accept-trade/", {"offer": offer}).status_code == 303
    ann.post(f"{place}turn/")
    told = text(ann.post(f"{place}example/", follow=True))
    assert "it fails" not in told
    scenario = Draft.objects.get().fields["scenario"]
    assert "name: Quay" in scenario
    assert "money: 5," in scenario or "money: 5}" in scenario


def test_a_vote_in_a_copy_is_nobodys_vote(people, keeper):
    game = domain.start_game(keeper.user, edition="iv", title="Four", slug="four", at=live.now() - 3600)
    players = {}
    for name in ("Ann", "Ben", "Cid"):
        players[name] = people(name.lower())
        seated(game, players[name], name)
    change = {"enact": "20.1", "text": "Words."}
    assert domain.order(game, "Ben", "propose", {"title": "B", "text": "Words.", "changes": [change]}).ok
    assert domain.order(game, "Cid", "vote", {"on": "P1", "choice": "no"}).ok
    place = players["Ann"].post("/g/four/try/", {"proposal": ""})["Location"]
    for name in ("Ann", "Ben"):
        players["Ann"].post(f"{place}playing/", {"playing": name})
        answer = players["Ann"].post(f"{place}proposals/1/vote/", {"choice": "yes"}, follow=True)
        assert "Your vote: Yes" in text(answer)
    live.close_all()  # what was voted there is kept with the copy
    players["Ann"].post(f"{place}clock/", {"span": "1w"})
    assert "2 Yes, 0 No" in text(players["Ann"].get(f"{place}log/"))  # Cid's vote is none of the copy's
    assert live.of(game).view("Ann")["ballots"] == {}
    assert live.of(game).view("Cid")["ballots"] == {"P1": "no"}
