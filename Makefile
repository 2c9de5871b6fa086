# Every command of the project; `make help` lists them. CI runs the same ones.
SHELL := /bin/bash
.DEFAULT_GOAL := help

VENV := .venv
PY := $(VENV)/bin/python
UV := $(VENV)/bin/uv
PYTHON ?= $(shell command -v python3.11 || command -v python3.12 || command -v python3.13 || command -v python3)
DOCS ?= docs
QUESTION ?= How does deleting a document remove its vectors and facts?
MANAGED := $(VENV)/.installed

.PHONY: help demo up down test test-all check format lint types imports cypher install system lock clean

help: ## List the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

demo: install system ## Set up, start the stack, ingest DOCS=folder, answer QUESTION="…" and leave the stack running
	@ops/local/demo "$(DOCS)" "$(QUESTION)"

up: install system ## Start the local stack
	$(VENV)/bin/interlace up

down: ## Stop the local stack; its data stays
	$(VENV)/bin/interlace down

test: install system ## Run the tests that take minutes, on real servers
	$(PY) -m pytest -m "not slow and not browser and not evaluation"

test-all: install system cypher/node_modules ## Run every test: also crashes, evaluation and the browser
	$(PY) -m pytest

check: lint types imports cypher ## Run every check that needs no server

lint: install ## Lint and check the format
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .

format: install ## Format the code and the Cypher
	$(VENV)/bin/ruff check --fix .
	$(VENV)/bin/ruff format .

types: install ## Check types
	$(VENV)/bin/mypy

imports: install ## Check that layers import downwards only
	$(VENV)/bin/lint-imports

install: $(MANAGED) ## Create the virtual environment with the locked packages

$(MANAGED): requirements/dev.txt pyproject.toml
	@test -n "$(PYTHON)" || { echo "error: Python 3.11, 3.12 or 3.13 is needed; on Debian: apt-get install python3 python3-venv"; exit 1; }
	@test -x $(PY) || $(PYTHON) -m venv $(VENV)
	@test -x $(UV) || $(PY) -m pip install --quiet uv
	$(UV) pip sync --quiet --require-hashes --python $(PY) requirements/dev.txt
	$(UV) pip install --quiet --python $(PY) uv hatchling editables
	$(UV) pip install --quiet --python $(PY) --no-deps --no-build-isolation --editable .
	@touch $(MANAGED)

system: install ## Check for Java, Maven and Redis; install them where this is Debian and one may
	@ops/local/system-packages

lock: install ## Renew the hash locks in requirements/
	$(UV) pip compile -q pyproject.toml --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --exclude-newer "7 days" -o requirements/runtime.txt
	$(UV) pip compile -q pyproject.toml --extra notebooks --group dev --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --exclude-newer "7 days" -o requirements/dev.txt

clean: down ## Stop the stack and remove the virtual environment and caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache cypher/node_modules
