# The commands of this project; `make help` lists them.
VENV := .venv
PYTHON ?= python3
BIN := $(VENV)/bin
CONSTRAINTS := constraints.txt
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint $(CONSTRAINTS)

.PHONY: help setup play test test-postgres test-extras image docs bench grow soak check audit clean

help:  ## list the commands
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

setup: $(VENV)/.installed  ## make .venv with the program in it: .venv/bin/nomopoly
	@test -x $(BIN)/nomopoly || { rm -f $(VENV)/.installed; echo "$(VENV) is incomplete: run 'make clean setup'" >&2; exit 1; }

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Nomopoly needs Python 3.11 or later: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

# What is installed is stamped, so that a second `make setup` has nothing to do.
$(VENV)/.installed: pyproject.toml $(CONSTRAINTS) | $(BIN)/python
	$(INSTALL) --editable .
	@touch $@

# What is never loaded need not be compiled: the tests compile the rest as they load it.
$(VENV)/.installed-dev: pyproject.toml $(CONSTRAINTS) | $(BIN)/python
	$(INSTALL) --no-compile --editable '.[dev]'
	@touch $(VENV)/.installed $@

play: setup  ## serve the site with a demo game on http://127.0.0.1:8000
	$(BIN)/nomopoly serve --demo

check: $(VENV)/.installed-dev  ## style, types, layers, migrations and scenarios, without the tests
	sh tools/check.sh $(BIN)

test: $(VENV)/.installed-dev  ## all checks and all tests
	sh tools/test.sh $(BIN)

test-postgres: $(VENV)/.installed-dev  ## the tests of the site on PostgreSQL, which it sets up
	$(INSTALL) --editable '.[dev,postgres]'
	sh tools/test-postgres.sh $(BIN)

test-extras: $(VENV)/.installed-dev  ## the tests of the extras for research, which it installs
	$(INSTALL) --editable '.[dev,dask,lab,rl]'
	NOMOPOLY_EXTRAS=1 $(BIN)/python -m pytest tests/extras

image: $(VENV)/.installed-dev  ## the container image, built and started; wants root, buildah and debootstrap
	NOMOPOLY_IMAGE=1 $(BIN)/python -m pytest tests/extras

docs: $(VENV)/.installed-dev  ## the documentation as one site, in build/docs
	$(BIN)/python -m mkdocs build --strict --quiet
	@echo "build/docs/index.html"

bench: $(VENV)/.installed-dev  ## the benchmarks
	$(BIN)/python tests/site/postkills.py --letters 10000 --kills 0
	$(BIN)/nomopoly bench

grow: $(VENV)/.installed-dev  ## 10,000 games on PostgreSQL in 4 processes, of which some are killed; GROW="--games 100 ..."
	$(INSTALL) --editable '.[dev,postgres]'
	sh tools/test-postgres.sh $(BIN) --run tests/site/grow.py --games 10000 $(GROW)

soak: $(VENV)/.installed-dev  ## long games in both runtimes, tests with many more examples and at many dates
	sh tools/soak.sh $(BIN)

audit: $(VENV)/.installed-dev  ## known weaknesses of the dependencies, where pip-audit can run
	sh tools/audit.sh $(BIN)

clean:  ## remove the virtual environment and caches
	rm -rf $(VENV) build .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
