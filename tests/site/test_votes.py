"""Votes on the site: cast, changed, kept from everybody else; closed, implemented, retracted."""

import csv
import json
import re

import pytest
import testclock
from django.test import Client
from pagewords import propose, seated, started, text, token

from nomopoly.site.notices import mailing
from nomopoly.site.play.views import log
from nomopoly.site.tables import domain, idle, live, queries
from nomopoly.site.tables.models import Ballot, Entry, Life

FINE = [{"amend": "8.3", "params": {"turn_fine": 50}}]
DAY = 86400


@pytest.fixture
def iv(keeper, people):
    """A game of edition iv, begun two days ago, with Ann, Ben and Cid in it."""
    game = started(keeper, "iv", "fourth", title="Fourth", since=2 * DAY)
    for name in ("Ann", "Ben", "Cid"):
        seated(game, people(name.lower()), name)
    return game


@pytest.fixture
def proposed(iv, people):
    ann = people("ann")
    propose(iv, title="Half", text="Half the fine", changes=FINE)
    return ann


def state(game):
    return live.of(game).view("admin")["things"]["P1"]


def cast(client, choice, **more):
    page = client.get("/g/fourth/proposals/1/")
    return client.post("/g/fourth/proposals/1/vote/", {"choice": choice, "once": token(page), **more})


def steady(page):
    """A page without how long ago things were."""
    return re.sub(r"in \d[\d a-z]*|\d[\d a-z]* ago|just now|\d\d:\d\d", "", text(page))


def close(game):
    """Let the voting end."""
    domain.run_due(game, live.now() + 5 * DAY + 1)


def test_words_that_speak_of_a_player_are_flagged_for_all(proposed, iv):
    """9.3: voters see what the Admin sees."""
    assert 'id="doubts"' not in Client().get("/g/fourth/proposals/1/").content.decode()
    assert domain.order(iv, "Ben", "propose", {"title": "For Cid", "text": "Cid is thanked.", "changes": FINE}).ok
    assert "Flagged: speaks of Cid." in text(Client().get("/g/fourth/proposals/2/"))


def test_a_change_that_reads_the_same_is_left_out(iv):
    view = live.of(iv).view("visitor")
    told = [["Ann", "title", None, ""], ["Ann", "money", 1, 2], ["Ann", "notes", "", []]]
    assert [each[1] for each in queries.readable(view, told, {})] == ["Money"]


def test_a_vote_is_kept_and_can_be_changed(proposed, people, iv):
    ben = people("ben")
    assert "You have not voted" in text(ben.get("/g/fourth/proposals/1/"))
    assert cast(ben, "yes").status_code == 303
    page = text(ben.get("/g/fourth/proposals/1/"))
    assert "Your vote: Yes. You can change it until" in page
    cast(ben, "no")
    assert "Your vote: No. You can change it until" in text(ben.get("/g/fourth/proposals/1/"))
    assert Ballot.objects.count() == 1


@pytest.mark.parametrize("seconds", [-1000, 100], ids=["as a day ends", "as the first of a day"])
def test_nobody_else_sees_a_vote(proposed, people, keeper, iv, seconds):
    ben, cid = people("ben"), people("cid")
    addresses = [
        "",
        "proposals/",
        "proposals/1/",
        "log/",
        "log/feed.atom",
        "players/Ben/",
        "rules/",
        "about/",
        "export/",
    ]
    testclock.set_clock(live.now() + DAY - live.now() % DAY + seconds)
    Life.objects.update_or_create(pk=1, defaults={"at": live.now()})  # the site has not been away since then
    for client in (ben, cid, keeper, proposed):  # everybody has been here, so that nobody's coming is new
        client.get("/g/fourth/")
    others = {"cid": cid, "keeper": keeper, "nobody": Client(), "ann": proposed}
    before = {(who, at): steady(client.get(f"/g/fourth/{at}")) for who, client in others.items() for at in addresses}
    entries = Entry.objects.filter(game=iv).count()
    cast(ben, "no")
    after = {(who, at): steady(client.get(f"/g/fourth/{at}")) for who, client in others.items() for at in addresses}
    for key in before:
        assert after[key] == before[key], key
    assert Entry.objects.filter(game=iv).count() == entries


