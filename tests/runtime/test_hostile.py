"""Hostile programs made of shapes: refused, a fault or harmless, never late and never wrong; `make soak` tries a
thousand (hostile.py)."""

import dataclasses
import os

import hostile
import measured
import minigames
import pytest
from minigames import CHANGING, START, rule, small_game

from nomopoly.rulebook.source import load_edition
from nomopoly.runtime.host import open_game
from nomopoly.runtime.verify import verify

COUNT = int(os.environ.get("HOSTILE") or 2)


def test_hostile_programs_do_no_harm():
    counted, wrong, worst = hostile.run(COUNT, first=int(os.environ.get("HOSTILE_SEED") or 40))
    assert not wrong, "\n".join(wrong)
    assert sum(counted.values()) >= COUNT
    assert worst["worker MB"] < 600


def test_the_table_of_what_became_of_them_leaves_none_out():
    counted, wrong, worst = hostile.run(2, first=20003)
    lines = hostile.table(counted, [*wrong, "x"], worst).splitlines()
    rows = [[each.strip() for each in line.strip("|").split("|")] for line in lines if line.startswith("|")][2:]
    assert [row[0] for row in rows] == [*hostile.OUTCOMES.values(), "all"]
    assert sum(int(row[1]) + int(row[2]) for row in rows[:-1]) == 2
    assert int(rows[-1][1]) + int(rows[-1][2]) == 2
    assert f"Wrong: {len(wrong) + 1}." in lines[-1]
    assert f"{worst['worker MB']} MB at most in a worker" in lines[-1]


NESTED = {
    "functions": "x = " + "lambda: " * 90 + "1",
    "sums": "def f(e):\n    x = " + "e+(" * 110 + "1" + ")" * 110,
    "comprehensions": "def f(e):\n    x = " + "[" * 110 + "1" + " for a in e]" * 110,
    "loops": "".join(" " * k + "for a in ():\n" for k in range(21)) + " " * 21 + "pass",
}


@pytest.mark.parametrize("what", NESTED)
def test_what_one_interpreter_cannot_read_none_reads(what):
    faults = []
    for runtime in minigames.RUNTIMES:
        game = small_game(CHANGING, rule("1.2", "@action('x')\ndef x(e):\n    pass"), runtime=runtime)
        outcome = minigames.change(game, {"enact": "9.1", "text": "x", "code": NESTED[what]})
        faults.append(outcome.fault)
        verify(game.journal.lines(), runtime)
        game.runtime.close()
    assert faults[0] == faults[1]
    assert "within one another" in faults[0]["message"] or "deeply nested" in faults[0]["message"]


TREES = "a = ()\n    c = ()\n    for b in range(24):\n        a = (a, a)\n        c = (c, c)\n    "


@pytest.mark.parametrize("compare", ["a == c", "1 < 2 < 3 and 1 == b - 22 == 1 != a <= c"])
def test_to_compare_large_trees_is_counted(compare):
    """Two trees of 16 million tuples each, made of 24: the guard ended it after 20 seconds of work."""
    faults = []
    for runtime in minigames.RUNTIMES:
        game = small_game(rule("1.1", f"@action('go')\ndef go(e):\n    {TREES}{compare}\n"), runtime=runtime)
        faults.append(game.order("Ann", "go", {}, START).fault)
        game.runtime.close()
    assert faults[0] == faults[1]
    assert "too long" in faults[0]["message"]


def test_honest_comparisons_are_as_ever():
    program = "put(e.who, 'money', 7 if (1, e.who.id) == (1, 'Ann') and e.who.money < 6 <= 5 + 1 != len('xx') else 8)"
    for runtime in minigames.RUNTIMES:
        code = f"attribute('player', 'money', 5)\n\n\n@action('go')\ndef go(e):\n    {program}\n"
        game = small_game(rule("1.1", code), runtime=runtime)
        minigames.done(game.order("Ann", "go", {}, START))
        assert game.value("money", "Ann") == 7
        game.runtime.close()


@pytest.mark.parametrize("act", ["insert(0, 1)", "insert(len(a) // 2, a.pop(0))", "reverse()", "sort()"])
def test_to_move_the_parts_of_a_long_list_is_counted(act):
    faults = []
    for runtime in minigames.RUNTIMES:
        code = f"@action('go')\ndef go(e):\n    a = [0] * 300000\n    while True:\n        a.{act}\n"
        game = small_game(rule("1.1", code), runtime=runtime)
        faults.append(game.order("Ann", "go", {}, START).fault)
        game.runtime.close()
    assert faults[0] == faults[1]
    assert "too many steps" in faults[0]["message"]


