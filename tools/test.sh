#!/bin/sh
# Runs the tests. $1: the folder of the virtual environment's programs.
# The browser tests need Chromium: it is installed through the system's package manager where that is allowed.
set -eu
bin=$1

find_chromium() { command -v chromium || command -v chromium-browser || command -v google-chrome || true; }

if [ -z "$(find_chromium)" ] && command -v apt-get >/dev/null; then
    as_root=""
    [ "$(id -u)" = 0 ] || as_root="sudo -n"
    echo "Installing Chromium for the browser tests"
    { $as_root apt-get update -qq && $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium; } >/dev/null || true
fi

if [ -n "$(find_chromium)" ]; then
    NOMOPOLY_CHROMIUM=$(find_chromium)
    export NOMOPOLY_CHROMIUM
    exec "$bin/python" -m pytest -n 2 --dist loadgroup
fi
if [ "${CI:-}" = true ]; then
    echo "NO BROWSER: Chromium could not be installed, and nothing may be skipped here" >&2
    exit 1
fi
echo "************************************************************************" >&2
echo "* NO BROWSER: Chromium is missing and could not be installed.          *" >&2
echo "* The browser tests are SKIPPED. Install Chromium and run them again.  *" >&2
echo "************************************************************************" >&2
exec "$bin/python" -m pytest -n 2 --dist loadgroup -m "not browser"