def test_what_waits_is_a_vote_until_it_is_cast(proposed, people):
    ben = people("ben")
    assert "Your vote on P1" in text(ben.get("/g/fourth/"))
    cast(ben, "abstain")
    assert "Your vote on P1" not in text(ben.get("/g/fourth/"))


def test_only_players_vote(proposed, people, keeper):
    for client in (keeper, people("eve")):
        answer = client.post("/g/fourth/proposals/1/vote/", {"choice": "yes"})
        assert answer.status_code == 403
        assert "Only players of this game can vote" in text(answer)
    assert not Ballot.objects.exists()


def test_nonsense_is_refused_and_nothing_kept(proposed, people):
    ben = people("ben")
    page = cast(ben, "perhaps")
    assert page.status_code == 200
    assert "choice must be one of yes, no, abstain" in text(page)
    assert not Ballot.objects.exists()


def test_who_proposed_what_and_what_came_of_it_is_a_table_to_take_along(proposed, people, iv):
    """For a marking sheet, for example. Votes that are secret are in it when they are counted."""
    assert domain.order(iv, "Ben", "propose", {"title": "=1+1", "text": "Zwei, öfter"}).ok
    for client in (proposed, people("ben"), people("cid")):
        cast(client, "yes")
    path = "/g/fourth/proposals.csv"
    assert path in Client().get("/g/fourth/proposals/").content.decode()
    before = table_of(Client().get(path))
    assert before[0] == ["number", "title", "author", "made", "rules", "outcome", "yes", "no", "words"]
    assert [row[:3] + row[4:] for row in before[1:]] == [
        ["1", "Half", "Ann", "8.3", "Voting", "", "", "Half the fine"],
        ["2", "'=1+1", "Ben", "", "Voting", "", "", "Zwei, öfter"],
    ]
    close(iv)
    with live.of(iv).writing() as running:
        running.admin("pause", {"because": "A break", "kind": "disruption"}, live.now(), by="kernel")
    assert domain.desk_act(iv, "propose", {"title": "Out", "text": "Go on"}).ok
    answer = people("ann").get(path)
    assert table_of(answer)[3][1:3] == ["Out", "the Admin"]
    assert answer["Content-Disposition"] == 'attachment; filename="fourth-proposals.csv"'
    assert [row[5:8] for row in table_of(answer)[1:3]] == [["Pending", "3", "0"], ["Rejected", "0", "0"]]


def table_of(answer):
    return list(csv.reader(answer.content.decode("utf-8-sig").splitlines()))


def test_the_close_tells_the_numbers_and_the_admin_implements(proposed, people, keeper, iv):
    cast(people("ben"), "yes")
    cast(people("cid"), "no")
    cast(proposed, "yes")
    close(iv)
    page = text(Client().get("/g/fourth/proposals/1/"))
    assert "2 Yes, 1 No" in page
    assert "Accepted. Waiting for the Admin" in page
    desk = keeper.get("/g/fourth/admin/")
    assert "Implement as voted" in text(desk)
    assert (
        keeper.post("/g/fourth/admin/implement/", {"on": "P1", "confirm": "yes", "once": token(desk)}).status_code
        == 303
    )
    assert live.of(iv).value("turn_fine", "game") == 50
    late = people("ben").post("/g/fourth/proposals/1/vote/", {"choice": "yes"}, follow=True)
    assert "Voting closed at" in text(late)


def test_the_entry_of_the_close_shows_how_many_chose_what(proposed, people, iv):
    for name, choice in (("ann", "yes"), ("ben", "yes"), ("cid", "no")):
        cast(people(name), choice)
    close(iv)
    counted = next(each for each in live.of(iv).facts("visitor") if each["kind"] == "ballots")
    page = text(Client().get(f"/g/fourth/log/{counted['number']}/"))
    assert " Ballots P1: no 1 , yes 2 Commitment " in page