LONG = """
a.pop(0) | a[:1] = [] | a[:0] = [1] | b = 5 in a | a.insert(0, 1) | a.reverse()
b = s[-1] | b = s[-2:] | b = len(s) | b = s.startswith('a') | b = s.endswith(('a', 'b')) | b = s.isalpha() | b = s.isidentifier()
b = s.split('b') | b = s.rsplit('b') | b = s.partition('b') | b = s.rpartition('b') | b = s.strip('é') | b = s.find('b') | b = s.count('b')
b = 5 in d.values() | b = (5, 6) in d.items() | b = s in d.values() | b = d.items() == d.items()
b = find(w) | b = pending(w) | b = name_of(w) | b = list(map(name_of, [w])) | put(e.who, 'several', w) | p = put; p(e.who, 'several', w)
b = chance.dice([6] * 1000) | b = int('9' * 4000) | i = int; b = i('9' * 4000) | b = str(d.items()) | cancel('later', what=w)
b = pow(n, 3, n - 1) | b = pow(n, n, n - 1) | b = c == c | b = c < [(0, 0)] | b = {tuple(c): 1}
"""
LONG_ACTS = [each.strip() for each in LONG.replace("\n", "|").split("|") if each.strip()]
MADE = """a = [0] * 300000
    s = 'é' * 300000
    d = dict.fromkeys(range(30000))
    w = ('word',) * 20000
    n = 7
    for turn in range(1200):
        n *= 8
    c = [(turn, turn) for turn in range(9000)]
    """


@pytest.mark.parametrize("act", LONG_ACTS)
@pytest.mark.parametrize("within", ["{}", "f()"])
def test_what_goes_through_something_long_is_counted_wherever_it_stands(act, within):
    """Each took a step, of 160,000, and up to four thousandths of a second: an order went on until the guard ended
    it."""
    lines = act.replace("; ", "\n        ")
    inner = f"def f():\n        {lines}\n    {MADE}" if within == "f()" else MADE
    turns = f"for turn in range(300):\n        {within.format(lines)}\n"
    declared = "attribute('player', 'several', ())\nevent('later', what='')\n\n\n"
    faults = []
    for runtime in minigames.RUNTIMES:
        code = f"{declared}@action('go')\ndef go(e):\n    {inner}{turns}"
        game = small_game(rule("1.1", code), runtime=runtime)
        begun = measured.worked()
        outcome = game.order("Ann", "go", {}, START)
        assert measured.worked() - begun < 2 * measured.slowness()
        faults.append(outcome.fault)
        if outcome.fault is None and runtime == "cpython":
            assert game.runtime._names["steps_taken"]() > 300 * 50
        game.runtime.close()
    assert faults[0] == faults[1]
    assert faults[0] is None or "too many steps" in faults[0]["message"]


MANY = {  # what a pause that ends puts off: a rule that makes much of it
    "timers": "for n in range(900):\n        at(now() + 60 + n, 'later', what='')",
    "moments": "for n in range(1500):\n        create('gem')",
}


@pytest.mark.parametrize("made", MANY.values(), ids=MANY)
def test_a_pause_that_ends_counts_all_that_it_puts_off(made):
    """Each turn moved a thousand timers for one step, and noted how to undo that: the memory was used up first."""
    faults = []
    declared = "event('later', what='')\nkind('gem')\nattribute('gem', 'due', None, moment='game')\n"
    many = f"@action('many')\ndef many(e):\n    {made}\n"
    turns = "@action('go')\ndef go(e):\n    while True:\n        pause('x')\n        resume()\n"
    for runtime in minigames.RUNTIMES:
        game = small_game(rule("1.1", f"{declared}\n\n{many}\n\n{turns}"), runtime=runtime)
        minigames.done(game.order("Ann", "many", {}, START))
        begun = measured.worked()
        faults.append(game.order("Ann", "go", {}, START).fault)
        assert measured.worked() - begun < 2 * measured.slowness()
        game.runtime.close()
    assert faults[0] == faults[1]
    assert "too many steps" in faults[0]["message"]
    assert faults[0]["rule"] == "1.1"


def test_words_of_an_edition_count_what_they_put_in_order():
    """A rule that asks for the squares by number, of a board of 1,000, took 1 step each time."""
    book = load_edition("ii")
    code = "@action('go', by='admin')\ndef go(e):\n    for turn in range(2000):\n        in_sequence()\n"
    wider = "@action('wider', by='admin')\ndef wider(e):\n    add_squares(1000)\n"
    book = dataclasses.replace(book, records=[*book.records, rule("99.1", f"{code}\n\n{wider}")])
    game = open_game(book, title="W", game_id="w", runtime="cpython", at=START, secret=minigames.SECRET)
    minigames.done(game.admin("wider", {}, START))
    fault = game.admin("go", {}, START).fault
    game.runtime.close()
    assert "too many steps" in fault["message"]


def test_no_interpreter_looks_for_the_inverse_of_a_number():
    faults = []
    for runtime in minigames.RUNTIMES:
        game = small_game(rule("1.1", "@action('go')\ndef go(e):\n    a = pow(3, -1, 7)\n"), runtime=runtime)
        faults.append(game.order("Ann", "go", {}, START).fault)
        game.runtime.close()
    assert faults[0] == faults[1]
    assert "takes no negative exponent" in faults[0]["message"]


@pytest.mark.parametrize("digits", ["2 - 10**9", "-5000", "-(2**70)"])
def test_to_round_away_more_digits_than_a_number_has_takes_no_time(digits):
    code = (
        f"attribute('player', 'money', 5)\n\n\n@action('go')\ndef go(e):\n    put(e.who, 'money', round(7, {digits}))\n"
    )
    for runtime in minigames.RUNTIMES:
        game = small_game(rule("1.1", code), runtime=runtime)
        minigames.done(game.order("Ann", "go", {}, START))
        assert game.value("money", "Ann") == 0
        game.runtime.close()


