"""The office of Admin by the table and by the house: who is let in, what is carried out, and what becomes of a rule
that breaks."""

import json

import pytest
from django.core import mail
from pagewords import DAY, text, things, token

from nomopoly.site.accounts import closing
from nomopoly.site.order import blocking
from nomopoly.site.tables import deciding, domain, life, live
from nomopoly.site.tables.journal import DatabaseJournal
from nomopoly.site.tables.models import Membership, TableQuestion

RULE = {"enact": "X.8", "section": "Additions", "text": "Ann is right."}
BROKEN = RULE | {"enact": "X.9", "code": "@after('judge')\ndef bad(e):\n    return 1 // 0\n"}

TELLS = "event('boom')\n\n@on('boom')\ndef boom(e):\n    return {}['what Ben hides']\n"  # by its fault


@pytest.fixture
def start(people, monkeypatch):
    """start("table", "Ann", "Ben") starts a game with this office in which these play. It gives the game and a clock to
    put on."""

    def begin(office, *names, edition="original"):
        clock = [1_772_442_000]
        monkeypatch.setattr(live, "now", lambda: clock[0])
        keeper = people("keeper").user
        game = domain.start_game(keeper, edition=edition, title="Friday", slug="friday", office=office, at=clock[0])
        for name in names:
            assert domain.ask_to_join(game, people(name.lower()).user, name, invited=True).ok

        def later(seconds):
            clock[0] += seconds
            domain.run_due(game, clock[0])
            deciding.attend()

        return game, later

    return begin


def propose(game, who="Ann", *changes, **more):
    outcome = domain.order(game, who, "propose", {"title": "On me", "changes": list(changes), **more})
    assert outcome.ok, outcome
    return outcome


def verdict(game, id="P1"):
    return things(game)[id]["verdict"]


def acts(game):
    """Who gave which acts of the desk."""
    return [(line["by"], line["do"]) for line in DatabaseJournal(game.pk).lines() if line["kind"] == "admin"]


def question():
    return TableQuestion.objects.get(settled=None)


def say(name, choice):
    return deciding.answer(question(), Membership.objects.get(player=name), choice)


# ---- the house


def test_the_house_accepts_at_once_what_can_be_put_into_effect(start):
    game, _ = start("house", "Ann")
    before = things(game)["Ann"]["square"]
    propose(game, "Ann", RULE)
    assert verdict(game) == "accepted"
    assert "X.8" in [record["id"] for record in live.of(game).records()]
    assert things(game)["Ann"]["square"] != before  # her turn, for the judgement
    assert acts(game)[-1] == ("The house", "accept")


def test_the_log_says_that_the_house_has_decided(start, people):
    game, _ = start("house", "Ann")
    propose(game, "Ann", RULE)
    entry = live.of(game).facts("visitor")[-1]
    page = text(people("ann").get("/g/friday/log/"))
    assert "The house has accepted P1" in page
    assert "The Admin has accepted" not in page
    page = text(people("ann").get(f"/g/friday/log/{entry['number']}/"))
    assert page.count("The house has accepted P1") == 2, "the line above, and what followed"
    assert "The Admin has accepted" not in page
    assert "Rule X.8 is enacted" in page
    assert "number: X.8" not in page
    made = next(each for each in live.of(game).facts("visitor") if each["do"] == "propose")
    page = text(people("ann").get(f"/g/friday/log/{made['number']}/"))
    assert page.count("new rule X.8") == 2, "in what followed, and in what is different"
    assert "enact" not in page


def test_a_verdict_that_waits_for_the_update_is_the_houses_too(start, people):
    game, _ = start("house", "Ann", edition="mail")
    domain.order(game, "Ann", "propose", {"title": "More", "changes": [{"amend": "VII.5", "params": {"lap_money": 9}}]})
    page = text(people("ann").get("/g/friday/log/"))
    assert "The house accepts P1 ; the verdict counts with the update" in page
    assert "The Admin accepts" not in page


def test_the_house_turns_down_what_cannot_be(start):
    game, _ = start("house", "Ann")
    propose(game, "Ann", BROKEN)
    assert verdict(game) == "rejected"
    assert "It cannot be put into effect" in things(game)["P1"]["because"]


