"""What was made of a book lately is not made again, and only so much is kept."""

from nomopoly.rulebook.lately import MOST_KEPT, Lately


def test_the_same_material_is_worked_on_once_and_other_material_anew():
    lately, made = Lately(), []

    def make():
        made.append(1)
        return len(made)

    assert [lately.of({"a": 1, "b": (2,)}, make), lately.of({"b": [2], "a": 1}, make), lately.of({"a": 2}, make)] == [
        1,
        1,
        2,
    ]


def test_what_was_not_asked_for_longest_goes_first():
    lately = Lately()
    for number in range(MOST_KEPT):
        lately.of(number, lambda: "old")
    assert lately.of(0, lambda: "new") == "old"
    lately.of(MOST_KEPT, lambda: "old")  # one too many: 1 goes, for 0 was asked for again
    assert [lately.of(0, lambda: "new"), lately.of(1, lambda: "new")] == ["old", "new"]


def test_half_a_character_in_a_book_is_no_error():
    assert Lately().of(["\ud800", object], lambda: "made") == "made"
