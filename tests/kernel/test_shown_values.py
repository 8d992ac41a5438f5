"""Values of which not everybody sees all: a contribution with `show` counts for rules, and is left out for other
viewers."""

import minigames
import pytest
from minigames import rule

BOOK = rule(
    "0.2",
    """
attribute("player", "money", 10, type="money")
attribute("player", "purse", 5, show=("owner", "admin"))


@value("worth", of="player", label="Worth")
def worth(who):
    return who.money


@modify("worth", show=("owner", "admin"))
def hidden(who, base):
    return add(who.purse)


@modify("worth")
def doubled(who, base):
    return add(1000)


@value("fortune", of="player", label="Fortune")
def fortune(who):
    return value("worth", who) * 2


@marker("player")
def flag(who):
    return ("$", str(value("worth", who)))


@action("boast")
def boast(e):
    fact("boasted", who=e.who, worth=value("worth", e.who))
""",
)

MOODS = rule(
    "0.3",
    """
attribute("player", "mood", "", label="Mood")


@action("cheer")
def cheer(e):
    put(e.who, "mood", "merry")


@action("hush")
def hush(e):
    refuse("nobody hushes")
""",
)


@pytest.fixture(params=minigames.RUNTIMES)
def game(request):
    made = minigames.small_game(BOOK, MOODS, minigames.CHANGING, runtime=request.param)
    yield made
    made.runtime.close()


def test_others_see_a_value_without_what_is_not_shown_to_them(game):
    seen = {viewer: game.view(viewer)["things"]["Ann"] for viewer in ("Ann", "admin", "Ben", "visitor")}
    assert [seen[viewer]["worth"] for viewer in seen] == [1015, 1015, 1010, 1010]


def test_nor_do_they_by_another_value_or_a_marker(game):
    assert game.view("Ann")["things"]["Ann"]["fortune"] == 2030
    assert game.view("Ben")["things"]["Ann"]["fortune"] == 2020
    drawn = {viewer: [each["label"] for each in game.view(viewer)["markers"]] for viewer in ("Ann", "Ben", "admin")}
    assert drawn == {"Ann": ["1015", "1010"], "Ben": ["1010", "1015"], "admin": ["1015", "1015"]}


def test_rules_always_work_with_the_whole_value(game):
    game.view("Ben")
    assert game.value("worth", "Ann") == 1015
    (boast,) = game.order("Ann", "boast", {}, game.now).facts
    assert boast["worth"] == 1015


def test_a_rule_that_breaks_while_it_is_looked_at_leaves_no_blinkers_on():
    broken = rule(
        "0.3", "@value('bad', of='player', label='Bad')\ndef bad(who):\n    return 1 // (value('worth', who) - 1010)\n"
    )
    for name in minigames.RUNTIMES:
        game = minigames.small_game(BOOK, broken, runtime=name)
        assert game.view("Ben")["things"]["Ann"]["bad"] is None
        assert game.value("worth", "Ann") == 1015
        assert game.order("Ann", "boast", {}, game.now).facts[0]["worth"] == 1015
        game.runtime.close()


def test_what_is_declared_no_more_is_shown_no_more(game):
    minigames.done(game.order("Ann", "cheer", {}, game.now))
    assert game.view("Ann")["things"]["Ann"]["mood"] == "merry"
    minigames.done(minigames.change(game, {"repeal": "0.3"}))
    assert "mood" not in game.view("Ann")["things"]["Ann"]


def test_some_of_the_actions_are_described_as_all_of_them_are(game):
    everything = {each["id"]: each for each in game.actions("Ann")}
    assert {"boast", "hush"} <= set(everything)
    assert game.actions("Ann", only=("boast",)) == [everything["boast"]]
    assert game.actions("Ann", only=("hush", "boast", "nothing")) == [
        each for id, each in everything.items() if id in ("boast", "hush")
    ]
    assert game.actions("Ann", only=()) == []
    assert not everything["hush"]["possible"]


WORDY = minigames.rule(
    "0.3",
    """
@action("find", to=words("What"))
def look(e):
    thing(e.to)

""",
)


