"""The scenario runner must never let a wrong scenario pass: each of these fails, and its message names the culprit."""

import pytest

from nomopoly.errors import CommandError
from nomopoly.runtime.scenarios import command, form, play

RIGHT = """
scenario: Right
edition: original
rules: [VII.1]
players: [Ann, Ben]
given:
  "#8": {owner: Ben, name: Baltic}
  Ben: {money: 500}
steps:
  - turn: Ann
    draws: [1, 2]
  - expect:
      Ann: {square: "#4", money: 1000, bankrupt: false}
      "#8": {owner: Ben}
      events: [{what: rolled, rule: VII.1, dice: [1, 2]}, {what: landed, square: "#4"}]
      never: [{what: bought}]
"""


def played(text: str, tmp_path, runtime: str = "cpython"):
    """The results of a scenario text, one for each document."""
    path = tmp_path / "scenario.yaml"
    path.write_text(text, encoding="utf-8")
    return [play.run(data, where, runtime) for where, data in form.load(path)]


def with_steps(*steps: str, head: str = "") -> str:
    """A scenario of two players, of whom Ben has #8, with these steps."""
    lines = "\n".join(f"  - {step}" for step in steps)
    given = "" if "given:" in head else 'given: {"#8": {owner: Ben}}\n'
    return f"scenario: S\nedition: original\nplayers: [Ann, Ben]\n{given}{head}steps:\n{lines}\n"


@pytest.mark.parametrize("runtime", ["cpython", "monty"])
def test_a_right_one_passes(tmp_path, runtime):
    assert [result.failure for result in played(RIGHT, tmp_path, runtime)] == [None]


ALTERED = [
    # what in RIGHT becomes what, and a part of the message
    ("scenario: Right", "scenaro: Right", "scenaro"),
    ("scenario: Right", "scenaro: Right", "did you mean 'scenario'?"),
    ("scenario: Right", "scenario:", "'scenario' is empty: it says the title"),
    ("edition: original", "edition: orignal", "orignal"),
    ("rules: [VII.1]", "rules: [VII.9]", "VII.9"),
    ("players: [Ann, Ben]", "players: [Ann, Ann, Ben]", "Ann"),
    ("players: [Ann, Ben]", "player: [Ann, Ben]", "player"),
    ('"#8": {owner: Ben, name: Baltic}', '"#8": {owner: Ban}', "Ban"),
    ('"#8": {owner: Ben, name: Baltic}', '"#8": {ownr: Ben}', "ownr"),
    ('"#8": {owner: Ben, name: Baltic}', '"#7": null', "gaps"),
    ("Ben: {money: 500}", "Bob: {money: 500}", "Bob"),
    ("Ben: {money: 500}", 'Ben: {money: "500"}', "money"),
    ("Ben: {money: 500}", "Ben: {items: []}", "items"),
    ("Ben: {money: 500}", '"$admin": {money: 500}', "$admin"),
    ("turn: Ann", "turn: Eve", "Eve"),
    ("turn: Ann", "tunr: Ann", "unknown key 'tunr': did you mean 'turn'? (known: order"),
    ("draws: [1, 2]", "draws: [7, 2]", "7 is not possible"),
    ("draws: [1, 2]", 'draws: ["1", 2]', "not possible"),
    ("draws: [1, 2]", "draws: [true, 2]", "not possible"),
    ("draws: [1, 2]", "draws: [1, 2, 3]", "never drawn"),
    ("draws: [1, 2]", "draws: 3", "list"),
    ("draws: [1, 2]", "drawn: [1, 2]", "drawn"),
    ("draws: [1, 2]", "refused: true", "refused"),
    ("draws: [1, 2]", "fault: true", "fault"),
    ('square: "#4", money', 'square: "#5", money', "#4"),
    ('square: "#4", money', "square: 4, money", "#4"),
    ("money: 1000,", "money: 999,", "1000"),
    ("money: 1000,", 'money: "1000",', "1000"),
    ("money: 1000,", "money: true,", "1000"),
    ("money: 1000,", "money: 1000.0,", "1000"),
    ("money: 1000,", "monney: 1000,", "monney"),
    ("bankrupt: false", "bankrupt: 0", "bankrupt"),
    ("bankrupt: false", "bankrupt: null", "bankrupt"),
    ("bankrupt: false", "bankrupt: no", "bankrupt"),
    ("bankrupt: false", "health: 100", "health"),
    ("{owner: Ben}", "{owner: null}", "owner"),
    ("{owner: Ben}", '{"neighbour(nrth)": null}', "nrth"),
    ("{owner: Ben}", "{}", "#8"),
    ('"#8": {owner: Ben}', '"#99": {owner: Ben}', "#99"),
    ('"#8": {owner: Ben}', '"#8": null', "exists"),
    ('"#8": {owner: Ben}', "warrior-1: null", "warrior-1"),
    ('"#8": {owner: Ben}', "Anne: null", "Anne"),
    ("{what: rolled, rule: VII.1, dice: [1, 2]}", "{what: roled}", "roled"),
    ("{what: rolled, rule: VII.1, dice: [1, 2]}", "{what: rolled, dice: [2, 1]}", "did not happen"),
    ("{what: rolled, rule: VII.1, dice: [1, 2]}", "{what: rolled, rule: VII.2}", "did not happen"),
    ("{what: rolled, rule: VII.1, dice: [1, 2]}", "{what: rolled, rule: VII.77}", "VII.77"),
    ("{what: rolled, rule: VII.1, dice: [1, 2]}", "{what: rolled, pips: 3}", "pips"),
    (
        '[{what: rolled, rule: VII.1, dice: [1, 2]}, {what: landed, square: "#4"}]',
        "[{what: landed}, {what: rolled}]",
        "order",
    ),
    ('[{what: rolled, rule: VII.1, dice: [1, 2]}, {what: landed, square: "#4"}]', "[]", "events"),
    ('[{what: rolled, rule: VII.1, dice: [1, 2]}, {what: landed, square: "#4"}]', "rolled", "events"),
    ("never: [{what: bought}]", "never: [{what: rolled}]", "did happen"),
    ("never: [{what: bought}]", "never: [{what: boughtt}]", "boughtt"),
    ("never: [{what: bought}]", "nevr: [{what: bought}]", "nevr"),
]


