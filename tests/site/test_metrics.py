"""Watching a site: what it measures at /metrics and for whom, and what is in its logs: whose request, which game, and
no secret."""

import io
import json
import logging
import re
import threading
import urllib.request
from pathlib import Path

import kills
import nursery
import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db.backends.signals import connection_created
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families
from ruamel.yaml import YAML

from nomopoly.site.accounts import feeds, keys
from nomopoly.site.order import complaints, operating
from nomopoly.site.post.models import Letter
from nomopoly.site.serve import prepare
from nomopoly.site.tables import domain, live
from nomopoly.site.tables.models import Fault, Game, Life
from nomopoly.site.watch import logs, metrics

OPERATING = Path(__file__).parents[2] / "docs" / "operating"


def readings(client=None, **headers):
    """{name and labels: value} of /metrics."""
    answer = (client or Client()).get("/metrics", **headers)
    assert answer.status_code == 200
    found = {}
    for family in text_string_to_metric_families(answer.content.decode()):
        for sample in family.samples:
            found[(sample.name, *sorted(sample.labels.items()))] = sample.value
    return found


# ---- metrics


def test_the_metrics_of_a_clock_keep_no_connection_to_the_database():
    made = []

    def note(connection, **_):
        made.append((threading.current_thread(), connection))

    connection_created.connect(note)
    try:
        port = kills.free_port()
        assert metrics.serve(port)
        for _ in range(3):
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=60) as answer:
                assert b"nomopoly_up 1" in answer.read()
    finally:
        connection_created.disconnect(note)
    theirs = [connection for thread, connection in made if thread is not threading.current_thread()]
    assert len(theirs) == 3
    for thread, _ in made:
        if thread is not threading.current_thread():
            thread.join(60)
    assert [connection.connection for connection in theirs] == [None, None, None]


def test_orders_entries_and_requests_are_measured(game, ann):
    before = readings()
    assert domain.order(game, "Ann", "propose", {"title": "T", "text": "W"}).ok
    assert not domain.order(game, "Ann", "propose", {}).ok
    after = readings()

    def more(name, **labels):
        key = (name, *sorted(labels.items()))
        return after.get(key, 0) - before.get(key, 0)

    assert more("nomopoly_order_seconds_count", what="order", result="done") == 1
    assert more("nomopoly_order_seconds_count", what="order", result="refused") == 1
    assert more("nomopoly_entries_total") >= 1
    assert more("nomopoly_request_seconds_count", view="metrics", method="GET", status="2xx") == 1
    assert after[("nomopoly_games_warm",)] == 1
    assert after[("nomopoly_sandbox_workers",)] >= 1
    assert after[("nomopoly_sandbox_memory_bytes",)] > 1_000_000


def test_the_state_of_the_site_is_measured(game, ann):
    Letter.objects.create(to="eve@example.org", subject="x", text="x", tries=2)
    Letter.objects.create(to="eve@example.org", subject="x", text="x", next_try=None)
    Fault.objects.create(game=game, rule="X.1")
    complaints.Complaint.objects.create(game=game, user=ann.user, sort="admin", because="x", for_operator=True)
    Game.objects.update(due=live.now() - 90)
    found = readings()
    assert found[("nomopoly_up",)] == 1
    assert found[("nomopoly_games_running",)] == 1
    assert found[("nomopoly_letters_waiting",)] == 1
    assert found[("nomopoly_letters_refused",)] == 1
    assert found[("nomopoly_letters_given_up",)] == 1
    assert found[("nomopoly_faults_open",)] == 1
    assert found[("nomopoly_reports_open",)] == 1
    assert found[("nomopoly_due_games",)] == 1
    assert 90 <= found[("nomopoly_due_lateness_seconds",)] < 120


def test_no_metric_names_anybody(game, ann):
    assert domain.order(game, "Ann", "propose", {"title": "PLANTED", "text": "W"}).ok
    ann.get("/g/friday/players/Ann/")
    told = Client().get("/metrics").content.decode()
    for planted in ("Ann", "PLANTED", "friday", "example.org"):
        assert planted not in told


def test_a_fault_and_a_busy_game_have_results_of_their_own(game, monkeypatch):
    from nomopoly.runtime.outcomes import Outcome
    from nomopoly.site.busy import Busy

    def count(result):
        return (
            metrics.REGISTRY.get_sample_value("nomopoly_order_seconds_count", {"what": "test", "result": result}) or 0
        )

    def busy():
        raise Busy(1, "x")

    metrics.timed("test")(lambda: Outcome(None, fault={"rule": "X.1"}))()
    with pytest.raises(Busy):
        metrics.timed("test")(busy)()
    with pytest.raises(ZeroDivisionError):
        metrics.timed("test")(lambda: 1 // 0)()
    assert [count(each) for each in ("fault", "busy", "error", "done")] == [1, 1, 1, 0]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"REMOTE_ADDR": "127.0.0.1"}, 200),
        ({"REMOTE_ADDR": "::1"}, 200),
        ({"REMOTE_ADDR": "203.0.113.7"}, 404),
        ({"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": "203.0.113.7"}, 404),
        ({"REMOTE_ADDR": "127.0.0.1", "HTTP_FORWARDED": "for=203.0.113.7"}, 404),
        ({"REMOTE_ADDR": ""}, 404),
    ],
)
def test_without_a_token_this_machine_alone_reads_them(headers, status):
    assert Client(**headers).get("/metrics").status_code == status


