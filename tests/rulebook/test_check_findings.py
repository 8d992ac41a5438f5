"""For each finding of the check the smallest program that is wrong and the smallest that is right; and no false
warnings."""

import re

import pytest
import shipped

from nomopoly.errors import CommandError
from nomopoly.lab.repeals import trouble_without
from nomopoly.lab.simulate import play_weeks
from nomopoly.rulebook.changes import apply_changes, read_data
from nomopoly.rulebook.check import check_changes
from nomopoly.rulebook.cli import proposals_of
from nomopoly.rulebook.source import editions, load_edition

BOOKS = {edition: load_edition(edition) for edition in editions()}


def found(code="", run="", edition="iv", changes=(), **parts):
    wanted = [*changes, *([{"enact": "99.1", "text": "w", "code": code, **parts}] if code else [])]
    return [str(each) for each in check_changes(wanted, run, BOOKS[edition].records, BOOKS[edition].commons)]


TOLL = '@value("x", bands=("add", "at_most"))\ndef x():\n    return 1\n\n\n@modify("x")\ndef more(base):\n    '
WRONG_AND_RIGHT = [
    ("what a value is of", '@value("x", of="player")\ndef x():\n    return 1', '@value("x", of="player")\ndef '
                                                                               'x(who):\n    return 1'),
    ("a modifier", '@modify("attack")\ndef x(base):\n    return add(1)', '@modify("attack")\ndef x(unit, base):\n    '
                                                                         'return add(1)'),
    ("a modifier of a setting", '@modify("turn_fine")\ndef x():\n    return add(1)', '@modify("turn_fine")\ndef '
                                                                                     'x(base):\n    return add(1)'),
    ("a contribution", TOLL + "return percent(5)", TOLL + "return add(5)"),
    ("a limit of a number", '@action("a", "A", many=number("Many", most=lambda: 5))\ndef a(e):\n    pass',
     '@action("a", "A", many=number("Many", most=5))\ndef a(e):\n    pass'),
    ("a field that is none", '@action("a", "A", many="Many")\ndef a(e):\n    pass',
     '@action("a", "A", many=words("Many"))\ndef a(e):\n    pass'),
    ("a notice of an action", '@action("a", "A", notify="who")\ndef a(e):\n    pass',
     'event("x", "x", say="{who}", notify="who", who="player")'),
    ("a marker", '@marker("square")\ndef x():\n    return ("X", "x")', '@marker("square")\ndef x(place):\n    return '
                                                                       '("X", "x")'),
    ("asking for a value", 'def x(e):\n    return value("attack")', 'def x(e):\n    return value("attack", e)'),
    ("going along", 'def x(e):\n    return along("distance", e, 2)', 'def x(e):\n    return along("successor", e, 2)'),
    ("do", 'def x(e):\n    do("pay", e.who)', 'def x(e):\n    do("pay", who=e.who, to=None, amount=1)'),
    ("a list in a form", '@action("a", "A", to=one_of(["b"]))\ndef a(e):\n    pass', '@action("a", "A", '
                                                                                     'to=one_of(("b",)))\ndef '
                                                                                     'a(e):\n    pass'),
    ("a list in a type", 'unit("elf", "Elf", hit_points=3, **{"x": [1]})', 'unit("elf", "Elf", hit_points=3)'),
    ("a default that is a list", 'attribute("player", "x", [])', 'attribute("player", "x", ())'),
    ("a field of an event", 'event("x", may="")', 'event("x", may_win="")'),
    ("a field of a form", '@action("a", "A", by=words("By"))\ndef a(e):\n    pass', '@action("a", "A", '
                                                                                    'by_=words("By"))\ndef '
                                                                                    'a(e):\n    pass'),
    ("an attribute that is a word of Python", 'attribute("player", "class", 0)', 'attribute("player", "rank", 0)'),
]  # fmt: skip


