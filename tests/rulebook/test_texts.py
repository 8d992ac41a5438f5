"""The prose of a rulebook in other languages: beside the original, which decides."""

import shutil
from pathlib import Path

import pytest

from nomopoly import cli
from nomopoly.errors import CommandError
from nomopoly.rulebook import own, source, texts
from nomopoly.rulebook.source import editions, load_edition

SHIPPED = Path(source.__file__).parents[1] / "editions"
OPENING = "IV.1:\n  title: Womit Spieler beginnen\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """folder(text, language) -> the original rules in a folder of one's own, with a file of texts, as an edition."""
    monkeypatch.setattr(source, "OWN", {})
    monkeypatch.setattr(own, "OWN", source.OWN)

    def made(text, language="de"):
        place = tmp_path / "mine"
        shutil.copytree(SHIPPED / "original", place, ignore=shutil.ignore_patterns("scenarios", "texts", "__pycache__"))
        (place / "texts").mkdir()
        (place / "texts" / f"{language}.yaml").write_text(text, encoding="utf-8")
        return own.add_edition(place)

    return made


def test_a_rule_is_said_in_another_language_as_long_as_it_says_what_the_edition_says():
    record = next(each for each in load_edition("original").records if each["id"] == "IV.1")
    found = texts.text_in("de", "original", record)
    assert found["title"] == "Womit Spieler beginnen"
    assert "${start_money}" in found["text"]
    assert texts.text_in("de", "original", record | {"params": {"start_money": 5}}) == found
    assert texts.text_in("de", "original", record | {"text": record["text"] + " Or more."}) is None
    assert texts.text_in("de", "original", record | {"title": "A gift"}) is None
    assert texts.text_in("de", "original", record | {"id": "X.99"}) is None
    assert texts.text_in("fr", "original", record) is None
    assert texts.text_in("de", "an edition that is not here", record) is None


@pytest.mark.parametrize("edition", editions())
def test_the_texts_that_are_shipped_fit_their_rules(edition):
    for language, found in texts.shipped_texts(edition).items():
        assert list(found) == [record["id"] for record in load_edition(edition).records], language
        assert all(each["title"] and each["text"] for each in found.values())
        assert [id for id, each in found.items() if each["text"] == texts.originals(edition)[id][1]] == []


def test_a_rulebook_of_ones_own_brings_its_texts(folder):
    name = folder(OPENING + "  text: Wer beginnt, hat ${start_money}.\n")
    record = next(each for each in load_edition(name).records if each["id"] == "IV.1")
    assert texts.text_in("de", name, record)["text"] == "Wer beginnt, hat ${start_money}."


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (OPENING, "say its title and its text"),
        ("IV.1: Womit Spieler beginnen\n", "say its title and its text"),
        ("9.10:\n  title: T\n  text: T\n", "write its number in quotes"),
        ("- IV.1\n", "write a number of a rule"),
        ("", "write a number of a rule"),
        ("IV.1: {", "cannot be read"),
        (OPENING + "  text: ${start_money}\n" + OPENING + "  text: ${start_money}\n", "cannot be read"),
        ("IV.1: !!python/object/apply:os.system [ls]\n", "cannot be read"),
    ],
)
def test_texts_that_do_not_fit_are_refused_with_what_to_mend(folder, text, says):
    with pytest.raises(CommandError, match="texts/de.yaml") as refused:
        folder(text)
    assert says in str(refused.value)


def test_a_file_is_called_by_its_language(folder):
    with pytest.raises(CommandError, match=r"German.yaml: call it by its language, as in de.yaml"):
        folder("", "German")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            OPENING + "  text: Wer beginnt, hat Geld.\n",
            "IV.1: warning: its text in texts/de.yaml has other numbers than its prose",
        ),
        (
            "IV.9:\n  title: T\n  text: T\n",
            "IV.9: warning: texts/de.yaml has a text of this rule, which is not in the book",
        ),
    ],
)
def test_a_text_that_does_not_fit_any_more_is_not_shown_and_the_check_says_so(folder, text, says, tmp_path, capsys):
    name = folder(text)
    for record in load_edition(name).records:
        assert texts.text_in("de", name, record) is None
    assert cli.run(["check", str(tmp_path / "mine")]) == 0
    assert says in capsys.readouterr().out
