"""Hostile rules: each is refused by `check`, or ends as a fault that names rule and line within two seconds.

All of it in the sandbox, with a second game alive that must not notice. `check` is turned off for what it would refuse,
so that the walls behind it are tried as well.
"""

import textwrap

import measured
import minigames
import pytest
from minigames import CHANGING, START, done, rule, small_game

from nomopoly.rulebook.check import check_changes
from nomopoly.runtime.host import Game, load_game, take_snapshot
from nomopoly.runtime.journal import JournalError
from nomopoly.runtime.verify import verify

SECONDS = 0.4  # of work, the sandbox's included: five times as much is the promise

HONEST = rule(
    "1.2",
    """
attribute("player", "money", 5)
attribute("player", "word", "")
attribute("player", "several", ())


@action("work")
def work(e):
    put(e.who, "money", e.who.money + 1)
""",
)

# Attacks that end as a fault in rule 1.1: (name, program of an action, words of the message or "").
FAULTS = [
    ("endless loop", "while True:\n    pass", "too many steps"),
    (
        "endless loop that catches",
        "while True:\n    try:\n        while True:\n            pass\n    except:\n        pass",
        "",
    ),
    ("list bomb", "a = [0]\nwhile True:\n    a = a + a", ""),
    ("word bomb", "a = 'x'\nwhile True:\n    a = a + a", ""),
    ("long word", "a = 'x' * 10**10", "too long"),
    ("huge number", "a = 10 ** 10**9", "too great"),
    ("huge shift", "a = 1 << (1 << 40)", "too great"),
    ("padding", "a = f'{1:>1000000000}'", ""),
    ("list of a range", "a = list(range(10**9))", ""),  # memory or time, whichever ends first
    ("sum of a range", "a = sum(range(10**12))", "too many steps"),
    ("join that ends the worker", "a = ','.join(['x' * 1000000] * 1000000)", ""),
    ("power that hangs the worker", "a = pow(3, 10**8)", ""),
    ("deep recursion", "def f(n):\n    return f(n + 1)\nf(0)", "too deep"),
    ("recursion that catches", "def f():\n    try:\n        f()\n    except:\n        f()\nf()", ""),
    ("deep tuple", "a = ()\nfor i in range(100000):\n    a = (a,)\nput(e.who, 'money', a)", ""),
    ("file", "open('/etc/passwd').read()", "Permission"),
    ("file by path", "from pathlib import Path\nput(e.who, 'word', Path('/etc/passwd').read_text())", "read_text"),
    ("environment", "import os\nput(e.who, 'word', str(os.environ))", "os.environ"),
    ("shell", "import os\nos.system('id')", "system"),
    ("subprocess", "import subprocess\nsubprocess.run('id')", "subprocess"),
    ("sockets", "import socket\nsocket.socket()", "socket"),
    ("ctypes", "import ctypes", "ctypes"),
    ("import by name", "__import__('os').listdir('/')", ""),
    ("classes of a tuple", "put(e.who, 'word', str(().__class__.__bases__))", "__bases__"),
    ("subclasses", "().__class__.__base__.__subclasses__()", "__subclasses__"),
    ("globals of a function", "go.__globals__", "__globals__"),
    ("code of a function", "go.__code__", "__code__"),
    ("closure of a function", "go.__closure__", "__closure__"),
    ("defaults of a function", "go.__defaults__", "__defaults__"),
    ("attribute on a function", "go.seen = 1", "seen"),
    ("attribute on a word of the language", "put.seen = 1", "seen"),
    ("attribute on chance", "chance.seen = 1", "seen"),
    ("method of chance", "chance.die = lambda sides=6: 6", "die"),
    ("attribute on rule", "rule.seen = 1", "seen"),
    ("declaration of an event", "e.plan.ons.append(1)", "plan"),
    ("builtins", "import builtins\nbuiltins.len = None", "builtins"),
    ("attribute on a builtin", "len.x = 1", "x"),
    ("input", "input()", "input"),
    ("write past the verbs", "e.who.money = 99", "past the verbs"),
    ("setattr past the verbs", "setattr(e.who, 'money', 99)", "past the verbs"),
    ("id past the verbs", "e.who.id = 'Ben'", "past the verbs"),
    ("print without end", "while True:\n    print('x' * 1000)", "too many steps"),
    ("facts without end", "while True:\n    fact('x', text='y' * 1000)", ""),
    ("news too long", "tell(None, 'x' * 5000000)", "too long"),
    ("too many facts", "for i in range(4000):\n    fact('x', text='y' * 1000)", "too much happens"),
    ("word too long", "put(e.who, 'word', 'x' * 300000)", "not too long"),
    ("number too great", "put(e.who, 'money', 10**19)", "not too long"),
    ("number too great in a tuple", "put(e.who, 'several', (1, (2, 10**5000)))", "too great"),
    ("number too great in a fact", "fact('x', amount=10**5000)", "too great"),
    ("fraction", "put(e.who, 'money', 1.5)", "whole number"),
    ("fraction in a fact", "fact('x', amount=1.5)", "of a fact holds"),
    ("function in a fact", "fact('x', amount=go)", "of a fact holds"),
    ("list as attribute", "put(e.who, 'word', [1])", "word of Ann must be a word"),
    ("dict as attribute", "put(e.who, 'word', {})", "word of Ann must be a word"),
    ("moment beyond time", "at(10**30, 'go')", "no moment"),
    ("timers without end", "for i in range(10**6):\n    at(now() + i, 'go')", ""),
    ("things without end", "while True:\n    create('question')", ""),
    ("thing with a list as id", "create('question', id=(1, 2))", "the id of a thing"),
    ("thing with a long id", "create('question', id='x' * 1000)", "the id of a thing"),
    ("thing with an id of two lines", "create('question', id='a\\nb')", "the id of a thing"),
    ("destroying the game", "destroy(thing('game'))", "cannot be destroyed"),
    ("FileExistsError", "raise FileExistsError('x')", "FileExistsError"),
    ("SystemExit", "raise SystemExit('x')", ""),
    ("KeyboardInterrupt", "raise KeyboardInterrupt()", "KeyboardInterrupt"),
    ("catching a refusal", "try:\n    refuse('no')\nexcept:\n    put(e.who, 'money', 7)", "refusal was caught"),
    ("catching a refusal quietly", "try:\n    refuse('no')\nexcept Exception:\n    pass", "refusal was caught"),
    ("paradox", "do('go', who=e.who)", "paradox"),
    ("declaring while the game runs", "attribute('player', 'late', 1)", "at their top"),
    ("putting on nothing", "put(None, 'money', 1)", ""),
    ("putting on a word", "put('Ann', 'money', 1)", ""),
    ("a question nobody can close", "ask(e.who, 'Well?', ('a',), 'no-such-event', by=now() + 1)", "no event"),
]

