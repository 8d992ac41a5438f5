"""What a step of a scenario leaves, what waits, and what is seen."""

import pytest
from test_scenarios import played, with_steps

from nomopoly.rulebook.changes import apply_changes
from nomopoly.rulebook.source import Book, load_edition
from nomopoly.runtime.scenarios import play

# ---- what a step leaves, what waits, and what is seen

IV = "scenario: S\nedition: iv\nplayers: [Ann, Ben, Cid]\n"
II = "scenario: S\nedition: ii\nplayers: [Ann, Ben, Cid]\n"
TRADE = "  - order: {by: Ann, do: trade, with: Ben, give: {money: 5}, as: T1}\n"


def failure_of(head: str, steps: str, tmp_path, runtime: str = "cpython") -> str | None:
    """Why a scenario with these steps fails, or None."""
    (result,) = played(f"{head}steps:\n{steps}", tmp_path, runtime)
    return result.failure


def test_draws_that_are_left_over_are_complained_of_at_their_step(tmp_path):
    steps = "  - {turn: Ann, draws: [1, 2, 5]}\n  - {turn: Ben, draws: [1, 2]}\n  - advance: 1h\n"
    assert failure_of(IV, steps, tmp_path) == "step 1: draws: [5] were never drawn in this step"


@pytest.mark.parametrize("key", ["true", "12", "null", "[1, 2]"])
def test_a_key_that_is_no_word_is_named(tmp_path, key):
    for step in (
        f"admin: {{do: pause, {key}: P1}}",
        f"order: {{by: Ann, do: log-in, {key}: P1}}",
        f"expect: {{{key}: 5}}",
    ):
        assert failure_of(IV, f"  - {step}\n", tmp_path) == f"the key {key} is no word: put it in quotes"


def test_draws_of_an_order_that_waits_are_named_with_its_step(tmp_path):
    steps = (
        '  - {order: {by: Ann, do: name-square, square: "#1", name: One}, queued: true, draws: [5]}\n  - advance: 1h\n'
    )
    assert failure_of(II, steps, tmp_path) == "step 1: draws: [5] were never drawn"


@pytest.mark.parametrize(
    "step",
    [
        "{order: {by: Ann, do: leave-game}, queued: true}",
        "{order: {by: Ann, do: propose, title: T, text: t}, queued: true}",
        "{propose: {by: Ann, title: T, text: t}, queued: true}",
        "{join: Dot, queued: true}",
    ],
)
def test_what_is_done_at_once_cannot_be_queued(tmp_path, step):
    assert "queued" in str(failure_of(II, f"  - {step}\n", tmp_path))


def test_a_moment_that_no_edition_knows_is_answered_with_those_it_has(tmp_path):
    failure = str(failure_of(IV, "  - until: update\n", tmp_path))
    assert "there is no moment 'update'" in failure
    assert "automatic-turn: the next turn that is taken for a player" in failure


def test_a_moment_that_never_comes_is_not_waited_for_in_vain(tmp_path):
    head = "scenario: S\nedition: original\nplayers: [Ann, Ben]\n"
    assert "no 'option-ends' is to come" in str(failure_of(head, "  - until: option-ends\n", tmp_path))


SEEN = [
    # what Ben, Cid and a visitor see of an offer of Ann's to Ben: a view, and a part of the message where it fails
    ("{by: Ben, sees: {events: [{what: told}], T1: {to: Ben}}}", None),
    ("{by: Ben, sees: {never: [{what: paid}, {do: take-turn}, {kind: admin}]}}", None),
    ("{by: Cid, sees: {never: [{what: told}, {do: trade}, {with: Ben}, {by: Ann}]}, hides: {T1: [to]}}", None),
    ("{by: visitor, sees: {never: [{do: trade}]}, hides: {T1: [author, give]}}", None),
    ("{by: Ann, sees: {never: [{do: trade}]}}", "Ann sees an entry"),
    ("{by: Ann, sees: {never: [{by: Ann}]}}", "Ann sees an entry"),
    ("{by: Ann, sees: {never: [{with: Ben}]}}", "Ann sees an entry"),
    ("{by: Ben, sees: {never: [{what: told}]}}", "Ben sees told"),
    ("{by: Cid, sees: {events: [{what: told}]}}", "did not happen"),
    ("{by: Ben, sees: {events: [{what: tolt}]}}", "no fact is called 'tolt'"),
    ("{by: Ben, sees: {events: []}}", "events must be a list"),
    ("{by: Ben, sees: {never: [{whith: Ben}]}}", "has no 'whith'"),
    ("{by: Ben, hides: {T1: [give]}}", "Ben sees give of offer-1"),
    ("{by: Cid, sees: {T1: {to: Ben}}}", "sees no offer-1"),
]


@pytest.mark.parametrize("runtime", ["cpython", "monty"])
@pytest.mark.parametrize(("view", "says"), SEEN, ids=[view for view, _ in SEEN])
def test_a_view_shows_the_log_as_its_viewer_sees_it(tmp_path, view, says, runtime):
    failure = failure_of(IV, f"{TRADE}  - view: {view}\n", tmp_path, runtime)
    assert failure is None if says is None else says in str(failure), failure