@pytest.mark.parametrize(("what", "wrong", "right"), WRONG_AND_RIGHT, ids=[each[0] for each in WRONG_AND_RIGHT])
def test_the_smallest_wrong_program_and_the_smallest_right_one(what, wrong, right):
    assert len(found(wrong)) == 1
    assert ": error: " in found(wrong)[0]
    assert found(right) == []


FOREIGN = "a square has no attribute 'owner'"


@pytest.mark.parametrize(
    ("body", "finds"),
    [
        ("    gain(e.square.owner, 1)", [3]),
        ("    for each in squares():\n        gain(each.owner, 1)", [4]),
        ("    gain(e.who, len([each for each in squares() if each.owner is e.who]))", [3]),
        ('    gain(e.who, len([each for each in every("square") if each.owner is e.who]))', [3]),
        (
            "    for who in players():\n        if [who for who in squares() if who.owner]:\n            gain(who, 1)",
            [4],
        ),
        ('    for each in here(e.square, "building"):\n        gain(each.owner, 1)', []),
        ("    for each in every(chance.pick(('square', 'building'))):\n        gain(each.owner, 1)", []),
        ('    for each in squares():\n        if each.kind == "building":\n            gain(each.owner, 1)', []),
        ("    for each in squares():\n        gain(attribute_of(each, 'owner'), each.owner)", []),
        ("    each = e.who\n    for each in squares():\n        gain(each.owner, 1)", []),
        ("    gain(e.who, len([each for each in (lambda squares: squares.owner)(1)]))", []),
    ],
)
def test_a_thing_of_a_known_kind_is_not_asked_for_what_only_others_have(body, finds):
    told = found(f'@after("land")\ndef f(e):\n{body}\n')
    assert [each for each in told if FOREIGN in each] == [
        f"rule 99.1 line {line}: warning: {FOREIGN}" for line in finds
    ]
    assert FOREIGN not in "".join(found(f'@after("land")\ndef f(e):\n{body}\n', edition="original"))


RUNS = [
    ('repeal("99.9")', 'repeal("8.3")', "there is no rule 99.9 to repeal"),
    ('amend("99.9", text="w")', 'amend("8.3", text="w")', "there is no rule 99.9 to amend"),
    ('repeal("8.3")\nrepeal("8.3")', 'if players():\n    repeal("8.3")\nelse:\n    repeal("8.3")', "repealed before"),
    ('repeal("99.1")\nenact("99.1", text="w")', 'enact("99.1", text="w")\nrepeal("99.1")', "there is no rule 99.1"),
]


@pytest.mark.parametrize(("wrong", "right", "sentence"), RUNS)
def test_a_program_that_repeals_what_is_not_there(wrong, right, sentence):
    assert len(found(run=wrong)) == 1
    assert sentence in found(run=wrong)[0]
    assert found(run=right) == []


def test_what_changes_repeal_is_gone_when_the_program_runs():
    assert any(
        "there is no rule 8.3 to repeal" in each for each in found(run='repeal("8.3")', changes=[{"repeal": "8.3"}])
    )


CATALOGUES = [
    ("iv", 'row("unti", "elf", name="Elf")', 'row("unit", "elf", name="Elf")', "unit"),
    ("ii", 'def f(e):\n    return rows("bilding")', 'def f(e):\n    return rows("building")', "building"),
    ("ii", 'def f(e):\n    return row_of("bilding", e)', 'def f(e):\n    return row_of("building", e)', "building"),
    ("ii", 'attribute("player", "hut", "", holds="bilding")', 'attribute("player", "hut", "", holds="building")',
     "building"),
    ("ii", 'row("bilding", "hut")', 'row("bilding", "hut")\ndef f(e):\n    return rows("bilding")', "building"),
    ("iv", 'catalogue("unti", for_sale=True)', 'catalogue("unit", for_sale=True)', "unit"),
]  # fmt: skip


