#!/bin/sh
# Runs the checks, and then the tests. $1: the folder of the virtual environment's programs.
# The browser tests need Chromium, and take half the work with its headless shell beside it: both are installed through the
# system's package manager where that is allowed.
# Without it they are skipped, loudly; with CI=true or NOMOPOLY_NO_SKIP=1 that is a failure.
# Each worker takes tests that follow one another, so that what a module sets up is set up once (groups of pytest-xdist 3.8
# do nothing under pytest 9.2), and who is done first takes over from the others. There are four on two cores: those in a browser,
# or with processes that are killed, wait half of their time.
set -eu
bin=$1
NOMOPOLY_DATA=$(mktemp -d)
NOMOPOLY_RAN=$NOMOPOLY_DATA/ran # which rules the scenarios ran, see tests/shipped.py
export NOMOPOLY_DATA NOMOPOLY_RAN
mkdir "$NOMOPOLY_RAN"
# Hundreds of processes read the same programs. Where Python is to write nothing beside them, it is kept here what they compile to.
if [ -n "${PYTHONDONTWRITEBYTECODE:-}" ]; then
    unset PYTHONDONTWRITEBYTECODE
    export PYTHONPYCACHEPREFIX="${PYTHONPYCACHEPREFIX:-$PWD/.pytest_cache/bytecode}"
fi
trap 'rm -rf "$NOMOPOLY_DATA"' EXIT

# What all processes of the tests want is made by one, beside the checks: what programs compile to, what scenarios say, and, on the
# core that is free once the checks are done, an empty database and the editions' programs with their counters. In a fresh clone each
# process would make it, all at the same moment.
# What is wrong with it the tests tell.
"$bin/python" -m pytest --collect-only >/dev/null 2>&1 </dev/null &
making=$!
status=0
sh tools/check.sh "$bin" no || status=$?
"$bin/python" tests/emptysite.py >/dev/null 2>&1 </dev/null || true
wait "$making" || true
[ "$status" = 0 ] || exit "$status"

find_chromium() { command -v chromium || command -v chromium-browser || command -v google-chrome || true; }

tests() {
    "$bin/python" -m pytest -n 4 --dist worksteal "$@" || return $?
    echo "== every rule with code is in a scenario" >&2
    "$bin/python" tests/shipped.py "$NOMOPOLY_RAN"
}

get() { $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$1"; }

install_chromium() {
    as_root=""
    [ "$(id -u)" = 0 ] || as_root="sudo -n"
    log="$NOMOPOLY_DATA/apt.log"
    echo "== installing Chromium for the browser tests" >&2
    { $as_root apt-get update && get chromium && get chromium-headless-shell; } >"$log" 2>&1 </dev/null || tail -n 5 "$log" >&2
}

chromium=$(find_chromium)
if { [ -z "$chromium" ] || ! command -v chromium-headless-shell; } >/dev/null && command -v apt-get >/dev/null; then
    install_chromium
    chromium=$(find_chromium)
fi

if [ -n "$chromium" ]; then
    export NOMOPOLY_CHROMIUM="$chromium"
    tests
elif [ "${CI:-}" = true ] || [ "${NOMOPOLY_NO_SKIP:-}" = 1 ]; then
    echo "NO BROWSER: Chromium could not be installed, and nothing may be skipped here" >&2
    exit 1
else
    status=0
    tests -m "not browser" || status=$?
    echo "************************************************************************" >&2
    echo "* NO BROWSER: Chromium is missing and could not be installed.          *" >&2
    echo "* The browser tests were SKIPPED. Install Chromium and run them again. *" >&2
    echo "************************************************************************" >&2
    exit $status
fi
