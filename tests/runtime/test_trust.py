"""What is known of programs before they run: which can write to things by the verbs alone, and what follows from
that."""

import pytest
from minigames import CHANGING, RUNTIMES, START, change, done, rule, small_game

from nomopoly.runtime.host import load_game, take_snapshot
from nomopoly.runtime.trust import by_the_verbs
from nomopoly.runtime.verify import verify

ROUND = [
    "e.who.money = 99",
    "e.who.money += 1",
    "e.who.money: int = 1",
    "del e.who.money",
    "(e.who.money, x) = 1, 2",
    "for e.who.money in (1, 2): pass",
    "x = [1 for e.who.money in (1, 2)]",
    "with x as e.who.money: pass",
    "setattr(e.who, 'money', 99)",
    "write = setattr\nwrite(e.who, 'money', 99)",
    "list(map(delattr, [e.who], ['money']))",
    "e.who.__dict__['money'] = 99",
    "vars(e.who)['money'] = 99",
    "type(e.who).__setattr__(e.who, 'money', 99)",
    "object.__setattr__(e.who, 'money', 99)",
    "getattr(e.who, '__setattr' + '__')('money', 99)",
    "exec('e.who.money = 99')",
    "eval('put')",
    "__builtins__['setattr'](e.who, 'money', 99)",
    "globals()['world'].store.clear()",
    "put.__globals__['world'].store.clear()",
    "import operator\noperator.setitem({}, 1, 2)",
    "from builtins import setattr as write\nwrite(e.who, 'money', 99)",
    "global put\nput = None",
    "try:\n    refuse('no')\nexcept Exception:\n    pass",
    "class Writer:\n    pass",
    "x = (yield)",
    "f'{e.who}'.format_map(e)",
    "programs.stations.clear()",
    "this is no program",
    "(" * 5000 + ")" * 5000,
]
STRAIGHT = [
    "",
    "put(e.who, 'money', e.who.money + 1)",
    "id = e.who.id\nnames = {id: e.who.money}\nnames[id] += 1",
    "for who in every('player'):\n    do('gain', who=who, amount=5)",
    "setting = 'setattr(x)'\nfact('said', text=setting)",
    "x, *rest = [n for n in range(5) if n % 2]\nrest.append(x)",
]
RAISING = rule(
    "2.1",
    """
attribute("player", "marks", 0)

@action("mark")
def mark(e):
    put(e.who, "marks", e.who.marks + 1)
""",
)
FORGING = rule(
    "2.2",
    """
@action("forge")
def forge(e):
    e.who.marks = 99
""",
)
FORGING_AT_ONCE = """
for thing("Ann").marks in (7, 8):
    pass
"""


@pytest.mark.parametrize("program", ROUND)
def test_a_way_past_the_verbs_is_seen(program):
    assert not by_the_verbs(program)


@pytest.mark.parametrize("program", STRAIGHT)
def test_what_writes_by_the_verbs_alone_is_known(program):
    assert by_the_verbs(program)


def count_searches(game) -> list[int]:
    """A list that grows by one whenever all things are searched."""
    names, found = game.runtime._names, []
    search = names["audit"]

    def counting():
        found.append(1)
        return search()

    names["audit"] = counting
    return found


def test_things_are_searched_only_where_a_program_could_write_past_the_verbs():
    game = small_game(CHANGING, RAISING)
    searches = count_searches(game)
    done(game.order("Ann", "mark", {}, START))
    assert (game.fold.trusted, game.fold.vouched, len(searches)) == (False, True, 0)

    done(
        change(
            game, {"enact": "2.4", "title": "More", "text": "More.", "code": RAISING["code"].replace("mark", "more")}
        )
    )
    assert len(searches) == 1, "what an entry brings has run before anybody could look at it"
    done(game.order("Ann", "mark", {}, START))
    done(game.order("Ann", "more", {}, START))
    assert (game.fold.vouched, len(searches)) == (True, 1)

    done(change(game, run="put(thing('Ann'), 'marks', 0)"))
    assert len(searches) == 2, "nor at a program that runs once"

    done(change(game, {"enact": "2.2", "title": "Forging", "text": "Forged.", "code": FORGING["code"]}))
    done(game.order("Ann", "mark", {}, START))
    assert (game.fold.vouched, len(searches)) == (False, 4)

    done(change(game, {"repeal": "2.2"}))
    done(game.order("Ann", "mark", {}, START))
    assert len(searches) == 6, "a timer may have kept the program"


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_a_write_past_the_verbs_is_found_as_soon_as_it_can_happen(runtime):
    game = small_game(CHANGING, RAISING, runtime=runtime)
    undone = change(game, {"enact": "2.5", "title": "F", "text": "F.", "code": FORGING_AT_ONCE + "refuse('and back')"})
    assert undone.fault is not None
    assert game.value("marks", "Ann") == 0
    run = change(game, run="thing('Ann').marks = 5")
    assert run.fault is not None
    assert "past the verbs" in run.fault["message"]

    done(change(game, {"enact": "2.2", "title": "Forging", "text": "Forged.", "code": FORGING["code"]}))
    forged = game.order("Ann", "forge", {}, START)
    assert forged.fault is not None
    assert "past the verbs" in forged.fault["message"]
    done(game.order("Ben", "mark", {}, START))

    # the same where entries are carried out many at a time, and after a snapshot
    for each in RUNTIMES:
        assert verify(game.journal.lines(), each).state == game.state()
    again = load_game(game.journal, runtime=runtime, snapshot=take_snapshot(game))
    assert not again.fold.vouched
    assert again.order("Ann", "forge", {}, START).fault is not None
    for each in (game, again):
        each.runtime.close()


def test_a_snapshot_without_a_word_on_that_is_searched():
    game = small_game(CHANGING, RAISING)
    snapshot = take_snapshot(game)
    assert snapshot.pop("vouched") is True
    assert load_game(game.journal, runtime="cpython", snapshot=snapshot).fold.vouched is False
