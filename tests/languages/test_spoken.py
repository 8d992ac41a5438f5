"""The command line in the user's language."""

import io
import os
import subprocess
import sys

import pytest

from nomopoly.languages import spoken


@pytest.fixture(autouse=True)
def forgotten():
    """Each test has an environment of its own; what was found in one is forgotten."""
    for each in (spoken.language, spoken.messages):
        each.cache_clear()
    yield
    for each in (spoken.language, spoken.messages):
        each.cache_clear()


def run(*words, **named):
    """What the command prints for a user of this environment: (status, standard output, standard error)."""
    left = ("LANG", "LC_", "PYTEST")
    free = {name: value for name, value in os.environ.items() if not name.startswith(left)}
    done = subprocess.run(
        [sys.executable, "-m", "nomopoly", *words], env=free | named, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("named", "found"),
    [
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANGUAGE": "en:de", "LANG": "de_DE.UTF-8"}, "en"),
        ({"LANGUAGE": "de:en", "LANG": "C"}, "de"),
        ({"LANG": "xx_XX"}, "en"),
        ({"LANG": "../../etc"}, "en"),
        ({}, "en"),
    ],
)
def test_the_environment_names_the_language(monkeypatch, named, found):
    for each in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(each, raising=False)
    for name, value in named.items():
        monkeypatch.setenv(name, value)
    assert spoken.language() == found


def test_errors_help_and_results_are_german_where_the_user_is():
    status, _, wrong = run("rules", "chess", LANG="de_DE.UTF-8")
    assert (status, wrong) == (1, "nomopoly: es gibt keine Ausgabe 'chess': es gibt ii, iv, mail, original\n")
    assert (
        run("rules", "chess", LANG="en_GB.UTF-8")[2]
        == "nomopoly: there is no edition 'chess': there are ii, iv, mail, original\n"
    )
    assert "Spiele Szenarien" in run("scenario", "--help", LANG="de_DE.UTF-8")[1]
    assert "Run scenarios" in run("scenario", "--help")[1]


def test_data_and_rules_stay_as_they_are(tmp_path):
    words = ("rules", "original", "--format", "json")
    assert run(*words, LANG="de_DE.UTF-8") == run(*words)


def test_lines_are_said_again_as_they_are_whole(monkeypatch):
    monkeypatch.setenv("LANGUAGE", "de")
    below = io.StringIO()
    stream = spoken.Spoken(below)
    print("ok      the game", end="", file=stream)
    assert below.getvalue() == ""
    print(' is over\n{"text": "the game is over"}\nthe game is over', end="", file=stream)
    assert below.getvalue() == 'ok      das Spiel ist zu Ende\n{"text": "the game is over"}\n'
    stream.flush()
    assert below.getvalue().endswith("}\ndas Spiel ist zu Ende")
    assert stream.below is below


def test_a_sentence_is_not_taken_for_one_that_leaves_more_open(monkeypatch):
    """It was that of another wording, "{key} must be {text}", which has no stop."""
    monkeypatch.setenv("LANGUAGE", "de")
    assert spoken.said("Nothing must be mended.") == "Nichts muss in Ordnung gebracht werden."
    assert spoken.said("3 things must be mended.") == "3 Dinge müssen in Ordnung gebracht werden."


def test_letters_that_a_terminal_has_not_end_no_command():
    status, out, err = run("--help", LANGUAGE="de", PYTHONIOENCODING="ascii")
    assert (status, err) == (0, "")
    assert "Regeln neu schreiben." in out
    assert "| check        Pr?fe einen Vorschlag" in out


def test_a_reader_that_stops_reading_is_no_fault():
    asked = [sys.executable, "-c", "from nomopoly import cli; raise SystemExit(cli.run(['rules', 'original']))"]
    reads, writes = os.pipe()
    os.close(reads)
    try:
        done = subprocess.run(
            asked, env=os.environ | {"LANGUAGE": "de"}, stdout=writes, stderr=subprocess.PIPE, text=True, check=False
        )
    finally:
        os.close(writes)
    assert "Traceback" not in done.stderr
