"""What goes through something is counted under every name: kept in a variable, handed on, spread out, taken from its
value."""

import textwrap

import minigames
import pytest
from minigames import START, rule, small_game

STEPS, NAMED, NOT_FOR_RULES = "too many steps", "where you name it", "not for rules"
MANY = "range(3 * 10**6)"  # many times the steps of an entry, but no more than a second if nobody counts
TREE = "x = ()\nfor b in range(23):\n    x = (x, x)\n"
LARGE = "a = {b: b for b in range(9000)}\nwhile True:\n    "

HUNDRED = "a = {b: b for b in range(9000)}\nd = {*a}\nfor n in range(100):\n    "

# (program, what the fault says)
HOSTILE = [
    *[(f"f = {name}\nf({MANY})", STEPS) for name in ("list", "tuple", "frozenset")],
    ("f = dict\na = [(b, b) for b in range(100)]\nwhile True:\n    f(a)", STEPS),
    ("f = any\na = [0] * 300000\nf(a)", STEPS),
    ("f = all\na = [1] * 300000\nf(a)", STEPS),
    (f"{TREE}f = dict\nf([(x, 1)])", "too long"),
    (f"[list][0]({MANY})", STEPS),
    (f"(lambda f: f({MANY}))(list)", STEPS),
    (f"def f(g=list):\n    return g({MANY})\nf()", STEPS),
    (f"map(list, [{MANY}])", STEPS),
    (f"(f := list) == 1\nf({MANY})", STEPS),
    (f"isinstance(1, (f := list))\nf({MANY})", ""),
    (f"list[int]({MANY})", ""),
    (f"type([])({MANY})", NOT_FOR_RULES),
    (f"f = type(())\nf({MANY})", NOT_FOR_RULES),
    ("bytes(3 * 10**6)", NOT_FOR_RULES),
    ("(5).to_bytes(3 * 10**6, 'big')", NOT_FOR_RULES),
    (f"list(*[{MANY}])", STEPS),
    ("a = {'a': 1}\nwhile True:\n    dict(**a)", STEPS),
    (f"a = []\nf = a.extend\nf({MANY})", NAMED),
    (f"a = []\na.extend(*[{MANY}])", NAMED),
    (f"f = getattr([], 'extend')\nf({MANY})", NAMED),
    ("f = getattr([], '__mul__')\nf(3 * 10**6)", NOT_FOR_RULES),
    (f"f = dict.fromkeys\nf({MANY})", ""),
    (f"{TREE}a = {{}}\nf = a.get\nf(x)", NAMED),
    (f"{TREE}a = {{}}\na.get(*[x])", NAMED),
    (f"{TREE}1 in {{x}}", "too long"),
    (f"{TREE}a = {{1}}\nf = a.add\nf(x)", NAMED),
    (f"{TREE}a = {{1}}\na.update(*[[x]])", NAMED),
    (f"{TREE}a = [1]\nf = a.index\nf(x)", NAMED),
    ("a = 'x' * 300000\nf = a.upper\nwhile True:\n    f()", NAMED),
    ("f = 'x'.ljust\nf(3 * 10**6)", NAMED),
    (f"a, *b = {MANY}", STEPS),
    (f"(a, (b, *c)) = (1, {MANY})", STEPS),
    (f"for a, *b in [{MANY}]:\n    pass", STEPS),
    (f"x = [(1, 2)]\nfor a, *b in x:\n    if len(x) < 3:\n        x.append({MANY})", STEPS),
    (f"c = [b for a, *b in [{MANY}]]", STEPS),
    (f"a = []\na[:] = {MANY}", STEPS),
    ("a = [0] * 9000\nwhile True:\n    match a:\n        case [b, *c]:\n            pass", STEPS),
    (f"{LARGE}match a:\n        case {{1: b, **c}}:\n            pass", STEPS),
    (f"{LARGE}c = a | a", STEPS),
    (f"{LARGE}a |= a", STEPS),
    *[(f"{HUNDRED}c = a.keys() {sign} a.keys()", STEPS) for sign in "&|^-"],
    *[(f"{HUNDRED}c = d {sign} d", STEPS) for sign in "&|^-"],
    *[(f"{HUNDRED}d {sign}= {'d' if sign == '&' else '{-1}'}", STEPS) for sign in "&|^-"],
    ("d = {1}\nc = {*range(9000)}\nfor n in range(100):\n    (lambda: [d])()[0] -= c", STEPS),
    (f"{HUNDRED}a |= a", STEPS),
    (f"a = {{1: 2}}\na.keys() & {MANY}", STEPS),
    (f"a = {{1: 2}}\na.keys() | {MANY}", STEPS),
    (f"a = [[]]\na[0] += {MANY}", STEPS),
    (f"a = []\na += {MANY}", STEPS),
    ("a = [1]\na += None", "takes up the parts"),
    ("a = {1}\na &= [1]", "another set"),
    ("a = {1}\na - [1]", "another set"),
    ("a = ()\nfor b in range(1000):\n    a = (a,)\nb, *c = a", "too deep"),
]


