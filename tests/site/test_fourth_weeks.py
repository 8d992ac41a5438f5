"""Some days of a game of edition iv, as its players, its newcomers and its Admin find them."""

import html
import json
import re

import pytest
from pagewords import fields, grant, text, token

from nomopoly.site.tables import domain, live
from nomopoly.site.tables.models import Fault

FOURTH = "/g/fourth/"


@pytest.fixture
def fourth(start_second):
    """Ann, Ben and Cid play; go(days) lets days go by."""
    return start_second("Ann", "Ben", "Cid", slug="fourth", edition="iv")


def ordered(game, who, do, **args):
    outcome = domain.order(game, who, do, args)
    assert outcome.ok, outcome.refused
    return outcome


def test_who_has_a_proposal_in_voting_is_not_offered_another(fourth, people):
    game, _ = fourth
    ann = people("ann")
    assert "Make a proposal" in text(ann.get(f"{FOURTH}proposals/"))
    ordered(game, "Ann", "propose", title="More", text="of it")
    for path in ("proposals/", "proposals/new/", "act/"):
        assert "you have a proposal in voting (already voting: P1): retract it first" in text(ann.get(FOURTH + path)), (
            path
        )
    assert "proposals/new/" not in ann.get(FOURTH).content.decode()
    assert "Make a proposal" in text(people("ben").get(f"{FOURTH}proposals/"))


def test_from_when_an_action_is_possible_again_is_told_by_the_readers_clock(fourth, people):
    game, _ = fourth
    ordered(game, "Ann", "take-turn")
    ann = people("ann")
    for path in ("act/", "act/take-turn/"):
        told = text(ann.get(FOURTH + path))
        assert "your next turn is possible from" in told
        assert re.search(r"your next turn is possible from \w{3} \d+ \w+ \d{4} \d\d:\d\d UTC", told), path


def test_the_example_of_a_command_is_one_of_this_game(fourth, people):
    game, _ = fourth
    ann = people("ann")
    said = text(ann.get(f"{FOURTH}act/")).partition("For example: ")[2].partition(" Fill in")[0]
    assert "buy-square" not in said
    assert ann.get(f"{FOURTH}act/", {"command": said}).status_code == 302


def test_a_proposal_that_is_a_program_alone_is_not_called_words_alone(fourth, people):
    game, _ = fourth
    ordered(game, "Ann", "propose", title="Rain", run="for who in players():\n    gain(who, 10)")
    ordered(game, "Ben", "propose", title="Sun", text="May it shine")
    listed = text(people("cid").get(f"{FOURTH}proposals/"))
    assert "a program that runs once" in listed
    assert "words alone" in listed
    assert "Its program runs once, if it is accepted" in text(people("cid").get(f"{FOURTH}proposals/1/"))
    assert "in words alone. The Admin will program it" in text(people("cid").get(f"{FOURTH}proposals/2/"))


def test_who_was_here_keeps_the_capital_of_their_name(fourth, people):
    _, go = fourth
    go(2)
    ann = people("ann")
    ann.get(FOURTH)
    log = text(ann.get(f"{FOURTH}log/"))
    assert "Ann was here" in log
    assert "sign in" not in log


def test_nothing_waits_for_anybody_when_the_game_is_over(fourth, people, keeper):
    game, go = fourth
    ordered(game, "Ann", "propose", title="More", text="of it")
    with live.of(game).writing() as running:
        assert running.cast("Ann", "vote", {"on": "P1", "choice": "yes"}, live.now()).ok
    go(6)
    assert "a proposal to judge" in text(keeper.get("/me/"))
    go(3)
    assert "your turn is possible" in text(people("ann").get("/me/"))
    assert domain.desk_act(game, "declare-winner", {"player": "Ann", "because": "She has it"}).ok
    assert "Nothing waits for you" in text(people("ann").get("/me/"))
    assert "Nothing waits for you" in text(people("ann").get(FOURTH))
    for path in ("/me/", FOURTH):
        assert "Nothing waits for you" in text(keeper.get(path)), path
    assert "waiting for the Admin" not in text(keeper.get(FOURTH))
    assert "Implement as voted" not in text(keeper.get(f"{FOURTH}admin/"))
    assert "Only players of this game can act here. The game is over." in text(people("dora").get(f"{FOURTH}act/"))


