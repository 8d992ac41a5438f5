"""Databases of PostgreSQL beside that of the tests, for sites that a test serves in processes of their own."""

import contextlib
import os


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


@contextlib.contextmanager
def own_database(name):
    """The same as what a process of a site has to be told: {"DATABASE_URL": ...}; nothing on SQLite, which is a file of
    its folder."""
    if "DATABASE_URL" not in os.environ:
        yield {}
        return
    with fresh_database(f"{name}_{os.getpid()}") as url:
        yield {"DATABASE_URL": url}