@pytest.mark.parametrize(("edition", "wrong", "right", "meant"), CATALOGUES)
def test_a_catalogue_that_nothing_else_knows(edition, wrong, right, meant):
    assert len(found(wrong, edition=edition)) == 1
    assert f"warning: no other rule knows '{meant[:1]}" in found(wrong, edition=edition)[0]
    assert f"did you mean '{meant}'?" in found(wrong, edition=edition)[0]
    assert found(right, edition=edition) == []


LAND, FINE = '@after("land")\ndef f(e):\n    ', '@modify("turn_fine")\ndef f(base):\n    '
SLIPS = [
    (FINE + "return base + 50", FINE + "return add(50)", "returns add(...), set(...) or the like"),
    (FINE + "return 50 if base else None", FINE + "return set(50) if base else None", "returns add(...), set(...)"),
    (FINE + "return base", FINE + "return None", "returns add(...), set(...) or the like"),
    (FINE + "add(50)", FINE + "return add(50)", "write return add(...)"),
    (LAND + "e.who.money + 5", LAND + "gain(e.who, 5)", "this line changes nothing"),
    (LAND + "e.who.money == 5", LAND + 'put(e.who, "money", 5)', "this line changes nothing"),
    (LAND + "if e.who:\n        players()", LAND + "for each in players():\n        gain(each, 1)", "does nothing"),
    (LAND + "chance.die(6)", LAND + "gain(e.who, chance.die(6))", "does nothing"),
    (LAND + "return\n    gain(e.who, 5)", LAND + "gain(e.who, 5)\n    return", "after return"),
    (LAND + 'if e.who:\n        refuse("no")\n        gain(e.who, 5)', LAND + 'if e.who:\n        refuse("no")\n    '
     "gain(e.who, 5)", "after refuse(...)"),
    (LAND + 'if e.who == "Ann":\n        gain(e.who, 5)', LAND + 'if e.who.id == "Ann":\n        gain(e.who, 5)',
     "a player is no word: compare e.who.id"),
    (LAND + 'if "Ann" != e.who:\n        gain(e.who, 5)', LAND + 'if thing("Ann") != e.who:\n        gain(e.who, 5)',
     "a player is no word: compare e.who.id"),
    (LAND + "if e.square in (5, 7):\n        gain(e.who, 5)", LAND + "if e.square.number in (5, 7):\n        "
     "gain(e.who, 5)", "a square is no number: compare e.square.number"),
    (LAND + "for each in players():\n        if each == 'Ann':\n            gain(each, 5)",
     LAND + "for each in (5, 6):\n        if each == 5:\n            gain(e.who, each)", "a player is no word"),
    (LAND + 'if e.who.id is "Ann":\n        gain(e.who, 5)', LAND + "if e.who is e.mover:\n        gain(e.who, 5)",
     "compare words and numbers with =="),
    (LAND + "if chance.one_in(6) == 6:\n        gain(e.who, 5)", LAND + "if chance.one_in(6):\n        gain(e.who, 5)",
     "chance.one_in(...) is no number but yes or no"),
    (LAND + "if 12 == chance.dice((6, 6)):\n        gain(e.who, 5)", LAND + "if sum(chance.dice((6, 6))) == 12:\n"
     "        gain(e.who, 5)", "sum(...) adds them up"),
    (LAND + 'tell(e.who, "You are on {e.square}")', LAND + 'tell(e.who, f"You are on {e.square}")', "put an f before"),
    (LAND + "if e.square.number > '5':\n        gain(e.who, 5)", LAND + "if e.square.number > 5:\n        gain(e.who, 5)",
     "'number' keeps whole numbers, and '5' is none"),
    (LAND + "if 'Ann' == every('unit')[0].owner:\n        gain(e.who, 5)",
     LAND + "if every('unit')[0].owner == e.who:\n        gain(e.who, 5)", "'owner' keeps things, and 'Ann' is none"),
    (LAND + "if 'boots' == e.who.items:\n        gain(e.who, 5)", LAND + "if 'boots' in e.who.items:\n        "
     "gain(e.who, 5)", "'items' keeps tuples, and 'boots' is none"),
    (LAND + "if e.square.number == 5 or 6:\n        gain(e.who, 5)", LAND + "if e.square.number in (5, 6):\n        "
     "gain(e.who, e.who.money or 5)", "6 stands alone, and counts as yes"),
    (LAND + "if not e.square.number == (5 or 6):\n        gain(e.who, 5)", LAND + "if (e.who.money or 5) > 6:\n        "
     "gain(e.who, 5)", "5 stands alone, and counts as yes"),
    (LAND + "for each in players():\n        gain(max(players()), 5)", LAND + "for each in players():\n        "
     "gain(max(players(), key=lambda each: each.money), 5)", "things have no order: write max("),
    (LAND + "gain(e.who, -5)", LAND + "lose(e.who, 5)", "an amount is 0 or more"),
    (LAND + "gain(e, 5)", LAND + "gain(e.who, 5)", "e is what happens: write e.who, say"),
    (LAND + 'at(days(1), "land", who=e.who, mover=e.mover, square=e.square)',
     LAND + 'at(now() + days(1), "land", who=e.who, mover=e.mover, square=e.square)', "write at(now() + days(1), ...)"),
    (LAND + 'yes = yes_or_no("Well?")\n    tell(e.who, str(yes))', '@action("a", "A", well=yes_or_no("Well?"))\n'
     "def a(e):\n    pass", "is a field of a form"),
    ('@instead("pay")\ndef f(e):\n    e.but(amount=5)', '@instead("pay")\ndef f(e):\n    return e.but(amount=5)',
     "write return e.but(...)"),
    ('@instead("pay")\ndef f(e):\n    return 5', '@instead("pay")\ndef f(e):\n    return False', "comes e.but(...)"),
    ('@check("pay")\ndef f(e):\n    if e.amount > 5:\n        return False', '@check("pay")\ndef f(e):\n    '
     'if e.amount > 5:\n        return "too much"', "return False forbids nothing"),
    ('@value("luck", of="player")\ndef f(player):\n    player.money // 2', '@value("luck", of="player")\n'
     "def f(player):\n    return player.money // 2", "write return player.money // 2"),
    (LAND + 'put("game", "over", True)', LAND + 'put(thing("game"), "over", True)', "find it with thing(id)"),
    (LAND + "destroy(7)", LAND + "destroy(square(7))", "destroy(...) wants a thing, and 7 is none"),
    (LAND + 'do("pay", who=e.who)', LAND + 'do("pay", who=e.who, to=None, amount=5)',
     "leaves out what every other rule gives: to, amount"),
    (LAND + 'put(e.who, "money", "5")', LAND + 'put(e.who, "money", 5)', "'money' keeps whole dollars, and '5' is none"),
    (LAND + 'put(e.who, "square", e.square.id)', LAND + 'put(e.who, "square", e.square)',
     "'square' keeps things, and e.square.id is none"),
    ('@on("roll")\ndef f(e):\n    create("square", number=True)', '@on("roll")\ndef f(e):\n    create("square", number=9)',
     "'number' keeps whole numbers, and True is none"),
]  # fmt: skip