@pytest.mark.parametrize(
    ("ballots", "shown"),
    [
        (
            [["P1", "no", "Ben"], ["P1", "yes", "Ann"], ["P2", {"word": "P1"}, 3]],
            {"P1": [["Ben", "no"], ["Ann", "yes"]], "P2": [["P1", 3]]},
        ),
        ([["P1", "no", 1, ["because"]]], [["P1", "no", 1, ["because"]]]),
        ("yes", "yes"),
        ([], []),
        (None, None),
    ],
)
def test_ballots_are_shown_by_what_they_are_about(ballots, shown):
    assert log.by_subject(ballots) == shown


def test_a_late_clock_shows_the_voting_as_closed(proposed, iv, monkeypatch):
    moment = live.now() + 5 * DAY
    monkeypatch.setattr(live, "now", lambda: moment)
    page = text(Client().get("/g/fourth/proposals/1/"))
    assert "Voting closed at" in page
    assert "the votes are being counted" in page


def test_what_a_proposal_changes_has_an_older_address(proposed):
    assert proposed.get("/g/fourth/proposals/1/diff/").url == "/g/fourth/proposals/1/#what-changes"
    assert proposed.get("/g/fourth/proposals/99/diff/").status_code == 404


def test_the_author_retracts(proposed, people, iv):
    assert "Only the author can retract" in text(people("ben").get("/g/fourth/proposals/1/retract/"))
    page = proposed.get("/g/fourth/proposals/1/retract/")
    assert "Keep it" in text(page)
    assert proposed.post("/g/fourth/proposals/1/retract/", {"once": token(page)}).status_code == 303
    assert state(iv)["outcome"] == "retracted"


def test_the_admin_refuses_with_a_reason(proposed, people, keeper, iv):
    cast(people("ben"), "yes")
    close(iv)
    page = keeper.get("/g/fourth/admin/veto/?on=P1")
    sent = {"on": "P1", "because": "infeasible", "words": "It cannot be built", "confirm": "1", "once": token(page)}
    assert keeper.post("/g/fourth/admin/veto/", sent).status_code == 303
    assert "The Admin refused to implement this: infeasible: It cannot be built" in text(
        Client().get("/g/fourth/proposals/1/")
    )


def test_a_signed_in_player_is_noted_once_a_day(iv, people):
    ben = people("ben")
    count = Entry.objects.filter(game=iv).count()
    ben.get("/g/fourth/")
    ben.get("/g/fourth/rules/")
    assert Entry.objects.filter(game=iv).count() == count + 1
    assert "log-in" not in text(Client().get("/g/fourth/log/"))
    assert "sign in" not in text(ben.get("/g/fourth/")).casefold()


def test_whoever_may_propose_is_offered_it(iv, people):
    ann = people("ann")
    page = ann.get("/g/fourth/proposals/")
    assert 'href="/g/fourth/proposals/new/">Make a proposal' in page.content.decode()
    assert "Not possible now" not in text(page)
    assert "You cannot propose" not in text(ann.get("/g/fourth/proposals/new/"))
    assert "Make a proposal" in text(ann.get("/g/fourth/act/")).partition("Not possible now")[0]


def test_a_moment_in_a_refusal_is_in_the_readers_time(iv, people):
    ben = people("ben")
    ben.get("/g/fourth/")
    assert domain.order(iv, "Ben", "take-turn", {}).ok
    page = text(ben.get("/g/fourth/act/take-turn/"))
    assert "too soon" in page
    assert "T" + "00:" not in page


BROKEN = [{"enact": "13.1", "text": "Broken.", "code": "@after('land')\ndef bad(e):\n    1 // 0\n"}]


