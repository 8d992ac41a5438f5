"""What the first visit of a table costs a slow phone: Chromium with a quarter of the machine's speed, on Fast 3G.

    python bench/slow_phone.py --runs 9 --latency 562.5

Serves the demo games from a folder of its own. For each table it says, as median and least of so many first visits (an
empty cache each time): milliseconds to the first contentful paint, and until the page's programs have run, so that its
buttons answer; and kilobytes, as sent and unpacked. Beside them stands a bare page of as many bytes, which shows what
the net alone costs. Fast 3G is that of Chromium's developer tools: 562.5 ms for each request, 1.44 megabits a second
down, 0.675 up. (Their reports on performance reckon with 150 ms there and back: `--latency 150`.) NOMOPOLY_CHROMIUM
names the browser, if it is not the one that the system has.
"""

import argparse
import contextlib
import http.server
import os
import random
import shutil
import socket
import statistics
import string
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

from playwright.sync_api import sync_playwright

TABLES = {"original": "demo", "mail": "demo-mail", "ii": "demo-ii", "iv": "demo-iv"}  # edition: name of its demo
LATENCY = 562.5  # ms
FAST_3G = {"offline": False, "downloadThroughput": 1.44e6 / 8, "uploadThroughput": 0.675e6 / 8}
SLOWER = 4  # times
PHONE = {"viewport": {"width": 360, "height": 740}, "device_scale_factor": 2, "is_mobile": True, "has_touch": True}
SEEN = """() => new Promise(resolve => new PerformanceObserver(list => {
    const paint = list.getEntriesByName("first-contentful-paint")[0];
    if (paint) resolve([paint.startTime, performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd]);
}).observe({type: "paint", buffered: true}))"""


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


@contextlib.contextmanager
def served():
    """The address of a site with the demo games."""
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        program = "import sys; from nomopoly.cli import main; sys.exit(main())"
        words = ["serve", "--demo", "--port", str(port), "--data", folder]
        with subprocess.Popen([sys.executable, "-c", program, *words], stdout=subprocess.DEVNULL) as process:
            address = f"http://127.0.0.1:{port}"
            try:
                while True:
                    with contextlib.suppress(OSError):
                        urllib.request.urlopen(f"{address}/games/", timeout=60).close()
                        break
                    time.sleep(0.5)
                yield address
            finally:
                process.terminate()


@contextlib.contextmanager
def bare(size):
    """The address of a page of so many bytes as sent, in which there is nothing to draw but a word."""
    rest = "".join(random.Random(1).choices(string.ascii_letters, k=size))
    page = f"<!doctype html><title>Bare</title><p>Bare</p><!--{rest}-->".encode()

    class Bare(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(page)))
            self.end_headers()
            self.wfile.write(page)

        def log_message(self, *words):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Bare) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def visit(browser, address, latency):
    """(ms to the first paint, ms until its programs have run, bytes sent before the paint, and in all unpacked)."""
    with contextlib.closing(browser.new_context(**PHONE)) as context:
        page = context.new_page()
        wire = context.new_cdp_session(page)
        wire.send("Network.enable")
        wire.send("Network.emulateNetworkConditions", {**FAST_3G, "latency": latency})
        wire.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        sent, unpacked = [], []
        wire.on("Network.loadingFinished", lambda told: sent.append((told["timestamp"], told["encodedDataLength"])))
        wire.on("Network.dataReceived", lambda told: unpacked.append(told["dataLength"]))
        page.goto(address, wait_until="load")
        painted, ready = page.evaluate(SEEN)
        return painted, ready, sum(size for _, size in sent), sum(unpacked)


def told(name, visits):
    paints, ready, sent, unpacked = zip(*visits, strict=True)
    print(
        f"{name:10} first paint {statistics.median(paints):5.0f} ms, least {min(paints):5.0f}; ready "
        f"{statistics.median(ready):5.0f}, least {min(ready):5.0f}; {max(sent) / 1000:4.0f} kB sent, "
        f"{max(unpacked) / 1000:4.0f} unpacked",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=9, help="visits of each table (default: 9)")
    parser.add_argument("--latency", type=float, default=LATENCY, help=f"ms for each request (default: {LATENCY})")
    asked = parser.parse_args()
    chromium = os.environ.get("NOMOPOLY_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        visits = {name: [] for name in TABLES}
        for _ in range(asked.runs + 1):  # the first one warms the site
            for name in visits:
                visits[name].append(visit(browser, f"{address}/g/{TABLES[name]}/", asked.latency))
        for name, all_visits in visits.items():
            told(name, all_visits[1:])
            with bare(all_visits[-1][2]) as page:
                told("  bare", [visit(browser, page, asked.latency) for _ in range(asked.runs)])


if __name__ == "__main__":
    main()
