"""The commands `nomopoly rules` and `nomopoly check`."""

import json

import pytest

from nomopoly.cli import run
from nomopoly.errors import CommandError
from nomopoly.lab.forecast import read_proposal
from nomopoly.rulebook.cli import check, rules
from nomopoly.rulebook.export import KEPT, to_data, to_json, to_markdown
from nomopoly.rulebook.history import History
from nomopoly.rulebook.outline import declared_by
from nomopoly.rulebook.source import editions, load_edition
from nomopoly.rulebook.words import SORTS, to_text, words_of
from nomopoly.runtime.host import open_game
from nomopoly.runtime.journal import FileJournal

BOOK = load_edition("original")


def moment(number, at, records):
    cause = {
        "kind": "proposal" if number else "opening",
        "id": "P1" if number else None,
        "by": "Ann" if number else None,
    }
    return {"moment": number, "n": number, "at": at, "cause": cause, "records": records}


@pytest.fixture
def history():
    later = [{**r, "params": {"market_value": 12}, "since": 1} if r["id"] == "V.1" else r for r in BOOK.records]
    return [moment(0, 1772442000, BOOK.records), moment(1, 1772528400, later)]


def test_a_book_to_read():
    text = to_markdown(BOOK.records, BOOK.title)
    assert text.startswith(f"# {BOOK.title}\n\n## I. The Admin\n\n### I.1 Who the Admin is\n\nOne person holds")
    assert "has $1000 of Nomopoly money" in text
    assert f"*{KEPT}*" in text
    assert "```python" not in text
    whole = to_markdown(BOOK.records, code=True)
    assert "```python\n@value" in whole
    assert "A new player has ${start_money} of Nomopoly money.\n\nNumbers: `start_money: 1000`\n\n```python" in whole


def test_a_program_cannot_end_its_block():
    record = {**BOOK.records[0], "code": 'X = "```"'}
    assert '````python\nX = "```"\n````' in to_markdown([record], code=True)


def test_a_book_as_data():
    data = json.loads(to_json(BOOK.records, BOOK.title, "original"))
    assert data == to_data(BOOK.records, BOOK.title, "original")
    assert (data["edition"], data["title"], len(data["rules"])) == ("original", BOOK.title, 28)
    rule = next(each for each in data["rules"] if each["id"] == "V.1")
    assert rule["params"] == {"market_value": 10}
    assert "$10 times" in rule["prose"]
    assert rule["by_program"] is True
    assert "code" not in rule
    assert [each["code"] for each in to_data(BOOK.records, code=True)["rules"]] == [
        each["code"] for each in BOOK.records
    ]


def test_rules_of_an_edition(capsys):
    assert rules("original") == 0
    assert capsys.readouterr().out.startswith("# Nomopoly, the original game\n")
    assert rules("original", code=True, format="json") == 0
    assert json.loads(capsys.readouterr().out)["rules"][2]["code"].startswith('@value("dice")')


def test_rules_of_a_game_at_a_moment(history, capsys):
    assert rules("game.jsonl.gz", history=history) == 0
    assert "$12 times" in capsys.readouterr().out
    assert rules("game.jsonl.gz", at="start", history=history) == 0
    out = capsys.readouterr().out
    assert out.startswith("# Rules at 2026-03-02 09:00:00")
    assert "$10 times" in out


def test_what_changed_in_a_game(history, capsys):
    assert rules("game.jsonl.gz", diff=("start", "now"), history=history) == 0
    out = capsys.readouterr().out
    assert out.startswith("# Rule changes from 2026-03-02 09:00:00 to 2026-03-03 09:00:00\n\n- 1 proposal P1 Ann\n")
    assert "## V.1 Market value (changed)" in out
    assert "$[-10-]{+12+} times" in out
    assert rules("game.jsonl.gz", diff=("1", "0"), format="json", history=history) == 0
    data = json.loads(capsys.readouterr().out)
    assert [(each["id"], each["mark"]) for each in data["rules"]] == [("V.1", "changed")]
    assert "exchanged" in data["notice"]
    assert rules("game.jsonl.gz", diff=("1", "1"), history=history) == 0
    assert "No rules changed between these moments" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"edition_or_file": "nope"}, "there is no edition 'nope'"),
        (
            {"edition_or_file": "original", "at": "start"},
            "original has no history: --at and --diff want the file of a game",
        ),
        ({"edition_or_file": "original", "diff": ("0", "1")}, "original has no history"),
        ({"edition_or_file": "g", "at": "0", "diff": ("0", "1"), "history": []}, "--at and --diff do not go together"),
        ({"edition_or_file": "g", "history": []}, "no history"),
        ({"edition_or_file": "original", "format": "pdf"}, "there is no format 'pdf': there are md and json"),
    ],
)
def test_what_rules_cannot_print(arguments, message):
    with pytest.raises(CommandError, match=message):
        rules(**arguments)


