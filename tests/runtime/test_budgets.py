"""Counted budgets: a program without bounds ends as the same fault in every interpreter, and leaves nothing behind."""

import textwrap

import minigames
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from minigames import CHANGING, START, done, rule, small_game

from nomopoly.kernel import budgets
from nomopoly.lab.simulate import Simulation, load
from nomopoly.rulebook.source import editions
from nomopoly.runtime.verify import verify

HONEST = rule(
    "1.2",
    """
attribute("player", "money", 5)
attribute("player", "word", "")
attribute("player", "list", ())
event("ring", who="player", depth="")
event("again", who="player")


@action("work")
def work(e):
    put(e.who, "money", e.who.money + 1)


@value("endless")
def endless():
    return value("endless")


@on("again")
def again(e):
    at(now(), "again", who=e.who)
""",
)
STEPS, DEEP, LONG, GREAT, WIDE = "too many steps", "too deep", "too long", "too great", "too wide"
GROW = "a = {0}\nwhile True:\n    {1}"

# (name, program of an action, words of the message)
HOSTILE = [
    ("endless loop", "while True:\n    pass", STEPS),
    ("endless loop in a loop", "for a in range(10):\n    while True:\n        pass", STEPS),
    ("long range", "for a in range(10**12):\n    pass", STEPS),
    ("range in range", "for a in range(10**4):\n    for b in range(10**4):\n        pass", STEPS),
    ("comprehension", "a = [b for b in range(10**9)]", STEPS),
    ("comprehension in a comprehension", "a = [[b for b in range(1000)] for c in range(10**6)]", STEPS),
    ("two loops of one comprehension", "a = [1 for b in range(10**4) for c in range(10**4)]", STEPS),
    ("comprehension of a dict", "a = {b: b for b in range(10**9)}", STEPS),
    ("generator", "a = any(b < 0 for b in range(10**9))", STEPS),
    ("list of a range", "a = list(range(10**9))", STEPS),
    ("tuple of a range", "a = tuple(range(10**9))", STEPS),
    ("spread range", "a = [*range(10**9)]", STEPS),
    ("arguments of a range", "a = max(*range(10**9))", STEPS),
    ("sum of a range", "a = sum(range(10**12))", STEPS),
    ("greatest of a range", "a = max(range(10**12))", STEPS),
    ("sorted range", "a = sorted(range(10**9), key=lambda b: -b)", STEPS),
    ("mapped range", "a = map(lambda b: b, range(10**9))", STEPS),
    ("filtered range", "a = list(filter(None, range(10**9)))", STEPS),
    ("zipped ranges", "a = zip(range(10**9), range(10**9))", STEPS),
    ("numbered range", "a = list(enumerate(range(10**9)))", STEPS),
    ("range backwards", "a = list(reversed(range(10**9)))", STEPS),
    ("list that grows in its loop", "a = [1]\nfor b in a:\n    a.append(b)", STEPS),
    ("list that is extended by itself", "a = [1]\nwhile True:\n    a.extend(a)", STEPS),
    ("events without end", "while True:\n    do('ring', who=e.who)", "paradox"),
    ("event that causes itself", "do('go', who=e.who)", "paradox"),
    ("recursion", "def f(n):\n    return f(n + 1)\nf(0)", DEEP),
    ("mutual recursion", "def f():\n    return g()\ndef g():\n    return f()\nf()", DEEP),
    ("recursion of a lambda", "f = lambda g: g(g)\nf(f)", DEEP),
    ("recursion in a sort", "def f(n):\n    return sorted([1, 2], key=f)\nf(0)", DEEP),
    ("twice itself", "def f(n):\n    return n if n < 1 else f(n - 1) + f(n - 1)\nf(40)", STEPS),
    ("functions that call twice", "DOUBLING\nf40()", STEPS),
    ("word that doubles", GROW.format("'x'", "a = a + a"), LONG),
    ("word that is added to itself", GROW.format("'x'", "a += a"), LONG),
    ("list that doubles", GROW.format("[0]", "a = a + a"), LONG),
    ("tuple that doubles", GROW.format("(0,)", "a = (*a, *a)"), STEPS),
    ("text that doubles", GROW.format("'x'", "a = f'{a}{a}'"), LONG),
    ("doubling in a line", "a = 'x'\n" + "a = a + a\n" * 60, LONG),
    ("long word", "a = 'x' * 10**10", LONG),
    ("long list", "a = [0] * 10**9", LONG),
    ("long tuple in place", "a = (0,)\na *= 10**9", LONG),
    ("joined words", "a = ','.join(['x' * 100000] * 100)", LONG),
    ("replaced letters", "a = ('x' * 1000).replace('x', 'y' * 1000)", LONG),
    ("word with its parts apart", GROW.format("'xx'", "a = a.replace('x', 'xx')"), LONG),
    ("padding", "a = f'{1:>1000000000}'", WIDE),
    ("padding by a number", "b = 10**9\na = f'{1:>{b}}'", WIDE),
    ("ljust", "a = 'x'.ljust(10**9)", WIDE),
    ("zfill", "a = 'x'.zfill(10**9)", WIDE),
    ("center", "a = 'x'.center(10**9)", WIDE),
    ("percent format", "a = '%999999999d' % 1", WIDE),
    ("huge number", "a = 10 ** 10**9", GREAT),
    ("number of 6,000 digits", "a = 10**6000", GREAT),
    ("huge shift", "a = 1 << (1 << 40)", GREAT),
    ("pow", "a = pow(3, 10**8)", GREAT),
    ("squares", GROW.format("3", "a = a * a"), GREAT),
    ("squares in place", GROW.format("3", "a *= a"), GREAT),
    ("sums of itself", GROW.format("3", "a = a + a"), GREAT),
    ("tree of tuples as a word", "a = ()\nfor b in range(60):\n    a = (a, a)\nc = str(a)", LONG),
    ("tree of tuples in a text", "a = ()\nfor b in range(60):\n    a = (a, a)\nc = f'{a}'", LONG),
    ("tree of tuples kept", "a = (1,)\nfor b in range(18):\n    a = (a, a)\nput(e.who, 'list', a)", LONG),
    ("deep tuple", "a = ()\nfor b in range(10000):\n    a = (a,)\nput(e.who, 'list', a)", DEEP),
    ("copies of a list", "a = [0] * 100000\nb = []\nwhile True:\n    b.append(a[:])", STEPS),
    ("copies of a word", "a = 'x' * 100000\nb = []\nwhile True:\n    b.append(a.upper())", STEPS),
    ("looking for something", "a = [0] * 100000\nwhile True:\n    1 in a", STEPS),
    ("news without end", "while True:\n    tell(None, 'x' * 10000)", "too much happens"),
    ("long news", "tell(None, 'x' * 30000)", "news has at most"),
    ("facts without end", "while True:\n    fact('x', y=1)", "too much happens"),
    ("long facts", "while True:\n    fact('x', text='y' * 1000)", "too much happens"),
    ("things without end", "while True:\n    create('question')", "too many things"),
    ("timers without end", "a = 0\nwhile True:\n    a += 1\n    at(now() + a, 'ring')", "too many timers"),
    (
        "words put without end",
        "while True:\n    put(e.who, 'word', 'x' * 150000)\n    put(e.who, 'word', '')",
        "an entry changes",
    ),
    ("prose without end", "enact('9.1', text='It is so. ' * 20000)", "a rule has at most"),
    ("long program", "enact('9.1', text='x', code='# so\\n' * 30000)", "its program"),
    ("rules without end", "while True:\n    enact('9.1', text='x')", "too many programs"),
    ("programs without end", "while True:\n    run_once('a = 1')", "too many programs"),
    ("caught", "try:\n    while True:\n        pass\nexcept:\n    pass", STEPS),
    (
        "caught again and again",
        "while True:\n    try:\n        while True:\n            pass\n    except:\n        pass",
        STEPS,
    ),
    ("caught growth", "try:\n    a = 'x' * 10**10\nexcept Exception:\n    put(e.who, 'money', 7)", LONG),
    ("caught and refused", "try:\n    while True:\n        pass\nexcept:\n    refuse('no')", STEPS),
    ("loop at last", "try:\n    1 // 0\nfinally:\n    while True:\n        pass", STEPS),
    ("recursion that catches", "def f():\n    try:\n        f()\n    except:\n        f()\nf()", DEEP),
    ("may not", "do('go', may=True, who=e.who)", "paradox"),
    ("SystemExit", "raise SystemExit(0)", "RuntimeError: SystemExit"),
    ("KeyboardInterrupt", "raise KeyboardInterrupt('x')", "RuntimeError: KeyboardInterrupt"),
    ("BaseException", "raise BaseException('x')", "RuntimeError: BaseException"),
    ("exit", "exit()", "exit"),
    ("die without sides", "chance.die(0)", "a die has 1 to 1000000"),
    ("die of too few sides", "chance.die(-2)", "a die has 1 to 1000000"),
    ("die of too many sides", "chance.die(10**30)", "a die has 1 to 1000000"),
    ("one in none", "chance.one_in(0)", "one in 1 to 1000000"),
    ("sample of many", "a = tuple(range(3000))\nwhile True:\n    chance.sample(a, 3000)", STEPS),
    ("half a character", "tell(None, chr(55357))", "chr() arg"),
    ("half a character by a format", "tell(None, f'{55357:c}')", "Invalid Unicode code point"),
    ("half a character by a format put together", "tell(None, f'x{57343:>3{chr(99)}}')", "Invalid Unicode code point"),
    ("half a character by format()", "tell(None, format(55357, 'c'))", "Invalid Unicode code point"),
    ("half a character by %", "tell(None, '%c' % 55357)", "%c arg"),
    ("great width by format()", "tell(None, format(5, '900000000d'))", "too wide"),
]
DOUBLING = "\n".join(f"def f{at}():\n    f{at - 1}()\n    f{at - 1}()" for at in range(1, 41))


