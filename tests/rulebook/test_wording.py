"""Rules said by choices: the program they make, what is told of it, and whoever goes through the second door at
random."""

import ast
import functools
import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wordings import at_random

from nomopoly.cli import run
from nomopoly.rulebook.changes import apply_changes
from nomopoly.rulebook.check import check_changes
from nomopoly.rulebook.source import Book, load_edition
from nomopoly.rulebook.wording.form import NotInForm, controls, from_form, pressed, starts, to_form
from nomopoly.rulebook.wording.offers import offers
from nomopoly.rulebook.wording.program import program
from nomopoly.rulebook.wording.prose import prose
from nomopoly.rulebook.wording.read import read
from nomopoly.rulebook.wording.tell import share_told, tell, tell_run
from nomopoly.runtime.scenarios import play

EDITIONS = ("original", "mail", "ii", "iv")


@functools.cache
def game(edition):
    """An edition, and what it offers."""
    book = load_edition(edition)
    return book, offers(book.records, book.commons)


def record(code, params=None, text="T"):
    """A rule of a player's."""
    about = {"id": "99.1", "section": "99", "section_title": "", "title": "T", "since": 0, "made_by": "P1"}
    return {**about, "text": text, "params": params or {}, "code": code}


def said(edition, fields):
    """The rule that fields say: its sentences, its change of the rulebook, and its record."""
    book, offered = game(edition)
    sentences, problems = from_form(fields, offered)
    assert problems == []
    code, params = program(sentences)
    text = prose(sentences, offers(book.records, book.commons, record(code, params)))
    return (
        sentences,
        {"enact": "99.1", "title": "T", "text": text, "params": params, "code": code},
        record(code, params, text),
    )


def problems_of(edition, change):
    book, _ = game(edition)
    return [str(each) for each in check_changes([change], "", book.records, book.commons) if each.level == "error"]


# ---- the example that everything is measured by


def toll(owner, condition):
    """Landing on a square that somebody else owns costs $2 a number, paid to the owner, not more than $100."""
    return {
        "0.form": "when",
        "0.event": "land",
        "0.how": "after",
        **condition,
        "0.then.0": "pay",
        "0.then.0.who": "e.who",
        "0.then.0.to": owner,
        "0.then.0.amount": "least",
        "0.then.0.amount.of.0": "math",
        "0.then.0.amount.of.0.op": "times",
        "0.then.0.amount.of.0.left": "number",
        "0.then.0.amount.of.0.left.value": "$2",
        "0.then.0.amount.of.0.right": "e.square.number",
        "0.then.0.amount.of.1": "number",
        "0.then.0.amount.of.1.value": "100",
    }


OWNED = toll("e.square.owner", {"0.if": "owned by another", "0.if.of": "e.square", "0.if.than": "e.who"})
HELD = 'value("occupant", e.square)'
OCCUPIED = toll(HELD, {"0.if": "another", "0.if.of": HELD, "0.if.than": "e.who"})
TOLLS = {  # what is said, what is told of it, what is Ben's, and what Ann pays for landing there
    "original": (OWNED, "a player lands on a square that somebody else owns", {"#8": {"owner": "Ben"}}, 16),
    "mail": (OWNED, "somebody lands on a square that somebody else owns", {"#15": {"owner": "Ben"}}, 30),
    "ii": (OWNED, "somebody lands on a square that somebody else owns", {"#8": {"owner": "Ben"}}, 16),
    "iv": (
        OCCUPIED,
        "a player lands on a square whose occupant is somebody else",
        {"warrior-1": {"owner": "Ben", "square": "#8"}},
        16,
    ),
}


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_toll_is_told_back_in_the_sentence_in_which_it_was_said(edition):
    fields, clause, _, _ = TOLLS[edition]
    book, _ = game(edition)
    sentences, change, rule = said(edition, fields)
    owner = "occupant" if edition == "iv" else "owner"
    rest = "times the number of the square, but at most"
    assert change["text"] == f"When {clause}, they pay the {owner} of the square ${{rate}} {rest} ${{most}}."
    assert change["params"] == {"rate": 2, "most": 100}
    assert problems_of(edition, change) == []
    [told] = tell(rule, [*book.records, rule], book.commons)
    assert told["whole"]
    assert told["text"] == f"When {clause}, they pay the {owner} of the square $2 {rest} $100."
    assert [each.sentence for each in read(rule)] == sentences


