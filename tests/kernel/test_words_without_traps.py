"""Words of the language that used to be traps: winning, what has gone, what is made, questions, numbers of all rules."""

import minigames
import pytest
from minigames import CHANGING, done, rule

from nomopoly.runtime.host import Game, load_game, replay, take_snapshot

FLAGS = rule(
    "1.1",
    """
kind("flag", prefix="flag-")
attribute("flag", "owner", None, type="thing")
attribute("flag", "color", "red")
attribute("flag", "size", 1)
attribute("player", "money", 10)


@action("plant", color=words("Color", optional=True))
def plant(e):
    flag = create("flag", owner=e.who, **({"color": e.color} if e.color else {}))
    fact("planted", flag=flag, color=flag.color, size=flag.size)


@action("take", flag=choose("flag"))
def take(e):
    destroy(e.flag)
""",
)


@pytest.fixture(params=minigames.RUNTIMES)
def make(request):
    """Opens small games in one interpreter and then in the other; at the end each is computed anew and must be the same."""
    opened: list[Game] = []

    def opener(*rules: dict) -> Game:
        opened.append(minigames.small_game(CHANGING, *rules, runtime=request.param))
        return opened[-1]

    yield opener
    for game in opened:
        copies = [
            replay(game.journal, game.runtime.name, game.secret),
            load_game(game.journal, runtime=game.runtime.name, snapshot=take_snapshot(game)),
        ]
        assert {copy.state_hash() for copy in copies} == {game.state_hash()}
        for each in (game, *copies):
            each.runtime.close()


def plant(game: Game, by: str = "Ann", **args):
    return game.order(by, "plant", args, game.now)


# ---- what has gone


@pytest.mark.parametrize("by_event", [False, True])
def test_what_follows_a_destruction_sees_what_went(make, by_event):
    """`@after` of what took a thing away reads its last attributes; the thing does not exist any more."""
    event = "destroy-flag" if by_event else "take"
    declared = "event('destroy-flag', 'went', flag='flag')\n\n\n" if by_event else ""
    effect = "@on('destroy-flag')\ndef g(e):\n    destroy(e.flag)\n\n\n" if by_event else ""
    game = make(
        FLAGS,
        rule(
            "1.2",
            f"{declared}{effect}@after('{event}')\ndef f(e):\n"
            "    if e.flag.color == 'blue':\n"
            "        put(e.flag.owner, 'money', 50)\n"
            "        fact('mourned', flag=e.flag, there=exists(e.flag))",
        ),
    )
    done(plant(game, color="blue"))
    outcome = done(game.order("Ben", "take", {"flag": "flag-1"}, game.now))
    assert game.value("money", "Ann") == 50
    mourned = [fact for fact in outcome.facts if fact["what"] == "mourned"]
    assert [(fact["flag"], fact["there"]) for fact in mourned] == [("flag-1", False)]


def test_what_has_gone_is_written_no_more_and_forgotten_with_the_entry(make):
    game = make(
        FLAGS,
        rule(
            "1.2",
            "attribute('player', 'lost', None, type='thing')\n\n\n"
            "@after('take')\ndef f(e):\n    put(find('Ben'), 'money', e.flag.size)\n\n\n"
            "@action('dye', flag=words())\ndef g(e):\n    flag = thing(e.flag)\n    destroy(flag)\n    put(flag, 'color', 'blue')\n\n\n"
            "@action('again', flag=words())\ndef h(e):\n    flag = thing(e.flag)\n    destroy(flag)\n"
            "    other = create('flag', id=e.flag)\n    fact('again', color=other.color, same=other is flag)",
        ),
    )
    done(plant(game, color="blue"))
    assert "no longer exists" in game.order("Ann", "dye", {"flag": "flag-1"}, game.now).fault["message"]
    assert game.value("color", "flag-1") == "blue"
    again = done(game.order("Ann", "again", {"flag": "flag-1"}, game.now))
    assert again.facts[-1]["color"] == "red", "a new thing of an old name has its defaults"
    done(game.order("Ann", "take", {"flag": "flag-1"}, game.now))
    assert game.value("money", "Ben") == 1