def test_with_a_token_whoever_has_it_reads_them(settings):
    settings.NOMOPOLY_METRICS_TOKEN = "sesame"
    assert Client().get("/metrics").status_code == 404
    assert Client(HTTP_AUTHORIZATION="Bearer wrong").get("/metrics").status_code == 404
    far = Client(HTTP_AUTHORIZATION="Bearer sesame", REMOTE_ADDR="203.0.113.7")
    assert far.get("/metrics").status_code == 200


def test_alerts_and_dashboard_ask_for_metrics_that_there_are(game, ann):
    assert domain.order(game, "Ann", "propose", {"title": "T", "text": "W"}).ok
    there = {name for name, *_ in readings()} | {"up", "process_resident_memory_bytes"}
    there |= {name.removesuffix("_created") for name in there}
    asked = {}
    for file in ("alerts.yml", "dashboard.json"):
        found = set(re.findall(r"\bnomopoly_\w+", (OPERATING / file).read_text()))
        assert len(found) > 5
        asked[file] = found - there
    assert asked == {"alerts.yml": set(), "dashboard.json": set()}


def test_every_metric_is_explained_and_none_that_there_is_not(game, ann):
    assert domain.order(game, "Ann", "propose", {"title": "T", "text": "W"}).ok
    metrics.HANDED.labels("answered").inc(0)
    Life.objects.update_or_create(pk=1, defaults={"at": live.now()})
    explained = set()
    for cell in re.findall(r"^\| (`nomopoly_.*?) \|", (OPERATING / "watching.md").read_text(), re.M):
        names = [name.partition("{")[0] for name in re.findall(r"`(\w+)(?:\{[\w,]+\})?`", cell)]
        begin = names[0].rpartition("_")[0]  # of what is named by its end alone, as in `_refused`
        explained |= {begin + name if name.startswith("_") else name for name in names}
    there = {name for name, *_ in readings() if name.startswith("nomopoly_") and not name.endswith("_created")}
    assert explained == {re.sub(r"_(?:bucket|count|sum)$", "", name) for name in there}


def test_alerts_prometheus_and_dashboard_can_be_read():
    groups = YAML(typ="safe").load((OPERATING / "alerts.yml").read_text())["groups"]
    rules = [rule for group in groups for rule in group["rules"]]
    assert len(rules) == 11
    assert all({"expr", "for", "labels", "annotations"} <= set(rule) for rule in rules)
    assert YAML(typ="safe").load((OPERATING / "prometheus.yml").read_text())["scrape_configs"]
    assert json.loads((OPERATING / "dashboard.json").read_text())["panels"]


# ---- logs


@pytest.fixture
def written():
    """written() is what stands in the log as text: of Django from its warnings on, as on every site, of all else
    everything."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.addFilter(logs.Context())
    handler.setFormatter(logs.Line())
    loggers = [logging.getLogger(name) for name in ("", "nomopoly", "django", "allauth")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.addHandler(handler)
        logger.setLevel(logging.WARNING if logger.name == "django" else logging.DEBUG)
    yield stream.getvalue
    for logger, level in zip(loggers, levels, strict=True):
        logger.removeHandler(handler)
        logger.setLevel(level)


def test_an_ordinary_403_has_no_traceback(ann, written):
    assert ann.get("/g/friday/admin/", HTTP_X_REQUEST_ID="abcdefgh12").status_code == 403
    lines = [line for line in written().splitlines() if "Forbidden" in line]
    assert lines
    assert all("[request=abcdefgh12 game=friday]" in line for line in lines)
    assert "Traceback" not in written()


def test_what_breaks_has_its_traceback(ann, written, monkeypatch):
    from nomopoly.site.play.views import players

    monkeypatch.setattr(players.pages, "standing", lambda seat: 1 // 0)
    ann.raise_request_exception = False
    assert ann.get("/g/friday/players/").status_code == 500
    assert "ZeroDivisionError" in written()


def test_an_answer_names_its_request(ann):
    assert ann.get("/", HTTP_X_REQUEST_ID="from-the-proxy-1")["X-Request-ID"] == "from-the-proxy-1"
    for forged in ("x", "a" * 65, "two\r\nlines", "spaces in it"):
        assert re.fullmatch("[0-9a-f]{16}", ann.get("/", HTTP_X_REQUEST_ID=forged)["X-Request-ID"])


def record(message, *args, **more):
    made = logging.LogRecord("nomopoly.test", logging.INFO, "", 0, message, args, more.pop("exc_info", None))
    for name, value in more.items():
        setattr(made, name, value)
    return made


def test_json_is_an_object_a_line():
    with logs.about_game("friday"):
        made = record("two\nlines for %s", "Ann")
        logs.Context().filter(made)
        line = logs.Json().format(made)
    assert "\n" not in line
    told = json.loads(line)
    assert told["message"] == "two\nlines for Ann"
    assert told["game"] == "friday"
    assert told["level"] == "INFO"
    assert told["at"].endswith("+00:00")


LIBRARIES = """
import logging, sys
from pathlib import Path
from nomopoly.site.serve import prepare
prepare(Path(sys.argv[1]))
for name in ("psycopg.pool", "mail.log", "uvicorn.error", "django.request", "nomopoly.clock"):
    logging.getLogger(name).warning("two\\nlines")
    logging.getLogger(name).debug("details")