@pytest.mark.parametrize(("right", "wrong", "says"), ALTERED, ids=[wrong for _, wrong, _ in ALTERED])
def test_an_altered_one_fails(tmp_path, right, wrong, says):
    assert right in RIGHT
    (result,) = played(RIGHT.replace(right, wrong, 1), tmp_path)
    assert result.failure is not None, "a wrong scenario passed"
    assert says.casefold() in result.failure.casefold(), result.failure


STEPS = [
    # steps, and a part of the message
    (["order: {by: Ann, do: buy-squre}"], "buy-squre"),
    (["order: {by: Ann, do: buy-square}"], "was refused"),
    (["order: {by: Ann}"], "'do' is missing"),
    (["order: {do: buy-square}"], "'by' is missing"),
    (["order: {by: Eve, do: buy-square}"], "Eve"),
    (["{order: {by: Ann, do: buy-square}, refused: cannot afford}"], "option"),
    (['{order: {by: Ann, do: buy-square}, refused: ""}'], "refused"),
    (["{order: {by: Ann, do: buy-square}, refused: 3}"], "refused"),
    (["{order: {by: Ann, do: buy-square}, refused: false}"], "refused"),
    (["{order: {by: Ann, do: buy-square}, fault: true}"], "fault"),
    (["{propose: {by: Ann, title: T}, refused: true}"], "it happened"),
    (["{propose: {by: Ann, titel: T}}"], "titel"),
    (['{propose: {by: Ann, title: T, changes: [{enact: X.1, code: "gian("}]}}'], "check"),
    (["{propose: {by: Ann, title: T, changes: [{amend: X.1, text: t}]}}"], "X.1"),
    (["vote: {by: Ann, on: P1, choice: yes}"], "vote"),
    (["admin: {do: accept, on: P9}"], "P9"),
    (["admin: {do: strike, on: E9}"], "E9"),
    (["admin: {do: strike}"], "strike"),
    (["admin: {accept: P1}"], "'do' is missing"),
    (["admin: {do: nod}"], "nod"),
    (["withdraw: {by: Ann, order: E1}"], "E1"),
    (["advance: 2"], "span"),
    (["advance: 2x"], "span"),
    (["advance: soon"], "span"),
    (["until: update"], "update"),
    (["until: option-ends"], "option-ends"),
    (["join: Ann"], "name taken"),
    (["leave: {by: Eve}"], "Eve"),
    (["{turn: Ann, join: Cid}"], "exactly one"),
    (["draws: [1]"], "exactly one"),
    (["sing: Ann"], "sing"),
    (["Ann"], "Ann"),
    (["expect: {}"], "nothing"),
    (["{expect: {Ann: {money: 1000}}, draws: [1]}"], "beside"),
    (['expect: {Ann: {square: "#1"}, events: [{what: joined}]}'], "did not happen"),
    (["view: {by: Ben}"], "view"),
    (["view: {by: Eve, sees: {Ann: {money: 1000}}}"], "Eve"),
    (["view: {by: Ben, sees: {Ann: {money: 1}}}"], "1000"),
    (["view: {by: Ben, sees: {Ann: {luck: 1}}}"], "luck"),
    (["view: {by: Ben, hides: {Ann: [money]}}"], "sees money"),
    (["view: {by: Ben, hides: {Ann: [luck]}}"], "luck"),
    (["view: {by: Ben, hides: {Eve: [money]}}"], "Eve"),
    (["view: {by: visitor, sees: {Ann: {money: 1000}}, hids: {}}"], "view"),
    # a refusal is no excuse for a name that is not there
    (["{order: {by: Ann, do: by-square}, refused: true}"], "by-square"),
    (["{order: {by: Ann, do: by-square}, refused: option}"], "by-square"),
    (["{order: {by: Ann, do: by-square}, refused: decline-square}"], "by-square"),
    (['{order: {by: Ann, do: buy-square, sqare: "#5"}, refused: true}'], "sqare"),
    (['{order: {by: Ann, do: trade, with: Bne, give: {money: 1}, take: {squares: ["#5"]}}, refused: true}'], "Bne"),
    (["{order: {by: Eve, do: buy-square}, refused: true}"], "Eve"),
    (["{order: {by: Ann, do: accept-trade, offer: offer-9}, refused: true}"], "offer-9"),
    (["{admin: {do: acept, on: P1}, refused: true}"], "acept"),
    (["{admin: {do: accept, on: P9}, refused: true}"], "P9"),
    (["{admin: {do: strike, on: E9}, refused: true}"], "E9"),
    (["{admin: {do: strike, of: 3}, refused: true}"], "strike"),
    (["{admin: {do: strike, on: '3'}, refused: true}"], "3"),
    (["{admin: {do: grant, thing: Ann, attribute: mony, value: 1}, refused: true}"], "mony"),
    (["{admin: {do: grant, thing: Anne, attribute: money, value: 1}, refused: true}"], "Anne"),
    (["{turn: Eve, refused: true}"], "Eve"),
    (["{propose: {by: Ann, titel: T}, refused: true}"], "titel"),
    (["{propose: {by: Eve, title: T}, refused: true}"], "Eve"),
    (["{withdraw: {by: Ann, order: E1}, refused: true}"], "E1"),
    (["{leave: {by: Eve}, refused: true}"], "Eve"),
    (["{until: updat, refused: true}"], "updat"),
    (["{advance: 2 days, refused: true}"], "span"),
    (["{join: Cid, refused: name taken}"], "it happened"),
    (["{join: Ann, refused: closed}"], "name taken"),
    # facts: words, fields, names and values that could never match
    (["expect: {never: [{what: fined, squaer: 8}]}"], "squaer"),
    (["expect: {never: [{what: fined, who: Anne}]}"], "Anne"),
    (['expect: {never: [{what: landed, square: "#99"}]}'], "#99"),
    (["expect: {never: [{what: pay}]}"], "'paid'"),
    (["expect: {never: [{what: turn}]}"], "turn"),
    (["expect: {never: [{wat: paid}]}"], "wat"),
    (["expect: {never: [{rule: XX.1}]}"], "XX.1"),
    (["expect: {never: {what: paid}}"], "list"),
    (["expect: {never: []}"], "list"),
    (["expect: {never: [{}]}"], "list"),
    (["expect: {never: [paid]}"], "list"),
    (["expect: {never: null}"], "list"),
    (["expect: {events: null}"], "list"),
    (["{turn: Ann, draws: [1, 2]}", 'expect: {never: [{what: rolled, total: "3"}]}'], "did happen"),
    (["{turn: Ann, draws: [1, 2]}", "expect: {never: [{what: rolled, dice: ['1', '2']}]}"], "did happen"),
    (["{turn: Ann, draws: [1, 2]}", "expect: {never: [{what: rolled, who: Ann, rule: VII.1}]}"], "did happen"),
    (["{turn: Ann, draws: [1, 2]}", 'expect: {events: [{what: rolled, total: "3"}]}'], "did not happen"),
    (["{turn: Ann, draws: [1, 2]}", "expect: {events: [{what: rolled, total: 3.0}]}"], "did not happen"),
    (["{turn: Ann, draws: [1, 2]}", "expect: {events: [{what: rolled, who: ann}]}"], "ann"),
    (["{turn: Ann, draws: [1, 2]}", "expect: {events: [{what: rolled, speeding: null}]}"], "did not happen"),
    (["{turn: Ann, draws: [1, 2]}", "expect: {events: [{what: landed}, {what: landed}]}"], "did not happen"),
    (["{turn: Ann, draws: [1, 2]}", "expect: {events: [{what: option, until: 2026-03-09T09:01}]}"], "did not happen"),
    (["{turn: Ann, draws: [1, 2]}", 'expect: {"#4": {option_until: 2026-03-09T09:00+01:00}}'], "option_until"),
    (["{turn: Ann, draws: [1, 2]}", 'expect: {"#4": {option_until: 2026-03-09}}'], "option_until"),
    (["{turn: Ann, draws: [1, 2]}", 'expect: {"#4": {option_until: null}}'], "option_until"),
    (["{turn: Ann, draws: [1, 2]}", 'expect: {"#4": {option_until: soon}}'], "soon"),
    (["expect: {never: [{what: [rolled]}]}"], "rolled"),
    (["expect: {never: [{what: {n: 1}}]}"], "no fact"),
    (["expect: {never: [{what: null}]}"], "no fact"),
    (["expect: {never: [{what: landed, square: 8}]}"], "8"),
    (["expect: {never: [{what: landed, who: {by: Ann}}]}"], "Ann"),
    (["propose: {by: Ann, as: -1, title: T}"], "as"),
    (["propose: {by: Ann, as: '', title: T}"], "as"),
    (["{propose: {by: Ann, title: T}, as: [P1]}"], "as"),
    (["until: {moment: option-ends}"], "option-ends"),
    (['propose: {by: Ann, title: "\\ud800"}'], "invalid character"),
    (['propose: {by: Ann, title: "\\0"}'], "invalid character"),
    # draws
    (["{turn: Ann, draws: [0, 2]}"], "not possible"),
    (["{turn: Ann, draws: [7, 1], refused: true}"], "not possible"),
    (["{turn: Ann, draws: [7, 1], fault: true}"], "not possible"),
    (["{turn: Ann, draws: [1.5, 1]}"], "not possible"),
    (["{turn: Ann, draws: [null, 1]}"], "not possible"),
    (["{turn: Ann, draws: [2, 2, 3, 3]}", "{advance: 1d, draws: [1, 2]}"], "never drawn"),
    (["{order: {by: Ann, do: propose, title: T}, draws: [1]}"], "never drawn"),
    (["{turn: Ann, draws: {first: 1}}"], "list"),
    # forms of steps
    (["{order: {by: Ann, do: buy-square}, queued: true, refused: option}"], "queued"),
    (["order: [Ann, buy-square]"], "order"),
    (["order: Ann"], "order"),
    (["turn: {who: Ann}"], "no player"),
    (["turn: null"], "no player"),
    (["turn: '#1'"], "square"),
    (["join: {name: Cid, by: Cid}"], "join"),
    (["join: {nam: Cid}"], "join"),
    (["join: 7"], "7"),
    (["join: [Cid]"], "join"),
    (["leave: {by: Ann, to: Ben}"], "leave"),
    (["propose: Ann"], "propose"),
    (["propose: {title: T}"], "'by' is missing"),
    (["propose: {by: Ann, title: T, changes: {enact: X.1, text: t}}"], "changes"),
    (["propose: {by: Ann, title: T, changes: [{enat: X.1}]}"], "enat"),
    (["propose: {by: Ann, title: 7}"], "title"),
    (["admin: accept"], "admin"),
    (["withdraw: {by: Ann}"], "'order' is missing"),
    (["advance: null"], "span"),
    (["advance: -1d"], "span"),
    (['advance: ""'], "span"),
    (["until: landed"], "landed"),
    (["until: null"], "moment"),
    (["null"], "None"),
    (["[turn, Ann]"], "turn"),
    (["{}"], "exactly one"),
    (["{turn: Ann, expect: {Ann: {money: 1000}}}"], "exactly one"),
    (["{as: T1}"], "exactly one"),
    # expectations and views
    (["expect: Ann"], "expect"),
    (["expect: [Ann]"], "expect"),
    (["expect: null"], "expect"),
    (["expect: {Ann: 1000}"], "Ann"),
    (["expect: {Ann: []}"], "Ann"),
    (["expect: {ann: {money: 1000}}"], "ann"),
    (["expect: {Ben : {money: 1000}, Eve: {money: 1000}}"], "Eve"),
    (["expect: {Eve: null}"], "Eve"),
    (["expect: {'$admin': {money: 0}}"], "$admin"),
    (["expect: {'#0': {number: 0}}"], "#0"),
    (["expect: {game: {week: 1}}"], "week"),
    (["expect: {game: {over: 'false'}}"], "over"),
    (["expect: {game: {dice: [6]}}"], "dice"),
    (["expect: {game: {dice: [6, '6']}}"], "dice"),
    (['expect: {"#8": {"neighbour(north)": 5}}'], "neighbour"),
    (['expect: {"#8": {"neighbour(north": "#5"}}'], "neighbour"),
    (['expect: {"#8": {"neighbour": "#5"}}'], "neighbour"),
    (['expect: {"#8": {"market_value(2)": 80}}'], "market_value"),
    (["expect: {Ann: {market_value: 80}}"], "market_value"),
    (['expect: {"#8": {bankrupt: false}}'], "bankrupt"),
    (['expect: {"#8": {number: "8"}}'], "number"),
    (['expect: {"#8": {number: "#8"}}'], "number"),
    (['expect: {"#8": {name: ""}}'], "name"),
    (["view: {by: Ben, sees: {}}"], "sees"),
    (["view: {by: Ben, sees: null}"], "sees"),
    (["view: {by: Ben, hides: []}"], "hides"),
    (["view: {by: Ben, hides: Ann}"], "hides"),
    (["view: {by: Ben, hides: {Ann: []}}"], "hides"),
    (["view: {by: Ben, hides: {Ann: luck}}"], "hides"),
    (["view: {by: Ben, sees: {Ann: null}}"], "sees"),
    (["view: {by: Ben, sees: {Ann: {}}}"], "sees"),
    (["view: {by: Ben, hides: {Ann: null}}"], "sees Ann"),
    (["view: {sees: {Ann: {money: 1000}}}"], "by"),
    (["view: Ben"], "by"),
    (
        [
            '{order: {by: Ann, do: trade, with: Ben, give: {money: 1}, take: {squares: ["#8"]}}, as: T}',
            "view: {by: visitor, sees: {T: {author: Ann}}}",
        ],
        "T",
    ),
    (
        [
            '{order: {by: Ann, do: trade, with: Ben, give: {money: 1}, take: {squares: ["#8"]}}, as: T}',
            "view: {by: Ben, hides: {T: null}}",
        ],
        "sees",
    ),
]


