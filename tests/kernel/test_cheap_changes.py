"""A change of the rulebook touches what it concerns: keys are kept, things of other kinds are left alone."""

from minigames import START, rule, small_game

from nomopoly.kernel import precedence

FARM = rule(
    "1.1",
    """
kind("cow")
attribute("cow", "milk", 3)
attribute("player", "hay", 1)
event("open")

@on("open")
def begin(e):
    create("cow")
    create("cow")
""",
)
PRICE = rule("2.1", "attribute('player', 'price', rule.price)", price=5)
GONE = rule("3.1", "attribute('cow', 'bell', 7)\nattribute('player', 'hat', 2)")
ABSENT = rule("4.1", "absent('cow', 9, 'bell')\nabsent('player', 8, 'hat')")


def dressed(game, changes, monkeypatch):
    """The things that are given their attributes anew when this is done to the rulebook."""
    names, found = game.runtime._names, []
    really = names["dress"]
    with monkeypatch.context() as patch:
        patch.setitem(names, "dress", lambda thing, *names: (found.append(thing.id), really(thing, *names)))
        names["begin_entry"]({"n": game.n + 1, "at": START, "kind": "admin", "do": "", "entropy": "00" * 32})
        names["change_rulebook"](changes)
        names["end_entry"](None)
    return [id for id in found if id in names["world"].things]


def test_only_things_whose_attributes_are_others_are_dressed_anew(monkeypatch):
    game = small_game(FARM, PRICE)
    assert dressed(game, [{"amend": "2.1", "params": {"price": 6}}], monkeypatch) == ["Ann", "Ben"]
    assert game.value("price", "Ann") == 6
    assert dressed(game, [{"amend": "2.1", "text": "The price."}], monkeypatch) == []
    assert sorted(dressed(game, [{"enact": "2.2", "code": "attribute('cow', 'spots', 4)"}], monkeypatch)) == [
        "cow-1",
        "cow-2",
    ]
    assert game.value("spots", "cow-2") == 4


def test_what_is_absent_reads_as_the_rules_say_at_once(monkeypatch):
    game = small_game(FARM, GONE, ABSENT)
    assert (game.value("bell", "cow-1"), game.value("hat", "Ann")) == (7, 2)
    dressed(game, [{"repeal": "3.1"}], monkeypatch)
    names = game.runtime._names
    assert (names["world"].things["cow-1"].bell, names["world"].things["Ann"].hat) == (9, 8)
    dressed(game, [{"amend": "4.1", "code": "absent('cow', 10, 'bell')\nabsent('player', 8, 'hat')"}], monkeypatch)
    assert (names["world"].things["cow-1"].bell, names["world"].things["Ann"].hat) == (10, 8)


def test_keys_of_numbers_are_kept_but_not_for_ever(monkeypatch):
    monkeypatch.setattr(precedence, "MOST_KEYS", 10)
    ids = [f"{n % 7}.{n}/{n * n}" for n in range(100)]
    keys = [precedence.number_key(id) for id in ids]
    assert len(precedence.KEYS) <= 11
    precedence.KEYS.clear()
    assert [precedence.number_key(id) for id in reversed(ids)][::-1] == keys
    assert precedence.number_key(ids[-1]) is precedence.number_key(ids[-1])