# Attacks that do no harm: they may go well, but leave no trace of their own.
HARMLESS = [
    ("exec", "exec('x = 1')"),
    ("shadowing a word", "put = lambda *rest: None\nput(e.who, 'money', 99)"),
    ("replacing a word for good", "global put\nput = None"),
    ("sleeping", "import time\ntime.sleep(100)"),
    ("a slow pattern", "import re\nre.match('(a+)+$', 'a' * 40 + 'b')"),
    ("a spoilt event", "e.who = None\ne.name = 'x'\ne._event = 'y'"),
    ("a spoilt trail", "e.trail = 7"),
]


def hostile(program: str, top: str = "") -> dict:
    body = textwrap.indent(program, "    ")
    return rule("1.1", f"{top}@action('go')\ndef go(e):\n{body}\n")


@pytest.fixture(scope="module")
def other() -> Game:
    """A game that is alive all the while and must not notice anything."""
    game = minigames.original("monty", game_id="other")
    yield game
    game.runtime.close()


def rebuilt(game: Game) -> list[str]:
    """The hashes of the state of this game computed from its journal, and from its snapshot."""
    copies = [
        load_game(game.journal, runtime="monty"),
        load_game(game.journal, runtime="monty", snapshot=take_snapshot(game)),
    ]
    hashes = [copy.state_hash() for copy in copies]
    for copy in copies:
        copy.runtime.close()
    return hashes


@pytest.mark.parametrize(("name", "program", "message"), FAULTS, ids=[each[0] for each in FAULTS])
def test_fault(name, program, message, other):
    game = small_game(hostile(program), HONEST, runtime="monty")
    before, unnoticed = game.state_hash(), other.state_hash()

    with measured.within(SECONDS, measured.worked):
        outcome = game.order("Ann", "go", {}, START)

    assert outcome.fault is not None, f"it went well: {outcome.facts} {outcome.changes}"
    assert outcome.fault["rule"] == "1.1"
    assert outcome.fault["line"] >= 3, outcome.fault
    assert message in outcome.fault["message"]
    assert game.state_hash() == before, "a fault leaves the state as it was"
    done(game.order("Ben", "work", {}, START + 1))
    assert game.value("money", "Ben") == 6
    assert rebuilt(game) == [game.state_hash()] * 2
    assert other.state_hash() == unnoticed
    done(other.order("Ann", "propose", {"title": "All is well"}, other.now + 1))
    game.runtime.close()


