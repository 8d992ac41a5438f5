"""Who names a square may choose a sign for it, from those that the board can draw."""

import re

import pytest
from pagewords import grant, text

from nomopoly.rulebook.source import load_edition
from nomopoly.runtime.host import open_game
from nomopoly.site.play import signs
from nomopoly.site.tables import domain, live


@pytest.mark.parametrize("edition", ["original", "ii", "mail"])
def test_the_rules_offer_the_signs_that_the_board_draws(edition):
    game = open_game(load_edition(edition), title="T", game_id="t", runtime="cpython", at=1772442000, secret="ab" * 32)
    assert game.join("Ann", 1772442000).ok
    assert game.admin("approve-player", {"player": "Ann"}, 1772442000).ok
    action = next(each for each in game.actions("Ann") if each["id"] == "name-square")
    offered = next(field for field in action["fields"] if field["name"] == "sign")
    assert offered["optional"]
    assert [each["id"] for each in offered["choices"]] == list(signs.SIGNS)
    declared = {each["name"]: each for each in game.view("visitor")["schema"]["square"]}
    assert declared["emblem"]["type"] == "sign"


def test_a_sign_is_chosen_with_the_name_from_drawings_and_is_seen_on_the_board(ann, game):
    grant(game, "#7", "owner", "Ann")
    way = "/g/friday/act/name-square/"
    form = ann.get(way).content.decode()
    offered = re.findall(r'<input type="radio" name="sign" value="([^"]*)"', form)
    assert offered == ["", *signs.SIGNS]
    assert form.count('<path d="') >= len(signs.SIGNS)
    asked = ann.post(way, {"square": "#7", "name": "Ferry Road", "sign": "ship", "preview": "page"}, follow=True)
    assert "Name #7: Ferry Road, ship?" in text(asked)
    assert domain.order(game, "Ann", "name-square", {"square": "#7", "name": "Ferry Road", "sign": "ship"}).ok
    assert 'href="#sign-ship"' in ann.get("/g/friday/").content.decode()
    assert live.of(game).view("visitor")["things"]["#7"]["emblem"] == "ship"


def test_a_sign_that_nobody_draws_is_refused_and_none_is_needed(ann, game):
    grant(game, "#7", "owner", "Ann")
    assert not domain.order(game, "Ann", "name-square", {"square": "#7", "name": "A", "sign": "dragon"}).ok
    assert domain.order(game, "Ann", "name-square", {"square": "#7", "name": "A"}).ok
    assert live.of(game).view("visitor")["things"]["#7"]["emblem"] is None


def test_in_mail_the_sign_is_there_after_the_update():
    begun = 1772442000  # a Monday
    game = open_game(load_edition("mail"), title="T", game_id="t", runtime="cpython", at=begun, secret="ab" * 32)
    assert game.join("Ann", begun).ok
    assert game.admin("approve-player", {"player": "Ann"}, begun).ok
    grant = {"thing": "#7", "attribute": "owner", "value": "Ann", "because": "a test"}
    assert game.admin("grant", grant, begun).ok
    assert game.order("Ann", "name-square", {"square": "#7", "name": "A", "sign": "fish"}, begun).ok
    assert game.view("visitor")["things"]["#7"]["emblem"] is None
    game.run_due(begun + 8 * 86400)
    assert game.view("visitor")["things"]["#7"]["emblem"] == "fish"


def test_a_sign_is_not_explained_as_what_is_called_like_it(start_second, people):
    start_second("Ann")
    said = text(people("ann").get("/g/second/act/name-square/"))
    assert "House Tree" in said  # these are signs
    assert "What each of them is" not in said
