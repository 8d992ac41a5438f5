"""An order is on the disk before it is answered; on SQLite the answer itself, which can be made again, is not waited
for."""

from django.db import connection

from nomopoly.site.tables import sent
from nomopoly.site.tables.models import Once


def flushes(work):
    """What SQLite was told about flushing while `work` ran, and where rows were written: their first words, in
    order."""
    seen = []

    def watch(execute, sql, params, many, context):
        if sql.startswith(("PRAGMA synchronous", "INSERT", "UPDATE")):
            seen.append(sql.split("=")[-1] if sql.startswith("PRAGMA") else sql.split()[0])
        return execute(sql, params, many, context)

    with connection.execute_wrapper(watch):
        work()
    return seen


SAFE = {  # whether each commit is flushed to the disk; on PostgreSQL, whether this connection does as the server is set up to
    "sqlite": "SELECT synchronous = 2 FROM pragma_synchronous",
    "postgresql": "SELECT setting = reset_val FROM pg_settings WHERE name = 'synchronous_commit'",
}
UNSAFE = {
    "sqlite": ("PRAGMA synchronous = NORMAL", "PRAGMA synchronous = FULL"),
    "postgresql": ("SET synchronous_commit = local", "RESET synchronous_commit"),
}


def is_safe():
    """Whether what is committed now is on the disk before anybody is answered."""
    with connection.cursor() as cursor:
        cursor.execute(SAFE[connection.vendor])
        return bool(cursor.fetchone()[0])


def test_a_connection_that_does_not_wait_for_the_disk_is_told_from_one_that_does():
    assert is_safe()
    for statement, safe in zip(UNSAFE[connection.vendor], (False, True)):
        with connection.cursor() as cursor:
            cursor.execute(statement)
        assert is_safe() is safe


def test_the_answer_to_what_is_on_the_disk_is_not_waited_for(people):
    user = people("ann").user
    with sent.sending(user, "one", lambda n, done: "") as now, sent.in_one():
        pass
    assert now.done
    only_here = ["NORMAL", "UPDATE", "FULL"] if connection.vendor == "sqlite" else ["UPDATE"]
    assert flushes(lambda: sent.answered(now, "Bought.")) == only_here
    assert is_safe()
    assert Once.objects.get(user=user, token="one").result == "Bought."


def test_a_token_that_is_kept_with_its_answer_is(people):
    user = people("ann").user
    with sent.sending(user, "one", lambda n, done: "") as now:
        pass
    assert "NORMAL" not in flushes(lambda: sent.answered(now, "Nothing to do."))
    assert is_safe()
