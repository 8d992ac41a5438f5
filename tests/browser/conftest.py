"""A real server with a database of its own, and a real browser.

The server runs in a process of its own (`nomopoly serve`), as an operator runs it; `prepare` runs Python beside it with
the same database, for what a test needs beforehand (accounts that are signed in, a game with known dice). A server
begins with a copy of a folder that is made once: with an empty database, or with the demo games (`DEMO = True` in the
module). Server, programs beside it and browser have the clock of the tests, which goes on from the first test of a
module to its last.
"""

import contextlib
import os
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

import emptysite
import nursery
import pytest
import shared
import testclock
from beside import Beside
from playwright.sync_api import expect, sync_playwright

CHROMIUM = os.environ.get("NOMOPOLY_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
SHELL = shutil.which("chromium-headless-shell") or CHROMIUM  # the same without profiles and windows: half the work
PATIENCE = 120_000  # milliseconds: how long a page may take says nothing about what is on it
expect.set_options(timeout=PATIENCE)
CHROMIUM_WORDS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
MAKE_DEMO = """
from nomopoly import demo
demo.make_demo({moment})
result = None
"""


def pytest_collection_modifyitems(items):
    for item in items:
        if "browser" in item.path.parts:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="module", autouse=True)
def clock():
    """Each module begins at the same moment: its server goes on while its tests come and go."""
    testclock.set_clock(testclock.beginning())


def environment(data: Path, address: str = "") -> dict[str, str]:
    """What a process has to know to work in a folder."""
    return {**os.environ, "NOMOPOLY_DATA": str(data), **({"NOMOPOLY_ADDRESS": address} if address else {})}


def run(program: str, data: Path, environment: dict[str, str]):
    """Run one program in a folder; what it assigns to `result` comes back."""
    with contextlib.closing(Beside(data, environment)) as beside:
        return beside.run(program)


class Site:
    """A running server."""

    def __init__(self, data: Path) -> None:
        self.data = data
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = environment(data, self.url)
        self.log = (data / "serve.log").open("w+")
        self.server = nursery.start(
            ["-m", "nomopoly", "serve", "--port", str(self.port), "--data", str(data)],
            env=self.environment,
            cwd=data,
            stdout=self.log,
            stderr=subprocess.STDOUT,
        )
        self.beside = Beside(data, self.environment)
        self.wait()

    def wait(self) -> None:
        """Until the server answers."""
        until = time.monotonic() + 600
        while time.monotonic() < until:
            try:
                urllib.request.urlopen(self.url, timeout=60).read()
                return
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                if self.server.poll() is not None:
                    break
                time.sleep(0.2)
        self.log.seek(0)
        raise AssertionError(f"the server does not answer: {self.log.read()}")

    def prepare(self, program: str) -> dict:
        """Run a program beside the server; what it assigns to `result` comes back."""
        return self.beside.run(program)

    def mails(self) -> list[str]:
        """The mails sent so far, oldest first."""
        files = sorted((self.data / "mail").glob("*"), key=lambda file: file.stat().st_mtime_ns)
        return [file.read_text() for file in files]

    def stop(self) -> None:
        """End the server and what runs beside it."""
        self.beside.close()
        self.server.terminate()
        self.server.wait(timeout=300)
        self.log.close()


@pytest.fixture(scope="session")
def empty_folder(tmp_path_factory):
    with shared.folder("empty", tmp_path_factory) as (data, missing):
        if missing:
            data.mkdir()
            shutil.copy(emptysite.database(), data / emptysite.NAME)
    return data


@pytest.fixture(scope="session")
def demo_folder(empty_folder, tmp_path_factory):
    with shared.folder("demo", tmp_path_factory) as (data, missing):
        if missing:
            shutil.copytree(empty_folder, data)
            run(MAKE_DEMO.format(moment=int(testclock.beginning())), data, environment(data))
    return data


@pytest.fixture(scope="module")
def site(request, tmp_path_factory):
    begins_with = "demo_folder" if getattr(request.module, "DEMO", False) else "empty_folder"
    data = tmp_path_factory.mktemp("site")
    running = Site(shutil.copytree(request.getfixturevalue(begins_with), data, dirs_exist_ok=True))
    yield running
    running.stop()


@pytest.fixture(scope="module")
def launch():
    """launch(path) -> the browser of that name, which is started once a module."""
    running: dict = {}
    with sync_playwright() as playwright:

        def launched(path):
            if path is None:
                pytest.fail("there is no Chromium: install it, or run the tests with -m 'not browser'")
            if path not in running:
                running[path] = playwright.chromium.launch(executable_path=path, args=CHROMIUM_WORDS)
            return running[path]

        yield launched
        for browser in running.values():
            browser.close()


@pytest.fixture
def chromium(launch):
    return launch(SHELL)


@pytest.fixture
def page_of(site, launch):
    """page_of(session key or None, width=1280) -> a page of a browser of its own.

    With `watched=True` the test sees and stops every request of the page. Else the service worker takes some of them
    over. With `windows=True` it is in the Chromium that people have, which can show what is no page: notifications.
    """
    contexts = []

    def open_page(session: str | None = None, width: int = 1280, *, watched=False, windows=False, **more):
        if watched:  # what keeps the worker away is a script, which the page's policy would refuse
            more |= {"service_workers": "block", "bypass_csp": True}
        context = launch(CHROMIUM if windows else SHELL).new_context(
            base_url=site.url, viewport={"width": width, "height": 900 if width > 500 else 740}, **more
        )
        context.set_default_timeout(PATIENCE)
        context.clock.install(time=time.time())
        if session:
            context.add_cookies([{"name": "sessionid", "value": session, "url": site.url}])
        contexts.append(context)
        return context.new_page()

    yield open_page
    for context in contexts:
        context.close()
