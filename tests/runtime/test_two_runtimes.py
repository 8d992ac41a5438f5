"""Random games with random amendments, played in both interpreters: the same outcomes, the same bytes, after each
entry.

On the way: money is conserved, a refused or broken entry changes nothing, a game computed from its journal or taken up
from its snapshot is the live one, a struck last entry was never there, and nobody sees what is another's alone.
"""

import json
import os

import minigames
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from minigames import START

from nomopoly.runtime.host import Game, load_game, replay, take_snapshot
from nomopoly.runtime.outcomes import Outcome, out_hash

PHASES = (Phase.explicit, Phase.reuse, Phase.generate)  # making a failing game smaller takes many minutes
NAMES = ("Ann", "Ben", "Cid")
PLAYER = st.sampled_from((*NAMES, "Zoe", ""))
SQUARE = st.sampled_from([f"#{number}" for number in (1, 2, 3, 5, 8, 12, 20, 48, 49)] + [None, "Ann", "x"])
AMOUNT = st.sampled_from([0, 1, 40, 60, 500, 5000, -1, "7", "x", None])

# What players propose: sensible, silly and broken.
CHANGES = [
    [],
    [{"enact": "X.1", "text": "Going round pays ${pay}.", "params": {"pay": 400},
      "code": "@after('pass')\ndef f(e):\n    if e.square.number == 1:\n        gain(e.who, rule.pay)"}],
    [{"amend": "X.1", "params": {"pay": 7}}],
    [{"repeal": "X.1"}],
    [{"enact": "X.2", "text": "Luck.", "code": "attribute('player', 'luck', 3, label='Luck', summary=True)\n\n\n"
      "@after('roll')\ndef f(e):\n    put(e.who, 'luck', chance.die(100))"}],
    [{"repeal": "X.2"}],
    [{"enact": "X.3", "text": "Rent.", "code": "@after('land')\ndef rent(e):\n    if e.square.owner not in (None, "
                                               "e.who):\n"
      "        pay(e.who, e.square.owner, share(value('market_value', e.square), 1, 3))"}],
    [{"amend": "V.1", "params": {"market_value": 3}}],
    [{"enact": "X.4", "text": "Dearer.", "code": "@modify('market_value')\ndef m(place, base):\n    return "
                                                 "percent(place.number)"}],
    [{"enact": "X.5", "text": "No buying.", "code": "@check('buy-square')\ndef c(e):\n    if e.square.number % 2:\n  "
                                                    "      return 'odd'"}],
    [{"enact": "X.6", "text": "Even so.", "code": "overrides('X.5')\n\n\n@check('buy-square')\ndef c(e):\n    "
                                                  "return True"}],
    [{"enact": "X.7", "text": "Drift.", "code": "@instead('move', per='who')\ndef i(e):\n    return "
                                                "e.but(steps=e.steps + 1)"}],
    [{"enact": "X.8", "text": "Mine.", "code": "kind('mine', prefix='mine-')\nattribute('mine', 'square', None, "
                                               "type='thing')\n"
      "attribute('mine', 'owner', None, type='thing', show='owner')\n\n\n@action('lay-mine', 'Lay a mine')\ndef "
      "lay(e):\n"
      "    create('mine', square=e.who.square, owner=e.who)\n\n\n@after('land')\ndef boom(e):\n    for each in "
      "every('mine'):\n"
      "        if each.square is e.square:\n            destroy(each)\n            fine(e.who, 50)"}],
    [{"enact": "X.9", "text": "Later.", "code": "event('wage', 'wage', who='player')\n\n\n@after('land')\ndef f(e):\n"
      "    at(now() + hours(5), 'wage', who=e.who)\n\n\n@on('wage')\ndef w(e):\n    gain(e.who, 5)"}],
    [{"enact": "X.10", "text": "Poll.", "code": "event('counted', 'counted', answers='')\n\n\n@action('poll', 'Ask "
                                                "all')\ndef p(e):\n"
      "    ask(tuple(players()), 'Tea?', ('yes', 'no'), 'counted', default='no', by=now() + days(1))\n\n\n"
      "@on('counted')\ndef c(e):\n    for who, said in e.answers:\n        if said == 'yes':\n            "
      "gain(who, 1)"}],
    # broken ones
    [{"enact": "X.20", "text": "Breaks.", "code": "@after('land')\ndef f(e):\n    if e.square.number % 3 == 0:\n     "
                                                  "   put(e.who, 'money', 1)\n        1 // 0"}],
    [{"enact": "X.21", "text": "Paradox.", "code": "@after('land')\ndef f(e):\n    do('land', who=e.who, "
                                                   "mover=e.who, square=e.square)"}],
    [{"enact": "X.22", "text": "Not Python.", "code": "def ("}],
    [{"enact": "X.23", "text": "No event.", "code": "@after('zork')\ndef f(e):\n    pass"}],
    [{"enact": "X.24", "text": "Past the verbs.", "code": "@after('land')\ndef f(e):\n    e.who.money = 10**6"}],
    [{"enact": "X.25", "text": "Refuses.", "code": "@after('land')\ndef f(e):\n    if e.square.number > 30:\n        "
                                                   "refuse('too far')"}],
    [{"enact": "X.26", "text": "Recursion.", "code": "def g(n):\n    return g(n + 1)\n\n\n@after('land')\ndef "
                                                     "f(e):\n    if e.square.number == 7:\n        g(0)"}],
    [{"amend": "VII.1", "code": "event('turn', who='player', because='')"}],
    [{"repeal": "VIII.1"}],
    [{"amend": "II.1", "text": "Clerical words."}],
]  # fmt: skip
RUNS = [
    "", "", "",
    "for who in players():\n    award(who, 10)",
    "put(square(5), 'owner', thing('Ann'))",
    "destroy(square(last_number()))",
    "add_squares(2)",
    "1 // 0",
    "refuse('no')",
    "tell(None, 'hear, hear')",
    "put(thing('Ann'), 'money', 10**20)",
]  # fmt: skip