@pytest.mark.parametrize(("steps", "says"), STEPS, ids=[steps[-1] for steps, _ in STEPS])
def test_a_wrong_step_fails(tmp_path, steps, says):
    (result,) = played(with_steps(*steps), tmp_path)
    assert result.failure is not None, "a wrong scenario passed"
    assert says.casefold() in result.failure.casefold(), result.failure


GIVEN = [
    # what is given, and a part of the message
    ("[]", "given"),
    ("Ann", "given"),
    ("{Ann: 1000}", "Ann"),
    ("{Ann: []}", "Ann"),
    ("{Ann: {mony: 1}}", "mony"),
    ("{Ann: {money: 1.5}}", "money"),
    ("{Ann: {money: true}}", "money"),
    ("{Ann: {money: [1]}}", "money"),
    ("{Ann: {money: {n: 1}}}", "money"),
    ("{Ann: {money: [1000]}}", "money must be"),
    ('{Ann: {square: ["#1"]}}', "square must name"),
    ('{"#8": {owner: []}}', "owner must name"),
    ("{Ann: {square: 1}}", "square must name"),
    ("{Ann: {square: 5}}", "square"),
    ('{Ann: {square: "#99"}}', "#99"),
    ("{Ann: {square: Nowhere}}", "Nowhere"),
    ("{Ann: {bankrupt: true}}", "bankrupt"),
    ("{Ann: {speeding: 1}}", "speeding"),
    ('{"#8": {option_of: Ann, option_until: soon}}', "soon"),
    ('{"#3": {column: 5}}', "column"),
    ('{"#3": null}', "gaps"),
    ('{"#77": null}', "#77"),
    ("{Eve: null}", "Eve"),
    ("{warrior-1: {health: 3}}", "warrior-1"),
    ("{'$government': {money: 3}}", "$government"),
    ("{game: {week: 3}}", "week"),
]


