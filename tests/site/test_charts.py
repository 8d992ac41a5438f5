"""Charts of what players had: the same numbers from the journal as from the days themselves, right after a correction,
and nothing in them that the viewer may not see."""

import re
import threading

import pytest
from pagewords import DAY, MONDAY, SECOND, grant, seated, text

from nomopoly.site.play import charts
from nomopoly.site.tables import domain, live, readings
from nomopoly.site.tables.models import Game, Life, Reading


@pytest.fixture
def second(start_second):
    """Ann and Ben play."""
    return start_second("Ann", "Ben")


def money_of(game, name):
    """What everybody may see of a player's money, day by day."""
    seen = live.of(game).ask(lambda running: readings.seen(game, "visitor", running, live.now()))
    return [numbers[name]["money"] for _, numbers in seen]


def table_of(page):
    """The chart's numbers as its table has them: a list of rows of texts."""
    table = re.search(r'<div class="scroll".*?<tbody>(.*?)</tbody>', page.content.decode(), re.S)[1]
    rows = re.findall(r"<tr>(.*?)</tr>", table, re.S)
    return [[re.sub(r"<[^>]*>", "", cell).strip() for cell in re.findall(r"<t[hd].*?</t[hd]>", row)] for row in rows]


def test_a_day_is_kept_as_it_ends_and_the_journal_says_the_same(second):
    game, go = second
    assert not Reading.objects.exists()
    grant(game, "Ann", "money", 500)
    grant(game, "Ann", "money", 700)
    go(1)
    grant(game, "Ann", "money", 900)
    go(1)
    grant(game, "Ben", "money", 100)
    assert money_of(game, "Ann") == [700, 900]
    assert money_of(game, "Ben") == [10000, 10000]
    kept = list(Reading.objects.order_by("n").values("at", "numbers"))
    Reading.objects.all().delete()
    readings.recount(game)
    assert list(Reading.objects.order_by("n").values("at", "numbers")) == kept


def test_days_that_went_by_at_once_are_read_from_the_journal(second):
    game, go = second
    go(10)
    assert Game.objects.get(pk=game.pk).recount
    before = len(money_of(game, "Ann"))
    readings.recount_all()
    assert not Game.objects.get(pk=game.pk).recount
    assert len(money_of(game, "Ann")) > before


def reading_aside():
    """The threads that read journals again."""
    return [each for each in threading.enumerate() if readings._aside_now.__name__ in each.name]


def test_what_is_missing_is_read_in_a_thread_of_its_own(second):
    game, go = second
    go(10)
    before = len(money_of(game, "Ann"))
    readings.recount_aside()
    for thread in reading_aside():
        thread.join()
    assert not Game.objects.get(pk=game.pk).recount
    assert len(money_of(game, "Ann")) > before
    readings.recount_aside()
    assert not reading_aside(), "there is nothing to do"


def test_a_correction_corrects_what_is_drawn(second, keeper):
    game, go = second
    grant(game, "Ann", "money", 500)
    wrong = live.of(game).n
    go(1)
    grant(game, "Ben", "money", 100)
    go(1)
    grant(game, "Ben", "money", 200)
    assert money_of(game, "Ann") == [500, 500]
    assert domain.strike(game, wrong, "A slip of the pen").ok
    assert not money_of(game, "Ann")
    assert Game.objects.get(pk=game.pk).recount
    readings.recount_all()
    assert money_of(game, "Ann") == [10000, 10000]
    assert money_of(game, "Ben") == [10000, 100]
    page = keeper.get(f"{SECOND}players/?chart=money")
    assert [row[1:] for row in table_of(page)] == [["$10,000", "$200"], ["$10,000", "$100"], ["$10,000", "$10,000"]]


def test_nobody_is_shown_what_is_anothers(second, people):
    game, go = second
    grant(game, "Ann", "bank_balance", 2345)
    go(1)
    grant(game, "Ann", "bank_balance", 2346)
    go(1)
    own = table_of(people("ann").get(f"{SECOND}players/Ann/"))
    assert own[0] == ["now", "$13,346", "$10,000", "$2,346"]
    assert own[-1][1:] == ["$13,345", "$10,000", "$2,345"]
    for client, path in ((people("ben"), "players/Ann/"), (people("ben"), "players/"), (people("cid"), "players/Ann/")):
        page = client.get(SECOND + path)
        assert '<svg class="chart' in page.content.decode()
        assert "$11,000" in text(page)
        for secret in ("13,345", "13345", "2,345", "2345", "13,346", "2,346"):
            assert secret not in page.content.decode()
    mine = table_of(people("ann").get(f"{SECOND}players/"))
    assert mine[0] == ["now", "$13,346", "$11,000"]
    assert 'chart=bank_balance"' not in people("ben").get(f"{SECOND}players/?chart=bank_balance").content.decode()
    assert 'chart=bank_balance"' not in people("ann").get(f"{SECOND}players/").content.decode()


