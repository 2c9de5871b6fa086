# Every command of the project; `make help` lists them. CI runs the same ones.
SHELL := /bin/bash
.DEFAULT_GOAL := help

VENV := .venv
PY := $(VENV)/bin/python
DOCS ?= ops/demo/saltmarsh
QUESTION ?= Where was the designer of the Plover born?
MANAGED := $(VENV)/.installed
CYPHER_TOOLS := cypher/node_modules/.package-lock.json
# node and npm come with the locked packages, so that no other Node.js is needed.
export PATH := $(CURDIR)/$(VENV)/bin:$(PATH)
ifeq ($(EMBEDDINGS),off)
export INTERLACE_EMBEDDING__ENABLED := false
endif

.PHONY: help demo up down test test-all coverage check lint format types imports house cypher cypher-format queries pictures docs install system lock clean

help: ## List the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-14s %s\n", $$1, $$2}'

demo: install system ## Set up, start the stack, ingest DOCS=folder, answer QUESTION="…" and leave the stack running
	@ops/local/demo "$(DOCS)" "$(QUESTION)"

up: install system ## Start the local stack
	@$(VENV)/bin/interlace up

down: install ## Stop the local stack; its data stays
	@$(VENV)/bin/interlace down

test: install system $(CYPHER_TOOLS) ## Run the tests that take minutes, on real servers, in three parts side by side; EMBEDDINGS=off skips what speaks of vectors
	$(PY) ops/ci/parts.py -m "not slow and not browser and not evaluation"

test-all: install system $(CYPHER_TOOLS) ## Run every test: also crashes, evaluation and the browser; in three parts side by side
	@ops/local/system-packages browser
	$(PY) ops/ci/parts.py

coverage: install ## Run unit and property tests and print the branch coverage of each module
	$(PY) -m pytest tests/unit tests/property -q --cov --cov-report=term:skip-covered

check: lint types imports house cypher ## Run every check that needs no server

lint: install ## Lint and check the format
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .

format: install cypher-format ## Format the code and the Cypher
	$(VENV)/bin/ruff check --fix .
	$(VENV)/bin/ruff format .

types: install ## Check types
	$(VENV)/bin/mypy

imports: install ## Check that layers import downwards only
	$(VENV)/bin/lint-imports

house: install ## Check the sizes of files and functions, names of classes, retired words; REPORT=--report lists all
	$(PY) -m ops.checks.house $(REPORT)

cypher: install $(CYPHER_TOOLS) ## Check the format of the Cypher, lint it, and compare the generated queries with it
	cd cypher && npm run --silent check && npm run --silent lint
	$(PY) ops/queries/generate.py --check

cypher-format: $(CYPHER_TOOLS)
	cd cypher && npm run --silent format

queries: install ## Write platform/interlace/queries from the headers of the Cypher files
	$(PY) ops/queries/generate.py

pictures: install system ## Take the pictures of the README again, in a real browser
	@ops/local/system-packages browser
	INTERLACE_TEST_SCREENSHOTS=docs/images $(PY) -m pytest -q -m browser tests/e2e/test_browser.py tests/e2e/test_browser_explore.py

docs: install ## Write the pages that are made of the code: docs/settings.md and docs/errors.md
	$(PY) ops/docs/generate.py

install: $(MANAGED) ## Create the virtual environment with the locked packages

$(MANAGED): requirements/dev.txt pyproject.toml
	@ops/local/environment $(VENV)

$(CYPHER_TOOLS): cypher/package-lock.json | $(MANAGED)
	cd cypher && npm ci --silent
	@touch $@

system: ## Check for Java, Maven and Redis; install them where this is Debian and one may
	@ops/local/system-packages stack

lock: install ## Renew the hash locks in requirements/ with versions at least seven days old
	$(VENV)/bin/uv pip compile -q pyproject.toml --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --exclude-newer "7 days" --upgrade -o requirements/runtime.txt
	$(VENV)/bin/uv pip compile -q pyproject.toml --extra notebooks --group dev --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --exclude-newer "7 days" --upgrade -o requirements/dev.txt

clean: ## Stop the stack and remove the virtual environment and caches; the stack's data stays
	@[[ ! -x $(VENV)/bin/interlace ]] || $(VENV)/bin/interlace down
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache cypher/node_modules
