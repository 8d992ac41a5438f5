"""Months of edition mail: what is told of disputes, verdicts, the end of time and the end of the game adds up."""

import re

import pytest
from pagewords import SECOND, accept, grant, order, propose, text, things, well

from nomopoly.site.play import sentences
from nomopoly.site.play.views import accounts
from nomopoly.site.tables import domain, life, live

HOURS = 24


@pytest.fixture
def mail(start_second):
    """Ann and Ben play. go(days): the site is there all the time."""
    game, go = start_second("Ann", "Ben", edition="mail")

    def hour_by_hour(days):
        for _ in range(int(days * HOURS)):
            go(1 / HOURS)
            life.sign(live.now())

    return game, hour_by_hour


def lines(game, viewer="Ann"):
    """The log as somebody reads it."""
    from test_lines_of_weeks import lines_of

    return [line for _, line in lines_of(game, viewer)]


def act(game, name, **args):
    return well(domain.desk_act(game, name, args))


def accused(game, **penalty):
    well(domain.order(game, "Ann", "accuse", {"defendant": "Ben", "charge": "Theft", **penalty}))


def test_what_a_rule_calls_dice_is_no_roll(mail, people):
    game, go = mail
    accused(game, sort="no-vote")
    go(7)
    order(people("ann"), "buy-trial-dice", dispute="D1", dice="2")
    go(7)
    bought = [line for line in lines(game) if "buys Extra Dice" in line]
    assert bought == ["Ann buys Extra Dice for D1: 2, pays the Government $100."]
    act(game, "declare-winner", player="Ann", because="enough")
    page = people("ben").get(f"{SECOND}end/")
    assert page.status_code == 200
    assert "How the dice fell" in text(page)
    assert people("ben").get(f"/api/v1{SECOND}end").status_code == 200


def test_time_that_stands_still_goes_on_by_the_desk(mail, keeper, people):
    game, go = mail
    assert "not now: the game is not paused" in text(keeper.get(f"{SECOND}admin/"))
    act(game, "tornado")
    go(7)
    assert things(game)["game"]["time_stopped"]
    page = text(people("ann").get(SECOND))
    assert "no update comes, until the Admin resumes the game" in page
    assert not re.search(r"[Nn]ext: update|A new week", page)
    assert "SUMMARY" not in people("ann").get(f"{SECOND}calendar.ics").content.decode()
    assert "the game is not paused" not in text(keeper.get(f"{SECOND}admin/"))
    sent = {"confirm": "yes"}
    assert keeper.post(f"{SECOND}admin/resume/", sent).status_code == 303
    assert not things(game)["game"]["time_stopped"]
    assert "Next: update" in text(people("ann").get(SECOND))


def test_a_penalty_is_told_as_what_it_is(mail):
    game, go = mail
    accused(game, sort="chains", pounds=60)
    go(14)
    told = next(line for line in lines(game) if "suffers the Penalty" in line)
    loser = re.search(r"(\w+) suffers the Penalty", told)[1]
    assert told.endswith(f"{loser} suffers the Penalty; {loser} gets 60 pounds of Chains.")
    assert things(game)[loser]["chains"] == 60


def test_both_parties_are_told_to_pay_for_the_court(mail):
    game, go = mail
    accused(game, sort="pay", amount=500, to="Ann")
    go(7)
    for who in ("Ann", "Ben"):
        well(domain.order(game, who, "choose-court", {"dispute": "D1", "court": "government"}))
    act(game, "judge-dispute", on="D1", winner="Ann")
    go(7)
    told = next(line for line in lines(game) if "D1: Ann wins" in line)
    assert told.startswith(
        "D1 is before Government Court; Ann pays the Government $150; Ben pays the Government $150; D1: Ann wins"
    )
    well(domain.order(game, "Ben", "answer", {"question": "question-1", "choice": "refuse"}))
    go(7)
    assert "Ben answers: refuse, gets 90 pounds of Chains." in lines(game)


def test_the_admin_chooses_a_winner_among_the_parties(mail, keeper, people):
    from pagewords import seated

    game, go = mail
    seated(game, people("cid"), "Cid")
    accused(game, sort="no-vote")
    go(7)
    page = keeper.get(f"{SECOND}admin/judge-dispute/").content.decode()
    assert re.findall(r'<option value="(Ann|Ben|Cid)"', page) == ["Ann", "Ben"]


def test_verdicts_that_are_to_come_are_no_results(mail, keeper, people):
    game, go = mail
    propose(game)
    accept(game, "P1")
    for path in ("proposals/", "proposals/1/"):
        page = text(people("ben").get(f"{SECOND}{path}"))
        assert "to be accepted" in page
        assert "waiting for the Admin" not in page.replace("decided, not in force yet", "")
    go(7)
    assert "to be accepted" not in text(people("ben").get(f"{SECOND}proposals/1/"))


