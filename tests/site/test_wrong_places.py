"""What a host is told who names a folder without a site, or a database that does not answer: one line, no traceback."""

import os
import signal
import socket
import subprocess
from importlib.util import find_spec
from types import SimpleNamespace

import nursery
import pytest

from nomopoly.errors import CommandError
from nomopoly.site.serve import must_be_ours
from nomopoly.site.watch import metrics

NOBODY = "postgresql://games:secret@127.0.0.1:{port}/club"


def environment(folder, **more):
    """The environment of a command, with nothing said of a database but what `more` says."""
    kept = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    return {**kept, "NOMOPOLY_DATA": str(folder), "PYTHONUNBUFFERED": "1", **more}


@pytest.mark.parametrize("words", ["serve --port 8000", "clock", "doctor", "backup -", "rules friday", "verify --all"])
def test_a_database_that_does_not_answer_is_told_in_one_line(tmp_path, free_tcp_port, words):
    more = {"DATABASE_URL": NOBODY.format(port=free_tcp_port)}
    done = nursery.run(
        ["-m", "nomopoly", *words.replace("8000", str(free_tcp_port)).split()],
        env=environment(tmp_path, **more),
        capture_output=True,
        text=True,
    )
    told = done.stdout if words == "doctor" else done.stderr
    assert done.returncode == 1, told
    if find_spec("psycopg"):
        assert "the database club at 127.0.0.1 does not answer: " in told
        assert "refused" in told
    else:
        assert "DATABASE_URL wants the extra `postgres`: pip install 'nomopoly[postgres]'" in told
    assert "Traceback" not in told
    assert "secret" not in told