@pytest.mark.parametrize(
    ("code", "run", "why"),
    [
        ("", "{}['what Ben hides']", "one of its programs breaks."),
        ("", "refuse('what Ben hides')", "one of its programs refuses it."),
        (
            "",
            "enact('X.7', section='Additions', text='.', code='def f():\\n    what_' + 'Ben_hides()')",
            "one of its programs breaks.",
        ),
        ("@after('judge')\ndef bad(e):\n    refuse('what Ben hides')\n", "", "one of its programs refuses it."),
        ("@after('judge')\ndef bad(e):\n    return {}['what Ben hides']\n", "", "one of its programs breaks."),
    ],
)
def test_the_reason_of_the_house_tells_nothing_that_a_program_chose(start, code, run, why):
    game, _ = start("house", "Ann", "Ben")
    propose(game, "Ann", RULE | {"enact": "X.9", "code": code}, run=run)
    assert verdict(game) == "rejected"
    assert things(game)["P1"]["because"] == f"It cannot be put into effect: {why}"
    listed = [entry for entry in live.of(game).facts("visitor") if entry["do"] != "propose"]
    assert "what Ben hides" not in str(listed).replace("_", " ")


def test_a_house_with_nothing_to_decide_is_looked_at_once(start, monkeypatch):
    game, later = start("house", "Ann")
    deciding.attend()
    looked = []
    monkeypatch.setattr(deciding, "decide", lambda game: looked.append(game))
    deciding.attend()
    assert looked == []


def test_the_house_does_without_a_rule_that_breaks(start):
    game, later = start("house", "Ann", "Ben")
    code = "at(now() + hours(5), 'boom')\n"
    propose(game, "Ann", RULE | {"enact": "X.7", "code": TELLS}, run=code)
    assert verdict(game) == "accepted"
    domain.run_due(game, live.now() + 6 * 3600)
    assert live.of(game).ask(lambda running: running.paused())
    deciding.attend()
    assert not live.of(game).ask(lambda running: running.paused())
    assert ("The house", "suspend") in acts(game)
    assert next(record for record in live.of(game).records() if record["id"] == "X.7")["suspended"]
    (entry,) = live.of(game).facts("visitor").where(do="suspend")
    assert entry["args"] == {"rule": "X.7", "because": "Line 5 of it broke."}


# ---- the table: proposals


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ({"Ann": "yes", "Ben": "yes", "Cid": "no"}, "accepted"),
        ({"Ann": "yes", "Ben": "no"}, "rejected"),
        ({"Ann": "no", "Ben": "no", "Cid": "yes"}, "rejected"),
        ({"Ben": "yes"}, "accepted"),
        ({}, "rejected"),
    ],
    ids=["majority", "tie", "minority", "one answer", "silence"],
)
def test_the_table_decides_by_simple_majority_of_those_who_answer(start, answers, expected):
    game, later = start("table", "Ann", "Ben", "Cid")
    propose(game, "Ann", RULE)
    deciding.attend()
    assert verdict(game) is None
    for name, choice in answers.items():
        assert say(name, choice) is None
    later(DAY - 60)
    if len(answers) < 3:
        assert verdict(game) is None
        later(60)
    assert verdict(game) == expected
    assert acts(game)[-1][0] == "The table"
    assert TableQuestion.objects.get().result.startswith("Yes" if expected == "accepted" else "No")


def test_an_answer_can_be_changed_until_the_close(start):
    game, later = start("table", "Ann", "Ben", "Cid")
    propose(game, "Ann", RULE)
    deciding.attend()
    say("Ann", "no")
    say("Ann", "yes")
    later(DAY)
    assert verdict(game) == "accepted"
    assert deciding.answer(TableQuestion.objects.get(), Membership.objects.get(player="Ann"), "no") is not None


def test_when_all_have_answered_nobody_waits(start):
    game, _ = start("table", "Ann", "Ben")
    propose(game, "Ann", RULE)
    deciding.attend()
    say("Ann", "yes")
    assert verdict(game) is None
    say("Ben", "yes")
    assert verdict(game) == "accepted"


def test_what_the_table_accepts_and_cannot_be_is_turned_down_with_the_reason(start):
    game, later = start("table", "Ann")
    propose(game, "Ann", BROKEN)
    deciding.attend()
    say("Ann", "yes")
    assert verdict(game) == "rejected"
    assert "It cannot be put into effect" in TableQuestion.objects.get().result


def test_a_proposal_that_is_replaced_is_asked_about_no_more(start):
    game, later = start("table", "Ann", "Ben")
    propose(game, "Ann", RULE)
    deciding.attend()
    propose(game, "Ann", RULE | {"text": "Ben is right."})
    deciding.attend()
    first = TableQuestion.objects.get(about="P1")
    assert first.settled
    assert first.result == "It has been settled otherwise."
    assert question().about == "P2"


# ---- the table, where the rules hold a vote of their own


