"""What the benchmarks compare is the same play."""

from nomopoly.lab import bench
from nomopoly.lab.simulate import play_weeks
from nomopoly.runtime.counted import counted


def test_without_its_counters_a_game_is_played_alike_and_counts_less():
    states, steps = [], []
    for reader in (counted, str):
        game = bench.game_read_by(reader, "mail")
        game.play(12)
        states.append(game.runtime.call("dump"))
        game.enter({"kind": "tick", "do": "turn", "args": {"who": game.names[0]}})
        steps.append(game.runtime.call("steps"))
        game.runtime.close()
    assert states[0] == states[1]
    assert steps[0] > steps[1]


def test_the_cost_of_counters_is_measured_for_each_edition():
    figures = bench.Figures()
    bench.counters(figures, 20)
    assert [row["name"].split()[5] for row in figures.rows] == ["ii", "iv", "mail", "original"]
    assert all(row["unit"] == "per cent" for row in figures.rows)


def test_a_pair_of_futures_is_measured_in_both_ways_of_playing_them():
    figures = bench.Figures()
    game, _ = play_weeks("original", players=2, weeks=1, seed=3)
    bench.pairs(figures, game)
    game.runtime.close()
    assert [row["name"].rpartition("(")[2] for row in figures.rows] == ["hardened)", "monty)"]
    assert all(row["figure"] > 0 for row in figures.rows)
