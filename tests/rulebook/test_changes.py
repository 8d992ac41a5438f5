"""Changes as data: their form, and that applying them here is what the kernel does in a game."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nomopoly.kernel import rules as kernel
from nomopoly.kernel.index import Index
from nomopoly.kernel.world import world
from nomopoly.rulebook.changes import ChangeError, apply_changes, read_changes, read_data, written_out
from nomopoly.rulebook.source import load_edition

BOOK = load_edition("original").records


def one(records, id):
    return next(record for record in records if record["id"] == id)


def test_enact_amend_repeal():
    after = apply_changes(
        BOOK,
        [
            {"enact": "X.1", "text": "New {n}.", "params": {"n": 1}, "section": "Extras"},
            {"amend": "X.1", "params": {"m": 2}},
            {"amend": "V.1", "params": {"market_value": 12}},
            {"repeal": "I.4"},
        ],
        made_by="P1",
        since=41,
    )
    assert one(after, "X.1") == {
        "id": "X.1", "section": "X", "section_title": "Extras", "title": "", "text": "New {n}.",
        "params": {"n": 1, "m": 2}, "code": "", "since": 41, "made_by": "P1",
    }  # fmt: skip
    amended = one(after, "V.1")
    assert (amended["params"], amended["since"]) == ({"market_value": 12}, 41)
    assert amended["code"] == one(BOOK, "V.1")["code"]
    assert "I.4" not in [record["id"] for record in after]
    assert one(BOOK, "V.1")["params"] == {"market_value": 10}


def test_a_taken_number_takes_the_next_free_one():
    changes = [{"enact": "I.2", "text": "a"}, {"enact": "I.2", "text": "b"}, {"enact": "I.2/x", "text": "c"}]
    after = apply_changes(BOOK, [*changes, {"enact": "I.2/x", "text": "d"}])
    assert one(after, "I.6")["text"] == "a"
    assert one(after, "I.7")["text"] == "b"
    assert one(after, "I.2/x-2")["text"] == "d"
    assert one(after, "I.6")["section_title"] == "The Admin"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ("{", "changes: line 1: this is neither YAML nor JSON"),
        ("just words", "changes are a list, each with enact, amend or repeal"),
        (7, "changes are a list, each with enact, amend or repeal"),
        (["X.1"], "a change says enact, amend or repeal: 'X.1' does not"),
        ([{}], "a change says exactly one of enact, amend and repeal: {} does not"),
        ([{"enact": "X.1", "repeal": "X.1"}], "a change says exactly one of enact, amend and repeal"),
        (
            [{"enact": 13.1, "text": "x"}],
            'enact wants a number in quotes, "13.1": without them 13.10 would become 13.1',
        ),
        ([{"enact": True, "text": "x"}], "enact wants the number of a rule, for example X.1, and not True"),
        ([{"enact": "", "text": "x"}], "enact wants the number of a rule"),
        ([{"enact": "a/../b?", "text": "x"}], "enact wants the number of a rule"),
        ([{"enact": "X" * 100, "text": "x"}], "enact wants the number of a rule"),
        ([{"enact": "P1", "text": "x"}], "enact wants the number of a rule, for example X.1, and not 'P1'"),
        ([{"enact": "X.1"}], "rule X.1: the new rule is empty: give it text, or code, or both"),
        ([{"enact": "X.1", "text": 5}], "rule X.1: text must be text"),
        ([{"enact": "X.1", "text": "x", "params": [1]}], "params must be a list of names, each with its number"),
        (
            [{"enact": "X.1", "text": "x", "params": {"n": 0.5}}],
            "'n' must be a whole number, a word or yes/no: not 0.5",
        ),
        ([{"enact": "X.1", "text": "x", "params": {"_n": 5}}], "'_n' cannot name a number: use letters, digits and _"),
        ([{"enact": "X.1", "text": "x", "clerical": True}], "a rule has no part 'clerical': there are text, code"),
        ([{"amend": "V.1"}], "rule V.1: the amendment changes nothing: give text, code, params or title"),
        ([{"repeal": "V.1", "text": "x"}], "rule V.1: a repeal says nothing but the number of the rule"),
        ([{"amend": "X.7", "text": "x"}], "rule X.7: there is no rule X.7 to amend"),
        ([{"repeal": "X.7"}], "rule X.7: there is no rule X.7 to repeal"),
        ([{"repeal": "V.1"}, {"repeal": "V.1"}], "rule V.1: there is no rule V.1 to repeal"),
    ],
)
def test_what_is_no_change(changes, message):
    with pytest.raises(ChangeError) as error:
        apply_changes(BOOK, changes)
    assert message in str(error.value)


def test_changes_as_yaml_and_json():
    expected = [{"enact": "X.1", "text": "on", "params": {"n": 7}}, {"repeal": "V.1"}]
    assert read_changes('- {enact: "X.1", text: on, params: {n: 7}}\n- repeal: "V.1"\n') == expected
    assert read_changes('[{"enact": "X.1", "text": "on", "params": {"n": 7}}, {"repeal": "V.1"}]') == expected
    assert read_changes({"repeal": "V.1"}) == [{"repeal": "V.1"}]
    assert read_changes("") == read_changes(None) == read_changes([]) == []


@pytest.mark.parametrize(
    "text",
    ["a: [", "[" * 5000, "a: 1\na: 2", "\0", "!!python/object:x {}", "*nobody", "- 1\n--- 1", "x" * 2_000_000],
)
def test_texts_that_are_no_data(text):
    with pytest.raises(ChangeError):
        read_data(text, "P.yaml")


def kernel_applies(records, changes):
    """What the kernel makes of changes, with nothing else of a game around."""
    world.__init__()
    world.index = Index()
    world.n = 7
    try:
        kernel.change_rules({record["id"]: record for record in records}, [record["id"] for record in records])
        kernel.change_rulebook(changes, by="P1")
        return list(world.records.values())
    except FileExistsError:
        return world.refusal[0]
    finally:
        world.__init__()


ids = st.sampled_from(["I.1", "I.2", "X.1", "X.2", "X.1/a", "IX.1"])
parts = st.fixed_dictionaries({"text": st.sampled_from(["a", "b"])}, optional={
    "title": st.sampled_from(["T", ""]), "params": st.dictionaries(st.sampled_from(["n", "m"]), st.integers(), max_size=2),
    "section": st.sampled_from(["One", "Two"]),
})  # fmt: skip
change = st.one_of(
    st.tuples(ids, parts).map(lambda each: {"enact": each[0], **each[1]}),
    st.tuples(ids, parts).map(lambda each: {"amend": each[0], **each[1]}),
    ids.map(lambda id: {"repeal": id}),
)


@settings(deadline=None)
@given(st.lists(change, max_size=8))
def test_the_kernel_does_the_same(changes):
    plain = [{**record, "code": ""} for record in BOOK if record["section"] in ("I", "V")]
    made = kernel_applies(plain, changes)
    if isinstance(made, str):
        with pytest.raises(ChangeError) as error:
            apply_changes(plain, changes, made_by="P1", since=7)
        assert error.value.message == made
    else:
        assert apply_changes(plain, changes, made_by="P1", since=7) == made


# ---- a rule amended in part, and an earlier form of it

TOLL = {
    **BOOK[0],
    "id": "V.7",
    "section": "V",
    "text": "A toll of {price}.",
    "params": {"price": 7, "size": 2},
    "code": "@value('toll')\ndef toll():\n    return rule.price\n\n\ndef unused():\n    return 1",
}
PARTLY = [*BOOK, TOLL]


def amended_toll(**parts):
    (found,) = [each for each in apply_changes(PARTLY, [{"amend": "V.7", **parts}]) if each["id"] == "V.7"]
    return found


def test_numbers_and_functions_go():
    assert amended_toll(params={"size": None, "price": 9})["params"] == {"price": 9}
    assert amended_toll(drop=["size"])["params"] == {"price": 7}
    assert amended_toll(drop=["unused"])["code"] == "@value('toll')\ndef toll():\n    return rule.price"


def test_a_function_comes_in_place_of_that_of_its_name_or_is_added():
    found = amended_toll(functions="@value('toll')\ndef toll():\n    return 1\n\n\ndef more():\n    return 2\n")["code"]
    assert (
        found
        == "@value('toll')\ndef toll():\n    return 1\n\n\ndef unused():\n    return 1\n\n\ndef more():\n    return 2"
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"amend": "V.7", "drop": ["nothing"]}, "it has neither a number nor a function 'nothing'"),
        ({"amend": "V.7", "drop": "size"}, "drop must be a list of names of numbers and functions"),
        ({"amend": "V.7", "functions": "def f(): pass", "code": "x = 1"}, "not both"),
        ({"amend": "V.7", "functions": "x = 1"}, "functions must hold a function"),
        ({"enact": "V.8", "text": "T", "functions": "def f(): pass"}, "is for an amendment"),
        ({"enact": "V.8", "text": "T", "params": {"a": None}}, "must be a whole number, a word or yes/no"),
        ({"restore": "V.7", "text": "T"}, "a restore says the number of the rule, and from when"),
        ({"restore": "V.7", "from": []}, "from must be a history number"),
        ({"restore": "V.7"}, "only a game knows the earlier forms"),
    ],
)
def test_what_is_no_change_in_part(change, message):
    with pytest.raises(ChangeError, match=re.escape(message)):
        apply_changes(PARTLY, [change])


def test_a_restored_form_is_written_out():
    old = {**TOLL, "text": "A toll.", "params": {"price": 5, "other": 1}}
    (change,) = written_out([{"restore": "V.7", "from": "start"}], PARTLY, lambda rule, moment: old)
    assert change == {"amend": "V.7", "text": "A toll.", "params": {"size": None, "price": 5, "other": 1}}
    (found,) = [each for each in apply_changes(PARTLY, [change]) if each["id"] == "V.7"]
    assert [found[part] for part in ("text", "params", "code")] == [old[part] for part in ("text", "params", "code")]
    (change,) = written_out([{"restore": "V.7"}], BOOK, lambda rule, moment: old)
    assert change["enact"] == "V.7", "what has gone is enacted again"
    for now, earlier, message in ((PARTLY, None, "no earlier form"), (PARTLY, TOLL, "nothing would change")):
        with pytest.raises(ChangeError, match=message):
            written_out([{"restore": "V.7"}], now, lambda rule, moment, earlier=earlier: earlier)


def test_a_game_begun_before_parts_gets_whole_programs():
    changes = [{"amend": "V.7", "functions": "def unused():\n    return 2", "params": {"price": 8}}]
    (change,) = written_out(changes, PARTLY, lambda rule, moment: None, in_part=False)
    assert change == {"amend": "V.7", "params": {"price": 8}, "code": TOLL["code"].replace("return 1", "return 2")}
    with pytest.raises(ChangeError, match="begun before a rule could drop a number"):
        written_out([{"amend": "V.7", "drop": ["size"]}], PARTLY, lambda rule, moment: None, in_part=False)