def vote_in(game, later, **proposal):
    """A proposal that the players of edition iv have accepted."""
    assert domain.order(game, "Ann", "propose", {"title": "On me", "text": "Words.", **proposal}).ok
    for name in ("Ann", "Ben"):
        assert domain.order(game, name, "vote", {"on": "P1", "choice": "yes"}).ok
    later(6 * DAY)


def test_what_the_players_have_accepted_already_is_carried_out(start):
    game, later = start("table", "Ann", "Ben", edition="iv")
    vote_in(game, later, changes=[{"amend": "8.3", "params": {"turn_fine": 50}}])
    assert things(game)["P1"]["outcome"] == "implemented"
    assert not TableQuestion.objects.exists()


def test_of_words_alone_the_authors_program_is_carried_out(start, people):
    game, later = start("table", "Ann", "Ben", edition="iv")
    vote_in(game, later)
    asked = question()
    assert "add its program" in text(people("ann").get("/g/friday/"))
    page = f"/g/friday/table/{asked.pk}/program/"
    assert people("ben").get(page).status_code == 404
    ann = people("ann")
    wrong = ann.post(page, {"run": "import os", "once": token(ann.get(page))})
    assert "one-time program, line 1: " in text(wrong)
    answer = ann.post(page, {"run": "gain(thing('Ann'), 5)", "once": token(ann.get(page))})
    assert answer.status_code == 303
    assert things(game)["P1"]["outcome"] == "implemented"
    assert things(game)["Ann"]["money"] == things(game)["Ben"]["money"] + 5


def test_a_program_of_the_author_adds_it_by_the_api(start, people):
    game, later = start("table", "Ann", "Ben", edition="iv")
    vote_in(game, later)

    def send(who, **sent):
        path = f"/api/v1/g/friday/table/{question().pk}/program"
        return people(who).post(path, json.dumps(sent), content_type="application/json")

    assert send("ben", run="gain(thing('Ben'), 5)").status_code == 404
    assert send("ann", run="import os").status_code == 409
    assert send("ann", run="gain(thing('Ann'), 5)").json() == {"added": True}
    assert things(game)["P1"]["outcome"] == "implemented"


def test_without_one_the_words_are_carried_out_after_a_day(start):
    game, later = start("table", "Ann", "Ben", edition="iv")
    vote_in(game, later)
    assert things(game)["P1"]["status"] == "Pending"
    later(DAY)
    assert things(game)["P1"]["outcome"] == "implemented"


# ---- the table: who is let in


@pytest.mark.parametrize(("choice", "status"), [("yes", "approved"), ("no", "declined")])
def test_the_table_lets_people_in(start, people, choice, status):
    game, later = start("table", "Ann")
    bob = people("bob")
    page = bob.get("/g/friday/join/")
    assert "The players vote on your wish" in text(page)
    bob.post("/g/friday/join/", {"name": "Bob", "rules": "on"})
    deciding.attend()
    assert Membership.objects.get(player="Bob").status == "asked"
    ann = people("ann")
    assert "Let Bob join?" in text(ann.get("/me/"))
    page = ann.get("/g/friday/table/")
    answer = ann.post(f"/g/friday/table/{question().pk}/", {"choice": choice, "once": token(page)})
    assert answer.status_code == 303
    assert Membership.objects.get(player="Bob").status == status
    assert mail.outbox[-1].to == ["bob@example.org"]
    assert "by the table" in mail.outbox[-1].body


def test_where_nobody_plays_yet_nobody_is_asked(start, people):
    game, _ = start("table")
    people("bob").post("/g/friday/join/", {"name": "Bob", "rules": "on"})
    deciding.attend()
    assert Membership.objects.get(player="Bob").status == "approved"


def test_the_starter_of_a_table_is_a_player_like_others(start, people):
    game, _ = start("table", "Ann")
    keeper = people("keeper")
    assert keeper.get("/g/friday/admin/").status_code == 403
    page = keeper.get("/g/friday/invite/")
    assert "Take a seat" in text(page)
    assert keeper.post(f"/g/friday/join/?invitation={game.invitation}", {"name": "Kim"}).url == "/g/friday/"
    assert keeper.get("/g/friday/admin/settings/").status_code == 200
    assert people("ann").get("/g/friday/admin/settings/").status_code == 403


# ---- the table: pages


