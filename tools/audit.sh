#!/bin/sh
# Looks for known weaknesses in the pinned dependencies. $1: the folder of the virtual environment's programs.
# Where pip-audit or its database cannot be had, it says so and ends with status 3: nothing was looked at.
set -u
bin=$1
"$bin/python" -m pip_audit --version >/dev/null 2>&1 || "$bin/python" -m pip install --quiet --disable-pip-version-check pip-audit || {
    echo "pip-audit cannot be installed here: nothing was looked at. Run 'make audit' where the network allows it." >&2
    exit 3
}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
"$bin/python" -m pip_audit --requirement constraints.txt --no-deps --disable-pip --progress-spinner off >"$log" 2>&1
status=$?
cat "$log"
if [ $status -ne 0 ] && grep -qiE "ConnectionError|ServiceError|timed out|Max retries|Failed to (connect|resolve)|HTTPError" "$log"; then
    echo "the database of weaknesses cannot be reached from here: nothing was looked at" >&2
    exit 3
fi
exit $status
