"""The environment passes PettingZoo's own tests; it is the same for the same seed."""

import pytest
from pettingzoo.test import api_test

from nomopoly.errors import CommandError
from nomopoly.lab.env import NomopolyEnv
from nomopoly.rulebook.own import load_rules


def test_it_passes_the_tests_of_pettingzoo():
    env = NomopolyEnv("original", players=2, weeks=1)
    try:
        api_test(env, num_cycles=20)
    finally:
        env.close()


def played(seed):
    """The numbers of a week in which everybody takes the last order that they are offered."""
    env = NomopolyEnv("iv", players=2, weeks=1)
    env.reset(seed=seed)
    seen = []
    for agent in env.agent_iter(100):
        observation, reward, terminated, truncated, info = env.last()
        seen.append((agent, observation["observation"].tolist(), reward, [do for do, _ in info["orders"]]))
        env.step(None if terminated or truncated else len(info["orders"]))
    env.close()
    return seen


def test_the_same_seed_and_actions_are_the_same_game():
    first = played(3)
    assert first == played(3)
    assert first != played(4)
    assert any(orders for *_, orders in first)
    assert any(reward for _, _, reward, _ in first)


def test_what_somebody_does_in_secret_changes_nothing_for_others():
    """Who signs in, in `iv`, is told to nobody else: what the next player sees and may do is the same byte for byte."""
    seen = []
    for secretly in (False, True):
        env = NomopolyEnv("iv", players=3, weeks=1)
        env.reset(seed=3)
        names = [do for do, _ in env.infos["Ann"]["orders"]]
        env.step(names.index("log-in") + 1 if secretly else 0)
        told = env.observe("Ben")
        seen.append([told["observation"].tobytes(), told["action_mask"].tobytes(), env.infos["Ben"], env.last()[1:4]])
        assert ("log-in" in [line["do"] for line in env.playing.journal.lines(1)]) == secretly
        env.close()
    assert seen[0] == seen[1]


def test_an_action_that_is_not_offered_is_refused():
    env = NomopolyEnv("original", players=2, weeks=1)
    env.reset(seed=1)
    with pytest.raises(ValueError, match="has the actions 0 to"):
        env.step(17)
    env.close()
    with pytest.raises(ValueError, match="call reset"):
        env.observe("Ann")


def book(tmp_path, code):
    """A rulebook of one rule that has this code."""
    file = tmp_path / "own.py"
    file.write_text(f'section("I", "A")\n\nrule("I.1", """\nWords.\n""")\n\n{code}\n')
    return load_rules(file)[0]


@pytest.mark.parametrize("runtime", ["cpython", "monty"])
@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("x = nothing_of_that_name", "no game can begin with these rules: .*'nothing_of_that_name'"),
        (
            '@check("join")\ndef no(e):\n    return "nobody plays"',
            "Ann cannot join a game of these rules: nobody pl",
        ),
    ],
)
def test_a_rulebook_that_makes_no_game_is_told(tmp_path, runtime, code, says):
    with pytest.raises(CommandError, match=says):
        NomopolyEnv(book=book(tmp_path, code), players=2, runtime=runtime)


def test_wrong_arguments_are_told(tmp_path):
    for wrong in ({"players": 0}, {"weeks": 0}, {"choices": -1}):
        (name,) = wrong
        with pytest.raises(ValueError, match=f"{name} must be 1 or more"):
            NomopolyEnv(**wrong)
    with pytest.raises(TypeError, match="book is a Book, as nomopoly.rulebook.own.load_rules"):
        NomopolyEnv(book="own.py")
    for wrong in ("wealth", "square", "bankrupt"):
        with pytest.raises(CommandError, match=f"players have no number '{wrong}': there are money$"):
            NomopolyEnv(reward=wrong)
    with pytest.raises(CommandError, match="there is no edition 'v'"):
        NomopolyEnv("v")


def test_only_numbers_are_observed_and_one_may_begin_as_nothing(tmp_path):
    env = NomopolyEnv("mail", players=1, weeks=1)
    assert env.numbers == ["disguise_lost", "dues", "impersonate_paid", "money", "shares"]
    env.close()
    score = 'attribute("player", "score", label="Score", type="number")'
    env = NomopolyEnv(book=book(tmp_path, score), players=1, reward="score")
    assert env.numbers == ["score"]
    env.close()
    with pytest.raises(CommandError, match="players have no number 'money': there are none"):
        NomopolyEnv(book=book(tmp_path, 'attribute("player", "hat", "")'), players=1)


def test_an_action_is_a_whole_number():
    env = NomopolyEnv("original", players=2, weeks=1)
    env.reset(seed=1)
    for wrong in ("x", 1.5, None):
        with pytest.raises(ValueError, match="has the actions 0 to"):
            env.step(wrong)
    env.close()
