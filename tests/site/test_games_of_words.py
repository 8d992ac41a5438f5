"""The pages of games without a board and money, and of editions of one's own: the game of docs/own-game.md."""

import re
from pathlib import Path

import pytest
from pagewords import fields, text, well

from nomopoly.rulebook import own, source
from nomopoly.site.tables import domain, live

PAGE = Path(__file__).parents[2] / "docs" / "own-game.md"
FILE = re.compile(r"^`(talk/[\w./]+)`.*?\n\n```\w+\n(.*?)^```$", re.M | re.S)
MORE = '''

rule("2.3", """
Who proposes may say how urgent it is. It is {turn}'s turn to bring tea.
""", turn="Ann")

attribute("proposal", "urgent", "", label="Urgent")
attribute("game", "tea", "", label="Brings tea", summary=True)
also_asks("propose", urgent=one_of(("very", "hardly"), "How urgent", optional=True))


@after("propose")
def keep_urgency(e):
    put(e.result, "urgent", e.urgent or "")
    put(thing("game"), "tea", name_of(e.who))


@value("may_propose", of="player", label="May propose", type="moment", asks="propose", asking="you may propose")
def may_propose(who):
    return who.joined_at
'''


@pytest.fixture
def words(tmp_path, monkeypatch, keeper, people):
    """A game of these rules, in which Ann plays. Returns it and her browser."""
    monkeypatch.setattr(source, "OWN", {})
    monkeypatch.setattr(own, "OWN", source.OWN)
    for name, said in FILE.findall(PAGE.read_text(encoding="utf-8")):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(said + (MORE if name == "talk/changes.py" else ""), encoding="utf-8")
    own.add_edition(tmp_path / "talk")
    game = domain.start_game(keeper.user, edition="talk", title="Words", slug="words", at=live.now() - 3600)
    ann = people("ann")
    assert domain.ask_to_join(game, ann.user, "Ann").ok
    assert domain.desk_act(game, "approve-player", {"player": "Ann"}).ok
    return game, ann


def test_no_page_of_a_game_without_squares_speaks_of_its_board(words):
    game, ann = words
    page = ann.get("/g/words/")
    for said in ("The board as a table", "Larger or smaller", "Text view", "show me: entry"):
        assert said not in text(page), said
    assert 'id="board"' not in page.content.decode()
    assert "show me: entry" not in ann.get("/g/words/log/").content.decode()
    past = text(ann.get("/g/words/?at=1"))
    assert "Players then" in past
    assert "The game now" in past
    assert "board" not in past.lower()
    assert "This game has no squares." in text(ann.get("/g/words/board/table/"))


def test_a_number_of_the_standings_says_what_it_is(words):
    assert "Points: 0" in text(words[1].get("/g/words/"))


def test_what_rules_add_to_the_form_of_a_proposal_is_asked_and_kept(words):
    game, ann = words
    page = ann.get("/g/words/proposals/new/?door=program")
    assert "How urgent (optional)" in text(page)
    sent = fields(page) | {"title": "Tea", "text": "More tea.", "more.urgent": "very"}
    checked = ann.post("/g/words/proposals/new/", sent | {"check": "1"})
    assert re.search(r'<option value="very" selected', checked.content.decode())
    ann.post("/g/words/proposals/new/", sent | {"submit": "1"}, follow=True)
    proposal = live.of(game).view("admin")["things"]["P1"]
    assert (proposal["title"], proposal["urgent"]) == ("Tea", "very")


def test_what_is_no_choice_of_such_a_field_is_refused(words):
    game, ann = words
    sent = fields(ann.get("/g/words/proposals/new/?door=program")) | {"title": "Tea", "text": "T", "more.urgent": "x"}
    page = ann.post("/g/words/proposals/new/", sent | {"submit": "1"})
    assert "P1" not in live.of(game).view("admin")["things"]
    assert "urgent" in text(page)


def test_whose_turn_it_is_stands_above_the_players(words):
    game, ann = words
    well(domain.order(game, "Ann", "propose", {"title": "Tea", "text": "More tea."}))
    assert "Brings tea: Ann" in text(ann.get("/g/words/"))


def test_what_asks_for_a_proposal_leads_to_its_form(words):
    _, ann = words
    page = ann.get("/g/words/").content.decode()
    item = re.search(r'<li id="due-act-propose".*?</li>', page, re.S)[0]
    assert 'href="/g/words/act/propose/"' in item
    assert "<button" not in item
    assert "Not possible now" not in item