def test_a_moment_to_come_has_no_rules_yet(history):
    """A file of a game, whose history says nothing of the present."""
    for at in ("9999-12-31", "1900-01-01"):
        with pytest.raises(CommandError, match=f"No rules at {at} 00:00:00: the first moment is 2026-03-02 09:00:00"):
            rules("g", at=at, history=history)
    with pytest.raises(CommandError, match="No rules at 9999-12-31"):
        rules("g", diff=("start", "9999-12-31"), history=history)


def test_moments_are_told_and_read_in_the_zone_of_the_game(history, capsys):
    """They were in UTC, unlike what all other commands print."""
    history = History(history, "Asia/Kolkata")
    assert rules("game.jsonl.gz", at="2026-03-02T14:30", history=history) == 0
    assert capsys.readouterr().out.startswith("# Rules at 2026-03-02 14:30:00")
    with pytest.raises(CommandError, match="No rules at 9999-12-31 00:00:00: the first moment is 2026-03-02 14:30:00"):
        rules("game.jsonl.gz", at="9999-12-31", history=history)


def test_an_unreadable_moment(history):
    with pytest.raises(CommandError, match="Not a moment: yesterday"):
        rules("g", at="yesterday", history=history)


GOOD = """
title: Pass the end
text: Who passes the end gets $400.
changes:
  - enact: "X.1"
    text: A player who passes the last square gets ${bonus}.
    params: {bonus: 400}
    code: |
      @after("pass")
      def salary(e):
          if e.square.number == last_number():
              gain(e.who, rule.bonus)
"""


def checked(tmp_path, capsys, text, name="p.yaml"):
    file = tmp_path / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    status = check(file)
    out = capsys.readouterr().out.replace(f"{file}: ", "")
    return status, out.replace("checked against edition original, a guess: choose with --edition or --game\n", "")


def test_a_proposal_that_names_no_edition_says_which_one_it_was_checked_against(tmp_path, capsys):
    file = tmp_path / "p.yaml"
    code = '@modify("attack")\ndef f(unit, base):\n    return add(1)\n'
    file.write_text(json.dumps({"changes": [{"enact": "13.1", "text": "w", "code": code}]}))
    assert check(file) == 0
    assert capsys.readouterr().out == (
        f"{file}: checked against edition iv, a guess: choose with --edition or --game\n{file}: no problems\n"
    )
    assert check(file, load_edition("ii")) == 1
    assert (
        capsys.readouterr().out
        == f"{file}: rule 13.1 line 1: error: there is no value 'attack': did you mean 'tank'?\n"
    )


def test_what_brings_an_earlier_form_back_is_checked_against_the_game_that_knows_it(tmp_path, capsys):
    game = open_game(BOOK, title="t", at=1772442000, runtime="cpython", journal=FileJournal(tmp_path / "g.jsonl"))
    assert game.join("Ann", game.now).ok
    assert game.admin("approve-player", {"player": "Ann"}, game.now).ok
    for code in ('X = "early"\n', 'X = "late"\n'):
        verb = "enact" if "early" in code else "amend"
        proposed = game.order(
            "Ann", "propose", {"title": "T", "changes": [{verb: "X.1", "text": "w", "code": code}]}, game.now
        )
        assert game.admin("accept", {"on": proposed.facts[0]["proposal"]}, game.now).ok
    game.runtime.close()
    file = tmp_path / "p.yaml"
    file.write_text("changes: [{restore: X.1}]")
    assert run(["check", str(file)]) == 1
    assert "only a game knows the earlier forms of its rules: name it with --game" in capsys.readouterr().out
    assert run(["check", str(file), "--game", str(tmp_path / "g.jsonl")]) == 0
    assert "no problems" in capsys.readouterr().out
    file.write_text("changes: [{restore: I.1}]")
    assert run(["check", str(file), "--game", str(tmp_path / "g.jsonl")]) == 1
    assert "rule I.1: error: there is no earlier form of it" in capsys.readouterr().out