@pytest.mark.parametrize(("given", "says"), GIVEN, ids=[given for given, _ in GIVEN])
def test_a_wrong_opening_fails(tmp_path, given, says):
    (result,) = played(with_steps("expect: {Ann: {money: 1000}}", head=f"given: {given}\n"), tmp_path)
    assert result.failure is not None, "a wrong scenario passed"
    assert says.casefold() in result.failure.casefold(), result.failure


RIGHT_STEPS = [
    # what a reader of the design may expect to work
    ["expect: {Ann: {money: 1000}, game: {over: false}, Cid: null}", "join: Cid", "expect: {Cid: {money: 1000}}"],
    ["{order: {by: Ann, do: buy-square}, refused: OPTION}"],
    ["{order: {by: Ann, do: buy-square}, refused: true}"],
    ['{order: {by: Ann, do: buy-square, square: "#99"}, refused: no such square}'],
    ['{order: {by: Ann, do: buy-square, square: "#99"}, refused: true}'],
    ["{order: {by: Ann, do: take-turn}, refused: true}"],  # an action of other editions
    ["{order: {by: Ann, do: dance}, refused: there is no action 'dance'}"],
    ["{propose: {by: admin, title: T}, refused: true}"],
    ["{admin: {do: buy-square}, refused: true}"],
    ["leave: {by: Ben}", "expect: {Ben: null, '#8': {owner: null}}", "{turn: Ben, refused: no longer exists}"],
    ["join: {name: Cid}", "leave: Cid", "expect: {Cid: null}"],
    ["{turn: Ann, draws: [1, 2]}", "advance: 90m", "advance: 5h", "advance: 2d", "expect: {'#4': {option_of: Ann}}"],
    ["{turn: Ann, draws: [1, 2]}", "advance: 1w", "expect: {'#4': {option_of: null}}"],
    ["{turn: Ann, draws: [1, 2]}", "until: option-ends", "expect: {'#4': {option_of: null}}"],
    ["{turn: Ann, draws: [2, 2]}", "expect: {Ann: {speeding: false}, events: [{what: rolled, speeding: true}]}"],
    ["{turn: Ann, draws: [1, 2]}", "expect: {events: [{rule: VIII.3}], never: [{what: bought}, {who: Ben}]}"],
    ["{turn: Ann, draws: [1, 2], as: T}", "admin: {do: strike, on: T}", 'expect: {Ann: {square: "#1"}}'],
    ["{turn: Ann, draws: [1, 2]}", "admin: {do: strike, on: 6}", 'expect: {Ann: {square: "#1"}}'],
    [
        "propose: {by: Ann, as: A, title: A, text: yes}",
        "expect: {A: {title: A, text: yes, status: undecided, author: Ann, made_at: 2026-03-02T09:00:00Z}}",
        "{admin: {do: reject, on: A, because: no}, draws: [1, 2]}",
        "expect: {A: {verdict: rejected}, events: [{what: judged, proposal: A, because: no}]}",
        "{admin: {do: accept, on: A}, refused: closed}",
    ],
    [
        "propose: {by: Ann, as: P1, title: T, changes: [{enact: X.10, text: t, code: 'setting(\"x\")', params: "
        "{x: 3}}]}",
        "{admin: {do: accept, on: P1}, draws: [1, 2]}",
        "expect: {game: {x: 3}, events: [{what: enacted, number: X.10}]}",
    ],
    ["view: {by: Ben, sees: {Ann: {money: 1000}}}", "view: {by: admin, sees: {Ann: {bankrupt: false}}}"],
    ['expect: {"#8": {"neighbour(north)": "#17", "neighbour( west )": "#9", block: [], successor: "#9"}}'],
]