@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
def test_an_action_is_not_impossible_because_of_words_that_nobody_has_said(runtime):
    shouts = minigames.rule("0.4", "@check('find')\ndef known(e):\n    thing(e.to)\n")
    game = minigames.small_game(WORDY, shouts, runtime=runtime)
    told = {each["id"]: each for each in game.actions("Ann")}
    game.runtime.close()
    assert (told["find"]["possible"], told["find"]["reason"]) == (True, None)


@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
def test_an_action_that_no_words_make_possible_says_why(runtime):
    quiet = minigames.rule("0.4", "@check('find')\ndef never(e):\n    return 'there is nothing to find'\n")
    game = minigames.small_game(WORDY, quiet, runtime=runtime)
    told = {each["id"]: each for each in game.actions("Ann")}
    game.runtime.close()
    assert (told["find"]["possible"], told["find"]["reason"]) == (False, "there is nothing to find")


PROPOSING = minigames.rule(
    "0.3",
    """
attribute("player", "waits", False)


@check("suggest")
def one_at_a_time(e):
    if e.who.waits:
        return "one at a time"


@action("suggest", title=words("Title", optional=True), text=change_list("Changes"), run=program("Program"))
def suggest(e):
    if not (e.title or e.text or e.run):
        refuse("say something")
    put(e.who, "waits", True)


@action("refuel", fuel=number("Fuel", default=0, optional=True))
def refuel(e):
    refuse("there is no car")


@action("pick", place=number("Place", optional=True))
def pick(e):
    if e.place is None:
        refuse("say which")
""",
)


@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
def test_a_form_that_may_stay_empty_is_impossible_only_if_filling_it_in_does_not_help(runtime):
    game = minigames.small_game(PROPOSING, runtime=runtime)
    before = {each["id"]: each["reason"] for each in game.actions("Ann")}
    assert (before["suggest"], before["refuel"], before["pick"]) == (None, "there is no car", None)
    minigames.done(game.order("Ann", "suggest", {"title": "More"}, game.now))
    assert {each["id"]: each["reason"] for each in game.actions("Ann")}["suggest"] == "one at a time"
    game.runtime.close()


SHOP = rule(
    "0.5",
    """
attribute("player", "hungry", False)
attribute("player", "room", 3)


@check("eat")
def is_hungry(e):
    if not e.who.hungry:
        return "you are not hungry"
    if e.many > e.who.room:
        return "so many do not fit in"


@action("eat", many=number("How many", least=1), what=words("What"))
def eat(e):
    put(e.who, "room", e.who.room - e.many)


@check("read")
def has_such_a_book(e):
    if e.book != "ours":
        return "there is no such book"


@action("read", book=words("Book"))
def read(e):
    put(e.who, "room", 0)


@action("pet", animal=one_of(lambda who: (), "Tame animal"))
def pet(e):
    put(e.who, "room", 1)


kind("stall", label="Market stall")


@action("rent-stall", stall=choose("stall", "Where"))
def rent_stall(e):
    put(e.who, "room", 1)
""",
)


@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
def test_what_no_field_can_change_is_the_reason_why_an_action_is_not_possible(runtime):
    game = minigames.small_game(SHOP, runtime=runtime)
    try:
        told = {each["id"]: (each["possible"], each["reason"]) for each in game.actions("Ann")}
        assert told["eat"] == (False, "you are not hungry")
        assert told["read"] == (True, None), "that depends on the book"
        assert told["pet"] == (False, "there is no tame animal to choose from")
        assert told["rent-stall"] == (False, "there is no market stall to choose from"), "as its kind is called"
    finally:
        game.runtime.close()


@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
@pytest.mark.parametrize("kind", ["[1]", "{'square': 1}"])
def test_a_kind_that_is_no_word_leaves_nothing_to_choose(runtime, kind):
    odd = rule(
        "0.5",
        f"""
@action("go", there=choose({kind}, "It", choices=lambda who: ()))
def go(e):
    put(e.who, "score", 1)
""",
    )
    game = minigames.small_game(odd, runtime=runtime)
    try:
        (shown,) = (each for each in game.actions("Ann") if each["id"] == "go")
        assert (shown["possible"], shown["reason"]) == (
            False,
            "there is no something that cannot be shown to choose from",
        )
    finally:
        game.runtime.close()