def test_only_players_answer_and_only_where_the_table_decides(start, people, keeper):
    game, _ = start("table", "Ann")
    propose(game, "Ann", RULE)
    deciding.attend()
    eve = people("eve")
    page = eve.get("/g/friday/table/")
    assert "Accept P1: On me?" in text(page)
    assert 'name="choice"' not in page.content.decode()
    assert eve.post(f"/g/friday/table/{question().pk}/", {"choice": "yes"}).status_code == 403
    other = domain.start_game(keeper.user, edition="original", title="Other", slug="other")
    assert eve.get("/g/other/table/").status_code == 404
    assert other.office == "person"


def test_nobody_reads_how_others_have_answered(start, people):
    game, _ = start("table", "Ann", "Ben")
    propose(game, "Ann", RULE)
    deciding.attend()
    before = people("ben").get("/g/friday/table/").content
    say("Ann", "yes")
    after = people("ben").get("/g/friday/table/").content

    def lines(page):
        return [line for line in page.decode().splitlines() if "csrf" not in line and "once" not in line]

    assert lines(before) == lines(after)


def test_about_says_who_decides(start, people, keeper):
    game, _ = start("house")
    assert "The house. No person is the Admin" in text(people("eve").get("/g/friday/about/"))
    domain.start_game(keeper.user, edition="original", title="Other", slug="other", office="table")
    assert "by simple majority" in text(people("eve").get("/g/other/about/"))


# ---- the table: what else waits, and what breaks


def test_what_wants_a_choice_is_asked_with_each_choice(start):
    act = {
        "id": "judge-it",
        "label": "Decide",
        "task": True,
        "desk": True,
        "fields": [
            {"name": "on", "type": "thing", "optional": False, "choices": [{"id": "dispute-1", "label": "dispute-1"}]},
            {
                "name": "winner",
                "type": "thing",
                "optional": False,
                "choices": [{"id": "Ann", "label": "Ann"}, {"id": "Ben", "label": "Ben"}],
            },
        ],
    }
    game, _ = start("table", "Ann")
    view = live.of(game).view("admin")
    (found,) = deciding.waiting(game, view, [act])
    assert [choice[1] for choice in found["choices"]] == ["Decide: Ann", "Decide: Ben", "None of it"]
    assert found["choices"][1][3] == {"on": "dispute-1", "winner": "Ben"}


def test_a_rule_that_breaks_is_mended_by_the_emergency_vote(start):
    game, later = start("table", "Ann", "Ben")
    code = "at(now() + hours(5), 'boom')\n"
    propose(game, "Ann", RULE | {"enact": "X.7", "code": TELLS}, run=code)
    deciding.attend()
    say("Ann", "yes")
    say("Ben", "yes")
    later(6 * 3600)
    emergency = next(thing for thing in things(game).values() if thing["kind"] == "emergency")
    assert (emergency["title"], emergency["text"]) == ("Go on without what broke in rule X.7", "Line 5 of it broke.")
    for name in ("Ann", "Ben"):
        assert domain.order(game, name, "emergency-vote", {"on": emergency["id"], "choice": "yes"}).ok
    later(6 * DAY)
    assert not live.of(game).ask(lambda running: running.paused())
    assert "X.7" not in [record["id"] for record in live.of(game).records()]


def test_programs_answer_questions_of_the_table_too(start, people):
    game, _ = start("table", "Ann", "Ben")
    propose(game, "Ann", RULE)
    deciding.attend()
    at = "/api/v1/g/friday/table"
    ann = people("ann")
    (asked,) = ann.get(at).json()["questions"]
    assert (asked["about"], asked["given"]) == ("P1", None)
    sent = ann.post(f"{at}/{asked['id']}", {"choice": "yes"}, content_type="application/json")
    assert sent.status_code == 200
    assert ann.get(at).json()["questions"][0]["given"] == "yes"
    assert people("ben").get(at).json()["questions"][0]["given"] is None
    assert ann.post(f"{at}/{asked['id']}", {"choice": "maybe"}, content_type="application/json").status_code == 409
    assert (
        people("eve").post(f"{at}/{asked['id']}", {"choice": "yes"}, content_type="application/json").status_code == 403
    )


def test_a_program_joins_by_invitation(start, people):
    game, _ = start("person")
    sent = {"name": "Bob", "invitation": game.invitation, "piece": "crown"}
    bob = people("bob")
    assert bob.post("/api/v1/g/friday/join", sent, content_type="application/json").status_code == 200
    assert Membership.objects.values_list("status", "piece").get(player="Bob") == ("approved", "crown")


def test_whoever_has_started_a_table_comes_in_at_once_by_any_way(start, people):
    game, _ = start("table", "Ann")
    asked = people("keeper").get("/g/friday/join/")
    done = people("keeper").post("/g/friday/join/", {"name": "Kim", "rules": "on", "once": token(asked)}, follow=True)
    assert "You are in the game as Kim" in text(done)
    assert things(game)["Kim"]["kind"] == "player"