@pytest.mark.parametrize(("wrong", "right", "sentence"), SLIPS)
def test_a_slip_that_python_takes(wrong, right, sentence):
    assert len(found(wrong)) == 1, found(wrong)
    assert sentence in found(wrong)[0]
    assert found(right) == []


def test_slips_of_a_program_that_runs_once():
    assert found(run="for each in players():\n    each.money + 5") == [
        "run line 2: warning: this line changes nothing: write with put(thing, name, value)"
    ]
    assert found(run='refuse("no")\ngain(players()[0], 5)') == [
        "run line 2: warning: this line is never carried out: it stands after refuse(...)"
    ]


NO_SLIPS = [
    FINE + "base = add(50)\n    return base",
    LAND + "for e in players():\n        gain(e, 5)",
    LAND + "if e.who:\n        [gain(e, 5) for e in players()]",
    LAND + "pay(e.who, None, +5)",
    "NAME = 'mood'\nattribute('player', NAME, 0)\n@after('land')\ndef f(e):\n    for name in traits('player'):\n"
    "        if name == NAME:\n            put(e.who, name, 'glad')",
]


@pytest.mark.parametrize("code", NO_SLIPS)
def test_what_only_looks_like_a_slip(code):
    assert found(code) == []


def test_an_amount_below_zero_by_its_name():
    assert "an amount is 0 or more" in found(LAND + "pay(e.who, None, amount=-5)")[0]


