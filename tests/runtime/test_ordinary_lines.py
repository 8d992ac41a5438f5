"""Most lines of a journal are looked at in one piece: what that lets through is what the look at each part lets
through."""

import copy

import pytest

from nomopoly.runtime import shape

LINE = {
    "n": 7,
    "at": "2026-03-05T00:00:00Z",
    "kind": "order",
    "by": "Ann",
    "do": "name-square",
    "args": {"square": "#7", "name": "Baltic", "price": 7, "sure": True, "to": None},
    "drawn": "0123abcd" * 2,
    "salt": "0f" * 32,
    "out": "1e" * 32,
    "prev": "2d" * 32,
    "hash": "3c" * 32,
}
HASH = "4b" * 32
ODD = [
    *(None, True, -1, 10**10, 7.5, "", "#7", "\ud800", "½", [], {}, ["Ann"], {"a": 1}, HASH, HASH.upper()),
    *(HASH[:-1], HASH[:-2], HASH[:-2] + "  ", " " + HASH[1:], HASH[:-1] + "\n", HASH + "00", HASH[:-1] + "g"),
    *("open", "strike", "visit", "2026-03-05", "2026-03-05T00:00:00Z ", "1026-03-05T00:00:00Z", int("1" * 64)),
]


@pytest.mark.parametrize("name", [*LINE, "limit", "queued", "unknown"])
def test_both_looks_say_the_same(name, monkeypatch):
    """Whatever stands in one place of a line, or nothing at all: the line is ordinary, or the second look decides."""
    lines = [{**copy.deepcopy(LINE), name: odd} for odd in ODD]
    lines.append({key: part for key, part in LINE.items() if key != name})
    quick = [shape.misshapen(line, b"") for line in lines]
    monkeypatch.setattr(shape, "is_ordinary", lambda line: False)
    assert quick == [shape.misshapen(line, b"") for line in lines]


def test_two_hashes_of_a_wrong_length_do_not_make_up_for_each_other():
    """The look at all hashes in one piece knows where each ends."""
    line = {**LINE, "out": LINE["out"][:-2], "prev": LINE["prev"] + "00"}
    assert shape.is_ordinary(LINE)
    assert shape.misshapen(line, b"") == "'out' is not a hash"


def test_deep_fields_are_no_ordinary_ones():
    """What lies in a field is looked at as deep as it goes."""
    deep: list = []
    for _ in range(shape.DEEPEST + 1):
        deep = [deep]
    line = {**LINE, "args": {"text": deep}}
    assert "within each other" in shape.misshapen(line, repr(deep).encode())