@pytest.mark.parametrize("runtime", ["cpython", "monty"])
@pytest.mark.parametrize("steps", RIGHT_STEPS, ids=[steps[0] for steps in RIGHT_STEPS])
def test_right_steps_pass(tmp_path, steps, runtime):
    assert [result.failure for result in played(with_steps(*steps), tmp_path, runtime)] == [None]


def test_draws_of_a_step_that_was_undone_are_not_left_for_the_next(tmp_path):
    code = '@after(\\"land\\")\\ndef f(e):\\n    return 1 // 0\\n'
    steps = [
        f'propose: {{by: Ann, as: P1, title: T, changes: [{{enact: X.1, text: T, code: "{code}"}}]}}',
        "{admin: {do: accept, on: P1}, draws: [1, 2], fault: X.1}",
        "{admin: {do: reject, on: P1}, draws: [3, 4]}",
        'expect: {Ann: {square: "#8"}}',
    ]
    assert [result.failure for result in played(with_steps(*steps), tmp_path)] == [None]


def test_what_never_ends_is_interrupted_in_both_runtimes(tmp_path):
    steps = [
        'propose: {by: Ann, as: P1, title: T, run: "while True:\\n    pass"}',
        "{admin: {do: accept, on: P1}, fault: line 2}",
        'expect: {P1: {status: undecided}, Ann: {square: "#1"}}',
    ]
    for runtime in ("cpython", "monty"):
        assert [result.failure for result in played(with_steps(*steps), tmp_path, runtime)] == [None]
    steps = [
        "propose: {by: Ann, as: P1, title: T, changes: [{enact: X.1, text: T, code: "
        '"@value(\\"ages\\")\\ndef f():\\n    while True:\\n        pass\\n"}]}',
        "{admin: {do: accept, on: P1}, draws: [1, 2]}",
        "expect: {game: {ages: 1}}",
    ]
    for runtime in ("cpython", "monty"):
        (result,) = played(with_steps(*steps), tmp_path, runtime)
        assert "ages" in result.failure