def played(edition, change, given, steps, runtime):
    """Why a scenario fails in which a rule is in force, or None."""
    book, _ = game(edition)
    with_rule = Book(book.edition, book.title, apply_changes(book.records, [change]), book.commons)
    data = {"scenario": "a rule said", "edition": edition, "players": ["Ann", "Ben"], "given": given, "steps": steps}
    return play.run(data, "a rule said", runtime, book=with_rule).failure


@pytest.mark.parametrize("runtime", ["cpython", "monty"])
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_toll_is_felt_at_the_next_landing(edition, runtime):
    fields, _, given, toll = TOLLS[edition]
    _, change, _ = said(edition, fields)
    paid = {"what": "paid", "who": "Ann", "to": "Ben", "amount": toll, "rule": "99.1"}
    steps = [{"turn": "Ann", "draws": [3, 4]}, {"expect": {"events": [paid]}}]
    assert played(edition, change, given, steps, runtime) is None


# ---- whatever can be chosen


@pytest.mark.parametrize("edition", EDITIONS)
@settings(max_examples=8)
@given(chance=st.randoms(use_true_random=False))
def test_whatever_the_second_door_makes_is_read_back_as_it_was_said(edition, chance):
    book, offered = game(edition)
    made = at_random(offered, chance.choice)
    if made is None:
        return
    _, sentences = made
    code, params = program(sentences)
    drafted = record(code, params)
    with_rule = offers(book.records, book.commons, drafted)
    told = [each.sentence for each in read(drafted, with_rule.catalogues)]
    assert sorted(map(str, told)) == sorted(map(str, sentences))
    assert from_form(to_form(sentences), offered) == (sentences, [])
    assert prose(sentences, with_rule)
    assert all(each["whole"] for each in tell(drafted, [*book.records, drafted], book.commons))


@pytest.mark.parametrize("edition", EDITIONS)
def test_whatever_the_second_door_makes_passes_the_check(edition):
    book, offered = game(edition)
    for seed in range(6):
        made = at_random(offered, random.Random(f"{edition} {seed}").choice)
        if made is not None:
            code, params = program(made[1])
            assert (
                problems_of(edition, {"enact": "99.1", "title": "T", "text": "T", "params": params, "code": code}) == []
            )


# ---- the editions, told


@pytest.mark.parametrize(("edition", "least"), [("original", 95), ("mail", 80), ("ii", 80), ("iv", 90)])
def test_so_many_of_a_hundred_handlers_are_told_whole(edition, least):
    book, _ = game(edition)
    found = share_told(book.records, book.commons)
    assert 100 * found["whole"] >= least * found["handlers"], found["untold"]


@pytest.mark.parametrize(
    ("code", "text"),
    [
        (
            '@action("elect", "Elect", ballot="count", whom=choose("player", "Whom", choices=others))\ndef '
            "f(e):\n    pass",
            "A player who chooses “Elect” and says “whom” gives a vote, which is counted as “count” happens.",
        ),
        (
            '@action("nap", "Nap", private=True, at_once=True, in_pause=True)\ndef f(e):\n    gain(e.who, 5)',
            "When a player chooses “Nap” (the order is kept from the others, waits for no update and is possible in "
            "a pause), "
            "they get $5.",
        ),
        (
            '@check("land")\ndef f(e):\n    return e.square.number > 3',
            "Before a player lands on a square, it is expressly allowed if the number of the square is more than 3.",
        ),
        (
            '@check("land")\ndef f(e):\n    return None',
            "Before a player lands on a square, there is nothing against it.",
        ),
        (
            '@after("land")\ndef f(e):\n    if e.square.number > 3:\n        if e.who.money < 5:\n'
            "            gain(e.who, 5)\n        else:\n            lose(e.who, 5)",
            "When a player lands on a square, if the number of the square is more than 3, "
            "[if their money is less than $5, they get $5, otherwise they lose $5].",
        ),
        (
            '@after("land")\ndef f(e):\n    for each in players():\n        if each is not e.who:\n            '
            "pay(each, e.who, 3)\n    return",
            "When a player lands on a square, (1) for each of all players if that player is not them: that player "
            "pays them $3; "
            "(2) nothing more of this happens.",
        ),
        (
            '@instead("land")\ndef f(e):\n    if chance_of(e.who):\n        return False',
            "Before a player lands on a square, if the “chance of” of them is not empty (nothing, no or 0), it does "
            "not happen.",
        ),
        ('@after("land")\ndef f(e):\n    yield 1', "What “f” does cannot be told in sentences: read lines 1 to 3."),
    ],
)
def test_a_program_is_told_as_it_is(code, text):
    book, _ = game("original")
    rule = record(code)
    [told] = tell(rule, [*book.records, rule], book.commons)
    assert told["text"] == text
    assert told["whole"] is not ("chance" in text or "cannot" in text)
    assert bool(told["untold"]) is not told["whole"]


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (
            "in-force",
            "When a proposal is implemented, for each of all players: that player gets $5.",
        ),  # its sentence: implemented{again}
        (
            "use-item",
            "When a player uses an item, for each of all players: that player gets $5.",
        ),  # its sentence: uses a {item}
    ],
)
def test_what_happens_is_told_with_the_articles_and_endings_it_has(event, text):
    book, _ = game("iv")
    rule = record(f'@after("{event}")\ndef f(e):\n    for who in players():\n        gain(who, 5)')
    assert tell(rule, [*book.records, rule], book.commons)[0]["text"] == text


