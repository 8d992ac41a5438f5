"""Of a large board the host keeps what rules have answered: a view is always what it would be if all were asked."""

import pytest
from minigames import CHANGING, RUNTIMES, START, change, done, rule, small_game

from nomopoly.lab.simulate import play_weeks
from nomopoly.runtime.host import Game, load_game, replay, take_snapshot
from nomopoly.runtime.seeing import ANSWERS, Answers

BOARD = """
kind("square", prefix="#", numbered="number")
attribute("square", "number", 0)
attribute("square", "owner", None, type="thing")
attribute("square", "mined", False, show="owner")
attribute("square", "house", None, type="thing")
attribute("player", "money", 7)
attribute("player", "square", None, type="thing")
attribute("game", "price", 10)
kind("house", label="House")
attribute("house", "rooms", 4)
event("open")


@on("open")
def begin(e):
    for number in range(1, 7):
        create("square", number=number)


@action("claim", square=choose("square"))
def claim(e):
    put(e.square, "owner", e.who)
    put(e.square, "mined", True)


@action("reprice", price=number("Price"))
def reprice(e):
    put(thing("game"), "price", e.price)


@action("build", square=choose("square"))
def build(e):
    put(e.square, "house", create("house"))


@action("wreck", square=choose("square"))
def wreck(e):
    destroy(e.square.house)


@action("spend", money=number("Money"))
def spend_it(e):
    put(e.who, "money", e.money)


@action("go", square=choose("square"))
def go(e):
    put(e.who, "square", e.square)


@action("nothing")
def nothing(e):
    pass
"""
ASKED = {
    "an attribute": "def f(place):\n    return place.owner.money if place.owner is not None else 0",
    "a helper": "def of(place):\n    return thing('game').price\n\n\ndef f(place):\n    return of(place)",
    "a value": "@value('price')\ndef price():\n    return thing('game').price\n\n\ndef f(place):\n    "
    "return value('price')",
    "a modifier": "@modify('asked')\ndef more(place, base):\n    return add(thing('game').price)\n\n\n"
    "def f(place):\n    return 1",
    "how many there are": "def f(place):\n    return count('house')",
    "a list of them": "def f(place):\n    return sum([each.rooms for each in every('house')])",
    "what is gone": "def f(place):\n    return place.house.rooms if place.house is not None else 9",
    "whether it is gone": "def f(place):\n    return exists(place.house)",
    "a name": "def f(place):\n    return find('house-2') is None",
    "the time": "def f(place):\n    return now()",
    "the time, in a helper": "def at_last():\n    return now() // 60\n\n\ndef f(place):\n    return at_last()",
    "a row": "def rooms_of(place):\n    return thing('game').price\n\n\ncatalogue('sort', for_sale=False)\n"
    "row('sort', 'old', of=rooms_of)\n\n\ndef f(place):\n    return row_of('sort', 'old').of(place)",
    "a row with the name of a method": "def rooms_of(place):\n    return thing('game').price\n\n\n"
    "catalogue('sort', for_sale=False)\nrow('sort', 'old', title=rooms_of)\n\n\n"
    "def f(place):\n    return row_of('sort', 'old').title(place)",
    "a name put together": "def f(place):\n    return value('pri' + 'ce') + place.number\n\n\n@value('price')\n"
    "def price():\n    return thing('game').price",
    "a default": "def price():\n    return thing('game').price\n\n\ndef f(place, of=price):\n    return of()",
    "a function that is handed on": "def price(place):\n    return thing('game').price\n\n\ndef by(place, of):\n"
    "    return of(place)\n\n\ndef f(place):\n    return by(place, price)",
    "another name for one": "def price(place):\n    return thing('game').price\n\n\nsame = price\n\n\ndef f(place):\n"
    "    return same(place)",
    "an attribute by its name": "def f(place):\n    return getattr(thing('game'), 'pri' + 'ce')",
    "what rules lend": "def f(place):\n    return lent(place)",
    "what only an owner sees": "@modify('asked', show=('owner',))\ndef more(place, base):\n    "
    "return add(100 + thing('game').price) if place.mined else None\n\n\ndef f(place):\n    return 1",
    "a value of nothing that hangs on who looks": "@value('worth', of='square')\ndef worth(place):\n    return 1\n\n\n"
    "@modify('worth', show=('owner',))\ndef more(place, base):\n    return add(100) if place.mined else None\n\n\n"
    "@value('sum')\ndef all_of_it():\n    return sum([value('worth', each) for each in every('square')])\n\n\n"
    "def f(place):\n    return value('sum')",
    "what breaks": "def f(place):\n    return 10 // (thing('game').price - place.number)",
}
LENDS = rule("3.1", "@word\ndef lent(place):\n    return [thing('game').price, place.owner]")
MOVES = [
    ("Ann", "nothing", {}),
    ("Ann", "reprice", {"price": 3}),
    ("Ann", "claim", {"square": "#2"}),
    ("Ann", "spend", {"money": 5}),
    ("Ann", "build", {"square": "#2"}),
    ("Ben", "build", {"square": "#3"}),
    ("Ben", "go", {"square": "#3"}),
    ("Ben", "wreck", {"square": "#3"}),
    ("Ben", "claim", {"square": "#3"}),
    ("Ben", "build", {"square": "#4"}),
    ("Ben", "wreck", {"square": "#2"}),
    ("Ben", "reprice", {"price": 11}),
    ("Ann", "go", {"square": "#1"}),
]


