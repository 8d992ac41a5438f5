"""The Admin's desk: tasks, acts that the rules declare, corrections; for the Admin alone."""

import re
from html import unescape

import pytest
from django.test import Client
from pagewords import accept, propose, text, things, token

from nomopoly.site.desk import granting
from nomopoly.site.play import talk
from nomopoly.site.tables import domain, live
from nomopoly.site.tables.models import Entry, Fault, Membership

ENACT = [{"enact": "X.1", "section": "Additions", "text": "Nobody eats at the board."}]
BROKEN = [
    {
        "enact": "X.9",
        "section": "Additions",
        "text": "Broken.",
        "code": "@after('judge')\ndef bad(e):\n    return 1 // 0\n",
    }
]


@pytest.mark.parametrize("path", ["admin/", "admin/accept/", "admin/strike/", "admin/strike/1/", "admin/settings/"])
def test_the_desk_is_for_the_admin_alone(people, ann, game, path):
    assert ann.get(f"/g/friday/{path}").status_code == 403
    assert people("eve").post(f"/g/friday/{path}").status_code == 403
    assert Client().get(f"/g/friday/{path}").status_code == 302


def test_the_operator_of_the_server_has_no_office(people, game):
    boss = people("boss")
    boss.user.is_superuser = boss.user.is_staff = True
    boss.user.save()
    assert boss.get("/g/friday/admin/").status_code == 403


def test_accepting_puts_the_rule_in_force(keeper, ann, game):
    propose(game, changes=ENACT)
    desk = keeper.get("/g/friday/admin/")
    assert "Nobody eats at the board" in text(desk)
    answer = keeper.post("/g/friday/admin/accept/", {"on": "P1", "once": token(desk)})
    assert "This would happen: The Admin has accepted P1 Rule X.1 is enacted P1 A thing : Status from" in text(answer)
    assert "X.1" not in [record["id"] for record in live.of(game).records()]
    answer = keeper.post("/g/friday/admin/accept/", {"on": "P1", "confirm": "yes", "once": token(answer)})
    assert answer.status_code == 303
    assert "X.1" in [record["id"] for record in live.of(game).records()]
    assert "P1 is accepted" in text(keeper.get("/g/friday/admin/"))


def test_a_rule_is_read_with_its_numbers_and_its_program_is_folded(keeper, ann, game):
    new = {"enact": "X.1", "section": "Additions", "text": "Who waves gets ${amount}.", "params": {"amount": 1200}}
    propose(game, changes=[new | {"code": "@after('judge')\ndef wave(e):\n    gain(e.proposal.author, rule.amount)\n"}])
    desk = keeper.get("/g/friday/admin/")
    assert re.search(r"Who waves gets \$<span[^>]*>1,200</span>\.", desk.content.decode())
    folded = re.search(r"<details>.*?</details>", desk.content.decode(), re.S)[0]
    assert "def wave" in folded


def test_a_proposal_reads_as_on_its_own_page(keeper, ann, game):
    propose(game, title="Cake", text="There is *no* cake.")
    for path in ("admin/", "proposals/1/"):
        assert "There is <em>no</em> cake." in keeper.get(f"/g/friday/{path}").content.decode()


def test_accepting_twice_is_refused(keeper, ann, game):
    propose(game)
    keeper.post("/g/friday/admin/accept/", {"on": "P1", "confirm": "yes"})
    page = keeper.post("/g/friday/admin/accept/", {"on": "P1", "confirm": "yes"})
    assert page.status_code == 200
    assert "closed" in text(page)


def test_the_desk_takes_the_act_as_a_field_too(keeper, ann, game):
    propose(game)
    assert keeper.post("/g/friday/admin/", {"do": "accept", "on": "P1", "confirm": "yes"}).status_code == 303
    assert things(game)["P1"]["verdict"] == "accepted"


