"""A site is kept in one file: lost, restored, and the same to everybody who looks; and what watches over it."""

import io
import json
import os
import shutil
import signal
import subprocess
import tarfile
import time
from pathlib import Path

import emptysite
import nursery
import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from kills import free_port
from pagewords import propose

from nomopoly.errors import CommandError
from nomopoly.site import clock, health, keeping
from nomopoly.site.tables import live
from nomopoly.site.tables.models import Game, Life

PAGES = (
    "",
    "/view",
    "/log",
    "/rules?code=1",
    "/forum",
    "/forum/1",
    "/notes",
    "/players",
    "/export",
    "/proposals",
    "/answers",
)
ARRANGE = """
from django.contrib.auth import get_user_model
from nomopoly.site.play.models import Comment, Note, Thread
from nomopoly.site.tables import domain, live
people = {name: get_user_model().objects.create_user(f"{name}@example.org") for name in ("keeper", "ann", "ben")}
for edition in ("original", "iv"):
    game = domain.start_game(people["keeper"], edition=edition, title=edition, slug=edition, at=live.now() - 3600)
    for name in ("Ann", "Ben"):
        assert domain.ask_to_join(game, people[name.lower()], name).ok
        assert domain.desk_act(game, "approve-player", {"player": name}).ok
    assert domain.order(game, "Ann", "propose", {"title": "Größer", "text": "Wörter\\nzwei"}).ok
    Thread.objects.create(game=game, number=1, title="Hello", user=people["ann"], name="Ann")
    Comment.objects.create(game=game, about="thread-1", user=people["ann"], name="Ann", body="*Hi*")
    Note.objects.create(game=game, user=people["ann"], body="A secret plan")
assert domain.order(game, "Ben", "vote", {"on": "P1", "choice": "yes"}).ok
live.close_all()
"""
LOOK = """
import json
from django.contrib.auth import get_user_model
from django.test import Client
from nomopoly.site.tables import live
told = {}
for who in ("ann", "ben", "keeper", ""):
    client = Client(SERVER_NAME="127.0.0.1")
    if who:
        user = get_user_model().objects.get(email=f"{who}@example.org")
        client.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    for game in ("original", "iv"):
        for page in PAGES:
            answer = client.get(f"/api/v1/g/{game}{page}")
            body = answer.content.hex() if page == "/export" else answer.json()
            if isinstance(body, dict):  # but for what hangs on the moment of asking
                body = {name: body[name] for name in body if name not in ("now", "said", "waiting", "coming")}
            told[f"{who} {game}{page}"] = [answer.status_code, body]
live.close_all()
print(json.dumps(told, sort_keys=True))
"""


