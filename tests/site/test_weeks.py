"""A game whose orders wait for its updates: what waits, and the reports of its weeks."""

import re

import pytest
from pagewords import DAY, MONDAY, SECOND, grant, order, seated, text, things, token

from nomopoly.site.play import loglines
from nomopoly.site.tables import domain, live


@pytest.fixture
def second(start_second):
    """Ann and Ben play, and Ann has #7."""
    game, go = start_second("Ann", "Ben")
    grant(game, "#7", "owner", "Ann")
    return game, go


def test_an_order_waits_is_listed_and_is_carried_out_with_the_update(second, people):
    game, go = second
    ann, ben = people("ann"), people("ben")
    assert "waits for the next update" in text(order(ann, "name-square", square="#7", name="Seven"))
    mine = text(ann.get(f"{SECOND}act/"))
    assert "Your orders, waiting for the next update" in mine
    assert "Take back" in mine
    assert "Seven" in mine
    assert "Seven" not in text(ben.get(f"{SECOND}act/"))
    assert "Seven" not in text(ben.get(f"{SECOND}log/"))
    go(3)
    assert live.of(game).view("visitor")["things"]["#7"]["name"] == "Seven"
    assert "Your orders, waiting" not in text(ann.get(f"{SECOND}act/"))


def test_what_would_be_refused_now_can_be_ordered_all_the_same(second, people):
    _, _ = second
    ben = people("ben")
    page = ben.get(f"{SECOND}act/name-square/")
    seen = ben.post(f"{SECOND}act/name-square/", {"square": "#7", "name": "Mine", "preview": "1", "once": token(page)})
    assert "not yours" in text(seen)
    assert "Order it all the same" in text(seen)
    sent = ben.post(f"{SECOND}act/name-square/", {"square": "#7", "name": "Mine", "once": token(seen)}, follow=True)
    assert "waits for the next update" in text(sent)
    second[1](3)
    assert "Ben cannot name a square: not yours" in text(people("ann").get(f"{SECOND}log/week/1/"))
    report = people("ann").get("/api/v1/g/second/log/week/1").json()
    assert (report["number"], report["earlier"]) == (1, None)
    updates = {part["update"]: [entry["say"] for entry in part["entries"]] for part in report["parts"]}
    assert None in updates
    assert [say for said in updates.values() for say in said if say.startswith("Ben cannot name a square: ")]
    assert people("ann").get("/api/v1/g/second/log/week/7").status_code == 404


def test_why_one_cannot_propose_now_is_said_where_one_would(second, people):
    _, go = second
    ann = people("ann")
    assert "Make a proposal" in text(ann.get(f"{SECOND}proposals/"))
    go(3)
    seen = ann.get(f"{SECOND}proposals/")
    assert "proposals are made in the proposal period, from Monday to Wednesday Rule&nbsp;IX.2" in text(seen)
    assert f'href="{SECOND}proposals/new/">Write a draft' in seen.content.decode()
    form = text(ann.get(f"{SECOND}proposals/new/"))
    assert "You cannot propose at the moment: proposals are made in the proposal period" in form
    assert "Not possible now" not in text(people("stranger").get(f"{SECOND}proposals/"))


def test_a_waiting_order_is_moved_and_taken_back(second, people):
    game, _ = second
    ann = people("ann")
    order(ann, "name-square", square="#7", name="One")
    order(ann, "name-square", square="#7", name="Two")
    names = [thing["id"] for thing in live.of(game).view("Ann")["things"].values() if thing["kind"] == "order"]
    moved = ann.post(
        f"{SECOND}act/move-order/",
        {"order": names[1], "place": "1", "once": token(ann.get(f"{SECOND}act/"))},
        follow=True,
    )
    assert text(moved).index("Two") < text(moved).index("One")
    left = ann.post(f"{SECOND}act/withdraw-order/", {"order": names[1], "once": token(moved)}, follow=True)
    assert ": Two" not in text(left).partition("Find an action")[0]
    assert "Name #7 : One" in text(left)


def test_the_report_of_a_week_has_its_updates_in_order(second, people):
    _, go = second
    ann = people("ann")
    order(ann, "name-square", square="#7", name="Seven")
    go(3)
    go(4)
    page = text(ann.get(f"{SECOND}log/week/1/"))
    update = page[page.index("Update 1,") : page.index("Update 2,")]  # not where they are listed, further up
    assert update.index("Ann names #7 Seven") < update.index("rolls")
    assert "Week 2" in text(ann.get(f"{SECOND}log/week/2/"))
    assert "report of week 2" in text(ann.get(f"{SECOND}log/"))
    assert ann.get(f"{SECOND}log/week/9/").status_code == 404