# ---- what is made


def test_rules_hear_that_a_thing_is_made(make):
    game = make(
        FLAGS,
        rule("1.2", "@after('create-flag')\ndef f(e):\n    fact('hoisted', flag=e.flag, by=e.owner, same=e.thing is e.flag)"),
        rule("1.3", "@after('create')\ndef f(e):\n    fact('made', kind=e.kind, thing=e.thing)"),
    )
    outcome = done(plant(game))
    assert [fact["what"] for fact in outcome.facts] == ["hoisted", "made", "planted"]
    assert outcome.facts[0] | {"flag": "flag-1", "by": "Ann", "same": True} == outcome.facts[0]
    assert outcome.facts[1] | {"kind": "flag", "thing": "flag-1"} == outcome.facts[1]


def test_rules_refuse_that_a_thing_is_made(make):
    game = make(FLAGS, rule("1.2", "@check('create-flag')\ndef f(e):\n    if e.color == 'black':\n        return 'no black flags'"))
    assert plant(game, color="black").refused == "no black flags"
    done(plant(game, color="blue"))
    done(plant(game))
    assert game.value("color", "flag-2") == "red", "and what is not given has its default"


def test_rules_bend_what_is_made(make):
    game = make(
        FLAGS,
        rule("1.2", "@instead('create-flag')\ndef f(e):\n    if e.color == 'white':\n        return e.but(color='grey', size=5)"),
    )
    assert done(plant(game, color="white")).facts[-1] | {"color": "grey", "size": 5} == game.facts("admin")[-1]["facts"][-1]
    done(plant(game, color="blue"))
    assert game.value("size", "flag-2") == 1


def test_another_event_in_place_of_what_is_made_and_none(make):
    game = make(
        FLAGS,
        rule(
            "1.2",
            "kind('stone')\nattribute('stone', 'color', '')\nattribute('stone', 'size', 2)\n"
            "event('lay', owner='player')\n\n\n@on('lay')\ndef lay(e):\n    return create('stone', color='grey')\n\n\n"
            "@instead('create-flag')\ndef f(e):\n    if e.color == 'stone':\n        return e.to('lay', owner=e.owner)\n"
            "    if e.color == 'none':\n        return False",
        ),
    )
    assert done(plant(game, color="stone")).facts[-1]["flag"] == "stone-1"
    assert "prevents that a flag is made" in plant(game, color="none").refused


def test_nobody_waits_so_nothing_happens(make):
    """Without a rule that waits for it, no event happens when a thing is made."""
    game = make(FLAGS)
    assert [fact["what"] for fact in done(plant(game)).facts] == ["planted"]
    assert not game.runtime.call("view", {"viewer": "admin"})["things"]["flag-1"].get("given")
    done(minigames.change(game, {"enact": "1.9", "text": "T", "code": "@after('create-flag')\ndef f(e):\n    fact('heard')"}))
    assert [fact["what"] for fact in done(plant(game)).facts] == ["heard", "planted"]
    done(minigames.change(game, {"repeal": "1.9"}))
    assert [fact["what"] for fact in done(plant(game)).facts] == ["planted"]


def test_an_event_that_rules_call_so_stays_theirs(make):
    game = make(
        FLAGS,
        rule("1.2", "event('create-flag', 'sewn', flag='')\n\n\n@after('create-flag')\ndef f(e):\n    fact('heard')"),
        rule("1.3", "@after('create')\ndef f(e):\n    fact('made', thing=e.thing)"),
    )
    assert [fact["what"] for fact in done(plant(game)).facts] == ["made", "planted"]


def test_a_wrong_attribute_is_named(make):
    game = make(FLAGS, rule("1.2", "@after('create')\ndef f(e):\n    pass\n\n\n@action('bad')\ndef g(e):\n    create('flag', colour='red')"))
    assert "a flag has no attribute 'colour'" in game.order("Ann", "bad", {}, game.now).fault["message"]