def args(**fields):
    return st.fixed_dictionaries(fields)


GOODS = args(money=AMOUNT) | st.lists(SQUARE, max_size=2).map(lambda each: {"squares": each}) | st.just({}) | st.just(5)
PROPOSAL = args(
    title=st.sampled_from(["A", "", "B" * 300]), changes=st.sampled_from(CHANGES), run=st.sampled_from(RUNS)
)
ORDERS = st.one_of(
    st.tuples(st.just("propose"), PROPOSAL),
    st.tuples(st.sampled_from(["buy-square", "decline-square"]), args(square=SQUARE) | st.just({})),
    st.tuples(st.just("name-square"), args(square=SQUARE, name=st.sampled_from(["Home", "", "a\nb", "<b>", "x" * 50]))),
    st.tuples(st.just("trade"), args(give=GOODS, take=GOODS, **{"with": PLAYER})),
    st.tuples(
        st.sampled_from(["accept-trade", "decline-trade"]),
        args(offer=st.sampled_from(["offer-1", "offer-2", "offer-3", "#1"])),
    ),
    st.tuples(
        st.just("answer"), args(question=st.sampled_from(["question-1", "#1"]), answer=st.sampled_from(["yes", "x", 1]))
    ),
    st.tuples(st.sampled_from(["lay-mine", "poll", "leave-game", "zork"]), st.just({})),
)
PROPOSED = st.sampled_from(["P1", "P2", "P3", "P4", "P5", "#1"])
ACTS = st.one_of(
    st.tuples(st.just("accept"), args(on=PROPOSED)),
    st.tuples(st.just("accept"), args(on=PROPOSED, changes=st.sampled_from(CHANGES), run=st.sampled_from(RUNS))),
    st.tuples(st.just("reject"), args(on=PROPOSED)),
    st.tuples(
        st.just("grant"),
        args(
            thing=st.sampled_from(["Ann", "#5", "P1", "game"]),
            attribute=st.sampled_from(["money", "owner", "name", "zork"]),
            value=st.sampled_from([5, "Ann", None, "word", 1.5, [1, "#2"], {}]),
        ),
    ),
    st.tuples(st.sampled_from(["pause", "resume"]), st.just({})),
    st.tuples(st.just("remove-player"), args(player=PLAYER)),
    st.tuples(st.just("rule"), args(text=st.just("So it is."))),
)
ENTRIES = st.one_of(
    st.tuples(st.just("order"), st.sampled_from(NAMES), ORDERS),
    st.tuples(st.just("order"), st.sampled_from(NAMES), ORDERS),
    st.tuples(st.just("propose and accept"), st.sampled_from(NAMES), PROPOSAL),
    st.tuples(st.just("propose and accept"), st.sampled_from(NAMES), PROPOSAL),
    st.tuples(st.just("turn"), st.sampled_from(NAMES), st.none()),
    st.tuples(st.just("turn"), st.sampled_from(NAMES), st.none()),
    st.tuples(st.just("act"), st.none(), ACTS),
    st.tuples(st.just("join"), PLAYER, st.none()),
    st.tuples(st.just("wait"), st.none(), st.sampled_from([60, 3600 * 6, 86400 * 8])),
    st.tuples(st.just("strike the last"), st.none(), st.none()),
)


