"""The Admin grants items that rules declare, and no others."""

from nomopoly.rulebook.changes import apply_changes
from nomopoly.rulebook.source import Book, load_edition
from nomopoly.runtime.host import open_game

START = 1772442000


def test_an_item_that_no_rule_declares_is_refused_with_the_names_that_are_near():
    shipped = load_edition("iv")
    fruit = [{"enact": "5.9", "text": "There are bananas.", "code": 'item("banana", "Banana")\n'}]
    book = Book("iv", shipped.title, apply_changes(shipped.records, fruit), shipped.commons)
    game = open_game(book, title="t", game_id="t", runtime="cpython", at=START, secret="ab" * 32)
    game.run_due(START)
    game.join("Ann", START)
    game.admin("approve-player", {"player": "Ann"}, START)
    last = game.n
    grant = {"thing": "Ann", "attribute": "items", "because": "a test"}
    outcome = game.admin("grant", {**grant, "value": ["banan"]}, START)
    assert outcome.refused == "there is no item called banan: did you mean banana?"
    assert game.n == last
    assert game.admin("grant", {**grant, "value": ["banana", "banana"]}, START).ok
    assert game.admin("grant", {**grant, "value": []}, START).ok
    assert game.admin("grant", {**grant, "value": ["xyzzy"]}, START).refused == "there is no item called xyzzy"
