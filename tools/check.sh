#!/bin/sh
# Everything that is checked without running a test. $1: the folder of the virtual environment's programs.
set -eu
bin=$1
NOMOPOLY_DATA=$(mktemp -d)
export NOMOPOLY_DATA
trap 'rm -rf "$NOMOPOLY_DATA"' EXIT

step() { echo "== $*" >&2; }

step "style"
"$bin/ruff" check --quiet .
"$bin/ruff" format --check --quiet . || { echo "not formatted (above): run $bin/ruff format ." >&2; exit 1; }
step "types"
"$bin/mypy"
step "layers"
"$bin/lint-imports"
step "migrations"
"$bin/python" -m django makemigrations --check --dry-run --settings nomopoly.site.settings
step "scenarios"
"$bin/nomopoly" scenario
step "rules that no scenario ran"
"$bin/nomopoly" scenario --coverage
