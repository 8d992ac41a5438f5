#!/bin/sh
# Everything that is checked without running a test. $1: the folder of the virtual environment's programs.
set -eu
bin=$1
"$bin/ruff" check .
"$bin/ruff" format --check .
"$bin/mypy"
"$bin/lint-imports"
NOMOPOLY_DATA=$(mktemp -d) "$bin/python" -m django makemigrations --check --dry-run --settings nomopoly.site.settings
"$bin/nomopoly" scenario
"$bin/nomopoly" scenario --coverage
