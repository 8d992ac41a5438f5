"""The environment passes PettingZoo's own tests; it is the same for the same seed."""

import pytest
from pettingzoo.test import api_test

from nomopoly.lab.env import NomopolyEnv


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


def test_an_action_that_is_not_offered_is_refused():
    env = NomopolyEnv("original", players=2, weeks=1)
    env.reset(seed=1)
    with pytest.raises(ValueError, match="has the actions 0 to"):
        env.step(17)
    env.close()
    with pytest.raises(ValueError, match="call reset"):
        env.observe("Ann")