def hostile(program: str) -> dict:
    program = program.replace("DOUBLING", "def f0():\n    pass\n" + DOUBLING)
    return rule("1.1", "@action('go')\ndef go(e):\n" + textwrap.indent(program, "    "))


def fault_of(program: str, runtime: str) -> tuple[dict, str]:
    """The fault of an order that runs a program, and the hash of the journal's line; nothing else has changed by it."""
    game = small_game(hostile(program), HONEST, runtime=runtime)
    before = game.state_hash()
    outcome = game.order("Ann", "go", {}, START)
    assert outcome.fault is not None, f"it went well: {outcome.refused} {outcome.facts} {outcome.changes}"
    assert "limit" not in game.journal.last(), "it is a fault of the rule, and follows again in a replay"
    assert game.state_hash() == before, "a fault leaves the state as it was"
    done(game.order("Ben", "work", {}, START + 1))
    assert game.value("money", "Ben") == 6
    last = game.journal.last()["hash"]
    verify(game.journal.lines(), "monty" if runtime == "monty" else "cpython")
    game.runtime.close()
    return outcome.fault, last


@pytest.mark.parametrize(("name", "program", "message"), HOSTILE, ids=[each[0] for each in HOSTILE])
def test_the_same_fault_in_every_interpreter(name, program, message):
    here, there = fault_of(program, "cpython"), fault_of(program, "monty")
    assert here == there
    assert here[0]["rule"] == "1.1"
    assert here[0]["line"] >= 2
    assert message in here[0]["message"]