@pytest.mark.parametrize(
    ("run", "told"),
    [
        ("for who in players():\n    gain(who, 100)", ["For each of all players: that player gets $100."]),
        (
            'create("square", number=last_number() + 1)\nrepeal("V.1")',
            [
                "A square is made (number: the highest number of a square plus 1), and then rule V.1 is repealed.",
            ],
        ),
        ("gain(proposal.author, 5)", ["The author of this proposal gets $5."]),
        (
            "def twice(n):\n    return 2 * n\n\n\nfor who in players():\n    gain(who, twice(who.money))",
            [
                "“twice” of the n is 2 times the n.",
                "For each of all players: that player gets the “twice” of the money of that player.",
            ],
        ),
        ("import os", ["What this does cannot be told in sentences: read line 1."]),
        ("def (", []),
        ("", []),
        (7, []),
    ],
)
def test_a_program_that_runs_once_is_told(run, told):
    book, _ = game("original")
    assert [each["text"] for each in tell_run(run, book.records, book.commons)] == told


def test_a_moment_of_which_no_sentence_says_what_happens_then_is_not_said_to_do_nothing():
    book, _ = game("iv")
    code = (
        'calendar("fine-review", weekday=0, hour=6)\n\n\n'
        '@on("fine-review")\ndef review(e):\n    fine = value("turn_fine")\n    fine = max(20, min(500, fine + 1))\n'
        '    if fine > 5:\n        amend("8.3", params={"turn_fine": fine})\n'
    )
    told = [each["text"] for each in tell(record(code), book.records, book.commons)]
    assert told[0] == "Every Monday at 6:00, “fine review” happens."
    assert "read lines" in told[1]


def test_a_moment_of_the_calendar_is_told_with_its_time_also_if_the_log_has_a_sentence_for_it():
    book, _ = game("original")
    code = 'calendar("payday", weekday=0, hour=12, say="It is payday")\n\n\n@on("payday")\ndef f(e):\n    for who in players():\n        gain(who, 1)\n'
    rule = record(code)
    [told] = tell(rule, [*book.records, rule], book.commons)
    assert told["text"] == "Every Monday at 12:00, for each of all players: that player gets $1."
    [part] = read(rule)
    assert 'say="It is payday"' in program([part.sentence])[0]
    with pytest.raises(NotInForm):
        to_form([part.sentence])
    rule = record('attribute("game", "weeks", 0, label="Weeks")\n')
    assert tell(rule, [*book.records, rule], book.commons)[0]["text"] == "The game has “Weeks”, 0 at first."