def test_the_edition_or_the_game_is_chosen(tmp_path, capsys):
    file = tmp_path / "p.yaml"
    file.write_text('changes: [{enact: "13.1", text: w, code: "X = value"}]')
    assert run(["check", str(file), "--edition", "mail"]) == 0
    assert "guess" not in capsys.readouterr().out
    assert run(["check", str(file), "--edition", "nope"]) == 1
    assert (
        "there is no edition 'nope': there are ii, iv, mail, original. A game goes with --game"
        in capsys.readouterr().err
    )
    game = open_game(BOOK, title="t", at=1772442000, journal=FileJournal(tmp_path / "g.jsonl"))
    game.runtime.close()
    assert run(["check", str(file), "--game", str(tmp_path / "g.jsonl")]) == 0
    assert run(["check", str(file), "--game", "g", "--edition", "iv"]) == 1
    assert "do not go together" in capsys.readouterr().err


@pytest.mark.parametrize("edition", editions())
def test_every_word_of_an_edition_has_a_whole_line_and_an_example(edition):
    book = load_edition(edition)
    found = words_of(book.records, book.commons)
    declared = declared_by(book.records, book.commons)
    named = {(each["sort"], each["name"]) for each in found}
    assert set(SORTS) == {each["sort"] for each in found}
    for sort, names in (
        ("event", set(declared.events) - declared.actions),
        ("action", declared.actions),
        ("value", declared.values),
        ("attribute", set(declared.attributes)),
        ("kind", declared.kinds),
    ):
        assert {name for each, name in named if each == sort} >= names
    for each in found:
        assert len(each["text"]) > 5, each
        assert each["text"][-1] in ".!?)", each
        assert "\n" not in each["text"], each
        assert each["example"], each
        assert each["by"], each
        assert each["text"].count("(") == each["text"].count(")"), each
    assert len(to_text(found)) < 400_000


def test_the_words_of_an_edition_a_game_and_a_file(tmp_path, capsys):
    assert run(["words", "mail", "--search", "landing"]) == 0
    out = capsys.readouterr().out
    assert "landing(" in out
    assert "    e.g. " in out
    game = open_game(BOOK, title="t", at=1772442000, journal=FileJournal(tmp_path / "g.jsonl"))
    game.runtime.close()
    assert run(["words", str(tmp_path / "g.jsonl"), "--search", "market_value", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [each["by"] for each in found if each["name"] == "market_value"] == ["V.1"]
    (tmp_path / "x.py").write_text(
        'section("X", "More")\n\nrule("X.1", """A spell is cast.""")\n\nevent("cast-spell", who="player")\n'
    )
    assert run(["words", str(tmp_path / "x.py"), "--search", "spell"]) == 0
    assert "cast-spell(who)  [rule X.1]\n    A spell is cast.\n" in capsys.readouterr().out
    assert run(["words", "original", "--search", "xyzzy"]) == 1


def test_a_good_proposal(tmp_path, capsys):
    assert checked(tmp_path, capsys, GOOD) == (0, "no problems\n")


def test_errors_end_with_status_1(tmp_path, capsys):
    status, out = checked(tmp_path, capsys, GOOD.replace("gain(", "gian(") + "run: open('x')\n")
    assert status == 1
    assert out == (
        "rule X.1 line 4: error: 'gian' is not known here: did you mean 'gain'?\n"
        "run line 1: error: 'open' is not for rules: tell players something with tell(who, text), ask them with "
        "ask(...)\n"
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            'title: a\nchnges: [{repeal: "V.1"}]\n',
            "a proposal has no 'chnges': there are title, text, changes, run, scenario, edition",
        ),
        ("title: a\nrun: [a]\n", "run must be text"),
        ("title: a\ntext: {b: c}\n", "text must be text"),
        ("edition: original\n", "this is no proposal: write title, text, changes and run, each with its content"),
    ],
)
def test_a_file_with_other_parts_is_told_so(tmp_path, text, sentence):
    path = tmp_path / "p.yaml"
    path.write_text(text)
    for read in (lambda: check(path, BOOK), lambda: read_proposal(path)):
        with pytest.raises(CommandError) as told:
            read()
        assert str(told.value) == f"{path}: {sentence}"


