"""The check of a proposal tries it out: now, in the last weeks again, and in the example it carries."""

import json
import re

import pytest
from pagewords import seated, text

from nomopoly import cli
from nomopoly.site.play.models import Draft, Example
from nomopoly.site.tables import domain, live
from nomopoly.site.trial.models import Trial

NOBODY_BUYS = {
    "title": "Nobody buys",
    "changes-0-kind": "enact",
    "changes-0-rule": "X.1",
    "changes-0-text": "Nobody buys squares.",
    "changes-0-code": '@check("buy-square")\ndef never(e):\n    return "nobody buys here"\n',
}
GIFT = {"title": "A gift", "run": 'for each in players():\n    put(each, "money", 1234)\n'}
EXAMPLE = """
scenario: A gift
players: [Ann, Ben]
steps:
- expect:
    Ann: {money: 1234}
"""


@pytest.fixture
def bought(game, ann, ben):
    """A square that Ann has bought after a turn."""
    for number in range(1, 9):
        assert domain.order(game, "Ann", "propose", {"title": f"Turn {number}"}).ok
        assert domain.desk_act(game, "accept", {"on": f"P{number}"}).ok
        square = live.of(game).view("Ann")["things"]["Ann"]["square"]
        if domain.order(game, "Ann", "buy-square", {"square": square}).ok:
            return square
    raise AssertionError("Ann never landed on a square for sale")


def checked(client, **fields):
    response = client.post("/g/friday/proposals/new/", fields | {"check": "1"})
    assert response.status_code == 200
    return text(response)


def test_the_check_tells_what_would_change_now(game, ann, ben):
    before = live.of(game).state_hash()
    told = checked(ann, **GIFT)
    assert "If it were in force now" in told
    assert re.search(r"Ben : Money from \S+ to \$1,234", told)
    assert "All the money in the game" in told
    assert live.of(game).state_hash() == before


def test_an_order_whose_action_goes_is_refused_without_a_list_of_all_others(game, ann, bought):
    told = checked(ann, **{"title": "None buys", "changes-0-kind": "repeal", "changes-0-rule": "VIII.3"})
    assert "would be refused: no rule in force has this action any more" in told
    assert "there are answer" not in told


def test_what_a_rule_declares_is_called_by_its_label_and_is_no_change_as_long_as_it_is_as_at_first(game, ann, ben):
    new = {
        "title": "Debts",
        "changes-0-kind": "enact",
        "changes-0-rule": "X.1",
        "changes-0-text": "Players may have debts.",
        "changes-0-code": 'attribute("player", "debt", 0, label="Debt to the bank", type="money")\n',
    }
    told = checked(ann, **new)
    assert "Nothing changes at once" in told
    assert "At the end all would be as it was" in told
    told = checked(ann, **new, run='put(players()[0], "debt", 1234)')
    assert "Ann : Debt to the bank $1,234" in told
    assert "Ben :" not in told


def test_what_a_program_does_that_runs_once_is_told_to_who_proposes_and_to_who_reads_it(game, ann):
    gift = "For each of all players: that player gets $100."
    run = "for each in players():\n    gain(each, 100)\n"
    assert f"does Read from the program, not from what its author says. {gift}" in checked(ann, title="A gift", run=run)
    assert domain.order(game, "Ann", "propose", {"title": "A gift", "run": run}).ok
    assert gift in text(ann.get("/g/friday/proposals/1/"))


def test_the_check_names_orders_of_the_last_weeks_that_would_be_refused(game, ann, ben, bought):
    told = checked(ben, **NOBODY_BUYS)
    assert "The last 3 weeks again" in told
    assert "Ann: buy square would be refused: nobody buys here" in told
    assert f"{bought} : Owner from Ann to nothing" in told
    harmless = checked(ben, **NOBODY_BUYS | {"changes-0-code": ""})
    assert "Everything would still be carried out" in harmless
    assert "At the end all would be as it was" in harmless


def test_the_check_says_where_a_program_breaks(ann, ben):
    told = checked(ann, title="Broken", run="x = 1\ny = x // 0\n")
    assert "It could not be put in force" in told
    assert "line 2" in told
    assert "last 3 weeks" not in told


