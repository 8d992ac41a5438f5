"""What holds for all tests: the moment at which they begin, a database in a file, and where nothing may be skipped, a
skipped test is a failure."""

import gc
import os
import shutil
import tempfile
from pathlib import Path

import emptysite
import hypothesis
import pytest
import testclock
from _pytest.runner import runtestprotocol

# The guards of time are there for players who wait. Nobody waits for a test, and a busy machine is no failure.
PATIENCE = 60.0
ROOM = 1 << 30  # bytes that are left in memory before a test database is put there
os.environ.setdefault("NOMOPOLY_SECONDS", "40")  # for programs that a test starts
# Hundreds of processes read the same rulebooks: the first one does.
os.environ.setdefault("NOMOPOLY_DUMPS", str(Path(__file__).parents[1] / ".pytest_cache" / "dumps"))

testclock.set_clock(testclock.beginning())  # for what is made before the first test begins

# No deadlines: a slow machine is no failure. `make soak` looks much further.
hypothesis.settings.register_profile("usual", deadline=None)
hypothesis.settings.register_profile("soak", deadline=None, max_examples=2000)
hypothesis.settings.load_profile("soak" if os.environ.get("NOMOPOLY_SOAK") == "1" else "usual")

NOTHING_SKIPPED = os.environ.get("CI") == "true" or os.environ.get("NOMOPOLY_NO_SKIP") == "1"


@pytest.fixture(autouse=True)
def clock():
    """Each test begins at the same moment; see clock/testclock.py."""
    testclock.set_clock(testclock.beginning())


@pytest.fixture(autouse=True)
def shipped_editions_alone():
    """Rules of its own that a test gives this process (`rulebook.own`) are gone after it: other tests go through all
    editions."""
    from nomopoly.rulebook.source import OWN

    before = dict(OWN)
    yield
    if before != OWN:
        OWN.clear()
        OWN.update(before)


@pytest.fixture(scope="session", autouse=True)
def patient():
    """A slow machine ends nothing that is within its budgets: tests of the guards of time set them themselves."""
    from nomopoly.rulebook import check, typecheck
    from nomopoly.runtime.interpreters import monty

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(monty, "SECONDS", float(os.environ["NOMOPOLY_SECONDS"]))
        patch.setattr(monty, "SECONDS_READING", PATIENCE)
        patch.setattr(check, "TYPE_SECONDS", PATIENCE)
        patch.setattr(typecheck, "SECONDS", PATIENCE)
        yield


def memory():
    """The folder of a file system in memory that has room to spare, or None: the usual one for temporary files then.

    A database there is flushed to no disk, which took 5 ms at each commit; in every other way it is the file of a real
    site.
    """
    folder = Path("/dev/shm")
    roomy = folder.is_dir() and os.access(folder, os.W_OK) and shutil.disk_usage(folder).free > ROOM
    return folder if roomy else None


@pytest.fixture(scope="session")
def django_db_setup(django_test_environment, django_db_blocker, django_db_modify_db_settings_parallel_suffix):
    """A database for the tests of this process: on SQLite a copy of an empty one, elsewhere one that is made by
    migrations.

    SQLite keeps a test database in memory, where threads cannot meet: in a file they do, as on a real site.
    """
    from django.conf import settings
    from django.db import connections
    from django.test.utils import setup_databases, teardown_databases

    database = settings.DATABASES["default"]
    if not database["ENGINE"].endswith("sqlite3"):
        with django_db_blocker.unblock():
            before = setup_databases(verbosity=0, interactive=False)
        yield
        with django_db_blocker.unblock():
            end_other_sessions()
            teardown_databases(before, verbosity=0)
        return
    with tempfile.TemporaryDirectory(prefix="nomopoly-test-", dir=memory(), ignore_cleanup_errors=True) as folder:
        file = shutil.copy(emptysite.database(), Path(folder) / emptysite.NAME)
        database["NAME"] = connections["default"].settings_dict["NAME"] = str(file)
        yield
        with django_db_blocker.unblock():
            connections.close_all()


def end_other_sessions():
    """A thread of a test that ends this moment may have a session of its own; it would keep the database there."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def pytest_collection_modifyitems(config, items):
    """SQLite locks as a whole: what is about locked rows has no meaning there (`make test-postgres` runs it)."""
    from django.db import connection

    if not connection.features.has_select_for_update_skip_locked:
        left_out = [item for item in items if item.get_closest_marker("rows_locked")]
        items[:] = [item for item in items if item not in left_out]
        config.hook.pytest_deselected(items=left_out)


def pytest_collection_finish():
    """Games are full of circles: collecting them a thousand objects at a time took a fifth of all the work."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def pytest_runtest_protocol(item, nextitem):
    """A process that runs tests for another one tells how a test went, and of its setup and teardown only what went
    wrong: each report costs both of them some work, and there are twelve thousand tests."""
    if not hasattr(item.config, "workerinput"):
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for report in runtestprotocol(item, nextitem=nextitem, log=False):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session, exitstatus):
    reporter = session.config.pluginmanager.getplugin("terminalreporter")
    is_worker = hasattr(session.config, "workerinput")
    if NOTHING_SKIPPED and not is_worker and reporter and reporter.stats.get("skipped") and exitstatus == 0:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter):
    skipped = terminalreporter.stats.get("skipped", [])
    if skipped and NOTHING_SKIPPED:
        terminalreporter.section("skipped, and nothing may be skipped here", red=True)
        for report in skipped:
            reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
            terminalreporter.write_line(f"{report.nodeid}: {reason}")
