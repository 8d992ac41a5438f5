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
covered() { "$bin/nomopoly" scenario --coverage "src/nomopoly/editions/$1/scenarios" >"$NOMOPOLY_DATA/$1" 2>&1; }
(covered original; a=$?; covered iv; b=$?; covered mail; c=$?; exit $((a + b + c))) & # takes longest: beside the rest
first=$!
covered ii &
second=$!
step "types" "$bin/mypy"
step "layers" "$bin/lint-imports"
step "migrations" "$bin/python" -m django makemigrations --check --dry-run --settings nomopoly.site.settings
told_coverage() {
    wait "$first" && wait "$second"
    found=$?
    wait
    cat "$NOMOPOLY_DATA/original" "$NOMOPOLY_DATA/iv" "$NOMOPOLY_DATA/mail" "$NOMOPOLY_DATA/ii"
    return $found
}
step "every rule with code is in a scenario" told_coverage

[ -z "$failed" ] || { echo "failed: ${failed#; }" >&2; exit 1; }