def test_a_file_that_names_its_edition_can_be_forecast_too(tmp_path):
    path = tmp_path / "p.yaml"
    path.write_text("edition: original\n" + GOOD)
    assert read_proposal(path)["changes"]


def test_warnings_alone_do_not(tmp_path, capsys):
    status, out = checked(tmp_path, capsys, 'changes: [{enact: "X.1", code: "X = 1"}]')
    assert (status, out) == (0, "rule X.1: warning: it has no prose: say in words what it does\n")


def test_clashes_are_told(tmp_path, capsys):
    code = '@value(\\"market_value\\", of=\\"square\\")\\ndef f(p):\\n    return 5\\n'
    status, out = checked(
        tmp_path, capsys, f'{{"changes": [{{"enact": "X.1", "text": "w", "code": "{code}"}}]}}', "p.json"
    )
    assert status == 0
    assert out == "clash: V.1 and X.1 both define the value 'market_value': V.1 wins (older form)\nno problems\n"


def test_clashes_are_told_beside_what_is_wrong(tmp_path, capsys):
    code = '@value(\\"market_value\\", of=\\"square\\")\\ndef f(p):\\n    return xyzzy\\n'
    status, out = checked(
        tmp_path, capsys, f'{{"changes": [{{"enact": "X.1", "text": "w", "code": "{code}"}}]}}', "p.json"
    )
    assert status == 1
    assert out == (
        "rule X.1 line 3: error: 'xyzzy' is not known here\n"
        "clash: V.1 and X.1 both define the value 'market_value': V.1 wins (older form)\n"
    )


def test_the_proposals_of_a_scenario(tmp_path, capsys):
    text = """
scenario: Two proposals, one on top of the other
edition: original
players: [Ann]
steps:
  - propose: {by: Ann, as: P1, changes: [{enact: "X.1", text: w, code: 'attribute("player", "mood", "")'}]}
  - admin: {do: accept, on: P1}
  - propose: {by: Ann, changes: [], run: 'put(thing("Ann"), "mood", "well")'}
"""
    assert checked(tmp_path, capsys, text) == (0, "no problems\n")
    status, out = checked(tmp_path, capsys, text.replace('"mood", "well"', '"mod", "well"'))
    assert (status, out) == (1, "run line 1: error: no thing has an attribute 'mod': did you mean 'mood'?\n")


def test_a_module_of_rules(tmp_path, capsys):
    module = 'section("X", "More")\n\nrule("X.1", """words""")\n\n\n@on("lnd")\ndef f(e):\n    pass\n'
    status, out = checked(tmp_path, capsys, module, "x_more.py")
    assert (status, out) == (1, "line 6: rule X.1 line 1: error: there is no event 'lnd': did you mean 'land'?\n")
    assert checked(tmp_path, capsys, module.replace("lnd", "roll"), "x_more.py") == (
        0,
        "clash: VII.1 and X.1 both say what happens on 'roll': VII.1 wins (lower number)\nno problems\n",
    )
    assert rules(str(tmp_path / "x_more.py")) == 0
    assert "### X.1\n\nwords" in capsys.readouterr().out