def test_a_moment_of_the_calendar_whose_hour_is_a_number_of_the_rule_is_told():
    book, _ = game("original")
    code = 'calendar("dusk", hour=rule.dusk)\n\n\n@on("dusk")\ndef do_dusk(e):\n    for who in players():\n        gain(who, 1)'
    rule = record(code, {"dusk": 20})
    told = "Every day at 20:00, for each of all players: that player gets $1."
    assert tell(rule, [*book.records, rule], book.commons)[0]["text"] == told
    [part] = read(rule)
    assert program([part.sentence]) == (code, {"dusk": 20})
    for odd in ({}, {"dusk": "late"}, {"dusk": None}):
        rule = record(code, odd)
        assert tell(rule, [*book.records, rule], book.commons)[0]["text"].startswith("As “dusk” happens")


def test_who_sees_what_a_rule_keeps_is_told_and_who_gets_a_notice():
    book, _ = game("original")
    declared = {
        'attribute("player", "bid", 0, label="Bid", show="owner")': "Every player has “Bid”, 0 at first; only the owner sees it.",
        'attribute("player", "bid", 0, label="Bid", show=("owner", "admin"))': "Every player has “Bid”, 0 at first; "
        "only the owner and the Admin see it.",
        'attribute("player", "bid", 0, label="Bid", show=("owner", "shown"))': "Every player has “Bid”, 0 at first; "
        "only the owner sees it until “shown” holds.",
        'attribute("player", "bid", 0, label="Bid", show="shown")': "Every player has “Bid”, 0 at first; "
        "nobody sees it until “shown” holds.",
        'attribute("player", "due", None, label="Due", show="admin", moment="game")': "Every player has “Due”, "
        "nothing at first; only the Admin sees it.",
        'kind("lot", label="Lot", numbered="number", page=True)': "There can be things called “Lot”.",
        'event("outbid", "outbid", who="player", to="player", notify=("who", "to"))': "“outbid” can happen, with who and "
        "to; a notice of it goes to who and to.",
    }
    for code, text in declared.items():
        rule = record(code + "\n")
        [told] = tell(rule, [*book.records, rule], book.commons)
        assert (told["text"], told["whole"]) == (text, True)
        [part] = read(rule)
        assert ast.dump(ast.parse(program([part.sentence])[0])) == ast.dump(ast.parse(code)), "nothing is left out"


def test_what_stands_on_a_square_and_a_rule_that_goes_are_told_so():
    book, _ = game("original")
    code = (
        'kind("flag", prefix="flag-", label="Flag")\nattribute("flag", "square", None, type="thing")\n\n\n'
        '@after("land")\ndef f(e):\n    if len(here(e.square, "flag")) > 3:\n        repeal(rule.id)\n'
    )
    rule = record(code)
    assert tell(rule, [*book.records, rule], book.commons)[-1]["text"] == (
        "When a player lands on a square, if the number of entries in the flags on the square is more than 3, "
        "this rule is repealed."
    )


def test_a_rule_is_told_on_the_command_line(capsys):
    assert run(["tell", "original", "--rule", "IV.4"]) == 0
    printed = capsys.readouterr().out
    assert "- As a player pays another player an amount, their money goes down by the amount, and then " in printed
    assert printed.endswith("2 of 2 handlers are told whole.\n")
    assert run(["tell", "original", "--rule", "99.1"]) == 1
    assert "there is no rule 99.1 in" in capsys.readouterr().err


# ---- odd games and odd fields

ODD = """
kind("flag")
kind("Ünding", label="")
event("bang", say="{who} {nobody} {", who="player", amount="")
event("1", fact="x")
event("hush")
attribute("flag", "größe", 0, label="")
attribute(("flag", "player"), "owner", None, type="thing", label="{who}")
attribute("player", "class", 0)
@value("odd", of="nothing-like-it", label="")
def odd(a, b=1): return a
@value("plain")
def plain(): return ()
row("x", "y")
@action("go", "", thing=choose(""), other=one_of(lambda who: ()))
def go(e): pass
@word
def gadget(id, name, *more): row("gadget", id, name=name)
gadget(*())
"""


def odd_game():
    rules = [
        record(ODD),
        {**record("this is no program ("), "id": "99.2"},
        {**record(""), "id": "99.3", "params": None},
    ]
    many = "".join(f'attribute("player", "a{at}", 0)\nevent("e{at}", who="player")\n' for at in range(700))
    return offers([*rules, {**record(many), "id": "99.4"}])


