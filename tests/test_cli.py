"""The command: bad input ends with one line on stderr that names the thing, and status 1."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import nomopoly
from nomopoly import __version__, cli


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("simulat", "simulat"),
        ("simulate", "EDITION"),
        ("simulate nosuch", "nosuch"),
        ("simulate original --players three", "three"),
        ("simulate original --weeks 1.5", "--weeks must be a whole number: not '1.5'"),
        ("simulate original --turns 1000000000", "--turns must be from 0 to 10000000: not 1000000000"),
        ("simulate original --policy bold", "bold"),
        ("simulate original --speed 9", "--speed"),
        ("simulate original twice", "twice"),
        ("simulate original --turns", "--turns"),
        ("scenario nowhere.yaml", "nowhere.yaml"),
        ("scenario --runtime lua", "lua"),
        ("rules original --diff 1", "--diff"),
        ("rules nosuch", "nosuch"),
        ("rules original --format pdf", "pdf"),
        ("check", "FILE"),
        ("check nowhere.yaml", "nowhere.yaml"),
        ("verify nowhere.jsonl.gz", "nowhere.jsonl.gz"),
        ("verify --all --head 123456789012", "leave --head out"),
        ("replay nowhere.jsonl.gz", "nowhere.jsonl.gz"),
        ("replay --to", "--to"),
        ("forecast demo", "--proposal"),
        ("futures original", "'original' is an edition, and no game"),
        ("try demo --proposal nowhere.yaml", "nowhere.yaml"),
        ("export", "GAME"),
        ("import nowhere.jsonl.gz", "nowhere.jsonl.gz"),
        ("hand-over friday", "ADDRESS"),
        ("stop friday", "--because"),
        ("resume", "GAME"),
        ("serve --port 99999", "99999"),
        ("serve --port http", "http"),
        ("serve --host=", "--host"),
        ("mail --host=", "--host"),
    ],
)
def test_bad_words_end_with_one_line(words, named, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert cli.run(words.split()) == 1
    told = capsys.readouterr()
    assert told.err.startswith("nomopoly: ")
    assert told.err.count("\n") == 1
    assert named in told.err


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("verify FILE --all", "--all is for every game of the site: leave"),
        ("verify FILE --keep", "--keep goes with --all alone"),
        ("check FILE --edition chess", "there is no edition 'chess': there are ii, iv, mail, original"),
    ],
)
def test_options_that_do_not_go_with_a_file_are_not_passed_over(words, named, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.yaml").write_text("title: T\n")
    assert cli.run(words.replace("FILE", "p.yaml").split()) == 1
    assert named in capsys.readouterr().err


@pytest.mark.parametrize("command", ["check", "verify", "replay", "import", "rules", "scenario"])
@pytest.mark.parametrize("content", [b"", b"\x00\xff\xfe", b"{", b"- [a, b", b"\x1f\x8b\x08\x00broken", b"[1, 2]\n"])
def test_a_file_of_rubbish_is_no_traceback(command, content, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "rubbish"
    file.write_bytes(content)
    assert cli.run([command, str(file)]) == 1
    told = capsys.readouterr()
    assert "rubbish" in told.out + told.err
    assert "Traceback" not in told.out + told.err


@pytest.mark.parametrize("command", ["check", "verify", "replay", "import"])
def test_a_folder_is_not_a_file(command, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    assert cli.run([command, "folder"]) == 1
    assert "folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["try", "x"], "--proposal is missing, or nothing is said after it. See: nomopoly try --help"),
        (
            ["futures", "x", "--futures"],
            "--futures is missing, or nothing is said after it. See: nomopoly futures --help",
        ),
        (["operator", "answer"], "NUMBER is missing. See: nomopoly operator answer --help"),
    ],
)
def test_what_a_command_lacks_is_named(words, told, capsys):
    assert cli.run(words) == 1
    assert capsys.readouterr().err == f"nomopoly: {told}\n"


def test_rules_that_need_others_are_no_game(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("bonus.py").write_text(
        'section("X", "Mine")\nrule("X.9", "A bonus.")\n@after("pass")\ndef bonus(e):\n    pass\n'
    )
    for words in (["--turns", "1"], ["--weeks", "1"], ["--weeks", "1", "--runtime", "monty"]):
        assert cli.run(["simulate", "bonus.py", *words]) == 1
        told = capsys.readouterr()
        assert "rule X.9: there is no event 'pass'" in told.err
        assert "all the rules of a game" in told.err
        assert told.err.count("\n") == 1


@pytest.mark.parametrize("words", ["tables nowhere.json --out x", "words rules/nowhere"])
def test_a_path_where_nothing_is_is_no_address_of_a_game(words, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert cli.run(words.split()) == 1
    assert "there is no such file" in capsys.readouterr().err


def test_version(capsys):
    assert cli.run(["--version"]) == 0
    assert capsys.readouterr().out.strip() == __version__


def test_every_command_explains_itself(capsys):
    commands = [name for name in cli.app if not name.startswith("-")]
    assert {"serve", "scenario", "simulate", "rules", "check", "export", "import", "verify", "replay"} <= set(commands)
    for name in commands:
        assert cli.run([name, "--help"]) == 0
        assert "Usage: nomopoly " + name in capsys.readouterr().out


def test_simulate_says_what_happened(capsys):
    words = ["simulate", "original", "--players", "3", "--turns", "30", "--seed", "7", "--json"]
    assert cli.run(words) == 0
    first = json.loads(capsys.readouterr().out)
    assert cli.run([*words, "--runtime", "monty"]) == 0
    second = json.loads(capsys.readouterr().out)
    assert first["state_hash"] == second["state_hash"]
    assert first["turns"] == 30
    assert not first["faults"]
    assert set(first["money"]) == {"Ann", "Ben", "Cid"}


def test_a_reader_that_stops_early_is_no_error(tmp_path):
    command = f"'{sys.executable}' -m nomopoly rules original --code | head -n 1"
    ended = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=tmp_path, capture_output=True, text=True)
    assert "Traceback" not in ended.stderr


def test_all_that_a_game_needs_is_packaged():
    folder = Path(nomopoly.__file__).parent
    for needed in (
        "kernel/game.py",
        "commons/money.py",
        "editions/original/contents.py",
        "site/templates/base.html",
        "site/static/nomopoly/style.css",
        "site/static/nomopoly/vendor/codemirror.js",
        "site/static/nomopoly/vendor/codemirror.LICENSE.txt",
    ):
        assert (folder / needed).is_file(), needed
    assert list(folder.glob("editions/*/scenarios/*.yaml")), "editions come with their scenarios"


def folders_of_data(app):
    """The commands that have a folder of data, and where else than in their words each looks for it."""
    for name in app:
        if name.startswith("-"):
            continue
        if app[name].default_command is None:
            yield from folders_of_data(app[name])
            continue
        for argument in app[name].assemble_argument_collection():
            if argument.name == "--data":
                yield name, argument.parameter.env_var


def test_every_command_finds_the_folder_of_data_in_the_environment():
    found = dict(folders_of_data(cli.app))
    assert {"serve", "tables", "tell", "words"} <= set(found)
    assert {name for name, places in found.items() if places != ("NOMOPOLY_DATA",)} == set()


def test_the_folder_of_data_is_the_environment_s_unless_said(tmp_path, monkeypatch):
    from nomopoly.site import serve

    served = []
    monkeypatch.setattr(serve, "serve", lambda **said: served.append(said["data"]))
    for folder, words in (("own", ["serve"]), ("other", ["serve", "--data", str(tmp_path / "other")])):
        monkeypatch.setenv("NOMOPOLY_DATA", str(tmp_path / "own"))
        cli.app(words, result_action="return_value")
        assert served[-1] == tmp_path / folder
    monkeypatch.delenv("NOMOPOLY_DATA")
    cli.app(["serve"], result_action="return_value")
    assert served[-1] == Path("data")


def test_a_command_that_is_stopped_says_so(capsys, monkeypatch, tmp_path):
    def stopped(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("nomopoly.site.keeping.backup", stopped)
    assert cli.run(["backup", str(tmp_path / "site.tar.gz")]) == 130
    assert capsys.readouterr().err == (
        "nomopoly: stopped before it was done: only what is printed above is. "
        "Say the command again to begin from the start.\n"
    )


def test_a_pipe_without_a_site_keeps_the_mail_waiting_and_makes_no_folder(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("NOMOPOLY_REPLY_TO", "play@games.example.org")
    nowhere = tmp_path / "dta"
    assert cli.run(["mail", "--pipe", "--data", str(nowhere)]) == 75
    assert cli.run(["mail", "--data", str(nowhere)]) == 1
    assert capsys.readouterr().err.count("there is no such folder") == 2
    assert not nowhere.exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_a_full_disk_ends_a_command_with_one_line():
    with open("/dev/full", "wb") as full:
        asked = [sys.executable, "-m", "nomopoly", "rules", "original"]
        done = subprocess.run(asked, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert (
        done.stderr.splitlines()[-1] == "nomopoly: the output cannot be written: there is no space left where it goes"
    )


ASSERTING = """
scenario: A rule that asserts
edition: original
players: [Ann, Ben]
steps:
  - propose:
      by: Ann
      as: P1
      title: Poverty
      text: Nobody has money.
      changes: [{enact: "13.1", text: Nobody has money., code: "@after('turn')\\ndef look(e):\\n    assert e.who.money < 0"}]
  - admin: {do: accept, on: P1}
    fault: AssertionError
"""


def test_what_a_rule_asserts_counts_where_python_is_told_to_leave_it_out(tmp_path):
    (tmp_path / "asserting.yaml").write_text(ASSERTING, encoding="utf-8")
    asked = [sys.executable, "-m", "nomopoly", "scenario", str(tmp_path / "asserting.yaml")]
    environment = {**os.environ, "PYTHONOPTIMIZE": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(asked, capture_output=True, text=True, check=False, env=environment)
    assert done.stdout.splitlines()[-1] == "2 passed, 0 failed", done.stdout
