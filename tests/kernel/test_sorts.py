"""What is kept, told, asked and declared is of the sort that it should be; the refusal names it, and what was given."""

import json
import textwrap

import pytest
from minigames import CHANGING, RUNTIMES, change, done, rule, small_game

from nomopoly.kernel.state import packed
from nomopoly.kernel.things import Thing
from nomopoly.runtime.host import load_game, take_snapshot

DECLARED = """
kind("square", prefix="#", numbered="number")
attribute("square", "number", 0)
attribute("square", "owner", type="thing")
attribute("square", "named")
attribute("square", "rent", 5, type="money")
attribute("square", "until", moment="game")
attribute("square", "open", False)
attribute("square", "title", "")
attribute("square", "queue", (), type="thing")
attribute("square", "pair", type="list")
event("bell", "rang", who="player", box="")
event("answered", answers="", why="")
event("open")


@on("open")
def begin(e):
    create("square", number=1)


@value("sum_of", of="square", label="Sum")
def sum_of(square):
    return square.named


@value("made_of", of="square")
def made_of(square):
    return {parts}


@action("go", "Go", fact="went")
def go(e):
    s = thing("#1")
{body}
"""


def games(body, runtime="cpython", parts="1"):
    code = DECLARED.replace("{body}", textwrap.indent(textwrap.dedent(body), "    ")).replace("{parts}", parts)
    return small_game(rule("1.1", code), CHANGING, runtime=runtime)


REFUSED = [
    ("put(s, 'owner', 'x')", "owner of #1 must be a thing, or None: 'x' is a word"),
    ("put(s, 'owner', 7)", "owner of #1 must be a thing, or None: 7 is a number"),
    ("put(s, 'owner', (s,))", "owner of #1 must be a thing, or None: this is a tuple of 1"),
    ("put(s, 'rent', 'much')", "rent of #1 must be a whole number, or None: 'much' is a word"),
    ("put(s, 'rent', True)", "rent of #1 must be a whole number, or None: this is True"),
    ("put(s, 'rent', s)", "rent of #1 must be a whole number, or None: #1 is a thing"),
    ("put(s, 'until', 10**17)", "until of #1 must be a moment (seconds since 1970, at most 10**11)"),
    ("put(s, 'until', -1)", "until of #1 must be a moment"),
    ("put(s, 'until', 'soon')", "until of #1 must be a moment (seconds since 1970), or None: 'soon' is a word"),
    ("put(s, 'open', 1)", "open of #1 must be True or False, or None: 1 is a number"),
    ("put(s, 'title', 5)", "title of #1 must be a word, or None: 5 is a number"),
    ("put(s, 'queue', s)", "queue of #1 must be a tuple, or None: #1 is a thing"),
    ("put(s, 'queue', ('x',))", "queue of #1 must be a tuple of things"),
    ("put(s, 'pair', 'x')", "pair of #1 must be a tuple, or None: 'x' is a word"),
    ("put(s, 'named', chance)", "must be a whole number, a word, a thing or a tuple of these, or None"),
    ("put(s, 'named', go)", "or None: this is nothing that a game can keep"),
    ("put(s, 'named', 10**1000)", "too great: whole numbers have at most"),
    ("deep = ()\nfor _ in range(30):\n    deep = (deep,)\nput(s, 'named', deep)", "too deep"),
    ("create('square', number='two')", "number of #two must be a whole number, or None: 'two' is a word"),
    ("at(now() + 9, 'bell', box={})", "'box' of the event 'bell' must be a whole number, a word, a thing"),
    ("at(now() + 9, 'bell', box=10**1000)", "too great: whole numbers have at most"),
    ("at(now() + 9, 'bell', box=10**30)", "'box' of the event 'bell' must be a whole number, a word, a thing"),
    ("at(now() + 9, 'bell', box=[1])", "'box' of the event 'bell' must be"),
    ("at(now() + 9, 'bell', box=go)", "'box' of the event 'bell' must be"),
    ("at(now() + 9, 'bell', who='Ann')", "'who' of the event 'bell' must be a player or None: 'Ann' is a word"),
    ("at('noon', 'bell')", "there is no moment like this: 'noon' is a word"),
    ("at(10**17, 'bell')", "there is no moment like this"),
    ("fact('told', text=5)", "'text' of a fact must be a word: 5 is a number"),
    ("fact(5)", "'what' of a fact must be a word: 5 is a number"),
    ("fact('x', say=(1,))", "'say' of a fact must be a word"),
    ("fact('x', only='Ann')", "'only' of a fact must be a tuple of players: 'Ann' is a word"),
    ("fact('x', only=(5,))", "'only' of a fact must be a tuple of players"),
    ("fact('x', dice=5)", "'dice' of a fact must be a tuple: 5 is a number"),
    ("fact('x', depth='deep')", "'depth' in the log is not for rules to say"),
    ("fact('x', amount=chance)", "'amount' of a fact holds whole numbers, words"),
    ("fact('x', amount=10**1000)", "too great: whole numbers have at most"),
    ("fact('x', amount=10**60)", "this number has too many digits"),
    ("note(dice=5)", "'dice' of a fact must be a tuple: 5 is a number"),
    ("note(event=7)", "'event' of a fact must be a word: 7 is a number"),
    ("note(total=go)", "'total' of a fact holds whole numbers, words"),
    ("tell(5, 'hello')", "news is for a player, several, or all (None): 5 is a number"),
    ("tell(None, chance)", "news is a word: this is nothing that a game can keep"),
    ("ask(e.who, 5, ('a',), 'answered')", "the text of a question must be a word: 5 is a number"),
    ("ask('Ann', 'Well?', ('a',), 'answered')", "a question is asked of a player, or of a tuple of players"),
    ("ask(e.who, 'Well?', (('a', 'b'),), 'answered')", "the options of a question, and its default, are words"),
    ("ask(e.who, 'Well?', ('a',), 'answered', default=go)", "the options of a question, and its default, are words"),
    ("ask(e.who, 'Well?', ('a',), 'answered', by='noon')", "a question is answered by a moment: 'noon' is a word"),
    ("ask(e.who, 'Well?', ('a',), 'answered', by=10**17)", "a question is answered by a moment"),
    ("enact('9.1', text=5)", "the text of rule 9.1 must be a word: 5 is a number"),
    ("enact('9.1', text='x', title=(1,))", "the title of rule 9.1 must be a word: this is a tuple of 1"),
    ("enact('9.1', by=5, text='x')", "the made_by of rule 9.1 must be a word: 5 is a number"),
    ("enact(9, text='x')", "the number of a rule must be a word: 9 is a number"),
    ("enact('9\\n1', text='x')", "the number of a rule must be a line of at most 200 characters"),
    ("enact('9.1', text='x', params={'a': chance})", "the numbers of rule 9.1 must be whole numbers, words"),
    ("amend('1.1', text=5)", "the text of rule 1.1 must be a word: 5 is a number"),
    ("pause(5)", "pause_because of game must be a word: 5 is a number"),
]