def test_the_check_does_not_tell_what_is_hidden(game, ann, ben, people):
    cid = people("cid")
    seated(game, cid, "Cid")
    owner = {"thing": "#3", "attribute": "owner", "value": "Ben", "because": "so"}
    assert domain.desk_act(game, "grant", owner).ok
    offer = {"with": "Cid", "give": {"squares": ["#3"]}, "take": {"money": 37373}}
    assert domain.order(game, "Ben", "trade", offer).ok
    spy = 'for each in every("offer"):\n    put(find("Ann"), "money", each.take[0][1])\n'
    watch = '@after("trade")\ndef watch(e):\n    gain(find("Ann"), 7)\n    tell(find("Ann"), "psst")\n'
    fields = {
        "title": "Spy",
        "run": spy,
        "changes-0-kind": "enact",
        "changes-0-rule": "X.1",
        "changes-0-text": "Words.",
    }
    fields["changes-0-code"] = watch
    assert "37373" not in checked(ann, **fields).replace(",", "")
    assert domain.order(game, "Ann", "propose", {"title": "Spy", "run": spy}).ok
    for viewer in (ann, cid):
        page = text(viewer.get("/g/friday/proposals/1/")).replace(",", "")
        assert ("37373" in page) == (viewer is cid)


def test_an_example_is_played_and_kept(game, ann, ben):
    assert "It passes." in checked(ann, **GIFT, scenario=EXAMPLE)
    assert "It fails: step 1: expect: money of Ann" in checked(ann, title="Nothing", text="x", scenario=EXAMPLE)
    for wrong, why in (("[", "not YAML"), ("&a [*a]", "anchors"), ("scenario: x", "steps")):
        told = checked(ann, **GIFT, scenario=wrong)
        assert "It fails" in told
        assert why in told
    ann.post("/g/friday/proposals/new/", GIFT | {"scenario": EXAMPLE, "save": "1"})
    draft = Draft.objects.get()
    assert "money: 1234" in ann.get(f"/g/friday/proposals/new/?draft={draft.pk}").content.decode()
    ann.post("/g/friday/proposals/new/", GIFT | {"scenario": EXAMPLE, "submit": "1", "draft": draft.pk})
    kept = Example.objects.get()
    assert (kept.proposal, kept.failure) == ("P1", "")
    data = ben.get("/api/v1/g/friday/proposals/1").json()
    assert data["example"] == {"scenario": EXAMPLE.strip(), "failure": None}
    page = ben.get("/g/friday/proposals/1/")
    assert "The example it carries It passes." in text(page)
    assert "money: 1234" in ben.get("/g/friday/proposals/new/?copy=1").content.decode()
    assert "scenario" not in json.dumps([line.line for line in game.entries.all()][1:])


def test_an_example_is_played_anew_by_the_rules_of_now(game, ann, ben, client):
    code = '@after("join")\ndef tax(e):\n    put(e.who, "money", 5)\n'
    ann.post(
        "/g/friday/proposals/new/",
        {"title": "Words", "text": "x", "scenario": EXAMPLE.replace("1234", "1000"), "submit": "1"},
    )
    assert Example.objects.get().failure == ""
    change = {"enact": "X.7", "text": "Words.", "code": code}
    assert domain.order(game, "Ben", "propose", {"title": "Tax", "changes": [change]}).ok
    assert domain.desk_act(game, "accept", {"on": "P2"}).ok
    assert client.post("/g/friday/proposals/1/example/")["Location"].startswith("/account/login/")
    assert Example.objects.get().failure == ""
    answer = ben.post("/g/friday/proposals/1/example/", follow=True)
    assert "It fails" in text(answer)
    assert "money of Ann is 5" in Example.objects.get().failure
    assert ben.get("/g/friday/proposals/1/example/").status_code == 405
    program = ben.post("/api/v1/g/friday/proposals/1/example")
    assert program.json() == {"scenario": Example.objects.get().text, "failure": Example.objects.get().failure}
    assert client.post("/api/v1/g/friday/proposals/1/example").status_code in (401, 403)
    assert ben.post("/api/v1/g/friday/proposals/7/example").status_code == 404


def test_a_proposal_is_tried_out_from_its_form_and_from_its_page(game, ann, ben):
    form = ann.get("/g/friday/proposals/new/?door=program").content.decode()
    assert 'formaction="/g/friday/try/"' in form
    answer = ann.post("/g/friday/try/", GIFT | {"scenario": EXAMPLE})
    assert answer.status_code == 303
    assert Trial.objects.get().fields["scenario"].strip() == EXAMPLE.strip()
    assert domain.order(game, "Ben", "propose", {"title": "Mine"}).ok
    page = ann.get("/g/friday/proposals/1/").content.decode()
    assert 'action="/g/friday/try/"' in page
    assert '<input type="hidden" name="proposal" value="1">' in page