def test_a_word_with_a_meaning_of_its_own_is_no_slip():
    assert found("def count(e):\n    gain(e.who, 5)\n\n\n@after('land')\ndef f(e):\n    count(e)\n") == []


def test_what_a_rule_did_already_is_no_slip_of_a_change():
    book = BOOKS["mail"]
    code = next(record["code"] for record in book.records if record["id"] == "IX.5")
    assert 'do("turn", may=True, who=e.who' in code, "it leaves out what all others give"
    amended = [{"amend": "IX.5", "code": code + "\n\nSIZE = 3\n"}]
    assert check_changes(amended, "", book.records, book.commons) == []
    again = code.replace("may=True, who=e.who", "who=e.who").replace("do(", 'do("pay", who=e.who)\n    do(', 1)
    assert [
        each.message for each in check_changes([{"amend": "IX.5", "code": again}], "", book.records, book.commons)
    ] == ['do("pay") leaves out what every other rule gives: to, amount']


def test_a_number_that_is_a_word_of_python():
    assert found("X = 1", params={"class": 1}) == [
        "rule 99.1: error: 'class' cannot name a number: it is a word of Python. Write class_"
    ]
    assert found("X = 1", params={"class_": 1}) == []


FALSE = [
    ("", "number = 5\nput(square(number - 1), 'name', 'x')"),
    ("", "for number in (2, 3):\n    put(square(number - 1), 'name', 'x')"),
    ("number = 4\n\n\ndef f(e):\n    return square(number - 1)", ""),
    ("def f(number):\n    return square(number - 1)", ""),
]


@pytest.mark.parametrize(("code", "run"), FALSE)
def test_a_word_of_the_language_may_name_something_of_ones_own(code, run):
    assert found(code, run) == []


SECOND = [
    "atribute('player', 'mood', 0)\n@after('land')\ndef f(e):\n    put(e.who, 'mood', e.who.mood + 1)",
    "evnt('boo', x='')\n@after('boo')\ndef f(e):\n    e.x",
    "@afer('land')\ndef f(e):\n    e.steps_left",
    "@after('lnd')\ndef f(e):\n    e.sqare",
    "def f(e):\n    return rule.bonus",
    "event('boo', x='')\nxyz((",
]


@pytest.mark.parametrize("code", SECOND)
def test_one_slip_is_one_error(code):
    assert len(found(code, text="You get ${bonus}." if "bonus" in code else "w")) == 1


def test_a_program_that_cannot_be_read_makes_no_errors_in_others():
    broken = {"enact": "99.1", "text": "w", "code": "event('boo', x='')\nkind('flag')\nxyz(("}
    leans = {"enact": "99.2", "text": "w", "code": "attribute('flag', 'x')\n@after('boo')\ndef f(e):\n    return e.x"}
    assert found(changes=[broken, leans], run='do("boo", x=1)') == [
        "rule 99.1 line 3: error: this is not Python: '(' was never closed"
    ]
    assert len(found(changes=[{"amend": "4.1", "code": "xyz(("}])) == 1


