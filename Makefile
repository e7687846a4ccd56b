# Everything a new machine needs is Python 3.11 or newer and make.

# The first Python that runs and is new enough (a name on the path may be a mere signpost).
PYTHON ?= $(shell for name in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$name && break; done)
VENV := .venv
BIN := $(VENV)/bin
WORKERS ?= auto

.PHONY: help demo test test-slow lint format types imports unit bench calibration coverage reproduce docs pictures changelog clean

help:
	@echo "make demo         environment, install, and answers on real data, ending in reports"
	@echo "make test         environment, lints, types, and the whole test suite"
	@echo "make test-slow    the long tests: generated inputs, browser, Dask and Spark, killed workers, the papers' learners"
	@echo "make lint         ruff, mypy --strict and import-linter only"
	@echo "make coverage     the exact coverage of every interval (not test coverage)"
	@echo "make calibration  measure the size, power and coverage of every method anew"
	@echo "make reproduce    the five papers again, at a thousand times their sample sizes: a page and a summary"
	@echo "make bench        speed beside the peers, in one process, as ratios"
	@echo "make docs         write the method pages anew"
	@echo "make pictures     take the README's pictures from the demo (wants chromium)"

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed; say which: make PYTHON=/path/to/python3.11"; exit 2; }
	"$(PYTHON)" -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

$(VENV)/.user: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[learn,tables,plot,logs]'
	@touch $@

$(VENV)/.developer: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[learn,tables,plot,logs,papers,dask,duckdb,spark,dev]'
	@touch $@ $(VENV)/.user $(VENV)/.papers

$(VENV)/.papers: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[learn,tables,plot,logs,papers]'
	@touch $@ $(VENV)/.user

demo: $(VENV)/.user
	@$(BIN)/python examples/demo.py

# Side by side: types are checked by one core while the tests begin on the other.
test: $(VENV)/.developer
	@$(MAKE) --no-print-directory --jobs 2 lint unit

lint: $(VENV)/.developer
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check --quiet .
	$(BIN)/mypy --strict
	$(BIN)/lint-imports --no-logo

unit: $(VENV)/.developer
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile

test-slow: $(VENV)/.developer
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup -m slow tests

format: $(VENV)/.developer
	$(BIN)/ruff check --quiet --fix .
	$(BIN)/ruff format --quiet .

coverage: $(VENV)/.user
	@for trials in 5 10 30 100 1000; do for to in 1 0.1; do \
		echo "tellapart coverage --method all --trials $$trials --to $$to"; \
		$(BIN)/tellapart coverage --method all --trials $$trials --to $$to; done; done

calibration: $(VENV)/.user
	$(BIN)/python -m tellapart.lab.cards --jobs 2
	$(BIN)/python -m tellapart.gate.card

# What is finished is kept in reproduction/; stopped at any point, it goes on from there.
reproduce: $(VENV)/.papers
	@mkdir -p reproduction
	$(BIN)/tellapart reproduce --full --jobs 2 --store reproduction/blocks.sqlite \
		--html reproduction/five-papers.html --markdown docs/reproduction.md

bench: $(VENV)/.developer
	@$(BIN)/python benchmarks/run.py

docs: $(VENV)/.user
	$(BIN)/python docs/generate.py

pictures: $(VENV)/.developer demo
	$(BIN)/python docs/pictures.py

changelog: $(VENV)/.developer
	$(BIN)/towncrier build --yes

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache dist build