def latest_proposal(game: Game) -> str | None:
    made = [id for id in game.view("admin")["things"] if id[:1] == "P" and id[1:].isdigit()]
    return made[-1] if made else None


def carry_out(game: Game, entry: tuple) -> list[Outcome]:
    """One step of a random game."""
    what, who, content = entry
    at = game.now + 1
    if what == "order":
        return [game.order(who, content[0], content[1], at)]
    if what == "propose and accept":
        proposed = game.order(who, "propose", content, at)
        return [proposed, game.admin("accept", {"on": latest_proposal(game)}, at)]
    if what == "turn":
        return [game.tick(at, "turn", {"who": who})]
    if what == "act":
        return [game.admin(content[0], content[1], at)]
    if what == "join":
        return [game.join(who, at), game.admin("approve-player", {"player": who}, at)]
    if what == "strike the last":
        return [game.admin("strike", {"entry": game.n, "because": "test"}, at)]
    return game.run_due(at + content)


def told(outcome: Outcome) -> dict:
    """An outcome without an interpreter's own words."""
    fault = outcome.fault and outcome.fault["rule"]
    return {"n": outcome.n, "refused": outcome.refused, "rule": outcome.rule, "fault": fault, "facts": outcome.facts,
            "changes": outcome.changes}  # fmt: skip


def money(game: Game) -> dict[str, int]:
    return {id: values.get("money", 1000) for id, kind, values in game.state()["things"] if kind == "player"}


FLOWS = {"gained": 1, "awarded": 1, "lost": -1, "fined": -1}


def flow(outcome: Outcome) -> int:
    """What came into the game and went out of it, as the facts tell it."""
    return sum(FLOWS[fact["what"]] * fact["amount"] for fact in outcome.facts if fact["what"] in FLOWS)


def check_money(game: Game, before: dict, outcomes: list[Outcome]) -> None:
    """The sum changes by what was gained, lost and fined, by who came and went, and by what somebody set by hand."""
    after = money(game)
    lines = {line["n"]: line for line in game.journal.lines()}
    by_hand = any(outcome.n and lines[outcome.n]["do"] == "grant" for outcome in outcomes)
    past = any("'money', 1)" in record["code"] for record in game.records())
    if before.keys() == after.keys() and not by_hand and not past:
        assert sum(after.values()) - sum(before.values()) == sum(flow(outcome) for outcome in outcomes)