def outcomes_of(program: str) -> list:
    """What an order that runs a program comes to, in each interpreter."""
    found = []
    for runtime in minigames.RUNTIMES:
        code = "@action('go')\ndef go(e):\n" + textwrap.indent(program, "    ")
        game = small_game(rule("1.1", code), runtime=runtime)
        outcome = game.order("Ann", "go", {}, START)
        found.append((outcome.fault, outcome.refused))
        game.runtime.close()
    return found


@pytest.mark.parametrize(("program", "message"), HOSTILE, ids=[program for program, _ in HOSTILE])
def test_another_name_is_no_way_round_the_budget(program, message):
    here, there = outcomes_of(program)
    assert here == there
    assert here[0] is not None, "it goes well"
    assert message in here[0]["message"]


# (program, what it comes to)
HONEST = [
    ("[*map(list, ['ab'])], [*map(tuple, [[1]])], (list if e else tuple)((1, 2))", "([['a', 'b']], [(1,)], [1, 2])"),
    ("list(), tuple(), dict(a=1), dict([(1, 2)], c=4), list(*['ab'])", "([], (), {'a': 1}, {1: 2, 'c': 4}, "
                                                                       "['a', 'b'])"),
    ("isinstance([], (list, tuple)), isinstance({}, list), isinstance(1, int)", "(True, False, True)"),
    ("type([]) is list, tuple is type(()), type(1) in (list, tuple), type({}) not in [list]", "(True, True, "
                                                                                              "False, True)"),
    ("[*map(any, [[0], [1]])], [*map(all, [[0], [1]])], dict.fromkeys((1, 2), 3)", "([False, True], [False, True], "
                                                                                   "{1: 3, 2: 3})"),
    ("getattr(e.who, 'id'), getattr(e, 'nothing', 5), rule.id, 5 | 2, {1: 2} | {3: 4}", "('Ann', 5, '1.1', 7, {1: "
                                                                                        "2, 3: 4})"),
    ("[sorted(each) for each in ({1, 2} - {2}, {1, 2} & {2}, {1, 2} ^ {2, 3}, {1: 2}.keys() & (1, 3))], 7 - now() * "
     "0, 6 & 3, 6 ^ 3", "([[1], [2], [1, 3], [1]], 7, 2, 5)"),
    ("[y for x, *y in ((1, 2), (3, 4, 5))]", "[[2], [4, 5]]"),
]  # fmt: skip


@pytest.mark.parametrize(("program", "value"), HONEST, ids=[program for program, _ in HONEST])
def test_honest_programs_are_as_ever(program, value):
    assert outcomes_of(f"refuse(str(({program})))") == [(None, value)] * 2


def test_what_is_taken_apart_is_as_ever():
    program = """
a, *b = (1, 2, 3)
c = [0, 0]
for x, *y in ((1, 2), (3,)):
    c.append(y)
c[:2] = [7]
match (1, 2):
    case (x, *y):
        c.append(y)
match {1: 2, 3: 4}:
    case {1: x, **z}:
        c.append(z)
match c:
    case list():
        c.append(0)
a |= 6
d = c
d += range(2)
b += "xy"
f = {1, 2, 5}
g = f
f -= {1}
f |= {3}
f ^= {3, 4}
f &= {2, 4, 7}
f.add(8)
j = k = {1: 2}
k |= {3: 4}
h = {"i": (1,)}
h["i"] += (2,)
refuse(str((a, b, c, sorted(g), h, j)))
"""
    wanted = "(7, [2, 3, 'x', 'y'], [7, [2], [], [2], {3: 4}, 0, 0, 1], [2, 4, 8], {'i': (1, 2)}, {1: 2, 3: 4})"
    assert outcomes_of(program) == [(None, wanted)] * 2
