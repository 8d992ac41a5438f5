"""`restore` in a program that runs once is written out on its line; what cannot be written out is said at once."""

import pytest

from nomopoly.rulebook.changes import ChangeError, unknown_here
from nomopoly.rulebook.restoring import run_written_out

RULE = {"id": "8.3", "section": "8", "section_title": "", "title": "T", "text": "x", "params": {"fine": 50}, "code": ""}


def earlier(rule, moment):
    return RULE | {"params": {"fine": 100}} if rule == "8.3" else None


def test_the_call_becomes_the_amendment_on_its_line():
    run = 'for who in players():\n    gain(who, 5)\nrestore(\n    "8.3",\n    from_="start",\n); repeal("9.1")  # ä'
    written = run_written_out(run, [RULE], earlier)
    assert written.split("\n")[2] == "amend('8.3', params={'fine': 100}); repeal(\"9.1\")  # ä"
    assert written.count("\n") == run.count("\n")


def test_a_rule_that_has_gone_is_enacted_anew():
    assert run_written_out('restore("8.3")', [], earlier).startswith("enact('8.3', ")


@pytest.mark.parametrize(
    "run", ["restore(rule)", 'restore("8.3", "start")', "restore(8.3)", 'restore("8.3", by="x")', 'restore("9.9")']
)
def test_what_cannot_be_written_out(run):
    with pytest.raises(ChangeError):
        run_written_out(run, [RULE], earlier)


def test_without_a_game_nobody_knows_the_earlier_form():
    with pytest.raises(ChangeError, match="only a game knows"):
        run_written_out('restore("8.3")', [RULE], unknown_here)


def test_no_python_and_no_restore_stay_as_they_are():
    for run in ("restore(", "gain(players()[0], 5)", 'put(thing("restore"), "x", 1)'):
        assert run_written_out(run, [RULE], earlier) == run
