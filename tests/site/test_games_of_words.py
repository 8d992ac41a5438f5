"""The pages of games without a board and money, and of editions of one's own: the game of docs/own-game.md."""

import json
import re
from pathlib import Path

import pytest
from pagewords import accept, fields, propose, text, well

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


def said_to(ann, **choices):
    """What *Say it* answers where a proposal with these choices is sent, and the game's page of it."""
    page = ann.get("/g/words/proposals/new/?door=say")
    chosen = {f"say.{name.replace('__', '.')}": content for name, content in choices.items()}
    return ann.post("/g/words/proposals/new/", fields(page) | chosen | {"submit": "1"}, follow=True)


def choices(page, field):
    menu = re.search(rf'<select[^>]* name="say\.{re.escape(field)}".*?</select>', page.content.decode(), re.S)
    return re.findall(r'<option value="([^"]*)"', menu[0])


MONDAY = {"0__form": "every", "0__weekday": "0", "0__hour": "9", "0__minute": "0", "0__then__0": "each"} | {
    "0__then__0__kind": "player",
    "0__then__0__then__0": "do",
    "0__then__0__then__0__event": "score",
}
GIVEN = {"0__then__0__then__0__with__who": "each", "0__then__0__then__0__with__points": "number"} | {
    "0__then__0__then__0__with__points__value": "2"
}


def test_an_event_is_not_said_without_what_its_sentence_speaks_of(words):
    game, ann = words
    page = said_to(ann, **MONDAY)
    assert "P1" not in live.of(game).view("admin")["things"]
    assert "Refused: Who: choose one. Points: choose one." in text(page)


def test_what_a_rule_makes_happen_is_said_in_the_words_of_the_log(words):
    game, ann = words
    said_to(ann, **MONDAY, **GIVEN)
    changes = json.loads(live.of(game).view("admin")["things"]["P1"]["changes"])
    assert changes[0]["text"] == "Every Monday at 9:00, for each player: that player gets {points} points."


def test_a_moment_that_was_said_is_called_by_its_rule(words):
    game, ann = words
    said_to(ann, **MONDAY, **GIVEN)
    well(domain.order(game, "Ann", "vote", {"on": "P1", "choice": "yes"}))
    domain.run_due(game, live.now() + 3 * 86400)
    page = text(ann.get("/g/words/"))
    assert "Rule 3.1 Mon" in page
    assert "oment" not in page


def test_the_number_of_a_rule_keeps_its_capitals(ann, game):
    code = 'calendar("moment", weekday=0, hour=8)\n\n\n@on("moment")\ndef do_moment(e):\n    tell(None, "Monday")\n'
    propose(game, changes=[{"enact": "X.1", "section": "Additions", "text": "News.", "code": code}])
    accept(game, "P1")
    assert "Next: rule X.1 in" in text(ann.get("/g/friday/"))


def test_the_log_calls_a_moment_that_was_said_by_its_rule(ann, game):
    code = 'calendar("moment", hour=8)\n\n\n@on("moment")\ndef do_moment(e):\n    pass\n'
    propose(game, changes=[{"enact": "X.1", "section": "Additions", "text": "Nothing, daily.", "code": code}])
    accept(game, "P1")
    domain.run_due(game, live.now() + 86400)
    page = text(ann.get("/g/friday/log/"))
    assert "The clock: 1 moment Nothing came of: rule X.1 " in page


def test_who_leaves_is_not_told_of_money(words):
    assert "money" not in text(words[1].get("/g/words/leave/"))


def test_points_go_up_and_who_proposes_is_not_asked_for_a_colon(words):
    _, ann = words
    page = said_to(
        ann,
        **{"0__form": "when", "0__event": "propose", "0__how": "after", "0__then__0": "raise"},
        **{"0__then__0__of": "e.who", "0__then__0__name": "points"},
        **{"0__then__0__by": "number", "0__then__0__by__value": "1"},
    )
    assert "When a player proposes, their points go up by 1." in text(page)


def test_several_are_compared_as_several_and_names_are_named(words):
    _, ann = words
    page = said_to(
        ann,
        **{"0__form": "when", "0__event": "score", "0__how": "after", "0__if": "compare", "0__if__op": ">"},
        **{"0__if__left": "e.who.points", "0__if__right": "number", "0__if__right__value": "20"},
        **{"0__then__0": "tell", "0__then__0__to": "nothing", "0__then__0__text": "{who} is rich"},
    )
    told = "When a player gets some points, if their points are more than 20, everybody is told “[their name] is rich”."
    assert told in text(page)


def test_nothing_stands_on_a_square_where_there_are_none(words):
    _, ann = words
    begun = ann.get("/g/words/proposals/new/?door=say")
    page = ann.post("/g/words/proposals/new/", fields(begun) | {"say-press": "start:when"})
    assert "compare" in choices(page, "0.if")
    assert "there" not in choices(page, "0.if")


def test_who_looks_for_a_number_is_shown_a_rule_that_there_is(words):
    _, ann = words
    page = ann.get("/g/words/proposals/new/?door=number").content.decode()
    assert 'placeholder="a word, or 1.1"' in page


def test_who_has_no_piece_on_a_board_chooses_a_sign(words, people):
    game, ann = words
    assert "Your sign" in text(ann.get("/g/words/piece/"))
    assert "board" not in text(ann.get("/g/words/piece/"))
    assert "Another sign" in text(ann.get("/g/words/players/Ann/"))
    page = text(people("ben").get(f"/g/words/join/?invitation={game.invitation}"))
    assert "Your sign" in page
    assert "Your piece" not in page


def test_the_home_page_names_the_games_of_its_own(words):
    page = text(words[1].get("/"))
    assert "Other games that you can start here" in page
    assert "Talk Rules and points, and nothing else" in page


def test_the_page_of_conduct_names_no_act_that_is_not_there(words, keeper):
    page = text(keeper.get("/g/words/admin/conduct/"))
    assert "Both are in the public log with your reason." in page
    assert "the act that removes" not in page


def test_no_example_of_a_command_is_to_leave(words):
    game, ann = words
    assert "For example: leave-game" not in text(ann.get("/g/words/act/"))
