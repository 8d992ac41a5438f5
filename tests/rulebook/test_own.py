"""Rulebooks of one's own: a folder or a file of rules is an edition like those that are shipped."""

import json
import shutil
from pathlib import Path

import pytest

from nomopoly import cli
from nomopoly.errors import CommandError
from nomopoly.rulebook import own, source
from nomopoly.rulebook.source import load_edition
from nomopoly.runtime.scenarios import command

SHIPPED = Path(source.__file__).parents[1] / "editions" / "original"
MODULE = '''"""Nothing but a start.

More words.
"""

section("I", "The start")

rule("I.1", """
Everybody begins with ${start}.
""", start=70)

attribute("player", "money", 0, label="Money")


@after("join")
def begin(e):
    put(e.who, "money", rule.start)
'''


@pytest.fixture(autouse=True)
def nothing_given(monkeypatch):
    monkeypatch.setattr(source, "OWN", {})
    monkeypatch.setattr(own, "OWN", source.OWN)
    from nomopoly.runtime.scenarios import keys

    monkeypatch.setattr(keys, "OWN", source.OWN)


@pytest.fixture
def folder(tmp_path):
    """The original rules in a folder of one's own, with twice the money at the start, and one scenario that says so."""
    made = tmp_path / "Rich People"
    shutil.copytree(SHIPPED, made, ignore=shutil.ignore_patterns("scenarios", "__pycache__"))
    module = made / "iv_money.py"
    assert "start_money=1000" in module.read_text()
    module.write_text(module.read_text().replace("start_money=1000", "start_money=2000"))
    (made / "scenarios").mkdir()
    (made / "scenarios" / "start.yaml").write_text(
        "scenario: Twice the money\nedition: rich-people\nplayers: [Ann]\nsteps:\n- expect: {Ann: {money: 2000}}\n"
    )
    return made


def test_a_folder_is_an_edition(folder):
    name = own.add_edition(folder)
    assert name == "rich-people"
    assert load_edition(name).title == "Nomopoly, the original game"
    assert name in source.editions()
    found = next(each for each in source.described_editions() if each["name"] == name)
    assert found["about"].startswith("How it began")
    assert found["picture"].startswith("<svg")


def test_its_scenarios_play_it(folder, capsys):
    assert command.main([str(folder / "scenarios")], "cpython") == 0
    assert "Twice the money" in capsys.readouterr().out


def test_any_scenario_can_be_played_by_it(folder, tmp_path, capsys):
    scenario = tmp_path / "s.yaml"
    scenario.write_text("scenario: S\nedition: original\nplayers: [Ann]\nsteps:\n- expect: {Ann: {money: 2000}}\n")
    assert command.main([str(scenario)], "cpython") == 1
    assert command.main([str(scenario)], "cpython", edition=str(folder)) == 0


def test_without_paths_the_scenarios_of_the_edition_are_run(folder, tmp_path, capsys):
    assert list(folder.glob("texts/*.yaml"))  # which are no scenarios
    for paths in ([], [str(folder)]):
        assert command.main(paths, "cpython", edition=str(folder)) == 0
        said = capsys.readouterr().out
        assert "Twice the money" in said
        assert said.endswith("1 passed, 0 failed\n")


def test_an_edition_without_scenarios_asks_for_them(tmp_path):
    file = tmp_path / "tiny.py"
    file.write_text(MODULE)
    with pytest.raises(CommandError, match=r"tiny\.py: no scenarios come with it: name their files"):
        command.main([], "cpython", edition=str(file))
    with pytest.raises(CommandError, match="there is no edition, folder or file 'iiii': editions are ii, iv"):
        command.main([], "cpython", edition="iiii")


def test_a_shipped_edition_is_named_and_its_own_scenarios_are_run(tmp_path, capsys):
    assert [each.parent.name for each in command.scenarios_of("iv", None)] == ["iv"]
    scenario = tmp_path / "s.yaml"
    scenario.write_text("scenario: S\nedition: original\nplayers: [Ann]\nsteps:\n- expect: {Ann: {money: 10000}}\n")
    assert command.main([str(scenario)], "cpython", edition="iv") == 0
    assert command.main([str(scenario)], "cpython", edition="original") == 1
    capsys.readouterr()
    assert command.main([str(scenario)], "cpython", show_coverage=True, edition="iv") == 1
    assert capsys.readouterr().out.startswith("iv: never run: ")


def test_it_is_checked_and_simulated(folder, capsys):
    assert cli.check(folder) == 0
    assert cli.simulate(str(folder), turns=8) == 0
    assert "rich-people" in capsys.readouterr().out
    (folder / "iv_money.py").write_text('section("IV", "Money")\n\nrule("IV.1", """\nWords.\n""")\n\nopen("x")\n')
    assert cli.check(folder) == 1
    assert "IV.1" in capsys.readouterr().out