@pytest.mark.parametrize(("body", "reason"), REFUSED, ids=[body[:50] for body, _ in REFUSED])
def test_what_is_of_the_wrong_sort_is_refused_where_it_is_written(body, reason):
    outcome = games(body).order("Ann", "go", {}, 0)
    assert outcome.fault is not None
    assert reason in outcome.fault["message"]
    assert (outcome.fault["rule"], outcome.fault["line"]) == ("1.1", code_line(body))


def code_line(body):
    """The line of the last statement."""
    return DECLARED[: DECLARED.index("{body}")].lstrip("\n").count("\n") + body.count("\n") + 1


def test_both_interpreters_refuse_alike():
    every = "\n".join(f"if e.which == {at}:\n{textwrap.indent(body, '    ')}" for at, (body, _) in enumerate(REFUSED))
    code = DECLARED.replace("{body}", textwrap.indent(every, "    ")).replace("{parts}", "1")
    code = code.replace('@action("go", "Go"', '@action("go", "Go", which=number()')
    told = {}
    for runtime in RUNTIMES:
        game = small_game(rule("1.1", code), runtime=runtime)
        told[runtime] = [game.order("Ann", "go", {"which": at}, 0).fault["message"] for at in range(len(REFUSED))]
    assert told["cpython"] == told["monty"]


