"""The environment passes PettingZoo's own tests; it is the same for the same seed."""

import pytest
from pettingzoo.test import api_test

from nomopoly.errors import CommandError
from nomopoly.lab.env import NomopolyEnv
from nomopoly.lab.futures import beginnings
from nomopoly.rulebook.own import load_rules
from nomopoly.runtime.interpreters import CPythonRuntime


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
    """Nobody else learns in `iv` that a player signs in: what the next one sees and may do is the same byte for byte."""
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


SEALED = """
kind("bid")
attribute("bid", "owner", None, type="thing", show=("owner",))
attribute("bid", "amount", 0, label="Bid", type="money", show=("owner",))
attribute("player", "money", 100, label="Money", type="money", summary=True)
attribute("player", "hand", 0, label="Hand", type="money", show=("owner",))


@action("bid", "Bid", private="order", amount=number("Dollars", least=1))
def bid(e):
    create("bid", owner=e.who, amount=e.amount)
    put(e.who, "hand", e.amount)


@action("raise-bid", "Raise a bid", bid=choose("bid", "Bid"))
def raise_bid(e):
    put(e.bid, "amount", e.bid.amount + 1)
"""


def told(env, who):
    """All that an agent gets of the environment, byte for byte."""
    seen = env.observe(who)
    return [seen["observation"].tobytes(), seen["action_mask"].tobytes(), repr(env.infos[who]), env.rewards[who]]


def rest_of_the_day(env):
    """What all others are told, up to Ben's turn on the next day, and what there is for everybody to see then."""
    seen = []
    for _ in env.agents:
        env.step(0)
        seen += [(who, *told(env, who)) for who in ("Ben", "Cid")]
    env.step(0)
    return [*seen, *told(env, "Ben"), env.playing.view("Ben")["things"]]


@pytest.mark.parametrize("amount", [1, 90])
def test_a_sealed_bid_and_a_hidden_hand_are_seen_by_their_owner_alone(tmp_path, amount):
    days = []
    for bids in (False, True):
        env = NomopolyEnv(book=book(tmp_path, SEALED), players=3, weeks=1)
        env.reset(seed=3)
        if bids:
            before = env.observe("Ann")["observation"]
            assert env.playing.order("Ann", "bid", {"amount": amount}, env.now).ok
            hand = env.numbers.index("hand")
            env.offer()
            assert "raise-bid" in [do for do, _ in env.infos["Ann"]["orders"]]
            assert (env.observe("Ann")["observation"] - before)[:, hand].tolist() == [amount, 0, 0]
        days.append(rest_of_the_day(env))
        env.close()
    assert days[0] == days[1]


def test_a_sealed_vote_is_seen_by_nobody_else_and_sways_no_luck():
    """A vote in `iv` signs its player in: an entry that is secret too, on which the Admin's luck must not hang."""
    days = []
    for choice in (None, "yes", "no"):
        env = NomopolyEnv("iv", players=3, weeks=1)
        env.reset(seed=3)
        assert env.playing.order("Cid", "propose", {"title": "More", "text": "Words."}, env.now).ok
        for _ in env.agents:
            env.step(0)
        if choice:
            before = env.playing.n
            assert env.playing.order("Ann", "vote", {"on": "P1", "choice": choice}, env.now).ok
            assert env.playing.n > before, "nothing secret was entered"
        days.append(rest_of_the_day(env))
        env.close()
    assert days[0] == days[1] == days[2]


@pytest.mark.parametrize("edition", ["ii", "iv", "mail"])
def test_what_is_hidden_may_be_anything_and_an_agent_is_told_the_same(edition):
    """In place of what an agent may not see something else is made up, as futures do it: it is told the same.

    Nobody offers anything: an offer tells what its author has in hand, which what is made up may deny.
    """
    env = NomopolyEnv(edition, players=3, weeks=4)
    env.reset(seed=5)
    compared = 0
    for turn in range(60):
        agent, game = env.agent_selection, env.playing
        state, runtime = game.state() | {"now": game.now}, game.fold.runtime
        states, made_up = beginnings(state, game.view(agent), f"turn {turn}")
        compared += bool(made_up)
        before = told(env, agent)
        game.fold.runtime = CPythonRuntime(kernel=runtime.kernel)
        game.fold.runtime.call("restore", {"commons": game.first["args"]["commons"], "state": states[0]})
        env.offer()
        assert told(env, agent) == before
        game.fold.runtime = runtime
        kept = [at for at, (do, _) in enumerate(env.infos[agent]["orders"], 1) if do not in ("trade", "transfer")]
        env.step(kept[-1] if kept else 0)
    env.close()
    assert compared > 5


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