@pytest.mark.parametrize("url", ["mysql://games@db.example/club", "postgresql://games@db.example", "club"])
def test_an_address_that_names_no_database_of_ours_is_told_in_one_line(tmp_path, url):
    done = nursery.run(
        ["-m", "nomopoly", "operator", "log"],
        env=environment(tmp_path, DATABASE_URL=url),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "DATABASE_URL has to be like postgresql://user:password@host:port/name" in done.stderr


@pytest.mark.parametrize(
    ("name", "said", "told"),
    [
        ("NOMOPOLY_HTTPS", "yes", "has to be 1 or 0"),
        ("NOMOPOLY_DEBUG", "true", "has to be 1 or 0"),
        ("NOMOPOLY_WARM_GAMES", "many", "has to be a whole number"),
        ("NOMOPOLY_MEMORY", "-5", "has to be a whole number, from 0 on"),
        ("NOMOPOLY_SECONDS", "soon", "has to be a whole number, from 1 on"),
        ("NOMOPOLY_SECONDS", "nan", "has to be a whole number, from 1 on"),
        ("NOMOPOLY_SANDBOXES", "0", "has to be a whole number, from 1 on"),
        ("NOMOPOLY_SANDBOXES", "9" * 6 + "x", "has to be a whole number, from 1 on"),
        ("NOMOPOLY_METRICS_PORT", "metrics", "has to be a whole number, from 0 on"),
        ("NOMOPOLY_METRICS_PORT", "99999", "has to be 65535 at most"),
        ("NOMOPOLY_HOSTS", "https://play.example.org", "has to be names alone, like play.example.org"),
        ("NOMOPOLY_HOSTS", "play.example.org:8443", "has to be names alone, like play.example.org"),
        ("NOMOPOLY_HOSTS", " , ", "has to be names alone, like play.example.org"),
        ("NOMOPOLY_ADDRESS", "play.example.org", "has to be like https://play.example.org"),
        ("NOMOPOLY_ADDRESS", "https://", "has to be like https://play.example.org"),
        ("NOMOPOLY_HERE", "10.0.0.5:8001", "has to be like http://10.0.0.5:8001, or off"),
        ("NOMOPOLY_LOG", "xml", "has to be one of: text, json"),
        ("EMAIL_URL", "mail.example.org:587", "has to be like smtp://user:password@host:port"),
        ("EMAIL_URL", "smtps://games:pa55@mail.example.org", "has to be like smtp://user:password@host:port"),
        ("EMAIL_URL", "smtp://games:a#b@mail.example.org:587", "and %23 for #"),
        ("EMAIL_URL", "smtp://mail.example.org:587?tsl=1", "with ?tls=1 or ?ssl=1"),
        ("EMAIL_URL", "smtp://mail.example.org:587?tls", "with ?tls=1 or ?ssl=1"),
        ("EMAIL_URL", "smtp://mail.example.org:587?tls=1&ssl=1", "with ?tls=1 or ?ssl=1"),
        ("DATABASE_URL", "postgresql://games:pa55@db.example:port/club", "has to be like postgresql://user:password@"),
    ],
)
def test_a_setting_that_cannot_be_is_named(tmp_path, name, said, told):
    done = nursery.run(
        ["-m", "nomopoly", "operator", "log"],
        env=environment(tmp_path, **{name: said}),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert f"cannot be: {name} has to be" in done.stderr
    assert told in done.stderr
    assert "pa55" not in done.stderr


@pytest.mark.parametrize("name", ["NOMOPOLY_SECONDS", "NOMOPOLY_SANDBOXES"])
def test_a_setting_of_the_sandbox_is_named_where_no_site_is_asked(tmp_path, name):
    done = nursery.run(
        ["-m", "nomopoly", "simulate", "original", "--players", "2", "--turns", "1", "--runtime", "monty"],
        env=environment(tmp_path, **{name: "many"}),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert f"nomopoly: the environment says what cannot be: {name} has to be a whole number, from 1 on\n" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("smtp://games%40example.org:a%23b@mail.example.org:587?tls=1", "games@example.org a#b 587 True False"),
        ("smtp://mail.example.org?tls=0&ssl=1", "  25 False True"),
        ("smtp://mail.example.org:2525", "  2525 False False"),
    ],
)
def test_a_mail_server_is_read_as_it_is_said(tmp_path, url, found):
    names = ", ".join(f"s.EMAIL_{each}" for each in ("HOST_USER", "HOST_PASSWORD", "PORT", "USE_TLS", "USE_SSL"))
    done = nursery.run(
        ["-c", f"from nomopoly.site import settings as s; print({names}, s.EMAIL_HOST)"],
        env=environment(tmp_path, EMAIL_URL=url),
        capture_output=True,
        text=True,
    )
    assert done.stdout == f"{found} mail.example.org\n", done.stderr


def test_settings_that_say_nothing_are_as_if_unset(tmp_path):
    names = "s.ALLOWED_HOSTS[0], s.NOMOPOLY_ADDRESS, s.DEFAULT_FROM_EMAIL"
    empty = dict.fromkeys(("NOMOPOLY_HOSTS", "NOMOPOLY_ADDRESS", "NOMOPOLY_MAIL_FROM"), "")
    done = nursery.run(
        ["-c", f"from nomopoly.site import settings as s; print({names})"],
        env=environment(tmp_path, **empty),
        capture_output=True,
        text=True,
    )
    assert done.stdout == "127.0.0.1 http://127.0.0.1:8000 Nomopoly <nomopoly@localhost>\n", done.stderr


def test_an_empty_key_of_the_installation_is_none(tmp_path):
    (tmp_path / "secret-key").touch()
    done = nursery.run(["-m", "nomopoly", "operator", "log"], env=environment(tmp_path), capture_output=True, text=True)
    assert (done.returncode, "Traceback" in done.stderr) == (1, False)
    assert "secret-key is empty: put back the one of a backup" in done.stderr


def test_two_clocks_of_a_machine_cannot_show_metrics_at_one_port(free_tcp_port):
    with (
        socket.create_server(("127.0.0.1", free_tcp_port)),
        pytest.raises(CommandError, match=f"port {free_tcp_port}.*another NOMOPOLY_METRICS_PORT"),
    ):
        metrics.serve(free_tcp_port)


def test_hosts_may_have_a_space_between_them(tmp_path):
    done = nursery.run(
        ["-c", "from nomopoly.site import settings; print(settings.ALLOWED_HOSTS)"],
        env=environment(tmp_path, NOMOPOLY_HOSTS="play.example.org, www.example.org"),
        capture_output=True,
        text=True,
    )
    assert done.stdout.strip() == "['play.example.org', 'www.example.org']", done.stderr


def test_a_clock_makes_no_folder_of_a_typing_error(tmp_path):
    folder = tmp_path / "typo"
    done = nursery.run(
        ["-m", "nomopoly", "clock", "--data", str(folder)],
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert f"{folder}: there is no such folder; say --data, or start the site with `nomopoly serve`" in done.stderr
    assert not folder.exists()


def test_a_clock_says_what_it_waits_for_and_where(tmp_path):
    folder = tmp_path / "club"
    folder.mkdir()
    clock = nursery.start(
        ["-m", "nomopoly", "clock", "--data", str(folder)],
        env=environment(tmp_path),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        said = next(line for line in clock.stderr if "waiting" in line)
    finally:
        clock.send_signal(signal.SIGTERM)
    out, err = clock.communicate(timeout=60)
    assert (clock.returncode, out, err) == (0, "", "")
    assert f"waiting until `nomopoly serve` has brought the database up to date: {folder}/nomopoly.sqlite3" in said


def test_a_pipe_to_a_database_of_another_version_keeps_the_mail_waiting_and_says_so_in_one_line(tmp_path):
    done = nursery.run(
        ["-m", "nomopoly", "mail", "--pipe", "--data", str(tmp_path)],
        env=environment(tmp_path, NOMOPOLY_REPLY_TO="play@games.example.org"),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 75
    assert "nomopoly.sqlite3 is not that of this version: see what `nomopoly doctor` says" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "name", [".", "nomopoly.sqlite3", "nomopoly.sqlite3-wal", "witness", "witness/1.jsonl", "mail"]
)
def test_a_folder_of_another_account_is_named_with_what_to_do(tmp_path, monkeypatch, name):
    """As after `nomopoly serve` as root: the site read what it could, and broke at the first write."""
    monkeypatch.delenv("EMAIL_URL", raising=False)
    (tmp_path / "witness").mkdir()
    (tmp_path / "mail").mkdir()
    for each in ("nomopoly.sqlite3", "nomopoly.sqlite3-wal", "witness/1.jsonl"):
        (tmp_path / each).touch()
    must_be_ours(tmp_path)
    monkeypatch.setattr(os, "access", lambda path, how: path != tmp_path / name)
    with pytest.raises(CommandError, match=f"^{tmp_path / name} cannot be written by .* chown -R .*: {tmp_path}$"):
        must_be_ours(tmp_path)


def test_a_folder_on_a_read_only_disk_is_named(tmp_path, monkeypatch):
    real = os.statvfs(tmp_path)
    monkeypatch.setattr(os, "access", lambda path, how: False)
    monkeypatch.setattr(os, "statvfs", lambda path: SimpleNamespace(f_flag=real.f_flag | os.ST_RDONLY))
    with pytest.raises(CommandError, match=r"/var/lib/nomopoly alone"):
        must_be_ours(tmp_path)
