"""Several processes on one PostgreSQL, of which some are killed, in small; `make grow` does it with thousands of games."""

import contextlib
import os

import grow
import pytest


@contextlib.contextmanager
def fresh_database(name):
    """An empty database beside that of the tests: its address."""
    import psycopg

    server = os.environ["DATABASE_URL"]
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        connection.execute(f"CREATE DATABASE {name}")
        try:
            begin, _, options = server.partition("?")
            yield f"{begin.rpartition('/')[0]}/{name}?{options}"
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.mark.rows_locked
def test_games_of_several_processes_keep_what_was_acknowledged_whoever_is_killed(monkeypatch):
    with fresh_database(f"grow_{os.getpid()}") as url:
        monkeypatch.setenv("DATABASE_URL", url)
        seed = int(os.environ.get("KILLS_SEED") or 1)
        assert grow.run(games=3, active=2, processes=2, clients=3, seconds=2, kills=4, warming=1, seed=seed) == []
