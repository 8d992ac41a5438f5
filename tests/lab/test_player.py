"""How bots find an order: in one call beside the kernel, and nothing is tried that is known to fail."""

import ast

import minigames
import pytest
from minigames import rule

from nomopoly.lab.bots import Bot
from nomopoly.lab.inside import PLAYING, inside, let_play
from nomopoly.runtime.interpreters.text import kernel_source

INSIDE = (*PLAYING, "ahead")
LACKING = (ast.Yield, ast.YieldFrom, ast.Await, ast.Delete, ast.Global, ast.Nonlocal, ast.Set, ast.SetComp, ast.With)
DOOR = """
attribute("player", "tries", 0)
attribute("player", "asked", 0)
attribute("game", "open", False)
kind("door")


@after("join")
def doors(e):
    for n in range(30):
        create("door", id=f"door-{n}")


@check("knock")
def closed(e):
    if not every("game")[0].open:
        return "closed"


@action("knock", "Knock", door=choose("door", choices=lambda who: every("door")))
def knock(e):
    put(e.who, "tries", e.who.tries + 1)


@check("pair")
def other(e):
    if e.one is every("door")[0]:
        return "not that one"
    if e.two is e.one:
        return "two different ones"


@action("pair", "Pair", one=choose("door", choices=lambda who: every("door")[:2]), two=choose("door", choices=lambda who: every("door")[:2]))
def pair(e):
    put(e.who, "asked", e.who.asked + 1)
"""


def names(text):
    found = []
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.append(node.name)
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        found += [target.id for target in targets if isinstance(target, ast.Name)]
    return found


def test_no_name_of_a_program_of_the_lab_takes_the_place_of_one_of_the_kernel():
    known = set(names(kernel_source()))
    for module in INSIDE:
        own = set(names(inside(module)))
        assert own
        assert not own & known
        known |= own


@pytest.mark.parametrize("module", INSIDE)
def test_programs_of_the_lab_keep_to_the_dialect(module):
    tree = ast.parse(inside(module))
    assert not [node.lineno for node in ast.walk(tree) if isinstance(node, LACKING)]
    brought = [name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names]
    assert set(brought) <= {"hashlib", "json"}


@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
def test_a_refusal_that_hangs_on_no_field_is_found_by_one_question(runtime):
    game = minigames.small_game(rule("1.1", DOOR), players=("Ann",), runtime=runtime)
    bot = Bot("Ann", avoids=("pair",))
    assert bot.find(game, minigames.START)["order"] is None
    game.admin("grant", {"thing": "game", "attribute": "open", "value": True}, minigames.START)
    name, said = bot.find(game, minigames.START)["order"]
    assert name == "knock"
    assert said["door"].startswith("door-")
    game.runtime.close()


@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
def test_fields_are_chosen_from_what_passed(runtime):
    game = minigames.small_game(rule("1.1", DOOR), players=("Ann",), runtime=runtime)
    found = [Bot("Ann", seed=seed, avoids=("knock",)).find(game, minigames.START)["order"] for seed in range(8)]
    game.runtime.close()
    assert [[name, said] for name, said in found] == [["pair", {"one": "door-1", "two": "door-0"}]] * 8


def test_looking_for_an_order_leaves_nothing_behind():
    game = minigames.small_game(rule("1.1", DOOR), players=("Ann",))
    before = game.state()
    Bot("Ann").find(game, game.now)
    assert game.state() == before


LIKED = """
attribute("player", "said", "")


@action("shout", "Shout", word=words("Word", limit=20))
def shout(e):
    put(e.who, "said", e.word)


@action("nod", "Nod", fact="nodded", way=one_of(("once", "twice", "thrice"), "Way"))
def nod(e):
    put(e.who, "said", e.way)
"""


def test_a_bot_does_what_it_likes_and_says_what_it_was_told():
    game = minigames.small_game(rule("1.1", LIKED))
    told = Bot("Ann", likes={"shout": 1_000_000}, says={"shout:word": ["ahoy"]})
    for day in range(4):
        told.play(game, minigames.START + day * 86400, orders=1)
        assert game.value("said", "Ann") == "ahoy"
    chooses = Bot("Ben", likes={"nod": 1_000_000, "nod:way:twice": 1_000_000})
    for day in range(4):
        chooses.play(game, minigames.START + day * 86400, orders=1)
        assert game.value("said", "Ben") == "twice"
    game.runtime.close()


GATES = """
attribute("player", "asked", 0)
attribute("game", "gates", False)


@action("idle", "Do nothing")
def idle(e):
    pass

""" + "\n".join(
    f"""
@check("gate-{n}")
def shut_{n}(e):
    if not every("game")[0].gates:
        return "shut"


@action("gate-{n}", "Go through gate {n}")
def gate_{n}(e):
    put(e.who, "asked", e.who.asked + 1)
"""
    for n in range(31)
)


