"""Draws docs/picture.png, the picture in the README: the demo game as a visitor sees it.

.venv/bin/python tools/picture.py [--page /g/demo/] [--width 1280] [--out docs/picture.png] [--dark]
"""

import argparse
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

from playwright.sync_api import sync_playwright

WORDS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def wait_for(url: str) -> None:
    """Until the server answers."""
    for _ in range(150):
        try:
            urllib.request.urlopen(url, timeout=5).read()
            return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.2)
    sys.exit(f"{url} does not answer")


def main() -> None:
    """Serve the demo, look at one page of it, and keep the picture."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--page", default="/g/demo/")
    words.add_argument("--width", type=int, default=1280)
    words.add_argument("--height", type=int, default=980)
    words.add_argument("--out", default="docs/picture.png")
    words.add_argument("--dark", action="store_true")
    words.add_argument("--full", action="store_true")
    asked = words.parse_args()
    port = free_port()
    with tempfile.TemporaryDirectory() as data:
        server = subprocess.Popen(
            [sys.executable, "-m", "nomopoly.cli", "serve", "--demo", "--port", str(port), "--data", data],
            stdout=subprocess.DEVNULL,
            env={**os.environ, "NOMOPOLY_DATA": data},
        )
        try:
            wait_for(f"http://127.0.0.1:{port}/")
            with sync_playwright() as playwright:
                chromium = os.environ.get("NOMOPOLY_CHROMIUM") or shutil.which("chromium")
                browser = playwright.chromium.launch(executable_path=chromium, args=WORDS)
                page = browser.new_page(
                    viewport={"width": asked.width, "height": asked.height},
                    color_scheme="dark" if asked.dark else "light",
                )
                page.goto(f"http://127.0.0.1:{port}{asked.page}")
                page.screenshot(path=asked.out, full_page=asked.full)
                browser.close()
        finally:
            server.terminate()
            server.wait(timeout=20)


if __name__ == "__main__":
    main()