@given(entries=st.lists(ENTRIES, min_size=5, max_size=25), checks=st.booleans())
@settings(
    max_examples=500 if os.environ.get("NOMOPOLY_SOAK") == "1" else 20,
    suppress_health_check=list(HealthCheck),
    phases=PHASES,
)
def test_random_games(entries, checks):
    games = [minigames.original(runtime, NAMES) for runtime in minigames.RUNTIMES]
    fast, safe = games
    for game in games:
        game.checks = checks
    for entry in entries:
        before, balance, last = fast.state_hash(), money(fast), fast.n
        outcomes = carry_out(fast, entry)
        others = carry_out(safe, entry)
        assert [told(outcome) for outcome in outcomes] == [told(outcome) for outcome in others], entry
        assert fast.state_hash() == safe.state_hash(), entry
        assert fast.last_hash == safe.last_hash, entry
        if not any(outcome.ok for outcome in outcomes) and not fast.paused():  # a fault on the clock pauses the game
            assert fast.state_hash() == before, "a refused or broken entry changes nothing"
        if entry[0] == "strike the last" and outcomes[0].ok:
            past = replay(fast.journal, "cpython", fast.secret, until=last - 1)
            assert fast.state_hash() == past.state_hash(), f"entry {last} has left a trace"
        else:
            check_money(fast, balance, outcomes)
    for game in games:
        assert_rebuilds(game)
        assert_no_leaks(game)
        game.runtime.close()


def assert_rebuilds(game: Game) -> None:
    snapshot = json.loads(json.dumps(take_snapshot(game)))
    for copy in (
        load_game(game.journal, runtime=game.runtime.name),
        load_game(game.journal, runtime=game.runtime.name, snapshot=snapshot),
    ):
        assert copy.state_hash() == game.state_hash()
        seen = [{**each.view("Ann"), "now": None} for each in (copy, game)]  # what is refused leaves no line
        assert seen[0] == seen[1]
        assert copy.actions("Ben") == game.actions("Ben")
        copy.runtime.close()
    struck = bool(game.strikes)
    outcomes = dict(load_game(game.journal, runtime=game.runtime.name).outcomes.get(1))
    for line in game.journal.lines(1):
        if not struck and "limit" not in line:
            assert out_hash(line, outcomes[line["n"]]) == line["out"], f"a replay differs in entry {line['n']}"


def assert_no_leaks(game: Game) -> None:
    """Offers are their parties' alone, in the view, in the log and in the choices of forms."""
    parties = {
        id: [each["thing"] for each in values["parties"]["tuple"]]
        for id, kind, values in game.state()["things"]
        if kind == "offer"
    }
    for viewer in (*NAMES, "visitor"):
        seen = json.dumps([game.view(viewer)["things"], game.actions(viewer), game.facts(viewer)])
        for offer, insiders in parties.items():
            assert (f'"{offer}"' in seen) == (viewer in insiders), (viewer, offer, insiders)
        for entry in game.facts(viewer):
            if entry["do"] in ("trade", "answer") and entry["args"]:
                told_to = {entry["by"], entry["args"].get("with")}
                assert viewer in told_to, f"{viewer} sees {entry}"


def test_an_answer_and_an_offer_are_seen_by_those_concerned_alone():
    game = minigames.original("cpython", NAMES)
    poll = {
        "enact": "X.1",
        "text": "Poll.",
        "code": "event('counted', 'counted', answers='')\n\n\n@action('poll', 'Ask all')\ndef p(e):\n"
        "    ask(tuple(players()), 'Tea?', ('yes', 'no'), 'counted')\n\n\n"
        "@on('counted')\ndef c(e):\n    tell(None, 'all have answered')",
    }
    minigames.done(game.order("Ann", "propose", {"title": "Poll", "changes": [poll]}, START))
    minigames.done(game.admin("accept", {"on": "P1"}, START))
    minigames.done(game.order("Ann", "poll", {}, START))
    minigames.done(game.order("Ann", "answer", {"question": "question-1", "answer": "yes"}, START))
    secret = game.n
    for viewer in ("Ben", "visitor", "admin"):
        assert secret not in [entry["n"] for entry in game.facts(viewer)]
    assert game.facts("Ann")[-1]["args"]["answer"] == "yes"
    minigames.done(game.order("Ben", "answer", {"question": "question-1", "answer": "no"}, START))
    minigames.done(game.order("Cid", "answer", {"question": "question-1", "answer": "no"}, START))
    last = game.facts("Ann")[-1]
    assert last["n"] == game.n, "that all have answered is told to everybody"
    assert last["args"] == {}, "but not what the last one said"
    assert last["changes"] == []