def test_rejecting_wants_a_reason_and_a_second_look(keeper, ann, game):
    propose(game)
    page = keeper.post("/g/friday/admin/reject/", {"on": "P1"})
    assert "Say why" in text(page)
    page = keeper.post("/g/friday/admin/reject/", {"on": "P1", "because": "Too short"})
    assert page.status_code == 200
    assert "Nothing has been done yet" in text(page)
    assert "nothing else changes" not in text(page)
    assert things(game)["P1"]["status"] == "undecided"
    answer = keeper.post("/g/friday/admin/reject/", {"on": "P1", "because": "Too short", "confirm": "yes"})
    assert answer.status_code == 303
    assert (things(game)["P1"]["verdict"], things(game)["P1"]["because"]) == ("rejected", "Too short")


def test_an_act_that_changes_no_thing_says_what_the_log_would_have(keeper, game):
    page = text(keeper.post("/g/friday/admin/rule/", {"text": "A lap counts once."}))
    assert "This would happen: The Admin rules: A lap counts once. Nothing else changes." in page, page


def test_a_broken_program_changes_nothing_and_comes_to_the_desk(keeper, ann, game):
    propose(game, changes=BROKEN)
    before = live.of(game).state_hash()
    page = keeper.post("/g/friday/admin/accept/", {"on": "P1", "confirm": "yes"})
    assert page.status_code == 200
    assert "X.9" in text(page)
    assert "a rule broke in line 3: division by zero. Nothing was done." in text(page)
    assert live.of(game).state_hash() == before
    assert things(game)["P1"]["status"] == "undecided"
    desk = keeper.get("/g/friday/admin/")
    assert "Rule X.9 broke" in text(desk)
    assert "Line 3: division by zero" in text(desk)
    fault = Fault.objects.get()
    assert keeper.post(f"/g/friday/admin/faults/{fault.pk}/settled/").status_code == 303
    assert "Rule X.9 broke" not in text(keeper.get("/g/friday/admin/"))


HUT = """kind("hut", prefix="hut-")


@after("judge")
def build(e):
    create("hut")
"""


def test_what_could_not_be_put_into_effect_is_not_offered_with_one_click(keeper, ann, game):
    propose(game, changes=[{"enact": "X.1", "text": "Huts.", "code": HUT}])
    button = 'method="post" action="/g/friday/admin/accept/"'
    for at in ("admin/", "proposals/1/"):
        assert button in keeper.get(f"/g/friday/{at}").content.decode()
    accept(game, "P1")
    propose(game, changes=[{"repeal": "X.1"}])
    why = (
        "It could not be put into effect: there still are things of the kind 'hut': destroy them before its rule goes."
    )
    for at in ("admin/", "proposals/2/"):
        page = keeper.get(f"/g/friday/{at}")
        assert why in text(page).replace("&#x27;", "'")
        assert button not in page.content.decode()
    assert "Reject, with a reason" in text(keeper.get("/g/friday/admin/"))


def test_what_is_left_out_of_an_act_comes_to_the_desk(keeper, ann, game):
    propose(game, changes=[{**BROKEN[0], "code": "@after('rule')\ndef bad(e):\n    return 1 // 0\n"}])
    assert domain.desk_act(game, "accept", {"on": "P1"}).ok
    outcome = domain.desk_act(game, "rule", {"text": "So be it"})
    assert outcome.ok
    fault = Fault.objects.get()
    assert (fault.rule, fault.n) == ("X.9", outcome.n)
    assert "Rule X.9 broke" in text(keeper.get("/g/friday/admin/"))


SCORE = """event("score", "scored", who="player", points=0)


@on("score")
def score(e):
    gain(e.who, 2 * e.points)
"""