def test_the_admin_implements_with_changes_from_what_was_voted(fourth, people, keeper):
    game, go = fourth
    ordered(game, "Ann", "propose", title="Less", text="of it", changes=[{"amend": "8.3", "params": {"turn_fine": 50}}])
    with live.of(game).writing() as running:
        assert running.cast("Ann", "vote", {"on": "P1", "choice": "yes"}, live.now()).ok
    go(5)
    page = keeper.get(f"{FOURTH}admin/implement/", {"on": "P1"})
    written = re.search(r'<textarea[^>]*name="changes"[^>]*>(.*?)</textarea>', page.content.decode(), re.DOTALL)[1]
    changes = json.loads(html.unescape(written))
    assert changes == [{"amend": "8.3", "params": {"turn_fine": 50}}]
    changes[0]["params"]["turn_fine"] = 55
    sent = {"on": "P1", "changes": json.dumps(changes), "run": "", "confirm": "yes", "once": token(page)}
    keeper.post(f"{FOURTH}admin/implement/", sent)
    assert live.of(game).value("turn_fine", "game") == 55


def test_a_pause_names_no_entry_that_nobody_knows_and_no_moments_that_stand_still(fourth, people, keeper):
    game, go = fourth
    breaks = [
        {"enact": "13.1", "section": "Additions", "text": "-", "code": "@after('land')\ndef boom(e):\n    1 // 0\n"}
    ]
    ordered(game, "Ann", "propose", title="Break", text="it", changes=breaks)
    with live.of(game).writing() as running:
        assert running.cast("Ann", "vote", {"on": "P1", "choice": "yes"}, live.now()).ok
    go(5)
    assert domain.desk_act(game, "implement", {"on": "P1"}).ok
    ann = people("ann")
    assert "automatic turn" in text(ann.get(FOURTH))
    go(10)
    told = text(ann.get(FOURTH))
    told_once = r"The game is paused since \S.{5,30}: only voting is possible\. Rule 13\.1 broke in line 3"
    assert re.search(told_once, told), "and not because of the rule, in English, too"
    assert "automatic turn" not in told
    assert domain.desk_act(game, "propose", {"title": "Out", "changes": [{"repeal": "13.1"}]}).ok
    told = text(ann.get(FOURTH))
    assert "Your vote on" in told
    assert "voting closes" in told
    assert "The Admin proposes: Out." in told


def test_a_pause_for_another_reason_speaks_of_no_rule_that_broke_before(fourth, people):
    """A rule may be mended, and its fault not marked as dealt with."""
    game, _ = fourth
    Fault.objects.create(game=game, n=1, rule="8.2", line=1, message="ZeroDivisionError: division by zero")
    assert domain.desk_act(game, "pause", {"because": "Holidays"}).ok
    told = text(people("ann").get(FOURTH))
    assert "because Holidays: only voting is possible." in told
    assert "8.2 broke" not in told


def test_only_a_pause_can_be_ended(fourth, keeper):
    desk = keeper.get(f"{FOURTH}admin/")
    assert "Resume the game not now: the game is not paused" in text(desk)
    answer = keeper.post(f"{FOURTH}admin/resume/", {"once": token(desk), "confirm": "yes"})
    assert "The game is not paused" in text(answer)
    assert "The game goes on" not in text(keeper.get(f"{FOURTH}log/"))


def test_who_was_away_too_long_leaves_with_the_reason(fourth, people):
    game, go = fourth
    go(1)
    ordered(game, "Ben", "take-turn")
    ordered(game, "Cid", "take-turn")
    go(20.5)
    assert "Ann leaves the game (not here for 21 days), loses" in text(people("ben").get(f"{FOURTH}log/"))


def test_a_wish_to_join_can_be_taken_back(fourth, people, keeper):
    game, _ = fourth
    dora = people("dora")
    assert domain.ask_to_join(game, dora.user, "Dora").ok
    assert "Dora asks to join" in text(keeper.get(f"{FOURTH}admin/"))
    page = dora.get(f"{FOURTH}join/")
    assert "Take the wish back" in text(page)
    answer = dora.post(f"{FOURTH}join/", {"withdraw": "1", "once": token(page)}, follow=True)
    assert "You have taken your wish to join back" in text(answer)
    assert "Ask to join" in text(answer)
    assert "Dora asks to join" not in text(keeper.get(f"{FOURTH}admin/"))
    assert "Back to the game" in text(dora.get(f"{FOURTH}act/"))


def test_in_a_trial_copy_it_is_ones_turn_as_in_the_game(fourth, people):
    game, _ = fourth
    ann = people("ann")
    page = ann.get(f"{FOURTH}try/")
    copy = ann.post(f"{FOURTH}try/", {"once": token(page)}, follow=True)
    assert "A trial copy" in text(copy)
    assert "Your turn is possible" in text(copy)
    assert "Ann : automatic turn" in text(copy)


