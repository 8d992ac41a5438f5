#!/bin/sh
# Everything that is checked without running a test; all of it, so that one run shows all that is wrong.
# $1: the folder of the virtual environment's programs; $2: "no" where the tests follow, which play all scenarios (default: yes).
set -u
bin=$1
scenarios=${2:-yes}
NOMOPOLY_DATA=$(mktemp -d)
export NOMOPOLY_DATA
trap 'rm -rf "$NOMOPOLY_DATA"' EXIT
failed=""

step() {
    name=$1
    shift
    echo "== $name" >&2
    "$@" || failed="$failed; $name"
}

step "style" "$bin/ruff" check --quiet --output-format concise .
step "form (mended by: ruff format)" "$bin/ruff" format --check --quiet --output-format concise .
# What takes longest goes on beside the rest: types, and the scenarios of one edition after the other, the largest for itself.
covered() {
    missing=0
    for folder; do
        "$bin/nomopoly" scenario --coverage "$folder" >>"$NOMOPOLY_DATA/coverage" 2>&1 || missing=1
    done
    return $missing
}
"$bin/mypy" >"$NOMOPOLY_DATA/types" 2>&1 &
types=$!
if [ "$scenarios" = yes ]; then
    editions=src/nomopoly/editions
    covered $editions/ii/scenarios &
    first=$!
    covered $(ls -d $editions/*/scenarios | grep -v "^$editions/ii/") &
    second=$!
fi
step "layers" "$bin/lint-imports"
step "migrations" "$bin/python" -m django makemigrations --check --dry-run --settings nomopoly.site.settings
typed() {
    status=0
    wait "$types" || status=1
    cat "$NOMOPOLY_DATA/types"
    return $status
}
step "types" typed
coverage() {
    missing=0
    wait "$first" || missing=1
    wait "$second" || missing=1
    cat "$NOMOPOLY_DATA/coverage"
    return $missing
}
[ "$scenarios" = no ] || step "every rule with code is in a scenario" coverage

[ -z "$failed" ] || { echo "failed: ${failed#; }" >&2; exit 1; }