def test_the_commands_take_a_game_of_the_site(game, ann, ben, bought, tmp_path, capsys, settings):
    wanted = tmp_path / "proposal.json"
    change = {"enact": "X.1", "text": "Words.", "code": NOBODY_BUYS["changes-0-code"]}
    wanted.write_text(json.dumps({"title": "T", "changes": [change]}))
    entries = game.entries.count()
    words = ["friday", "--proposal", str(wanted), "--data", str(settings.DATA)]
    assert cli.run(["forecast", *words]) == 0
    assert "rule X.1 is new" in capsys.readouterr().out
    assert cli.run(["try", *words]) == 0
    assert "would be refused: nobody buys here" in capsys.readouterr().out
    assert game.entries.count() == entries
    assert cli.run(["try", "nowhere", *words[1:]]) == 1
    assert "there is no game 'nowhere'" in capsys.readouterr().err


def test_the_commands_take_a_game_of_a_site_on_postgresql(game, ann, tmp_path, capsys, monkeypatch):
    """Its data folder holds no database."""
    monkeypatch.setenv("DATABASE_URL", "postgresql://the-one-that-is-open/site")
    for command in ("rules", "words", "tell", "tables"):
        more = ["--out", str(tmp_path / "tables")] if command == "tables" else []
        assert cli.run([command, "friday", *more, "--data", str(tmp_path)]) == 0, capsys.readouterr().err


# ---- for programs


def tried(client, **sheet):
    return client.post("/api/v1/g/friday/try", json.dumps(sheet), content_type="application/json")


def test_programs_try_proposals_out_too(game, ann, ben, bought, client):
    change = {"enact": "X.1", "text": "Words.", "code": NOBODY_BUYS["changes-0-code"]}
    answer = tried(ann, title="T", changes=[change], run=GIFT["run"], scenario=EXAMPLE).json()
    assert answer["now"]["stands"]
    assert ["Ben", "money", 1234] in [[each[0], each[1], each[3]] for each in answer["now"]["changes"]]
    [trouble] = [each for each in answer["again"]["troubles"] if each["reason"] == "nobody buys here"]
    assert (trouble["do"], trouble["by"], trouble["rule"]) == ("buy-square", "Ann", "X.1")
    assert answer["again"]["complete"]
    assert answer["example"] == {"passed": True, "failure": None}
    broken = tried(ann, run="x = 1\ny = x // 0\n").json()
    assert broken["now"]["refused"]["fault"]["line"] == 2
    assert broken["again"] is None
    assert tried(client, title="T").status_code == 403


@pytest.mark.parametrize(
    "weird", ["[]", "[1]", "a: &a [*a]", "steps: 3", "\ud800", "{" * 3000, "scenario: x\nsteps: [{expect: 3}]"]
)
def test_no_scenario_breaks_the_door(ann, weird):
    answer = tried(ann, title="T", scenario=weird)
    assert answer.status_code in (200, 422)
    if answer.status_code == 200:
        assert answer.json()["example"]["passed"] is False


@pytest.mark.parametrize(
    "changes", [[{}], [{"enact": "X.1"}], [{"amend": "Z.9"}], [{"repeal": []}], [{"enact": "X.1", "code": "("}]]
)
def test_no_changes_break_the_door(ann, changes):
    answer = tried(ann, title="T", changes=changes)
    assert answer.status_code == 200
    assert not answer.json()["now"]["stands"]
    assert answer.json()["problems"]


def test_what_never_ends_is_given_up(ann, ben, monkeypatch):
    monkeypatch.setattr("nomopoly.site.play.tryouts.SECONDS", 1.0)
    endless = "scenario: x\nplayers: [Ann]\nsteps:\n- advance: 9999999w\n"
    code = 'event("tick-tock")\n@on("tick-tock")\ndef tock(e):\n    at(now() + minutes(1), "tick-tock")\n'
    code += '@after("join")\ndef begin(e):\n    at(now() + minutes(1), "tick-tock")\n'
    change = {"enact": "X.1", "text": "Words.", "code": code}
    answer = tried(ann, title="T", changes=[change], scenario=endless).json()
    assert answer["example"]["passed"] is False
    assert "too long" in answer["example"]["failure"]