def test_nobody_is_asked_to_join_a_game_that_is_over(fourth, people):
    game, _ = fourth
    invitation = '<a href="/g/fourth/join/">Ask to join</a>'
    dora = people("dora")
    for path in ("/", "/games/", "/me/"):
        assert invitation in dora.get(path).content.decode(), path
    ended = domain.desk_act(game, "declare-winner", {"player": "Ann", "because": "She has it"})
    for path in ("/", "/games/", "/me/"):
        assert invitation not in dora.get(path).content.decode(), path
    assert "The game is over" in text(dora.get("/games/"))
    assert domain.strike(game, ended.n, "A slip").ok
    assert invitation in dora.get("/games/").content.decode()


def test_a_rule_that_is_only_proposed_has_no_link_to_a_page(fourth, people):
    game, _ = fourth
    changes = [
        {"enact": "13.1", "section": "Additions", "text": "Be kind."},
        {"amend": "8.3", "params": {"turn_fine": 5}},
    ]
    ordered(game, "Ann", "propose", title="Kind", changes=changes)
    for path in ("proposals/", "proposals/1/"):
        page = people("ben").get(FOURTH + path)
        assert "13.1" in text(page), path
        found = set(re.findall(r'href="(/g/fourth/rules/[\d.]+/)"', page.content.decode()))
        assert "/g/fourth/rules/8.3/" in found, path
        assert [each for each in found if people("ben").get(each).status_code != 200] == [], path


def test_a_unit_that_takes_commands_again_is_named(fourth, people):
    game, go = fourth
    ordered(game, "Ann", "build", building="fort")
    asked = text(
        people("ann").post(f"{FOURTH}act/command-recruit-warrior/", {"unit": "fort-1", "preview": "page"}, follow=True)
    )
    assert "Recruit a warrior at fort 1 for $500?" in asked
    assert "Ready from from" not in asked
    assert re.search(r"fort 1 : Ready from \w{3} ", asked)
    ordered(game, "Ann", "command-recruit-warrior", unit="fort-1")
    go(4.5)
    told = text(people("ben").get(f"{FOURTH}log/"))
    assert "Fort 1 takes commands again" in told
    assert "A unit or building" not in told


def test_who_turns_down_an_offer_is_told_so_in_plain_words(fourth, people):
    game, _ = fourth
    ordered(game, "Ann", "trade", **{"with": "Ben", "give": {"money": 5}, "take": {"money": 1}})
    ordered(game, "Ben", "decline-trade", offer="offer-1")
    assert "Ben turns down offer 1: $5 for $1." in text(people("ann").get(f"{FOURTH}log/"))


def test_a_refusal_calls_units_as_people_do(start_second, people):
    game, _ = start_second("Ann", "Ben", slug="fourth", edition="iv")
    grant(game, "Ann", "money", 20000)
    assert domain.order(game, "Ann", "build", {"building": "fort"}).ok
    assert domain.order(game, "Ann", "command-recruit-warrior", {"unit": "fort-1"}).ok
    ann = people("ann")
    page = ann.get("/g/fourth/act/command-recruit-warrior/?unit=fort-1")
    said = {"unit": "fort-1", "preview": "1", "once": token(page)}
    refused = text(ann.post("/g/fourth/act/command-recruit-warrior/", said))
    assert "fort 1 is recovering" in refused
    told = "Ann tells fort 1 : recruit a warrior, loses $500 , gets warrior 1 on #1 ."
    assert told in text(ann.get("/g/fourth/"))


def test_what_one_confirms_reads_as_a_sentence(fourth, people):
    game, go = fourth
    ann = people("ann")

    def asked(action, **fields):
        return text(ann.post(f"{FOURTH}act/{action}/", fields | {"preview": "page"}, follow=True))

    ordered(game, "Ann", "build", building="fort")
    ordered(game, "Ann", "command-recruit-warrior", unit="fort-1")
    assert "Move warrior 1 to #2?" in asked("command-move", unit="warrior-1", to="#2")
    assert "Attack with warrior 1: fort 1?" in asked("command-attack", unit="warrior-1", target="fort-1")
    offered = asked("trade", **{"with": "Ben", "give-money": "200", "take-money": "350"})
    assert "Offer a trade with Ben: you give $200, you take $350?" in offered
    assert "Ben will be asked at once." in offered
    assert "Ann offers Ben $200 for $350" in offered