def test_rules_that_are_no_text_are_refused_in_words(tmp_path):
    file = tmp_path / "rules.py"
    file.write_bytes('section("I", "Café")'.encode("latin-1"))
    with pytest.raises(CommandError, match=r"rules\.py: cannot be read: it is not text in UTF-8$"):
        cli.simulate(str(file), turns=1)


def test_a_folder_of_rules_may_have_marks_before_its_texts(folder):
    for file in folder.glob("*.py"):
        file.write_text(file.read_text(encoding="utf-8"), encoding="utf-8-sig")
    assert cli.simulate(str(folder), turns=1) == 0


def test_a_rulebook_as_json_is_an_edition(tmp_path, capsys):
    cli.rules("original", code=True, format="json")
    file = tmp_path / "book.json"
    file.write_text(capsys.readouterr().out)
    book, _ = own.load_rules(file)
    assert [(each["id"], each["code"], each["params"]) for each in book.records] == [
        (each["id"], each["code"], each["params"]) for each in load_edition("original").records
    ]
    assert cli.check(file) == 0
    assert cli.simulate(str(file), turns=8) == 0


def test_a_proposal_as_json_is_still_a_proposal(tmp_path):
    file = tmp_path / "proposal.json"
    file.write_text(json.dumps({"title": "T", "changes": [{"amend": "IV.1", "params": {"start": 5}}]}))
    assert not own.is_rules(file)
    assert cli.check(file, edition="original") == 0


def test_a_module_is_an_edition(tmp_path, capsys):
    file = tmp_path / "tiny.py"
    file.write_text(MODULE)
    name = own.add_edition(file)
    assert load_edition(name).title == "Nothing but a start"
    scenario = tmp_path / "s.yaml"
    scenario.write_text("scenario: S\nedition: tiny\nplayers: [Ann]\nsteps:\n- expect: {Ann: {money: 70}}\n")
    assert command.main([str(scenario)], "both", edition=str(file)) == 0, capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.txt", "x", "rules are a folder"),
        ("a.json", "[]", "no rulebook"),
        ("a.json", '{"rules": [{}]}', "no rulebook"),
        ("a.py", "x = 1", "code before the first rule"),
        ("a.py", '"""Words."""', "holds no rule"),
    ],
)
def test_what_is_no_rulebook_is_named(tmp_path, name, content, said):
    (tmp_path / name).write_text(content)
    with pytest.raises(CommandError, match=said):
        own.load_rules(tmp_path / name)


def test_a_site_does_not_lose_a_shipped_edition_to_a_folder_of_its_name(tmp_path):
    shutil.copytree(SHIPPED, tmp_path / "original")
    with pytest.raises(CommandError, match="another name"):
        own.add_edition(tmp_path / "original", beside=True)


@pytest.mark.parametrize(
    ("said", "written", "told"),
    [
        ("TITLE =", "TITEL =", "line 3: TITEL means nothing: did you mean TITLE?"),
        ("TITLE =", "TITLE = 5 #", "line 3: write what the game is called"),
        ("ABOUT =", "ABOUT = () #", "line 4: write what the game is, in a sentence or two"),
        ("SECTIONS = (", 'SECTIONS = ("rules")\nMORE = (', "write the modules of rules in their order, each in quotes"),
        ("MOMENTS = {", 'MOMENTS = ["tide"]\nMORE = {', "write what scenarios can wait for, each with what it is"),
        ('"names"', '"nmaes"', "COMMONS has no 'nmaes': there are agenda, board, "),
    ],
)
def test_what_is_wrong_with_a_contents_py_is_named_with_its_line(folder, said, written, told):
    contents = folder / "contents.py"
    contents.write_text(contents.read_text().replace(said, written, 1))
    with pytest.raises(CommandError, match="contents.py: ") as refused:
        own.load_rules(folder)
    assert told in str(refused.value)


def test_a_problem_of_a_rule_is_told_with_its_file_and_line(folder, capsys):
    module = folder / "iv_money.py"
    module.write_text(module.read_text().replace("return player.money < 0", "return player.mony < 0"))
    line = 1 + module.read_text().split("\n").index("    return player.mony < 0")
    assert cli.run(["check", str(folder)]) == 1
    told = capsys.readouterr().out
    assert told.startswith(
        f"{folder}/iv_money.py: line {line}: rule IV.1 line 7: error: no thing has an attribute 'mony'"
    )


def test_a_number_of_another_section_is_told(folder, capsys):
    module = folder / "iv_money.py"
    module.write_text(module.read_text().replace('rule("IV.4"', 'rule("404"'))
    assert cli.run(["check", str(folder)]) == 0
    assert ": rule 404: warning: its number is not one of section IV, as IV.1 is" in capsys.readouterr().out


def test_a_folder_without_contents_says_what_is_missing(tmp_path, capsys):
    (tmp_path / "harbour").mkdir()
    for words in (["check"], ["simulate"]):
        assert cli.run([*words, str(tmp_path / "harbour")]) == 1
        assert "a folder of rules has a contents.py" in capsys.readouterr().err