@settings(max_examples=12)
@given(
    chance=st.randoms(use_true_random=False),
    fields=st.dictionaries(st.text("012.ifthenowabc", max_size=12), st.text(max_size=20)),
)
def test_odd_declarations_and_odd_fields_break_nothing(chance, fields):
    offered = odd_game()
    from_form(fields, offered)
    for button in ("add:", "remove:0", "add:0.then", "remove:0.then.0", "remove:", "x"):
        assert isinstance(pressed(fields, button), dict)
    form = chance.choice(starts())["fields"]
    for each in controls({**fields, **form}, offered):
        assert all(isinstance(choice["label"], str) for choice in each["choices"])


def test_odd_programs_are_told_as_far_as_they_can_be():
    for code in (
        ODD,
        "x = 1",
        "def f(e): return e",
        "@after('a')\ndef f(e):\n    yield 1",
        "@after(1)\ndef f(): pass",
        "(",
        "",
    ):
        for each in tell(record(code), []):
            assert each["text"]
            assert each["whole"] or each["untold"]


def test_no_sentence_is_begun_yet():
    _, offered = game("iv")
    assert from_form({}, offered)[0] == []
    assert [each["name"] for each in controls({}, offered)] == ["0.form", "add:"]


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_menu_of_events_begins_with_what_a_newcomer_looks_for(edition):
    fields = {"0.form": "when", "0.event": "", "0.how": "after", "0.if": ""}
    menu = next(each["choices"] for each in controls(fields, game(edition)[1]) if each["name"] == "0.event")
    groups = list(dict.fromkeys(each["group"] for each in menu if each["group"]))
    assert groups == [
        "What happens",
        "What players do",
        "What the Admin does",
        "Things made",
        "Known by their names alone",
    ]
    assert len(menu) == len({each["id"] for each in menu})
    for each in menu:
        nameless = "” happens" in each["label"]
        assert nameless == (each["group"] == groups[-1]), each
        assert not re.search(r"\b(an until|a verdict)\b", each["label"])


@pytest.mark.parametrize("edition", EDITIONS)
def test_owners_are_asked_for_only_where_something_that_is_owned_can_be_named(edition):
    def choices(fields, name):
        return [
            each["id"] for each in next(c for c in controls(fields, game(edition)[1]) if c["name"] == name)["choices"]
        ]

    fields = {"0.form": "when", "0.event": "land", "0.how": "after", "0.if": ""}
    asked = [each for each in choices(fields, "0.if") if "owned" in each]
    assert bool(asked) == (edition != "iv"), "in iv no square has an owner"
    for condition in asked:
        assert choices({**fields, "0.if": condition}, "0.if.of")
    if edition == "iv":
        units = {**fields, "0.then.0": "each", "0.then.0.kind": "unit", "0.then.0.as": "unit"}
        assert "owned by another" in choices(units, "0.then.0.if"), "but units have"


def test_an_item_that_is_taken_away_leaves_no_gap():
    fields = {"0.then.0": "stop", "0.then.1": "gain", "0.then.1.who": "e.who", "0.then.2": "lose"}
    assert pressed(fields, "remove:0.then.0") == {"0.then.0": "gain", "0.then.0.who": "e.who", "0.then.1": "lose"}
    assert pressed(fields, "add:0.then") == {**fields, "0.then.3": ""}


# ---- several sentences in one rule, in force


def medals(edition):
    """Medals for landing, a number that is higher, something that is forbidden, and a payday."""
    value, of = {"ii": ("square_price", "square"), "iv": ("attack", "unit")}.get(edition, ("market_value", "square"))
    forbidden = "build" if edition == "iv" else "buy-square"
    return {
        "0.form": "attribute",
        "0.kind": "player",
        "0.label": "Medals",
        "0.default": "2",
        "0.show": "all",
        "1.form": "when",
        "1.event": "land",
        "1.how": "after",
        "1.if": "compare",
        "1.if.left": "e.square.number",
        "1.if.op": ">",
        "1.if.right": "number",
        "1.if.right.value": "3",
        "1.then.0": "raise",
        "1.then.0.of": "e.who",
        "1.then.0.name": "medals",
        "1.then.0.by": "number",
        "1.then.0.by.value": "4",
        "1.then.1": "tell",
        "1.then.1.to": "nothing",
        "1.then.1.text": "{who} has a medal",
        "2.form": "value",
        "2.value": value,
        "2.then.0": "change",
        "2.then.0.how": "times" if edition == "mail" else "more",
        "2.then.0.amount": "number",
        "2.then.0.amount.value": "7",
        "3.form": "when",
        "3.event": forbidden,
        "3.how": "forbidden",
        "3.then.0": "forbid",
        "3.then.0.because": "the office is shut",
        "4.form": "every",
        "4.weekday": "-1",
        "4.hour": "13",
        "4.minute": "30",
        "4.then.0": "each",
        "4.then.0.kind": "player",
        "4.then.0.then.0": "gain",
        "4.then.0.then.0.who": "each",
        "4.then.0.then.0.amount": "number",
        "4.then.0.then.0.amount.value": "$1,005",
    }


