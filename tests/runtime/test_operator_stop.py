"""The operator's stop: beyond every rule and the Admin; and faults by limit that a strike has taken the ground from."""

import measured
import minigames
import pytest
from minigames import CHANGING, START, change, done, rule, small_game

from nomopoly.runtime.host import load_game, take_snapshot
from nomopoly.runtime.verify import verify

HOUR = 3600
SECONDS = 0.4  # of work, the sandbox's included, that an act of the operator was measured at
WIND = """
attribute('player', 'rung', 0)
event('ring')


@action('wind', seconds=number('Seconds'), real=yes_or_no())
def wind(e):
    at(now() + e.seconds, 'ring', real=e.real)


@on('ring')
def ring(e):
    put(thing('Ann'), 'rung', now())
"""


@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
def test_nothing_goes_on_in_a_game_that_the_operator_has_stopped(runtime):
    game = small_game(CHANGING, rule("1.1", WIND), runtime=runtime)
    for seconds, real in ((HOUR, False), (HOUR, True)):
        done(game.order("Ann", "wind", {"seconds": seconds, "real": real}, START))
    stopped = done(game.operate("stop", "Spam in the log", START + 60))
    assert stopped.facts[0]["what"] == "stopped"
    assert "The operator of the site stops the game: Spam in the log" in str(game.facts("visitor")[-1])
    assert game.paused()
    assert game.due() is None
    reason = "the operator of this site has stopped the game: Spam in the log"
    for outcome in (
        game.order("Ann", "wind", {"seconds": 5}, START + 70),
        game.admin("resume", {}, START + 70),
        game.admin("pause", {"kind": "disruption"}, START + 70),
        game.leave("Ann", START + 70),
        game.join("Dot", START + 70),
        game.cast("Ann", "emergency-vote", {"on": "emergency-1", "choice": "yes"}, START + 70),
    ):
        assert outcome.refused == reason
    assert game.run_due(START + 10 * HOUR) == []
    beyond = "this is what the operator of this site has done, and nobody else can strike it"
    assert game.strike_preview(stopped.n) == {"impossible": beyond}
    assert game.strike(stopped.n, "Not so", START + 75).refused == beyond
    assert "already" in game.operate("stop", "Again", START + 80).refused
    done(game.operate("resume", "", START + 10 * HOUR))
    assert not game.paused()
    game.run_due(START + 24 * HOUR)
    assert game.value("rung", "Ann") == START + 11 * HOUR - 60, "in game time: as much later as the stop was long"
    game.run_due(START + 40 * HOUR)
    assert game.value("rung", "Ann") == START + 34 * HOUR, "in real time: a day after it"
    assert "has not stopped" in game.operate("resume", "", game.now).refused
    verify(list(game.journal.lines()), runtime)
    assert load_game(game.journal, runtime=runtime, snapshot=take_snapshot(game)).state_hash() == game.state_hash()


@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
def test_a_pause_outlasts_the_stop(runtime):
    game = small_game(CHANGING, runtime=runtime)
    done(game.admin("pause", {"because": "Lunch", "kind": "disruption"}, START))
    done(game.operate("stop", "Spam", START + 60))
    done(game.operate("resume", "", START + 120))
    assert game.disrupted()
    assert game.value("pause_because", "game") == "Lunch"


NO = "    while True:\n        x = 1\n"
LOCK = "@check('*')\ndef c(e):\n    refuse('no')\n\n\n@after('entry')\ndef a(e):\n" + NO


def test_no_rule_stops_the_operator():
    game = small_game(CHANGING, rule("1.1", LOCK), runtime="monty", players=())
    for station in ("check", "instead", "on", "after"):
        for event in ("operator-stop", "operator-resume"):
            code = f"@{station}('{event}')\ndef f(e):\n{NO}"
            game.admin("change", {"changes": [{"enact": "2.1", "text": "T", "code": code}]}, START)
    for do in ("stop", "resume"):
        with minigames.tries(game) as tried, measured.within(SECONDS, measured.worked):
            done(game.operate(do, "Enough" if do == "stop" else "", START))
        assert len(tried) == 1, "no rule is asked"


@pytest.mark.parametrize("does", ["do('operator-stop', because='x')", "at(now(), 'operator-stop')"])
def test_no_rule_is_the_operator(does):
    game = small_game(CHANGING, rule("1.1", f"@action('go')\ndef go(e):\n    {does}\n"))
    assert "beyond the reach" in game.order("Ann", "go", {}, START).fault["message"]


def test_a_fault_by_limit_pauses_no_more_when_its_rule_is_struck():
    game = small_game(CHANGING, rule("1.1", WIND), runtime="monty")
    done(game.order("Ann", "wind", {"seconds": HOUR}, START))
    endless = done(change(game, {"enact": "2.1", "text": "T", "code": f"@after('ring')\ndef f(e):\n{NO}"}))
    (rung,) = game.run_due(START + HOUR)
    assert rung.fault["rule"] == "2.1"
    assert game.disrupted()
    done(game.strike(endless.n, "It never ends", game.now))
    assert not game.paused()
    verify(list(game.journal.lines()), "monty")
