"""The container image, built from deploy/Dockerfile and started: `make image`.

No registry is asked: the base is made of Debian's own packages, which have the same Python. It wants root, buildah and
debootstrap. `NOMOPOLY_IMAGE=python:3.11-slim` in front of pytest takes that image for the base, which buildah has or
can fetch.
"""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCKERFILE = ROOT / "deploy/Dockerfile"
TOOLS = ("buildah", "debootstrap")
WITHIN = 3600  # seconds for one step, on a busy machine
MIRROR = "http://deb.debian.org/debian"
# How this machine reaches its package index, which is no part of the image.
OWN = ("/etc/pip.conf", os.environ.get("SSL_CERT_FILE", ""), os.environ.get("PIP_FIND_LINKS", ""))
CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"


def buildah(*words, **more):
    """What a command of buildah says; without a daemon, namespaces or a registry."""
    own = {**os.environ, "BUILDAH_ISOLATION": "chroot", "STORAGE_DRIVER": "vfs"}
    done = subprocess.run(["buildah", *words], env=own, capture_output=True, text=True, timeout=WITHIN, **more)
    assert done.returncode == 0, f"{' '.join(words)}\n{done.stdout[-2000:]}{done.stderr[-4000:]}"
    return done.stdout.strip()


@pytest.fixture
def base(tmp_path):
    """The name of an image that has Python as the Dockerfile's base has: as `python` and `pip`."""
    assert all(map(shutil.which, TOOLS)), f"install {' and '.join(TOOLS)}"
    assert os.getuid() == 0, "a base is made by root"
    if os.environ["NOMOPOLY_IMAGE"] != "1":
        yield os.environ["NOMOPOLY_IMAGE"]
        return
    name, root = "localhost/nomopoly-base", tmp_path / "root"
    packages = "python3,python3-venv,ca-certificates"
    made = ["debootstrap", "--variant=minbase", f"--include={packages}", "bookworm", str(root), MIRROR]
    subprocess.run(made, check=True, capture_output=True, timeout=WITHIN)
    subprocess.run(["chroot", str(root), "python3", "-m", "venv", "/usr/local"], check=True, capture_output=True)
    container = buildah("from", "scratch")
    try:
        buildah("add", "--quiet", container, str(root), "/")
        buildah("config", "--env", "PATH=/usr/local/bin:/usr/local/sbin:/usr/bin:/usr/sbin:/bin:/sbin", container)
        buildah("commit", "--quiet", container, name)
        shutil.rmtree(root)
        yield name
    finally:
        buildah("rm", container)
        with contextlib.suppress(AssertionError):  # it was not made
            buildah("rmi", "--force", name)


@pytest.fixture
def container(base):
    """A container of the image, which is gone afterwards."""
    volumes = [f"{each}:{CERTIFICATES if each == OWN[1] else each}:ro" for each in OWN if each and Path(each).exists()]
    mounted = [word for each in volumes for word in ("--volume", each)]
    name = "localhost/nomopoly-tried"
    words = ("--quiet", "--pull=false", "--layers=false", "--from", base, *mounted, "--file", str(DOCKERFILE))
    buildah("bud", *words, "--tag", name, str(ROOT))
    made = buildah("from", "--pull-never", name)
    try:
        yield made
    finally:
        buildah("rm", made)
        buildah("rmi", "--force", name)


def asked(port, path, seconds):
    """(status, what it says) of an address of the site, once it answers."""
    until = time.monotonic() + seconds
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    while True:
        try:
            with opener.open(f"http://127.0.0.1:{port}{path}", timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.5)


def test_the_image_is_built_and_serves(container):
    assert buildah("run", container, "--", "id", "-un") == "nomopoly"
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = ["buildah", "run", "--isolation", "chroot", container, "--"]
    served = [*command, "nomopoly", "serve", "--host", "127.0.0.1", "--port", str(port)]
    own = {**os.environ, "STORAGE_DRIVER": "vfs", "BUILDAH_ISOLATION": "chroot"}
    with subprocess.Popen(served, env=own, start_new_session=True) as process:
        try:
            assert asked(port, "/health/ready", 300)[0] == 200
            status, page = asked(port, "/", 60)
            assert (status, "Nomopoly" in page) == (200, True)
            looked = buildah("run", container, "--", "nomopoly", "doctor")
            assert "Nothing must be mended." in looked
            assert "the sandbox works" in looked
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            process.wait(60)