def test_a_module_of_an_edition_of_ones_own(tmp_path, capsys):
    (tmp_path / "contents.py").write_text('TITLE = "T"\nCOMMONS = ("board",)\nSECTIONS = ("a", "b")\n')
    (tmp_path / "a.py").write_text('section("I", "A")\nrule("I.1", "w")\nevent("boo")\n')
    (tmp_path / "b.py").write_text(
        'section("II", "B")\nrule("II.1", "w")\n@on("boo")\ndef f(e):\n    xyzzy("Ann", 1)\n'
    )
    assert check(tmp_path / "b.py") == 1
    assert capsys.readouterr().out == f"{tmp_path}/b.py: line 5: rule II.1 line 3: error: 'xyzzy' is not known here\n"


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        (b"\xff\xfe\x00", "p.yaml", "cannot be read: it is not text in UTF-8"),
        (b"\xff\xfe\x00", "p.py", "cannot be read: it is not text in UTF-8"),
        (b"\0", "p.yaml", "this is neither YAML nor JSON"),
        (b"", "p.yaml", "there is nothing to check"),
        (b"- 1", "p.yaml", "this is no proposal"),
        (b"scenario: x\nsteps: []", "p.yaml", "there is nothing to check"),
        (
            b"amend: X.1\nparams: {a: 1}",
            "p.yaml",
            "'amend' alone is no proposal: put the change into a list, named `changes`",
        ),
        (b"steps: 5", "p.yaml", "there is nothing to check"),
        (b"edition: nope\ntext: x", "p.yaml", "there is no edition 'nope'"),
        (b"[" * 10_000, "p.json", "nested too deeply: at most 100 lists"),
        (b"{" * 10_000, "p.json", "nested too deeply"),
        (b"{]", "p.json", "this is neither YAML nor JSON"),
        (b"x" * 3_000_000, "p.yaml", "too long"),
        (b"x = 1", "p.py", "line 1: code before the first rule"),
        (b"", "p.py", "holds no rule"),
    ],
)
def test_files_that_are_no_proposal(tmp_path, text, name, message):
    file = tmp_path / name
    file.write_bytes(text)
    with pytest.raises(CommandError, match=message):
        check(file)


MODULE = 'section("X", "Things")\nrule("X.1", """Be kind.""")\n'


@pytest.mark.parametrize(
    ("name", "text"),
    [("p.py", MODULE), ("p.yaml", "changes:\n  - enact: X.1\n    text: Be kind.\n"), ("p.json", None)],
)
def test_a_mark_before_the_text_of_a_file_is_passed_over(tmp_path, capsys, name, text):
    """Some editors begin a file with a byte order mark."""
    if text is None:
        rules("original", code=True, format="json")
        text = capsys.readouterr().out
    file = tmp_path / name
    file.write_text(text, encoding="utf-8-sig", newline="\r\n")
    assert check(file) == 0, capsys.readouterr().out
    if not name.endswith(".yaml"):
        assert rules(str(file)) == 0


def test_a_folder_without_contents_is_no_rulebook(tmp_path):
    with pytest.raises(CommandError, match="a folder of rules has a contents.py"):
        check(tmp_path)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(CommandError, match="cannot be read: No such file"):
        check(tmp_path / "nothing.yaml")


AS_IN_THE_GUIDE = """title: A tip
changes:
  - enact: "9.99"
    title: A tip
    text: A player may tip another player.
    code: |
      @action("tip", "Tip somebody", to=choose("player"), amount=number("How much", least=1))
      def tip(e):
          pay(e.who, e.to, e.amount)
scenario: Ann tips Ben
edition: iv
players: [Ann, Ben]
steps:
  - order: {by: Ann, do: tip, to: Ben, amount: 30}
  - expect: {Ann: {money: 9970}}
"""


def test_a_proposal_with_its_example_below_is_checked_and_the_example_played(tmp_path, capsys):
    file = tmp_path / "tip.yaml"
    file.write_text(AS_IN_THE_GUIDE)
    for more in ([], ["--edition", "iv"]):
        assert run(["check", str(file), *more]) == 0
        assert capsys.readouterr().out == f"{file}: the example passes\n{file}: no problems\n"
    file.write_text(AS_IN_THE_GUIDE.replace("9970", "9971"))
    assert run(["check", str(file)]) == 1
    said = "example: error: it fails: step 2: expect: money of Ann is 9970, not 9971"
    assert capsys.readouterr().out == f"{file}: {said}\n"


def test_what_is_wrong_is_said_before_the_example_is_played(tmp_path, capsys):
    file = tmp_path / "tip.yaml"
    file.write_text(AS_IN_THE_GUIDE.replace("pay(", "payy("))
    assert run(["check", str(file)]) == 1
    told = capsys.readouterr().out
    assert "payy" in told
    assert "example" not in told


def test_a_proposal_with_its_example_below_is_read_by_forecasts_too(tmp_path):
    file = tmp_path / "tip.yaml"
    file.write_text(AS_IN_THE_GUIDE)
    found = read_proposal(file)
    assert found["title"] == "A tip"
    assert list(found["scenario"]) == ["scenario", "edition", "players", "steps"]