ACCEPTED = """
put(s, "owner", e.who)
put(s, "owner", None)
put(s, "named", (1, "x", (e.who, None)))
put(s, "named", s)
put(s, "named", 5)
put(s, "rent", -(10**18))
put(s, "rent", None)
put(s, "until", now() + days(3))
put(s, "until", 0)
put(s, "queue", (e.who, s))
put(s, "queue", None)
put(s, "title", "")
put(s, "pair", (("Ann", 3),))
at(now() + 9, "bell", who=e.who, box=(1, ("x", e.who)))
at(0, "bell", who=s)
fact("told", text="hello", only=(e.who, "Ben"))
fact("x", amount=[1, {"a": e.who}], dice=(1, 2))
note(dice=(), only=[e.who], who=s, total=None)
tell(None, 5)
tell("Ben", "hello")
tell((e.who,), e.who)
ask(e.who, "Well?", ("a", 5, s), "answered", default=5, by=now() + 9, why=s)
ask((e.who, thing("Ben")), "", (), "answered")
"""


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_what_is_of_the_right_sort_is_kept(runtime):
    done(games(ACCEPTED, runtime).order("Ann", "go", {}, 0))


@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize("parts", ["chance", "made_of", "10**100", "refuse", "1 / 2"])
def test_a_value_that_nobody_can_be_shown_is_a_fault_of_its_rule(parts, runtime):
    game = games("put(s, 'rent', 1 if value('made_of', s) else 2)", runtime, parts)
    fault = game.order("Ann", "go", {}, 0).fault
    assert fault["rule"] == "1.1"
    assert "the value 'made_of' must be a" in fault["message"]


@pytest.mark.parametrize(
    "parts", ["None", "True", "(1, 'x')", "[1]", "{'Ann': 3}", "'x'", "square", "row_of('tool', 'saw')"]
)
def test_a_value_is_a_number_a_word_a_thing_or_several_of_these(parts):
    code = DECLARED.replace("{body}", "    put(s, 'rent', 1 if value('made_of', s) else 2)").replace("{parts}", parts)
    game = small_game(rule("1.1", code), rule("1.2", 'row("tool", "saw", price=4)'))
    done(game.order("Ann", "go", {}, 0))


# ---- the Admin


def test_the_admin_is_told_what_an_attribute_holds():
    game = games("pass")
    for name, content, reason in (
        ("title", 5, "title must be a word, or None: 5 is a number"),
        ("until", 10**17, "until must be a moment"),
        ("rent", 10**19, "rent must be a whole number, a word, a thing or a tuple of these, not too long"),
        ("owner", 5, "owner must name a thing"),
        ("queue", "#1", "queue must be a tuple, or None: #1 is a thing"),
    ):
        outcome = game.admin("grant", {"thing": "#1", "attribute": name, "value": content, "because": "x"}, 0)
        assert reason in (outcome.refused or ""), name
    done(game.admin("grant", {"thing": "#1", "attribute": "queue", "value": ["Ann", "#1"], "because": "x"}, 0))
    assert game.value("queue", "#1") == ["Ann", "#1"]


# ---- declarations

ODD_DECLARATIONS = [
    ("attribute('player', 'x', label=5)", "the label of the attribute 'x' must be a line of at most 200 characters: 5"),
    ("attribute('player', 'x', label='a\\nb')", "the label of the attribute 'x' must be a line"),
    ("attribute('player', 'x', label='a' * 300)", "the label of the attribute 'x' must be a line"),
    ("attribute('player', 'x y', 1)", "the name of an attribute is made of letters, digits, - and _: 'x y' is a word"),
    ("attribute('player', 'x', 'a', type='thing')", "the default of the attribute 'x' must be a thing: 'a' is a word"),
    ("attribute('player', 'x', chance)", "the default of the attribute 'x' must be a whole number, a word or a tuple"),
    ("attribute('player', 'x', 10**100)", "the default of the attribute 'x' must be a whole number, a word or"),
    ("kind('car', label=7)", "the label of the kind 'car' must be a line"),
    ("kind('a/b')", "the name of a kind is made of letters, digits, - and _: 'a/b' is a word"),
    ("event('x\\ny')", "the name of an event must be a line"),
    ("event('')", "the name of an event is missing"),
    ("event('x', say=5)", "the sentence of the event 'x' must be a line"),
    ("event('x', 'a' * 300)", "the fact of the event 'x' must be a line"),
    ("event('x', who=5)", "the kind of who of the event 'x' must be a line"),
    ("@action('a\\rb')\ndef f(e):\n    pass", "the name of an action must be a line"),
    ("@action('a', 'x\\u202ey')\ndef f(e):\n    pass", "the label of the action 'a' must be a line"),
    (
        "@action('a', 'A', n=number(least='x'))\ndef f(e):\n    pass",
        "'least' of the field 'n' of the action 'a' must be",
    ),
    ("@action('a', 'A', n=words(7))\ndef f(e):\n    pass", "the label of the field 'n' of the action 'a' must be"),
    ("@action('a', 'A', n=words(limit='x'))\ndef f(e):\n    pass", "'limit' of the field 'n' of the action 'a'"),
    ("@action('a', 'A', n=5)\ndef f(e):\n    pass", "the field 'n' of the action 'a' must be choose(...), one_of(...)"),
    ("@action('a', 'A', n=goods(parts=(5,)))\ndef f(e):\n    pass", "'parts' of the field 'n' of the action 'a'"),
    ("@action('a', 'A', n=words(default=[1]))\ndef f(e):\n    pass", "the default of the field 'n' of the action 'a'"),
    ("@value('v', label=5)\ndef f():\n    return 1", "the label of the value 'v' must be a line"),
    ("calendar('noon', weekday=9)", "the weekday of the moment 'noon' is a number from -1 to 6: 9 is a number"),
    ("calendar('noon', hour=25)", "the hour of the moment 'noon' is a number from 0 to 23: 25 is a number"),
    ("row('tool', 'a\\nb')", "the name of a row must be a line of at most 200 characters"),
]