# what ends elsewhere than in the rule that the order calls
ELSEWHERE = [
    ("half a character in a word", "run_once('tell(None, \"' + chr(92) + 'ud83d\")')", "admin", "half a character"),
    ("value of itself", "a = value('endless')", "1.2", DEEP),
    ("program that is put together", "run_once('while ' + 'True:\\n    pass')", "admin", STEPS),
    ("name of a counter", "enact('9.1', text='x', code='__budget' + '_step = 1')", "9.1", "kernel's own"),
]


@pytest.mark.parametrize(("name", "program", "where", "message"), ELSEWHERE, ids=[each[0] for each in ELSEWHERE])
def test_the_same_fault_elsewhere(name, program, where, message):
    here, there = fault_of(program, "cpython"), fault_of(program, "monty")
    assert here == there
    assert here[0]["rule"] == where
    assert message in here[0]["message"]


# what an honest rule may do as ever
HONEST_PROGRAMS = [
    ("many turns", "put(e.who, 'money', sum([a % 3 for a in range(10000)]))", 9999),
    ("a queue", "a = [3]\nfor b in a:\n    if b:\n        a.append(b - 1)\nput(e.who, 'money', len(a))", 4),
    ("recursion", "def f(n):\n    return 1 if n < 2 else n * f(n - 1)\nput(e.who, 'money', f(12))", 479001600),
    ("words", "a = ', '.join([str(b) for b in range(5)])\nput(e.who, 'money', len(f'{a:>30}'))", 30),
    ("zip and enumerate", "put(e.who, 'money', sum([a * b + c for c, (a, b) in enumerate(zip((1, 2), (3, 4)))]))", 12),
    ("types", "put(e.who, 'money', int(isinstance('x', str)) + len([*map(str, (1, 2))]))", 3),
    (
        "types under a name",
        "many, one = (int, str, tuple), tuple\n"
        "put(e.who, 'money', isinstance('x', many) + 2 * isinstance((), one) + 4 * isinstance(e.who, many)"
        " + len(many[1](345)))",
        6,
    ),
    ("powers", "put(e.who, 'money', 2**40 % 1000 + pow(7, 5, 13) + (1 << 3))", 795),
    ("in", "put(e.who, 'money', (3 in range(5)) + ('x' in range(5)) + (2 not in (1, 2)))", 1),
    ("match", "match 'a':\n    case str():\n        put(e.who, 'money', 8)", 8),
    ("while and else", "a = 3\nwhile a:\n    a -= 1\nelse:\n    put(e.who, 'money', 6)", 6),
    ("any of a generator", "put(e.who, 'money', 4 if any(a > 2 for a in (1, 2, 3)) else 0)", 4),
    ("a key", "put(e.who, 'money', sorted((3, 1, 2), key=lambda a: -a)[0])", 3),
    (
        "greatest by a key",
        "put(e.who, 'money', max((3, 9, 4), key=lambda a: a % 5) * 10 + min(7, 2, key=lambda a: a))",
        92,
    ),
    (
        "sorted downwards",
        "put(e.who, 'word', str(sorted((12, 31, 11), key=lambda a: a // 10, reverse=True)))\nput(e.who, 'money', 1)",
        1,
    ),
    (
        "defaults",
        "def f(a, b=2, *c, d=4, **g):\n    return a + b + sum(c) + d + len(g)\nput(e.who, 'money', f(1, 2, 3, x=1))",
        11,
    ),
]


