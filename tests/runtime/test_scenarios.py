"""The scenario runner must never let a wrong scenario pass: each of these fails, and its message names the culprit."""

import pytest

from nomopoly.errors import CommandError
from nomopoly.runtime import scenarios

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
    return [scenarios.run(data, where, runtime) for where, data in scenarios.load(path)]


def with_steps(*steps: str, head: str = "") -> str:
    """A scenario of two players with these steps."""
    lines = "\n".join(f"  - {step}" for step in steps)
    return f"scenario: S\nedition: original\nplayers: [Ann, Ben]\n{head}steps:\n{lines}\n"


@pytest.mark.parametrize("runtime", ["cpython", "monty"])
def test_a_right_one_passes(tmp_path, runtime):
    assert [result.failure for result in played(RIGHT, tmp_path, runtime)] == [None]


ALTERED = [
    # what in RIGHT becomes what, and a part of the message
    ("scenario: Right", "scenaro: Right", "scenaro"),
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
    ("turn: Ann", "tunr: Ann", "tunr"),
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
]


@pytest.mark.parametrize(("steps", "says"), STEPS, ids=[steps[-1] for steps, _ in STEPS])
def test_a_wrong_step_fails(tmp_path, steps, says):
    (result,) = played(with_steps(*steps), tmp_path)
    assert result.failure is not None, "a wrong scenario passed"
    assert says.casefold() in result.failure.casefold(), result.failure


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
            scenarios.load(path)
    else:
        assert all(scenarios.run(data, where).failure for where, data in scenarios.load(path))


def test_bytes_that_are_no_text(tmp_path):
    path = tmp_path / "bad.yaml"
    path.write_bytes(b"\xff\xfe\x00scenario")
    with pytest.raises(CommandError, match=r"bad\.yaml"):
        scenarios.load(path)


@pytest.mark.parametrize(
    "data", [None, [], "text", 3, {"scenario": "S"}, {"scenario": "S", "edition": "original", "steps": []}]
)
def test_what_is_no_scenario(data):
    assert scenarios.run(data).failure


def test_the_command_prints_a_line_each_and_ends_with_1_if_any_failed(tmp_path, capsys):
    (tmp_path / "a.yaml").write_text(RIGHT)
    assert scenarios.main([str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["ok", "ok", "2"]
    (tmp_path / "b.yaml").write_text(RIGHT.replace("1000", "1"))
    (tmp_path / "c.yaml").write_text("{")
    assert scenarios.main([str(tmp_path)], "cpython") == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["ok", "FAILED", "FAILED", "1"]
    assert "money of Ann is 1000, not 1" in lines[1]


def test_paths_and_runtimes_that_are_not_there(tmp_path):
    with pytest.raises(CommandError, match="no such file"):
        scenarios.main([str(tmp_path / "nowhere")])
    with pytest.raises(CommandError, match="no scenario"):
        scenarios.main([str(tmp_path)])
    with pytest.raises(CommandError, match="pypy"):
        scenarios.main([str(tmp_path)], "pypy")


def test_coverage_lists_rules_that_no_scenario_ran(tmp_path, capsys):
    (tmp_path / "a.yaml").write_text(RIGHT)
    assert scenarios.main([str(tmp_path)], show_coverage=True) == 1
    listed = capsys.readouterr().out
    assert "IX.4" in listed
    assert "VII.1," not in listed