@pytest.mark.parametrize(("code", "reason"), ODD_DECLARATIONS, ids=[code[:40] for code, _ in ODD_DECLARATIONS])
def test_what_no_page_can_show_is_refused_when_it_is_declared(code, reason):
    game = games("pass")
    fault = change(game, {"enact": "2.1", "text": "Odd.", "code": code}).fault
    assert fault is not None
    assert reason in fault["message"]


@pytest.mark.parametrize(
    "code", [code for code, _ in ODD_DECLARATIONS if "n=5" not in code], ids=lambda code: code[:40]
)
def test_a_game_that_has_it_already_goes_on(code):
    game = small_game(rule("1.1", code), CHANGING)
    done(change(game, {"amend": "1.1", "text": "Other words."}))
    assert game.view("Ann")["things"]
    assert load_game(game.journal, runtime="cpython", snapshot=take_snapshot(game)).state_hash() == game.state_hash()


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_a_game_goes_on_from_a_snapshot_with_timers_that_nothing_can_keep(runtime):
    """Older versions kept anything in a timer, and could not read it again."""
    game = games("at(now() + 9, 'bell', who=e.who, box=(1, 'x'))", runtime)
    done(game.order("Ann", "go", {}, 0))
    snapshot = take_snapshot(game)
    for odd in ({}, {"thing": 5}, {"thing": "nowhere"}, {"tuple": 7}, [{"a": 1}], {"odd": "x"}):
        snapshot["state"]["timers"][0][3]["box"] = odd
        again = load_game(game.journal, runtime=runtime, snapshot=snapshot)
        assert again.due() is not None
        assert take_snapshot(again)["state"]["timers"][0][2] == "bell"


ODD_FIELDS = """
event("odd", "odd", {field}="")


@action("go", "Go")
def go(e):
    do("odd", {field}={content})
"""


@pytest.mark.parametrize(("field", "content"), [("only", "5"), ("only", "'Ann'"), ("depth", "'x'"), ("rule", "(1,)")])
def test_the_fields_of_an_event_cannot_put_it_into_the_log_either(field, content):
    code = ODD_FIELDS.replace("{field}", field).replace("{content}", content)
    fault = small_game(rule("1.1", code)).order("Ann", "go", {}, 0).fault
    assert fault is not None
    assert f"'{field}' of a fact must be a" in fault["message"]


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_timers_of_one_moment_may_hold_several_things_each(runtime):
    game = games("at(now() + 9, 'bell', box=(1, 'x'))\nat(now() + 9, 'bell', box=(e.who, ()))", runtime)
    done(game.order("Ann", "go", {}, 0))
    assert [outcome.ok for outcome in game.run_due(game.now + 9)] == [True, True]


def test_things_in_a_list_of_a_timer_have_a_place_in_a_snapshot():
    """Older versions kept such lists in timers; the order that would have kept a snapshot failed then, and each after
    it."""
    kept = packed([Thing("Ann", "player"), {"who": (Thing("Ben", "player"), 5)}])
    assert json.loads(json.dumps(kept)) == ["Ann", {"who": ["Ben", 5]}]
