"""A site that is told no address is at the one where it is served, for the commands beside it too."""

import os
import shutil
import signal
import socket
import subprocess

import emptysite
import nursery
import pytest

ASK = "from nomopoly.site.serve import prepare; print(prepare(None).NOMOPOLY_ADDRESS)"
USUAL = "http://127.0.0.1:8000"


def environment(folder, **more):
    """The environment of a program of a site that is told nothing but its folder."""
    unset = ("NOMOPOLY_ADDRESS", "NOMOPOLY_HOSTS", "NOMOPOLY_HTTPS", "DATABASE_URL")
    kept = {name: value for name, value in os.environ.items() if name not in unset}
    return {**kept, "NOMOPOLY_DATA": str(folder), "PYTHONUNBUFFERED": "1", **more}


def address(folder, **more):
    """The address of the site as a command beside it knows it."""
    done = nursery.run(["-c", ASK], env=environment(folder, **more), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture
def served(tmp_path, free_tcp_port):
    """(folder, port) of a site that is served."""
    shutil.copy(emptysite.database(), tmp_path / emptysite.NAME)
    words = ["-m", "nomopoly", "serve", "--no-clock", "--port", str(free_tcp_port)]
    server = nursery.start(words, env=environment(tmp_path), stdout=subprocess.PIPE, text=True)
    for line in server.stdout:
        if line.startswith("Nomopoly is at"):
            break
    yield tmp_path, free_tcp_port
    server.send_signal(signal.SIGTERM)
    server.wait(60)


def test_commands_beside_a_site_know_where_it_is(served, tmp_path):
    folder, port = served
    assert address(folder) == f"http://127.0.0.1:{port}"
    assert address(folder, NOMOPOLY_HOSTS="play.example.org", NOMOPOLY_HTTPS="1") == "https://play.example.org"
    assert address(folder, NOMOPOLY_ADDRESS="https://games.example.org/") == "https://games.example.org"


def test_where_it_was_never_served_it_is_the_usual_one(tmp_path):
    assert address(tmp_path) == USUAL
    for wrong in (b"", b"\xff"):
        (tmp_path / "served-at").write_bytes(wrong)
        assert address(tmp_path) == USUAL


def test_where_somebody_else_listens_nothing_is_begun(tmp_path):
    """It said that it was there, ran the clock for a while, and ended."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        words = ["-m", "nomopoly", "serve", "--port", str(other.getsockname()[1])]
        done = nursery.run(words, env=environment(tmp_path), capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    told = done.stderr.splitlines()[-1]
    assert told.startswith("nomopoly: nobody can listen at 127.0.0.1, port ")
    assert "Address already in use. Say another" in told
    assert not (tmp_path / emptysite.NAME).exists()