def test_what_the_admin_finds_of_a_proposal_is_told_in_words(mail, keeper):
    game, go = mail
    propose(game)
    propose(game, title="Another")
    for name, on in (("sick", "P1"), ("simplifies", "P2")):
        keeper.post(f"{SECOND}admin/{name}/", {"on": on})
    accept(game, "P1")
    act(game, "reject", on="P2", because="no")
    page = text(keeper.post(f"{SECOND}admin/waste-of-time/", {"on": "P2"}, follow=True))
    assert "P2 is a Complete Waste of Time." in page
    go(7)
    told = lines(game)
    assert "The Admin declares P1 a Sick Proposal." in told
    assert "The Admin finds that P2 simplifies the rules." in told
    assert "The Admin declares P2 a Complete Waste of Time." in told
    assert "P1 is rejected; P1 is a Sick Proposal, and Ann is not Sick." in told
    assert "P2 is rejected." in told


def test_who_wins_twice_in_the_lottery_is_told_of_all_of_it(mail, people):
    game, go = mail
    for number in range(1, 21):
        for _ in range(2):
            well(domain.order(game, "Ann", "buy-ticket", {"number": number}))
    go(7)
    told = next(line for line in lines(game) if "The lottery draws" in line)
    assert "the Pot pays Ann $800." in told


def test_money_that_comes_back_at_once_is_in_the_statement(mail, people):
    game, go = mail
    well(domain.order(game, "Ann", "pay-dues", {"amount": 1}))
    go(7)
    page = text(people("ann").get(f"{SECOND}players/Ann/account/"))
    assert re.search(r"Ann loses \$50 for #2 .*?-\$50 .*? Ann gets \$\d+", page)
    grant(game, "Ben", "dues", 1)
    grant(game, "Ann", "money", 500)
    go(7)
    page = text(people("ann").get(f"{SECOND}players/Ann/account/"))
    assert len(re.findall(r"-\$50 \$450", page)) == 1
    assert len(re.findall(r"\+\$50 \$500", page)) == 1
    assert page.count("Balance: $500") == 1


@pytest.mark.parametrize("size", [100, 1])
def test_money_that_an_answer_moves_is_in_the_statement(mail, people, monkeypatch, size):
    monkeypatch.setattr(accounts, "A_PAGE", size)
    game, go = mail
    grant(game, "Ann", "items", ["warp-bubble", "warp-bubble"])
    well(domain.order(game, "Ann", "use-item", {"item": "warp-bubble", "square": "#45"}))
    go(7)
    well(domain.order(game, "Ann", "answer", {"question": "zoo", "choice": "fine"}))
    address = f"{SECOND}players/Ann/account/"
    now = text(people("ann").get(address))
    assert "Ann pays the Government $5" in now
    assert "Balance: $920" in now
    well(domain.order(game, "Ann", "pay-dues", {"amount": 10}))
    go(7)
    pages = [text(people("ann").get(f"{address}?page={page}")) for page in ((1,) if size > 9 else range(1, 7))]
    assert "Not told to you" not in " ".join(pages)
    assert " ".join(pages).count("Ann pays the Government $5 ") == 1
    assert re.search(r"Ann pays the Government \$5 .*? -\$5 \$920", " ".join(pages))
    assert f"Balance: ${things(game)['Ann']['money']}" in pages[0]
    table = people("ben").get(f"{SECOND}players/Ann/account.csv").content.decode()
    assert ",-5,920" in table
    assert "Not told to you" not in table


def test_a_messed_up_game_says_so(mail):
    game, _ = mail
    grant(game, "Ben", "money", 5000)
    act(game, "declare-winner", messed_up=True, because="We are stuck")
    told = next(line for line in lines(game) if "has won" in line)
    assert told == "Ben has won; the game is over: We are stuck; the game is Messed Up."


def test_a_sentence_that_follows_another_begins_small():
    assert sentences.SMALL.sub(lambda found: found[0].lower(), "Square #61 is added") == "square #61 is added"
    assert not sentences.SMALL.match("Square dances are held")


@pytest.mark.parametrize(("edition", "name"), [("mail", "stands_still"), ("original", "customary_proposal")])
def test_pages_bear_values_that_break(edition, name, start_second, people):
    game, go = start_second("Ann", edition=edition)
    shipped = live.of(game).describe()["values"][name]
    program = f'overrides("{shipped}")\n\n\n@value("{name}")\ndef broken():\n    return 1 // 0\n'
    propose(game, changes=[{"enact": "X.99", "section": "Additions", "text": "Broken.", "code": program}])
    accept(game, "P1")
    go(7)
    assert live.of(game).describe()["values"][name] == "X.99"
    for path in ("", "proposals/", "calendar.ics"):
        assert people("ann").get(f"{SECOND}{path}").status_code == 200
