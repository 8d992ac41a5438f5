"""Words of the language that used to be traps: winning, what has gone, what is made, questions, numbers of all
rules."""

import minigames
import pytest
from minigames import CHANGING, done, rule

from nomopoly.rulebook.source import load_edition
from nomopoly.runtime.host import Game, load_game, open_game, replay, take_snapshot

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
    """Opens small games in one interpreter and then in the other; at the end each is computed anew and must be the
    same."""
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
            "@action('dye', flag=words())\ndef g(e):\n    flag = thing(e.flag)\n    destroy(flag)\n    put(flag, "
            "'color', 'blue')\n\n\n"
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
        rule(
            "1.2",
            "@after('create-flag')\ndef f(e):\n    fact('hoisted', flag=e.flag, by=e.owner, same=e.thing is e.flag)",
        ),
        rule("1.3", "@after('create')\ndef f(e):\n    fact('made', kind=e.kind, thing=e.thing)"),
    )
    outcome = done(plant(game))
    assert [fact["what"] for fact in outcome.facts] == ["hoisted", "made", "planted"]
    assert outcome.facts[0] | {"flag": "flag-1", "by": "Ann", "same": True} == outcome.facts[0]
    assert outcome.facts[1] | {"kind": "flag", "thing": "flag-1"} == outcome.facts[1]


def test_rules_refuse_that_a_thing_is_made(make):
    game = make(
        FLAGS,
        rule("1.2", "@check('create-flag')\ndef f(e):\n    if e.color == 'black':\n        return 'no black flags'"),
    )
    assert plant(game, color="black").refused == "no black flags"
    done(plant(game, color="blue"))
    done(plant(game))
    assert game.value("color", "flag-2") == "red", "and what is not given has its default"


def test_rules_bend_what_is_made(make):
    game = make(
        FLAGS,
        rule(
            "1.2",
            "@instead('create-flag')\ndef f(e):\n    if e.color == 'white':\n        return "
            "e.but(color='grey', size=5)",
        ),
    )
    assert (
        done(plant(game, color="white")).facts[-1] | {"color": "grey", "size": 5}
        == game.facts("admin")[-1]["facts"][-1]
    )
    done(plant(game, color="blue"))
    assert game.value("size", "flag-2") == 1


def test_another_event_in_place_of_what_is_made_and_none(make):
    game = make(
        FLAGS,
        rule(
            "1.2",
            "kind('stone')\nattribute('stone', 'color', '')\nattribute('stone', 'size', 2)\n"
            "event('lay', owner='player')\n\n\n@on('lay')\ndef lay(e):\n    return create('stone', color='grey')\n\n\n"
            "@instead('create-flag')\ndef f(e):\n    if e.color == 'stone':\n        return e.to('lay', "
            "owner=e.owner)\n"
            "    if e.color == 'none':\n        return False",
        ),
    )
    assert done(plant(game, color="stone")).facts[-1]["flag"] == "stone-1"
    assert "prevents that a flag is made" in plant(game, color="none").refused


def test_nobody_waits_so_nothing_happens(make):
    """Without a rule that waits for it, no event happens when a thing is made."""
    game = make(FLAGS)
    assert [fact["what"] for fact in done(plant(game)).facts] == ["planted"]
    assert not game.view("admin")["things"]["flag-1"].get("given")
    done(
        minigames.change(
            game, {"enact": "1.9", "text": "T", "code": "@after('create-flag')\ndef f(e):\n    fact('heard')"}
        )
    )
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
    game = make(
        FLAGS,
        rule(
            "1.2",
            "@after('create')\ndef f(e):\n    pass\n\n\n@action('bad')\ndef g(e):\n    create('flag', colour='red')",
        ),
    )
    assert "a flag has no attribute 'colour'" in game.order("Ann", "bad", {}, game.now).fault["message"]


# ---- winning


CROWN = rule(
    "99.1",
    """
@action("crown", by="admin", how=words())
def crown(e):
    first = players()[0]
    if e.how == "win":
        win(first)
    elif e.how == "because":
        win(first, "all hail")
        win(players()[1])
    else:
        do("win", who=first)
""",
)