def test_a_day_on_which_something_private_happened_and_nothing_else_is_in_the_chart_of_who_did_it_alone(
    keeper, people, monkeypatch
):
    moment = [MONDAY]
    monkeypatch.setattr(live, "now", lambda: moment[0])

    def next_day():
        moment[0] += DAY
        Life.objects.update_or_create(pk=1, defaults={"at": moment[0]})  # the site has not been away

    game = domain.start_game(keeper.user, edition="original", title="First", slug="first", at=moment[0])
    seated(game, people("ann"), "Ann")
    code = 'attribute("player", "kept", 0, type="number", label="Kept", show="owner")\n\n\n'
    code += '@action("keep", "Keep", private=True)\ndef keep(e):\n    put(e.who, "kept", e.who.kept + 1)\n'
    changes = [{"enact": "X.1", "text": "Keep it.", "code": code}]
    assert domain.order(game, "Ann", "propose", {"title": "Keep", "changes": changes}).ok
    assert domain.desk_act(game, "accept", {"on": "P1"}).ok
    next_day()
    assert domain.order(game, "Ann", "keep", {}).ok
    next_day()
    grant(game, "Ann", "money", 1500)
    next_day()

    def days(viewer):
        live.of(game).facts(viewer)
        seen = live.of(game).ask(lambda running: readings.seen(game, viewer, running, live.now()))
        return [(at - MONDAY) // DAY for at, _ in seen]

    assert days("Ann") == [0, 1, 2]
    assert days("visitor") == [0, 2]


def test_the_chart_of_who_has_left_ends_when_they_left(second, people):
    game, go = second
    go(1)
    grant(game, "Ann", "money", 500)
    go(1)
    assert table_of(people("ben").get(f"{SECOND}players/Ann/"))[0][0] == "now"
    assert domain.desk_act(game, "remove-player", {"player": "Ann", "because": "rude"}).ok
    page = people("ben").get(f"{SECOND}players/Ann/")
    assert "now" not in [day for day, *_ in table_of(page)]
    assert "on which something happened, and now" not in text(page)


def test_each_line_has_its_own_colour_dashes_and_mark_and_its_name_at_its_end(second, people):
    game, go = second
    go(1)
    grant(game, "Ben", "money", 100)
    page = people("ann").get(f"{SECOND}players/?chart=money").content.decode()
    drawn = re.findall(
        r'<g class="(owner-\d)"><path class="chart-line" d="[^"]*" stroke-dasharray="([^"]*)".*?<text[^>]*>(\w+)<', page
    )
    assert [name for *_, name in drawn] == ["Ann", "Ben", "An", "Be"]
    assert len({look for look, *_ in drawn}) == 2
    assert len({dashes for _, dashes, _ in drawn}) == 2
    assert (
        'aria-label="Money of the players, day by day: Ann from $10,000 to $10,000; Ben from $10,000 to $100"' in page
    )


def test_a_game_without_a_net_worth_has_a_chart_of_money_from_its_second_day_on(keeper, people, monkeypatch):
    moment = [MONDAY]
    monkeypatch.setattr(live, "now", lambda: moment[0])
    game = domain.start_game(keeper.user, edition="original", title="First", slug="first", at=moment[0])
    assert "<figure" not in keeper.get("/g/first/players/").content.decode()
    seated(game, people("ann"), "Ann")
    assert "<figure" not in keeper.get("/g/first/players/").content.decode()
    moment[0] += DAY
    grant(game, "Ann", "money", 1500)
    assert [row[1:] for row in table_of(keeper.get("/g/first/players/"))] == [["$1,500"], ["$1,000"]]
    assert "Money of the players" in text(keeper.get("/g/first/players/"))


def test_the_axis_has_round_numbers_around_all():
    assert charts.ticks_of(0, 0) == [0, 1]
    assert charts.ticks_of(9_803, 12_036) == [9_500, 10_000, 10_500, 11_000, 11_500, 12_000, 12_500]
    assert charts.ticks_of(-120, 80) == [-150, -100, -50, 0, 50, 100]


def test_names_at_the_ends_of_lines_keep_apart():
    places = charts.spread([50, 52, 51, 10], 15, 0, 100)
    assert sorted(places) == sorted(set(places))
    assert all(0 <= place <= 100 for place in places)
    ordered = sorted(places)
    assert all(after - before >= 15 for before, after in zip(ordered, ordered[1:], strict=False))
    assert charts.spread([99, 98], 15, 0, 100) == [100, 85]