def test_what_there_is_nothing_for_says_what_is_missing(fourth, people):
    game, _ = fourth
    page = text(people("ann").get(f"{FOURTH}act/"))
    assert "Recruit a warrior : you have no unit or building that takes this command" in page
    ordered(game, "Ann", "build", building="fort")
    ordered(game, "Ann", "command-recruit-warrior", unit="fort-1")
    grant(game, "warrior-1", "square", "#8")
    page = text(people("ann").get(f"{FOURTH}act/"))
    assert "Attack : nothing stands within range of what you can attack with" in page


def test_the_feed_tells_prices_withdrawals_and_turns_that_are_late(fourth, people):
    game, go = fourth
    ordered(game, "Ann", "build", building="fort")
    ordered(game, "Ann", "trade", **{"with": "Ben", "give": {"money": 5}})
    ordered(game, "Ann", "decline-trade", offer="offer-1")
    go(5.5)
    told = text(people("ann").get(f"{FOURTH}log/"))
    assert "Ann builds a fort , loses $1,000 , gets fort 1 on #1 ." in told
    assert "Ann withdraws offer 1: $5 for nothing." in told
    assert "Ben has taken no turn in time, is fined $100 , takes a turn, rolls" in told


def test_a_proposal_without_a_title_gets_one_when_it_is_checked_as_well(fourth, people):
    changed = {"changes-0-kind": "amend", "changes-0-rule": "8.3", "changes-0-params": "turn_fine: 50"}
    ann = people("ann")
    new = ann.get(f"{FOURTH}proposals/new/?door=program")
    checked = ann.post(f"{FOURTH}proposals/new/", {"door": "program", "check": "1", "once": token(new), **changed})
    assert "No problems found" in text(checked)
    assert "needs a title" not in text(checked)
    assert re.search(r'name="title"[^>]*value=""', checked.content.decode()), "the field is still its author's to fill"


def test_what_the_clock_does_is_told_as_what_happens_to_whom(fourth, people):
    told = text(people("ann").get(f"{FOURTH}rules/8.3/"))
    assert re.search(r"[Aa] player has taken no turn in time, they are fined the turn fine", told)


def test_clearance_in_advance_stands_among_the_settings(fourth, keeper):
    game, go = fourth
    page = keeper.get(f"{FOURTH}admin/settings/")
    switches = page.content.decode().partition('id="switches"')[2].partition("</section>")[0]
    assert re.findall(r'href="([^"]+)"', switches) == [f"{FOURTH}admin/clear-everything/"]
    switched = keeper.get(f"{FOURTH}admin/clear-everything/")
    said = {"on": "yes", "because": "We trust the check", "once": token(switched)}
    keeper.post(f"{FOURTH}admin/clear-everything/", said, follow=True)
    assert live.of(game).view("admin")["things"]["game"]["clears_all"] is True


def test_other_editions_have_no_such_settings(start_second, keeper):
    start_second("Ann")
    assert 'id="switches"' not in keeper.get("/g/second/admin/settings/").content.decode()


def test_a_refusal_writes_a_debt_as_the_log_does(fourth, people):
    game, _ = fourth
    grant(game, "Ann", "money", 50)
    assert "this would leave you with -$950" in text(people("ann").get(f"{FOURTH}act/build/"))


def test_check_says_that_a_rule_moves_and_what_speaks_against_it(fourth, people):
    game, _ = fourth
    ann = people("ann")
    for moves, speaks_against in (("8.3", "9.3: no proposal may speak of a fixed trait"), ("8.2", "")):
        record = next(each for each in live.of(game).records() if each["id"] == moves)
        page = ann.get(f"{FOURTH}proposals/new/?door=program")
        goes = {"changes-0-kind": "repeal", "changes-0-rule": moves, "title": "Move"}
        page = ann.post(f"{FOURTH}proposals/new/", fields(page) | goes | {"add": "1"})
        comes = {f"changes-1-{part}": record[part] for part in ("title", "text", "code")}
        comes |= {"changes-1-kind": "enact", "changes-1-rule": "8.9"}
        comes["changes-1-params"] = "\n".join(f"{name}: {number}" for name, number in record["params"].items())
        told = text(ann.post(f"{FOURTH}proposals/new/", fields(page) | comes | {"check": "1"}))
        assert f"moved from {moves}" in told
        assert ("As things stand it would be refused: " in told) is bool(speaks_against)
        assert speaks_against in told
        assert ("No problems found" in told) is (speaks_against == "")