@pytest.mark.parametrize(("name", "program"), HARMLESS, ids=[each[0] for each in HARMLESS])
def test_harmless(name, program):
    game = small_game(hostile(program), HONEST, runtime="monty")
    before = game.state_hash()
    for at in range(3):
        game.order("Ann", "go", {}, START + at)
    assert game.state_hash() == before
    done(game.order("Ben", "work", {}, START + 9))
    assert rebuilt(game) == [game.state_hash()] * 2
    game.runtime.close()


# What would remember between entries, if it were let: programs of a rule, as a proposal would bring them.
HEAD = "@after('turn')\ndef f(e):\n"
MEMORY = [
    ("mutable default", "def note_down(x=[]):\n    x.append(1)\n\n\n" + HEAD + "    note_down()"),
    ("computed default", "def made():\n    return []\n\n\ndef g(x=made()):\n    x.append(1)\n\n\n" + HEAD + "    g()"),
    ("default of a lambda", "g = lambda x=[]: x.append(1)\n\n\n" + HEAD + "    g()"),
    ("default of a sort key", HEAD + "    sorted((1, 2), key=lambda x, y=[]: y.append(x) or 0)"),
    ("list at the top", "SEEN = []\n\n\n" + HEAD + "    SEEN.append(1)"),
    ("list in a tuple", "SEEN = ([],)\n\n\n" + HEAD + "    SEEN[0].append(1)"),
    ("dict at the top", "SEEN = {}\n\n\n" + HEAD + "    SEEN['x'] = 1"),
    ("list made at the top", "SEEN = list((1, 2))\n\n\n" + HEAD + "    SEEN.append(3)"),
    (
        "closure at the top",
        "def m():\n    s = []\n    return lambda v: s.append(v)\n\n\nG = m()\n\n\n" + HEAD + "    G(1)",
    ),
    (
        "nonlocal",
        "def m():\n    n = 0\n\n    def h():\n        nonlocal n\n        n += 1\n    return h\n\n\n"
        + HEAD
        + "    m()()",
    ),
    ("global", "N = 0\n\n\n" + HEAD + "    global N\n    N += 1"),
    ("attribute on a function", HEAD + "    f.seen = 1"),
    ("attribute on chance", HEAD + "    chance.name = 'x'"),
    ("attribute on rule", HEAD + "    rule.x = 1"),
    ("attribute on a thing", HEAD + "    e.who.secret = 1"),
    ("attribute on a thing, in a loop", HEAD + "    for e.who.secret in (1, 2):\n        pass"),
    ("attribute on a thing, unpacked", HEAD + "    e.who.secret, *rest = (1, 2, 3)"),
    ("attribute on a thing, matched", HEAD + "    match e.who:\n        case x:\n            x.secret = 1"),
    ("setattr", HEAD + "    setattr(e.who, 'secret', 1)"),
    ("class", "class A:\n    seen = 1\n\n\n" + HEAD + "    A.seen = 2"),
    ("declaration of an event", HEAD + "    e.plan.ons.append(1)"),
    ("event by its hidden name", HEAD + "    e._event"),
    ("names of a commons module", HEAD + "    _STEPS['x'] = 1"),
    ("result of another", HEAD + "    e.result.append(1)"),
    ("list as a number of the rule", HEAD + "    rule.xs.append(1)", {"xs": [1]}),
    ("form at the top", "F = words('x')\n\n\n" + HEAD + "    F.limit = 3"),
    ("exec", HEAD + "    exec('chance.x = 1')"),
    ("eval", HEAD + "    eval('chance.__setattr__')"),
    ("import", "import os\n\n\n" + HEAD + "    pass"),
    ("attribute by a format", HEAD + "    tell(None, '{0.trail}'.format(e))"),
]


@pytest.mark.parametrize("attack", MEMORY, ids=[each[0] for each in MEMORY])
def test_check_refuses_what_would_remember(attack):
    name, code, *params = attack
    book = minigames.load_edition("original")
    change = {"enact": "X.1", "text": "Words.", "code": code, "params": params[0] if params else {}}
    problems = check_changes([change], "", book.records, book.commons)
    assert [problem for problem in problems if problem.level == "error"], "check finds nothing wrong with it"


