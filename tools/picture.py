"""Draws the pictures of the README from the demo game, as one of its players sees it:

    docs/picture.png        the table on a desktop
    docs/picture-phone.png  the same on a phone, in the dark
    docs/turn.webp          a turn, from the button to the end of its playback

.venv/bin/python tools/picture.py [--out docs]
"""

import argparse
import io
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

WORDS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
FRAME = 150  # milliseconds between two frames of the turn
SIT_DOWN = """
import json, os
os.environ["DJANGO_SETTINGS_MODULE"] = "nomopoly.site.settings"
import django
django.setup()
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.sessions.backends.db import SessionStore
from allauth.account.models import EmailAddress
from nomopoly.site.tables import domain
from nomopoly.site.tables.models import Game

user = get_user_model().objects.create(email="you@example.org")
EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
domain.ask_to_join(Game.objects.get(slug="demo"), user, "Robin")
session = SessionStore()
session["_auth_user_id"] = str(user.pk)
session["_auth_user_backend"] = settings.AUTHENTICATION_BACKENDS[-1]
session["_auth_user_hash"] = user.get_session_auth_hash()
session.create()
print(json.dumps(session.session_key))
"""


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def wait_for(url: str) -> None:
    """Until the server answers."""
    for _ in range(1500):
        try:
            urllib.request.urlopen(url, timeout=5).read()
            return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.2)
    sys.exit(f"{url} does not answer")


def sit_down(data: str) -> str:
    """Take a seat in the demo game. Returns the key of the session of who sits there."""
    environment = {**os.environ, "NOMOPOLY_DATA": data}
    done = subprocess.run(
        [sys.executable, "-c", SIT_DOWN], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(done.stderr)
    return str(json.loads(done.stdout.splitlines()[-1]))


def look(browser: Browser, address: str, session: str, width: int, height: int, dark: bool = False) -> Page:
    """The table in a window of its own."""
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light", device_scale_factor=1
    )
    context.add_cookies([{"name": "sessionid", "value": session, "url": address}])
    page = context.new_page()
    page.goto(f"{address}/g/demo/")
    page.wait_for_load_state("load")
    page.wait_for_timeout(1500)
    return page


def turn(page: Page) -> list[Image.Image]:
    """Propose only the turn, confirm, and see the piece move. Returns the frames."""
    frames = [frame(page)] * 6
    page.locator("#waiting button.primary").first.click()
    page.wait_for_selector("#preview")
    page.wait_for_timeout(400)
    frames += [frame(page)] * 6
    page.locator("#preview button.big").click()
    began = time.monotonic()
    while time.monotonic() - began < 9:
        frames.append(frame(page))
        page.wait_for_timeout(FRAME / 3)
    return frames + [frame(page)] * 8


def frame(page: Page) -> Image.Image:
    """What is to be seen now."""
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def main() -> None:
    """Serve the demo, sit down in it, and keep the pictures."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--out", default="docs", type=Path)
    asked = words.parse_args()
    address = f"http://127.0.0.1:{free_port()}"
    with tempfile.TemporaryDirectory() as data:
        server = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "nomopoly",
                "serve",
                "--demo",
                "--port",
                address.rpartition(":")[2],
                "--data",
                data,
            ],
            stdout=subprocess.DEVNULL,
            env={**os.environ, "NOMOPOLY_DATA": data},
        )
        try:
            wait_for(f"{address}/")
            session = sit_down(data)
            with sync_playwright() as playwright:
                chromium = os.environ.get("NOMOPOLY_CHROMIUM") or shutil.which("chromium")
                browser = playwright.chromium.launch(executable_path=chromium, args=WORDS)
                frames = turn(look(browser, address, session, 1000, 640))
                frames[0].save(
                    asked.out / "turn.webp",
                    save_all=True,
                    append_images=frames[1:],
                    duration=FRAME,
                    loop=0,
                    quality=60,
                    method=4,
                )
                look(browser, address, session, 1280, 900).screenshot(path=asked.out / "picture.png")
                look(browser, address, session, 390, 800, dark=True).screenshot(path=asked.out / "picture-phone.png")
                browser.close()
        finally:
            server.terminate()
            server.wait(timeout=20)


if __name__ == "__main__":
    main()