@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
def test_of_many_actions_those_that_cannot_be_done_rest_longer_and_longer_but_never_for_good(runtime):
    game = minigames.small_game(rule("1.1", GATES), players=("Ann",), runtime=runtime)
    bot = Bot("Ann", avoids=("idle",))
    tries = []
    for day in range(12):
        before = sum(bot.tried.values())
        bot.find(game, minigames.START + day * 86400)
        tries.append(sum(bot.tried.values()) - before)
    assert tries[0] == 24
    assert sum(tries) < 12 * 15
    assert min(sum(tries[day : day + 4]) for day in range(9)) >= 24  # each has its turn again
    assert max(days for _, days, _, _ in bot.rests.values()) == 4
    game.admin("grant", {"thing": "game", "attribute": "gates", "value": True}, game.now)
    found = [bot.find(game, minigames.START + day * 86400)["order"] for day in range(12, 17)]
    assert [order for order in found if order is not None]
    assert not [
        rest for rest in bot.rests.values() if rest[2] == "shut" and rest[1] > 1
    ]  # one shows that the reason is gone for all
    game.runtime.close()


MOVING = (
    GATES
    + """
kind("spot")
attribute("player", "at", None, type="thing")


@after("join")
def spots(e):
    create("spot")
"""
)


def test_what_a_player_strives_for_is_tried_again_where_it_has_moved_and_every_third_day():
    game = minigames.small_game(rule("1.1", MOVING), players=("Ann",))
    bot = Bot("Ann", avoids=("idle",), likes={"gate-3": 1_000_000})
    for day in range(7):
        bot.find(game, minigames.START + day * 86400)
    assert bot.tried["gate-3"] == 3
    assert bot.rests["gate-3"][1:3] == [3, "shut"]
    bot.find(game, minigames.START + 7 * 86400)
    assert bot.tried["gate-3"] == 3
    game.admin("grant", {"thing": "Ann", "attribute": "at", "value": "spot-1"}, minigames.START + 7 * 86400)
    bot.find(game, minigames.START + 7 * 86400)
    assert bot.tried["gate-3"] == 4
    game.runtime.close()


VOTING = """
attribute("game", "polls", False)
event("counted", ballots="")


@check("poll")
def closed(e):
    if not every("game")[0].polls:
        return "the polls are closed"


@action("poll", "Vote", ballot="counted", on=choose("game"), choice=one_of(("yes", "no")))
def poll(e):
    pass


@on("counted")
def count_them(e):
    pass
"""
SIX = ("Ann", "Ben", "Cid", "Dot", "Eve", "Fay")


def test_votes_that_are_refused_to_three_are_tried_by_no_others_and_on_the_next_day_by_one():
    game = minigames.small_game(rule("1.1", VOTING), players=SIX)
    let_play(game.runtime)
    names = game.runtime._names
    real, asked = names["refused_already"], []

    def counted(action, said):
        asked.append((action.name, said["who"].id))
        return real(action, said)

    names["refused_already"] = counted
    bots = [Bot(name) for name in SIX]

    def day(n):
        asked.clear()
        votes = [bot.find(game, minigames.START + n * 86400)["votes"] for bot in bots]
        return len(votes) - votes.count([]), [who for name, who in asked if name == "poll"]

    assert day(0) == (0, ["Ann", "Ben", "Cid"])
    assert day(1) == (0, ["Ann"])
    assert day(2) == (0, ["Ann", "Ben"])  # not by one and the same alone, day after day
    game.admin("grant", {"thing": "game", "attribute": "polls", "value": True}, minigames.START + 3 * 86400)
    assert day(3)[0] == 6
    game.runtime.close()


ASKING = """
attribute("player", "drinks", "")
event("pour", answers="")


@after("join")
def offer(e):
    ask(e.who, "Tea or coffee?", ("tea", "coffee"), then="pour")


@on("pour")
def pour(e):
    for who, answer in e.answers:
        put(who, "drinks", answer)
"""


@pytest.mark.parametrize("runtime", ["cpython", "monty"])
def test_a_bot_answers_what_rules_ask_it(runtime):
    game = minigames.small_game(rule("1.1", ASKING), players=("Ann", "Ben"), runtime=runtime)
    Bot("Ann").play(game, minigames.START + 86400, orders=1)
    assert game.value("drinks", "Ann") in ("tea", "coffee")
    assert game.value("drinks", "Ben") == ""
    game.runtime.close()