@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
@pytest.mark.parametrize(("name", "program", "money"), HONEST_PROGRAMS, ids=[each[0] for each in HONEST_PROGRAMS])
def test_counters_change_nothing_that_a_rule_does(name, program, money, runtime):
    game = small_game(hostile(program), HONEST, runtime=runtime)
    done(game.order("Ann", "go", {}, START))
    assert game.value("money", "Ann") == money
    game.runtime.close()


@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
def test_a_timer_that_sets_itself_again_for_the_same_moment_pauses_the_game(runtime, monkeypatch):
    from nomopoly.runtime import calendar

    monkeypatch.setattr(calendar, "MOST_AT_ONE_MOMENT", 30)
    game = small_game(hostile("at(now() + 5, 'again', who=e.who)"), HONEST, runtime=runtime)
    done(game.order("Ann", "go", {}, START))
    game.run_due(START + 60)
    assert game.disrupted()
    assert "rule 1.2" in game.value("pause_because", "game")
    assert game.n < 50
    assert game.run_due(START + 600) == []
    done(game.admin("resume", {}, START + 600))
    assert verify(game.journal.lines()).entries == game.n + 1
    game.runtime.close()


def test_a_player_gives_so_many_orders_a_day(monkeypatch):
    from nomopoly.runtime import host

    monkeypatch.setattr(host, "MOST_ORDERS_A_DAY", 3)
    monkeypatch.setattr(host, "MOST_REFUSALS_A_DAY", 2)
    game = small_game(hostile("refuse('no')"), HONEST)
    for at in range(3):
        done(game.order("Ann", "work", {}, START + at))
    assert "go on after 2026-03-03T00:00:00Z" in game.order("Ann", "work", {}, START + 9).refused
    again = host.load_game(game.journal, runtime="cpython")
    assert "go on after 2026-03-03T00:00:00Z" in again.order("Ann", "work", {}, START + 9).refused, (
        "also after a restart"
    )
    snapshot = host.load_game(game.journal, runtime="cpython", snapshot=host.take_snapshot(game))
    assert "go on after 2026-03-03T00:00:00Z" in snapshot.order("Ann", "work", {}, START + 9).refused
    done(game.order("Ben", "work", {}, START + 9))
    for _ in range(2):
        assert game.order("Ben", "go", {}, START + 10).refused == "no"
    assert "refused today" in game.order("Ben", "work", {}, START + 10).refused
    done(game.order("Ann", "work", {}, START + 86400))
    done(game.order("Ben", "work", {}, START + 86400))