def test_what_leans_on_a_rule_that_goes_is_named_with_its_use():
    book = BOOKS["original"]
    fine = {
        "id": "X.1",
        "section": "X",
        "section_title": "Ours",
        "title": "",
        "text": "w",
        "params": {},
        "since": 3,
        "made_by": "P1",
    }
    fine["code"] = (
        'event("fine", who="player")\n\n\n@on("fine")\ndef fine(e):\n    if e.who.speeding:\n        do("pay", '
        "payer=e.who, amount=5)"
    )
    gone = [str(each) for each in check_changes([{"repeal": "VII.2"}], "", [*book.records, fine], book.commons)]
    assert gone == [
        "rule X.1 line 6: error: after these changes the attribute 'speeding' of a player is gone (rule VII.2 "
        "declares it)"
    ]
    assert found(edition="original", changes=[{"repeal": "VII.2"}]) == [], (
        "VII.1 asks first whether there is such a thing"
    )


def test_a_kind_goes_after_its_things():
    bare = [record for record in BOOKS["ii"].records if "absent(" not in record["code"]]
    warned = [str(each) for each in check_changes([{"repeal": "XV.1"}], "", bare, BOOKS["ii"].commons)]
    assert any("cannot go as long as there is an account" in each and 'repeal("XV.1")' in each for each in warned)
    assert any("rule IV.1 line 17: warning: after these changes the thing '$admin' is gone" in each for each in warned)


def gone(id, verb="repeal"):
    """What the check says of a rule that is not there (any more, or yet)."""
    return f"rule {id}: error: there is no rule {id} to {verb}"


def taken(id):
    return f"rule {id}: warning: there already is a rule of this number: the new one gets the next"


def unquoted(id):
    return f'changes: error: enact wants a number in quotes, "{id}": without them 13.10 would become 13.1'


