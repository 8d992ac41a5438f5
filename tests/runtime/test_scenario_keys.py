"""The reference of a scenario's keys leaves none out, and stands in the guide and in the command's help."""

import ast
import importlib.resources
import inspect
import re

import pytest

from nomopoly import cli
from nomopoly.errors import CommandError
from nomopoly.rulebook.source import editions, load_edition
from nomopoly.runtime.scenarios import expect, form, keys, play

GUIDE = importlib.resources.files("nomopoly.site.lobby").joinpath("guide/rules/08-scenarios.md").read_text("utf-8")
ALL = {key: words for _, keys in keys.GROUPS for key, words in keys.items()}
ELSEWHERE = {  # what the runner reads of a step, and is a field of one kind of step: the example of that kind shows it
    "name": "join",
    "order": "withdraw",
    "because": "admin",
}


def keys_read():
    """The names by which the runner looks into what a scenario says."""
    found = set()
    said = ("said", "step", "data", "self.data")
    source = "\n".join(inspect.getsource(module) for module in (form, play, expect))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Subscript) and ast.unparse(node.value) in said:
            found.add(getattr(node.slice, "value", None))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in [f"{name}.get" for name in said]:
            found.add(getattr(node.args[0], "value", None))
        if isinstance(node, ast.Compare) and ast.unparse(node.comparators[-1]) in said:
            found.add(getattr(node.left, "value", None))
    return {each for each in found if isinstance(each, str)}


def test_no_key_that_the_runner_reads_is_missing():
    assert len(keys_read()) > 15
    assert sorted(keys_read() - set(ALL) - set(ELSEWHERE)) == []


def test_each_step_has_a_way_to_be_played():
    played = {name.removeprefix("do_") for name in vars(play.Play) if name.startswith("do_")}
    assert played | {"expect", "view"} == set(keys.STEPS)


def test_each_key_is_in_the_guide_with_the_same_words():
    assert [key for key, words in ALL.items() if f"| `{key}` | {words} |" not in GUIDE] == []


def test_each_moment_is_in_the_guide_and_an_event_of_its_edition():
    assert list(keys.moments()) == editions()
    for edition, known in keys.moments().items():
        code = "\n".join(record["code"] for record in load_edition(edition).records)
        for name, words in known.items():
            assert f"| `{edition}` | `{name}` | {words} |" in GUIDE
            assert re.search(rf'(event|calendar)\(\s*"{name}"', code), (edition, name)


def test_the_help_of_the_command_lists_them(capsys):
    cli.app(["scenario", "--help"], result_action="return_value")
    told = capsys.readouterr().out
    assert [key for key in ALL if not re.search(rf"^  {key} ", told, re.MULTILINE)] == []
    assert "Moments of ii for `until`" in told


@pytest.mark.parametrize("key", [*keys.TOP, *keys.STEPS, *keys.BESIDE])
def test_an_unknown_key_is_answered_with_all_of_its_place(key):
    data = {"scenario": "S", "edition": "iv", "steps": [{"expect": {"game": {"over": False}}}]}
    wrong = {**data, "stepps": []} if key in keys.TOP else {**data, "steps": [{"tunr": "Ann"}]}
    assert f"{key}" in str(play.run(wrong).failure)


def test_examples_in_the_reference_are_yaml_that_the_runner_knows():
    for key in (*keys.TOP, *keys.STEPS, *keys.BESIDE):
        shown = re.findall(rf"`({key}: .+?)`", ALL[key])
        assert shown or key == "steps", key
        for text in shown:
            assert set(form.read_one(text)) == {key}


def test_a_scenario_that_is_nested_without_end_is_refused_in_words():
    with pytest.raises(CommandError, match="nested too deeply: at most 100 lists or maps"):
        form.read("steps: " + "[" * 3000, "a.yaml")