@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
def test_a_game_holds_so_much_and_the_way_out_stays_open(runtime):
    """Timers and things up to their limits, in as many entries as that takes; then a fault, and the Admin still
    acts."""
    fill = "for a in range(900):\n    at(now() + 10**6, 'ring')"
    game = small_game(hostile(fill), HONEST, CHANGING, runtime=runtime)
    outcomes = [game.order("Ann", "go", {}, START + at) for at in range(1 + budgets.MOST_TIMERS // 900)]
    assert [outcome.ok for outcome in outcomes] == [True] * (len(outcomes) - 1) + [False]
    assert "a game has at most 5000" in outcomes[-1].fault["message"]
    done(game.admin("pause", {"kind": "disruption", "because": "x"}, START + 99))
    done(game.admin("emergency-propose", {"title": "x", "changes": []}, START + 99))
    game.runtime.close()


def test_the_size_of_the_state_is_known_without_counting_it():
    program = (
        "put(e.who, 'word', e.who.word + 'x' * 5000)\nput(e.who, 'list', (1, ('a', 2)))\nif e.who.id == "
        "'Ben':\n    1 // 0"
    )
    game = small_game(hostile(program), HONEST)
    world = game.runtime._names["world"]
    for name in ("Ann", "Ben", "Ann"):
        game.order(name, "go", {}, START)
    assert world.size >= 10000
    size = world.size
    game.runtime.call("restore", {"state": game.state()})
    assert world.size == size
    game.runtime.close()


@pytest.mark.parametrize("part", ["ab", 7, 10**30, None, (), (1, ("ab",)), [1, [("ab", 2)]], {1: (2,)}, {2, 3}])
def test_what_is_there_several_times_weighs_so_many_times(part):
    def weight(*parts):
        return budgets.weight_of(parts, 100_000, 20) - budgets.weight_of((), 100_000, 20)

    assert weight(part, part, part) == 3 * weight(part)
    assert weight(part, "x", part, 5, part) == 3 * weight(part) + weight("x") + weight(5)
    assert weight([part, part], [part, part]) == weight([part], [part], part, part)


def test_a_list_within_itself_is_too_deep():
    code = "@action('go')\ndef go(e):\n    a = []\n    a.append(a)\n    a.append(a)\n    return a == [a]"
    for runtime in minigames.RUNTIMES:
        game = small_game(rule("1.1", code), runtime=runtime)
        assert "too deep" in game.order("Ann", "go", {}, START).fault["message"]
        game.runtime.close()


def test_a_choice_has_so_many_options():
    code = "@action('go', n=one_of(lambda who: tuple(range(6000))))\ndef go(e):\n    pass"
    for runtime in minigames.RUNTIMES:
        game = small_game(rule("1.1", code), HONEST, runtime=runtime)
        assert "too many choices" in game.order("Ann", "go", {"n": 5}, START).fault["message"]
        assert {each["id"] for each in game.actions("Ann")} >= {"go", "work"}
        game.runtime.close()


@settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))
@given(edition=st.sampled_from(editions()), seed=st.integers(1, 10**6))
def test_every_interpreter_counts_the_same_steps(edition, seed):
    """Turn by turn, in play of the shipped rules by themselves."""
    here, there = (Simulation(load(edition), 4, seed, runtime, "greedy") for runtime in minigames.RUNTIMES)
    for at in range(25):
        entry = {"kind": "tick", "do": "turn", "args": {"who": here.names[at % 4]}}
        assert here.enter(entry) == there.enter(entry)
        steps = here.runtime.call("steps"), there.runtime.call("steps")
        assert steps[0] == steps[1]
        assert 10 * steps[0] < budgets.MOST_STEPS, "honest play takes a tenth of a budget at most"
    there.runtime.close()
