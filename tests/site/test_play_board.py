"""The drawn board: any number of squares, holes, crowds, owners, nasty names."""

import re
import xml.etree.ElementTree as tree
from types import SimpleNamespace

import pytest

from nomopoly.rulebook.diff import diff_lines, diff_words
from nomopoly.site.play import account, board, diffs, forms, pieces, sheets, words

SVG = "{http://www.w3.org/2000/svg}"


def view(count, players=(), holes=(), **squares):
    """A view of a board of so many squares, ten in a row."""
    things = {"game": {"id": "game", "kind": "game"}}
    for name in players:
        things[name] = {"id": name, "kind": "player", "square": "#1", "money": 5}
    for number in range(1, count + 1):
        if number in holes:
            continue
        row, along = divmod(number - 1, 10)
        column = along + 1 if row % 2 == 0 else 10 - along
        things[f"#{number}"] = {
            "id": f"#{number}", "kind": "square", "number": number, "column": column, "row": row + 1, "owner": None, "name": None,
        } | squares.get(f"s{number}", {})  # fmt: skip
    return {"viewer": "visitor", "things": things, "schema": {"square": []}, "markers": []}


def drawn(shown):
    return tree.fromstring(
        str(board.draw(shown, "/g/x/")).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    )


def links(picture):
    return [each for each in picture.iter(f"{SVG}a") if each.get("class", "").startswith("sq-link")]


@pytest.mark.parametrize("count", [1, 7, 48, 100])
def test_any_number_of_squares(count):
    picture = drawn(view(count))
    assert len(links(picture)) == count
    width, height = (int(part) for part in picture.get("viewBox").split()[2:])
    for link in links(picture):
        assert 0 <= int(link.get("data-x")) <= width - board.CELL
        assert 0 <= int(link.get("data-y")) <= height - board.CELL


def test_rows_count_from_the_south():
    places = {link.get("data-n"): int(link.get("data-y")) for link in links(drawn(view(20)))}
    assert places["11"] < places["1"]


def test_holes_are_bridged():
    picture = drawn(view(12, holes=(5, 6)))
    assert len(links(picture)) == 10
    assert [each for each in picture.iter(f"{SVG}path") if each.get("class") == "road far"]


def test_no_squares_no_drawing():
    assert board.draw(view(0), "/g/x/") == ""


def placed(picture):
    """The pieces of a drawing: [(x, y, scale)] within their square."""
    groups = [each for each in picture.iter(f"{SVG}g") if each.get("class", "").startswith("piece ")]
    found = [re.findall(r"[-\d.]+", each.get("transform")) for each in groups]
    return [tuple(float(number) for number in numbers) for numbers in found]


def test_a_crowd_fits_its_square():
    drawn_pieces = placed(drawn(view(4, players=[f"Player {number}" for number in range(1, 21)])))
    assert len(drawn_pieces) == 20
    for x, y, scale in drawn_pieces:
        assert 0 < x < x + 24 * scale < board.CELL
        assert 0 < y < y + 24 * scale < board.CELL
    crowd = drawn(view(4, players=[f"P {number}" for number in range(60)]))
    assert "+40" in "".join(crowd.itertext())


@pytest.mark.parametrize("name", ["<b>", '"><script>', "אבג", "🎲", "W" * 30, " ", "#1", "a\u202eb"])
def test_nasty_names(name):
    picture = drawn(view(3, players=[name], s1={"owner": name, "name": name * 2}))
    assert name in links(picture)[0].get("aria-label")
    assert not list(picture.iter("script"))


