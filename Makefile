# The commands of this project; `make help` lists them.
VENV := .venv
PYTHON ?= python3
BIN := $(VENV)/bin
CONSTRAINTS := constraints.txt

.PHONY: help setup play test bench soak check clean

help:  ## list the commands
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

setup: $(VENV)/.installed  ## make .venv with the program in it: .venv/bin/nomopoly

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml $(CONSTRAINTS) | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint $(CONSTRAINTS) --editable .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint $(CONSTRAINTS) --editable '.[dev]'
	@touch $@

play: setup  ## serve the site with a demo game on http://127.0.0.1:8000
	$(BIN)/nomopoly serve --demo

check: $(VENV)/.installed-dev  ## style, types, layers, migrations and scenarios, without the tests
	sh tools/check.sh $(BIN)

test: check  ## all checks and all tests
	sh tools/test.sh $(BIN)

bench: $(VENV)/.installed-dev  ## the benchmarks
	$(BIN)/nomopoly bench

soak: $(VENV)/.installed-dev  ## long random games in both runtimes
	NOMOPOLY_SOAK=1 $(BIN)/python -m pytest tests/runtime -q -k "same_bytes or soak"

clean:  ## remove the virtual environment and caches
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