def test_the_desk_leads_out_of_a_disruption(iv, people, keeper):
    assert domain.order(iv, "Ann", "propose", {"title": "Broken", "changes": BROKEN}).ok
    assert domain.order(iv, "Ann", "vote", {"on": "P1", "choice": "yes"}).ok
    assert domain.desk_act(iv, "implement", {"on": "P1"}).ok
    close(iv)
    domain.run_due(iv, live.now() + 12 * DAY)
    assert live.of(iv).value("pause_kind", "game") == "disruption"
    desk = keeper.get("/g/fourth/admin/")
    assert "Ways out" in text(desk)
    again = keeper.post("/g/fourth/admin/run-again/", {"once": token(desk)})
    assert live.of(iv).value("pause_kind", "game") == "disruption", text(again)
    page = keeper.get("/g/fourth/admin/suspend/?rule=13.1")
    sent = {"rule": "13.1", "because": "It divides by nothing", "confirm": "1", "once": token(page)}
    assert keeper.post("/g/fourth/admin/suspend/", sent).status_code == 303
    desk = keeper.get("/g/fourth/admin/")
    done = keeper.post("/g/fourth/admin/run-again/", {"once": token(desk)})
    assert done.status_code == 303, text(done)
    assert live.of(iv).value("paused", "game") is False
    assert "suspended" in text(Client().get("/g/fourth/rules/13.1/"))


def test_programs_vote_too(proposed, people, iv):
    ben = people("ben")
    sent = {"fields": {"on": "P1", "choice": "no"}}
    ben.get("/g/fourth/")
    answer = ben.post("/api/v1/g/fourth/act/vote", sent, content_type="application/json")
    assert answer.status_code == 200, answer.content
    assert answer.json() == {"entry": None, "cast": {"on": "P1", "choice": "no"}}
    assert Ballot.objects.get().choice == "no"
    sent["fields"]["choice"] = "perhaps"
    assert ben.post("/api/v1/g/fourth/act/vote", sent, content_type="application/json").status_code == 409


def test_who_has_not_been_here_is_warned_twice(iv, people, mailoutbox, monkeypatch):
    begun = live.now()
    for day, expected in ((13, 0), (15, 1), (16, 1), (20.5, 2), (20.6, 2)):
        moment = begun + int(day * DAY)
        monkeypatch.setattr(live, "now", lambda moment=moment: moment)
        domain.order(iv, "Ann", "log-in", {})
        mailoutbox[:] = [mail for mail in mailoutbox if "will be out" in mail.subject]
        idle.warn()
        monkeypatch.setattr(live, "now", lambda moment=moment: moment + 20 * 60)
        mailing.mail_all()
        mailoutbox[:] = [mail for mail in mailoutbox if "will be out" in mail.subject]
        assert len([mail for mail in mailoutbox if mail.to == ["ben@example.org"]]) == expected, day
    assert not [mail for mail in mailoutbox if mail.to == ["ann@example.org"]]
    assert "in 1 day" in mailoutbox[-1].subject


def test_the_author_votes_yes_with_a_tick(iv, people):
    ann = people("ann")
    page = ann.get("/g/fourth/proposals/new/?door=program")
    assert 'name="vote_yes"' in page.content.decode()
    sent = {"title": "Half", "text": "Half the fine", "vote_yes": "1", "submit": "1", "once": token(page)}
    answer = ann.post("/g/fourth/proposals/new/", sent, follow=True)
    assert "Your vote: Yes." in text(answer)
    assert Ballot.objects.get().choice == "yes"
    assert "Your vote: Yes. You can change it until" in text(ann.get("/g/fourth/proposals/1/"))


def test_what_the_admin_put_into_effect_otherwise_than_voted_is_shown_and_so_is_its_correction(proposed, people, iv):
    cast(people("ben"), "yes")
    close(iv)
    other = [{"amend": "8.3", "params": {"turn_fine": 55}}]
    assert domain.desk_act(iv, "implement", {"on": "P1", "changes": other}).ok
    page = text(people("ben").get("/g/fourth/proposals/1/"))
    assert "Put into effect otherwise than voted" in page
    assert "Corrected afterwards" not in page
    assert domain.desk_act(iv, "implement", {"on": "P1", "changes": FINE}).ok
    page = text(people("ben").get("/g/fourth/proposals/1/"))
    assert "Corrected afterwards: history number 2" in page


def test_what_was_put_into_effect_as_voted_says_nothing_more(proposed, people, iv):
    cast(people("ben"), "yes")
    close(iv)
    assert domain.desk_act(iv, "implement", {"on": "P1"}).ok
    assert "otherwise than voted" not in text(people("ben").get("/g/fourth/proposals/1/"))


# ---- votes that players have changed