def run(data, program="", *words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE):
    """Run a program in the site of a folder, or a command of ours there."""
    left_out = ("DATABASE_URL", "NOMOPOLY_HOSTS", "EMAIL_URL")
    environment = {key: value for key, value in os.environ.items() if key not in left_out}
    environment |= {"NOMOPOLY_DATA": str(data), "DJANGO_SETTINGS_MODULE": "nomopoly.site.settings"}
    if program:
        program = f"import django\ndjango.setup()\nPAGES = {PAGES!r}\n{program}"
    else:
        program = "from nomopoly.cli import main\nmain()"
    pipes = {"stdin": stdin, "stdout": stdout, "stderr": subprocess.PIPE}
    return nursery.run(["-c", program, *words], env=environment, text=True, timeout=300, **pipes)


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A folder with a site, and a backup of it."""
    folder = tmp_path_factory.mktemp("keeping")
    Path(folder, "old").mkdir()
    shutil.copy(emptysite.database(), folder / "old" / emptysite.NAME)
    made = run(folder / "old", ARRANGE)
    assert made.returncode == 0, made.stderr
    (folder / "old" / "pages").mkdir()
    (folder / "old" / "pages" / "privacy.md").write_text("Run by a club.", "utf-8")
    (folder / "old" / "push-key.pem").write_text("A key of before")
    saved = run(folder / "old", "", "backup", str(folder / "site.tar.gz"), "--data", str(folder / "old"))
    assert saved.returncode == 0, saved.stderr
    assert "2 games, 3 accounts" in saved.stdout
    return folder


def test_a_lost_site_is_back_as_it_was(kept):
    before = run(kept / "old", LOOK)
    assert before.returncode == 0, before.stderr
    restored = run(kept / "new", "", "restore", str(kept / "site.tar.gz"), "--data", str(kept / "new"))
    assert restored.returncode == 0, restored.stderr
    assert "2 games, 3 accounts" in restored.stdout
    assert "Not in order" not in restored.stdout
    after = run(kept / "new", LOOK)
    assert after.returncode == 0, after.stderr
    old, new = json.loads(before.stdout), json.loads(after.stdout)
    assert [page for page in old if old[page] != new[page]] == []
    assert "A secret plan" in json.dumps(new["ann original/notes"])
    for name in ("secret-key", "push-key.pem", "pages/privacy.md"):
        assert (kept / "new" / name).read_text() == (kept / "old" / name).read_text()
        assert (kept / "new" / name).stat().st_mode & 0o077 == 0
    again = run(kept / "new", "", "verify", "--all", "--data", str(kept / "new"))
    assert (again.returncode, "Every game comes to the same." in again.stdout) == (0, True), again.stdout
    looked = run(kept / "new", "", "doctor", "--data", str(kept / "new"))
    assert "every journal is what was acknowledged" in looked.stdout
    assert "go to nobody" in looked.stdout


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_restore_that_is_killed_leaves_nothing_behind(kept, tmp_path, monkeypatch, number):
    """There was half a site in the folder, and a copy of the backup among the temporary files."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    new = tmp_path / "new"
    words = ["-m", "nomopoly", "restore", str(kept / "site.tar.gz"), "--data", str(new)]
    environment = {**os.environ, "NOMOPOLY_DATA": str(new)}
    environment.pop("DATABASE_URL", None)
    command = nursery.start(words, env=environment, stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + 60
    while sum(each.stat().st_size for each in new.glob("nomopoly.sqlite3-wal")) < 100_000:  # it is making tables
        assert time.monotonic() < until
        time.sleep(0.01)
    command.send_signal(number)
    _, told = command.communicate(timeout=60)
    assert command.returncode == -number
    assert "stopped before it was done" in told
    assert list(new.glob("nomopoly.sqlite3*")) + list((tmp_path / "temporary").iterdir()) == []


OLDER = """
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("DELETE FROM django_migrations WHERE app = 'tables' AND name NOT LIKE '0001%%'")
    cursor.execute("ALTER TABLE tables_game RENAME COLUMN due TO once")
"""
WHICH = """
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("SELECT count(*) FROM django_migrations WHERE app = 'tables'")
    print(cursor.fetchone()[0])
"""


def test_a_new_version_looks_at_the_games_of_an_old_site_and_leaves_its_database_alone(kept, tmp_path):
    """The old version serves the site meanwhile: tables in a newer form would break it, and there would be no way
    back."""
    shutil.copytree(kept / "old", tmp_path / "old")
    made = run(tmp_path / "old", OLDER)
    assert made.returncode == 0, made.stderr
    looked = run(tmp_path / "old", "", "verify", "--all", "--data", str(tmp_path / "old"))
    assert (looked.returncode, "Every game comes to the same." in looked.stdout) == (0, True), looked.stderr
    assert run(tmp_path / "old", WHICH).stdout.strip() == "1"


NEWER = """
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("INSERT INTO django_migrations (app, name, applied) VALUES ('tables', '9999_later', CURRENT_TIMESTAMP)")
"""
LOOKING = (("doctor",), ("backup", "site.tar.gz"), ("operator", "state"), ("export", "iv", "iv.jsonl"))
SERVING = (("serve", "--port", str(free_port())), ("clock",))


@pytest.mark.parametrize(
    ("made", "says", "commands"),
    [(OLDER, "start `nomopoly serve`", LOOKING), (NEWER, "use that version, or restore a backup", LOOKING + SERVING)],
)
def test_a_command_brings_no_database_to_another_form(kept, tmp_path, made, says, commands):
    """What looks at a site or keeps it is said while another version serves it."""
    shutil.copytree(kept / "old", tmp_path / "old")
    assert run(tmp_path / "old", made).returncode == 0
    before = run(tmp_path / "old", WHICH).stdout
    for command in commands:
        words = [str(tmp_path / word) if "." in word else word for word in command]
        refused = run(tmp_path / "old", "", *words, "--data", str(tmp_path / "old"))
        assert refused.returncode == 1, command
        assert says in refused.stdout + refused.stderr, command
        assert "Traceback" not in refused.stderr, command
    assert run(tmp_path / "old", WHICH).stdout == before
    assert not list(tmp_path.glob("*.*"))


def test_a_site_begins_by_serving_restoring_or_importing(kept, tmp_path):
    for command in (("backup", str(tmp_path / "none.tar.gz")), ("operator", "state")):
        refused = run(tmp_path, "", *command, "--data", str(tmp_path))
        assert (refused.returncode, "there is no site here yet" in refused.stderr) == (1, True), refused.stderr
    assert not (tmp_path / "none.tar.gz").exists()
    file = tmp_path / "iv.jsonl"
    assert run(kept / "old", "", "export", "iv", str(file), "--data", str(kept / "old")).returncode == 0
    taken = run(tmp_path, "", "import", str(file), "--data", str(tmp_path))
    assert taken.returncode == 0, taken.stderr
    assert run(tmp_path, "", "operator", "state", "--data", str(tmp_path)).returncode == 0


def test_where_there_is_no_site_no_game_is_in_order(tmp_path):
    looked = run(tmp_path, "", "verify", "--all", "--data", str(tmp_path))
    assert (looked.returncode, looked.stdout) == (1, "")
    assert "there is no site here yet" in looked.stderr
    assert "Traceback" not in looked.stderr


def test_a_backup_goes_through_pipes(kept, tmp_path):
    """An encrypted one never lies on the disk as it is, neither when it is made nor when it is taken up."""
    with open(tmp_path / "piped.tar.gz", "wb") as out:
        saved = run(kept / "old", "", "backup", "-", "--data", str(kept / "old"), stdout=out)
    assert saved.returncode == 0, saved.stderr
    assert "-: 2 games, 3 accounts" in saved.stderr
    with open(tmp_path / "piped.tar.gz", "rb") as piped:
        restored = run(tmp_path / "piped", "", "restore", "-", "--data", str(tmp_path / "piped"), stdin=piped)
    assert restored.returncode == 0, restored.stderr
    assert "2 games, 3 accounts" in restored.stdout


def test_what_is_no_option_is_no_file_either(tmp_path):
    refused = run(tmp_path, "", "backup", "--all", "--data", str(tmp_path))
    assert (refused.returncode, "there is no option --all" in refused.stderr) == (1, True), refused.stderr


def test_a_backup_that_cannot_be_written_is_named(kept, tmp_path):
    target = tmp_path / "none" / "site.tar.gz"
    refused = run(kept / "old", "", "backup", str(target), "--data", str(kept / "old"))
    assert refused.returncode == 1
    assert refused.stderr.endswith(f"nomopoly: {target}: cannot be written: No such file or directory\n")


@pytest.mark.parametrize("target", [".", "", "/"])
def test_a_folder_is_no_file_to_write_a_backup_into(kept, target):
    refused = run(kept / "old", "", "backup", target, "--data", str(kept / "old"))
    assert refused.returncode == 1
    assert refused.stderr.endswith(f"nomopoly: {Path(target)}: cannot be written: it is a folder; name a file\n")


def test_a_backup_that_is_not_there_is_said(tmp_path):
    refused = run(tmp_path / "a", "", "restore", str(tmp_path / "none.tar.gz"), "--data", str(tmp_path / "a"))
    assert (refused.returncode, "Traceback" in refused.stderr) == (1, False)
    assert "none.tar.gz" in refused.stderr


def test_a_site_is_not_written_over(kept):
    refused = run(kept / "old", "", "restore", str(kept / "site.tar.gz"), "--data", str(kept / "old"))
    assert refused.returncode == 1
    assert "there is a site in this folder already" in refused.stderr


def test_a_folder_that_was_looked_at_is_still_empty(kept, tmp_path):
    """The doctor opens the database and makes a key; what the backup's key has encrypted is not lost by that."""
    (tmp_path / "new").mkdir()
    looked = run(tmp_path / "new", "", "doctor", "--data", str(tmp_path / "new"))
    assert "there is no site here yet" in looked.stdout
    assert (tmp_path / "new" / "secret-key").exists()
    restored = run(tmp_path / "new", "", "restore", str(kept / "site.tar.gz"), "--data", str(tmp_path / "new"))
    assert restored.returncode == 0, restored.stderr
    keys = [(folder / "secret-key").read_bytes() for folder in (tmp_path / "new", kept / "old")]
    assert keys[0] == keys[1]


def test_what_is_no_backup_is_refused(kept, tmp_path):
    odd = tmp_path / "odd.tar.gz"
    odd.write_bytes(b"hello")
    refused = run(tmp_path / "a", "", "restore", str(odd), "--data", str(tmp_path / "a"))
    assert (refused.returncode, "this is no backup" in refused.stderr) == (1, True), refused.stderr
    assert "not a bzip2 file" not in refused.stderr
    folder = run(tmp_path / "a", "", "restore", str(tmp_path), "--data", str(tmp_path / "a"))
    assert (folder.returncode, "name the file of a backup" in folder.stderr) == (1, True), folder.stderr
    missed = run(tmp_path / "c", "", "restore", str(tmp_path / "none.tar.gz"), "--data", str(tmp_path / "c"))
    assert missed.returncode == 1
    assert missed.stderr.endswith(f"nomopoly: {tmp_path}/none.tar.gz: there is no such file\n")
    cut = tmp_path / "cut.tar.gz"
    cut.write_bytes((kept / "site.tar.gz").read_bytes()[:-2000])
    refused = run(tmp_path / "b", "", "restore", str(cut), "--data", str(tmp_path / "b"))
    assert (refused.returncode, "Traceback" in refused.stderr) == (1, False), refused.stderr


@pytest.mark.parametrize(
    ("name", "kind"),
    [("../out", b"0"), ("/tmp/out-of-here", b"0"), ("tables/a", tarfile.SYMTYPE), ("b", tarfile.FIFOTYPE)],
)
def test_a_backup_writes_nothing_beside_its_folder(name, kind, tmp_path):
    made = tmp_path / "made.tar.gz"
    with tarfile.open(made, "w:gz") as archive:
        member = tarfile.TarInfo(name)
        member.type, member.linkname, member.size = kind, "/etc/passwd", 5 * (kind == b"0")
        archive.addfile(member, io.BytesIO(b"hello"))
    (tmp_path / "in").mkdir()
    with pytest.raises(CommandError, match=f"it holds '{name}', which no backup has"):
        keeping.unpacked(made, tmp_path / "in")
    assert sorted(each.name for each in tmp_path.rglob("*")) == ["in", "made.tar.gz"]


def test_a_backup_is_its_owners_alone_and_holds_no_sessions(kept):
    assert (kept / "site.tar.gz").stat().st_mode & 0o077 == 0
    with tarfile.open(kept / "site.tar.gz") as archive:
        names = archive.getnames()
    assert names[0] == "manifest.json"
    assert "tables/tables.ballot.jsonl" in names
    assert not any("session.jsonl" in name and "usersession" not in name for name in names)


def test_a_key_from_the_environment_stays_there(kept, monkeypatch, tmp_path):
    """An old file of a key beside it is not the site's, and a site restored with it would open nobody's second
    factor."""
    monkeypatch.setenv("NOMOPOLY_SECRET_KEY", "another")
    saved = run(kept / "old", "", "backup", str(tmp_path / "site.tar.gz"), "--data", str(kept / "old"))
    assert "keep NOMOPOLY_SECRET_KEY too" in saved.stdout
    with tarfile.open(tmp_path / "site.tar.gz") as archive:
        assert "secret-key" not in archive.getnames()


# ---- health


def test_a_site_that_is_well(game):
    Life.objects.update_or_create(pk=1, defaults={"at": live.now()})
    assert Client().get("/health/live").json() == {"live": True}
    assert Client().get("/health/ready").json()["ready"] is True
    found = Client().get("/health/")
    assert found.status_code == 200
    assert found.json()["letters_waiting"] == 0
    assert "Friday" not in found.content.decode()


def test_a_disk_that_is_full(game, monkeypatch):
    Life.objects.update_or_create(pk=1, defaults={"at": live.now()})
    monkeypatch.setattr(health, "LEAST_DISK", 2**80)
    found = Client().get("/health/")
    assert found.status_code == 503
    assert "the disk of the data folder is full" in found.json()["problem"]
    assert Client().get("/health/ready").status_code == 200, "pages can be read"


def test_a_clock_that_stands_still(game):
    propose_until = live.now() - 2 * health.STANDS_STILL
    Life.objects.update_or_create(pk=1, defaults={"at": propose_until})
    Game.objects.update(due=propose_until)
    found = Client().get("/health/")
    assert found.status_code == 503
    assert "the clock stands still" in found.json()["problem"]
    assert Client().get("/health/ready").status_code == 200


def test_a_database_that_is_not_up_to_date(monkeypatch):
    monkeypatch.setattr(health, "database_problem", lambda: "the database does not answer")
    assert Client().get("/health/ready").status_code == 503
    assert Client().get("/health/live").status_code == 200


def test_a_process_older_than_the_database_is_not_ready(game, django_assert_num_queries):
    Client().get("/health/ready")
    with django_assert_num_queries(2):  # is there a table of migrations, and what is in it
        assert Client().get("/health/ready").status_code == 200
    MigrationRecorder(connection).record_applied("tables", "9999_of_a_newer_version")
    for path in ("/health/ready", "/health/"):
        found = Client().get(path)
        assert found.status_code == 503
        assert "this process is of an older version than the database" in found.json()["problem"]
    assert Client().get("/health/live").status_code == 200


def test_a_clock_older_than_the_database_ends(game, monkeypatch, caplog):
    rounds = []
    worker = clock.Worker()
    monkeypatch.setattr(clock.connections, "close_all", lambda: None)  # the test's own
    monkeypatch.setattr(clock, "close_old_connections", lambda: None)
    monkeypatch.setattr(clock, "LOOK_EVERY", 0)
    monkeypatch.setattr(worker, "time_to_next", lambda: 0)

    def one_more():
        rounds.append(len(rounds))
        if len(rounds) == 2:
            MigrationRecorder(connection).record_applied("tables", "9999_of_a_newer_version")
        if len(rounds) == 9:
            worker.stop.set()

    monkeypatch.setattr(worker, "round", one_more)
    worker.run()
    assert rounds == [0, 1]
    assert "the clock ends: this process is of an older version than the database" in caplog.text


def test_nothing_is_written_by_asking(game, ann):
    propose(game)
    before = live.of(game).n
    with connection.execute_wrapper(only_reads):
        Client().get("/health/")
    assert live.of(game).n == before


def only_reads(execute, sql, params, many, context):
    assert sql.lstrip().split()[0].upper() in (
        "SELECT",
        "PRAGMA",
        "BEGIN",
        "COMMIT",
        "ROLLBACK",
        "SAVEPOINT",
        "RELEASE",
    ), sql
    return execute(sql, params, many, context)
