"""Several processes on one PostgreSQL, of which some are killed, in small; `make grow` does it with thousands of
games."""

import os

import grow
import pytest
from fresh import fresh_database


@pytest.mark.rows_locked
def test_games_of_several_processes_keep_what_was_acknowledged_whoever_is_killed(monkeypatch):
    with fresh_database(f"grow_{os.getpid()}") as url:
        monkeypatch.setenv("DATABASE_URL", url)
        seed = int(os.environ.get("KILLS_SEED") or 1)
        assert grow.run(games=3, active=2, processes=2, clients=3, seconds=2, kills=4, warming=1, seed=seed) == []
