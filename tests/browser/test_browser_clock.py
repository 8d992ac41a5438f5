"""The clock of the tests in a browser: that of the server, of what stands in the database, and of the pages'
scripts."""

import time
from datetime import datetime
from email.utils import parsedate_to_datetime

import testclock

DEMO = True
DAY = 86_400


def test_server_database_browser_and_demos_have_the_same_clock(site, page_of):
    made = site.prepare("""
        import time
        from nomopoly.site.tables.models import Entry
        entries = {game.slug: Entry.objects.filter(game=game).latest("n") for game in Game.objects.all()}
        ann = account("ann@example.org")
        result = {
            "now": time.time(),
            "joined": ann.date_joined.timestamp(),
            "session": signed_in(ann),
            "demos": {slug: json.loads(entry.line)["at"] for slug, entry in entries.items()},
        }
    """)
    page = page_of(made["session"])
    answer = page.goto("/settings/")
    assert answer.url.endswith("/settings/"), "the session has not run out"
    served = parsedate_to_datetime(answer.header_value("date")).timestamp()
    for shown in (
        made["now"],
        made["joined"],
        served,
        page.evaluate("Date.now() / 1000"),
        page.evaluate("new Date() / 1000"),
    ):
        assert testclock.beginning() - 1 <= shown <= time.time() + 1
    assert sorted(made["demos"]) == ["demo", "demo-ii", "demo-iv", "demo-mail"]
    for last in made["demos"].values():
        assert testclock.beginning() - 24 * DAY < datetime.fromisoformat(last).timestamp() <= time.time() + 1


def test_time_goes_on_in_the_browser(site, page_of):
    page = page_of()
    page.goto("/")
    before = page.evaluate("Date.now()")
    page.wait_for_timeout(300)
    assert 200 <= page.evaluate("Date.now()") - before <= 30_000


def test_a_visitor_reads_the_times_of_a_game_by_the_clock_of_their_browser(page_of):
    page = page_of(timezone_id="America/New_York")
    shown = page.locator("#log time").first
    assert page.goto("/g/demo-ii/log/").ok, page.locator("main").inner_text()
    assert "UTC" in shown.inner_text()  # the game's: nothing is known of the browser yet
    page.reload()
    assert shown.inner_text().endswith(("EST", "EDT"))
    assert page.locator("script[data-cookie]").count() == 0