def test_the_desk_names_the_newer_rule_that_asked_too_little_of_the_one_that_broke(keeper, ann, game):
    propose(game, changes=[{"enact": "X.1", "text": "Scores.", "code": SCORE}])
    accept(game, "P1")
    code = '@action("play", "Play")\ndef play(e):\n    do("score", who=e.who, points=None)\n'
    propose(game, changes=[{"enact": "X.2", "text": "A play scores.", "code": code}])
    accept(game, "P2")
    domain.order(game, "Ann", "play", {})
    desk = text(keeper.get("/g/friday/admin/"))
    assert "Rule X.1 broke" in desk
    assert "Line 6: '*' does not work between a number and nothing" in unescape(desk)
    assert "What was being carried out is of rule X.2 : if it gave rule X.1 too little to go on, mend that one." in desk
    Fault.objects.all().delete()
    propose(game, changes=[{"amend": "X.1", "code": SCORE + "# mended\n"}])
    accept(game, "P3")
    domain.order(game, "Ann", "play", {})
    desk = text(keeper.get("/g/friday/admin/"))
    assert "Rule X.1 broke" in desk
    assert "What was being carried out" not in desk, "the rule that broke is the newer one"


def test_pausing_stops_the_players_and_says_so(keeper, ann, game):
    keeper.post("/g/friday/admin/pause/", {"because": "holidays", "confirm": "yes"})
    page = ann.get("/g/friday/leave/")
    assert "The game is paused" in text(page)
    assert "only voting is possible" in text(page)
    assert "holidays" in text(page)
    assert not domain.order(game, "Ann", "propose", {"title": "A"}).ok
    keeper.post("/g/friday/admin/resume/", {"confirm": "yes"})
    assert domain.order(game, "Ann", "propose", {"title": "A"}).ok


def test_granting_shows_before_and_after(keeper, ann, game):
    wanted = {"thing": "Ann", "attribute": "money", "value": "1234", "because": "a slip"}
    page = keeper.post("/g/friday/admin/grant/", wanted)
    assert "$1,000" in text(page)
    assert "$1,234" in text(page)
    assert things(game)["Ann"]["money"] == 1000
    assert keeper.post("/g/friday/admin/grant/", wanted | {"confirm": "yes"}).status_code == 303
    assert things(game)["Ann"]["money"] == 1234


def test_removing_a_player_bars_the_seat(people, keeper, ann, game):
    keeper.post("/g/friday/admin/remove-player/", {"player": "Ann", "because": "rude", "confirm": "yes"})
    seat = Membership.objects.get(player="Ann")
    assert (seat.status, seat.barred) == ("left", True)
    assert "removed you" in text(ann.get("/g/friday/join/"))
    for place in ("", "act/"):
        page = text(ann.get(f"/g/friday/{place}"))
        assert "The Admin has removed you from this game." in page, place
        assert "Ask to join" not in page, place


def test_whom_a_weighty_act_is_about_is_chosen_and_never_the_first_of_a_list(keeper, ann, ben, game):
    form = keeper.get("/g/friday/admin/remove-player/")
    chosen = form.content.decode().partition('<select name="player"')[2].partition("</select>")[0]
    assert re.findall(r'<option value="([^"]*)"', chosen) == ["", "Ann", "Ben"]
    assert "selected" not in chosen
    refused = keeper.post("/g/friday/admin/remove-player/", {"player": "", "because": "rude", "confirm": "yes"})
    assert "“Player” is missing" in text(refused)
    assert "Ann" in things(game)
    propose(game)
    about = keeper.get("/g/friday/admin/reject/?on=P1").content.decode()
    assert '<option value="P1" selected' in about


def test_declining_tells_the_applicant_why(people, keeper, game):
    bob = people("bob")
    domain.ask_to_join(game, bob.user, "Bob")
    refused = keeper.post("/g/friday/admin/decline-player/", {"player": "Bob", "confirm": "yes"})
    assert "Say why: the reason is shown to everybody" in text(refused)
    assert Membership.objects.get(user=bob.user).status == "asked"
    keeper.post("/g/friday/admin/decline-player/", {"player": "Bob", "because": "full", "confirm": "yes"})
    assert Membership.objects.get(user=bob.user).answer == "full"
    assert "Friday" not in text(bob.get("/settings/keys/")), "it is none of their games"
    assert domain.ask_to_join(game, bob.user, "Bob").ok


