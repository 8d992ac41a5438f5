"""The way out holds: no rule stops the Admin's acts that end a disruption, the vote on one, or somebody who leaves."""

import measured
import minigames
import pytest
from minigames import CHANGING, done, rule, small_game

from nomopoly.runtime.host import load_game, take_snapshot
from nomopoly.runtime.verify import verify

START = minigames.START
HOUR = 3600
SECONDS = 0.8  # of work, the sandbox's included, that an act of the way out was measured at
HONEST = rule("1.1", "@action('work')\ndef work(e):\n    put(e.who, 'money', e.who.money + 1)\n")
MONEY = rule("1.2", "attribute('player', 'money', 0)")
HOW = {
    "refuses": "    refuse('never')",
    "breaks": "    x = 1 // 0",
    "never ends": "    while True:\n        x = 1",
    "pauses": "    pause('for ever')",
}
STATIONS = [
    ("after", "entry"),
    ("check", "entry"),
    ("instead", "entry"),
    ("after", "rules-changed"),
    ("check", "*"),
    ("instead", "*"),
    ("after", "*"),
    ("check", "order"),
    ("after", "order"),
    ("check", "emergency-vote"),
    ("instead", "emergency-vote"),
    ("after", "emergency-vote"),
    ("check", "emergency-closes"),
    ("instead", "emergency-closes"),
    ("on", "emergency-closes"),
    ("after", "emergency-closes"),
    ("check", "remove"),
    ("on", "remove"),
    ("after", "remove"),
    ("after", "grant"),
]


def lock(station, event, how):
    """A rule that, once the game has begun, is to stop whatever passes a station of an event."""
    top = "overrides('kernel')\n\n\n" if station == "on" else ""
    body = HOW[how].replace("    ", "        ", 1) if how != "never ends" else "        while True:\n            x = 1"
    return rule("9.9", f"{top}@{station}('{event}')\ndef lock(e):\n    if now() > rule.begins:\n{body}\n", begins=START)


def cases():
    """Every station with every way to be in the way."""
    found = []
    for station, event in STATIONS:
        for how in HOW:
            if how != "pauses" or station in ("on", "after"):
                found.append(pytest.param(station, event, how, id=f"{station} {event} {how}"))
    return found


def locked(station, event, how, runtime):
    """A game with such a rule, which holds from now on."""
    game = small_game(
        CHANGING, HONEST, MONEY, lock(station, event, how), runtime=runtime, players=("Ann", "Ben", "Cid")
    )
    game.fold.now = START + 1
    return game


@pytest.mark.parametrize(("station", "event", "how"), cases())
@pytest.mark.parametrize("runtime", ["cpython-timed", "monty"])
def test_no_rule_stops_the_way_out(runtime, station, event, how):
    game = locked(station, event, how, runtime)
    at = game.now + 1
    if not game.paused():
        done(game.admin("pause", {"because": "Stop", "kind": "disruption"}, at))
    assert game.paused()
    seven = {"thing": "Ann", "attribute": "money", "value": 7}
    if how == "refuses" and event in ("grant", "entry"):  # as rules may, until they are suspended
        assert game.admin("grant", seven, at).refused == "never"
    else:
        done(game.admin("grant", seven, at))
    done(game.leave("Ben", at))
    done(game.admin("suspend", {"rule": "9.9"}, at))
    done(game.admin("grant", seven, at))
    assert game.value("money", "Ann") == 7
    done(game.admin("reinstate", {"rule": "9.9"}, at))
    if game.disrupted():
        done(game.admin("emergency-propose", {"title": "Away with it", "changes": [{"repeal": "9.9"}]}, at))
        for name in ("Ann", "Cid"):
            done(game.order(name, "emergency-vote", {"on": "emergency-1", "choice": "yes"}, at))
        game.run_due(at + 121 * HOUR)
        assert "9.9" not in [record["id"] for record in game.records()]
        assert not game.paused()
    else:
        done(game.admin("suspend", {"rule": "9.9"}, at))
        done(game.admin("resume", {}, at))
        assert not game.paused()
    verify(list(game.journal.lines()), "monty")
    assert load_game(game.journal, runtime="cpython").state_hash() == game.state_hash()


@pytest.mark.parametrize("resumes", ["resume()", "do('end-disruption')"])
@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
def test_no_rule_ends_a_pause_as_it_begins(runtime, resumes):
    lock = rule("9.9", f"@after('entry')\ndef lock(e):\n    {resumes}\n")
    game = small_game(HONEST, MONEY, lock, runtime=runtime, players=("Ann", "Ben"))
    done(game.admin("pause", {"because": "Stop", "kind": "disruption"}, game.now))
    assert game.paused()
    assert game.facts("visitor")[-1]["facts"][-1]["say"].endswith("broke: what it does here was left out")
    done(game.admin("suspend", {"rule": "9.9"}, game.now))
    if not game.paused():  # it was heard once more as it went
        done(game.admin("pause", {"because": "Stop", "kind": "disruption"}, game.now))
    done(game.admin("grant", {"thing": "Ann", "attribute": "money", "value": 7}, game.now))
    assert game.paused()
    verify(list(game.journal.lines()), "monty")


@pytest.mark.parametrize(("station", "event"), [("after", "entry"), ("check", "end-disruption"), ("after", "grant")])
def test_they_come_through_within_two_tries(station, event):
    """A rule that never ends uses up the steps of one entry, and is not heard in the second try."""
    game = locked(station, event, "never ends", "monty")
    done(game.admin("pause", {"kind": "disruption"}, game.now)) if not game.paused() else None
    for do, args in (
        ("grant", {"thing": "Ann", "attribute": "money", "value": 7}),
        ("suspend", {"rule": "1.1"}),
        ("resume", {}),
        ("pause", {}),
    ):
        with minigames.tries(game) as tried, measured.within(SECONDS, measured.worked):
            done(game.admin(do, args, game.now))
        assert 1 <= len(tried) <= 2, do
        assert all(fault is None or "too many steps" in fault for fault in tried), do


