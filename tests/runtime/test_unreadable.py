"""What the host says that nobody could read, the kernel would refuse, in the same words."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from nomopoly.kernel.fields import Field, read_field
from nomopoly.kernel.world import world
from nomopoly.runtime.unreadable import problem_with

PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=5)
    | st.sampled_from(["5", " -7 ", "1,5", "--2", "9" * 40]),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["money", "things"]), inner, max_size=2)
    ),
    max_leaves=4,
)


def refusal_of(sort, value, monkeypatch):
    """Why the kernel does not read a value as a field of a sort; None where it does."""
    monkeypatch.setattr(world, "refusal", None)
    parts = {"parts": ("money",)} if sort == "goods" else {"kind": "account"} if sort == "thing" else {}
    try:
        read_field(Field(sort, "", **parts), value, "x", None)
    except FileExistsError:
        return world.refusal[0]
    return None


@pytest.mark.parametrize("sort", ["number", "moment", "words", "code", "goods", "thing"])
def test_the_kernel_refuses_it_in_the_same_words(sort):
    kind = "account" if sort == "thing" else ""
    said = []

    @given(value=PLAIN)
    @example(value=5)
    @example(value="x")
    @example(value={"money": 5})
    def look(value):
        problem = problem_with("x", sort, kind, value)
        said.append(bool(problem))
        if problem:
            with pytest.MonkeyPatch.context() as patch:
                assert refusal_of(sort, value, patch) == problem

    look()
    assert {True, False} == set(said)