def test_suspending_a_rule_wants_a_reason(keeper, game):
    for act in ("suspend", "reinstate"):
        refused = keeper.post(f"/g/friday/admin/{act}/", {"rule": "VI.9", "confirm": "yes"})
        assert "Say why: the reason is shown to everybody" in text(refused)
        assert 'value="VI.9"' in refused.content.decode()


def test_the_end_of_the_game(keeper, ann, game):
    keeper.post("/g/friday/admin/declare-winner/", {"because": "lawyers", "confirm": "yes"})
    assert "The game is over" in text(ann.get("/g/friday/leave/"))
    assert "game is over" in domain.order(game, "Ann", "propose", {"title": "A"}).refused


def number_of(game, n):
    """The number under which everybody sees an entry of the journal."""
    return next(entry["number"] for entry in live.of(game).facts("admin") if entry["n"] == n)


def test_striking_shows_what_would_differ_and_wants_its_hash(keeper, ann, game):
    grant = domain.desk_act(game, "grant", {"thing": "Ann", "attribute": "money", "value": 5, "because": "x"})
    address = f"/g/friday/admin/strike/{number_of(game, grant.n)}/"
    page = keeper.get(address)
    assert "Ann" in text(page)
    assert "$1,000" in text(page)
    assert "It concerns: Ann ." in text(page)
    confirm = live.of(game).strike_preview(grant.n)["hash"]
    assert confirm in page.content.decode()
    assert "Say why" in text(keeper.post(address, {"confirm": confirm}))

    propose(game)
    page = keeper.post(address, {"confirm": confirm, "because": "a slip"})
    assert "The game has moved on" in text(page)
    assert things(game)["Ann"]["money"] == 5

    confirm = live.of(game).strike_preview(grant.n)["hash"]
    assert keeper.post(address, {"confirm": confirm, "because": "a slip"}).status_code == 303
    assert things(game)["Ann"]["money"] == 1000
    assert "P1" in things(game)


def test_what_a_strike_would_change_is_no_page_without_end(keeper, ann, game):
    propose(game, run='for each in every("square")[:25]:\n    put(each, "name", "x" * 250)\n')
    accept(game, "P1")
    n = next(entry["n"] for entry in live.of(game).facts("admin") if entry["do"] == "accept")
    page = keeper.get(f"/g/friday/admin/strike/{number_of(game, n)}/")
    assert "x" * 190 in page.content.decode()
    assert "x" * 210 not in page.content.decode()
    assert re.search(r"<summary>\d+ more</summary>", page.content.decode())


def test_striking_an_approval_frees_the_seat(keeper, ann, game):
    approval = Entry.objects.get(line__contains="approve-player").n
    confirm = live.of(game).strike_preview(approval)["hash"]
    keeper.post(
        f"/g/friday/admin/strike/{number_of(game, approval)}/", {"confirm": confirm, "because": "the wrong one"}
    )
    assert Membership.objects.get(player="Ann").status == "asked"


def test_a_second_sending_of_an_act_is_already_done(keeper, ann, game):
    propose(game)
    sent = {"on": "P1", "confirm": "yes", "once": token(keeper.get("/g/friday/admin/"))}
    keeper.post("/g/friday/admin/accept/", sent)
    entries = Entry.objects.count()
    page = keeper.post("/g/friday/admin/accept/", sent, follow=True)
    assert Entry.objects.count() == entries
    assert "Already done. P1 is accepted" in text(page)


def test_unknown_acts_and_entries_are_missing(keeper, game):
    assert keeper.get("/g/friday/admin/fly/").status_code == 404
    assert keeper.get("/g/friday/admin/strike/999/").status_code == 404