"""


def test_what_libraries_say_is_written_like_all_else(tmp_path, monkeypatch):
    monkeypatch.setenv("NOMOPOLY_LOG", "json")
    done = nursery.run(["-c", LIBRARIES, str(tmp_path)], capture_output=True, text=True)
    told = [json.loads(line) for line in done.stderr.splitlines()]
    names = ["psycopg.pool", "mail.log", "uvicorn.error", "django.request", "nomopoly.clock"]
    assert [(line["logger"], line["message"]) for line in told] == [(name, "two\nlines") for name in names]


def test_nobody_forges_a_line():
    forged = record("Not Found: %s", "/x\n2026-01-01 ERROR nomopoly: all is lost\x1b[2J")
    assert "\n" not in logs.Line().format(forged)
    assert "\x1b" not in logs.Line().format(forged)


@pytest.mark.parametrize(
    "text",
    [
        "/feeds/SECRET/calendar.ics",
        "/again/SECRET/",
        "/notices/stop/SECRET/",
        "/account/password/reset/key/SECRET/",
        "GET /g/x/join/?invitation=SECRET",
        "Authorization: Bearer SECRET",
        "smtp://user:SECRET@host",
        "the key nomo_SECRET1234",
        "PASSWORD=SECRET",
        "letter 7 was not taken (450 b'4.2.0 <SECRET@club.example>: Recipient address rejected: Greylisted')",
        "play+SECRET@games.example.org",
    ],
)
def test_a_secret_that_gets_into_a_line_is_blotted_out(text):
    for form in (logs.Line(), logs.Json()):
        line = form.format(record("%s", text))
        assert "SECRET" not in line
        assert logs.BLOT in line


def test_no_secret_gets_into_the_log(game, ann, ben, people, written):
    """Each way in and each secret of the site is used once; then the whole log is searched for them."""
    password = "correct-horse-battery"
    ann.user.set_password(password)
    ann.user.save()
    EmailAddress.objects.filter(user=ann.user).update(verified=True, primary=True)
    key, _ = keys.make(ann.user, name="bot", game=game, scope="play")
    feeds.renew(ann.user)
    feed = feeds.address_of(ann.user).token
    mail.outbox.clear()
    stranger = Client()
    stranger.post("/account/login/", {"login": "ann@example.org", "password": "wrong-" + password})
    stranger.post("/account/login/", {"login": "ann@example.org", "password": password})
    Client().post("/account/login/code/", {"email": "ann@example.org", "time_zone": ""})
    code = re.search(r"\b[A-Z0-9]{3,}-?[A-Z0-9]{3,}\b", mail.outbox[-1].body)[0]
    Client().post("/account/password/reset/", {"email": "ann@example.org"})
    bearer = {"HTTP_AUTHORIZATION": f"Bearer {key}"}
    assert Client(**bearer).get("/api/v1/g/friday").status_code == 200
    Client(HTTP_AUTHORIZATION=f"Bearer {key}x").get("/api/v1/g/friday")
    Client().get(f"/feeds/{feed}/calendar.ics")
    Client().get(f"/feeds/{feed}/nowhere/log.atom")
    Client().get(f"/feeds/{feed}x/calendar.ics")
    Client().get(f"/g/friday/join/?invitation={game.invitation}")
    Client().get(f"/g/nowhere/join/?invitation={game.invitation}")
    ben.post("/g/friday/notes/", {"body": "PLANTED-NOTE"})
    assert domain.order(game, "Ann", "propose", {"title": "T", "text": "W"}).ok
    operating.block(ben.user, "Spam")
    game.refresh_from_db()
    secrets = {
        "password": password,
        "key": key,
        "feed": feed,
        "invitation": game.invitation,
        "session": ann.session.session_key,
        "code": code,
        "secret of the game": game.secret,
        "vault of the game": game.vault,
        "note": "PLANTED-NOTE",
        "address": "ann@example.org",
    }
    log = written()
    assert "Not Found" in log, "something was written at all"
    assert "a log-in has failed" in log
    assert f"account {ann.user.pk} has logged in (password)" in log
    assert {name for name, secret in secrets.items() if secret in log} == set()


def test_a_command_that_sets_the_site_up_again_leaves_the_log_where_it_goes(tmp_path, monkeypatch):
    """It went where the command told its errors, and when that was closed nothing was logged any more."""
    monkeypatch.setenv("NOMOPOLY_DATA", str(tmp_path))
    before = [*logging.getLogger().handlers]
    prepare(tmp_path)
    assert any(isinstance(handler.formatter, logs.Line) for handler in before)
    assert logging.getLogger().handlers == before
