#!/bin/sh
# Looks for known weaknesses in the pinned dependencies. $1: the folder of the virtual environment's programs.
# pip-audit gets an environment of its own for it. Status 1: there are weaknesses. Status 3: something could not be looked at,
# because pip-audit cannot be installed, or the database of weaknesses cannot be reached or does not know a package.
set -u
bin=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
log=$folder/log
unseen() {
    echo "$1. Run 'make audit' where the network allows it." >&2
    exit 3
}

"$bin/python" -m venv "$folder/venv" &&
    "$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check pip-audit ||
    unseen "pip-audit cannot be installed here: nothing was looked at"
"$folder/venv/bin/python" -m pip_audit --requirement constraints.txt --no-deps --disable-pip --progress-spinner off >"$log" 2>&1
status=$?
cat "$log"
grep -q "^Found [0-9]* known vulnerabilit" "$log" && exit 1
missed=$(grep -c "could not be audited" "$log")
[ "$missed" -eq 0 ] || unseen "$missed of $(grep -c == constraints.txt) packages could not be looked at"
[ $status -eq 0 ] || unseen "pip-audit did not get to the end: not everything was looked at"