def test_fractions_stay_words_so_that_rule_numbers_keep_their_noughts(tmp_path):
    (result,) = played(with_steps("expect: {Ann: {money: 1000}}", head="rules: [12.10]\n"), tmp_path)
    assert "12.10" in result.failure


def test_the_order_in_which_squares_are_taken_away_does_not_matter(tmp_path):
    for given in ('{"#46": null, "#47": null, "#48": null}', '{"#48": null, "#46": null, "#47": null}'):
        steps = ['expect: {"#45": {successor: "#1"}, "#46": null}']
        assert [r.failure for r in played(with_steps(*steps, head=f"given: {given}\n"), tmp_path)] == [None]


def test_what_is_given_may_name_what_is_given_after_it_and_new_things_get_the_next_numbers(tmp_path):
    text = """scenario: S
edition: iv
players: [Ann, Ben]
given:
  warrior-1: {owner: Ann, square: "#25"}
  offer-1: {author: Ann, to: Ben}
  "#25": {}
steps:
  - order: {by: Ann, do: trade, with: Ben, give: {money: 5}, as: T}
  - expect: {warrior-1: {square: "#25"}, offer-1: {give: []}, offer-2: {author: Ann}, T: {to: Ben}}
"""
    assert [r.failure for r in played(text, tmp_path)] == [None]


