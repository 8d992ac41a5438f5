"""What holds for all tests: where nothing may be skipped, a skipped test is a failure."""

import os

import pytest

NOTHING_SKIPPED = os.environ.get("CI") == "true" or os.environ.get("NOMOPOLY_NO_SKIP") == "1"


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