# What scenarios are about: rules that are gone or there meanwhile, slips, and what they warn of truly. By edition and
# scenario.
IDLE = "warning: this line does nothing: nothing uses its result"
ON_PURPOSE = {
    "ii": {
        "ii, against B4: one alone with orders draws no order of players, and a whole Sunday is drawn in one row": [
            f"run line 1: {IDLE}"
        ],
        "ii I.3, a rule that gives way to another does so though it is older": [
            "rule XXXVI.1 line 2: warning: there is no rule XXXVI.2: did you mean 'XXXV.2'?"
        ],
        "B42: words alone become a rule that the players keep; the program that is added later leaves its age alone, "
        "a correction "
        "does not": [gone("XXXVI.1", "amend")],
        "B47: all are counted under the rules as they stand, then enacted by number; a later one overwrites an "
        "earlier one": [gone("XXXII.3")],
        "B47: what no longer fits the rules when it is enacted undoes that enactment alone, and the clock goes on": [
            "rule XXXVII.2 line 4: error: there is no value 'luck'"
        ],
        "B57: the way out is rejected once, then accepted; the turn that broke is taken and the update it "
        "interrupted is "
        "finished": [gone("XXXVII.1")],
        "D150: the rule can be repealed by proposal: that ends the offer, the patent stays a worthless item": [
            gone("XXXIV.p1")
        ],
        "ii, against B47: a rule that one accepted proposal repeals and the next amends": [gone("XXV.4", "amend")],
        "ii, against B57: two proposals that lead out at once, a resume against a fault that stays, and one that is "
        "retracted": [gone("XIII.6")],
    },
    "iv": {
        "iv, a program that runs once gives a rule its earlier form back, and voters read it": [
            "run line 2: error: 'restore' is not known here: did you mean 'sorted'?"
        ],
        "iv, Growth: an enchantment that lasts some days, cast with an item": [unquoted("13.1")],
        "iv, Growth: experience and levels, taken back": [unquoted("13.1")],
        "iv, Growth: a level that wins": [unquoted("13.1")],
        "iv, Growth: items in boxes on squares, new ones every week": [unquoted("14.1")],
        "iv, Growth: a shop with money and wares of its own": [unquoted("15.1")],
        "iv, Growth: a public market with standing requests to buy and to sell": [unquoted("16.1")],
        "iv, 1.3 a rule that gives way does so however old it is": [
            "rule 13.1 line 2: warning: there is no rule 13.2: did you mean '3.2'?"
        ],
        "iv, a rule that is gone since, and two rows of one rule": [gone("12.8/fort", "amend")],
        "iv, a number that is taken by now gives way to the next free one": [taken("13.1")],
        "iv, a tie leaves the game paused and the Admin begins again": [gone("13.1")],
        "iv, where section 9 is gone the kernel holds the vote on the way out": [
            "rule 9.5: warning: after these changes nobody can vote any more"
        ],
        "iv, where proposing breaks itself the kernel holds the vote on the way out": [gone("13.1")],
        "iv, against 10.1 and 10.3: a fault in an order pauses nothing, one in a turn does, and only a vote or a "
        "strike leads "
        "out": [gone("13.1")],
        "iv, against Settled and 9.7: the Admin's program takes the place of the voted one, the changes stay as "
        "voted, and "
        "Pending ones come in any order": [taken("13.1")],
        "iv, where votes break the Admin calls the kernel's vote": [gone("13.1")],
        "iv, without the rule that closes votes one votes all the same": [
            "rule 9.6: warning: after these changes no vote by 'vote' is ever counted"
        ],
        "iv, 4.3 what a die decides is no choice, what comes before it is": [f"rule 13.2 line 4: {IDLE}"],
        "iv, a type without hit points is destroyed as it appears": [
            "rule 12.7/ghost line 1: warning: its hit points are 0: such a one is destroyed as soon as it appears"
        ],
    },
    "mail": {
        "IX.3: accepted ones take effect one after the other, and one that cannot take effect any more stays "
        "undecided": [gone("XXI.6")],
        "VII.1: a rule about passing ends the move there, which is a landing": [taken("VII.7")],
        "mail, against IV.3: an award of less than nothing, an award to an account, a hundred for who has no purse": [
            "run line 1: warning: an amount is 0 or more: gain(...) gives, and lose(...) takes"
        ],
        "XXII.6: what broke in an update goes on when the game does": [f"rule XCIX.1 line 9: {IDLE}"],
        "IX.3: what breaks leaves its proposal undecided, and the others as they are": [f"run line 2: {IDLE}"],
        "IX.3: changes and program of a proposal are all or nothing": [f"run line 1: {IDLE}"],
        "Proposals of players: a debt amnesty, a cheaper way back, and the old one again": [
            "rule IV.6: error: only a game knows the earlier forms of its rules: name it with --game, or make this "
            "proposal there"
        ],
    },
    "original": {
        "Corrections, a rule that never ends is a fault with its line": [
            "rule X.1 line 3: warning: this loop never ends"
        ],
        "Growth, a number that is taken gets the next one, and what is not there cannot be amended": [
            taken("X.1"),
            gone("X.1"),
        ],
    },
}


FRACTION = re.compile(r"[-+]?[\d_]*(\.[\d_]*|e)[-+\de]*|[-+]?\.(inf|nan)", re.IGNORECASE)


def words_in(data):
    """All words in plain data."""
    if isinstance(data, str):
        yield data
    for part in (*data, *data.values()) if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from words_in(part)


def documents_of(edition):
    """The scenarios of an edition, as a proposal is read. That differs from how a scenario is read in fractions alone,
    which are numbers there; to read YAML takes long."""
    for file in sorted(shipped.folder_of(edition).glob("*.yaml")):
        documents = [document for _, document in shipped.read(file)]
        if any(FRACTION.fullmatch(word) for word in words_in(documents)):
            name, text = f"proposals-{edition}-{file.stem}", file.read_bytes()
            documents = shipped.as_kept(name, text, lambda: read_data(text.decode(), file.name, every=True))
        yield from documents


