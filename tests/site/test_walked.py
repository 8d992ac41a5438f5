"""What people who walked through the site stumbled over: each has a test, here where no other has it."""

import html
import re

import pytest
from django.test import Client
from pagewords import grant, text

from nomopoly.site.tables import domain, live

DATES = ["tomorrowish", "31.31.2026", "<b>", "2026-13-01", "9" * 40]


@pytest.mark.parametrize("date", DATES)
def test_a_date_that_nobody_can_read_is_no_dead_end_in_a_statement(game, ann, date):
    page = ann.get("/g/friday/players/Ann/account/", {"from": date})
    assert page.status_code == 400
    assert "Not a moment" in text(page)
    assert f'name="from" value="{html.escape(date)}"' in page.content.decode()
    assert "$1,000" in text(page)  # all of it is shown


def test_nor_is_one_in_the_log(game, ann):
    page = ann.get("/g/friday/log/", {"since": "tomorrowish", "player": "Ann"})
    assert page.status_code == 400
    assert "Not a moment" in text(page)
    assert 'name="since" value="tomorrowish"' in page.content.decode()
    assert 'id="entry-1"' in page.content.decode()


def test_leaving_asks_which_way_where_the_rules_have_several(start_second, people):
    game, _ = start_second("Ann", "Ben", edition="mail")
    answer = people("ann").get(f"{game.address}leave/")
    assert answer.url == f"{game.address}act/leave-game/"
    assert 'name="way"' in people("ann").get(answer.url).content.decode()
    before = live.of(game).n
    people("ann").post(f"{game.address}leave/", {"confirm": "Somebody"})
    assert live.of(game).n == before


def test_no_word_of_programmers_is_in_the_form_of_a_new_game(keeper):
    assert "slug" not in text(keeper.get("/games/new/")).casefold()


def test_a_finished_game_announces_nothing_that_is_to_come(game, ann, ben):
    for name in ("Ann", "Ben"):
        assert f"{name}" in text(ann.get("/g/friday/"))
    assert domain.desk_act(game, "declare-winner", {"because": "Enough."}).ok
    for client in (ann, Client()):
        told = text(client.get("/g/friday/"))
        assert "The game is over" in told or "ended without a winner" in told
        assert not re.search(r"turn (?:possible|due|of)|Next:", told), told
        assert client.get("/g/friday/calendar.ics").content.decode().count("BEGIN:VEVENT") == 0


@pytest.mark.parametrize("edition", ["mail", "ii"])
def test_no_sentence_of_weeks_is_made_of_the_names_of_attributes(start_second, people, edition):
    game, go = start_second("Ann", "Ben", "Cid", edition=edition)
    grant(game, "Ann", "money", 5000)
    for _ in range(7):
        go(2)
    told = text(Client().get(f"{game.address}log/"))
    for odd in (r"\bfrom from\b", r"week from \d", r"\bto nothing\b", r"\ba atm\b", r"[a-z]_[a-z]", r"find richest"):
        assert not re.search(odd, told), re.findall(f".{{60}}{odd}.{{40}}", told)