def test_changes_of_hidden_attributes_are_hidden_in_the_log_and_in_previews():
    code = """
attribute("player", "mask", "", show="owner")
attribute("player", "vault", 0, show="admin")
attribute("player", "soul", 0, show="nobody")


@action("hide", mask=words())
def hide(e):
    put(e.who, "mask", e.mask)
    put(e.who, "vault", 7)
    put(e.who, "soul", 9)
    put(e.who, "money", 3)
"""
    game = minigames.small_game(minigames.rule("1.1", code + "\n\nattribute('player', 'money', 1)"))
    seen = {
        "Ann": ["mask", "money"],
        "Ben": ["money"],
        "visitor": ["money"],
        "admin": ["money", "vault"],
    }
    previewed = game.preview("Ann", "hide", {"mask": "fox"}, START)
    assert sorted(change[1] for change in previewed.changes) == seen["Ann"]
    minigames.done(game.order("Ann", "hide", {"mask": "fox"}, START))
    hiding = game.n
    for viewer, names in seen.items():
        assert sorted(change[1] for change in game.facts(viewer)[-1]["changes"]) == names
        things = game.view(viewer)["things"]["Ann"]
        assert [name for name in ("mask", "money", "vault") if name in things] == names
        assert "soul" not in things
    minigames.done(game.admin("strike", {"entry": hiding, "because": "x"}, START))
    for viewer, names in seen.items():
        assert sorted(change[1] for change in game.facts(viewer)[-1]["changes"]) == names
    minigames.done(game.admin("grant", {"thing": "Ann", "attribute": "mask", "value": "owl"}, START))
    assert "owl" not in json.dumps([game.facts("Ben"), game.view("Ben"), game.facts("visitor")])


HOLDING = """
@action("go")
def go(e):
    fact("told", text=str(row_of("way", "short").reckoned(3, more=1)))


def far(n, more=0):
    return 10 * n + more


row("way", "short", reckoned=far)
"""
NAMED_ALIKE = 'row("way", "short", {}=lambda n: n)\n'
CLASS = "class Way:\n    def far(self):\n        return 'a' + 'b' * 3\n"


def in_both(code):
    """What comes of a rule and the order `go` in both interpreters: (refused, fault, its facts)."""
    found = []
    for runtime in minigames.RUNTIMES:
        game = minigames.small_game(minigames.CHANGING, runtime=runtime)
        outcome = minigames.change(game, {"enact": "9.1", "text": "Ways.", "code": code})
        if outcome.ok:
            outcome = game.order("Ann", "go", {}, game.now)
        found.append((outcome.refused, outcome.fault, outcome.facts))
        game.runtime.close()
    assert found[0] == found[1]
    return found[0]


def test_a_function_that_a_row_holds_is_called_where_it_stands():
    """The sandbox looked for it among the methods of the row."""
    refused, fault, facts = in_both(HOLDING)
    assert (refused, fault) == (None, None)
    assert [fact["text"] for fact in facts if fact["what"] == "told"] == ["31"]


def test_no_function_that_a_row_holds_is_named_like_a_method_of_rows():
    """`row.count(1)` was the function in CPython, and the method in the sandbox."""
    for name in ("count", "index"):
        assert f"'{name}' is the name of a method" in in_both(NAMED_ALIKE.format(name))[1]["message"]


def test_no_interpreter_reads_a_class():
    """The counters within one had other names in CPython."""
    assert "rules have no classes" in in_both(CLASS)[1]["message"]