def test_whose_answer_is_the_last_one_reads_that_the_question_is_closed(start, people):
    game, _ = start("table", "Ann", "Ben")
    propose(game, "Ann", RULE)
    deciding.attend()
    for name, told in (
        ("ann", "You can change it until"),
        ("ben", "Everybody has answered, and the question is closed."),
    ):
        at = f"/g/friday/table/{question().pk}/"
        done = people(name).post(at, {"choice": question().choices[0][0]}, follow=True)
        assert told in text(done)


def test_a_question_whose_time_is_up_waits_for_nobody_though_the_clock_is_late(start, people, monkeypatch):
    game, _ = start("table", "Ann", "Ben")
    propose(game, "Ann", RULE)
    deciding.attend()
    assert "Accept P1" in text(people("ben").get("/g/friday/"))
    late = question().closes
    monkeypatch.setattr(live, "now", lambda: late)
    assert "Accept P1" not in text(people("ben").get("/g/friday/"))


def test_what_the_table_is_asked_is_said_in_the_readers_language(start, people):
    game, _ = start("table", "Ann", "Ben")
    people("bob").post("/g/friday/join/", {"name": "Bob", "rules": "on"})
    propose(game, "Ann", RULE)
    deciding.attend()
    german = {"Accept-Language": "de"}
    for address in ("/g/friday/", "/g/friday/table/", "/me/"):
        told = text(people("ben").get(address, headers=german))
        assert "P1 annehmen: On me?" in told, address
        assert "Soll Bob mitspielen?" in told, address
    assert "Ja" in text(people("ben").get("/g/friday/table/", headers=german))
    assert "Accept P1: On me?" in text(people("ben").get("/g/friday/"))


def test_how_the_table_has_decided_is_said_in_the_readers_language(start, people):
    game, later = start("table", "Ann", "Ben")
    propose(game, "Ann", BROKEN)
    deciding.attend()
    say("Ann", "yes")
    say("Ben", "yes")
    propose(game, "Ben", RULE)
    deciding.attend()
    say("Ann", "no")
    later(DAY)
    german = text(people("ben").get("/g/friday/table/", headers={"Accept-Language": "de"}))
    assert "Nein (0 Ja, 1 Nein)" in german
    assert "Ja (2 Ja, 0 Nein. Es kann nicht in Kraft gesetzt werden: " in german
    english = text(people("ben").get("/g/friday/table/"))
    assert "No (0 Yes, 1 No)" in english
    assert "Yes (2 Yes, 0 No. It cannot be put into effect: " in english


# ---- whoever started it is gone, and times at which nobody can answer


def opens(client, path):
    return client.get(f"/g/friday/{path}").status_code


@pytest.mark.parametrize("office", ["table", "house"])
def test_where_the_starter_is_gone_who_has_played_longest_invites(start, people, office):
    game, _ = start(office, "Ann", "Ben")
    domain.change_game(game, host="Kay")
    assert opens(people("ann"), "invite/") == 403
    closing.close(people("keeper").user, nameless=False)
    assert [opens(people(name), "invite/") for name in ("ann", "ben")] == [200, 403]
    assert opens(people("ann"), "admin/settings/") == 200
    game.refresh_from_db()
    assert (game.starter, game.host) == (people("ann").user, "")
    blocking.block(people("ann").user, "a test")
    assert opens(people("ben"), "invite/") == 200


def test_a_game_without_its_admin_is_nobodys_to_invite_to(start, people):
    game, _ = start("person", "Ann")
    closing.close(people("keeper").user, nameless=False)
    assert opens(people("ann"), "invite/") == 403


def test_the_time_in_which_a_game_is_stopped_is_no_time_to_answer_in(start):
    game, later = start("table", "Ann", "Ben")
    propose(game, "Ann", RULE)
    later(0)
    domain.operate(game, "stop", "It moves")
    later(3 * DAY)
    assert domain.operate(game, "resume").ok
    later(DAY - 60)
    assert say("Ann", "yes") is None
    later(120)
    assert verdict(game) == "accepted"


def test_an_outage_of_the_site_is_no_time_to_answer_in(start, monkeypatch):
    game, later = start("table", "Ann", "Ben")
    propose(game, "Ann", RULE)
    later(0)
    life.sign(live.now())
    back = live.now() + 2 * DAY
    monkeypatch.setattr(live, "now", lambda: back)
    life.sign(back)
    assert question().closes == back + DAY