@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
def test_what_is_left_out_is_undone_and_recorded(runtime):
    game = locked("after", "entry", "breaks", runtime)
    outcome = done(game.admin("pause", {}, game.now))
    assert outcome.broke["rule"] == "9.9"
    assert "ZeroDivisionError" in outcome.broke["message"]
    left_out = outcome.facts[-1]
    assert (left_out["what"], left_out["number"], left_out["line"]) == ("left-out", "9.9", 4)
    assert "ZeroDivisionError" not in str(game.facts("visitor"))
    assert load_game(game.journal, runtime=runtime, snapshot=take_snapshot(game)).state_hash() == game.state_hash()
    verify(list(game.journal.lines()), runtime)


@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
def test_a_way_out_that_breaks_itself_is_over_and_another_can_be_proposed(runtime):
    game = small_game(CHANGING, MONEY, runtime=runtime)
    done(game.admin("pause", {"kind": "disruption"}, START))
    done(game.admin("emergency-propose", {"title": "T", "run": "x = 1 // (len(every('player')) - 2)"}, START))
    for name in ("Ann", "Ben"):
        done(game.order(name, "emergency-vote", {"on": "emergency-1", "choice": "yes"}, START))
    (closed,) = game.run_due(START + 120 * HOUR)
    assert closed.broke["message"].startswith("ZeroDivisionError")
    assert (game.value("status", "emergency-1"), game.value("yes_votes", "emergency-1")) == ("Dead", 2)
    assert game.value("outcome", "emergency-1") == "rejected"
    assert game.disrupted()
    done(game.admin("emergency-propose", {"title": "Another"}, game.now))
    verify(list(game.journal.lines()), runtime)


MEDDLING = {
    "closes it now": "do('emergency-closes', proposal=thing('emergency-1'), ballots=((thing('emergency-1'), "
    "'yes', 9),))",
    "closes it soon": "at(now(), 'emergency-closes', real=True, proposal=thing('emergency-1'))",
    "closes it by asking": "ask(e.who, 'T', ('a',), then='emergency-closes', proposal=thing('emergency-1'))",
    "bends it": "e.to('emergency-closes', proposal=thing('emergency-1'))",
    "sets another end": "way_out(thing('emergency-1'), now())",
    "writes another text": "put(thing('emergency-1'), 'text', 'Other words')",
    "writes another program": "put(thing('emergency-1'), 'run', 'x = 1')",
    "says that it is over": "put(thing('emergency-1'), 'status', 'rejected')",
    "puts it off": "put(thing('emergency-1'), 'closes_at', 10 ** 10)",
    "gives everything its default": "renew(thing('emergency-1'))",
    "takes it away": "destroy(thing('emergency-1'))",
    "makes another": "create('emergency', title='Mine')",
    "rules as the Admin": "do('rule', text='It is so', rules=())",
    "lets somebody act": "do('reinstate', rule='1.1')",
}


@pytest.mark.parametrize("name", MEDDLING)
@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
def test_no_rule_meddles_with_the_vote(runtime, name):
    meddles = f"@action('meddle', in_pause=True)\ndef meddle(e):\n    {MEDDLING[name]}\n"
    game = small_game(CHANGING, MONEY, rule("2.1", meddles), runtime=runtime)
    done(game.admin("pause", {"kind": "disruption"}, START))
    done(game.admin("emergency-propose", {"title": "T"}, START))
    assert game.order("Ann", "meddle", {}, START).fault is not None


@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
def test_no_rule_calls_the_end_of_the_vote_off(runtime):
    meddles = "@action('meddle', in_pause=True)\ndef meddle(e):\n    cancel('emergency-closes')\n"
    game = small_game(CHANGING, MONEY, rule("2.1", meddles), runtime=runtime)
    done(game.admin("pause", {"kind": "disruption"}, START))
    done(game.admin("emergency-propose", {"title": "T"}, START))
    done(game.order("Ann", "meddle", {}, START))
    done(game.order("Ann", "emergency-vote", {"on": "emergency-1", "choice": "yes"}, START))
    game.run_due(START + 121 * HOUR)
    assert not game.paused()


@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
def test_a_refusal_after_a_moment_does_not_stop_the_clock(runtime):
    tick = "event('ring')\n\n\n@action('wind')\ndef wind(e):\n    at(now() + 5, 'ring')\n\n\n"
    tick += "@on('ring')\ndef ring(e):\n    put(thing('Ann'), 'money', 3)\n"
    no = "@check('entry')\ndef no(e):\n    return 'never' if now() > rule.begins and e.who is None else None\n"
    game = small_game(CHANGING, MONEY, rule("2.1", tick), rule("2.2", no, begins=START), runtime=runtime)
    done(game.order("Ann", "wind", {}, START))
    (rung,) = game.run_due(START + 10)
    done(rung)
    assert game.value("money", "Ann") == 3


@pytest.mark.parametrize("runtime", minigames.RUNTIMES)
def test_rules_may_still_say_that_the_admin_alone_does_not_end_a_disruption(runtime):
    alone = "@check('end-disruption')\ndef no(e):\n    return 'only by a vote' if e.how == 'admin' else None\n"
    game = small_game(CHANGING, MONEY, rule("2.1", alone), runtime=runtime)
    done(game.admin("pause", {"kind": "disruption"}, START))
    assert game.admin("resume", {}, START).refused == "only by a vote"