def test_sixty_four_owners_differ():
    assert len({pieces.pattern(number).split("class=", 1)[1] for number in range(64)}) == 64
    looks = {(number % 8, (number + number // 8) % 8) for number in range(64)}
    assert len(looks) == 64


def test_names_are_wrapped():
    assert board.wrapped("Baltic", 13) == ["Baltic"]
    assert board.wrapped("Street of the Seven Dwarfs", 13) == ["Street of the", "Seven Dwarfs"]
    assert board.wrapped("W" * 40, 13) == ["W" * 12 + "-", "W" * 12 + "…"]


@pytest.mark.parametrize(
    ("seconds", "told"), [(0, "0 s"), (59, "59 s"), (11579, "3 h 12 min"), (86400 * 4 + 3700, "4 d 1 h"), (3600, "1 h")]
)
def test_spans_are_never_rounded_up(seconds, told):
    assert words.span(seconds) == told


def test_prose_is_markdown_without_markup_of_its_own():
    drawn = words.markdown(
        "**a** <b>x</b> ![i](http://x/y.png) [l](http://x) [j](javascript:x)\n\n| a | b |\n|---|---|\n| 1 | 2 |"
    )
    assert "<strong>a</strong>" in drawn
    assert "<b>" not in drawn
    assert "<img" not in drawn
    assert 'rel="nofollow ugc noopener"' in drawn
    assert "javascript" not in drawn.replace("[j](javascript:x)", "")
    assert "<td>1</td>" in drawn


def test_the_numbers_of_a_rule_are_marked():
    record = {"text": "Pays ${bonus}, {other}.", "params": {"bonus": 400}}
    assert 'Pays $<span class="number" title="bonus">400</span>, {other}.' in words.rule_prose(record)


def test_differences_are_said_as_well():
    shown = diffs.inline(diff_words("gets <b> 400", "gets <b> 150"))
    assert shown.startswith("gets &lt;b&gt; <del>")
    assert "removed: </span>400" in shown
    assert "added: </span>150" in shown
    assert "400" not in diffs.later(diff_words("gets 400", "gets 150"))
    lines = diffs.inline(diff_lines("a\nb\n", "a\nc\n"), lines=True)
    assert "end of removed</span></del>\n<ins>" in lines
    assert lines.endswith("</ins>\n")


def entry(facts, *changes, **more):
    return {
        "n": 1,
        "number": 1,
        "kind": "order",
        "do": "x",
        "struck": None,
        "facts": facts,
        "changes": list(changes),
    } | more


def test_a_statement_is_told_fact_by_fact():
    paid = {
        "what": "paid",
        "who": "Ann",
        "to": "Ben",
        "amount": 30,
        "rule": "X.2",
        "depth": 0,
        "say": "Ann pays Ben $30",
    }
    got = {"what": "gained", "who": "Ann", "amount": 200, "rule": "X.1", "depth": 0, "say": "Ann gets $200"}
    entries = [entry([paid, got], ["Ann", "money", 0, 170], ["Ben", "money", 0, 30])]
    assert [(line.amount, line.rule, line.party) for line in account.statement(entries, "Ann", 170)] == [
        (-30, "X.2", "Ben"),
        (200, "X.1", ""),
    ]
    assert [(line.amount, line.party) for line in account.statement(entries, "Ben", 30)] == [(30, "Ann")]


def test_a_statement_adds_up_whatever_the_facts_say():
    odd = {"what": "cursed", "who": "Ann", "amount": 7, "rule": "X.3", "depth": 0, "say": "Ann is cursed"}
    entries = [entry([odd], ["Ann", "money", 0, 500]), entry([], ["Ann", "money", 450, 400], n=2)]
    lines = account.statement(entries, "Ann", 390)
    assert [line.amount for line in lines] == [500, -50, -50, -10]
    assert lines[-1].balance == 390


ACTION = {
    "id": "trade",
    "fields": [
        {"name": "with", "label": "With", "type": "thing", "choices": [{"id": "Ben", "label": "Ben"}], "kind": "player", "optional": False},
        {"name": "give", "label": "Give", "type": "goods", "parts": ["money", "squares"], "optional": True},
    ],
}  # fmt: skip


def test_typed_commands():
    assert forms.read_command("trade Ben 60 #8", [ACTION])[1] == {
        "with": "Ben",
        "give-money": "60",
        "give-squares": "#8",
    }
    assert forms.read_command("trade give-money=60 Ben", [ACTION])[1] == {"with": "Ben", "give-money": "60"}
    for bad in ("", "fly", "'"):
        with pytest.raises(forms.CommandUnknown):
            forms.read_command(bad, [ACTION])


def test_typed_words_are_cut_by_no_choice_that_may_be_left_out():
    fields = [
        {
            "name": "square",
            "label": "Square",
            "type": "thing",
            "choices": [{"id": "#5", "label": "#5"}],
            "kind": "square",
        },
        {"name": "name", "label": "Name", "type": "words", "choices": []},
        {
            "name": "sign",
            "label": "Sign",
            "type": "choice",
            "choices": [{"id": "star", "label": "star"}],
            "optional": True,
        },
    ]
    action = {"id": "name-square", "fields": [{"optional": False} | field for field in fields]}
    for typed, sign in (("Elm Street", None), ("Old star", None), ("sign=star Elm Street", "star")):
        name = typed.removeprefix("sign=star ")
        expected = {"square": "#5", "name": name} | ({"sign": sign} if sign else {})
        assert forms.read_command(f"name-square #5 {typed}", [action])[1] == expected


def test_goods_that_are_names_are_ticked_and_hidden_ones_are_typed():
    people = [
        {"id": "Ann", "kind": "player", "items": ["glue", "glue"], "cards": ["KS"]},
        {"id": "Ben", "kind": "player", "items": ["flower"]},
    ]
    view = {"things": {each["id"]: each for each in people}, "schema": {}}
    parts = {"type": "goods", "parts": ["items", "cards"], "optional": True}
    action = {"id": "trade", "fields": [{"name": name, "label": name, **parts} for name in ("give", "take", "what")]}
    drawn = {
        each["input"]: each
        for each in forms.inputs(action, {}, SimpleNamespace(view=view, player_name="Ann", titles={}))
    }
    labels = {name: [choice["label"] for choice in each.get("choices", ())] for name, each in drawn.items()}
    assert labels["give-items"] == labels["what-items"] == ["glue", "glue"]
    assert labels["give-cards"] == labels["what-cards"] == ["KS"]
    assert labels["take-items"] == ["flower, of Ben"]
    assert drawn["take-cards"]["look"] == "line"


@pytest.mark.parametrize(
    ("section", "after"),
    [("IX", "X"), ("I", "II"), ("XXXVIII", "XXXIX"), ("XXXIX", "XL"), ("LXXXIX", "XC"), ("12", "13"), ("A", "AA")],
)
def test_the_section_after(section, after):
    assert sheets.next_section(section) == after


def test_many_markers_are_counted_and_named_by_words():
    things = {"#1": {"id": "#1", "kind": "square", "number": 1, "column": 1, "row": 1, "name": None, "owner": None}}
    things["block-3"] = {"id": "block-3", "kind": "block"}
    seen = {"viewer": "visitor", "things": things, "schema": {"square": []}}
    labels = ["a block (block-3)", "a card", "a railroad", "grease", "glue"]
    seen["markers"] = [{"square": "#1", "symbol": "x", "label": each, "rule": "1"} for each in labels]
    drawn = str(board.draw(seen, "/g/x/"))
    assert drawn.count('class="seal"') == 4
    assert ">+2</text>" in drawn
    assert "<title>grease, glue</title>" in drawn
    assert "a block (block 3)" in drawn
    assert "block-3" not in drawn