def test_a_fault_on_the_clock_fails_no_step_but_one_in_a_turn_does(tmp_path):
    trap = (
        "propose: {by: Ann, as: P1, title: T, changes: [{enact: X.1, text: T, "
        'code: "@after(\\"land\\")\\ndef f(e):\\n    return 1 // 0\\n"}]}'
    )
    (result,) = played(with_steps(trap, "{admin: {do: accept, on: P1}, fault: X.1}"), tmp_path)
    assert result.failure is None
    (result,) = played(with_steps(trap, "admin: {do: accept, on: P1}"), tmp_path)
    assert "fault" in result.failure
    (result,) = played(with_steps(trap, "{admin: {do: accept, on: P1}, fault: X.2}"), tmp_path)
    assert "X.2" in result.failure


def test_facts_are_those_since_the_last_expect(tmp_path):
    steps = ["{turn: Ann, draws: [1, 2]}", "expect: {events: [{what: landed}]}", "expect: {events: [{what: landed}]}"]
    (result,) = played(with_steps(*steps), tmp_path)
    assert "step 3" in result.failure


def test_only_true_and_false_are_booleans(tmp_path):
    steps = ["propose: {by: Ann, as: P1, title: yes, text: on}", "expect: {P1: {title: yes, text: on}}"]
    assert [result.failure for result in played(with_steps(*steps), tmp_path)] == [None]


@pytest.mark.parametrize("until", ["2026-03-09T09:00", "2026-03-09T09:00:00", "2026-03-09T09:00Z", "2026-03-09 09:00"])
def test_moments_in_several_forms(tmp_path, until):
    steps = ["{turn: Ann, draws: [1, 2]}", f'expect: {{"#4": {{option_until: "{until}"}}}}']
    assert [result.failure for result in played(with_steps(*steps), tmp_path)] == [None]


def test_moments_are_in_the_games_time_zone(tmp_path):
    steps = ["{turn: Ann, draws: [1, 2]}", 'expect: {"#4": {option_until: 2026-03-09T09:00}}']
    (result,) = played(with_steps(*steps, head="time_zone: Europe/Berlin\n"), tmp_path)
    assert result.failure is None
    (result,) = played(with_steps(*steps, head="time_zone: Europe/Nowhere\n"), tmp_path)
    assert "Nowhere" in result.failure
    (result,) = played(with_steps(*steps, head="start: tomorrow\n"), tmp_path)
    assert "tomorrow" in result.failure