@pytest.mark.parametrize("edition", editions())
def test_the_check_is_silent_over_the_proposals_of_all_scenarios(edition):
    """But for those whose scenario says that they are refused or break, and for what it is about."""
    looked_at, told = 0, {}
    for document in documents_of(edition):
        records = BOOKS[edition].records
        refused = {
            str(step.get("propose") or step.get("admin") or step.get("order"))
            for step in document.get("steps", ())
            if {"refused", "fault"} & set(step)
        }
        for proposal in proposals_of(document):
            if str(proposal) in refused:
                continue
            changes, run = proposal.get("changes") or [], proposal.get("run") or ""
            problems = check_changes(changes, run, records, BOOKS[edition].commons)
            looked_at += 1
            known = told.setdefault(document.get("scenario"), [])
            known += [str(each) for each in problems if str(each) not in known]
            try:
                records = apply_changes(records, changes)
            except CommandError:
                break
    assert looked_at
    assert {scenario: messages for scenario, messages in told.items() if messages} == ON_PURPOSE[edition]


SAMPLE = {
    "original": ("I.5", "III.1", "II.2"),
    "iv": ("8.3", "4.2", "12.9/attack"),
    "mail": ("XXI.1", "XIV.1"),
    "ii": ("XXV.1", "XXXI.3/line"),
}


@pytest.mark.parametrize("edition", editions())
def test_play_goes_on_without_a_rule_on_which_the_check_is_silent(edition):
    """A sample; `nomopoly soak EDITION --repeals` goes through all rules."""
    game, _ = play_weeks(edition, 3, 1, 1, "cpython", "random")
    try:
        for id in SAMPLE[edition]:
            if not check_changes([{"repeal": id}], "", game.records(), game.commons()):
                assert trouble_without(game, id, days=2) == ""
    finally:
        game.runtime.close()


def amended(**params):
    return found(edition="original", changes=[{"amend": "V.1", "params": params}])


def test_a_number_that_nothing_reads_is_told_of():
    assert amended(marketvalue=3) == [
        "rule V.1: warning: nothing reads its new number 'marketvalue': did you mean 'market_value'?"
    ]
    assert amended(market_value=3) == []


def test_a_number_that_nothing_reads_has_those_of_the_rule_beside_it_and_may_be_called_as_a_word_of_the_language():
    told = found(edition="original", changes=[{"amend": "VIII.3", "params": {"days": 3}}])
    assert told == ["rule VIII.3: warning: nothing reads its new number 'days': its numbers are option_time"]
    assert amended(days=3) == ["rule V.1: warning: nothing reads its new number 'days': its numbers are market_value"]


def test_a_contribution_that_a_value_does_not_take_is_told_with_those_that_it_takes():
    told = found(TOLL + "return percent(5)")
    assert told == ["rule 99.1 line 8: error: 'x' takes no percent(...), only add(...), at_most(...)"]
    mail = '@modify("rent_due")\ndef x(who, place, base):\n    return percent(-50)'
    told = found(mail, edition="mail")
    assert told == ["rule 99.1 line 3: error: 'rent_due' takes no percent(...), only set(...), add(...), at_least(...)"]


def test_a_name_that_an_event_has_already_is_told_where_others_need_its_fields():
    action = '@action("bury", "Bury money", amount=number("Amount"))\ndef bury(e):\n    lose(e.who, e.amount)'
    told = found(action, edition="ii")
    field = "after these changes event 'bury' has no field 'card' (it has amount, who), as rule 99.1 declares it"
    assert f"rule XIV.5 line 17: error: {field}" in told
    assert found(action.replace('"bury"', '"bury-money"'), edition="ii") == []


def test_a_number_that_becomes_something_else_is_told_of():
    assert amended(market_value="3") == [
        "rule V.1: warning: the number 'market_value' has been 10, and becomes '3': a value of another sort"
    ]
    assert amended(market_value=True) == [
        "rule V.1: warning: the number 'market_value' has been 10, and becomes True: a value of another sort"
    ]