def test_settings_of_the_game(keeper, game):
    keeper.post("/g/friday/admin/settings/", {"visibility": "link", "about": "Be kind."})
    game.refresh_from_db()
    assert (game.visibility, game.about) == ("link", "Be kind.")
    assert talk.readers(game) == "all"
    keeper.post("/g/friday/admin/settings/", {"visibility": "link", "readers": "players", "about": "Be kind."})
    assert talk.readers(game) == "players"
    keeper.post("/g/friday/admin/settings/", {"visibility": "link", "about": "Be kind."})
    assert talk.readers(game) == "players"


def test_an_attribute_is_set_without_knowing_ids_and_names_of_the_program(keeper, ann, game):
    first = keeper.get("/g/friday/admin/grant/").content.decode()
    assert 'list="known-things"' in first
    assert '<option value="money">Money</option>' in first
    found = keeper.get("/g/friday/admin/grant/?thing=aNN").content.decode()
    assert "?thing=Ann&amp;attribute=money#act" in found
    chosen = keeper.get("/g/friday/admin/grant/?thing=Ann&attribute=money").content.decode()
    assert re.search(r'name="value" id="act-value" value="\d+"', chosen)
    assert "It takes an amount" in chosen
    set_by_hand = (
        ("ann", "Money", "$1,234", "Ann", "money", 1234),
        ("Ann", "speeding", "Yes", "Ann", "speeding", True),
        ("12", "owner", "ann", "#12", "owner", "Ann"),
        ("12", "Name", "1984", "#12", "name", "1984"),
        ("#12", "option_until", "2030-12-24 18:00", "#12", "option_until", 1924365600),
    )
    for thing, attribute, value, id, name, kept in set_by_hand:
        typed = {"thing": thing, "attribute": attribute, "value": value, "because": "A gift", "confirm": "yes"}
        once = token(keeper.get("/g/friday/admin/grant/"))
        assert keeper.post("/g/friday/admin/grant/", typed | {"once": once}).status_code == 303
        assert live.of(game).view("admin")["things"][id][name] == kept


@pytest.mark.parametrize(("name", "begins"), [(1984, "1984"), ("Elm", "Elm"), ("two\nlines", ""), ("x" * 200, "")])
def test_a_value_begins_with_what_can_be_sent_back_as_it_is(keeper, game, name, begins):
    act = {"thing": "#12", "attribute": "name", "value": name, "because": "Odd"}
    assert domain.desk_act(game, "grant", act).ok
    assert keeper.get("/g/friday/admin/grant/?thing=somewhere").status_code == 200
    page = keeper.get("/g/friday/admin/grant/?thing=%2312&attribute=name").content.decode()
    assert f'id="act-value" value="{begins}"' in page


@pytest.mark.parametrize(
    ("value", "sort", "typed"),
    [
        ("1984", "word", "1984"),
        ("1984", "", '"1984"'),
        ("a", "", "a"),
        ([1, "a"], "list", '[1, "a"]'),
        (True, "", "yes"),
    ],
)
def test_what_a_field_begins_with_is_taken_for_the_same_value(value, sort, typed):
    assert granting.as_typed(value, sort) == typed


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"thing": "Nobody"}, "Nobody"),
        ({"thing": "Ann", "attribute": "hats"}, "has no attribute"),
        ({"thing": "Ann", "attribute": "money", "value": "a lot"}, "must be a whole number"),
        ({"thing": "Ann", "attribute": "speeding", "value": "perhaps"}, "must be true or false"),
    ],
)
def test_what_cannot_be_set_is_refused_and_stays_in_the_form(keeper, ann, game, typed, said):
    form = {"attribute": "money", "value": "5", "because": "A gift", **typed}
    answer = keeper.post("/g/friday/admin/grant/", form | {"once": token(keeper.get("/g/friday/admin/grant/"))})
    assert said in text(answer)
    for name, value in form.items():
        assert f'value="{value}"' in answer.content.decode() or f">{value}</textarea>" in answer.content.decode(), name