@pytest.mark.parametrize(
    "text",
    ["", "{", "a: [1", "a: 1\na: 2\n", "\ta: 1", "\x00", "- &a [*a]", "!!python/object:os.system {}"],
    ids=["empty", "open", "list", "key twice", "tab", "null", "loop", "object"],
)
def test_files_that_are_none(tmp_path, text):
    path = tmp_path / "bad.yaml"
    path.write_text(text)
    if text in ("", "{", "a: [1", "a: 1\na: 2\n", "\ta: 1", "\x00", "!!python/object:os.system {}"):
        with pytest.raises(CommandError, match=r"bad\.yaml"):
            form.load(path)
    else:
        assert all(play.run(data, where).failure for where, data in form.load(path))


def test_bytes_that_are_no_text(tmp_path):
    path = tmp_path / "bad.yaml"
    path.write_bytes(b"\xff\xfe\x00scenario")
    with pytest.raises(CommandError, match=r"bad\.yaml"):
        form.load(path)


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        "text",
        3,
        {"scenario": "S"},
        {"scenario": "S", "edition": "original"},
        {"scenario": "S", "edition": "original", "steps": []},
        {"scenario": "S", "edition": "original", "steps": {"turn": "Ann"}},
        {"scenario": ["S"], "edition": "original", "steps": [{"join": "Ann"}]},
        {"scenario": "S", "edition": 4, "steps": [{"join": "Ann"}]},
        {"scenario": "S", "edition": "original", "players": "Ann", "steps": [{"turn": "Ann"}]},
        {"scenario": "S", "edition": "original", "players": {"Ann": 1}, "steps": [{"turn": "Ann"}]},
        {"scenario": "S", "edition": "original", "players": [{"name": "Ann"}], "steps": [{"join": "Ben"}]},
        {"scenario": "S", "edition": "original", "players": [7], "steps": [{"join": "Ben"}]},
        {"scenario": "S", "edition": "original", "players": [None], "steps": [{"join": "Ben"}]},
        {"scenario": "\ud800", "edition": "original", "steps": [{"join": "Ben"}]},
        {"scenario": "S", "edition": "original", "rules": "VII.1", "steps": [{"join": "Ann"}]},
        {"scenario": "S", "edition": "original", "start": 7, "steps": [{"join": "Ann"}]},
        {"scenario": "S", "edition": "original", "steps": [{"join": "Ann"}], 3: 4},
    ],
)
def test_what_is_no_scenario(data):
    assert play.run(data).failure


def test_the_command_prints_a_line_each_and_ends_with_1_if_any_failed(tmp_path, capsys):
    (tmp_path / "a.yaml").write_text(RIGHT)
    assert command.main([str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["ok", "ok", "2"]
    (tmp_path / "b.yaml").write_text(RIGHT.replace("1000", "1"))
    (tmp_path / "c.yaml").write_text("{")
    assert command.main([str(tmp_path)], "cpython") == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["ok", "FAILED", "FAILED", "1"]
    assert "money of Ann is 1000, not 1" in lines[1]


def test_paths_and_runtimes_that_are_not_there(tmp_path):
    with pytest.raises(CommandError, match="no such file"):
        command.main([str(tmp_path / "nowhere")])
    with pytest.raises(CommandError, match="no scenario"):
        command.main([str(tmp_path)])
    with pytest.raises(CommandError, match="pypy"):
        command.main([str(tmp_path)], "pypy")


def test_coverage_lists_rules_that_no_scenario_ran(tmp_path, capsys):
    (tmp_path / "a.yaml").write_text(RIGHT)
    assert command.main([str(tmp_path)], show_coverage=True) == 1
    listed = capsys.readouterr().out
    assert "IX.4" in listed
    assert "VII.1," not in listed


@pytest.mark.parametrize("runtime", ["cpython", "monty"])
@pytest.mark.parametrize("ending", ["SystemExit(0)", "KeyboardInterrupt()", "BaseException('x')", "GeneratorExit"])
def test_a_rule_that_would_end_the_program_fails_the_scenario(tmp_path, ending, runtime, capsys):
    text = f"""
scenario: a rule ends the program
edition: original
players: [Ann]
steps:
  - propose: {{by: Ann, as: P1, title: T, text: words, run: "raise {ending}"}}
  - admin: {{do: accept, on: P1}}
"""
    file = tmp_path / "ends.yaml"
    file.write_text(text)
    assert command.main([str(file)], runtime=runtime) == 1
    assert "FAILED" in capsys.readouterr().out