REMARKS = """
also_asks("vote", remark=words("Remark", limit=80), strength=number("Strength", least=1, most=3))


@after("voting-closes")
def tell_remarks(e):
    for about, choice, many, remark in e.remark:
        if remark is not None:
            tell(None, f"{choice}: {remark}")
"""
ALOUD = """
overrides("9.5")


@action(
    "vote", "Vote", in_pause=True, ballot="voting-closes",
    on=choose("proposal", choices=lambda who: [each for each in every("proposal") if each.status == "Voting"]),
    choice=one_of(("yes", "no")), because=words("Because", limit=80),
)
def vote_aloud(e):
    pass
"""


def put_in_force(game, keeper, code):
    """P1 brings a rule of players into force; P2 is being voted on by it."""
    changes = [{"enact": "9.9", "text": "Votes say more.", "code": code}]
    assert domain.order(game, "Ann", "propose", {"title": "More", "text": "More", "changes": changes}).ok
    assert domain.order(game, "Ann", "vote", {"on": "P1", "choice": "yes"}).ok
    domain.run_due(game, live.now() + 5 * DAY + 1)
    assert domain.desk_act(game, "implement", {"on": "P1"}).ok
    assert domain.order(game, "Ann", "propose", {"title": "Half", "text": "Half the fine", "changes": FINE}).ok


def later(monkeypatch):
    moment = live.now() + 5 * DAY + 60
    monkeypatch.setattr(live, "now", lambda: moment)


def test_a_vote_with_added_fields_has_its_buttons_and_a_form_for_the_rest(iv, people, keeper, monkeypatch):
    put_in_force(iv, keeper, REMARKS)
    later(monkeypatch)
    ben, cid = people("ben"), people("cid")
    page = ben.get("/g/fourth/proposals/2/")
    assert "Vote and say more: Remark, Strength" in text(page)
    ben.post("/g/fourth/proposals/2/vote/", {"choice": "no", "once": token(page)})
    form = cid.get("/g/fourth/act/vote/?on=P2")
    assert text(form).index("Choice") < text(form).index("Remark")
    sent = {"on": "P2", "choice": "yes", "remark": "Ben & <b>Cid</b>", "strength": "3", "once": token(form)}
    assert cid.post("/g/fourth/act/vote/", sent).status_code == 303
    assert "Your vote: Yes" in text(cid.get("/g/fourth/proposals/2/"))
    close(iv)
    assert (state_of(iv, "P2")["yes_votes"], state_of(iv, "P2")["no_votes"]) == (1, 1)
    assert news(iv) == ["yes: Ben & <b>Cid</b>"]


def test_a_vote_that_needs_more_than_a_button_leads_to_its_form(iv, people, keeper, monkeypatch):
    put_in_force(iv, keeper, ALOUD)
    later(monkeypatch)
    ben = people("ben")
    page = ben.get("/g/fourth/proposals/2/")
    assert "Vote: Choice, Because" in text(page)
    assert 'name="choice"' not in page.content.decode()
    form = ben.get("/g/fourth/act/vote/?on=P2")
    sent = {"on": "P2", "choice": "yes", "because": "it is right", "once": token(form)}
    assert ben.post("/g/fourth/act/vote/", sent).status_code == 303
    close(iv)
    assert state_of(iv, "P2")["yes_votes"] == 1


def test_a_program_votes_with_added_fields(iv, people, keeper, monkeypatch):
    put_in_force(iv, keeper, REMARKS)
    later(monkeypatch)
    sent = json.dumps({"fields": {"on": "P2", "choice": "yes", "remark": "by program"}})
    answer = people("cid").post("/api/v1/g/fourth/act/vote", sent, content_type="application/json")
    assert answer.status_code == 200, answer.content
    assert [json.loads(row.more) for row in Ballot.objects.filter(about="P2")] == [{"remark": "by program"}]
    close(iv)
    assert news(iv) == ["yes: by program"]


def news(game):
    facts = [fact for entry in live.of(game).facts("visitor") for fact in entry["facts"]]
    return [fact["text"] for fact in facts if fact["what"] == "told"]


def state_of(game, id):
    return live.of(game).view("admin")["things"][id]
