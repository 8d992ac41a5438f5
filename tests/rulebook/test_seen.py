"""What the check says of what rules declare for the pages."""

import ast

import pytest

from nomopoly.rulebook.check import check_changes
from nomopoly.rulebook.outline import declared_by
from nomopoly.rulebook.seen import seen_problems
from nomopoly.rulebook.source import editions, load_edition

BOOK = load_edition("iv")
PHASE = '@value("phase", of="proposal")\ndef phase(proposal):\n    return {}\n'


def problems(code):
    found = check_changes([{"enact": "9.20", "text": "Shown.", "code": code}], "", BOOK.records, BOOK.commons)
    return [f"{each.level} {each.line}: {each.message}" for each in found]


@pytest.mark.parametrize(
    "code",
    [
        'attribute("unit", "chosen", None, type="thing", asks="take-turn", until="chosen_until")\n'
        'attribute("unit", "chosen_until", None, moment="game")\n',
        '@value("rested", of="player", type="moment", asks="take-turn", until="turn_due_at", asking="rest no more")\n'
        "def rested(who):\n    return now()\n",
        '@action("thank", by="admin", weighty=True, done="{player} is thanked.", player=choose("player"), '
        'because=words("Because", wanted=True))\ndef thank(e):\n    pass\n',
        'catalogue("medal", for_sale=True)\nrow("medal", "gold", price=5)\n',
        'kind("flag", page=True)\n',
        '@action("meet", fact="met", say="{who} meets until {until_}: {face}", until_=moment("Until"))\n'
        "def meet(e):\n    note(face=3)\n",
        'event("drawn", "drawn", say="{who} draws {dice}", who="player", amount="")\n',
    ],
)
def test_declarations_for_the_pages_are_known(code):
    assert problems(code) == []


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ('attribute("unit", "mood", (), type="lst")\n', "warning 1: pages know no type 'lst': did you mean 'list'?"),
        ('attribute("unit", "mood", (), type="xyzzy")\n', "warning 1: pages know no type 'xyzzy': there are number, "),
        (
            'attribute("unit", "hand", (), show=("ower", "admin"))\n',
            "warning 1: nobody is meant by show='ower': did you mean 'owner'?",
        ),
        (
            'event("tide")\ncalendar("tide", weekday=7, hour=12)\n',
            "warning 2: this moment never comes: weekday is 7, and may be from -1 to 6",
        ),
        (
            'row("mood", "glad", worth=1)\nrow("mood", "sad", worth=2)\nrow("mood", "glad", worth=3)\n',
            "warning 3: the row 'glad' of 'mood' stands in line 1 already, and that one holds",
        ),
        (
            'attribute("unit", "chosen", None, type="thing", asks="take-trun")\n',
            "warning 1: there is no action 'take-trun' to ask for",
        ),
        (
            'attribute("unit", "chosen", None, type="thing", asks="take-turn", until="never")\n',
            "warning 1: there is no attribute or value 'never' that says until when",
        ),
        (
            'attribute("unit", "chosen", None, type="thing", until="turn_due_at")\n',
            "warning 1: `until` says by when something is asked: say what, asks=...",
        ),
        (
            '@action("thank", by="admin", done="{name} is thanked.", player=choose("player"))\ndef thank(e):\n  '
            "  pass\n",
            "warning 1: the form has no field 'name' to say when this is done",
        ),
        (
            '@action("meet", fact="met", say="{who} meets by {when}", when_=moment("When"))\ndef meet(e):\n    pass\n',
            "warning 1: the sentence has {when}, which is no field of 'meet': write {when_}",
        ),
        (
            'event("paid", "paid", say="{who} pays ${amuont}", who="player", amount="")\n',
            "warning 1: the sentence has {amuont}, which is no field of 'paid': write {amount}",
        ),
        (PHASE.format('"voting" if now() else "open"'), "warning 3: pages know no phase 'open': it is one of"),
        (
            PHASE.format('"done"').replace('"proposal")', '"unit")'),
            "warning 1: pages read the value 'phase' of a proposal",
        ),
        (
            '@value("result", of="proposal")\ndef result(proposal):\n    return "won"\n',
            "warning 3: pages know no result 'won': it is one of accepted, rejected",
        ),
    ],
)
def test_what_pages_could_not_show_is_told(code, said):
    assert any(each.startswith(said) for each in problems(code)), problems(code)


@pytest.mark.parametrize("edition", editions())
def test_the_editions_declare_what_pages_can_show(edition):
    book = load_edition(edition)
    declared = declared_by(book.records, book.commons)
    found = [
        (each["id"], *told)
        for each in book.records
        for told in seen_problems(ast.parse(each["code"]), declared, each["params"])
    ]
    assert found == []
    assert {"phase", "result", "standing"} <= declared.values
