"""The desk as one list: tasks of all kinds, oldest first, each with its rule; and what a player sees of staying in the
game."""

import re

import pytest
from pagewords import DAY, SECOND, grant, text, things, token

from nomopoly.site.order import conduct
from nomopoly.site.tables import domain, live, office, queries

DESK = f"{SECOND}admin/"


@pytest.fixture
def second(start_second):
    """Ann, Ben and Cid play, and Ann has #7."""
    game, go = start_second("Ann", "Ben", "Cid")
    grant(game, "#7", "owner", "Ann")
    return game, go


def headings(client):
    """The headings of the desk's cards, in their order."""
    page = client.get(DESK).content.decode().partition('id="tasks"')[2].partition("</section>")[0]
    return [" ".join(re.sub(r"<[^>]*>", " ", each).split()) for each in re.findall(r"<h3[^>]*>(.*?)</h3>", page, re.S)]


def test_names_that_players_give_are_looked_at_once(second, keeper):
    game, go = second
    assert domain.order(game, "Ann", "name-square", {"square": "#7", "name": "Rude Word"}).ok
    assert headings(keeper) == []  # it waits for the update itself
    go(3)
    with domain.acting(game):
        pass
    assert things(game)["#7"]["name"] == "Rude Word"
    assert headings(keeper) == ["A name to look at"]
    page = keeper.get(DESK)
    card = text(page).partition("A name to look at")[2].partition("I have looked at them")[0]
    assert "Rude Word" in card
    assert "Rule" in text(page).partition("I have looked at them")[2].partition("Acts")[0]
    assert "a name to look at" in text(keeper.get("/me/"))
    upto = re.search(r'name="upto" value="(\d+)"', page.content.decode())[1]
    keeper.post(f"{DESK}names/", {"upto": upto, "once": token(page)})
    assert headings(keeper) == []
    assert keeper.get(f"{DESK}names/").status_code == 405


def test_a_question_about_an_entry_waits_until_the_admin_answers(second, keeper, people):
    game, _ = second
    number = next(entry["number"] for entry in live.of(game).facts("admin") if entry["do"] == "grant")
    ann, entry = people("ann"), f"{SECOND}log/{number}/"
    ann.post(f"{entry}question/", {"body": "Why is it mine?", "once": "q1"})
    assert headings(keeper) == [f"A question about entry {number}"]
    assert "Why is it mine?" in text(keeper.get(DESK))
    keeper.post(f"{entry}question/", {"body": "You asked for it.", "once": "a1"})
    assert headings(keeper) == []
    ann.post(f"{entry}question/", {"body": "Did I?", "once": "q2"})
    assert len(headings(keeper)) == 1


def test_the_oldest_task_is_on_top_whatever_its_kind(second, keeper, people):
    game, go = second
    assert domain.ask_to_join(game, people("dot").user, "Dot").ok
    go(0.1)
    application = {"sort": "game", "name": "Doors", "text": "Bet $1."}
    assert domain.order(game, "Ben", "apply-patent", application).ok
    go(3)
    with domain.acting(game):
        pass
    assert domain.ask_to_join(game, people("eve").user, "Eve").ok
    found = headings(keeper)
    assert len(found) == 3
    assert [found.index(name) for name in ("Dot asks to join", "Patent 1: Doors", "Eve asks to join")] == [0, 1, 2]
    page = text(keeper.get(DESK))
    assert "Rule&nbsp;XXXIV" in page.partition("Patent 1: Doors")[2].partition("Eve asks to join")[0]


@pytest.fixture
def fourth(start_second):
    return start_second("Ann", "Ben", edition="iv")


def test_who_will_soon_be_removed_is_a_task_and_on_their_own_page(fourth, keeper, people):
    game, go = fourth
    ann, page = people("ann"), f"{SECOND}players/Ann/"
    ann.get(SECOND)
    moment = live.of(game).leaving()["Ann"][0]
    own = text(ann.get(page))
    assert "Staying in the game" in own
    assert f"By the rules you are removed {queries.in_words(moment, 'moment')}"[:40] in own
    assert "Staying in the game" not in text(people("ben").get(page))
    assert "Staying in the game" in text(keeper.get(page))
    assert headings(keeper) == []
    go((moment - live.now()) / DAY - 6)
    told = office.tasks(game)
    assert "Ann is about to be removed" in [task["text"] for task in told]
    assert "Ann is about to be removed" in headings(keeper)


def test_warnings_are_on_ones_own_page(fourth, people):
    game, _ = fourth
    assert conduct.warn(game, "Ann", "Shouting").ok
    assert "Warning to Ann: Shouting" in text(people("ann").get(f"{SECOND}players/Ann/")).partition("Warnings")[2]
    assert "Staying in the game" not in text(people("ben").get(f"{SECOND}players/Ann/"))


def test_each_entry_is_read_for_names_once_and_again_after_a_strike(second, keeper, monkeypatch):
    game, go = second
    assert domain.order(game, "Ann", "name-square", {"square": "#7", "name": "Rude Word"}).ok
    go(3)
    with domain.acting(game):
        pass
    read, note = [], office.note_names
    monkeypatch.setattr(office, "note_names", lambda given, entry: read.append(entry["n"]) or note(given, entry))
    assert [task["sort"] for task in office.tasks(game)] == ["names"]
    named = office.tasks(game)[0]["names"][0]["entry"]["n"]
    n = live.of(game).n
    assert named in read
    grant(game, "#9", "owner", "Ben")
    assert [task["sort"] for task in office.tasks(game)] == ["names"]
    assert read == sorted(set(read)), "an entry is read once"
    assert read[-1] > n, "and what is new is read"
    with live.of(game).writing() as running:
        assert running.strike(named, "A rude word.", running.now).ok
    read.clear()
    assert office.tasks(game) == []
    assert named in read, "after a strike all of them are read again"
