"""What numbers, words and rows have: the check knows what is there in one interpreter alone."""

import pytest

from nomopoly.rulebook.dialect.vocabulary import ALWAYS_KNOWN, NOT_IN_THE_SANDBOX, OUT_OF_REACH
from nomopoly.runtime.interpreters.monty import monty_pool

SAMPLES = ("'ab'", "5", "[1, 2]", "(1, 2)", "{'a': 1}")


def absent_in_the_sandbox(sample: str) -> set[str]:
    """The names, of those that Python's value of this sample has, of which the sandbox's value knows nothing."""
    names = [name for name in dir(eval(sample)) if not name.startswith("_")]
    code = f"""
found = []
for read in [{", ".join(f"lambda: ({sample}).{name}()" for name in names)}]:
    try:
        read()
        found.append("")
    except Exception as error:
        found.append(str(error))
found
"""
    with monty_pool().checkout() as session:
        said = session.feed_run(code)
    return {name for name, message in zip(names, said, strict=True) if "has no attribute" in message}


@pytest.mark.parametrize("sample", SAMPLES)
def test_what_the_sandbox_lacks_is_in_the_table(sample):
    absent = absent_in_the_sandbox(sample)
    assert absent - OUT_OF_REACH == {name for name in NOT_IN_THE_SANDBOX if hasattr(eval(sample), name)}
    assert not absent & ALWAYS_KNOWN - OUT_OF_REACH, "the check lets these pass"