@pytest.mark.parametrize(
    ("edition", "day"),
    [*(("ii", day) for day in range(7)), ("mail", 0), ("mail", 6)],
    ids=["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun", "mail-Mon", "mail-Sun"],
)
def test_on_whatever_day_a_game_begins_all_that_happens_is_in_the_report_of_one_week(
    start_second, people, day, edition
):
    game, go = start_second(edition=edition, at=MONDAY + day * DAY + 9 * 3600)
    ann = people("ann")
    seated(game, ann, "Ann")
    go(1)
    assert domain.desk_act(game, "grant", {"thing": "#7", "attribute": "owner", "value": "Ann"}).ok
    go(13)
    happened = [each["number"] for each in live.of(game).facts("Ann") if each["changes"]]
    last = things(game)["game"]["week"]
    assert last in (2, 3)
    told = []
    for week in range(1, last + 1):
        page = ann.get(f"{SECOND}log/week/{week}/").content.decode()
        told += [int(number) for number in re.findall(rf'href="{SECOND}log/(\d+)/"', page)]
        assert (f"← Week {week - 1}" in page, f"Week {week + 1} →" in page) == (week > 1, week < last)
    assert [number for number in happened if number not in told] == []
    assert len(told) == len(set(told))
    assert f"report of week {last}" in text(ann.get(f"{SECOND}log/"))
    assert ann.get(f"{SECOND}log/week/0/").status_code == 404


def test_a_part_of_a_week_of_which_there_is_nothing_to_tell_is_left_out(second, people, monkeypatch):
    _, go = second
    go(4)
    begun, entries = loglines.lines, []

    def told(seat, found, **how):
        entries.append(found)
        return begun(seat, found, **how) if len(entries) > 1 else []

    monkeypatch.setattr(loglines, "lines", told)
    page = people("ann").get(f"{SECOND}log/week/1/").content.decode()
    assert len(entries) > 2
    assert len(re.findall(r'<ol class="log">\s*<li', page)) == page.count('<ol class="log">') == len(entries) - 1
    assert "Nothing happened in this week" not in page
    monkeypatch.setattr(loglines, "lines", lambda seat, found, **how: [])
    page = people("ann").get(f"{SECOND}log/week/1/").content.decode()
    assert "Nothing happened in this week that you can see." in page
    assert '<h2 class="day"' not in page


def test_a_game_without_weeks_has_no_reports(keeper):
    domain.start_game(keeper.user, edition="original", title="First", slug="first", at=live.now())
    assert keeper.get("/g/first/log/week/1/").status_code == 404


def test_a_proposal_is_made_published_voted_on_and_counted_in_its_week(second, people):
    game, go = second
    ann, ben = people("ann"), people("ben")
    assert domain.order(game, "Ann", "propose", {"title": "Rent", "text": "More rent."}).ok
    assert "public with the first update" in text(ann.get(f"{SECOND}proposals/1/"))
    assert ben.get(f"{SECOND}proposals/1/").status_code == 404
    go(3)
    assert "voting has not begun" in text(ben.get(f"{SECOND}proposals/1/"))
    assert "Your vote" not in text(ben.get(f"{SECOND}proposals/1/"))
    go(1)
    page = ben.get(f"{SECOND}proposals/1/")
    assert "You have not voted" in text(page)
    assert "your vote on P1" in text(ben.get(SECOND)).replace("Your", "your")
    voted = ben.post(f"{SECOND}proposals/1/vote/", {"choice": "yes", "once": token(page)}, follow=True)
    assert re.search(r"Your vote: Yes. You can change it until \S+ \d+ \S+ \d{4}", text(voted)), (
        "when the voting closes"
    )
    assert "You have not voted" in text(ann.get(f"{SECOND}proposals/1/"))
    go(2)
    page = text(ann.get(f"{SECOND}proposals/1/"))
    assert "1 Yes, 0 No" in page
    assert "accepted" in page
    report = text(ann.get(f"{SECOND}log/week/1/"))
    assert "Proposals of this week 1 Rent by Ann accepted" in report


def test_moments_of_which_nothing_came_share_a_line_of_the_log_and_are_not_in_the_report(second, people):
    _, go = second
    ann = people("ann")
    go(4)
    log = ann.get(f"{SECOND}log/").content.decode()
    assert "Nothing came of:" in log
    assert "Nothing came of:" not in text(ann.get(f"{SECOND}log/week/1/"))
    number, said = re.search(r'Nothing came of: <span[^>]*><a href="[^"]*/log/(\d+)/"[^>]*>([^<]+)<', log).groups()
    assert said[1:] in text(ann.get(f"{SECOND}log/{number}/"))  # in the sentence that the rules declare for it
    assert said[1:] in text(ann.get(f"{SECOND}log/?kind=tick"))