def test_a_program_that_rules_put_together_is_checked_as_well():
    """A rule that writes a rule, or runs a text, cannot get past `check` by putting it together from parts."""
    sly = rule(
        "1.1",
        """
@action("write-rule")
def write_rule(e):
    enact("1.9", text="Words.", code="@after('work')\\ndef f(e):\\n    chance" + ".seen = 1")


@action("run-text")
def run_text(e):
    run_once("e = thing('Ann')\\ne" + ".secret = 1")


@action("write-honest-rule")
def write_honest_rule(e):
    enact("1.9", text="Words.", code="@after('work')\\ndef f(e):\\n    put(e.who, 'money'" + ", 100)")
""",
    )
    game = small_game(sly, HONEST, runtime="monty")
    game.checks = True
    before = game.state_hash()
    for order in ("write-rule", "run-text"):
        outcome = game.order("Ann", order, {}, START)
        assert outcome.refused is not None
        assert outcome.refused.startswith(("check: rule 1.9", "check: one-time program")), outcome.refused
        assert game.state_hash() == before
        done(game.order("Ben", "work", {}, START))
        before = game.state_hash()
    done(game.order("Ann", "write-honest-rule", {}, START))
    done(game.order("Ben", "work", {}, START))
    assert game.value("money", "Ben") == 100
    assert rebuilt(game) == [game.state_hash()] * 2


def test_a_program_that_is_put_together_on_the_clock_is_a_fault_there():
    """The clock must not stop at it: it is held, the game pauses, and the journal verifies."""
    sly = rule(
        "1.1",
        """
event("write")


@action("set-it")
def set_it(e):
    at(now() + 10, "write")


@on("write")
def write(e):
    enact("1.9", text="Words.", code="@after('work')\\ndef f(e):\\n    chance" + ".seen = 1")
""",
    )
    game = small_game(sly, HONEST, runtime="monty")
    game.checks = True
    done(game.order("Ann", "set-it", {}, START))
    [outcome] = game.run_due(START + 20)
    assert outcome.fault is not None
    assert outcome.fault["message"].startswith("check: rule 1.9, line ")
    assert game.paused()
    assert "1.9" not in {record["id"] for record in game.records()}
    done(game.admin("resume", {}, START + 30))
    assert game.run_due(START + 40)[0].fault is not None
    assert rebuilt(game) == [game.state_hash()] * 2
    assert verify(game.journal.lines()).entries == game.n + 1


@pytest.mark.parametrize("how", ["refused", "broken", "previewed", "carried out"])
def test_a_one_time_program_leaves_no_mark_on_things(how):
    """Even unchecked: a mark on a thing is gone with the entry, whatever came of it."""
    ends = {"refused": "refuse('no')", "broken": "1 // 0", "previewed": "", "carried out": ""}[how]
    reader = rule(
        "1.1",
        """
@action("look")
def look(e):
    put(e.who, "word", e.who.secret)
""",
    )
    game = small_game(CHANGING, reader, HONEST, runtime="monty")
    run = f"ann = thing('Ann')\nann.secret = 'seen'\n{ends}\n"
    if how == "previewed":
        assert game.preview(None, "change", {"run": run}, START).ok
    else:
        minigames.change(game, run=run)
    outcome = game.order("Ann", "look", {}, START)
    assert outcome.fault is not None
    assert "secret" in outcome.fault["message"]


@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
def test_memory_outside_the_state_is_found_when_the_game_is_taken_up_again(runtime):
    """Without `check` a rule can remember: then what follows from a snapshot is not what was recorded."""
    memory = "SEEN = []\n\n\n@action('go')\ndef go(e):\n    SEEN.append(1)\n    put(e.who, 'money', len(SEEN))\n"
    game = small_game(rule("1.1", memory), HONEST, runtime=runtime)
    done(game.order("Ann", "go", {}, START))
    snapshot = take_snapshot(game)
    done(game.order("Ann", "go", {}, START))
    with pytest.raises(JournalError, match=f"entry {game.n} does not follow from the snapshot"):
        load_game(game.journal, runtime=runtime, snapshot=snapshot)
    assert load_game(game.journal, runtime=runtime).state_hash() == game.state_hash()


@pytest.mark.parametrize("station", ["check", "instead", "on"])
@pytest.mark.parametrize("act", ["pause", "resume", "grant", "approve-player", "rule"])
def test_the_admins_acts_are_beyond_the_reach_of_rules(act, station):
    game = small_game(CHANGING, HONEST)
    outcome = minigames.change(
        game, {"enact": "2.1", "text": "x", "code": f"@{station}('{act}')\ndef f(e):\n    return 'no'\n"}
    )
    assert outcome.fault is not None
    assert "beyond the reach of rules" in outcome.fault["message"]


