"""A fault names the rule and the line where it broke, in both runtimes: in programs that rules put together, too."""

import pytest

from nomopoly.rulebook.source import load_edition
from nomopoly.runtime.copies import copy_of
from nomopoly.runtime.host import open_game
from nomopoly.runtime.interpreters import looking, probes

BOOK = load_edition("original")
START = 1772442000
LISTENING = '@after("roll")\ndef f(e):\n    {}\n'


@pytest.fixture(scope="module", params=["cpython", "monty"])
def game(request):
    running = open_game(BOOK, title="t", game_id="t", runtime=request.param, at=START, secret="ab" * 32)
    running.run_due(START)
    running.join("Ann", START)
    running.admin("approve-player", {"player": "Ann"}, START)
    yield running
    running.runtime.close()


def place(game, *, run="", turn=False, **rule):
    """(rule, line) of the fault that a proposal ends in when it comes into force, or (`turn`) in the turn after it."""
    copy = copy_of(game, runtime=game.runtime.name)
    copy.checks = False
    changes = [{"enact": "X.1", "text": "w", **rule}] if rule else []
    try:
        outcome = copy.put_in_force({"changes": changes, "run": run})
        if turn:
            assert outcome.ok
            outcome = copy.tick(copy.now, "turn", {"who": "Ann"})
        return outcome.fault["rule"], outcome.fault["line"]
    finally:
        copy.runtime.close()


def test_a_program_that_runs_once(game):
    assert place(game, run="x = 1\n\nx // 0") == ("admin", 3)


def test_a_program_that_a_program_has_put_together(game):
    assert place(game, run='run_once("x = 1\\n\\nx" + " // 0")') == ("admin", 3)


def test_a_program_that_a_rule_has_put_together(game):
    assert place(game, code=LISTENING.format('run_once("x = 1\\n\\nx" + " // 0")'), turn=True) == ("admin", 3)


def test_a_rule_that_a_rule_has_put_together(game):
    made = 'enact("X.2", text="w", code="X = 1\\nY = X" + " // 0")'
    assert place(game, code=LISTENING.format(made), turn=True) == ("X.2", 2)


def test_no_text_of_a_game_is_read_again_for_the_next_fault(game, monkeypatch):
    really, read = probes.counted_tree, []
    place(game, run="x = 1 // 0")
    monkeypatch.setattr(probes, "counted_tree", lambda code: read.append(code) or really(code))
    assert place(game, run=f"x = {len(game.runtime.name)} // 0") == ("admin", 1)  # another one for each interpreter
    assert [code for code in read if " " in code and "// 0" not in code] == []
    assert read, "the new program is"


@pytest.mark.parametrize(
    ("code", "line", "reads"),
    [
        (LISTENING.format("x = 1\n    x // 0"), 4, False),
        ("Y = 2\n" + LISTENING.format("for x in (2, 1, 0):\n        Y // x"), 5, False),
        ("@word\ndef own():\n    return 1\n\n\n" + LISTENING.format("x = own()\n    x // 0"), 9, True),
    ],
    ids=["a rule", "in a loop", "one that lends words"],
)
def test_the_rulebook_is_read_again_only_for_a_rule_that_others_have_got_hold_of(game, code, line, reads, monkeypatch):
    really, read = looking.place_in_book, []
    monkeypatch.setattr(looking, "place_in_book", lambda *asked: read.append(asked) or really(*asked))
    assert place(game, code=code, turn=True) == ("X.1", line)
    assert bool(read) is (reads and game.runtime.name == "monty")


def test_a_program_that_is_none(game):
    assert place(game, run="x = 1\ny = (\n") == ("admin", 2)


def test_a_rule_with_a_class(game):
    """CPython gives names within a class another form, so that counters were not there: no interpreter reads one."""
    code = LISTENING.format("x = 1") + "\n\n\nclass A:\n    def f(self):\n        return 'a' + self.b\n"
    assert place(game, code=code) == ("X.1", code.count("\n", 0, code.index("class")) + 1)


def test_a_number_that_no_rule_can_have(game):
    assert place(game, code="X = 1", params={"class": 3}) == ("X.1", 0)


def test_a_kind_that_goes_while_there_are_things_of_it(game):
    assert place(game, code='kind("flag")', run='create("flag")\nrepeal("X.1")') == ("X.1", 1)


def test_what_a_rule_declares_of_something_that_goes(game):
    copy = copy_of(game, runtime=game.runtime.name)
    copy.checks = False
    honk = {"enact": "X.1", "text": "Horns.", "code": 'event("honk", who="player")'}
    heard = {"enact": "X.2", "text": "They are heard.", "code": '@after("honk")\ndef heard(e):\n    gain(e.who, 1)'}
    assert copy.put_in_force({"changes": [honk, heard]}).ok
    fault = copy.put_in_force({"changes": [{"repeal": "X.1"}]}).fault
    copy.runtime.close()
    assert fault["rule"] == "X.2"
    assert fault["message"].endswith("there is no event 'honk'")


def test_a_shared_function_that_breaks_names_the_line_that_calls_it(game):
    code = LISTENING.format("x = 1\n    return distance(e.who, x, x)")
    assert place(game, code=code, turn=True) == ("X.1", 4)


def test_a_lent_function_that_breaks_names_the_line_that_calls_it(game):
    lender = "\n@word\ndef halved(number):\n    y = 2\n\n\n    return number // (y - 2)\n"
    caller = LISTENING.format("x = 1\n    return halved(x)")
    made = f"enact('X.2', text='w', code={lender!r})\nenact('X.3', text='w', code={caller!r})"
    assert place(game, run=made, turn=True) == ("X.3", 4)


def test_a_preview_that_breaks_names_the_rule(game):
    copy = copy_of(game, runtime=game.runtime.name)
    try:
        code = '@after("propose")\ndef f(e):\n    1 // 0\n'
        changes = [{"enact": "X.1", "text": "w", "code": code}]
        assert copy.put_in_force({"changes": changes, "run": ""}).ok
        fault = copy.preview("Ann", "propose", {"title": "A", "text": "B"}, START).fault
        assert fault["rule"] == "X.1"
        assert copy.actions("Ann"), "the forms tell what can be done all the same"
        fault = copy.order("Ann", "propose", {"title": "A", "text": "B"}, START).fault
        assert (fault["rule"], fault["line"]) == ("X.1", 3)
    finally:
        copy.runtime.close()
