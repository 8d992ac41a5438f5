"""Rules that declare as much as a program can hold: what a change of the book costs grows with that, not with its
square."""

import measured
import minigames
import pytest
from minigames import CHANGING, change, done, rule, small_game

from nomopoly.kernel.budgets import MOST_HEARD, MOST_PROGRAM
from nomopoly.runtime.host import load_game
from nomopoly.runtime.journal import MemoryJournal

ACTION = "@action('a{}')\ndef a{}(e):0\n"
KIND = "kind('k{}x')\n"
WIDE = {  # what is declared again and again -> once each, and a line before all
    "actions": (ACTION, ""),
    "words": ("@word\ndef w{}():\n '''a'''\n", ""),
    "fields of a form": ("also_asks('b',f{}=number())\n", "@action('b')\ndef b(e):0\n"),
    "kinds that are heard of": (KIND + "@after('create-k{}x')\ndef h{}(e):0\n", ""),
    "handlers of one event": ("@after('work')\ndef h{}(e):0\n", "event('work')\n"),
    "votes": ("@action('b{}',ballot='count')\ndef b{}(e):0\n", "event('count',ballots='')\n"),
}
ALL = {  # handlers of what there is many of, as many as that
    "'*'": ACTION + "@check('*')\ndef c{}(e):0\n",
    "'create'": KIND + "@after('create')\ndef c{}(e):0\n",
}


def wide(once: str, before: str = "", most: int = MOST_PROGRAM) -> str:
    """A program that says the same of 0, 1, 2, ..., as often as one may be long."""
    program, count = before, 0
    while len(program) + len(once) + 40 < most:
        program, count = program + once.replace("{}", str(count)), count + 1
    return program


@pytest.mark.parametrize("what", WIDE)
def test_a_book_is_read_in_time_that_grows_with_it(what):
    game = small_game(CHANGING, runtime="monty")
    done(change(game, {"enact": "9.1", "text": "Wide.", "code": wide(*WIDE[what])}))
    lines = MemoryJournal(list(game.journal.lines()))
    with measured.within(0.25, measured.worked):
        again = load_game(lines, runtime="monty")
    assert again.state_hash() == game.state_hash()
    for each in (game, again):
        each.runtime.close()


@pytest.mark.parametrize("to", ALL)
def test_all_rules_together_have_so_many_handlers(to):
    """1,600 actions and as many handlers of '*' ran into the guard of 15 s, and the order was never carried out."""
    faults = []
    for runtime in minigames.RUNTIMES:
        game = small_game(CHANGING, runtime=runtime)
        with measured.within(0.7, measured.worked):
            faults.append(change(game, {"enact": "9.1", "text": "Wide.", "code": wide(ALL[to])}).fault)
        game.runtime.close()
    assert faults[0] == faults[1]
    assert f"rule 9.1: more than {MOST_HEARD} handlers" in faults[0]["message"]


def test_handlers_are_counted_in_the_whole_book():
    """No rule has as many as there may be; of several the last one is refused."""
    many = "event('x')\n" + "".join(f"@after('x')\ndef h{n}(e):0\n" for n in range(2400))
    game = small_game(CHANGING)
    for number in range(MOST_HEARD // 2400):
        done(change(game, {"enact": f"9.{number + 1}", "text": "Wide.", "code": many}))
    assert "handlers" in change(game, {"enact": "9.9", "text": "Wide.", "code": many}).fault["message"]
    again = load_game(MemoryJournal(list(game.journal.lines())), runtime="cpython")
    assert again.state_hash() == game.state_hash()
    for each in (game, again):
        each.runtime.close()


MANY = rule(
    "9.4",
    """kind("gem", "gem")
event("vanish", gem="gem")
@action("dig")
def dig(e):
    for k in range(1900):
        create("gem")
@on("vanish")
def vanish(e):
    destroy(e.gem)
    refuse("Not this one.")""",
)
WORD = rule("9.2", "@word\ndef fee():\n    return 0")
PLAIN = rule("9.3", "@after('go')\ndef note(e):\n    return fee()")
AMENDED = "change_rulebook([{{'amend': '9.{}', 'code': {}}}])"
READ = {  # what an entry does again and again -> why it breaks off
    "long programs": ("run_once('x = ' + str(k) + '\\n' + '#' * 40_000)", "too many steps"),
    "long rules": (AMENDED.format(3, "'x = ' + str(k) + '\\n' + '#' * 40_000"), "too many steps"),
    "handlers": (
        AMENDED.format(3, "'x = ' + str(k) + '\\n' + \"@check('*')\\ndef f(e):0\\n\" * 400"),
        "too many steps",
    ),
    "attributes of many things": (
        "change_rulebook([{'enact': '8.' + str(k), 'text': 'Of gems.', 'code': 'attribute(\"gem\", \"g' + str(k) + '\", 0)'}])",
        "too many steps",
    ),
    "things that go and come back": (
        "[do('vanish', may=True, gem=every('gem')[0]) for _ in range(2)]",
        "too many steps",
    ),
    "words": (AMENDED.format(2, "'@word\\ndef fee():\\n    return ' + str(k)"), "changes of words that rules lend"),
}


@pytest.mark.parametrize("what", READ)
def test_an_entry_reads_so_much(what):
    """190 changes of one word made all rules be read again 190 times: `ii` used up the memory of its worker."""
    body, said = READ[what]
    again = rule("9.1", f"@action('go', times=number())\ndef go(e):\n    for k in range(e.times):\n        {body}\n")
    faults = []
    for runtime in minigames.RUNTIMES:
        game = small_game(CHANGING, again, WORD, PLAIN, MANY, runtime=runtime)
        done(game.order("Ann", "dig", {}, game.now))
        done(game.order("Ann", "go", {"times": 2}, game.now))
        with measured.within(2, measured.worked):
            faults.append(game.order("Ann", "go", {"times": 190}, game.now).fault)
        game.runtime.close()
    assert faults[0] == faults[1]
    assert said in faults[0]["message"]
    assert (faults[0]["rule"], faults[0]["line"]) == ("9.1", 4)