def test_many_actions_are_found_by_their_words(second, people):
    ann = people("ann")
    everything = ann.get(f"{SECOND}act/")
    assert "Find an action" in text(everything)
    found = text(ann.get(f"{SECOND}act/?q=joker+cards"))
    assert "Declare what a joker is" in found
    assert "Buy a lottery ticket" not in found
    assert "Nothing that is possible now is like that" in text(ann.get(f"{SECOND}act/?q=xyzzy"))
    chips = everything.content.decode().count('class="btn small')
    assert text(ann.get(SECOND)).count("more…") == 1
    assert ann.get(SECOND).content.decode().count('class="btn small') < chips


def test_a_page_says_what_is_and_puts_away_what_is_not(second, people):
    game, _ = second
    ann = people("ann")

    def columns():
        page = ann.get(f"{SECOND}board/table/").content.decode()
        return re.findall(r'<th scope="col"[^>]*>([^<]*)<', page)

    assert not {"Buildings", "Price of 100 fuel"} & set(columns())
    assert domain.desk_act(game, "grant", {"thing": "#7", "attribute": "buildings", "value": ["gas-station"]}).ok
    page = text(ann.get(f"{SECOND}squares/7/"))
    assert "Gas Station" in page
    assert "gas-station" not in page.replace("Rule", "").replace("XXII.4/gas-station", "")
    assert page.index("Gas Station") < page.index("What is not so here") < page.index("Polluted")
    mine = text(ann.get(f"{SECOND}players/Ann/"))
    assert mine.index("Health") < mine.index("What is not so at the moment") < mine.index("Bankrupt")
    assert {"Buildings", "Price of 100 fuel"} <= set(columns())
    assert "Polluted" not in columns()


def test_the_board_and_forms_tell_the_price_of_squares(second, people):
    drawn = people("ann").get(SECOND).content.decode()
    assert re.findall(r'<text class="sq-price"[^>]*>([^<]*)<', drawn)[:3] == ["$25", "$50", "$75"]


def test_the_log_goes_by_weeks_and_updates_newest_first_each_with_its_report(second, people):
    game, go = second
    order(people("ann"), "name-square", square="#7", name="Seven")
    go(3)
    go(4)
    go(3)
    page = people("ben").get(f"{SECOND}log/").content.decode()
    heads = re.findall(r"<h([23])[^>]*>(.*?)</h\1>", page.partition('id="log"')[2], re.S)
    told = [" ".join(re.sub(r"<[^>]+>", "", words).split()) for _, words in heads]
    weeks = [each for each in told if re.fullmatch(r"Week \d+", each)]
    assert weeks == ["Week 2", "Week 1"]
    updates = [each.partition(",")[0] for each in told if each.startswith("Update")]
    assert updates == ["Update 3", "Update 2", "Update 1"]
    assert told.index("Week 1") > told.index(next(each for each in told if each.startswith("Update 3")))
    for place in ("week/2/", "week/2/#update-3", "week/1/#update-1"):
        assert f'href="{SECOND}log/{place}"' in page
    assert "Seven" in page.partition("#update-1")[2].partition("</section>")[0]
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    filtered = people("ben").get(f"{SECOND}log/?player=Ann").content.decode()
    assert f'href="{SECOND}log/week/1/"' in filtered


def test_what_a_moment_did_is_not_called_nothing_when_its_rule_has_gone(start_second, people):
    game, go = start_second("Ann", "Ben", edition="original")
    ann = people("ann")
    code = """
attribute("player", "debt", 500, label="Debt")
calendar("interest-day", hour=8)
calendar("idle-day", hour=9)

@on("interest-day")
def grow(e):
    for who in players():
        put(who, "debt", who.debt + 10)
"""
    for number, change in enumerate(({"enact": "IV.9", "text": "Debts grow.", "code": code}, {"repeal": "IV.9"}), 1):
        assert domain.order(game, "Ann", "propose", {"title": "Debts", "text": "T", "changes": [change]}).ok
        assert domain.desk_act(game, "accept", {"on": f"P{number}"}).ok
        go(1)
        page = text(ann.get(f"{SECOND}log/"))
        assert "Interest day" in page
        assert "Nothing came of: interest day" not in page
        assert "Nothing came of: idle day" in page


def test_a_log_without_weeks_goes_by_days(game, ann):
    page = ann.get("/g/friday/log/").content.decode()
    assert "log/week/" not in page
    assert '<h2 class="day"' in page