@pytest.mark.parametrize("how", ["win", "because", "event"])
@pytest.mark.parametrize("edition", ["original", "mail", "ii", "iv"])
def test_who_wins_is_named_and_the_game_is_over(make_edition, edition, how):
    """Whether a rule says `win(player)` or makes the event `win` happen: nobody wins a game that goes on."""
    game = make_edition(edition, CROWN)
    outcome = done(game.admin("crown", {"how": how}, game.now))
    told = [fact for fact in outcome.facts if fact["what"] in ("won", "ended")]
    assert sorted(fact["what"] for fact in told) == ["ended", "won"], "each is told once"
    because = next(fact["because"] for fact in told if fact["what"] == "ended")
    assert because == ("all hail" if how == "because" else "Ann has won")
    assert game.over()
    assert game.value("winner", "game") == "Ann"
    assert "the game is over" in game.order("Ben", "propose", {"title": "T", "text": "T"}, game.now).refused


@pytest.fixture(params=minigames.RUNTIMES)
def make_edition(request):
    """Opens games of a shipped edition with more rules in it."""
    opened: list[Game] = []

    def opener(edition: str, *rules: dict) -> Game:
        book = load_edition(edition)
        book = type(book)(book.edition, book.title, [*book.records, *rules], book.commons)
        game = open_game(
            book, title="T", game_id="t", runtime=request.param, at=minigames.START, secret=minigames.SECRET
        )
        opened.append(game)
        game.checks = False
        return minigames.with_players(game, ("Ann", "Ben"))

    yield opener
    for game in opened:
        game.runtime.close()


# ---- forms


def test_a_form_without_a_kind_is_held_to_its_choices(make):
    """`choose("", choices=...)` takes what it offers; without choices it takes any thing, with a kind any of that
    kind."""
    game = make(
        FLAGS,
        rule(
            "1.2",
            "@action('salute', to=choose('', 'To', choices=lambda who: [each for each in every('flag') if each.owner "
            "is who]))\n"
            "def f(e):\n    fact('saluted', to=e.to)\n\n\n"
            "@action('look', at=choose('', 'At'))\ndef g(e):\n    fact('looked', at=e.at)",
        ),
    )
    done(plant(game, by="Ann"))
    done(plant(game, by="Ben"))
    assert done(game.order("Ann", "salute", {"to": "flag-1"}, game.now)).facts[0]["to"] == "flag-1"
    assert game.order("Ann", "salute", {"to": "flag-2"}, game.now).refused == "to: flag-2 cannot be chosen here"
    assert "cannot be chosen" in game.order("Ann", "salute", {"to": "Ben"}, game.now).refused
    assert done(game.order("Ann", "look", {"at": "Ben"}, game.now)).facts[0]["at"] == "Ben"


def test_a_form_asks_for_a_date_in_the_time_zone_of_the_game(make):
    game = make(
        rule(
            "1.1",
            "attribute('player', 'until', None, moment='game')\n\n\n"
            "@action('lend', until=moment('Until'))\ndef f(e):\n"
            "    if e.until <= now():\n        refuse('that is over')\n    put(e.who, 'until', e.until)",
        )
    )
    game.time_zone = "Europe/Berlin"
    done(game.order("Ann", "lend", {"until": "2026-03-05T18:00"}, game.now))
    assert game.value("until", "Ann") == 1772730000, "18:00 in Berlin is 17:00 UTC"
    done(game.order("Ann", "lend", {"until": "2026-07-05"}, game.now))
    assert game.value("until", "Ann") == 1783202400, "in summer, midnight in Berlin is 22:00 UTC"
    done(game.order("Ann", "lend", {"until": "2026-03-05T18:00:30Z"}, game.now))
    assert game.value("until", "Ann") == 1772733630
    done(game.order("Ann", "lend", {"until": 1772733600}, game.now))
    assert game.order("Ann", "lend", {"until": "2026-03-01T18:00"}, game.now).refused == "that is over"
    assert game.order("Ann", "lend", {}, game.now).refused == "until is missing"
    for odd in ("soon", "2026-13-01", True, -1, 10**12, [1]):
        assert "until must be" in game.order("Ann", "lend", {"until": odd}, game.now).refused
    assert game.preview("Ann", "lend", {"until": "2026-03-05T18:00"}, game.now).ok
    (lend,) = [each for each in game.actions("Ann") if each["id"] == "lend"]
    assert lend["possible"]
    assert lend["fields"][0] | {"type": "moment", "zone": "Europe/Berlin", "default": None} == lend["fields"][0]