SENDING = rule(
    "0.5",
    """
@check("send")
def to_another(e):
    if e.to is e.who:
        return "to somebody else"
    if e.to is not thing("Ben"):
        return "Ben alone gets letters"


@check("send")
def is_written(e):
    if e.name != "Dear Ben":
        return "begin with Dear Ben"


@check("send")
def by_hand(e):
    if e.caused_by("storm") or e.trail or e.via:
        return "not like that"


@action("send", to=choose("player", "To"), what=goods("What", optional=False), name=words("Name"))
def send(e):
    put(e.who, "score", 1)
""",
)


@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
def test_a_field_that_is_called_like_a_word_of_events_is_no_such_reason(runtime):
    game = minigames.small_game(SENDING, runtime=runtime)
    try:
        told = {each["id"]: (each["possible"], each["reason"]) for each in game.actions("Ann")}
        assert told["send"] == (True, None)
    finally:
        game.runtime.close()


@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
def test_what_a_field_decides_is_no_such_reason(runtime):
    full = rule("0.5", SHOP["code"].replace('"hungry", False', '"hungry", True').replace('"room", 3', '"room", 0'))
    game = minigames.small_game(full, runtime=runtime)
    try:
        told = {each["id"]: each["possible"] for each in game.actions("Ann")}
        assert told["eat"], "how many fit in is a matter of how many"
    finally:
        game.runtime.close()


KENNEL = minigames.rule(
    "0.3",
    """
kind("dog")
attribute("dog", "tame", False)


@action("stroke", dog=choose("dog", "Dog", choices=lambda who: every("dog")), hand=one_of(("left", "right"), "Hand"))
def stroke(e):
    if not e.dog.tame:
        refuse(f"{e.dog.id} bites")


@action("fetch", dog=choose("dog", "Dog", choices=lambda who: every("dog"), optional=True))
def fetch(e):
    refuse(f"{e.dog.id} is lazy" if e.dog else "nothing to fetch")


@action("wake", dog=choose("dog", "Dog", choices=lambda who: every("dog")))
def wake(e):
    refuse("dogs sleep at night")


@action("breed", many=number("Many", least=1))
def breed(e):
    for _ in range(e.many):
        create("dog")


@action("tame", dog=choose("dog", "Dog"))
def tame(e):
    put(e.dog, "tame", True)
""",
)


@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
def test_a_reason_that_is_not_the_reason_for_every_choice_says_for_which_it_is(runtime):
    game = minigames.small_game(KENNEL, runtime=runtime)

    def told(action):
        found = {each["id"]: each for each in game.actions("Ann")}[action]
        return found["reason"], found["reason_for"]

    try:
        minigames.done(game.order("Ann", "breed", {"many": 1}, game.now))
        assert told("stroke") == ("dog-1 bites", None)  # there is no other
        minigames.done(game.order("Ann", "breed", {"many": 1}, game.now))
        assert told("stroke") == ("dog-1 bites", "dog-1")
        assert told("wake") == ("dogs sleep at night", None)
        assert told("fetch") == ("nothing to fetch", None)  # none is chosen beforehand
        minigames.done(game.order("Ann", "tame", {"dog": "dog-2"}, game.now))
        assert told("stroke") == (None, None)
    finally:
        game.runtime.close()


GIVING = minigames.rule(
    "0.3",
    """
@check("hand")
def somebody_else(e):
    if e.to not in ("Ben", "Cid"):
        return "you can only hand things to somebody else"


@action("hand", to=one_of(("Ben", "Cid"), "To"), what=goods("What", optional=False))
def hand(e):
    if not money_in(e.what):
        refuse("say what you hand over")


@action("bargain", give=goods("You give", parts=("money", "hats")), take=goods("You take", parts=("money", "hats")))
def bargain(e):
    if not dict(e.give or ()).get("hats"):
        refuse("a bargain is about a hat")


@check("barter")
def never(e):
    return "no barter on Sundays"


@action("barter", give=goods("You give", parts=("money", "hats")))
def barter(e):
    pass


def money_in(what):
    return dict(what or ()).get("money")
""",
)


@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
def test_what_is_given_and_to_whom_is_said_first_and_is_no_reason_against_an_action(runtime):
    game = minigames.small_game(GIVING, runtime=runtime)
    told = {each["id"]: each["reason"] for each in game.actions("Ann")}
    game.runtime.close()
    assert (told["hand"], told["bargain"], told["barter"]) == (None, None, "no barter on Sundays")