@pytest.fixture(autouse=True)
def few_are_many(monkeypatch):
    """Let the host keep answers of games of any size, also where they are taken up again."""
    really = Game.view

    def view(game, viewer, now=None):
        game.runtime.add("MANY = 1")
        return really(game, viewer, now)

    monkeypatch.setattr(Game, "view", view)


@pytest.fixture
def at_hand(monkeypatch):
    """Each list of names of which the answers were not asked for again."""
    found = []
    really = Answers.filled

    def filled(answers, packed):
        names = [(kind, name) for kind, _, names in packed["kinds"] for name in names]
        columns = [column for several in packed["answers"] for column in several]
        found.append([name for name, column in zip(names, columns, strict=True) if column is None])
        found[-1] += [(kind, rule) for kind, rule, drawn in packed["markers"] if drawn is None]
        return really(answers, packed)

    monkeypatch.setattr(Answers, "filled", filled)
    return found


def look(game, *viewers, at=None):
    """Compare what they see with what they would if all were asked."""
    for viewer in viewers:
        shown = game.view(viewer, at or game.now)
        kept = game.runtime.kept.pop(ANSWERS)
        assert game.view(viewer, at or game.now) == shown
        game.runtime.kept[ANSWERS] = kept


def board(asked, runtime="cpython"):
    """A game in which this is asked of squares; it is drawn on them as well."""
    code = asked.replace("def f(place", "@value('asked', of='square', label='Asked')\ndef f(place")
    code += "\n\n\n@marker('square')\ndef drawn(place):\n    return ('x', f\"{value('asked', place)}\")\n\n\n"
    code += "@marker('player')\ndef flag(who):\n    return ('f', 'a flag')"
    return small_game(rule("1.1", BOARD), rule("2.1", code), LENDS, CHANGING, runtime=runtime)


@pytest.mark.parametrize("asked", ASKED.values(), ids=list(ASKED))
def test_a_view_after_an_entry_is_what_it_would_be(asked):
    game = board(asked)
    for by, do, args in MOVES:
        look(game, "Ann", "Ben", "visitor", "admin")
        done(game.order(by, do, args, game.now + 30))
    look(game, "Ann", "Ben", "visitor", "admin")
    look(game, "Ann", at=game.now + 100)


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_what_nothing_has_changed_is_not_asked_again(runtime, at_hand):
    game = board(ASKED["a value"], runtime)
    kept = [("square", "asked"), ("square", "2.1"), ("player", "2.1")]
    game.view("Ann", START)
    game.view("Ben", START)
    game.preview("Ann", "reprice", {"price": 3}, game.now)
    done(game.order("Ann", "spend", {"money": 5}, game.now))
    game.view("Ben", START + 5)
    done(game.order("Ann", "go", {"square": "#2"}, game.now))
    game.view("Ann", START)
    done(game.order("Ann", "reprice", {"price": 4}, game.now))
    game.view("Ann", START)
    done(change(game, {"amend": "0.1", "text": "Another text."}))
    game.view("Ann", START)
    assert at_hand == [[], kept, kept, kept[:2], kept[2:], []]
    game.runtime.close()


def test_what_hangs_on_the_time_is_known_for_that_moment(at_hand):
    game = board(ASKED["the time"])
    for viewer, at in (("Ann", 0), ("Ben", 0), ("Ann", 1), ("Ann", 1)):
        game.view(viewer, START + at)
    assert [("square", "asked") in names for names in at_hand] == [False, True, False, True]


def test_what_hangs_on_who_looks_is_not_kept(at_hand):
    game = board(ASKED["what only an owner sees"])
    done(game.order("Ann", "claim", {"square": "#2"}, game.now))
    for viewer in ("Ann", "Ben", "Ann"):
        game.view(viewer)
    assert [("square", "asked") in names for names in at_hand] == [False] * 3


def test_of_a_small_game_nothing_is_kept(monkeypatch):
    monkeypatch.undo()
    game = board(ASKED["a value"])
    game.view("Ann")
    assert ANSWERS not in game.runtime.kept


def test_other_rules_give_other_answers():
    game = board(ASKED["a value"])
    look(game, "Ann")
    done(change(game, {"amend": "2.1", "code": "@value('asked', of='square', label='A')\ndef f(place):\n    return 8"}))
    look(game, "Ann")
    done(change(game, run="put(thing('game'), 'price', 77)"))
    look(game, "Ann")
    assert game.view("Ann")["things"]["#1"]["asked"] == 8


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_what_is_kept_goes_with_a_game_that_is_taken_up_again(runtime):
    game = board(ASKED["an attribute"], runtime)
    done(game.order("Ann", "claim", {"square": "#2"}, game.now))
    look(game, "Ann", "Ben")
    again = load_game(game.journal, snapshot=take_snapshot(game), runtime=runtime)
    look(again, "Ann", "Ben")
    done(game.strike(game.n, "no", game.now))
    look(game, "Ann", "Ben")
    assert game.view("Ann")["things"]["#2"]["asked"] == 0
    again.runtime.close()
    game.runtime.close()


@pytest.mark.parametrize("edition", ["original", "mail", "ii", "iv"])
def test_games_of_the_editions_look_as_they_would(edition, at_hand):
    """Every seventh entry, so that several happen between two looks."""
    played, _ = play_weeks(edition, players=3, weeks=1, seed=4, policy="mixed")
    viewers = ("Ann", "Ben", "visitor", "admin")

    def watch(game, line):
        if line["n"] % 7 == 0:
            look(game, viewers[line["n"] // 7 % 4])

    replay(played.journal, "cpython", watch=watch)
    assert sum(map(len, at_hand)) > 5
