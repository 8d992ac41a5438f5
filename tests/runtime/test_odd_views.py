"""What an old game keeps of the wrong sort is shown as words: at the one door, `view`, and in the log."""

import pytest
from minigames import RUNTIMES, rule, small_game

from nomopoly.runtime.host import load_game, take_snapshot
from nomopoly.runtime.log import readable

BOOK = rule(
    "1.1",
    """
kind("square", prefix="#", numbered="number")
attribute("square", "number", 0)
attribute("square", "owner", type="thing")
attribute("square", "until", moment="game")
attribute("square", "rent", 5, type="money")
attribute("square", "open", False)
attribute("square", "queue", (), type="thing")
attribute("square", "title", 7)
attribute("square", "parties")
attribute("square", "remark")
event("open")


@on("open")
def begin(e):
    create("square", number=1)


@value("sum_of", of="square", label="Sum")
def sum_of(square):
    return (square.rent, chance, {"a": [begin]})


@marker("square")
def mark(square):
    return (square.remark, square.owner)
""",
)
KEPT = [
    ("owner", "x", "x"),
    ("owner", 5, "5"),
    ("owner", {"tuple": [{"thing": "Ann"}, 3]}, "Ann 3"),
    ("until", 10**17, "100000000000000000"),
    ("until", -5, "-5"),
    ("until", "soon", "soon"),
    ("rent", "much\r\x00\u202e", "much   "),
    ("rent", True, "yes"),
    ("rent", {"thing": "Ann"}, "Ann"),
    ("open", 1, "1"),
    ("queue", "x", "x"),
    ("queue", {"tuple": ["x", {"thing": "Ann"}]}, ["x", "Ann"]),
    ("title", 8, "8"),  # every page reads a title as a word
    ("title", "as it should be", "as it should be"),
    ("parties", 5, ["5"]),  # and parties as several
    (
        "parties",
        {"tuple": [{"tuple": [{"thing": "Ann"}]}, {"thing": "Ben"}]},
        ["something that cannot be shown", "Ben"],
    ),
    ("remark", {"tuple": [1, {"tuple": []}]}, [1, []]),
    ("remark", None, None),
]


@pytest.mark.parametrize(("name", "kept", "shown"), KEPT, ids=[f"{name} {kept}"[:40] for name, kept, _ in KEPT])
def test_a_value_of_another_sort_is_shown_as_words(name, kept, shown):
    game = small_game(BOOK)
    snapshot = take_snapshot(game)
    next(thing for thing in snapshot["state"]["things"] if thing[0] == "#1")[2][name] = kept
    again = load_game(game.journal, runtime="cpython", snapshot=snapshot)
    for viewer in ("visitor", "Ann", "admin"):
        view = again.view(viewer)
        assert view["things"]["#1"][name] == shown
        assert view["things"]["#1"]["sum_of"][1] == "something that cannot be shown"
        assert all(isinstance(each["label"], str) and isinstance(each["symbol"], str) for each in view["markers"])
    assert again.numbers()["Ann"]


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_both_interpreters_show_the_same(runtime):
    code = (
        BOOK["code"]
        + '\n\nattribute("square", "odd", {}, label=5, show=("all", 7))\nattribute("square", "odder", chance)\n'
    )
    code += 'calendar("never", weekday=9)\nevent("odd-event", say=5)\nrow("sale", "odd", price=5, name=chance)\n'
    code += (
        '\n\n@action("odd-act", 5, o=one_of((1, (2,), chance, "x" * 500), 6), n=number(least="x"))\ndef '
        "odd_act(e):\n    pass\n"
    )
    game = small_game({**BOOK, "code": code}, runtime=runtime)
    things = game.view("visitor")["things"]
    assert things["#1"]["odder"] == "something that cannot be shown"
    assert {each["name"]: each["label"] for each in game.view("visitor")["schema"]["square"]}["odd"] == "5"
    described = game.describe()
    assert described["calendar"] == []
    assert described["events"]["odd-event"]["say"] == "5"
    assert [each["name"] for each in described["prices"]] == ["something that cannot be shown"]
    act = next(each for each in game.actions("Ann") if each["id"] == "odd-act")
    assert act["label"] == "5"
    choices, number = act["fields"]
    assert [each["label"][:10] for each in choices["choices"]] == ["1", "2", "something ", "x" * 10]
    assert max(len(each["label"]) for each in choices["choices"]) == 200
    assert number["least"] is None
    game.runtime.close()


FACTS = [
    (
        {"what": 5, "event": None, "rule": ["x"], "depth": "deep"},
        {"what": "5", "event": "", "rule": "['x']", "depth": 0},
    ),
    ({"what": "told", "text": 5, "only": "Ann"}, {"what": "told", "text": "5", "only": ["Ann"], "event": ""}),
    ({"what": "x", "event": "e", "dice": 5, "say": {}}, {"what": "x", "event": "e", "dice": 5, "say": ""}),
    (
        {"what": "x", "event": "e", "dice": [5], "only": ["Ann"]},
        {"what": "x", "event": "e", "dice": [5], "only": ["Ann"]},
    ),
]


@pytest.mark.parametrize(("fact", "shown"), FACTS, ids=range(len(FACTS)))
def test_the_log_reads_what_older_versions_have_let_through(fact, shown):
    assert readable(fact) == shown


ODD_DECLARATIONS = [
    "attribute('player', 'x', (1, ('a', 2)))",
    "attribute('player', 'x', 1e999)",
    "row('sort', 'a', price={1: 2})\ncatalogue('sort')",
    "row('sort', 'a', price=(1, (2, 3)))\ncatalogue('sort')",
    "@action('a', 'A', n=number('N', default=1e999))\ndef a(e):\n    pass",
    "@action('a', {1: 2}, n=one_of(({1: 2}, (1, 2))))\ndef a(e):\n    pass",
]


@pytest.mark.parametrize("code", ODD_DECLARATIONS)
def test_what_is_declared_comes_out_of_the_sandbox_as_it_is(code):
    """It comes as text, which knows neither tuples nor keys that are numbers."""
    said = []
    for runtime in RUNTIMES:
        game = small_game(rule("1.1", code), runtime=runtime)
        said.append(repr(game.runtime.call("describe")))
        game.runtime.close()
    assert said[0] == said[1]