def test_a_rule_that_refuses_everything_stops_no_act_of_the_admin():
    lock = rule("2.1", '@check("*")\ndef never(e):\n    return "never again"\n')
    game = small_game(lock, HONEST)
    assert game.order("Ann", "work", {}, START).refused == "never again"
    done(game.admin("pause", {}, START))
    done(game.admin("resume", {}, START))
    done(game.admin("grant", {"thing": "Ann", "attribute": "money", "value": 8}, START))
    done(game.join("Cid", START))
    done(game.admin("approve-player", {"player": "Cid"}, START))


BROKEN_PAGES = [
    ("value that breaks", '@value("v", of="player", label="V")\ndef v(who):\n    return 1 // 0\n'),
    ("value that refuses", '@value("v", of="player", label="V")\ndef v(who):\n    refuse("no")\n'),
    ("value that writes", '@value("v", of="player", label="V")\ndef v(who):\n    put(who, "money", 7)\n'),
    ("value that never ends", '@value("v", of="player", label="V")\ndef v(who):\n    while True:\n        pass\n'),
    ("marker that breaks", '@marker("player")\ndef m(who):\n    return who.nothing\n'),
    ("marker of one word", '@marker("player")\ndef m(who):\n    return "x"\n'),
    ("marker that never ends", '@marker("player")\ndef m(who):\n    while True:\n        pass\n'),
    ("choices that break", '@action("pick", x=choose("player", choices=lambda who: 1 // 0))\ndef p(e):\n    pass\n'),
    ("effect that breaks late", '@action("pick")\ndef p(e):\n    put(e.who, "money", 7)\n    1 // 0\n'),
]


@pytest.mark.parametrize(("name", "code"), BROKEN_PAGES, ids=[each[0] for each in BROKEN_PAGES])
def test_a_broken_rule_takes_no_page_away(name, code):
    game = small_game(CHANGING, HONEST, rule("1.1", code), runtime="monty")
    before = game.state_hash()
    for viewer in ("Ann", "admin", "visitor"):
        view = game.view(viewer)
        assert view["things"]["Ann"]["money"] == 5
        assert view["things"]["Ann"].get("v") is None
        actions = {each["id"] for each in game.actions(viewer)}
        assert ("work" in actions) == (viewer == "Ann")
    assert game.state_hash() == before, "reading has changed the state"
    done(game.order("Ann", "work", {}, START))
    done(minigames.change(game, {"repeal": "1.1"}))
    assert "v" not in game.view("Ann")["things"]["Ann"]
    game.runtime.close()


NEVER_ENDING = """
@action("pick", x=choose("player", choices=lambda who: endless()))
def p(e):
    pass


@action("dig")
def d(e):
    endless()


@action("rest")
def r(e):
    refuse("no rest today")


def endless():
    while True:
        pass
"""


def test_what_never_ends_in_a_form_makes_nothing_else_possible():
    game = small_game(CHANGING, HONEST, rule("1.1", NEVER_ENDING), runtime="monty")
    told = {each["id"]: each for each in game.actions("Ann")}
    game.runtime.close()
    assert (told["rest"]["possible"], told["rest"]["reason"]) == (False, "no rest today")
    assert told["work"]["possible"]
    assert told["pick"]["fields"][0]["choices"] == []


ODD_ARGUMENTS = [
    5, 0, -1, "", "x" * 10**6, "\ud800", "a\x00b", None, True, 1.5, 10**30, [], [1], {}, {"a": 1}, ["Ann"], "--5", "²", "9" * 6000,
    "Ann", {"money": 1}, {"money": "--1"}, {"money": [1]}, {"squares": ["#1", "#1"]}, [{"enact": 5}], [{"amend": "I.1", "code": 5}],
]  # fmt: skip


@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
def test_odd_arguments_are_refused_and_never_break_a_rule(runtime):
    game = minigames.original(runtime)
    before = game.state_hash()
    for action in (*game.actions("Ann"), *game.actions("admin")):
        for field in action["fields"]:
            for content in ODD_ARGUMENTS:
                args = {field["name"]: content}
                for other in action["fields"]:
                    if other["name"] not in args and other["choices"]:
                        args[other["name"]] = other["choices"][0]["id"]
                by = "admin" if action["desk"] else "Ann"
                outcome = (
                    game.admin(action["id"], args, START)
                    if by == "admin"
                    else game.order(by, action["id"], args, START)
                )
                assert outcome.fault is None, f"{action['id']} {str(args)[:100]}: {outcome.fault}"
                if outcome.refused:
                    assert game.state_hash() == before
                    continue
                if not game.view("admin")["things"].get("Ann") or game.paused() or game.value("over", "game"):
                    game = minigames.original(runtime)
                before = game.state_hash()