def test_a_date_may_have_a_default(make):
    game = make(
        rule(
            "1.1",
            "@action('lend', until=moment('Until', default=lambda who: now() + days(1)))\ndef f(e):\n    "
            "fact('lent', until=e.until)",
        )
    )
    assert done(game.order("Ann", "lend", {}, game.now)).facts[0]["until"] == game.now + 86400
    (lend,) = [each for each in game.actions("Ann") if each["id"] == "lend"]
    assert lend["fields"][0]["default"] == "2026-03-03T09:00"


# ---- private orders


BRIBES = """
event("bribe-paid", "bribed", say="{{who}} bribes {{to}}", who="player", to="player")


@action("bribe", private={private}, to=choose("player"))
def bribe(e):
    do("bribe-paid", who=e.who, to=e.to)
    tell(e.to, "You have money.")
"""


@pytest.mark.parametrize(
    ("private", "seen"),
    [
        ("True", False),
        ("'order'", True),
        ("False", True),
        ("lambda fields: True", False),
        ("lambda fields: 'order'", True),
    ],
)
def test_what_comes_of_a_private_order_is_for_those_it_names(make, private, seen):
    """`private=True` hides the order and its payments from others; `private="order"` the order alone."""
    game = minigames.with_players(make(rule("1.1", BRIBES.format(private=private))), ("Cid",))
    done(game.order("Ann", "bribe", {"to": "Ben"}, game.now))
    for viewer, facts in {"Ann": ["bribed"], "Ben": ["bribed", "told"], "Cid": ["bribed"] if seen else []}.items():
        log = [fact["what"] for entry in game.facts(viewer)[-1:] for fact in entry["facts"] if entry["n"] == game.n]
        assert log == facts, viewer


# ---- questions


def test_a_question_is_withdrawn(make_edition):
    asks = """
event("answered", answers="")


@action("put", by="admin")
def put_it(e):
    ask(players()[0], "Well?", ("yes", "no"), then="answered", default="no", by=now() + hours(1))


@action("take-back", by="admin")
def take_it_back(e):
    for question in every("question"):
        withdraw_question(question)


@on("answered")
def answered(e):
    fact("heard", answers=e.answers)
"""
    game = make_edition("iv", rule("99.1", asks))
    done(game.admin("put", {}, game.now))
    assert "question-1" in game.runtime.call("ids")["things"]
    done(game.admin("take-back", {}, game.now))
    assert (
        "no longer exists" in game.order("Ann", "answer", {"question": "question-1", "answer": "yes"}, game.now).refused
    )
    for outcome in game.run_due(game.now + 7200):
        assert not [fact for fact in outcome.facts if fact["what"] == "heard"]


# ---- fields that have another name


ANSWERS = rule(
    "1.2",
    """
attribute("player", "words", "")


@action("reply", also=(("choice", "words"),), words=words("Words", optional=True))
def reply(e):
    put(e.who, "words", e.words or "nothing")
""",
)


@pytest.mark.parametrize("also", ['(("choice", "words"),)', '{"choice": "words"}'])
def test_an_order_may_name_a_field_by_its_other_name(make, also):
    game = make(ANSWERS | {"code": ANSWERS["code"].replace('(("choice", "words"),)', also)})
    assert [each["also"] for each in game.actions("Ann", game.now, only=["reply"])] == [{"choice": "words"}]
    for args in ({"words": "one"}, {"choice": "two"}):
        done(game.order("Ann", "reply", args, game.now))
        assert game.view("Ann", game.now)["things"]["Ann"]["words"] == next(iter(args.values()))
    both = game.order("Ann", "reply", {"words": "one", "choice": "two"}, game.now)
    assert both.refused == "'choice' is 'words' by another name: say it once"
    assert "takes no 'answer'; it takes words" in game.order("Ann", "reply", {"answer": "three"}, game.now).refused