@pytest.mark.parametrize(
    ("text", "number"), [("round(7)", 7), ("round(1267, -2)", 1300), ("round(25, -1)", 20), ("round(7, 3)", 7)]
)
def test_rounding_is_as_ever(text, number):
    code = f"attribute('player', 'money', 5)\n\n\n@action('go')\ndef go(e):\n    put(e.who, 'money', {text})\n"
    for runtime in minigames.RUNTIMES:
        game = small_game(rule("1.1", code), runtime=runtime)
        minigames.done(game.order("Ann", "go", {}, START))
        assert game.value("money", "Ann") == number
        game.runtime.close()


SHARED = """
a = sorted([x, x]) | a = min(x, y) | a = max([x, y]) | a = sorted([1, 2], key=lambda b: (x, b)) | a = min(1, 2, key=lambda b: (x, b))
f = sorted; f([x, y]) | l = [x, y]; l.sort() | l = [1, 2]; l.sort(key=lambda b: (x, b)) | a = [y].index(x) | a = [y].count(x)
l = [x]; l.remove(y) | a = x in (y, 1) | a = x not in [y] | a = 1 < 2 in [x] in [y] | a = x == y | a = x != y | a = x < y
a = {x} | a = {x: 1} | a = {b for b in [x, y]} | a = {b: 1 for b in [x, y]} | a = frozenset((x,)) | a = dict([(x, 1)])
d = {}; d[x] = 1 | a = {y: 1}[x] | a = {}.get(x) | d = {}; d.setdefault(x, 1) | a = {}.pop(x, 1) | s = {1}; s.add(x)
s = {1}; s.update([x]) | a = dict.fromkeys([x]) | a = repr(x) | a = str(x) | a = f'{x}' | put(e.who, 'several', x) | tell(e.who, str(x))
a = find(x) | a = pending(x) | a = name_of(x) | a = chance.pick([x, y]) | a = chance.card((x, y)) | a = chance.sample([x, y], 1) | refuse(x)
a = thing(x) | a = rows(x) | a = can_happen(x) | a = count(x) | f = find; f(x) | note(a=x) | fact("f", a=x) | a = list(map(find, [x]))
at(now(), "later", what=x) | cancel("later", what=x) | do_each("later", "what", [x]) | tell(x, "a") | a = every(x)
"""
ACTS = [each.strip() for each in SHARED.replace("\n", "|").split("|") if each.strip()]


@pytest.mark.parametrize("made", ["({0}, {0})", "[{0}, {0}]"])
def test_parts_that_are_shared_take_as_long_as_they_look(made):
    """Doubled 60 times, a tuple of two parts is one of 2**60 to whoever compares it, hashes it or makes a word of
    it."""
    code = "attribute('player', 'several', ())\nevent('later', what='')\n"
    for at, act in enumerate(ACTS):
        doubled = f"        x = {made.format('x')}\n        y = {made.format('y')}\n"
        lines = act.replace("; ", "\n    ")
        code += f"@action('go{at}')\ndef go{at}(e):\n    x = y = ()\n    for b in range(60):\n{doubled}    {lines}\n"
    faults = []
    for runtime in minigames.RUNTIMES:
        game = small_game(rule("1.1", code), runtime=runtime)
        faults.append([(act, game.order("Ann", f"go{at}", {}, START).fault) for at, act in enumerate(ACTS)])
        game.runtime.close()
    assert faults[0] == faults[1]
    for act, fault in faults[0]:
        assert fault, act
        ends = ("too long", "within one another", "too much", "must be a tuple")  # the last one where a list is put
        assert any(end in fault["message"] for end in ends), (act, fault["message"])


def test_honest_sorting_and_looking_up_are_as_ever():
    program = """
    l = [(2, "b"), (1, "a"), (2, "a")]
    l.sort(key=lambda each: each[1], reverse=True)
    d = {(1, 2): "x", "y": 3}
    d[(3, 4)] = d.get((1, 2)) + d.pop((5, 6), "-")
    s = {(1, 1), 2} | frozenset([3, 3])
    s.update([(4, 4)])
    found = (sorted(l), l, min(l), max(3, 9, 2), l.index((1, "a")), (2, "a") in l, 7 not in s, len(s), d[(3, 4)], "aXb".find("X"))
    put(e.who, "word", f"{found}")
"""
    words = []
    for runtime in minigames.RUNTIMES:
        code = f"attribute('player', 'word', '')\n\n\n@action('go')\ndef go(e):{program}"
        game = small_game(rule("1.1", code), runtime=runtime)
        minigames.done(game.order("Ann", "go", {}, START))
        words.append(game.value("word", "Ann"))
        game.runtime.close()
    kept = [(2, "b"), (1, "a"), (2, "a")]
    assert words == [str((sorted(kept), kept, (1, "a"), 9, 1, True, True, 4, "x-", 1))] * 2