BENT = {
    "original": {"#8": {"market_value": 87}},
    "ii": {"#8": {"square_price": 207}},
    "mail": {"#8": {"market_value": 560}},
    "iv": {"warrior-1": {"attack": 17}},
}
SHUT = {"iv": {"by": "Ann", "do": "build", "building": "fort"}}


@pytest.mark.parametrize("runtime", ["cpython", "monty"])
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_rule_of_five_sentences_is_in_force(edition, runtime):
    sentences, problems = from_form(medals(edition), game(edition)[1])
    assert problems == []
    code, params = program(sentences)
    change = {"enact": "99.1", "title": "T", "text": "T", "params": params, "code": code}
    assert problems_of(edition, change) == []
    steps = [
        {"turn": "Ann", "draws": [3, 4]},
        {
            "expect": {
                "Ann": {"medals": 6},
                "Ben": {"medals": 2},
                "events": [{"what": "told", "text": "Ann has a medal"}],
                **BENT[edition],
            }
        },
        {"order": SHUT.get(edition, {"by": "Ann", "do": "buy-square"}), "refused": "the office is shut"},
        {"advance": "1d"},
        {"expect": {"events": [{"what": "gained", "who": "Ben", "amount": 1005, "rule": "99.1"}]}},
    ]
    given = {"warrior-1": {"owner": "Ben", "square": "#20"}} if edition == "iv" else {}
    assert played(edition, change, given, steps, runtime) is None


@pytest.mark.parametrize(("edition", "rows"), [("original", False), ("iv", True), ("ii", True)])
def test_a_row_is_offered_where_a_catalogue_takes_one(edition, rows):
    _, offered = game(edition)
    assert ("row" in {each["id"] for each in starts(offered)}) is rows
    form = next(each for each in controls({"0.form": "when"}, offered) if each["name"] == "0.form")
    assert ("row" in {each["id"] for each in form["choices"]}) is rows


def test_a_label_that_is_no_noun_is_quoted():
    _, offered = game("original")
    fields = {"0.form": "when", "0.event": "land", "0.if": "compare"}
    told = {choice["label"] for each in controls(fields, offered) for choice in each["choices"]}
    assert "the “option of” of the square" in told
    assert "the “over” of the game" in told
    assert "the owner of the square" in told
    assert not [each for each in told if "of of" in each or "the over" in each]


def test_a_number_that_is_too_long_is_told_so():
    _, offered = game("original")
    fields = {"0.form": "when", "0.event": "land", "0.then.0": "gain", "0.then.0.who": "e.who"}
    for said, told in (
        ("9" * 20, "at most 1,000,000,000,000"),
        ("-1.5", "give a whole number"),
        ("x", "give a whole number"),
    ):
        problems = from_form({**fields, "0.then.0.amount": "number", "0.then.0.amount.value": said}, offered)[1]
        assert any(told in each["message"] for each in problems), (said, problems)


@pytest.mark.parametrize("edition", ["original", "mail", "ii", "iv"])
def test_no_choice_takes_a_preposition_or_a_verb_for_a_noun(edition):
    _, offered = game(edition)
    fields = {"0.form": "button", "0.label": "Go", "0.if": "compare", "0.then.0": "gain"}
    told = {choice["label"] for each in controls(fields, offered) for choice in each["choices"]}
    assert [each for each in told if each.startswith("the “in the bank” of")] or edition != "ii"
    assert not [each for each in told if re.match(r"the (in|to|on|for|until|may|is|has|had|can|without) ", each)]
