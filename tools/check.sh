#!/bin/sh
# Everything that is checked without running a test; all of it, so that one run shows all that is wrong.
# $1: the folder of the virtual environment's programs.
set -u
bin=$1
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
# What takes longest, one edition after the other, in two processes beside the rest: the largest edition has its own.
covered() {
    missing=0
    for folder; do
        "$bin/nomopoly" scenario --coverage "$folder" >>"$NOMOPOLY_DATA/coverage" 2>&1 || missing=1
    done
    return $missing
}
editions=src/nomopoly/editions
covered $editions/ii/scenarios &
first=$!
covered $(ls -d $editions/*/scenarios | grep -v "^$editions/ii/") &
second=$!
step "types" "$bin/mypy"
step "layers" "$bin/lint-imports"
step "migrations" "$bin/python" -m django makemigrations --check --dry-run --settings nomopoly.site.settings
told_coverage() {
    missing=0
    wait "$first" || missing=1
    wait "$second" || missing=1
    cat "$NOMOPOLY_DATA/coverage"
    return $missing
}
step "every rule with code is in a scenario" told_coverage

[ -z "$failed" ] || { echo "failed: ${failed#; }" >&2; exit 1; }