def test_what_was_seen_before_the_last_expect_does_not_count(tmp_path):
    steps = f"{TRADE}  - expect: {{Ann: {{money: 10000}}}}\n  - view: {{by: Ann, sees: {{never: [{{do: trade}}]}}}}\n"
    assert failure_of(IV, steps, tmp_path) is None


def test_a_label_names_the_entry_that_a_strike_struck(tmp_path):
    steps = (
        "  - {turn: Ann, as: E1}\n  - admin: {do: strike, on: E1}\n"
        "  - view: {by: Ben, sees: {events: [{what: struck, entry: E1}]}}\n"
        "  - expect: {events: [{what: struck, entry: E1}]}\n"
    )
    assert failure_of(IV, steps, tmp_path) is None


NEAREST = [
    # what is expected, and parts of the message
    ("{what: rolled, dice: [1, 3]}", ["Nearest: rolled", "dice is [1, 2], not [1, 3]"]),
    ("{what: landed, square: '#5'}", ["Nearest: landed", 'square is "#4", not "#5"']),
    ("{what: landed, who: Ben}", ['who is "Ann", not "Ben"']),
    ("{what: gained}", ["What happened since the last expect: ", "passed (2 times)", "landed"]),
    ("{square: '#9'}", ["What happened"]),
    ("{who: Ann, square: '#9'}", ["Nearest: ", 'not "#9"']),
]


@pytest.mark.parametrize(("wanted", "says"), NEAREST, ids=[wanted for wanted, _ in NEAREST])
def test_a_failing_event_shows_the_nearest_facts_and_what_differs(tmp_path, wanted, says):
    failure = str(failure_of(IV, f"  - {{turn: Ann, draws: [1, 2]}}\n  - expect: {{events: [{wanted}]}}\n", tmp_path))
    assert [part for part in says if part not in failure] == [], failure
    assert len(failure) < 900


def test_an_event_in_the_wrong_order_says_that_it_came_before(tmp_path):
    steps = "  - {turn: Ann, draws: [1, 2]}\n  - expect: {events: [{what: landed}, {what: rolled}]}\n"
    failure = str(failure_of(IV, steps, tmp_path))
    assert 'did not happen after {"what": "landed"}' in failure
    assert "It happened before that: rolled" in failure


def test_many_like_it_are_not_all_shown(tmp_path):
    steps = "  - {turn: Ann, draws: [6, 6]}\n  - expect: {events: [{what: passed, square: '#19'}]}\n"
    failure = str(failure_of(IV, steps, tmp_path))
    assert failure.count("square is") == 3
    assert "and 8 more like these" in failure


@pytest.mark.parametrize(
    ("steps", "drew_more"),
    [
        (["{turn: Ann, draws: [1]}", "expect: {Ann: {money: 5}}"], "step 1"),
        (["{turn: Ann, draws: [1]}", "{turn: Ben, draws: [2]}", "expect: {Ann: {money: 5}}"], "step 2"),
        (["{turn: Ann, draws: [1, 2]}", "expect: {Ann: {money: 5}}"], None),
        (["turn: Ann", "expect: {Ann: {money: 5}}"], None),  # nothing is said of its draws
        (["{turn: Ann, draws: [1]}"], None),  # nothing fails
    ],
)
def test_a_failure_after_too_few_draws_says_so(tmp_path, steps, drew_more):
    (result,) = played(with_steps(*steps), tmp_path)
    if drew_more is None:
        assert "drew more" not in str(result.failure)
    else:
        said = f"not 5 ({drew_more} drew more than its draws say: the dice of the title made the rest)"
        assert str(result.failure).endswith(said)


def test_a_moment_is_not_waited_for_while_a_rule_has_paused_the_game():
    book = load_edition("ii")
    broken = {"enact": "LX.1", "text": "Words.", "code": '@after("week")\ndef broken(e):\n    1 // 0\n'}
    book = Book(book.edition, book.title, apply_changes(book.records, [broken]), book.commons)
    steps = [{"until": "week"}]
    result = play.run({"scenario": "S", "players": ["Ann", "Ben"], "steps": steps}, book=book)
    assert result.failure == "step 1: until: no 'week' comes while the game is paused (the code of rule LX.1 broke)"


@pytest.mark.parametrize("runtime", ["cpython", "monty"])
def test_draws_of_a_rule_that_breaks_on_the_clock_are_not_left_over(runtime):
    book = load_edition("iv")
    doom = (
        'event("calm")\nevent("doom")\ncalendar("calm", weekday=1)\ncalendar("doom", weekday=2)\n\n\n'
        '@on("calm")\ndef calm(e):\n    pass\n\n\n@on("doom")\ndef doom(e):\n    1 // (chance.die(6) - 5)\n'
    )
    broken = {"enact": "60.1", "text": "Words.", "code": doom}
    book = Book(book.edition, book.title, apply_changes(book.records, [broken]), book.commons)
    steps = [{"advance": "8d", "draws": [5]}, {"expect": {"game": {"paused": True}}}]
    assert (
        play.run({"scenario": "S", "players": ["Ann", "Ben"], "steps": steps}, book=book, runtime=runtime).failure
        is None
    )
    steps = [{"advance": "1d", "draws": [5]}]
    result = play.run({"scenario": "S", "players": ["Ann", "Ben"], "steps": steps}, book=book, runtime=runtime)
    assert result.failure == "step 1: draws: [5] were never drawn in this step"
