"""The checker of types goes on in one session from program to program: none finds in it what another one has left."""

import threading

import pytest

from nomopoly.rulebook import typecheck


@pytest.fixture
def begun(monkeypatch):
    """The sessions of the checker that are begun from now on."""
    sessions = []

    class Session(typecheck.Session):
        def __init__(self, key):
            super().__init__(key)
            sessions.append(self)

    forget_kept()
    monkeypatch.setattr(typecheck, "Session", Session)
    yield sessions
    forget_kept()


def forget_kept():
    """Let the next program be the first one that is looked through."""
    typecheck.checked.cache_clear()
    kept, typecheck._kept = typecheck._kept, None
    if kept is not None:
        kept.close()


def found(code, **numbers):
    return [(level, line) for level, line, _ in typecheck.type_problems(code, numbers)]


WRONG = "def mine():\n    pass\n\n\nput(1)\n"


def test_one_session_looks_through_many_programs_and_numbers_are_each_programs_own(begun):
    assert found(WRONG) == [("error", 5)]
    assert found("mine(1, 2, 3)\n") == []
    assert found("rule.pct + 'x'\n", pct=3, word="x") == [("warning", 1)]
    assert found("rule.pct + 'x'\n", pct="x") == []
    assert found("rule.pct + 'y'\n") == []
    assert found("\n\nput(2)\n", many=1, more=2) == [("error", 3)]
    assert len(begun) == 1


def test_a_program_that_gives_words_another_meaning_has_a_session_of_its_own(begun):
    assert found(WRONG) == [("error", 5)]
    assert found("def put(one):\n    return one\n\n\nput(1)\n") == []
    assert found(WRONG + "\n") == [("error", 5)]
    assert len(begun) == 2


def test_a_session_in_which_something_went_wrong_is_not_used_again(begun):
    assert found(WRONG) == [("error", 5)]
    begun[0].close()
    assert found(WRONG + "\n") == [], "a checker that fails finds nothing"
    assert found(WRONG + "\n") == [("error", 5)]
    assert len(begun) == 2


def test_a_session_is_for_so_many_programs(begun, monkeypatch):
    monkeypatch.setattr(typecheck, "MOST_USES", 2)
    for at in range(5):
        assert found(WRONG + at * "\n") == [("error", 5)]
    assert len(begun) == 3


def test_other_seconds_are_for_the_next_program(begun, monkeypatch):
    assert found(WRONG) == [("error", 5)]
    monkeypatch.setattr(typecheck, "SECONDS", typecheck.SECONDS + 1)
    assert found(WRONG + "\n") == [("error", 5)]
    assert [each.key[1] for each in begun] == [typecheck.SECONDS - 1, typecheck.SECONDS]


def test_several_threads_do_not_meet_in_one(begun):
    wrong = []

    def look(thread):
        for at in range(8):
            own = "def put(one):\n    return one\n\n\n" if at % 3 == 0 else "x = 1\n\n\n\n"
            code = f"{own}put({100 * thread + at})\n"
            if found(code, pct=at) != ([] if at % 3 == 0 else [("error", 5)]):
                wrong.append(code)

    threads = [threading.Thread(target=look, args=[number]) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
